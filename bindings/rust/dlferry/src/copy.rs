// SPDX-License-Identifier: Apache-2.0
//! Copies.

use crate::error::Result;
use crate::{ffi, Tensor};

impl Tensor {
    /// Copy the elements into a new row-major tensor, writable.
    ///
    /// # Errors
    /// [`Device`](crate::ErrorKind::Device) when the processor cannot reach the data,
    /// [`Unsupported`](crate::ErrorKind::Unsupported) for packed sub-byte elements that are not row-major, or
    /// [`NoMemory`](crate::ErrorKind::NoMemory).
    #[doc(alias = "dlf_copy")]
    pub fn copy(&self) -> Result<Tensor> {
        // SAFETY: self is alive for the call; make() hands out valid slots.
        unsafe { Tensor::make(|out, error| ffi::dlf_copy(self.raw(), out, error)) }
    }
}
