// SPDX-License-Identifier: Apache-2.0
//! Iteration over elements.

use super::walk::Walk;
use crate::{Element, Elements};
use std::iter::FusedIterator;
use std::marker::PhantomData;

/// An iterator over the elements of a tensor, by value, in row-major order, from both ends.
#[derive(Clone, Debug)]
pub struct Iter<'a, T: Element> {
    /// What never changes lies apart, so that the compiler makes a loop over dense elements of its own.
    is_dense: bool,
    /// The rest of dense elements. Not a slice, which others could invalidate: a program may call foreign code between
    /// two elements, and that code may write the memory.
    at: *mut T,
    end: *mut T,
    /// The rest of others.
    walk: Walk<'a, T>,
    _reads: PhantomData<&'a [T]>,
}

// SAFETY: like `&[T]`; Element is Sync.
unsafe impl<T: Element> Send for Iter<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Element> Sync for Iter<'_, T> {}

impl<'a, T: Element> Iter<'a, T> {
    fn new(elements: &Elements<'a, T>) -> Iter<'a, T> {
        let walk = Walk::new(elements);
        Iter {
            is_dense: walk.is_dense(),
            at: elements.first(),
            end: elements.first().wrapping_add(elements.len()),
            walk,
            _reads: PhantomData,
        }
    }
}

impl<T: Element> Iterator for Iter<'_, T> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        if self.is_dense {
            if self.at == self.end {
                return None;
            }
            let place = self.at;
            self.at = place.wrapping_add(1);
            // SAFETY: the place of an element, which no other thread writes meanwhile.
            return Some(unsafe { place.read() });
        }
        let place = self.walk.next_place()?;
        // SAFETY: as above.
        Some(unsafe { place.read() })
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = if self.is_dense {
            (self.end as usize - self.at as usize) / size_of::<T>()
        } else {
            self.walk.len()
        };
        (left, Some(left))
    }

    #[inline]
    fn count(self) -> usize {
        self.len()
    }

    #[inline]
    fn last(mut self) -> Option<T> {
        self.next_back()
    }

    /// Run by run, so that the compiler sees plain loops.
    #[inline]
    fn fold<B, F: FnMut(B, T) -> B>(mut self, init: B, mut f: F) -> B {
        let mut folded = init;
        if self.is_dense {
            for i in 0..self.len() {
                // SAFETY: the place of an element, which no other thread writes meanwhile.
                folded = f(folded, unsafe { self.at.wrapping_add(i).read() });
            }
            return folded;
        }
        while let Some((at, left, step)) = self.walk.next_run() {
            for i in 0..left as isize {
                // SAFETY: as above.
                folded = f(folded, unsafe { at.wrapping_offset(i * step).read() });
            }
        }
        folded
    }
}

impl<T: Element> DoubleEndedIterator for Iter<'_, T> {
    #[inline]
    fn next_back(&mut self) -> Option<T> {
        if self.is_dense {
            if self.at == self.end {
                return None;
            }
            self.end = self.end.wrapping_sub(1);
            // SAFETY: the place of an element, which no other thread writes meanwhile.
            return Some(unsafe { self.end.read() });
        }
        let place = self.walk.next_back_place()?;
        // SAFETY: as above.
        Some(unsafe { place.read() })
    }
}

impl<T: Element> ExactSizeIterator for Iter<'_, T> {}

impl<T: Element> FusedIterator for Iter<'_, T> {}

impl<'a, T: Element> IntoIterator for Elements<'a, T> {
    type Item = T;
    type IntoIter = Iter<'a, T>;

    #[inline]
    fn into_iter(self) -> Iter<'a, T> {
        self.iter()
    }
}

impl<'a, T: Element> IntoIterator for &Elements<'a, T> {
    type Item = T;
    type IntoIter = Iter<'a, T>;

    #[inline]
    fn into_iter(self) -> Iter<'a, T> {
        self.iter()
    }
}

impl<'a, T: Element> Elements<'a, T> {
    /// Iterate over the elements in row-major order, independent of their order in memory.
    ///
    /// ```
    /// let t = dlferry::Tensor::wrap(vec![1i32, 2, 3, 4, 5, 6], &[2, 3])?.permute(&[1, 0])?;
    /// let mut elements = t.elements::<i32>()?.iter();
    /// assert_eq!((elements.next(), elements.next_back(), elements.len()), (Some(1), Some(6), 4));
    /// assert!(elements.eq([4, 2, 5, 3]));
    /// # Ok::<(), dlferry::Error>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn iter(&self) -> Iter<'a, T> {
        Iter::new(self)
    }

    /// Copy the elements into a vector, in row-major order.
    #[must_use]
    pub fn to_vec(&self) -> Vec<T> {
        let Ok(slice) = self.slice() else {
            return self.iter().collect();
        };
        let mut copy = Vec::with_capacity(slice.len());
        // SAFETY: the elements lie in a row, no other thread writes them meanwhile, and there is room for them.
        unsafe {
            std::ptr::copy_nonoverlapping(slice.cast::<T>(), copy.as_mut_ptr(), slice.len());
            copy.set_len(slice.len());
        }
        copy
    }
}
