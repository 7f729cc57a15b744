// SPDX-License-Identifier: Apache-2.0
//! Arrays of the crate ndarray as tensors and arguments, and tensors as its views.

use crate::error::{Error, Result};
use crate::tensor::{Kept, Lent, Memory, Slot};
use crate::{ffi, flags, Arg, ArgMut, Device, Element, Elements, ElementsMut, ErrorKind, Tensor};
use ndarray::{ArcArray, Array, ArrayBase, ArrayRef, ArrayView, ArrayViewMut, Axis, Data, DataMut};
use ndarray::{Dimension, ShapeBuilder};

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

/// Describe an owner's array, for as long as the owner.
fn describe<T: Element, D: Dimension>(array: &ArrayRef<T, D>, data: *mut T) -> ffi::DLTensor {
    let (shape, strides) = lists(array);
    ffi::DLTensor {
        data: data.cast(),
        device: Device::CPU.raw(),
        ndim: i32::try_from(array.ndim()).unwrap_or(i32::MAX), // the hub refuses what is too large
        dtype: T::DTYPE.raw(),
        shape: shape.cast_mut(),
        strides: strides.cast_mut(),
        byte_offset: 0,
    }
}

/// A tensor around the array's own memory, with its strides.
impl<T: Element, D: Dimension + 'static> TryFrom<Array<T, D>> for Tensor {
    type Error = Error;

    #[doc(alias = "dlf_wrap")]
    fn try_from(array: Array<T, D>) -> Result<Tensor> {
        let mut kept = Kept::new(array);
        let array = kept.owner();
        let data = array.as_mut_ptr();
        let described = describe(array, data);
        // SAFETY: the elements are the array's, which no other code reaches.
        unsafe { kept.keep(Memory::Own, &described, T::FLAGS) }
    }
}

/// A tensor around the memory of a shared array, with its strides, which nothing may write.
impl<T: Element, D: Dimension + 'static> TryFrom<ArcArray<T, D>> for Tensor {
    type Error = Error;

    #[doc(alias = "dlf_wrap")]
    fn try_from(array: ArcArray<T, D>) -> Result<Tensor> {
        let mut kept = Kept::new(array);
        let array = kept.owner();
        let described = describe(array, array.as_ptr().cast_mut());
        // SAFETY: the elements are the array's, which is shared for reading: a writer would unshare it first.
        unsafe { kept.keep(Memory::Own, &described, flags::READ_ONLY | T::FLAGS) }
    }
}

impl<'a, T: Element> Elements<'a, T> {
    /// Return the same elements as an ndarray view, if Rust allocated them and nothing else refers to them.
    ///
    /// The view has as many dimensions as `D`, such as `Ix2`, or any number with `IxDyn`. Negative strides become axes
    /// that ndarray walks backwards. Up to 6 dimensions nothing is allocated, with `IxDyn` up to 4.
    ///
    /// ```
    /// use ndarray::Ix2;
    ///
    /// let t = dlferry::Tensor::wrap(vec![1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0], &[2, 3])?;
    /// let elements = t.elements::<f32>()?;
    /// let array = elements.ndarray::<Ix2>()?;
    /// assert_eq!(array.sum_axis(ndarray::Axis(0)).to_vec(), [5.0, 7.0, 9.0]);
    /// # Ok::<(), dlferry::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Invalid`](ErrorKind::Invalid) like [`Elements::as_slice`], [`Shape`](ErrorKind::Shape) for another number of
    /// dimensions, or [`Overflow`](ErrorKind::Overflow) for an empty tensor whose other extents ndarray cannot hold.
    #[doc(alias = "dlf_is_unique")]
    #[inline]
    pub fn ndarray<D: Dimension>(&self) -> Result<ArrayView<'a, T, D>> {
        self.check_lendable()?;
        // SAFETY: only the tensor reaches the elements, and it is borrowed for 'a: see Elements::as_slice().
        unsafe { self.ndarray_unchecked() }
    }

    /// Return the same elements as an ndarray view, even if others refer to them. Otherwise like [`Elements::ndarray`].
    ///
    /// # Safety
    /// For `'a` nothing writes the elements: no producer or consumer in any language, and no other handle.
    ///
    /// # Errors
    /// Those of [`Elements::ndarray`] except [`Invalid`](ErrorKind::Invalid).
    #[inline]
    pub unsafe fn ndarray_unchecked<D: Dimension>(&self) -> Result<ArrayView<'a, T, D>> {
        let plan = Plan::<D>::new(self)?;
        if self.is_empty() {
            return ArrayView::from_shape(plan.shape, &[]).map_err(overflow);
        }
        // SAFETY: the strides are those of the elements, made non-negative, from the lowest element: all in its memory,
        // which nothing writes for 'a. The elements are aligned, and neither they nor their span exceed isize.
        let mut array =
            unsafe { ArrayView::from_shape_ptr(plan.shape.strides(plan.strides), self.first().offset(plan.low)) };
        for axis in plan.backwards {
            array.invert_axis(axis);
        }
        Ok(array)
    }
}

