// SPDX-License-Identifier: Apache-2.0
//! Iteration over elements.

use crate::{Element, Elements};
use std::iter::FusedIterator;
use std::marker::PhantomData;
use std::ops::Range;

/// A walk over the places of elements in row-major order, from both ends.
///
/// It takes the elements in runs of equal distance, as long as the strides allow: a dense tensor is one run.
#[derive(Clone, Debug)]
pub(crate) struct Walk<'a, T> {
    front: Run<T>,
    back: Run<T>,
    runs: Range<usize>, // between the two
    first: *mut T,
    length: usize, // of each run
    step: isize,
    axes: (&'a [i64], &'a [i64]), // extents and strides of the axes outside the runs
}

/// What is left of a run.
#[derive(Clone, Debug)]
struct Run<T> {
    at: *mut T,
    left: usize,
}

impl<'a, T: Element> Walk<'a, T> {
    pub(crate) fn new(elements: &Elements<'a, T>) -> Walk<'a, T> {
        let (shape, strides, first) = (elements.shape(), elements.strides(), elements.first());
        let (mut outer, mut length, mut step) = (shape.len(), 1usize, 1isize);
        while outer > 0 && !elements.is_empty() {
            let (extent, stride) = (shape[outer - 1] as usize, strides[outer - 1] as isize);
            if extent > 1 {
                if length == 1 {
                    step = stride;
                } else if Some(stride) != step.checked_mul(length as isize) {
                    break;
                }
                length *= extent;
            }
            outer -= 1;
        }
        let left = if elements.is_empty() { 0 } else { length };
        Walk {
            front: Run { at: first, left },
            back: Run { at: first, left: 0 },
            runs: 1..(elements.len() / length).max(1),
            first,
            length,
            step,
            axes: (&shape[..outer], &strides[..outer]),
        }
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.front.left + self.back.left + self.runs.len() * self.length
    }

    #[inline]
    pub(crate) fn next_place(&mut self) -> Option<*mut T> {
        if self.front.left == 0 && !self.refill() {
            return None;
        }
        let place = self.front.at;
        self.front.left -= 1;
        self.front.at = place.wrapping_offset(self.step);
        Some(place)
    }

    #[inline]
    pub(crate) fn next_back_place(&mut self) -> Option<*mut T> {
        if self.back.left == 0 && !self.refill_back() {
            return None;
        }
        self.back.left -= 1;
        Some(self.back.at.wrapping_offset(self.back.left as isize * self.step))
    }

    /// Visit the places that are left.
    #[inline]
    pub(crate) fn for_each_place(mut self, mut visit: impl FnMut(*mut T)) {
        while let Some(run) = self.next_run() {
            for i in 0..run.left as isize {
                visit(run.at.wrapping_offset(i * self.step));
            }
        }
    }

    #[inline]
    fn next_run(&mut self) -> Option<Run<T>> {
        if self.front.left == 0 && !self.refill() {
            return None;
        }
        let at = self.front.at;
        let left = std::mem::take(&mut self.front.left);
        Some(Run { at, left })
    }

    #[cold]
    fn refill(&mut self) -> bool {
        match self.runs.next() {
            Some(number) => self.front = self.run(number),
            None => std::mem::swap(&mut self.front, &mut self.back),
        }
        self.front.left > 0
    }

    #[cold]
    fn refill_back(&mut self) -> bool {
        match self.runs.next_back() {
            Some(number) => self.back = self.run(number),
            None => std::mem::swap(&mut self.front, &mut self.back),
        }
        self.back.left > 0
    }

    /// A run by its number in row-major order.
    fn run(&self, number: usize) -> Run<T> {
        let (shape, strides) = self.axes;
        let (mut rest, mut offset) = (number, 0isize);
        for (&extent, &stride) in shape.iter().zip(strides).rev() {
            if extent > 1 {
                offset += (rest % extent as usize) as isize * stride as isize;
                rest /= extent as usize;
            }
        }
        Run {
            at: self.first.wrapping_offset(offset),
            left: self.length,
        }
    }
}

/// An iterator over the elements of a tensor, by value, in row-major order, from both ends.
#[derive(Clone, Debug)]
pub struct Iter<'a, T: Element> {
    walk: Walk<'a, T>,
    is_foreign: bool,
    _reads: PhantomData<&'a [T]>,
}

