// SPDX-License-Identifier: Apache-2.0
//! Typed access to the elements for writing.

use super::walk::Walk;
use super::{out_of_range, Elements};
use crate::error::Result;
use crate::tensor::{Access, Arg, ArgMut, Lent, Slot};
use crate::{ffi, Element, Tensor};
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// The elements of a tensor for reading and writing, in place, with any strides.
///
/// Nothing else refers to them, so there are references: `elements[[i, j]]`, slices, views of ndarray.
///
/// ```
/// let mut t = dlferry::Tensor::wrap(vec![1.0f32, 2.0, 3.0, 4.0], &[2, 2])?;
/// let mut elements = t.elements_mut::<f32>()?;
/// elements[[1, 0]] += 7.0;
/// elements.as_mut_slice()?.reverse();
/// assert_eq!(t.elements::<f32>()?.to_vec(), [4.0, 10.0, 2.0, 1.0]);
/// # Ok::<(), dlferry::Error>(())
/// ```
pub struct ElementsMut<'a, T> {
    elements: Elements<'a, T>,
    _writes: PhantomData<&'a mut [T]>,
}

impl Tensor {
    /// Read and write the elements as values of type `T`, if Rust allocated them and nothing else refers to them.
    ///
    /// # Errors
    /// [`ReadOnly`](crate::ErrorKind::ReadOnly); [`Invalid`](crate::ErrorKind::Invalid) for imported memory, and if
    /// there is a view, an export or another handle; and those of [`Tensor::elements`].
    #[doc(alias = "dlf_look")]
    #[doc(alias = "dlf_is_unique")]
    #[doc(alias = "view_mut")]
    #[inline]
    pub fn elements_mut<T: Element>(&mut self) -> Result<ElementsMut<'_, T>> {
        let elements = Elements::look(self.dltensor(), self.flags(), ffi::DLF_LOOK_WRITE, self.access())?;
        elements.check_lendable()?;
        Ok(ElementsMut::new(elements))
    }

    /// Read and write the elements as values of type `T`, even if others refer to them.
    ///
    /// # Safety
    /// While the result lives, no other code uses the elements: no producer or consumer in any language, and no other
    /// handle.
    ///
    /// # Errors
    /// [`ReadOnly`](crate::ErrorKind::ReadOnly), and those of [`Tensor::elements`].
    #[doc(alias = "dlf_look")]
    #[doc(alias = "view_mut_unchecked")]
    #[inline]
    pub unsafe fn elements_mut_unchecked<T: Element>(&mut self) -> Result<ElementsMut<'_, T>> {
        Elements::look(self.dltensor(), self.flags(), ffi::DLF_LOOK_WRITE, Access::Alone).map(ElementsMut::new)
    }

    /// Read and write the bits of the elements as values of type `T` of the same width. Otherwise like
    /// [`Tensor::elements_mut`].
    ///
    /// ```
    /// let mut t = dlferry::Tensor::create("float8_e5m2".parse()?, &[2])?;
    /// t.element_bits_mut::<u8>()?[[1]] = 0x3c;
    /// assert_eq!(t.read(&[1])?.as_f64(), Some(1.0));
    /// # Ok::<(), dlferry::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::elements_mut`].
    #[doc(alias = "dlf_look")]
    #[doc(alias = "view_bits_mut")]
    pub fn element_bits_mut<T: Element>(&mut self) -> Result<ElementsMut<'_, T>> {
        let how = ffi::DLF_LOOK_WRITE | ffi::DLF_LOOK_BITS;
        let elements = Elements::look(self.dltensor(), self.flags(), how, self.access())?;
        elements.check_lendable()?;
        Ok(ElementsMut::new(elements))
    }
}

impl<'a, T: Element> ElementsMut<'a, T> {
    /// Nothing else uses the elements for 'a.
    #[inline]
    pub(crate) fn new(elements: Elements<'a, T>) -> ElementsMut<'a, T> {
        ElementsMut {
            elements: elements.alone(),
            _writes: PhantomData,
        }
    }

    /// Return the same elements for reading.
    #[inline]
    #[must_use]
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

    /// Return all elements as a slice, if they are row-major without gaps.
    ///
    /// # Errors
    /// [`Layout`](crate::ErrorKind::Layout) for other strides.
    #[inline]
    pub fn as_mut_slice(&mut self) -> Result<&mut [T]> {
        // SAFETY: distinct places; `&mut self` allows only this slice.
        self.elements.slice().map(|slice| unsafe { &mut *slice })
    }

    /// Return all elements as a slice that outlives this, if they are row-major without gaps.
    ///
    /// ```
    /// let mut t = dlferry::Tensor::from(vec![3i32, 1, 2]);
    /// let elements = t.elements_mut::<i32>()?.into_slice()?;
    /// elements.sort();
    /// assert_eq!(elements, [1, 2, 3]);
    /// # Ok::<(), dlferry::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Layout`](crate::ErrorKind::Layout) for other strides.
    #[inline]
    pub fn into_slice(self) -> Result<&'a mut [T]> {
        // SAFETY: distinct places that only self reaches for 'a, and self is consumed.
        self.elements.slice().map(|slice| unsafe { &mut *slice })
    }

    /// Visit the elements for writing, in row-major order.
    pub fn for_each(&mut self, mut visit: impl FnMut(&mut T)) {
        Walk::new(&self.elements).for_each_place(|place| {
            // SAFETY: the place of an element; the reference ends before the next begins.
            visit(unsafe { &mut *place });
        });
    }

    /// Set all elements.
    pub fn fill(&mut self, value: T) {
        match self.as_mut_slice() {
            Ok(slice) => slice.fill(value),
            Err(_) => self.for_each(|element| *element = value),
        }
    }

    #[cfg(feature = "ndarray")]
    pub(crate) fn into_elements(self) -> Elements<'a, T> {
        self.elements
    }
}

impl<T: Element, I: AsRef<[usize]>> Index<I> for ElementsMut<'_, T> {
    type Output = T;

    /// # Panics
    /// When an index is out of range.
    #[inline]
    #[track_caller]
    fn index(&self, index: I) -> &T {
        match self.elements.place(index.as_ref()) {
            // SAFETY: the place of an element, which nothing writes while self is borrowed.
            Some(place) => unsafe { &*place },
            None => out_of_range(index, self.elements.shape()),
        }
    }
}

impl<T: Element, I: AsRef<[usize]>> IndexMut<I> for ElementsMut<'_, T> {
    /// # Panics
    /// When an index is out of range.
    #[inline]
    #[track_caller]
    fn index_mut(&mut self, index: I) -> &mut T {
        match self.elements.place(index.as_ref()) {
            // SAFETY: as in get_mut().
            Some(place) => unsafe { &mut *place },
            None => out_of_range(index, self.elements.shape()),
        }
    }
}

impl<T: Element> Arg for ElementsMut<'_, T> {
    #[inline]
    fn lend<'a>(&'a self, _: &'a mut Slot) -> Lent<'a> {
        // SAFETY: only `self` reaches the tensor, and `&self` excludes writers.
        unsafe {
            Lent::new(
                self.elements.dltensor(),
                self.elements.flags() | crate::flags::READ_ONLY,
            )
        }
    }
}

impl<T: Element> ArgMut for ElementsMut<'_, T> {
    #[inline]
    fn lend_mut<'a>(&'a mut self, _: &'a mut Slot) -> Lent<'a> {
        // SAFETY: only `self` reaches the tensor, which is not read-only.
        unsafe { Lent::new(self.elements.dltensor(), self.elements.flags()) }
    }
}
