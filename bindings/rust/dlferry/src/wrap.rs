// SPDX-License-Identifier: Apache-2.0
//! Handles around memory that somebody owns.

use crate::dtype::c_name;
use crate::error::{call, Error, Result};
use crate::tensor::ndim_of;
use crate::{ffi, DType, Device, Element, ErrorKind, ManagedTensor, Tensor};
use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::ptr::{null, null_mut, NonNull};

impl Tensor {
    /// Put a handle around the slice that an owner holds: a `Vec`, a boxed slice, an array, anything that is
    /// `AsMut<[T]>`. Takes the owner, which is dropped with the last that refers to the tensor, on whatever thread
    /// that is. The order is row-major.
    ///
    /// ```
    /// let t = dlferry::Tensor::wrap(vec![1i32, 2, 3, 4, 5, 6], &[2, 3])?;
    /// assert_eq!(t.view::<i32>()?[[1, 0]], 4);
    /// # Ok::<(), dlferry::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Shape`](ErrorKind::Shape) when the shape does not ask for exactly the elements of the slice, and what
    /// [`Tensor::create`] fails with. The owner is dropped then.
    #[doc(alias = "dlf_wrap", alias = "dlf_check_window")]
    pub fn wrap<T: Element, O: AsMut<[T]> + Send + 'static>(owner: O, shape: &[i64]) -> Result<Tensor> {
        Kept::new(owner).wrap::<T>(|o| from_mut(o.as_mut()), shape, None, 0)
    }

    /// Put a handle around some elements of the slice that an owner holds, from element `start` on and with these
    /// strides, in elements. Otherwise as [`Tensor::wrap`].
    ///
    /// ```
    /// // A window of 2 x 3 in a picture four pixels wide, upside down.
    /// let t = dlferry::Tensor::wrap_strided(vec![0u8, 1, 2, 3, 4, 5, 6, 7], 4, &[2, 3], &[-4, 1])?;
    /// assert_eq!(t.view::<u8>()?.to_vec(), [4, 5, 6, 0, 1, 2]);
    /// # Ok::<(), dlferry::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Bounds`](ErrorKind::Bounds) when an element would lie outside of the slice, and what [`Tensor::create`] fails
    /// with. The owner is dropped then.
    #[doc(alias = "dlf_wrap", alias = "dlf_check_window")]
    pub fn wrap_strided<T: Element, O: AsMut<[T]> + Send + 'static>(
        owner: O,
        start: usize,
        shape: &[i64],
        strides: &[i64],
    ) -> Result<Tensor> {
        Kept::new(owner).wrap::<T>(|o| from_mut(o.as_mut()), shape, Some((start, strides)), 0)
    }

    /// Put a handle around the slice of an owner that only lends it for reading, such as an `Arc<[T]>` or a
    /// `&'static [T]`. Otherwise as [`Tensor::wrap`].
    ///
    /// # Errors
    /// As [`Tensor::wrap`].
    #[doc(alias = "dlf_wrap")]
    pub fn wrap_read_only<T: Element, O: AsRef<[T]> + Send + 'static>(owner: O, shape: &[i64]) -> Result<Tensor> {
        Kept::new(owner).wrap::<T>(|o| from_ref((*o).as_ref()), shape, None, crate::flags::READ_ONLY)
    }

    /// Put a handle around any memory, that of another device included. Takes the owner, which is dropped with the
    /// last that refers to the tensor, on whatever thread that is.
    ///
    /// # Safety
    /// `data` and strides must describe elements that stay valid as long as the owner, and that nothing else writes
    /// while the tensor or what is borrowed of it is read, or touches while it is written. Without
    /// [`READ_ONLY`](crate::flags::READ_ONLY) they must be writable.
    ///
    /// # Errors
    /// [`Invalid`](ErrorKind::Invalid), [`Overflow`](ErrorKind::Overflow), [`Dtype`](ErrorKind::Dtype),
    /// [`Device`](ErrorKind::Device) or [`NoMemory`](ErrorKind::NoMemory). The owner is dropped then.
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
        // SAFETY: the caller vouches for the memory.
        unsafe { kept.keep(&described, flags) }
    }
}

