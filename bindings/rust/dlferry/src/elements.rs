// SPDX-License-Identifier: Apache-2.0
//! Typed access to the elements.

use crate::error::{call, Error, Result};
use crate::layout::is_contiguous;
use crate::{ffi, Element, ErrorKind, Order, Tensor};
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::ops::{Index, IndexMut};
use std::ptr::NonNull;

/// The elements of a tensor for reading, in place, with any strides.
///
/// ```
/// let t = dlferry::Tensor::wrap(vec![1.0f32, 2.0, 3.0, 4.0], &[2, 2])?;
/// let elements = t.elements::<f32>()?;
/// assert_eq!(elements[[1, 0]], 3.0);
/// assert_eq!(elements.get([2, 0]), None);
/// assert_eq!(elements.iter().sum::<f32>(), 10.0);
/// # Ok::<(), dlferry::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Elements<'a, T> {
    tensor: &'a ffi::DLTensor,
    first: NonNull<T>, // dangling without elements, since the tensor's address may be NULL or misaligned
    count: usize,
    flags: u64, // the tensor's, for how elements lie
    _reads: PhantomData<&'a [T]>,
}

/// The elements of a tensor for reading and writing, in place, with any strides.
pub struct ElementsMut<'a, T> {
    elements: Elements<'a, T>,
    _writes: PhantomData<&'a mut [T]>,
}

// SAFETY: like `&[T]`; Element is Sync.
unsafe impl<T: Element> Send for Elements<'_, T> {}
// SAFETY: like `&[T]`; Element is Sync.
unsafe impl<T: Element> Sync for Elements<'_, T> {}
// SAFETY: like `&mut [T]`; Element is Send.
unsafe impl<T: Element> Send for ElementsMut<'_, T> {}
// SAFETY: like `&mut [T]`; Element is Sync.
unsafe impl<T: Element> Sync for ElementsMut<'_, T> {}

impl Tensor {
    /// Read the elements as values of type `T`.
    ///
    /// # Errors
    /// [`Dtype`](ErrorKind::Dtype) if they have another type, [`Device`](ErrorKind::Device) if the processor cannot
    /// reach them, [`Layout`](ErrorKind::Layout) if their address is not aligned for `T`,
    /// [`Overflow`](ErrorKind::Overflow) if strides of 0 make too many, or [`Unsupported`](ErrorKind::Unsupported) for
    /// unknown flags.
    #[doc(alias = "dlf_look")]
    #[inline]
    pub fn elements<T: Element>(&self) -> Result<Elements<'_, T>> {
        Elements::look(self.dltensor(), self.flags(), 0)
    }

    /// Read the bits of the elements as values of type `T` of the same width: a `u8` for each float8 and each padded
    /// float4, a `u64` for each complex64. Otherwise like [`Tensor::elements`].
    ///
    /// # Errors
    /// Those of [`Tensor::elements`].
    #[doc(alias = "dlf_look")]
    pub fn element_bits<T: Element>(&self) -> Result<Elements<'_, T>> {
        Elements::look(self.dltensor(), self.flags(), ffi::DLF_LOOK_BITS)
    }

    /// Read and write the elements as values of type `T`.
    ///
    /// # Errors
    /// [`ReadOnly`](ErrorKind::ReadOnly), and those of [`Tensor::elements`].
    #[doc(alias = "dlf_look")]
    #[inline]
    pub fn elements_mut<T: Element>(&mut self) -> Result<ElementsMut<'_, T>> {
        Ok(ElementsMut {
            elements: Elements::look(self.dltensor(), self.flags(), ffi::DLF_LOOK_WRITE)?,
            _writes: PhantomData,
        })
    }
}

impl<'a, T: Element> Elements<'a, T> {
    /// The hub accepts only sound elements: extents are not negative, and every element's offset fits, lies inside its
    /// memory and is a multiple of its size away from the first.
    #[inline]
    fn look(tensor: &'a ffi::DLTensor, flags: u64, how: ffi::dlf_look_how) -> Result<Elements<'a, T>> {
        let arg = ffi::dlf_arg { tensor, flags };
        let mut elements = MaybeUninit::<ffi::dlf_elements>::uninit();
        // SAFETY: the tensor describes its memory truthfully; elements and error are valid slots.
        call(|error| unsafe { ffi::dlf_look(arg, T::DTYPE.raw(), how, elements.as_mut_ptr(), error) })?;
        // SAFETY: the call succeeded and filled it.
        let elements = unsafe { elements.assume_init() };
        let first = NonNull::new(elements.data.cast::<T>()).unwrap_or(NonNull::dangling());
        if first.as_ptr() as usize % align_of::<T>() != 0 {
            return Err(misaligned(first));
        }
        let padded = how & ffi::DLF_LOOK_BITS != 0;
        Ok(Elements {
            tensor,
            first,
            count: elements.count as usize, // never negative, and addresses have 64 bits
            flags: if padded {
                flags & crate::flags::SUBBYTE_PADDED
            } else {
                0
            },
            _reads: PhantomData,
        })
    }

    /// Return the extents.
    #[inline]
    pub fn shape(&self) -> &'a [i64] {
        // SAFETY: the hub keeps ndim extents for as long as the tensor.
        unsafe { crate::tensor::list(self.tensor.shape, self.tensor.ndim as usize) }
    }

