// SPDX-License-Identifier: Apache-2.0
//! Types of elements.

use crate::error::{c_text, call, Result};
use crate::{ffi, text::text};
use std::fmt;
use std::str::FromStr;

/// Type of an element: `lanes` numbers of `bits` bits each, of the kind `code`.
///
/// Codes are data: a code that no header names passes through and prints.
#[doc(alias = "DLDataType")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct DType {
    /// Kind of number, a `kDL...` constant of DLPack.
    pub code: u8,
    /// Bits of one number; of a complex number both parts together.
    pub bits: u8,
    /// Numbers in an element, 1 unless it is a vector.
    pub lanes: u16,
}

macro_rules! constants {
    ($($name:ident = $code:ident $bits:literal $text:literal;)*) => {
        $(#[doc = concat!("`", $text, "`")] pub const $name: DType = DType::new(ffi::$code as u8, $bits);)*
    };
}

// Those of fewer than 16 bits stand in float.rs, with their elements.
impl DType {
    constants! {
        BOOL = kDLBool 8 "bool";
        I8 = kDLInt 8 "int8"; I16 = kDLInt 16 "int16"; I32 = kDLInt 32 "int32"; I64 = kDLInt 64 "int64";
        U8 = kDLUInt 8 "uint8"; U16 = kDLUInt 16 "uint16"; U32 = kDLUInt 32 "uint32"; U64 = kDLUInt 64 "uint64";
        F16 = kDLFloat 16 "float16"; F32 = kDLFloat 32 "float32"; F64 = kDLFloat 64 "float64";
        BF16 = kDLBfloat 16 "bfloat16";
        C32 = kDLComplex 32 "complex32"; C64 = kDLComplex 64 "complex64"; C128 = kDLComplex 128 "complex128";
    }

    /// Make the dtype of one number per element.
    #[must_use]
    pub const fn new(code: u8, bits: u8) -> DType {
        DType { code, bits, lanes: 1 }
    }

    /// Read a dtype from its name: `"float32"`, `"uint8x4"`, the short forms of contracts such as `"f32"`.
    ///
    /// # Errors
    /// [`ErrorKind::Dtype`](crate::ErrorKind::Dtype) for an unknown name.
    #[doc(alias = "dlf_dtype_parse")]
    pub fn parse(name: &str) -> Result<DType> {
        let name = c_text("dtype_parse", name)?;
        let mut out = DType::new(0, 0).raw();
        // SAFETY: name ends with NUL, out and error are valid slots.
        call(|error| unsafe { ffi::dlf_dtype_parse(name.as_ptr(), &raw mut out, error) })?;
        Ok(out.into())
    }

    /// Write the short name that contracts use, such as `f32`.
    ///
    /// ```
    /// assert_eq!(dlferry::DType::parse("uint8x4")?.short_name(), "u8_x4");
    /// # Ok::<(), dlferry::Error>(())
    /// ```
    #[doc(alias = "dlf_dtype_format_short")]
    #[must_use]
    pub fn short_name(self) -> String {
        // SAFETY: text() lends a buffer of that capacity.
        text(|buffer, capacity| unsafe { ffi::dlf_dtype_format_short(self.raw(), buffer, capacity) })
    }

    /// Count the bytes of one element with all lanes, rounded up. Packed sub-byte elements share bytes: see
    /// [`Tensor::byte_size`](crate::Tensor::byte_size).
    ///
    /// ```
    /// use dlferry::DType;
    /// assert_eq!((DType::C64.size(), DType { lanes: 3, ..DType::U8 }.size()), (8, 3));
    /// ```
    #[doc(alias = "dlf_dtype_size")]
    #[must_use]
    pub fn size(self) -> usize {
        // SAFETY: takes a plain value.
        unsafe { ffi::dlf_dtype_size(self.raw()) as usize }
    }

    /// Return the C structure.
    #[must_use]
    pub const fn raw(self) -> ffi::DLDataType {
        ffi::DLDataType {
            code: self.code,
            bits: self.bits,
            lanes: self.lanes,
        }
    }
}

impl From<ffi::DLDataType> for DType {
    fn from(raw: ffi::DLDataType) -> DType {
        DType {
            code: raw.code,
            bits: raw.bits,
            lanes: raw.lanes,
        }
    }
}

impl FromStr for DType {
    type Err = crate::Error;

    fn from_str(name: &str) -> Result<DType> {
        DType::parse(name)
    }
}

/// The usual name, such as `float32`.
impl fmt::Display for DType {
    /// ```
    /// assert_eq!(dlferry::DType::parse("f32")?.to_string(), "float32");
    /// # Ok::<(), dlferry::Error>(())
    /// ```
    #[doc(alias = "dlf_dtype_format")]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // SAFETY: text() lends a buffer of that capacity.
        f.pad(&text(|buffer, capacity| unsafe {
            ffi::dlf_dtype_format(self.raw(), buffer, capacity)
        }))
    }
}

impl fmt::Debug for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DType({self})")
    }
}
