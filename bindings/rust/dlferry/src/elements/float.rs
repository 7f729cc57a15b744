// SPDX-License-Identifier: Apache-2.0
//! Elements of float8, float6 and float4, which Rust has no types for.
//!
//! Each value is one byte. The types of less than 8 bits are elements of tensors whose elements take a byte each,
//! flagged [`SUBBYTE_PADDED`](crate::flags::SUBBYTE_PADDED), as vectors of them become; packed ones can be
//! [copied so](crate::Tensor::copy_padded), or [read](crate::Tensor::read) one by one.
//!
//! ```
//! use dlferry::float::{F4E2M1Fn, F8E4M3Fn};
//! use dlferry::Tensor;
//!
//! let t = Tensor::from(vec![F8E4M3Fn::from_f32(0.3), F8E4M3Fn::from_f32(1e9)]);
//! assert_eq!(t.dtype().to_string(), "float8_e4m3fn");
//! let elements = t.elements::<F8E4M3Fn>()?;
//! assert_eq!(elements.at([0]).to_f32(), 0.3125); // the nearest value
//! assert!(elements.at([1]).to_f32().is_nan()); // it has no infinity
//!
//! let packed = Tensor::create("float4_e2m1fn".parse()?, &[3])?;
//! assert_eq!(packed.copy_padded()?.elements::<F4E2M1Fn>()?.to_vec(), [F4E2M1Fn::default(); 3]);
//! # Ok::<(), dlferry::Error>(())
//! ```

use crate::{ffi, DType, Element};
use std::cmp::Ordering;
use std::fmt;
use std::ptr::null_mut;
use std::sync::OnceLock;

/// The values of all bytes, which C tells once.
type Table = OnceLock<Box<[f32; 256]>>;

#[cold]
fn decode(dtype: DType) -> Box<[f32; 256]> {
    let mut values = Box::new([0f32; 256]);
    for (bits, value) in values.iter_mut().enumerate() {
        let mut exact = 0f64;
        // SAFETY: exact is a valid slot. It cannot fail: C knows these dtypes.
        unsafe { ffi::dlf_float_decode(dtype.raw(), bits as u64, &raw mut exact, null_mut()) };
        *value = exact as f32; // which has all of their values
    }
    values
}

fn encode(dtype: DType, value: f64) -> u8 {
    let mut bits = 0u64;
    // SAFETY: bits is a valid slot. It cannot fail: C knows these dtypes.
    unsafe { ffi::dlf_float_encode(dtype.raw(), value, &raw mut bits, null_mut()) };
    bits as u8
}

macro_rules! floats {
    ($($(#[$doc:meta])* $name:ident = $dtype:ident $code:ident $bits:literal $text:literal;)*) => {
        impl DType {
            $(#[doc = concat!("`", $text, "`")] pub const $dtype: DType = DType::new(ffi::$code as u8, $bits);)*
        }

        $(
        #[doc = concat!("One element of `", $text, "`.")]
        $(#[$doc])*
        #[doc(alias = $text)]
        #[derive(Clone, Copy, Default)]
        #[repr(transparent)]
        pub struct $name(u8);

        // SAFETY: a byte; bits above the width are ignored, and the flag says that the elements are padded.
        unsafe impl Element for $name {
            const DTYPE: DType = DType::$dtype;
        }

        impl $name {
            /// Make the value with these bits; those above the width are ignored.
            pub const fn from_bits(bits: u8) -> $name {
                $name(bits)
            }

            /// Return the bits.
            pub const fn to_bits(self) -> u8 {
                self.0
            }

            /// Round a value to the nearest one of this type, ties to even, as NumPy and ml_dtypes do. A value too large
            /// becomes infinity, or else NaN, or else the largest value.
            #[doc(alias = "dlf_float_encode")]
            pub fn from_f64(value: f64) -> $name {
                $name(encode(DType::$dtype, value))
            }

            /// Round a value like `from_f64`.
            #[doc(alias = "dlf_float_encode")]
            pub fn from_f32(value: f32) -> $name {
                $name::from_f64(value.into())
            }

            /// Return the exact value.
            #[doc(alias = "dlf_float_decode")]
            #[inline]
            pub fn to_f32(self) -> f32 {
                static VALUES: Table = Table::new();
                VALUES.get_or_init(|| decode(DType::$dtype))[self.0 as usize]
            }

            /// Return the exact value.
            #[doc(alias = "dlf_float_decode")]
            #[inline]
            pub fn to_f64(self) -> f64 {
                self.to_f32().into()
            }
        }

        impl From<$name> for f32 {
            fn from(value: $name) -> f32 {
                value.to_f32()
            }
        }

        impl From<$name> for f64 {
            fn from(value: $name) -> f64 {
                value.to_f64()
            }
        }

        impl From<$name> for crate::Number {
            fn from(value: $name) -> crate::Number {
                crate::Number::Real(value.to_f64())
            }
        }

        impl PartialEq for $name {
            fn eq(&self, other: &$name) -> bool {
                self.to_f32() == other.to_f32()
            }
        }

        impl PartialOrd for $name {
            fn partial_cmp(&self, other: &$name) -> Option<Ordering> {
                self.to_f32().partial_cmp(&other.to_f32())
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.to_f32().fmt(f)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&self.to_f32(), f)
            }
        }
        )*
    };
}

floats! {
    F8E3M4 = F8_E3M4 kDLFloat8_e3m4 8 "float8_e3m4";
    F8E4M3 = F8_E4M3 kDLFloat8_e4m3 8 "float8_e4m3";
    F8E4M3B11Fnuz = F8_E4M3B11FNUZ kDLFloat8_e4m3b11fnuz 8 "float8_e4m3b11fnuz";
    F8E4M3Fn = F8_E4M3FN kDLFloat8_e4m3fn 8 "float8_e4m3fn";
    F8E4M3Fnuz = F8_E4M3FNUZ kDLFloat8_e4m3fnuz 8 "float8_e4m3fnuz";
    F8E5M2 = F8_E5M2 kDLFloat8_e5m2 8 "float8_e5m2";
    F8E5M2Fnuz = F8_E5M2FNUZ kDLFloat8_e5m2fnuz 8 "float8_e5m2fnuz";
    /// A power of two: a scale.
    F8E8M0Fnu = F8_E8M0FNU kDLFloat8_e8m0fnu 8 "float8_e8m0fnu";
    F6E2M3Fn = F6_E2M3FN kDLFloat6_e2m3fn 6 "float6_e2m3fn";
    F6E3M2Fn = F6_E3M2FN kDLFloat6_e3m2fn 6 "float6_e3m2fn";
    F4E2M1Fn = F4_E2M1FN kDLFloat4_e2m1fn 4 "float4_e2m1fn";
}
