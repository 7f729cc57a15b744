// SPDX-License-Identifier: Apache-2.0
//! The handle: creation, properties, release.

mod access;
mod check;
mod held;
mod layout;
mod lend;
mod of;
mod wrap;

use crate::error::{call, Error, Result};
use crate::{ffi, DType, Device, ErrorKind};
use std::ffi::c_void;
use std::marker::PhantomData;
use std::ptr::{null_mut, NonNull};

pub(crate) use access::Access;
pub use check::CheckLevel;
pub(crate) use held::{between, Held};
pub use layout::{compact_strides, Order};
pub use lend::{Arg, ArgMut, AssumeAlone, Lent, Row, Slot};
pub use of::{of, of_mut, of_strided, of_strided_mut, Of, OfMut};
#[cfg(feature = "ndarray")]
pub(crate) use wrap::Kept;

/// A tensor: its description, its elements and their owner.
///
/// `&Tensor` reads the elements, by value. Views, exports and other handles may share them. References to elements,
/// and writing them, need memory that Rust allocated and that nothing else refers to: the hub counts, and
/// [`elements_mut`](Tensor::elements_mut) and [`as_slice`](crate::Elements::as_slice) ask it. The compiler guarantees
/// the rest: while they borrow the only tensor, no other can come into being that writes.
///
/// An import is `unsafe`: there the program promises that the other side and this one do not race.
#[doc(alias = "dlf_tensor")]
pub struct Tensor {
    handle: NonNull<ffi::dlf_tensor>,
    /// Lent by handle: valid and unchanged as long as it lives.
    dl: NonNull<ffi::DLTensor>,
    flags: u64, // the handle's, which never change
    memory: Memory,
    /// The elements may be written through `&mut Tensor` and belong to the owner that came with them.
    _owns: PhantomData<*mut c_void>,
}

/// The owner of the elements' memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Memory {
    /// Rust allocated it, or C did for this program alone: only handles of the hub, and exports, reach it.
    Own,
    /// Another runtime's, which may use it at any time. Rust only reads it, by value.
    Foreign,
}

// SAFETY: every function of the hub may be called from any thread, and the reference count is atomic. wrap() requires
// Send owners; from_dlpack() demands a deleter that may run on any thread. Elements are Send.
unsafe impl Send for Tensor {}
// SAFETY: `&Tensor` only gives reads of elements, which are Sync, and of a description that never changes, views and
// exports, which touch only the atomic count. The owner is not reachable through it. A handle that shares elements does
// not write them: see ElementsMut, and ArgMut for Tensor.
unsafe impl Sync for Tensor {}