/// A tensor of one dimension around the vector's own memory.
impl<T: Element> From<Vec<T>> for Tensor {
    /// # Panics
    /// When there is no memory for a handle, as `Vec` does.
    #[doc(alias = "dlf_wrap")]
    fn from(vector: Vec<T>) -> Tensor {
        // SAFETY: describes the vector's own elements, which nobody else reaches.
        let made = unsafe { Tensor::from_dlpack(ManagedTensor::from(vector).into_raw()) };
        made.expect("a vector's length and address are sound")
    }
}

/// An owner where it stays until the last reference goes. Boxed first, since moving an owner may move its slice.
struct Kept<O>(NonNull<O>);

impl<O: Send + 'static> Kept<O> {
    fn new(owner: O) -> Kept<O> {
        Kept(NonNull::from(Box::leak(Box::new(owner))))
    }

    /// Look at the owner once, before it is handed over.
    fn owner(&mut self) -> &'static mut O {
        // SAFETY: the box lives until release, and nothing else touches the owner before that: not even this, whose drop
        // comes only when the hub has not taken it, and then no pointer into the owner is left.
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
        let tensor = window("wrap", data, length, start, shape, strides)?;
        // SAFETY: the elements lie inside the slice, as was just checked.
        unsafe { self.keep(&tensor, flags) }
    }

    /// Hand the owner over: to the hub when that succeeds, else drop it.
    ///
    /// # Safety
    /// t describes elements that the owner keeps valid, and lists that are good for the call.
    unsafe fn keep(self, t: &ffi::DLTensor, flags: u64) -> Result<Tensor> {
        let owned = self.0.as_ptr().cast();
        // SAFETY: as the caller says; what succeeds has taken the owner, and will release a box of this type once.
        let tensor = unsafe {
            Tensor::make(|out, error| {
                let release = Some(release::<O> as unsafe extern "C" fn(*mut c_void));
                ffi::dlf_wrap(
                    t.data, t.dtype, t.ndim, t.shape, t.strides, t.device, flags, owned, release, out, error,
                )
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

/// Drop an owner when the last reference to its tensor goes, on whatever thread that is. The caller is C: a panic in
/// the owner's destructor ends here. Dropping its payload may panic too, and what that leaves is leaked.
unsafe extern "C" fn release<O>(owner: *mut c_void) {
    // SAFETY: keep() handed over a box of this type, and the hub calls this once.
    let dropped = catch_unwind(AssertUnwindSafe(|| drop(unsafe { Box::from_raw(owner.cast::<O>()) })));
    if let Err(payload) = dropped {
        let dropped = catch_unwind(AssertUnwindSafe(|| drop(payload)));
        dropped.unwrap_or_else(std::mem::forget);
    }
}

fn from_mut<T>(slice: &'static mut [T]) -> (*mut T, usize) {
    (slice.as_mut_ptr(), slice.len())
}

fn from_ref<T>(slice: &'static [T]) -> (*mut T, usize) {
    (slice.as_ptr().cast_mut(), slice.len())
}

/// Describe elements of a slice, from element `start` on; without strides they are to fill it. Good as long as the lists.
pub(crate) fn window<T: Element>(
    name: &str,
    data: *mut T,
    length: usize,
    start: usize,
    shape: &[i64],
    strides: Option<&[i64]>,
) -> Result<ffi::DLTensor> {
    let name = c_name(name);
    let window = ffi::dlf_window {
        memory: data.cast(),
        size: (length * size_of::<T>()) as i64, // no slice is larger
        dtype: T::DTYPE.raw(),
        whole: strides.is_none(),
        start: i64::try_from(start).unwrap_or(i64::MAX), // outside of every slice
        ndim: shape.len() as i64,
        shape: shape.as_ptr(),
        stride_count: strides.map_or(0, |strides| strides.len() as i64),
        strides: strides.map_or(null(), <[i64]>::as_ptr),
        flags: 0,
    };
    let mut tensor = MaybeUninit::uninit();
    // SAFETY: the window holds lists of these lengths; tensor and error are valid slots.
    call(|error| unsafe { ffi::dlf_check_window(name.as_ptr(), &window, tensor.as_mut_ptr(), error) })?;
    // SAFETY: filled by a call that succeeded.
    Ok(unsafe { tensor.assume_init() })
}

/// The C structure of what a caller describes, good as long as the two lists.
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
