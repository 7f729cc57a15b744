// SPDX-License-Identifier: Apache-2.0
//! Typed access to the elements.

mod cast;
mod compare;
mod elements_mut;
mod fill;
pub mod float;
mod format;
mod iter;
#[cfg(feature = "ndarray")]
mod nd;
mod read;
mod walk;

use crate::error::{call, Error, Result};
use crate::flags::{IS_COPIED, READ_ONLY};
use crate::tensor::{Access, Arg, Lent, Slot};
use crate::{ffi, DType, Element, ErrorKind, Tensor};
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::ptr::NonNull;

pub use cast::{cast_into, cast_into_saturating};
pub use elements_mut::ElementsMut;
pub use fill::fill;
pub use iter::Iter;
pub use read::Number;

/// The elements of a tensor for reading, in place, with any strides.
///
/// They are read by value, since other code may write them: foreign code that lent the memory or got an export.
///
/// ```
/// let t = dlferry::Tensor::wrap(vec![1.0f32, 2.0, 3.0, 4.0], &[2, 2])?;
/// let elements = t.elements::<f32>()?;
/// assert_eq!(elements.at([1, 0]), 3.0);
/// assert_eq!(elements.get([2, 0]), None);
/// assert_eq!(elements.iter().sum::<f32>(), 10.0);
/// # Ok::<(), dlferry::Error>(())
/// ```
///
/// References to elements, such as a slice, need memory that Rust allocated and that nothing else refers to: no view, no
/// export, no other handle.
///
/// ```
/// let t = dlferry::Tensor::wrap(vec![1.0f32, 2.0, 3.0, 4.0], &[2, 2])?;
/// assert_eq!(t.elements::<f32>()?.as_slice()?, [1.0, 2.0, 3.0, 4.0]);
/// let exported = t.to_dlpack()?;
/// assert_eq!(t.elements::<f32>()?.as_slice().unwrap_err().kind(), dlferry::ErrorKind::Invalid);
/// drop(exported);
/// assert!(t.elements::<f32>()?.as_slice().is_ok());
/// # Ok::<(), dlferry::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Elements<'a, T> {
    tensor: &'a ffi::DLTensor,
    /// Dangling without elements, since the tensor's address may be NULL or misaligned. Not `NonNull`, whose assumption at
    /// each use would keep the compiler from taking checks out of a loop.
    first: *mut T,
    count: usize,
    ndim: usize,
    near: [Axis; NEAR], // the first axes, so that a loop keeps them in registers; the others are 0
    flags: u64,         // the tensor's, for how elements lie
    access: Access,
    _reads: PhantomData<&'a [T]>,
}

/// Number of indices up to which finding an element reads no memory but the elements themselves.
const NEAR: usize = 3;

#[derive(Clone, Copy)]
struct Axis {
    extent: usize,
    stride: isize,
}

impl Axis {
    /// The offset of an index in elements; `None` if it is out of range.
    #[inline(always)]
    fn offset(self, index: usize) -> Option<isize> {
        // Wraps only if a later axis is empty, whose strides are unbounded.
        (index < self.extent).then(|| (index as isize).wrapping_mul(self.stride))
    }
}

// SAFETY: like `&[T]`; Element is Sync. The handle in Access only tells its count.
unsafe impl<T: Element> Send for Elements<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Element> Sync for Elements<'_, T> {}

impl Tensor {
    /// Read the elements as values of type `T`.
    ///
    /// # Errors
    /// [`Dtype`](ErrorKind::Dtype) if they have another type, [`Device`](ErrorKind::Device) if the processor cannot
    /// reach them, [`Layout`](ErrorKind::Layout) if their address is not aligned for `T`,
    /// [`Overflow`](ErrorKind::Overflow) if strides of 0 make too many, or [`Unsupported`](ErrorKind::Unsupported) for
    /// unknown flags.
    #[doc(alias = "dlf_look")]
    #[doc(alias = "view")]
    #[inline]
    pub fn elements<T: Element>(&self) -> Result<Elements<'_, T>> {
        Elements::look(self.dltensor(), self.flags(), 0, self.access())
    }

    /// Read the bits of the elements as values of type `T` of the same width: a `u8` for each float8 and each padded
    /// float4, a `u64` for each complex64. Otherwise like [`Tensor::elements`].
    ///
    /// ```
    /// let t = dlferry::Tensor::from(vec![1.0f32, -2.0]);
    /// assert_eq!(t.element_bits::<u32>()?.to_vec(), [0x3f80_0000, 0xc000_0000]);
    /// # Ok::<(), dlferry::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::elements`].
    #[doc(alias = "dlf_look")]
    #[doc(alias = "view_bits")]
    pub fn element_bits<T: Element>(&self) -> Result<Elements<'_, T>> {
        Elements::look(self.dltensor(), self.flags(), ffi::DLF_LOOK_BITS, self.access())
    }
}

