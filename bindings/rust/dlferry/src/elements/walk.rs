// SPDX-License-Identifier: Apache-2.0
//! Places of elements in row-major order.

use crate::{Element, Elements};

/// A walk over the places of elements in row-major order, from both ends.
///
/// It takes the elements in runs of equal distance, as long as the strides allow: a dense tensor is one run.
#[derive(Clone, Debug)]
pub(crate) struct Walk<'a, T> {
    front: Run<T>,
    back: Run<T>,
    rest: Rest<'a, T>,
}

/// The elements that are left of a run.
#[derive(Clone, Copy, Debug)]
struct Run<T> {
    at: *mut T,
    left: usize,
}

/// The runs between the two ends, by their numbers in row-major order.
#[derive(Clone, Copy, Debug)]
struct Rest<'a, T> {
    begin: usize,
    end: usize,
    first: *mut T,
    length: usize, // of each run
    step: isize,
    shape: &'a [i64], // of the axes outside the runs
    strides: &'a [i64],
}

impl<'a, T: Element> Walk<'a, T> {
    #[inline]
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
            rest: Rest {
                begin: 1,
                end: if left == 0 { 1 } else { elements.len() / length },
                first,
                length,
                step,
                shape: &shape[..outer],
                strides: &strides[..outer],
            },
        }
    }

    /// Tell whether all elements are one run without gaps.
    #[inline]
    pub(crate) fn is_dense(&self) -> bool {
        self.rest.step == 1 && self.rest.begin == self.rest.end
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.front.left + self.back.left + (self.rest.end - self.rest.begin) * self.rest.length
    }

    #[inline]
    pub(crate) fn next_place(&mut self) -> Option<*mut T> {
        if self.front.left == 0 {
            (self.front, self.rest, self.back) = refill(self.rest, self.back);
            if self.front.left == 0 {
                return None;
            }
        }
        let place = self.front.at;
        self.front.left -= 1;
        self.front.at = place.wrapping_offset(self.rest.step);
        Some(place)
    }

    #[inline]
    pub(crate) fn next_back_place(&mut self) -> Option<*mut T> {
        if self.back.left == 0 {
            (self.back, self.rest, self.front) = refill_back(self.rest, self.front);
            if self.back.left == 0 {
                return None;
            }
        }
        self.back.left -= 1;
        Some(self.back.at.wrapping_offset(self.back.left as isize * self.rest.step))
    }

    /// Take the next run: its first place, its length, and the distance between places.
    #[inline]
    pub(crate) fn next_run(&mut self) -> Option<(*mut T, usize, isize)> {
        if self.front.left == 0 {
            (self.front, self.rest, self.back) = refill(self.rest, self.back);
        }
        let Run { at, left } = self.front;
        self.front.left = 0;
        (left > 0).then_some((at, left, self.rest.step))
    }

    /// Visit the places that are left.
    #[inline]
    pub(crate) fn for_each_place(mut self, mut visit: impl FnMut(*mut T)) {
        while let Some((at, left, step)) = self.next_run() {
            for i in 0..left as isize {
                visit(at.wrapping_offset(i * step));
            }
        }
    }
}

/// The next run from the front; the last one is what is left at the back. By value, so that a loop keeps what it uses in
/// registers.
#[inline(never)]
fn refill<T: Element>(mut rest: Rest<'_, T>, back: Run<T>) -> (Run<T>, Rest<'_, T>, Run<T>) {
    if rest.begin == rest.end {
        return (back, rest, Run { at: back.at, left: 0 });
    }
    let run = rest.run(rest.begin);
    rest.begin += 1;
    (run, rest, back)
}

/// The next run from the back; the last one is what is left at the front.
#[inline(never)]
fn refill_back<T: Element>(mut rest: Rest<'_, T>, front: Run<T>) -> (Run<T>, Rest<'_, T>, Run<T>) {
    if rest.begin == rest.end {
        return (front, rest, Run { at: front.at, left: 0 });
    }
    rest.end -= 1;
    (rest.run(rest.end), rest, front)
}

impl<T> Rest<'_, T> {
    fn run(&self, number: usize) -> Run<T> {
        let (mut number, mut offset) = (number, 0isize);
        for (&extent, &stride) in self.shape.iter().zip(self.strides).rev() {
            if extent > 1 {
                offset += (number % extent as usize) as isize * stride as isize;
                number /= extent as usize;
            }
        }
        Run {
            at: self.first.wrapping_offset(offset),
            left: self.length,
        }
    }
}
