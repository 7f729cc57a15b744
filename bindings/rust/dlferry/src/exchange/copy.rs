// SPDX-License-Identifier: Apache-2.0
//! Copies, and data on another device.

use crate::error::Result;
use crate::tensor::{between, Memory};
use crate::{ffi, Arg, ArgMut, Device, Order, Tensor};

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

    /// Return the same memory if the elements have this order without gaps, else a copy, which is row-major for
    /// [`Order::Dense`].
    ///
    /// ```
    /// use dlferry::{Order, Tensor};
    ///
    /// let t = Tensor::wrap(vec![1i32, 2, 3, 4], &[2, 2])?;
    /// assert_eq!(t.contiguous(Order::RowMajor)?.data(), t.data());
    /// assert_eq!(t.contiguous(Order::ColumnMajor)?.strides(), [1, 2]);
    /// # Ok::<(), dlferry::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::copy`].
    #[doc(alias = "dlf_contiguous")]
    pub fn contiguous(&self, order: Order) -> Result<Tensor> {
        // SAFETY: self is alive for the call; make() hands out valid slots.
        let made = unsafe {
            Tensor::make(Memory::Own, |out, error| {
                ffi::dlf_contiguous(self.raw(), order as i32, out, error)
            })?
        };
        Ok(self.or_itself(made))
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
        let made = unsafe {
            Tensor::make(Memory::Own, |out, error| {
                ffi::dlf_to_device(self.raw(), device.raw(), copy as i32, out, error)
            })?
        };
        Ok(self.or_itself(made))
    }

    /// The hub gave a copy, or this handle again, whose memory has its owner.
    fn or_itself(&self, mut made: Tensor) -> Tensor {
        if made.raw() == self.raw() {
            made.set_memory(self.memory());
        }
        made
    }
}

/// Copy the elements into existing memory of the same dtype and shape, with any strides on both sides. Each side is
/// anything that a generated function takes: a tensor, its elements, a slice, an array of ndarray, [`of`](crate::of).
///
/// ```
/// use dlferry::{copy_into, of_mut, Tensor};
///
/// let columns = Tensor::wrap(vec![1i32, 2, 3, 4], &[2, 2])?.permute(&[1, 0])?;
/// let mut rows = [0; 4];
/// copy_into(&columns, &mut of_mut(&mut rows, [2, 2])?)?;
/// assert_eq!(rows, [1, 3, 2, 4]);
/// # Ok::<(), dlferry::Error>(())
/// ```
///
/// Either side may be packed and the other one padded. Memory that others may use is refused as a destination, as by
/// [`elements_mut`](Tensor::elements_mut): see [`Tensor::assume_alone`]. With it both sides may share memory if their
/// strides are equal: the destination then gets what the source had before.
///
/// # Errors
/// [`Dtype`](crate::ErrorKind::Dtype) for another dtype, which [`cast_into`](crate::cast_into) converts,
/// [`Shape`](crate::ErrorKind::Shape), [`ReadOnly`](crate::ErrorKind::ReadOnly), [`Invalid`](crate::ErrorKind::Invalid)
/// for a destination that others may use and for `None`, [`Layout`](crate::ErrorKind::Layout) if elements of the
/// destination lie above or between each other or share memory with a source of other strides,
/// [`Device`](crate::ErrorKind::Device) when the processor cannot reach the data,
/// [`Unsupported`](crate::ErrorKind::Unsupported) for unknown flags and like [`Tensor::copy_padded`], or
/// [`NoMemory`](crate::ErrorKind::NoMemory). Nothing is written then.
#[doc(alias = "dlf_copy_into")]
pub fn copy_into(source: &(impl Arg + ?Sized), destination: &mut (impl ArgMut + ?Sized)) -> Result<()> {
    // SAFETY: between() lends two handles, or NULL, and a valid slot for the call.
    between("copy_into", source, destination, |from, to, error| unsafe {
        ffi::dlf_copy_into(from, to, error)
    })
}