// SAFETY: like `&[T]`; Element is Sync.
unsafe impl<T: Element> Send for Iter<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Element> Sync for Iter<'_, T> {}

impl<T: Element> Iter<'_, T> {
    /// # Safety
    /// The place of an element, which no other thread writes meanwhile.
    #[inline(always)]
    unsafe fn read(&self, place: *mut T) -> T {
        if self.is_foreign {
            // SAFETY: the caller promises it. The compiler must not read twice what foreign code may change.
            return unsafe { place.read_volatile() };
        }
        // SAFETY: the caller promises it.
        unsafe { place.read() }
    }
}

impl<T: Element> Iterator for Iter<'_, T> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        // SAFETY: the place of an element, which no other thread writes meanwhile.
        self.walk.next_place().map(|place| unsafe { self.read(place) })
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.walk.len(), Some(self.walk.len()))
    }

    #[inline]
    fn count(self) -> usize {
        self.walk.len()
    }

    #[inline]
    fn last(mut self) -> Option<T> {
        self.next_back()
    }

    /// Run by run, so that the compiler sees plain loops.
    #[inline]
    fn fold<B, F: FnMut(B, T) -> B>(mut self, init: B, mut f: F) -> B {
        let (step, mut folded) = (self.walk.step, init);
        while let Some(Run { at, left }) = self.walk.next_run() {
            if step == 1 && !self.is_foreign {
                // Not a slice, which `f` could invalidate: it may call foreign code that writes an export.
                for i in 0..left {
                    // SAFETY: the place of an element, which no other thread writes meanwhile.
                    folded = f(folded, unsafe { at.add(i).read() });
                }
            } else {
                for i in 0..left as isize {
                    // SAFETY: the place of an element, which no other thread writes meanwhile.
                    folded = f(folded, unsafe { self.read(at.wrapping_offset(i * step)) });
                }
            }
        }
        folded
    }
}

impl<T: Element> DoubleEndedIterator for Iter<'_, T> {
    #[inline]
    fn next_back(&mut self) -> Option<T> {
        // SAFETY: the place of an element, which no other thread writes meanwhile.
        self.walk.next_back_place().map(|place| unsafe { self.read(place) })
    }
}

impl<T: Element> ExactSizeIterator for Iter<'_, T> {}

impl<T: Element> FusedIterator for Iter<'_, T> {}

impl<'a, T: Element> IntoIterator for Elements<'a, T> {
    type Item = T;
    type IntoIter = Iter<'a, T>;

    fn into_iter(self) -> Iter<'a, T> {
        self.iter()
    }
}

impl<'a, T: Element> IntoIterator for &Elements<'a, T> {
    type Item = T;
    type IntoIter = Iter<'a, T>;

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
    pub fn iter(&self) -> Iter<'a, T> {
        Iter {
            walk: Walk::new(self),
            is_foreign: self.is_foreign(),
            _reads: PhantomData,
        }
    }

    /// Copy the elements into a vector, in row-major order.
    pub fn to_vec(&self) -> Vec<T> {
        let Ok(slice) = self.slice() else {
            return self.iter().collect();
        };
        let mut copy = Vec::with_capacity(slice.len());
        // SAFETY: the elements lie in a row, nothing writes them meanwhile, and there is room for them.
        unsafe {
            std::ptr::copy_nonoverlapping(slice.as_ptr().cast::<T>(), copy.as_mut_ptr(), slice.len());
            copy.set_len(slice.len());
        }
        copy
    }
}