impl<'a, T: Element> Elements<'a, T> {
    /// The hub accepts only sound elements: extents are not negative, and every element's offset fits, lies inside its
    /// memory and is a multiple of its size away from the first.
    #[inline]
    pub(crate) fn look(
        tensor: &'a ffi::DLTensor,
        flags: u64,
        how: ffi::dlf_look_how,
        access: Access,
    ) -> Result<Elements<'a, T>> {
        let (first, count) = match plainly::<T>(tensor, flags, how) {
            Some(found) => found,
            None => look(tensor, flags, how)?,
        };
        Ok(Elements {
            tensor,
            first: first.as_ptr(),
            count,
            ndim: tensor.ndim as usize,
            near: near(tensor),
            flags: flags & crate::flags::SUBBYTE_PADDED, // else it has whole bytes
            access,
            _reads: PhantomData,
        })
    }

    /// Return the extents.
    #[inline]
    #[must_use]
    pub fn shape(&self) -> &'a [i64] {
        // SAFETY: the hub keeps ndim extents for as long as the tensor.
        unsafe { crate::tensor::list(self.tensor.shape, self.ndim) }
    }

    /// Return the distances between neighbours along each axis, in elements.
    #[inline]
    #[must_use]
    pub fn strides(&self) -> &'a [i64] {
        // SAFETY: the hub keeps ndim strides for as long as the tensor.
        unsafe { crate::tensor::list(self.tensor.strides, self.tensor.ndim as usize) }
    }

    /// Count the elements.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.count
    }

    /// Tell whether there are none.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Find an element's place; `None` if an index is out of range or their number is wrong. A number of indices that the
    /// compiler knows leads one way only, so that it takes the checks out of the caller's loop.
    #[inline]
    pub(crate) fn place(&self, index: &[usize]) -> Option<*mut T> {
        let [x, y, z] = &self.near;
        let offset = match *index {
            [i] if self.ndim == 1 => x.offset(i)?,
            [i, j] if self.ndim == 2 => x.offset(i)?.wrapping_add(y.offset(j)?),
            [i, j, k] if self.ndim == 3 => x.offset(i)?.wrapping_add(y.offset(j)?).wrapping_add(z.offset(k)?),
            [_] | [_, _] | [_, _, _] => return None,
            _ => self.far_offset(index)?,
        };
        // SAFETY: an element's offset is inside its memory, and so is every sum on the way.
        Some(unsafe { self.first().offset(offset) })
    }

    /// The offset of an element for any number of axes.
    fn far_offset(&self, index: &[usize]) -> Option<isize> {
        let (shape, strides) = (self.shape(), self.strides());
        if index.len() != shape.len() {
            return None;
        }
        let mut offset = 0isize;
        for ((&i, &extent), &stride) in index.iter().zip(shape).zip(strides) {
            if i as u64 >= extent as u64 {
                return None;
            }
            // Wraps only if a later axis is empty, whose strides are unbounded.
            offset = (i as isize).wrapping_mul(stride as isize).wrapping_add(offset);
        }
        Some(offset)
    }

    /// Read an element; `None` when an index is out of range.
    #[inline]
    pub fn get(&self, index: impl AsRef<[usize]>) -> Option<T> {
        // SAFETY: the place of an element, which no other thread writes meanwhile.
        self.place(index.as_ref()).map(|place| unsafe { place.read() })
    }

    /// Read an element. In a loop the compiler checks the indices once, where it can.
    ///
    /// # Panics
    /// When an index is out of range. The message shows it in a build with debug assertions; otherwise use
    /// [`get`](Elements::get) to find it.
    #[inline]
    #[track_caller]
    pub fn at(&self, index: impl AsRef<[usize]>) -> T {
        match self.place(index.as_ref()) {
            // SAFETY: the place of an element, which no other thread writes meanwhile.
            Some(place) => unsafe { place.read() },
            None => out_of_range(index, self.shape()),
        }
    }

    /// Return all elements as a slice, if they are row-major without gaps, Rust allocated them, and nothing else refers
    /// to them.
    ///
    /// # Errors
    /// [`Layout`](ErrorKind::Layout) for other strides; [`Invalid`](ErrorKind::Invalid) for imported memory, and if
    /// there is a view, an export or another handle.
    #[doc(alias = "dlf_is_unique")]
    #[doc(alias = "dlf_is_contiguous")]
    #[inline]
    pub fn as_slice(&self) -> Result<&'a [T]> {
        let slice = self.slice()?;
        self.check_lendable()?;
        // SAFETY: elements in distinct places. Only the tensor reaches them, which is borrowed for 'a: writing needs it
        // or a handle made from it, and no other handle may write while this one exists.
        Ok(unsafe { &*slice })
    }

    /// Return all elements as a slice, if they are row-major without gaps, even if others refer to them.
    ///
    /// # Safety
    /// For `'a` nothing writes the elements: no producer or consumer in any language, and no other handle.
    ///
    /// # Errors
    /// [`Layout`](ErrorKind::Layout) for other strides.
    #[doc(alias = "dlf_is_contiguous")]
    #[inline]
    pub unsafe fn as_slice_unchecked(&self) -> Result<&'a [T]> {
        // SAFETY: elements in distinct places; the caller promises the rest.
        self.slice().map(|slice| unsafe { &*slice })
    }

    /// Find all elements as a slice, if they are row-major without gaps; an empty tensor's slice is dangling.
    #[inline]
    pub(crate) fn slice(&self) -> Result<*mut [T]> {
        if self.count == 0 || self.is_row_major() {
            return Ok(std::ptr::slice_from_raw_parts_mut(self.first, self.count));
        }
        Err(self.not_row_major())
    }

    /// The hub's own question, without a call: an axis of extent 1 fits every order.
    #[inline]
    fn is_row_major(&self) -> bool {
        let mut step = 1i64; // stays below the count
        for (&extent, &stride) in self.shape().iter().zip(self.strides()).rev() {
            if extent != 1 && stride != step {
                return false;
            }
            step *= extent;
        }
        true
    }

    /// Check that references to elements may be lent: Rust allocated them, and only one handle reaches them.
    #[inline]
    pub(crate) fn check_lendable(&self) -> Result<()> {
        match self.access {
            Access::Alone => Ok(()),
            // SAFETY: the handle is alive, since its tensor is borrowed for 'a.
            Access::Counted(handle) if unsafe { ffi::dlf_is_unique(handle.as_ptr()) } => Ok(()),
            _ if self.count == 0 => Ok(()),
            _ => Err(self.not_lendable()),
        }
    }

    #[inline]
    pub(crate) fn first(&self) -> *mut T {
        self.first
    }

    /// The same elements while nothing else uses them.
    #[inline]
    pub(crate) fn alone(mut self) -> Elements<'a, T> {
        self.access = Access::Alone;
        self
    }

    pub(crate) fn dltensor(&self) -> &'a ffi::DLTensor {
        self.tensor
    }

    pub(crate) fn flags(&self) -> u64 {
        self.flags
    }

    /// The hub's text for elements that are no slice.
    #[cold]
    fn not_row_major(&self) -> Error {
        let how = ffi::DLF_LOOK_ROW_MAJOR | ffi::DLF_LOOK_BITS;
        match look::<T>(self.tensor, self.flags, how) {
            Err(error) => error,
            Ok(_) => Error::new(
                ErrorKind::Layout,
                "elements: expected row-major elements, got other strides",
            ),
        }
    }

    #[cold]
    fn not_lendable(&self) -> Error {
        let text = match self.access {
            Access::Foreign => "elements: expected memory that Rust allocated, got memory of another runtime",
            _ => "elements: expected elements that nothing else refers to, got ones with a view or an export",
        };
        Error::new(ErrorKind::Invalid, text)
    }
}