    /// Return the distances between neighbours along each axis, in elements.
    #[inline]
    pub fn strides(&self) -> &'a [i64] {
        // SAFETY: the hub keeps ndim strides for as long as the tensor.
        unsafe { crate::tensor::list(self.tensor.strides, self.tensor.ndim as usize) }
    }

    /// Count the elements.
    #[inline]
    pub fn len(&self) -> usize {
        self.count
    }

    /// Tell whether there are none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Find an element's place; `None` if an index is out of range or their number is wrong.
    #[inline]
    fn place(&self, index: &[usize]) -> Option<*mut T> {
        let shape = self.shape();
        if index.len() != shape.len() {
            return None;
        }
        let mut offset = 0isize;
        for ((&i, &extent), &stride) in index.iter().zip(shape).zip(self.strides()) {
            if i as u64 >= extent as u64 {
                return None;
            }
            // Wraps only if a later axis is empty, whose strides are unbounded.
            offset = (i as isize).wrapping_mul(stride as isize).wrapping_add(offset);
        }
        // SAFETY: an element's offset is inside its memory, and so is every sum on the way.
        Some(unsafe { self.first().offset(offset) })
    }

    /// Return an element; `None` when an index is out of range.
    #[inline]
    pub fn get(&self, index: impl AsRef<[usize]>) -> Option<&'a T> {
        // SAFETY: the place of an element, which nothing writes for 'a.
        self.place(index.as_ref()).map(|place| unsafe { &*place })
    }

    /// Return all elements as a slice if they are row-major without gaps.
    #[inline]
    pub fn as_slice(&self) -> Option<&'a [T]> {
        // SAFETY: elements in distinct places, which nothing writes for 'a.
        self.slice().map(|slice| unsafe { slice.as_ref() })
    }

    /// Find all elements as a slice, if they are row-major without gaps; an empty tensor's slice is dangling.
    #[inline]
    fn slice(&self) -> Option<NonNull<[T]>> {
        let slices = self.count == 0 || is_contiguous(self.tensor, Order::RowMajor);
        slices.then(|| NonNull::slice_from_raw_parts(self.first, self.count))
    }

    #[inline]
    pub(crate) fn first(&self) -> *mut T {
        self.first.as_ptr()
    }

    pub(crate) fn dltensor(&self) -> &'a ffi::DLTensor {
        self.tensor
    }

    pub(crate) fn flags(&self) -> u64 {
        self.flags
    }
}

impl<'a, T: Element> ElementsMut<'a, T> {
    /// Return the same elements for reading.
    #[inline]
    pub fn elements(&self) -> Elements<'_, T> {
        self.elements
    }

    /// Return an element for writing; `None` when an index is out of range.
    #[inline]
    pub fn get_mut(&mut self, index: impl AsRef<[usize]>) -> Option<&mut T> {
        // SAFETY: the place of an element; `&mut self` allows only this reference, even if strides map several indices
        // to one place.
        self.elements.place(index.as_ref()).map(|place| unsafe { &mut *place })
    }

    /// Return all elements as a slice if they are row-major without gaps.
    #[inline]
    pub fn as_mut_slice(&mut self) -> Option<&mut [T]> {
        // SAFETY: distinct places; `&mut self` allows only this slice.
        self.elements.slice().map(|mut slice| unsafe { slice.as_mut() })
    }

    /// Return all elements as a slice that outlives this, if they are row-major without gaps.
    ///
    /// ```
    /// let mut t = dlferry::Tensor::from(vec![3i32, 1, 2]);
    /// let elements = t.elements_mut::<i32>()?.into_slice().expect("a vector has no gaps");
    /// elements.sort();
    /// assert_eq!(elements, [1, 2, 3]);
    /// # Ok::<(), dlferry::Error>(())
    /// ```
    #[inline]
    pub fn into_slice(self) -> Option<&'a mut [T]> {
        // SAFETY: distinct places that only self reaches for 'a, and self is consumed.
        self.elements.slice().map(|mut slice| unsafe { slice.as_mut() })
    }

    #[cfg(feature = "ndarray")]
    pub(crate) fn into_elements(self) -> Elements<'a, T> {
        self.elements
    }
}

impl<T: Element, I: AsRef<[usize]>> Index<I> for Elements<'_, T> {
    type Output = T;

    /// # Panics
    /// When an index is out of range.
    #[inline]
    fn index(&self, index: I) -> &T {
        self.get(index.as_ref())
            .unwrap_or_else(|| out_of_range(index.as_ref(), self.shape()))
    }
}

impl<T: Element, I: AsRef<[usize]>> Index<I> for ElementsMut<'_, T> {
    type Output = T;

    /// # Panics
    /// When an index is out of range.
    #[inline]
    fn index(&self, index: I) -> &T {
        self.elements
            .get(index.as_ref())
            .unwrap_or_else(|| out_of_range(index.as_ref(), self.elements.shape()))
    }
}

impl<T: Element, I: AsRef<[usize]>> IndexMut<I> for ElementsMut<'_, T> {
    /// # Panics
    /// When an index is out of range.
    #[inline]
    fn index_mut(&mut self, index: I) -> &mut T {
        let shape = self.elements.shape();
        self.get_mut(index.as_ref())
            .unwrap_or_else(|| out_of_range(index.as_ref(), shape))
    }
}

#[cold]
fn out_of_range(index: &[usize], shape: &[i64]) -> ! {
    panic!("index {index:?} is out of range for shape {shape:?}")
}

/// The hub requires C's alignment for the dtype; a type may need more, such as four floats in a register.
#[cold]
fn misaligned<T>(first: NonNull<T>) -> Error {
    let (wanted, address) = (align_of::<T>(), first.as_ptr() as usize);
    let text = format!(
        "look: expected data aligned to {wanted} bytes, got an address {} past one",
        address % wanted
    );
    Error::new(ErrorKind::Layout, text)
}

#[cfg(test)]
mod tests;
