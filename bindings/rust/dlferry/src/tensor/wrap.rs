// SPDX-License-Identifier: Apache-2.0
//! Handles around existing memory.

use crate::error::{call, Error, Result};
use crate::tensor::Memory;
use crate::{ffi, DType, Device, Element, ErrorKind, Tensor};
use std::ffi::{c_void, CStr};
use std::mem::{ManuallyDrop, MaybeUninit};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::ptr::{null, null_mut, NonNull};
use std::sync::Arc;

impl Tensor {
    /// Make a tensor around the slice of an owner: a `Vec`, a boxed slice, an array, any `AsMut<[T]>`. Takes the owner
    /// and drops it with the last reference to the tensor, on that thread. The order is row-major.
    ///
    /// ```
    /// let t = dlferry::Tensor::wrap(vec![1i32, 2, 3, 4, 5, 6], &[2, 3])?;
    /// assert_eq!(t.elements::<i32>()?.at([1, 0]), 4);
    /// # Ok::<(), dlferry::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Shape`](ErrorKind::Shape) unless the shape needs exactly the elements of the slice, and those of
    /// [`Tensor::create`]. On failure the owner is dropped.
    #[doc(alias = "dlf_wrap", alias = "dlf_check_window")]
    pub fn wrap<T: Element, O: AsMut<[T]> + Send + 'static>(owner: O, shape: &[i64]) -> Result<Tensor> {
        Kept::new(owner).wrap::<T>(|o| raw_parts_mut(o.as_mut()), shape, None, 0)
    }

    /// Make a tensor around some elements of an owner's slice, from element `start`, with strides in elements.
    /// Otherwise like [`Tensor::wrap`].
    ///
    /// ```
    /// // A window of 2 x 3 in a picture four pixels wide, upside down.
    /// let t = dlferry::Tensor::wrap_strided(vec![0u8, 1, 2, 3, 4, 5, 6, 7], 4, &[2, 3], &[-4, 1])?;
    /// assert_eq!(t.elements::<u8>()?.to_vec(), [4, 5, 6, 0, 1, 2]);
    /// # Ok::<(), dlferry::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Bounds`](ErrorKind::Bounds) if an element would lie outside the slice, and those of [`Tensor::create`]. On
    /// failure the owner is dropped.
    #[doc(alias = "dlf_wrap", alias = "dlf_check_window")]
    pub fn wrap_strided<T: Element, O: AsMut<[T]> + Send + 'static>(
        owner: O,
        start: usize,
        shape: &[i64],
        strides: &[i64],
    ) -> Result<Tensor> {
        Kept::new(owner).wrap::<T>(|o| raw_parts_mut(o.as_mut()), shape, Some((start, strides)), 0)
    }

    /// Make a tensor around the slice of an owner that allows only reads, such as an `Arc<[T]>` or a `&'static [T]`.
    /// Otherwise like [`Tensor::wrap`].
    ///
    /// # Errors
    /// Those of [`Tensor::wrap`].
    #[doc(alias = "dlf_wrap")]
    pub fn wrap_read_only<T: Element, O: AsRef<[T]> + Send + 'static>(owner: O, shape: &[i64]) -> Result<Tensor> {
        Kept::new(owner).wrap::<T>(|o| raw_parts((*o).as_ref()), shape, None, crate::flags::READ_ONLY)
    }

    /// Make a tensor around any memory, also of another device. Takes the owner and drops it with the last reference to
    /// the tensor, on that thread.
    ///
    /// # Safety
    /// `data` and strides must describe elements that stay valid as long as the owner. Other code may use them, but not
    /// write them in another thread at the time of a call that reads them here. Without
    /// [`READ_ONLY`](crate::flags::READ_ONLY) they must be writable, and no code may rely on them not to change.
    ///
    /// # Errors
    /// [`Invalid`](ErrorKind::Invalid), [`Overflow`](ErrorKind::Overflow), [`Dtype`](ErrorKind::Dtype),
    /// [`Device`](ErrorKind::Device) or [`NoMemory`](ErrorKind::NoMemory). On failure the owner is dropped.
    #[doc(alias = "dlf_wrap")]
    pub unsafe fn wrap_raw<O: Send + 'static>(
        data: *mut c_void,
        dtype: DType,
        shape: &[i64],
        strides: Option<&[i64]>,
        device: Device,
        flags: u64,
        owner: O,
    ) -> Result<Tensor> {
        let kept = Kept::new(owner);
        let described = describe("wrap", data, dtype, shape, strides, device)?;
        // SAFETY: the caller promises the memory.
        unsafe { kept.keep(Memory::Foreign, &described, flags) }
    }
}

