// SPDX-License-Identifier: Apache-2.0
//! Conversion to another dtype.

use crate::error::Result;
use crate::tensor::{between, Memory};
use crate::{ffi, Arg, ArgMut, DType, Element, Tensor};

impl Tensor {
    /// Convert the elements into a new row-major tensor of another dtype, writable, with one exact rounding.
    ///
    /// Between Rust's own types this is `as`: integers wrap, a real loses its fraction, beyond the range it becomes the
    /// nearest integer, NaN becomes 0. Reals round to nearest, ties to even; one too large for its dtype becomes infinity,
    /// else NaN, else the largest value. True is what is not 0. Real numbers also become complex ones, but not back.
    /// Elements of less than 8 bits are packed.
    ///
    /// ```
    /// use dlferry::{DType, Tensor};
    ///
    /// let t = Tensor::from(vec![1.5f64, -2.5, 300.0]);
    /// assert_eq!(t.cast(DType::U8)?.elements::<u8>()?.to_vec(), [1, 0, 255]);
    /// assert_eq!(t.cast("float8_e4m3fn".parse()?)?.read(&[2])?.as_f64(), Some(288.0));
    /// # Ok::<(), dlferry::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Dtype`](crate::ErrorKind::Dtype) from complex numbers to others, for other lanes, and for dtypes without
    /// arithmetic and integers of less than 8 bits, and those of [`Tensor::copy`].
    #[doc(alias = "dlf_cast")]
    #[doc(alias = "astype")]
    pub fn cast(&self, dtype: DType) -> Result<Tensor> {
        self.cast_with(dtype, false)
    }

    /// Convert like [`Tensor::cast`], but a number beyond the range of the dtype becomes the nearest one that it has:
    /// integers, and infinities too.
    ///
    /// ```
    /// use dlferry::{DType, Tensor};
    ///
    /// let t = Tensor::from(vec![-1i32, 300]);
    /// assert_eq!(t.cast_saturating(DType::U8)?.elements::<u8>()?.to_vec(), [0, 255]);
    /// assert_eq!(t.cast(DType::U8)?.elements::<u8>()?.to_vec(), [255, 44]);
    /// # Ok::<(), dlferry::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::cast`].
    #[doc(alias = "dlf_cast")]
    pub fn cast_saturating(&self, dtype: DType) -> Result<Tensor> {
        self.cast_with(dtype, true)
    }

    /// Convert like [`Tensor::cast`], to elements of a Rust type: [`elements`](Tensor::elements) reads them.
    ///
    /// ```
    /// let t = dlferry::Tensor::from(vec![1u8, 2]);
    /// assert_eq!(t.cast_to::<f32>()?.elements::<f32>()?.as_slice()?, [1.0, 2.0]);
    /// # Ok::<(), dlferry::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::cast`].
    #[doc(alias = "dlf_cast")]
    pub fn cast_to<T: Element>(&self) -> Result<Tensor> {
        let packed = self.cast(T::DTYPE)?;
        if T::FLAGS == 0 {
            return Ok(packed);
        }
        packed.copy_padded()
    }

    fn cast_with(&self, dtype: DType, saturate: bool) -> Result<Tensor> {
        // SAFETY: self is alive for the call; make() hands out valid slots.
        unsafe {
            Tensor::make(Memory::Own, |out, error| {
                ffi::dlf_cast(self.raw(), dtype.raw(), saturate, out, error)
            })
        }
    }
}

/// Convert the elements into existing memory of another dtype and the same shape, as [`Tensor::cast`] does, with any
/// strides on both sides. Each side is anything that [`copy_into`](crate::copy_into) takes.
///
/// ```
/// let bytes = [0u8, 128, 255];
/// let mut pixels = [0f32; 3];
/// dlferry::cast_into(&bytes, &mut pixels)?;
/// assert_eq!(pixels, [0.0, 128.0, 255.0]);
/// # Ok::<(), dlferry::Error>(())
/// ```
///
/// # Errors
/// [`Dtype`](crate::ErrorKind::Dtype) like [`Tensor::cast`], and otherwise those of [`copy_into`](crate::copy_into); both
/// sides may share memory only if their dtypes are equal, too. Nothing is written then.
#[doc(alias = "dlf_cast_into")]
pub fn cast_into(source: &(impl Arg + ?Sized), destination: &mut (impl ArgMut + ?Sized)) -> Result<()> {
    cast_into_with(source, destination, false)
}

/// Convert like [`cast_into`], but a number beyond the range of the destination's dtype becomes the nearest one that it
/// has.
///
/// ```
/// let mut bytes = [0u8; 3];
/// dlferry::cast_into_saturating(&[-5i16, 5, 500], &mut bytes)?;
/// assert_eq!(bytes, [0, 5, 255]);
/// # Ok::<(), dlferry::Error>(())
/// ```
///
/// # Errors
/// Those of [`cast_into`].
#[doc(alias = "dlf_cast_into")]
pub fn cast_into_saturating(source: &(impl Arg + ?Sized), destination: &mut (impl ArgMut + ?Sized)) -> Result<()> {
    cast_into_with(source, destination, true)
}

fn cast_into_with(
    source: &(impl Arg + ?Sized),
    destination: &mut (impl ArgMut + ?Sized),
    saturate: bool,
) -> Result<()> {
    // SAFETY: between() lends two handles, or NULL, and a valid slot for the call.
    between("cast_into", source, destination, |from, to, error| unsafe {
        ffi::dlf_cast_into(from, to, saturate, error)
    })
}
