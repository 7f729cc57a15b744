// SPDX-License-Identifier: Apache-2.0
//! Arrays of the crate ndarray as tensors and arguments, and tensors as its views.

use crate::error::{Error, Result};
use crate::lend::{Lent, Slot};
use crate::{flags, Arg, ArgMut, Device, Element, Elements, ElementsMut, ErrorKind, Tensor};
use ndarray::{Array, ArrayBase, ArrayRef, ArrayView, ArrayViewD, ArrayViewMut, ArrayViewMutD, Axis, Data, DataMut};
use ndarray::{Dimension, IxDyn, ShapeBuilder};

#[cfg(not(target_pointer_width = "64"))]
compile_error!("feature `ndarray` reads usize and isize as i64");

/// Extents and strides as C counts them: the same bits.
fn lists<T, D: Dimension>(array: &ArrayRef<T, D>) -> (*const i64, *const i64) {
    (array.shape().as_ptr().cast(), array.strides().as_ptr().cast())
}

impl<T: Element, D: Dimension> Arg for ArrayRef<T, D> {
    #[inline]
    fn lend<'a>(&'a self, slot: &'a mut Slot) -> Lent<'a> {
        let (shape, strides) = lists(self);
        // SAFETY: an array keeps ndim extents and strides and its elements, borrowed for 'a.
        unsafe { slot.fill(self.as_ptr(), self.ndim(), shape, strides, flags::READ_ONLY) }
    }
}

impl<T: Element, D: Dimension> ArgMut for ArrayRef<T, D> {
    #[inline]
    fn lend_mut<'a>(&'a mut self, slot: &'a mut Slot) -> Lent<'a> {
        let data = self.as_mut_ptr();
        let (shape, strides) = lists(self);
        // SAFETY: an array keeps ndim extents and strides and its elements, borrowed alone for 'a.
        unsafe { slot.fill(data, self.ndim(), shape, strides, 0) }
    }
}

impl<T: Element, S: Data<Elem = T>, D: Dimension> Arg for ArrayBase<S, D> {
    #[inline]
    fn lend<'a>(&'a self, slot: &'a mut Slot) -> Lent<'a> {
        (**self).lend(slot)
    }
}

impl<T: Element, S: DataMut<Elem = T>, D: Dimension> ArgMut for ArrayBase<S, D> {
    #[inline]
    fn lend_mut<'a>(&'a mut self, slot: &'a mut Slot) -> Lent<'a> {
        (**self).lend_mut(slot)
    }
}

/// A tensor around the array's own memory, with its strides.
impl<T: Element, D: Dimension + 'static> TryFrom<Array<T, D>> for Tensor {
    type Error = Error;

    #[doc(alias = "dlf_wrap")]
    fn try_from(mut array: Array<T, D>) -> Result<Tensor> {
        let shape: Vec<i64> = array.shape().iter().map(|&extent| extent as i64).collect();
        let strides: Vec<i64> = array.strides().iter().map(|&stride| stride as i64).collect();
        let data = array.as_mut_ptr().cast();
        // SAFETY: the elements are on the heap and stay there when the array moves; no other code reaches them.
        unsafe { Tensor::wrap_raw(data, T::DTYPE, &shape, Some(&strides), Device::CPU, 0, array) }
    }
}

impl<'a, T: Element> Elements<'a, T> {
    /// Return the same elements as an ndarray view.
    ///
    /// # Errors
    /// [`Overflow`](ErrorKind::Overflow) for an empty tensor whose other extents ndarray cannot hold.
    pub fn ndarray(&self) -> Result<ArrayViewD<'a, T>> {
        let plan = Plan::new(self);
        if self.is_empty() {
            return ArrayView::from_shape(plan.shape, &[]).map_err(overflow);
        }
        // SAFETY: the strides are those of the elements, made non-negative, from the lowest element: all in its memory,
        // which nothing writes for 'a. The elements are aligned, and neither they nor their span exceed isize.
        let mut array =
            unsafe { ArrayView::from_shape_ptr(plan.shape.strides(plan.strides), self.first().offset(plan.low)) };
        plan.backwards.iter().for_each(|&axis| array.invert_axis(axis));
        Ok(array)
    }
}

impl<'a, T: Element> ElementsMut<'a, T> {
    /// Return the same elements as an ndarray view, for writing.
    ///
    /// # Errors
    /// [`Layout`](ErrorKind::Layout) unless the strides show that no two indices share an element, and those of
    /// [`Elements::ndarray`].
    pub fn into_ndarray(self) -> Result<ArrayViewMutD<'a, T>> {
        let elements = self.into_elements();
        let plan = Plan::new(&elements);
        if elements.is_empty() {
            return ArrayViewMut::from_shape(plan.shape, &mut []).map_err(overflow);
        }
        if !plan.is_injective() {
            let text = format!(
                "look: expected strides that repeat no element, got {:?}",
                elements.strides()
            );
            return Err(Error::new(ErrorKind::Layout, text));
        }
        let first = elements.first();
        // SAFETY: as above; nothing else touches the elements for 'a, and each has one index.
        let mut array =
            unsafe { ArrayViewMut::from_shape_ptr(plan.shape.strides(plan.strides), first.offset(plan.low)) };
        plan.backwards.iter().for_each(|&axis| array.invert_axis(axis));
        Ok(array)
    }
}

/// An array or a view of the wrong dimensions, so that `into_dimensionality` works with `?`.
impl From<ndarray::ShapeError> for Error {
    fn from(error: ndarray::ShapeError) -> Error {
        let kind = match error.kind() {
            ndarray::ErrorKind::OutOfBounds => ErrorKind::Bounds,
            ndarray::ErrorKind::Overflow => ErrorKind::Overflow,
            _ => ErrorKind::Shape,
        };
        Error::new(kind, format!("ndarray: {error}"))
    }
}

fn overflow(error: ndarray::ShapeError) -> Error {
    Error::new(
        ErrorKind::Overflow,
        format!("look: expected extents that ndarray can hold, got {error}"),
    )
}

/// How ndarray, which needs non-negative strides, reaches elements: the axes to reverse, and the lowest element.
struct Plan {
    shape: IxDyn,
    strides: IxDyn,
    backwards: Vec<Axis>,
    low: isize,
}

impl Plan {
    fn new<T: Element>(elements: &Elements<'_, T>) -> Plan {
        let extents: Vec<usize> = elements.shape().iter().map(|&extent| extent as usize).collect();
        let mut plan = Plan {
            shape: IxDyn(&extents),
            strides: IxDyn(&extents),
            backwards: Vec::new(),
            low: 0,
        };
        for (axis, (&extent, &stride)) in extents.iter().zip(elements.strides()).enumerate() {
            let moves = extent > 1; // else the stride is never used and unbounded
            plan.strides[axis] = if moves { stride.unsigned_abs() as usize } else { 0 };
            if moves && stride < 0 && !elements.is_empty() {
                plan.backwards.push(Axis(axis));
                plan.low += (extent as isize - 1) * stride as isize;
            }
        }
        plan
    }

    /// True if each axis steps over everything that the axes with smaller strides span.
    fn is_injective(&self) -> bool {
        let mut axes: Vec<(usize, usize)> = (0..self.shape.ndim())
            .map(|a| (self.strides[a], self.shape[a]))
            .filter(|&(_, extent)| extent > 1)
            .collect();
        axes.sort_unstable();
        let mut span = 0;
        axes.into_iter().all(|(stride, extent)| {
            let steps_over = stride > span;
            span += stride * (extent - 1); // inside the tensor's memory
            steps_over
        })
    }
}