impl<'a, T: Element> ElementsMut<'a, T> {
    /// Return the same elements as an ndarray view, for writing.
    ///
    /// # Errors
    /// [`Layout`](ErrorKind::Layout) unless each stride steps over all that smaller ones reach, which is how ndarray
    /// sees that no two indices share an element, and those of
    /// [`Elements::ndarray`].
    #[inline]
    pub fn into_ndarray<D: Dimension>(self) -> Result<ArrayViewMut<'a, T, D>> {
        let elements = self.into_elements();
        let plan = Plan::<D>::new(&elements)?;
        if elements.is_empty() {
            return ArrayViewMut::from_shape(plan.shape, &mut []).map_err(overflow);
        }
        if !plan.is_injective() {
            return Err(entangled(elements.strides()));
        }
        let first = elements.first();
        // SAFETY: as above; nothing else touches the elements for 'a, and each has one index.
        let mut array =
            unsafe { ArrayViewMut::from_shape_ptr(plan.shape.strides(plan.strides), first.offset(plan.low)) };
        for axis in plan.backwards {
            array.invert_axis(axis);
        }
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

#[cold]
fn overflow(error: ndarray::ShapeError) -> Error {
    Error::new(
        ErrorKind::Overflow,
        format!("elements: expected extents that ndarray can hold, got {error}"),
    )
}

#[cold]
fn entangled(strides: &[i64]) -> Error {
    let text = format!(
        "elements: expected strides that each step over all smaller ones, as ndarray writes them, got {strides:?}: pass \
         contiguous(Order::RowMajor)"
    );
    Error::new(ErrorKind::Layout, text)
}

#[cold]
fn wrong_dimensions(wanted: usize, got: usize) -> Error {
    let text = format!("elements: expected {wanted} dimensions, got {got}");
    Error::new(ErrorKind::Shape, text)
}

/// How ndarray, which needs non-negative strides, reaches elements: the axes to reverse, and the lowest element.
struct Plan<D> {
    shape: D,
    strides: D,
    backwards: Backwards,
    low: isize,
}

/// A set of axes, one bit for each.
#[derive(Clone, Copy)]
struct Backwards(u64);

const _: () = assert!(ffi::DLF_MAX_NDIM <= u64::BITS);

impl Iterator for Backwards {
    type Item = Axis;

    #[inline]
    fn next(&mut self) -> Option<Axis> {
        let axis = self.0.trailing_zeros();
        self.0 = self.0 & self.0.checked_sub(1)?;
        Some(Axis(axis as usize))
    }
}

impl<D: Dimension> Plan<D> {
    #[inline]
    fn new<T: Element>(elements: &Elements<'_, T>) -> Result<Plan<D>> {
        let (extents, strides) = (elements.shape(), elements.strides());
        let ndim = D::NDIM.unwrap_or(extents.len());
        if ndim != extents.len() {
            return Err(wrong_dimensions(ndim, extents.len()));
        }
        let mut plan = Plan {
            shape: D::zeros(ndim),
            strides: D::zeros(ndim),
            backwards: Backwards(0),
            low: 0,
        };
        let (into_shape, into_strides) = (plan.shape.slice_mut(), plan.strides.slice_mut());
        for axis in 0..ndim {
            let (extent, stride) = (extents[axis], strides[axis]);
            into_shape[axis] = extent as usize;
            // The stride of an axis that does not move is never used, and unbounded.
            into_strides[axis] = if extent > 1 { stride.unsigned_abs() as usize } else { 0 };
            if extent > 1 && stride < 0 && !elements.is_empty() {
                plan.backwards.0 |= 1 << axis;
                plan.low += (extent as isize - 1) * stride as isize;
            }
        }
        Ok(plan)
    }

    /// True if each axis steps over everything that the axes with smaller strides span.
    fn is_injective(&self) -> bool {
        let mut axes = [(0, 0); ffi::DLF_MAX_NDIM as usize];
        let mut count = 0;
        for (&stride, &extent) in self.strides.slice().iter().zip(self.shape.slice()) {
            if extent > 1 {
                axes[count] = (stride, extent);
                count += 1;
            }
        }
        let axes = &mut axes[..count];
        axes.sort_unstable();
        let mut span = 0;
        axes.iter().all(|&(stride, extent)| {
            let steps_over = stride > span;
            span += stride * (extent - 1); // inside the tensor's memory
            steps_over
        })
    }
}
