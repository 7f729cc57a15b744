// SPDX-License-Identifier: Apache-2.0
//! Elements of any dtype as numbers.

use crate::error::{call, Error, Result};
use crate::{ffi, ErrorKind, Tensor};
use std::mem::MaybeUninit;

/// A number of any dtype with arithmetic.
#[doc(alias = "dlf_number")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// A real number.
    Real(f64),
    /// A complex number: its real and imaginary part.
    Complex(f64, f64),
    /// A signed integer.
    Signed(i64),
    /// An unsigned integer.
    Unsigned(u64),
    /// A truth value.
    Bool(bool),
}

impl Number {
    /// Return the number as an `f64`, rounded if need be; `None` for a complex number.
    #[must_use]
    pub fn as_f64(self) -> Option<f64> {
        match self {
            Number::Real(x) => Some(x),
            Number::Complex(..) => None,
            Number::Signed(x) => Some(x as f64),
            Number::Unsigned(x) => Some(x as f64),
            Number::Bool(x) => Some(f64::from(u8::from(x))),
        }
    }

    pub(crate) fn raw(self) -> ffi::dlf_number {
        let mut raw = ffi::dlf_number {
            kind: 0,
            reserved: 0,
            real: 0.0,
            imaginary: 0.0,
            signed_value: 0,
            unsigned_value: 0,
        };
        let kind = match self {
            Number::Real(real) => {
                raw.real = real;
                ffi::DLF_NUMBER_REAL
            }
            Number::Complex(real, imaginary) => {
                (raw.real, raw.imaginary) = (real, imaginary);
                ffi::DLF_NUMBER_COMPLEX
            }
            Number::Signed(value) => {
                raw.signed_value = value;
                ffi::DLF_NUMBER_SIGNED
            }
            Number::Unsigned(value) => {
                raw.unsigned_value = value;
                ffi::DLF_NUMBER_UNSIGNED
            }
            Number::Bool(value) => {
                raw.unsigned_value = u64::from(value);
                ffi::DLF_NUMBER_BOOL
            }
        };
        raw.kind = kind as i32;
        raw
    }

    fn from_raw(raw: &ffi::dlf_number) -> Number {
        match raw.kind as ffi::dlf_number_kind {
            ffi::DLF_NUMBER_COMPLEX => Number::Complex(raw.real, raw.imaginary),
            ffi::DLF_NUMBER_SIGNED => Number::Signed(raw.signed_value),
            ffi::DLF_NUMBER_UNSIGNED => Number::Unsigned(raw.unsigned_value),
            ffi::DLF_NUMBER_BOOL => Number::Bool(raw.unsigned_value != 0),
            _ => Number::Real(raw.real),
        }
    }
}

macro_rules! from {
    ($($kind:ident($wide:ty): $($(#[$when:meta])? $type:ty)*;)*) => {$($(
        $(#[$when])?
        impl From<$type> for Number {
            fn from(value: $type) -> Number {
                Number::$kind(<$wide>::from(value))
            }
        }
    )*)*};
}

from! {
    Real(f64): f32 f64 #[cfg(feature = "half")] half::f16 #[cfg(feature = "half")] half::bf16;
    Signed(i64): i8 i16 i32 i64;
    Unsigned(u64): u8 u16 u32 u64;
    Bool(bool): bool crate::Bool;
}

#[cfg(feature = "num-complex")]
impl<T: Into<f64>> From<num_complex::Complex<T>> for Number {
    fn from(value: num_complex::Complex<T>) -> Number {
        Number::Complex(value.re.into(), value.im.into())
    }
}

impl Tensor {
    /// Read one element as a number, exactly. Any dtype with arithmetic, packed or padded, with any strides.
    ///
    /// ```
    /// use dlferry::Number;
    ///
    /// let t = dlferry::Tensor::wrap(vec![1i32, 2, 3, 4], &[2, 2])?;
    /// assert_eq!(t.read(&[1, 0])?, Number::Signed(3));
    /// # Ok::<(), dlferry::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Bounds`](ErrorKind::Bounds), [`Device`](ErrorKind::Device) if the processor cannot reach the data, or
    /// [`Unsupported`](ErrorKind::Unsupported) for unknown flags and dtypes without arithmetic.
    #[doc(alias = "dlf_read")]
    pub fn read(&self, index: &[i64]) -> Result<Number> {
        self.read_lane(index, 0)
    }

    /// Read one lane of one element as a number. Otherwise like [`Tensor::read`].
    ///
    /// # Errors
    /// Those of [`Tensor::read`].
    #[doc(alias = "dlf_read")]
    pub fn read_lane(&self, index: &[i64], lane: u16) -> Result<Number> {
        if index.len() != self.ndim() {
            let text = format!("read: expected {} indices, got {}", self.ndim(), index.len());
            return Err(Error::new(ErrorKind::Bounds, text));
        }
        let mut number = MaybeUninit::uninit();
        // SAFETY: the tensor is alive, there is an index for each axis; number and error are valid slots.
        call(|error| unsafe { ffi::dlf_read(self.arg(), index.as_ptr(), lane.into(), number.as_mut_ptr(), error) })?;
        // SAFETY: the call succeeded and filled it.
        Ok(Number::from_raw(unsafe { number.assume_init_ref() }))
    }
}
