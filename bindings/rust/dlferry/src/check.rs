// SPDX-License-Identifier: Apache-2.0
//! How well a tensor obeys the specification.

use crate::error::{call, Result};
use crate::{ffi, Tensor};

/// How much [`Tensor::check`] asks.
#[doc(alias = "dlf_check_level")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum CheckLevel {
    /// Pointers, extents, sizes, dtype and device; every tensor here has passed it.
    Structure = ffi::DLF_CHECK_STRUCTURE,
    /// And the letter of DLPack 1.3, down to data aligned to 256 bytes.
    Strict = ffi::DLF_CHECK_STRICT,
}

impl Tensor {
    /// Check the tensor.
    ///
    /// # Errors
    /// [`Invalid`](crate::ErrorKind::Invalid), [`Overflow`](crate::ErrorKind::Overflow),
    /// [`Dtype`](crate::ErrorKind::Dtype) or [`Device`](crate::ErrorKind::Device).
    #[doc(alias = "dlf_check")]
    pub fn check(&self, level: CheckLevel) -> Result<()> {
        // SAFETY: the tensor is alive, error is a valid slot.
        call(|error| unsafe { ffi::dlf_check(self.dltensor(), level as ffi::dlf_check_level, error) })
    }
}
