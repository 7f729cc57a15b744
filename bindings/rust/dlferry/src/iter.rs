// SPDX-License-Identifier: Apache-2.0
//! A walk over elements.

use crate::{Element, Elements, ElementsMut};

/// An iterator over [`Elements`] in row-major order.
#[derive(Clone, Debug)]
pub struct Iter<'a, T: Element> {
    elements: Elements<'a, T>,
    index: Vec<i64>,
    offset: isize,
    left: usize,
}

impl<'a, T: Element> Iter<'a, T> {
    pub(crate) fn new(elements: Elements<'a, T>) -> Iter<'a, T> {
        Iter {
            elements,
            index: vec![0; elements.shape().len()],
            offset: 0,
            left: elements.len(),
        }
    }

    /// Step like an odometer, last axis first.
    #[inline]
    pub(crate) fn next_place(&mut self) -> Option<*mut T> {
        self.left = self.left.checked_sub(1)?;
        // SAFETY: the offset of an element, see Elements::new().
        let place = unsafe { self.elements.first().offset(self.offset) };
        for ((i, &extent), &stride) in self
            .index
            .iter_mut()
            .zip(self.elements.shape())
            .zip(self.elements.strides())
            .rev()
        {
            *i += 1;
            if *i < extent {
                self.offset += stride as isize;
                break;
            }
            *i = 0;
            self.offset -= (extent - 1) as isize * stride as isize;
        }
        Some(place)
    }
}

impl<'a, T: Element> Iterator for Iter<'a, T> {
    type Item = &'a T;

    #[inline]
    fn next(&mut self) -> Option<&'a T> {
        // SAFETY: the place of an element, which nothing writes for 'a.
        self.next_place().map(|place| unsafe { &*place })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl<T: Element> ExactSizeIterator for Iter<'_, T> {}

impl<'a, T: Element> IntoIterator for Elements<'a, T> {
    type Item = &'a T;
    type IntoIter = Iter<'a, T>;

    fn into_iter(self) -> Iter<'a, T> {
        self.iter()
    }
}

impl<'a, T: Element> IntoIterator for &Elements<'a, T> {
    type Item = &'a T;
    type IntoIter = Iter<'a, T>;

    fn into_iter(self) -> Iter<'a, T> {
        self.iter()
    }
}

impl<'a, T: Element> Elements<'a, T> {
    /// Iterate over the elements in row-major order, independent of their order in memory.
    pub fn iter(&self) -> Iter<'a, T> {
        Iter::new(*self)
    }

    /// Copy the elements into a vector, in row-major order.
    pub fn to_vec(&self) -> Vec<T> {
        match self.as_slice() {
            Some(slice) => slice.to_vec(),
            None => self.iter().copied().collect(),
        }
    }
}

impl<T: Element> ElementsMut<'_, T> {
    /// Visit the elements for writing, in row-major order.
    pub fn for_each(&mut self, mut visit: impl FnMut(&mut T)) {
        let mut places = self.elements().iter();
        while let Some(place) = places.next_place() {
            // SAFETY: the place of an element; the reference ends before the next begins.
            visit(unsafe { &mut *place });
        }
    }

    /// Set all elements.
    pub fn fill(&mut self, value: T) {
        match self.as_mut_slice() {
            Some(slice) => slice.fill(value),
            None => self.for_each(|element| *element = value),
        }
    }
}
