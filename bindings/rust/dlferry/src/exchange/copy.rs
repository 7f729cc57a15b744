// SPDX-License-Identifier: Apache-2.0
//! Copies, and data on another device.

use crate::error::Result;
use crate::tensor::Memory;
use crate::{ffi, Device, Order, Tensor};

/// Rule for copies in [`Tensor::to_device`] and [`Tensor::export`].
#[doc(alias = "dlf_copy_mode")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum CopyMode {
    /// Only to reach the device, or to give read-only data to a consumer of DLPack 0.8.
    #[default]
    IfNeeded = ffi::DLF_COPY_IF_NEEDED,
    /// Always.
    Always = ffi::DLF_COPY_ALWAYS,
    /// Never.
    Never = ffi::DLF_COPY_NEVER,
}

impl Tensor {
    /// Copy the elements into a new row-major tensor, writable.
    ///
    /// ```
    /// let t = dlferry::Tensor::wrap(vec![1i32, 2, 3, 4], &[2, 2])?;
    /// assert_eq!(t.permute(&[1, 0])?.copy()?.strides(), [2, 1]);
    /// # Ok::<(), dlferry::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Device`](crate::ErrorKind::Device) when the processor cannot reach the data,
    /// [`Unsupported`](crate::ErrorKind::Unsupported) for unknown flags, or [`NoMemory`](crate::ErrorKind::NoMemory).
    #[doc(alias = "dlf_copy")]
    pub fn copy(&self) -> Result<Tensor> {
        // SAFETY: self is alive for the call; make() hands out valid slots.
        unsafe { Tensor::make(Memory::Own, |out, error| ffi::dlf_copy(self.raw(), out, error)) }
    }

    /// Copy like [`Tensor::copy`], and give each packed sub-byte element whole bytes of its own. Any strides.
    ///
    /// ```
    /// let t = dlferry::Tensor::create("int4".parse()?, &[3])?;
    /// assert_eq!((t.byte_size()?, t.copy_padded()?.byte_size()?), (2, 3));
    /// # Ok::<(), dlferry::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Device`](crate::ErrorKind::Device), [`Unsupported`](crate::ErrorKind::Unsupported) for packed lanes and
    /// elements above 64 bits, or [`NoMemory`](crate::ErrorKind::NoMemory).
    #[doc(alias = "dlf_copy_padded")]
    pub fn copy_padded(&self) -> Result<Tensor> {
        // SAFETY: self is alive for the call; make() hands out valid slots.
        unsafe { Tensor::make(Memory::Own, |out, error| ffi::dlf_copy_padded(self.raw(), out, error)) }
    }

    /// Return the same memory if the elements are row-major without gaps, else a copy.
    ///
    /// ```
    /// let t = dlferry::Tensor::wrap(vec![1i32, 2, 3, 4], &[2, 2])?;
    /// assert_eq!(t.contiguous()?.data(), t.data());
    /// assert_ne!(t.permute(&[1, 0])?.contiguous()?.data(), t.data());
    /// # Ok::<(), dlferry::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::copy`].
    #[doc(alias = "dlf_copy")]
    #[doc(alias = "dlf_is_contiguous")]
    pub fn contiguous(&self) -> Result<Tensor> {
        if self.is_contiguous(Order::RowMajor) {
            return self.to_device(self.device(), CopyMode::Never);
        }
        self.copy()
    }

    /// Return the same memory if it is on this device, else a copy. The hub copies only to the processor, and only data
    /// that the processor can reach.
    ///
    /// ```
    /// use dlferry::{CopyMode, Device, Tensor};
    ///
    /// let t = Tensor::from(vec![1i32, 2]);
    /// assert_eq!(t.to_device(Device::CPU, CopyMode::IfNeeded)?.data(), t.data());
    /// # Ok::<(), dlferry::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Device`](crate::ErrorKind::Device), and those of [`Tensor::copy`].
    #[doc(alias = "dlf_to_device")]
    pub fn to_device(&self, device: Device, copy: CopyMode) -> Result<Tensor> {
        // SAFETY: self is alive for the call; make() hands out valid slots.
        let mut made = unsafe {
            Tensor::make(Memory::Own, |out, error| {
                ffi::dlf_to_device(self.raw(), device.raw(), copy as i32, out, error)
            })?
        };
        if made.raw() == self.raw() {
            made.set_memory(self.memory());
        }
        Ok(made)
    }
}
