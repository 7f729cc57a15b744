// SPDX-License-Identifier: Apache-2.0
//! Arithmetic on shape and strides.

use crate::error::{call, Result};
use crate::{ffi, Tensor};

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
        count(self.dltensor())
    }

    /// Compute the bytes that the elements take without gaps.
    ///
    /// # Errors
    /// [`ErrorKind::Overflow`](crate::ErrorKind::Overflow), which only strides of 0 make possible.
    #[doc(alias = "dlf_byte_size")]
    pub fn byte_size(&self) -> Result<usize> {
        let mut out = 0;
        // SAFETY: the tensor is alive, out and error are valid slots.
        call(|error| unsafe { ffi::dlf_byte_size(self.dltensor(), self.flags(), &mut out, error) })?;
        Ok(out as usize)
    }

    /// Tell whether the elements lie in this order without gaps.
    #[doc(alias = "dlf_is_contiguous")]
    pub fn is_contiguous(&self, order: Order) -> bool {
        is_contiguous(self.dltensor(), order)
    }
}

#[inline]
pub(crate) fn count(tensor: &ffi::DLTensor) -> Result<usize> {
    let mut out = 0;
    // SAFETY: tensor describes its shape correctly, out and error are valid slots.
    call(|error| unsafe { ffi::dlf_count(tensor, &mut out, error) })?;
    Ok(out as usize) // never negative, and addresses have 64 bits
}

pub(crate) fn is_contiguous(tensor: &ffi::DLTensor, order: Order) -> bool {
    // SAFETY: tensor describes its shape and strides correctly.
    unsafe { ffi::dlf_is_contiguous(tensor, order as ffi::dlf_order) }
}