impl<T: Element> Arg for Elements<'_, T> {
    #[inline]
    fn lend<'a>(&'a self, _: &'a mut Slot) -> Lent<'a> {
        // SAFETY: `self` borrows a tensor, which nothing writes meanwhile.
        unsafe { Lent::new(self.dltensor(), self.flags() | crate::flags::READ_ONLY) }
    }
}

/// The first element and the count of elements that are plainly as wanted; the hub judges all others, and makes each
/// error. It repeats `dlf_look` for the usual case on purpose: inlined, with the dtype known, a look needs no call. A
/// test compares the two: what passes here must be what `dlf_look` gives.
#[inline]
fn plainly<T: Element>(tensor: &ffi::DLTensor, flags: u64, how: ffi::dlf_look_how) -> Option<(NonNull<T>, usize)> {
    let refused = match how {
        0 => !(READ_ONLY | IS_COPIED),
        ffi::DLF_LOOK_WRITE => !IS_COPIED,
        _ => return None,
    };
    let fits =
        DType::from(tensor.dtype) == T::DTYPE && tensor.device.device_type == ffi::kDLCPU && flags & refused == 0;
    if !fits || T::FLAGS != 0 {
        return None;
    }
    let mut count = 1i64;
    // SAFETY: the tensor has ndim extents, which are not negative, as the hub has checked.
    for &extent in unsafe { crate::tensor::list(tensor.shape, tensor.ndim as usize) } {
        count = count.checked_mul(extent)?;
    }
    count.checked_mul(size_of::<T>() as i64)?;
    let address = tensor.data.wrapping_byte_add(tensor.byte_offset as usize).cast::<T>();
    if count == 0 {
        return Some((NonNull::dangling(), 0));
    }
    let first = NonNull::new(address).filter(|_| address.is_aligned())?;
    Some((first, count as usize))
}

