// SPDX-License-Identifier: Apache-2.0
//! Import and export through DLPack.

mod copy;
mod dlpack;
mod export;

use crate::error::Result;
use crate::tensor::Memory;
use crate::{ffi, Device, Element, Tensor};
use std::mem::ManuallyDrop;
use std::ptr::{null_mut, NonNull};
use std::sync::Arc;

pub use copy::{copy_into, CopyMode};
pub use dlpack::{FromDlpack, ToDlpack};
pub use export::{ExportOptions, Exported};

macro_rules! managed {
    ($(#[$doc:meta])* $name:ident, $raw:ident, $release:ident) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $name(NonNull<ffi::$raw>);

        // SAFETY: the specification lets a deleter run on any thread, and nothing else is reachable safely.
        unsafe impl Send for $name {}
        // SAFETY: `&self` gives nothing but an address.
        unsafe impl Sync for $name {}

        impl $name {
            /// Own a managed tensor; `None` for NULL.
            ///
            /// # Safety
            /// It is valid, no other code releases it, and its deleter may run on any thread.
            pub unsafe fn from_raw(owned: *mut ffi::$raw) -> Option<Self> {
                NonNull::new(owned).map(Self)
            }

            /// Return the address, for reading only.
            pub fn as_ptr(&self) -> *const ffi::$raw {
                self.0.as_ptr()
            }

            /// Give the tensor away: the receiver must call its deleter once.
            pub fn into_raw(self) -> *mut ffi::$raw {
                ManuallyDrop::new(self).0.as_ptr()
            }
        }

        /// Call the deleter.
        impl Drop for $name {
            fn drop(&mut self) {
                // SAFETY: owned, and dropped once.
                unsafe { ffi::$release(self.0.as_ptr()) }
            }
        }
    };
}

managed! {
    /// A managed tensor of DLPack 1.x on its way to a consumer. Dropping it calls its deleter.
    #[doc(alias = "DLManagedTensorVersioned", alias = "dlf_dlpack_release")]
    ManagedTensor, DLManagedTensorVersioned, dlf_dlpack_release
}
managed! {
    /// A managed tensor of DLPack 0.8 and before on its way to a consumer. Dropping it calls its deleter.
    #[doc(alias = "DLManagedTensor", alias = "dlf_dlpack_release_legacy")]
    ManagedTensorLegacy, DLManagedTensor, dlf_dlpack_release_legacy
}

/// A managed tensor of one dimension around an owner's own memory, in one allocation.
#[repr(C)]
struct ManagedOwner<O> {
    managed: ffi::DLManagedTensorVersioned, // first: consumers get the address of the whole
    extents: [i64; 2],
    _owner: O,
}

/// Give a vector away without a [`Tensor`].
impl<T: Element> From<Vec<T>> for ManagedTensor {
    fn from(mut vector: Vec<T>) -> ManagedTensor {
        let (data, length) = (vector.as_mut_ptr(), vector.len());
        export(data, length, 0, vector)
    }
}

/// Give a boxed slice away without a [`Tensor`].
impl<T: Element> From<Box<[T]>> for ManagedTensor {
    fn from(boxed: Box<[T]>) -> ManagedTensor {
        boxed.into_vec().into() // a box that moves would invalidate its address
    }
}

/// Share a slice without a [`Tensor`], flagged [`READ_ONLY`](crate::flags::READ_ONLY).
impl<T: Element> From<Arc<[T]>> for ManagedTensor {
    fn from(shared: Arc<[T]>) -> ManagedTensor {
        let (data, length) = (shared.as_ptr().cast_mut(), shared.len());
        export(data, length, crate::flags::READ_ONLY, shared)
    }
}

/// The owner keeps the elements where they are when it moves, runs no other code when it is dropped, and may be dropped
/// on any thread.
fn export<T: Element, O: Send>(data: *mut T, length: usize, flags: u64, owner: O) -> ManagedTensor {
    // DLPack 1.3: data is NULL without elements.
    let data = if length == 0 { null_mut() } else { data.cast() };
    let exported = Box::leak(Box::new(ManagedOwner {
        managed: ffi::DLManagedTensorVersioned {
            version: ffi::DLPackVersion {
                major: ffi::DLF_DLPACK_MAJOR,
                minor: ffi::DLF_DLPACK_MINOR,
            },
            manager_ctx: null_mut(),
            deleter: Some(delete::<O>),
            flags: flags | T::FLAGS,
            dl_tensor: ffi::DLTensor {
                data,
                device: Device::CPU.raw(),
                ndim: 1,
                dtype: T::DTYPE.raw(),
                shape: null_mut(),
                strides: null_mut(),
                byte_offset: 0,
            },
        },
        extents: [length as i64, 1],
        _owner: owner,
    }));
    let whole = std::ptr::from_mut(exported);
    // SAFETY: the box stays there until the deleter; the lists and the consumer get its address.
    unsafe {
        let lists = std::ptr::addr_of_mut!((*whole).extents).cast::<i64>();
        (*whole).managed.dl_tensor.shape = lists;
        (*whole).managed.dl_tensor.strides = lists.add(1);
        ManagedTensor(NonNull::new_unchecked(whole.cast()))
    }
}

/// The deleter of [`ManagedOwner`], which runs on any thread.
unsafe extern "C" fn delete<O>(managed: *mut ffi::DLManagedTensorVersioned) {
    // SAFETY: a consumer calls this once, with the address of the box.
    drop(unsafe { Box::from_raw(managed.cast::<ManagedOwner<O>>()) });
}

impl Tensor {
    /// Import a managed tensor, without copying.
    ///
    /// Takes it: the deleter runs once, with the last reference, or here on failure.
    ///
    /// # Safety
    /// `owned` must be NULL or a managed tensor that the caller owns and that describes its memory truthfully: the
    /// elements stay valid until the deleter is called, on any thread, and may be written unless flagged read-only.
    ///
    /// The producer and others may go on to use the elements, which safe functions here read by value and do not write.
    /// But no other thread may write them at the time of a call that reads them here. They may also be given on, as to
    /// Python, which may write them: no code may rely on them not to change, such as a slice of the tensor that was
    /// exported.
    ///
    /// # Errors
    /// [`Version`](crate::ErrorKind::Version) for another major version, [`Invalid`](crate::ErrorKind::Invalid),
    /// [`Overflow`](crate::ErrorKind::Overflow), [`Dtype`](crate::ErrorKind::Dtype),
    /// [`Device`](crate::ErrorKind::Device) or [`NoMemory`](crate::ErrorKind::NoMemory).
    #[doc(alias = "dlf_from_dlpack")]
    #[inline]
    pub unsafe fn from_dlpack(owned: *mut ffi::DLManagedTensorVersioned) -> Result<Tensor> {
        // SAFETY: the caller promises it.
        unsafe { Tensor::import(Memory::Foreign, owned) }
    }

    /// # Safety
    /// Like [`Tensor::from_dlpack`], and the memory is as said.
    #[inline]
    pub(crate) unsafe fn import(memory: Memory, owned: *mut ffi::DLManagedTensorVersioned) -> Result<Tensor> {
        // SAFETY: the caller vouches for owned; make() hands out valid slots.
        let made = unsafe { Tensor::make(memory, |out, error| ffi::dlf_from_dlpack(owned, out, error)) };
        if made.is_err() {
            // SAFETY: a failed import takes nothing. The deleter has the same place in every version.
            unsafe { ffi::dlf_dlpack_release(owned) };
        }
        made
    }

    /// Import a managed tensor of DLPack 0.8 and before, without copying. Otherwise as [`Tensor::from_dlpack`].
    ///
    /// ```
    /// use dlferry::Tensor;
    ///
    /// let owned = Tensor::from(vec![1i32, 2]).to_dlpack_legacy()?;
    /// // SAFETY: the export is ours, describes its memory truthfully, and nothing else takes it.
    /// let back = unsafe { Tensor::from_dlpack_legacy(owned.into_raw()) }?;
    /// assert_eq!(back.describe(), "int32[2] cpu");
    /// # Ok::<(), dlferry::Error>(())
    /// ```
    ///
    /// # Safety
    /// See [`Tensor::from_dlpack`]. The structure cannot say read-only.
    ///
    /// # Errors
    /// Those of [`Tensor::from_dlpack`] except [`Version`](crate::ErrorKind::Version).
    #[doc(alias = "dlf_from_dlpack_legacy")]
    pub unsafe fn from_dlpack_legacy(owned: *mut ffi::DLManagedTensor) -> Result<Tensor> {
        // SAFETY: the caller vouches for owned; make() hands out valid slots.
        let made = unsafe {
            Tensor::make(Memory::Foreign, |out, error| {
                ffi::dlf_from_dlpack_legacy(owned, out, error)
            })
        };
        if made.is_err() {
            // SAFETY: a failed import takes nothing.
            unsafe { ffi::dlf_dlpack_release_legacy(owned) };
        }
        made
    }

    /// Export the tensor without copying.
    ///
    /// The export keeps the elements alive until its deleter runs, on any thread. Until then they are read by value here.
    /// Code that gives the export to a consumer that writes must ensure that no [slice](crate::Elements::as_slice) of the
    /// elements is in use, and that no other thread uses the elements at the same time.
    ///
    /// # Errors
    /// [`NoMemory`](crate::ErrorKind::NoMemory).
    #[doc(alias = "dlf_to_dlpack")]
    #[inline]
    pub fn to_dlpack(&self) -> Result<ManagedTensor> {
        let mut out = null_mut();
        // SAFETY: self is alive for the call; out and error are valid slots; success gives a managed tensor.
        crate::error::call(|error| unsafe { ffi::dlf_to_dlpack(self.raw(), &raw mut out, error) })?;
        // SAFETY: given by the call above.
        Ok(ManagedTensor(unsafe { NonNull::new_unchecked(out) }))
    }

    /// Export the tensor without copying, and give it up: [`Tensor::to_dlpack`] and a drop without counting.
    ///
    /// ```
    /// let exported = dlferry::Tensor::from(vec![1i32, 2]).into_dlpack()?;
    /// // SAFETY: nothing else uses the elements.
    /// assert_eq!(unsafe { dlferry::Tensor::from_dlpack(exported.into_raw())? }.shape(), [2]);
    /// # Ok::<(), dlferry::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NoMemory`](crate::ErrorKind::NoMemory).
    #[doc(alias = "dlf_to_dlpack")]
    #[inline]
    pub fn into_dlpack(self) -> Result<ManagedTensor> {
        let mut out = null_mut();
        // SAFETY: self is alive; out and error are valid slots; success gives a managed tensor, which takes the handle.
        crate::error::call(|error| unsafe { ffi::dlf_into_dlpack(self.raw(), &raw mut out, error) })?;
        std::mem::forget(self);
        // SAFETY: given by the call above.
        Ok(ManagedTensor(unsafe { NonNull::new_unchecked(out) }))
    }

    /// Export the tensor without copying to a consumer of DLPack 0.8 and before.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// let read_only = dlferry::Tensor::from(Arc::<[i32]>::from([1, 2]));
    /// let error = read_only.to_dlpack_legacy().unwrap_err(); // that structure cannot say read-only
    /// assert_eq!(error.kind(), dlferry::ErrorKind::ReadOnly);
    /// ```
    ///
    /// # Errors
    /// [`ReadOnly`](crate::ErrorKind::ReadOnly), since that structure cannot say so,
    /// [`Unsupported`](crate::ErrorKind::Unsupported) for padded sub-byte elements, or
    /// [`NoMemory`](crate::ErrorKind::NoMemory).
    #[doc(alias = "dlf_to_dlpack_legacy")]
    pub fn to_dlpack_legacy(&self) -> Result<ManagedTensorLegacy> {
        let mut out = null_mut();
        // SAFETY: as in to_dlpack().
        crate::error::call(|error| unsafe { ffi::dlf_to_dlpack_legacy(self.raw(), &raw mut out, error) })?;
        // SAFETY: given by the call above.
        Ok(ManagedTensorLegacy(unsafe { NonNull::new_unchecked(out) }))
    }

    /// Export a copy with the consumer as its only owner: row-major, flagged [`IS_COPIED`](crate::flags::IS_COPIED).
    ///
    /// ```
    /// use dlferry::Tensor;
    ///
    /// let t = Tensor::from(vec![1i32, 2]);
    /// let copied = t.to_dlpack_copy()?;
    /// assert!(t.is_unique()); // the export does not keep it
    /// # drop(copied);
    /// # Ok::<(), dlferry::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::copy`].
    #[doc(alias = "dlf_to_dlpack_copy")]
    pub fn to_dlpack_copy(&self) -> Result<ManagedTensor> {
        let mut out = null_mut();
        // SAFETY: as in to_dlpack().
        crate::error::call(|error| unsafe { ffi::dlf_to_dlpack_copy(self.raw(), &raw mut out, error) })?;
        // SAFETY: given by the call above.
        Ok(ManagedTensor(unsafe { NonNull::new_unchecked(out) }))
    }
}
