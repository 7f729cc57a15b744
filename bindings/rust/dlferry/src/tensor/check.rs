// SPDX-License-Identifier: Apache-2.0
//! Check how well a tensor obeys the specification.

use crate::error::{call, Result};
use crate::{ffi, Tensor};

/// The level of [`Tensor::check`].
#[doc(alias = "dlf_check_level")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum CheckLevel {
    /// Pointers, extents, sizes, dtype and device; every tensor here has passed it.
    Structure = ffi::DLF_CHECK_STRUCTURE,
    /// Also the letter of DLPack 1.3, including data aligned to 256 bytes.
    Strict = ffi::DLF_CHECK_STRICT,
}

impl Tensor {
    /// Check the tensor.
    ///
    /// ```
    /// use dlferry::{CheckLevel, Tensor};
    /// assert!(Tensor::from(vec![1i32, 2]).check(CheckLevel::Structure).is_ok());
    /// ```
    ///
    /// # Errors
    /// [`Invalid`](crate::ErrorKind::Invalid), [`Overflow`](crate::ErrorKind::Overflow),
    /// [`Dtype`](crate::ErrorKind::Dtype) or [`Device`](crate::ErrorKind::Device).
    #[doc(alias = "dlf_check")]
    pub fn check(&self, level: CheckLevel) -> Result<()> {
        // SAFETY: the tensor is alive, error is a valid slot.
        call(|error| unsafe { ffi::dlf_check(self.dltensor(), self.flags(), level as i32, error) })
    }
}
