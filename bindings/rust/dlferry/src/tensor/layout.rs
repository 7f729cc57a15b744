// SPDX-License-Identifier: Apache-2.0
//! Arithmetic on shape and strides.

use crate::error::{call, Result};
use crate::{ffi, Tensor};
use std::ops::Range;

/// Order of axes in memory. An axis of extent 1 and a tensor without elements fit every order.
#[doc(alias = "dlf_order")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum Order {
    /// Last axis fastest, as in C.
    RowMajor = ffi::DLF_ROW_MAJOR,
    /// First axis fastest, as in Fortran and Julia.
    ColumnMajor = ffi::DLF_COLUMN_MAJOR,
    /// No gaps, any order of axes, no negative stride.
    Dense = ffi::DLF_DENSE,
}

impl Tensor {
    /// Count the elements.
    ///
    /// # Errors
    /// [`ErrorKind::Overflow`](crate::ErrorKind::Overflow), which only strides of 0 make possible.
    #[doc(alias = "dlf_count")]
    pub fn count(&self) -> Result<usize> {
        let mut out = 0;
        // SAFETY: the tensor is alive, out and error are valid slots.
        call(|error| unsafe { ffi::dlf_count(self.dltensor(), &raw mut out, error) })?;
        Ok(out as usize) // never negative, and addresses have 64 bits
    }

    /// Compute the bytes that the elements take without gaps.
    ///
    /// ```
    /// let t = dlferry::Tensor::create("int4".parse()?, &[3])?;
    /// assert_eq!((t.count()?, t.byte_size()?), (3, 2)); // two to a byte
    /// # Ok::<(), dlferry::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::Overflow`](crate::ErrorKind::Overflow), which only strides of 0 make possible.
    #[doc(alias = "dlf_byte_size")]
    pub fn byte_size(&self) -> Result<usize> {
        let mut out = 0;
        // SAFETY: the tensor is alive, out and error are valid slots.
        call(|error| unsafe { ffi::dlf_byte_size(self.dltensor(), self.flags(), &raw mut out, error) })?;
        Ok(out as usize)
    }

    /// Compute the touched bytes, relative to the first element. The start is negative for negative strides.
    ///
    /// ```
    /// let t = dlferry::Tensor::from(vec![1i32, 2, 3]).flip(0)?;
    /// assert_eq!(t.byte_range()?, -8..4);
    /// # Ok::<(), dlferry::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::Overflow`](crate::ErrorKind::Overflow).
    #[doc(alias = "dlf_byte_range")]
    pub fn byte_range(&self) -> Result<Range<i64>> {
        let (mut low, mut high) = (0, 0);
        // SAFETY: the tensor is alive; low, high and error are valid slots.
        call(|error| unsafe {
            ffi::dlf_byte_range(self.dltensor(), self.flags(), &raw mut low, &raw mut high, error)
        })?;
        Ok(low..high)
    }

    /// Tell whether the elements lie in this order without gaps.
    ///
    /// ```
    /// use dlferry::Order;
    ///
    /// let t = dlferry::Tensor::wrap(vec![1i32, 2, 3, 4], &[2, 2])?;
    /// assert!(t.is_contiguous(Order::RowMajor) && t.permute(&[1, 0])?.is_contiguous(Order::ColumnMajor));
    /// # Ok::<(), dlferry::Error>(())
    /// ```
    #[doc(alias = "dlf_is_contiguous")]
    #[must_use]
    pub fn is_contiguous(&self, order: Order) -> bool {
        // SAFETY: the tensor is alive.
        unsafe { ffi::dlf_is_contiguous(self.dltensor(), order as i32) }
    }

    /// Return the highest power of two that divides the first element's address; 2^62 without elements.
    ///
    /// ```
    /// let t = dlferry::Tensor::create(dlferry::DType::F32, &[3])?;
    /// assert!(t.alignment() >= 256 && t.slice(0, 1, 2, 1)?.alignment() == 4);
    /// # Ok::<(), dlferry::Error>(())
    /// ```
    #[doc(alias = "dlf_alignment")]
    #[must_use]
    pub fn alignment(&self) -> usize {
        // SAFETY: the tensor is alive.
        unsafe { ffi::dlf_alignment(self.dltensor()) as usize }
    }

    /// Tell whether the processor may use the elements in place.
    ///
    /// ```
    /// assert!(dlferry::Tensor::from(vec![1i32, 2]).is_reachable());
    /// ```
    #[doc(alias = "dlf_is_reachable")]
    #[must_use]
    pub fn is_reachable(&self) -> bool {
        // SAFETY: the tensor is alive.
        unsafe { ffi::dlf_is_reachable(self.dltensor()) }
    }
}

/// Compute strides, in elements, for this shape without gaps, row- or column-major.
///
/// ```
/// use dlferry::{compact_strides, Order};
///
/// assert_eq!(compact_strides(&[2, 3, 4], Order::RowMajor)?, [12, 4, 1]);
/// assert_eq!(compact_strides(&[2, 3, 4], Order::ColumnMajor)?, [1, 2, 6]);
/// # Ok::<(), dlferry::Error>(())
/// ```
///
/// # Errors
/// [`ErrorKind::Overflow`](crate::ErrorKind::Overflow), or [`ErrorKind::Invalid`](crate::ErrorKind::Invalid), also for
/// [`Order::Dense`].
#[doc(alias = "dlf_compact_strides")]
pub fn compact_strides(shape: &[i64], order: Order) -> Result<Vec<i64>> {
    let (ndim, mut strides) = (shape.len() as i64, vec![0; shape.len()]);
    // SAFETY: shape and strides have ndim places, error is a valid slot.
    call(|error| unsafe { ffi::dlf_compact_strides(ndim, shape.as_ptr(), order as i32, strides.as_mut_ptr(), error) })?;
    Ok(strides)
}