#[inline]
fn near(tensor: &ffi::DLTensor) -> [Axis; NEAR] {
    let ndim = tensor.ndim as usize;
    // SAFETY: the hub keeps ndim extents for as long as the tensor.
    let shape = unsafe { crate::tensor::list(tensor.shape, ndim) };
    // SAFETY: likewise strides.
    let strides = unsafe { crate::tensor::list(tensor.strides, ndim) };
    let mut near = [Axis { extent: 0, stride: 0 }; NEAR];
    for (axis, (&extent, &stride)) in near.iter_mut().zip(shape.iter().zip(strides)) {
        axis.extent = (extent as u64).min(usize::MAX as u64) as usize; // an index has no more bits
        axis.stride = stride as isize;
    }
    near
}

/// Ask the hub for the elements as values of one type.
#[cold]
fn look<T: Element>(tensor: &ffi::DLTensor, flags: u64, how: ffi::dlf_look_how) -> Result<(NonNull<T>, usize)> {
    let arg = ffi::dlf_arg { tensor, flags };
    // A dtype below a byte has a Rust type only if each element takes a byte.
    let padded = T::FLAGS != 0 && flags & T::FLAGS != 0 && DType::from(tensor.dtype) == T::DTYPE;
    let (dtype, how) = if padded {
        (DType::U8, how | ffi::DLF_LOOK_BITS)
    } else {
        (T::DTYPE, how)
    };
    let mut elements = MaybeUninit::<ffi::dlf_elements>::uninit();
    // SAFETY: the tensor describes its memory truthfully; elements and error are valid slots.
    call(|error| unsafe { ffi::dlf_look(arg, dtype.raw(), how, elements.as_mut_ptr(), error) })?;
    // SAFETY: the call succeeded and filled it.
    let looked = unsafe { elements.assume_init() };
    let first = NonNull::new(looked.data.cast::<T>()).unwrap_or(NonNull::dangling());
    if !first.as_ptr().is_aligned() {
        return Err(misaligned(first));
    }
    Ok((first, looked.count as usize)) // never negative, and addresses have 64 bits
}

/// The message has the index only with debug assertions: a loop that must keep it for a message checks each element, one
/// that need not is checked once before it starts, as ndarray's are.
#[inline(always)]
#[track_caller]
pub(crate) fn out_of_range(index: impl AsRef<[usize]>, shape: &[i64]) -> ! {
    if cfg!(debug_assertions) {
        index_out_of_range(index.as_ref(), shape)
    }
    some_index_out_of_range()
}

#[cold]
#[inline(never)]
#[track_caller]
fn index_out_of_range(index: &[usize], shape: &[i64]) -> ! {
    panic!("index {index:?} is out of range for shape {shape:?}")
}

#[cold]
#[inline(never)]
#[track_caller]
fn some_index_out_of_range() -> ! {
    panic!("an index is out of range (with debug assertions this message shows it and the shape)")
}

/// The hub requires C's alignment for the dtype; a type may need more, such as four floats in a register.
#[cold]
fn misaligned<T>(first: NonNull<T>) -> Error {
    let (wanted, address) = (align_of::<T>(), first.as_ptr() as usize);
    let text = format!(
        "elements: expected data aligned to {wanted} bytes, got an address {} past one",
        address % wanted
    );
    Error::new(ErrorKind::Layout, text)
}

#[cfg(test)]
mod tests;
