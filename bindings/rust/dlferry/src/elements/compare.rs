// SPDX-License-Identifier: Apache-2.0
//! Comparison of tensors, of any layout and dtype.

use crate::error::{call, Result};
use crate::tensor::Slot;
use crate::{ffi, Arg, Number, Tensor};

/// The other tensor of a comparison is anything that a generated function takes: a tensor, a slice, a vector, an array.
impl Tensor {
    /// Tell whether dtype, shape and the bits of every element are the same.
    ///
    /// ```
    /// let t = dlferry::Tensor::from(vec![1.0f32, f32::NAN]);
    /// assert!(t.identical(&t.copy()?)? && !t.identical(&[1.0f64, f64::NAN])?);
    /// # Ok::<(), dlferry::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Device`](crate::ErrorKind::Device) if the processor cannot reach the data, or
    /// [`Unsupported`](crate::ErrorKind::Unsupported) for unknown flags and sub-byte dtypes of more than 64 bits.
    #[doc(alias = "dlf_identical")]
    pub fn identical(&self, other: &(impl Arg + ?Sized)) -> Result<bool> {
        // SAFETY: both() lends two tensors and valid slots for the call.
        self.both(other, |a, b, out, error| unsafe {
            ffi::dlf_identical(a, b, out, error)
        })
    }

    /// Tell whether the shapes and all numbers are equal, for any dtypes and without rounding. NaN equals nothing.
    ///
    /// ```
    /// let t = dlferry::Tensor::from(vec![1i64, 2]);
    /// assert!(t.equal(&[1.0, 2.0])? && !t.equal(&[1.0, 2.5])?);
    /// # Ok::<(), dlferry::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Device`](crate::ErrorKind::Device) if the processor cannot reach the data, or
    /// [`Unsupported`](crate::ErrorKind::Unsupported) for unknown flags and dtypes without arithmetic.
    #[doc(alias = "dlf_equal")]
    pub fn equal(&self, other: &(impl Arg + ?Sized)) -> Result<bool> {
        // SAFETY: as above.
        self.both(other, |a, b, out, error| unsafe { ffi::dlf_equal(a, b, out, error) })
    }

    /// Tell whether the shapes are equal and `|a - b| <= atol + rtol |b|` for all elements, computed in f64. NaN is
    /// close to NaN if `equal_nan`.
    ///
    /// ```
    /// let t = dlferry::Tensor::from(vec![1.0f32, f32::NAN]);
    /// assert!(t.all_close(&[1.000001, f64::NAN], 1e-5, 1e-8, true)?);
    /// # Ok::<(), dlferry::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Invalid`](crate::ErrorKind::Invalid) for a negative tolerance, and those of [`Tensor::equal`].
    #[doc(alias = "dlf_all_close")]
    pub fn all_close(&self, other: &(impl Arg + ?Sized), rtol: f64, atol: f64, equal_nan: bool) -> Result<bool> {
        // SAFETY: as above.
        self.both(other, |a, b, out, error| unsafe {
            ffi::dlf_all_close(a, b, rtol, atol, equal_nan, out, error)
        })
    }

    /// Tell whether an element equals a number, which is first rounded to the precision of a dtype of reals.
    ///
    /// ```
    /// let t = dlferry::Tensor::from(vec![0.1f32, 2.0]);
    /// assert!(t.contains(0.1)? && t.contains(2)? && !t.contains(3)?);
    /// # Ok::<(), dlferry::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::equal`].
    #[doc(alias = "dlf_contains")]
    pub fn contains(&self, number: impl Into<Number>) -> Result<bool> {
        let (number, mut out) = (number.into().raw(), false);
        // SAFETY: the tensor is alive; number, out and error are valid.
        call(|error| unsafe { ffi::dlf_contains(self.arg(), &raw const number, &raw mut out, error) })?;
        Ok(out)
    }

    /// Tell whether the bytes of both tensors overlap; true if that is unknown.
    ///
    /// ```
    /// let t = dlferry::Tensor::from(vec![1i32, 2, 3, 4]);
    /// let (front, back) = (t.slice(0, 0, 2, 1)?, t.slice(0, 2, 2, 1)?);
    /// assert!(front.overlap(&t) && !front.overlap(&back));
    /// # Ok::<(), dlferry::Error>(())
    /// ```
    #[doc(alias = "dlf_overlap")]
    pub fn overlap(&self, other: &(impl Arg + ?Sized)) -> bool {
        let mut slot = Slot::new();
        // SAFETY: both tensors live for the call.
        unsafe { ffi::dlf_overlap(self.arg(), other.lend(&mut slot).raw()) }
    }

    fn both(
        &self,
        other: &(impl Arg + ?Sized),
        compare: impl FnOnce(ffi::dlf_arg, ffi::dlf_arg, *mut bool, *mut ffi::dlf_error) -> ffi::dlf_status,
    ) -> Result<bool> {
        let (mut slot, mut out) = (Slot::new(), false);
        let other = other.lend(&mut slot);
        call(|error| compare(self.arg(), other.raw(), &raw mut out, error))?;
        Ok(out)
    }
}