impl Tensor {
    /// Collect the handle that a C function makes.
    ///
    /// # Safety
    /// On success the function has given a handle of this copy of the hub, on elements in such memory.
    #[inline]
    pub(crate) unsafe fn make(
        memory: Memory,
        function: impl FnOnce(*mut *mut ffi::dlf_tensor, *mut ffi::dlf_error) -> ffi::dlf_status,
    ) -> Result<Tensor> {
        let mut out = null_mut();
        call(|error| function(&raw mut out, error))?;
        // SAFETY: success gives a handle, and a handle lends its DLTensor.
        unsafe {
            let handle = NonNull::new_unchecked(out);
            let dl = NonNull::new_unchecked(ffi::dlf_dltensor(out).cast_mut());
            Ok(Tensor {
                handle,
                dl,
                flags: ffi::dlf_flags(out),
                memory,
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
    /// assert_eq!(t.elements::<f32>()?.as_slice()?, [0.0, 0.0, 0.0, 0.0, 0.0, 7.0]);
    /// # Ok::<(), dlferry::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NoMemory`](ErrorKind::NoMemory), [`Invalid`](ErrorKind::Invalid), [`Overflow`](ErrorKind::Overflow) or
    /// [`Dtype`](ErrorKind::Dtype).
    #[doc(alias = "dlf_create")]
    pub fn create(dtype: DType, shape: &[i64]) -> Result<Tensor> {
        // SAFETY: shape has that many extents; make() hands out valid slots.
        unsafe {
            Tensor::make(Memory::Own, |out, error| {
                ffi::dlf_create(
                    dtype.raw(),
                    shape.len() as i64,
                    shape.as_ptr(),
                    Device::CPU.raw(),
                    out,
                    error,
                )
            })
        }
    }

    /// Return the C structure, which is valid while the tensor lives.
    ///
    /// ```
    /// let t = dlferry::Tensor::from(vec![1i32, 2]);
    /// assert_eq!(t.dltensor().ndim, 1); // &DLTensor, for a function of C
    /// ```
    #[doc(alias = "dlf_dltensor")]
    #[inline]
    #[must_use]
    pub fn dltensor(&self) -> &ffi::DLTensor {
        // SAFETY: lent by the handle, which self keeps; the hub never changes it.
        unsafe { self.dl.as_ref() }
    }

    /// Return the handle, which is valid while the tensor lives.
    #[inline]
    pub(crate) fn raw(&self) -> *mut ffi::dlf_tensor {
        self.handle.as_ptr()
    }

    #[inline]
    pub(crate) fn memory(&self) -> Memory {
        self.memory
    }

    #[inline]
    pub(crate) fn set_memory(&mut self, memory: Memory) {
        self.memory = memory;
    }

    /// Count memory of another runtime as Rust's from now on: elements may be borrowed, and functions may write them.
    ///
    /// ```
    /// use dlferry::Tensor;
    ///
    /// let given = Tensor::from(vec![1.0f32]).into_dlpack()?.into_raw(); // by a producer in any language
    /// // SAFETY: the tensor is valid and ours, and the producer has kept no reference to it.
    /// let mut t = unsafe { Tensor::from_dlpack(given)?.assume_own() };
    /// t.elements_mut::<f32>()?[[0]] = 2.0;
    /// # Ok::<(), dlferry::Error>(())
    /// ```
    ///
    /// # Safety
    /// From now on the elements are used only through this tensor and what is made from it, in any thread or language.
    #[must_use]
    pub unsafe fn assume_own(mut self) -> Tensor {
        self.memory = Memory::Own;
        self
    }

    /// Count Rust's memory as another runtime's from now on, for good. Then views of it may be given to Python, while
    /// Rust goes on to read the elements by value.
    ///
    /// ```
    /// let t = dlferry::Tensor::from(vec![1.0f32, 2.0]).into_foreign()?;
    /// assert_eq!(t.elements::<f32>()?.to_vec(), [1.0, 2.0]);
    /// assert!(t.elements::<f32>()?.as_slice().is_err());
    /// # Ok::<(), dlferry::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Invalid`](ErrorKind::Invalid) if a view, an export or another handle shares the elements, unless they are
    /// read-only.
    pub fn into_foreign(self) -> Result<Tensor> {
        self.given_away("into_foreign")
    }

    /// Nothing in Rust lends references to elements that others may write from now on: a slice borrows a tensor.
    pub(crate) fn given_away(mut self, name: &str) -> Result<Tensor> {
        if self.memory == Memory::Own && !self.is_read_only() && !self.is_unique() {
            let text = format!(
                "{name}: expected a tensor that no view, export or other handle shares, since others may write it; pass \
                 a copy, or call into_foreign before sharing it"
            );
            return Err(Error::new(ErrorKind::Invalid, text));
        }
        self.memory = Memory::Foreign;
        Ok(self)
    }

    /// Who may use the elements beside this tensor.
    #[inline]
    pub(crate) fn access(&self) -> Access {
        match self.memory {
            Memory::Own => Access::Counted(self.handle),
            Memory::Foreign => Access::Foreign,
        }
    }

    /// Return the extents.
    #[inline]
    #[must_use]
    pub fn shape(&self) -> &[i64] {
        // SAFETY: the hub keeps ndim extents behind this pointer.
        unsafe { list(self.dltensor().shape, self.ndim()) }
    }

    /// Return the distances between neighbours along each axis, in elements.
    #[inline]
    #[must_use]
    pub fn strides(&self) -> &[i64] {
        // SAFETY: the hub keeps ndim strides behind this pointer, never NULL.
        unsafe { list(self.dltensor().strides, self.ndim()) }
    }

    /// Return the number of dimensions.
    #[inline]
    #[must_use]
    pub fn ndim(&self) -> usize {
        self.dltensor().ndim as usize
    }

    /// Return the dtype.
    #[inline]
    #[must_use]
    pub fn dtype(&self) -> DType {
        self.dltensor().dtype.into()
    }

    /// Return the device.
    #[inline]
    #[must_use]
    pub fn device(&self) -> Device {
        self.dltensor().device.into()
    }

    /// Return the flags, of those in [`flags`](crate::flags).
    #[doc(alias = "dlf_flags")]
    #[inline]
    #[must_use]
    pub fn flags(&self) -> u64 {
        self.flags
    }

    /// Tell whether the elements must not be written.
    #[inline]
    #[must_use]
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
    #[must_use]
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
    #[must_use]
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
    #[must_use]
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

    /// Return the address of the first element; on another device it may be a handle.
    #[doc(alias = "dlf_data")]
    #[must_use]
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