macro_rules! from {
    ($($(#[$doc:meta])* $owner:ty, $flags:expr, $data:expr;)*) => {$(
        $(#[$doc])*
        impl<T: Element> From<$owner> for Tensor {
            /// # Panics
            /// If there is no memory for a handle, like `Vec`.
            #[doc(alias = "dlf_wrap_small")]
            #[inline]
            fn from(mut owner: $owner) -> Tensor {
                let data: fn(&mut $owner) -> *mut T = $data;
                let (data, length) = (data(&mut owner), owner.len());
                // SAFETY: describes the owner's own elements, which stay where they are when it moves and which no other
                // code writes.
                unsafe { keep_small(owner, data, length, $flags) }
            }
        }
    )*};
}

/// Hand an owner of a few words to the hub, which keeps it in the handle.
///
/// # Safety
/// data and length describe elements that the owner keeps valid wherever it is.
#[inline]
unsafe fn keep_small<T: Element, O: Send>(owner: O, data: *mut T, length: usize, flags: u64) -> Tensor {
    const { assert!(size_of::<O>() <= 64 && size_of::<O>() % 8 == 0 && align_of::<O>() == 8) };
    let (owner, mut extents) = (ManuallyDrop::new(owner), [length as i64, 1]);
    let (shape, strides) = extents.split_at_mut(1);
    let described = ffi::DLTensor {
        data: data.cast(),
        device: Device::CPU.raw(),
        ndim: 1,
        dtype: T::DTYPE.raw(),
        shape: shape.as_mut_ptr(),
        strides: strides.as_mut_ptr(),
        byte_offset: 0,
    };
    let place = std::ptr::from_ref(&owner).cast();
    // SAFETY: the caller promises the elements. Success moves the owner, whose destructor then runs once.
    let made = unsafe {
        Tensor::make(Memory::Own, |out, error| {
            let release = Some(release_small::<O> as unsafe extern "C" fn(*mut c_void));
            ffi::dlf_wrap_small(
                &raw const described,
                flags | T::FLAGS,
                place,
                size_of::<O>() as i64,
                release,
                out,
                error,
            )
        })
    };
    made.expect("a length and an address of Rust are sound, and there is memory")
}

/// Drop an owner in its handle, with the last reference; it runs no code of the elements, which are Copy.
unsafe extern "C" fn release_small<O>(owner: *mut c_void) {
    // SAFETY: keep_small() moved an owner of this type there, and the hub calls this once.
    unsafe { owner.cast::<O>().drop_in_place() }
}

from! {
    /// A tensor of one dimension around the vector's own memory.
    Vec<T>, 0, Vec::as_mut_ptr;
    /// A read-only tensor of one dimension around the shared elements.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// let shared: Arc<[f32]> = Arc::from([1.0, 2.0]);
    /// let t = dlferry::Tensor::from(shared.clone());
    /// assert!(t.is_read_only() && t.data() == shared.as_ptr().cast());
    /// ```
    Arc<[T]>, crate::flags::READ_ONLY, |shared| shared.as_ptr().cast_mut();
}

/// A tensor of one dimension around the box.
impl<T: Element> From<Box<[T]>> for Tensor {
    /// # Panics
    /// If there is no memory for a handle, like `Vec`.
    fn from(boxed: Box<[T]>) -> Tensor {
        boxed.into_vec().into() // a box that moves would invalidate its address
    }
}

/// An owner in a fixed place until the last reference is dropped. It is boxed first, since moving it may move its
/// slice.
pub(crate) struct Kept<O>(NonNull<O>);

impl<O: Send + 'static> Kept<O> {
    pub(crate) fn new(owner: O) -> Kept<O> {
        Kept(NonNull::from(Box::leak(Box::new(owner))))
    }

    /// Borrow the owner once, before it is handed over.
    pub(crate) fn owner(&mut self) -> &'static mut O {
        // SAFETY: the box lives until release, and nothing else touches the owner before that. Drop runs only if the
        // hub has not taken it, and then no pointer into the owner is left.
        unsafe { self.0.as_mut() }
    }

    fn wrap<T: Element>(
        mut self,
        slice: impl FnOnce(&'static mut O) -> (*mut T, usize),
        shape: &[i64],
        strided: Option<(usize, &[i64])>,
        flags: u64,
    ) -> Result<Tensor> {
        let (data, length) = slice(self.owner());
        let (start, strides) = strided.map_or((0, None), |(start, strides)| (start, Some(strides)));
        let tensor = window(c"wrap", data, length, start, shape, strides)?;
        // SAFETY: the check above proved that the elements lie inside the slice.
        unsafe { self.keep(Memory::Own, &tensor, flags | T::FLAGS) }
    }

    /// Hand the owner to the hub; drop it on failure.
    ///
    /// # Safety
    /// t describes elements that the owner keeps valid, in such memory, and lists that are valid for the call.
    pub(crate) unsafe fn keep(self, memory: Memory, t: &ffi::DLTensor, flags: u64) -> Result<Tensor> {
        let owned = self.0.as_ptr().cast();
        // SAFETY: the caller promises it; success takes the owner and will release a box of this type once.
        let tensor = unsafe {
            Tensor::make(memory, |out, error| {
                let release = Some(release::<O> as unsafe extern "C" fn(*mut c_void));
                ffi::dlf_wrap(t, flags, owned, release, out, error)
            })?
        };
        std::mem::forget(self);
        Ok(tensor)
    }
}

impl<O> Drop for Kept<O> {
    fn drop(&mut self) {
        // SAFETY: made by a box, and not taken by the hub.
        drop(unsafe { Box::from_raw(self.0.as_ptr()) });
    }
}

/// Drop an owner with the last reference to its tensor, on that thread. The caller is C: a panic in the owner's
/// destructor ends here. Dropping its payload may panic too, and its remains are leaked.
unsafe extern "C" fn release<O>(owner: *mut c_void) {
    // SAFETY: keep() handed over a box of this type, and the hub calls this once.
    let dropped = catch_unwind(AssertUnwindSafe(|| drop(unsafe { Box::from_raw(owner.cast::<O>()) })));
    if let Err(payload) = dropped {
        let dropped = catch_unwind(AssertUnwindSafe(|| drop(payload)));
        dropped.unwrap_or_else(std::mem::forget);
    }
}

fn raw_parts_mut<T>(slice: &'static mut [T]) -> (*mut T, usize) {
    (slice.as_mut_ptr(), slice.len())
}

fn raw_parts<T>(slice: &'static [T]) -> (*mut T, usize) {
    (slice.as_ptr().cast_mut(), slice.len())
}

/// Describe elements of a slice, from element `start`; without strides they must fill it. Valid as long as the lists.
pub(crate) fn window<T: Element>(
    name: &CStr,
    data: *mut T,
    length: usize,
    start: usize,
    shape: &[i64],
    strides: Option<&[i64]>,
) -> Result<ffi::DLTensor> {
    let window = ffi::dlf_window {
        size: size_of::<ffi::dlf_window>() as i64,
        memory: data.cast(),
        bytes: (length * size_of::<T>()) as i64, // no slice is larger
        dtype: T::DTYPE.raw(),
        whole: strides.is_none(),
        start: i64::try_from(start).unwrap_or(i64::MAX), // outside of every slice
        ndim: shape.len() as i64,
        shape: shape.as_ptr(),
        stride_count: strides.map_or(0, |strides| strides.len() as i64),
        strides: strides.map_or(null(), <[i64]>::as_ptr),
        flags: T::FLAGS,
    };
    let mut tensor = MaybeUninit::uninit();
    // SAFETY: the window holds lists of these lengths; tensor and error are valid slots.
    call(|error| unsafe { ffi::dlf_check_window(name.as_ptr(), &raw const window, tensor.as_mut_ptr(), error) })?;
    // SAFETY: the call succeeded and filled it.
    Ok(unsafe { tensor.assume_init() })
}

/// The length of a shape; DLPack counts dimensions in 32 bits.
fn ndim_of(name: &str, shape: &[i64]) -> Result<i32> {
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

/// The C structure of the caller's description, valid as long as the two lists.
fn describe(
    name: &str,
    data: *mut c_void,
    dtype: DType,
    shape: &[i64],
    strides: Option<&[i64]>,
    device: Device,
) -> Result<ffi::DLTensor> {
    let ndim = ndim_of(name, shape)?;
    if let Some(strides) = strides.filter(|strides| strides.len() != shape.len()) {
        let text = format!("{name}: expected {} strides, got {}", shape.len(), strides.len());
        return Err(Error::new(ErrorKind::Invalid, text));
    }
    Ok(ffi::DLTensor {
        data,
        device: device.raw(),
        ndim,
        dtype: dtype.raw(),
        shape: shape.as_ptr().cast_mut(),
        strides: strides.map_or(null_mut(), |strides| strides.as_ptr().cast_mut()),
        byte_offset: 0,
    })
}

#[cfg(test)]
mod tests;
