// SPDX-License-Identifier: Apache-2.0
//! The handle: creation, properties, release.

use crate::error::{call, Error, Result};
use crate::{ffi, DType, Device, ErrorKind};
use std::ffi::c_void;
use std::marker::PhantomData;
use std::ptr::{null_mut, NonNull};

/// A tensor: its description, its elements and their owner.
///
/// A `Tensor` owns its elements like a `Vec`: `&Tensor` reads them, `&mut Tensor` also writes them if they are not
/// [read-only](Tensor::is_read_only). It is not `Clone`; share it through an `Arc`, or [copy](Tensor::copy) it. An
/// export is an alias for foreign code; importing an alias is `unsafe`, and there the program promises that both sides
/// keep Rust's rule of one writer or many readers.
///
/// A tensor that shares its memory only through safe functions cannot break that rule.
#[doc(alias = "dlf_tensor")]
pub struct Tensor {
    handle: NonNull<ffi::dlf_tensor>,
    /// Lent by handle: valid and unchanged as long as it lives.
    dl: NonNull<ffi::DLTensor>,
    /// The elements may be written through `&mut Tensor` and belong to the owner that came with them.
    _owns: PhantomData<*mut c_void>,
}

// SAFETY: every function of the hub may be called from any thread, and the reference count is atomic. wrap() requires
// Send owners; from_dlpack() demands a deleter that may run on any thread. Elements are Send.
unsafe impl Send for Tensor {}
// SAFETY: `&Tensor` only gives reads of elements, which are Sync, and of a description that never changes, and exports,
// which touch only the atomic count. The owner is not reachable through it.
unsafe impl Sync for Tensor {}

impl Tensor {
    /// Collect the handle that a C function makes.
    ///
    /// # Safety
    /// On success the function has given a handle of this copy of the hub.
    #[inline]
    pub(crate) unsafe fn make(
        function: impl FnOnce(*mut *mut ffi::dlf_tensor, *mut ffi::dlf_error) -> ffi::dlf_status,
    ) -> Result<Tensor> {
        let mut out = null_mut();
        call(|error| function(&mut out, error))?;
        // SAFETY: success gives a handle, and a handle lends its DLTensor.
        unsafe {
            let handle = NonNull::new_unchecked(out);
            let dl = NonNull::new_unchecked(ffi::dlf_dltensor(out).cast_mut());
            Ok(Tensor {
                handle,
                dl,
                _owns: PhantomData,
            })
        }
    }

    /// Allocate a tensor: row-major, aligned to 256 bytes, its elements zero.
    ///
    /// ```
    /// use dlferry::{DType, Tensor};
    /// let mut t = Tensor::create(DType::F32, &[2, 3])?;
    /// t.elements_mut::<f32>()?[[1, 2]] = 7.0;
    /// assert_eq!(t.elements::<f32>()?.as_slice(), Some(&[0.0, 0.0, 0.0, 0.0, 0.0, 7.0][..]));
    /// # Ok::<(), dlferry::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NoMemory`](ErrorKind::NoMemory), [`Invalid`](ErrorKind::Invalid), [`Overflow`](ErrorKind::Overflow) or
    /// [`Dtype`](ErrorKind::Dtype).
    #[doc(alias = "dlf_create")]
    pub fn create(dtype: DType, shape: &[i64]) -> Result<Tensor> {
        let ndim = ndim_of("create", shape)?;
        // SAFETY: shape has ndim extents; make() hands out valid slots.
        unsafe {
            Tensor::make(|out, error| ffi::dlf_create(dtype.raw(), ndim, shape.as_ptr(), Device::CPU.raw(), out, error))
        }
    }

    /// Return the C structure, lent as long as the tensor.
    #[doc(alias = "dlf_dltensor")]
    #[inline]
    pub fn dltensor(&self) -> &ffi::DLTensor {
        // SAFETY: lent by the handle, which self keeps; the hub never changes it.
        unsafe { self.dl.as_ref() }
    }

    /// Return the handle, lent as long as the tensor.
    #[inline]
    pub(crate) fn raw(&self) -> *mut ffi::dlf_tensor {
        self.handle.as_ptr()
    }

    /// Return the extents.
    #[inline]
    pub fn shape(&self) -> &[i64] {
        // SAFETY: the hub keeps ndim extents behind this pointer.
        unsafe { list(self.dltensor().shape, self.ndim()) }
    }

    /// Return the distances between neighbours along each axis, in elements.
    #[inline]
    pub fn strides(&self) -> &[i64] {
        // SAFETY: the hub keeps ndim strides behind this pointer, never NULL.
        unsafe { list(self.dltensor().strides, self.ndim()) }
    }

    /// Return the number of dimensions.
    #[inline]
    pub fn ndim(&self) -> usize {
        self.dltensor().ndim as usize
    }

    /// Return the dtype.
    #[inline]
    pub fn dtype(&self) -> DType {
        self.dltensor().dtype.into()
    }

    /// Return the device.
    #[inline]
    pub fn device(&self) -> Device {
        self.dltensor().device.into()
    }

    /// Return the flags, of those in [`flags`](crate::flags).
    #[doc(alias = "dlf_flags")]
    #[inline]
    pub fn flags(&self) -> u64 {
        // SAFETY: the handle is alive.
        unsafe { ffi::dlf_flags(self.raw()) }
    }

    /// Tell whether the elements must not be written.
    #[inline]
    pub fn is_read_only(&self) -> bool {
        self.flags() & crate::flags::READ_ONLY != 0
    }

    /// Tell whether no other reference, view or export of the elements exists. Users that the hub does not know, such as
    /// the producer of an import, do not count.
    ///
    /// ```
    /// let t = dlferry::Tensor::from(vec![1i32, 2, 3]);
    /// let view = t.slice(0, 1, 2, 1)?;
    /// assert!(!t.is_unique() && !view.is_unique());
    /// drop(t);
    /// assert!(view.is_unique());
    /// # Ok::<(), dlferry::Error>(())
    /// ```
    #[doc(alias = "dlf_is_unique")]
    #[inline]
    pub fn is_unique(&self) -> bool {
        // SAFETY: the handle is alive.
        unsafe { ffi::dlf_is_unique(self.raw()) }
    }

    /// Return the DLPack version of the structure that was imported, major and minor: (0, 8) for a legacy one, and for a
    /// tensor of the hub's own the one that it implements.
    ///
    /// ```
    /// assert_eq!(dlferry::Tensor::from(vec![1i32, 2]).dlpack_version(), (1, 3));
    /// ```
    #[doc(alias = "dlf_dlpack_version")]
    pub fn dlpack_version(&self) -> (u32, u32) {
        // SAFETY: the handle is alive.
        let version = unsafe { ffi::dlf_dlpack_version(self.raw()) };
        (version.major, version.minor)
    }

    /// Count the bytes that are freed with this handle now: its own, and those of elements that the hub allocated or
    /// that came with [`IS_COPIED`](crate::flags::IS_COPIED), if nothing else refers to them.
    ///
    /// ```
    /// let t = dlferry::Tensor::create(dlferry::DType::F64, &[1000])?;
    /// assert!(t.held_bytes() > 8000);
    /// # Ok::<(), dlferry::Error>(())
    /// ```
    #[doc(alias = "dlf_held_bytes")]
    pub fn held_bytes(&self) -> usize {
        // SAFETY: the handle is alive.
        unsafe { ffi::dlf_held_bytes(self.raw()) as usize }
    }

    /// Return the tensor with its flags, as C functions take it, valid as long as this.
    #[inline]
    pub(crate) fn arg(&self) -> ffi::dlf_arg {
        ffi::dlf_arg {
            tensor: self.dltensor(),
            flags: self.flags(),
        }
    }

    /// Return the distance from the structure's data pointer to the first element, in bytes.
    pub fn byte_offset(&self) -> u64 {
        self.dltensor().byte_offset
    }

    /// Return the address of the first element; on another device it may be a handle.
    #[doc(alias = "dlf_data")]
    pub fn data(&self) -> *const c_void {
        // SAFETY: the tensor is alive.
        unsafe { ffi::dlf_data(self.dltensor()) }
    }
}

/// Drop a reference; the last one releases the owner.
impl Drop for Tensor {
    #[doc(alias = "dlf_release")]
    #[inline]
    fn drop(&mut self) {
        // SAFETY: this reference is dropped once.
        unsafe { ffi::dlf_release(self.raw()) }
    }
}

/// The length of a shape; C counts dimensions in 32 bits.
pub(crate) fn ndim_of(name: &str, shape: &[i64]) -> Result<i32> {
    i32::try_from(shape.len())
        .ok()
        .filter(|&n| n <= ffi::DLF_MAX_NDIM as i32)
        .ok_or_else(|| {
            let text = format!(
                "{name}: expected ndim between 0 and {}, got {}",
                ffi::DLF_MAX_NDIM,
                shape.len()
            );
            Error::new(ErrorKind::Invalid, text)
        })
}

/// # Safety
/// pointer leads to length values that live for 'a, unless length is 0.
#[inline]
pub(crate) unsafe fn list<'a>(pointer: *const i64, length: usize) -> &'a [i64] {
    match length {
        0 => &[],
        // SAFETY: the caller promises it.
        _ => unsafe { std::slice::from_raw_parts(pointer, length) },
    }
}
