// SPDX-License-Identifier: Apache-2.0
//! Views: the same elements with another shape, without copying.

use crate::error::Result;
use crate::object::views;
use crate::{ffi, DType, LocalTensor, Tensor};
use std::ops::{Range, RangeFull};

/// An item of [`Tensor::index`]: what it takes of the next axis, or a new axis.
///
/// An `i64` is [`One`](IndexItem::One), a range like `1..3` is [`Range`](IndexItem::Range), and `..` is
/// [`All`](IndexItem::All).
#[doc(alias = "dlf_index_item")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexItem {
    /// A whole axis.
    All,
    /// A range of an axis, as in [`Tensor::slice`].
    Range {
        /// First index taken.
        start: i64,
        /// Number of indices.
        count: i64,
        /// Distance between them; may be negative.
        step: i64,
    },
    /// One index of an axis, which disappears.
    One(i64),
    /// A new axis of extent 1.
    New,
}

impl From<i64> for IndexItem {
    fn from(index: i64) -> IndexItem {
        IndexItem::One(index)
    }
}

impl From<RangeFull> for IndexItem {
    fn from(_: RangeFull) -> IndexItem {
        IndexItem::All
    }
}

impl From<Range<i64>> for IndexItem {
    fn from(range: Range<i64>) -> IndexItem {
        IndexItem::Range {
            start: range.start,
            count: range.end.saturating_sub(range.start),
            step: 1,
        }
    }
}

/// Collect the view that a function of the hub makes from `self`.
macro_rules! view {
    ($self:ident, $function:ident $(, $argument:expr)*) => {
        // SAFETY: self and the lists live for the call; success gives a handle, which keeps the memory.
        unsafe { Tensor::make($self.memory(), |out, error| ffi::$function($self.raw(), $($argument,)* out, error)) }
    };
}

/// An axis for C, which refuses any that no tensor has.
fn axis_of(axis: usize) -> i64 {
    i64::try_from(axis).unwrap_or(i64::MAX)
}

/// Views keep the memory alive, so they may outlive this tensor; they have its flags.
impl Tensor {
    /// Select `count` indices of an axis, from `start`, `step` apart; `step` may be negative.
    ///
    /// ```
    /// let t = dlferry::Tensor::from(vec![0i32, 1, 2, 3, 4, 5]);
    /// assert_eq!(t.slice(0, 5, 3, -2)?.elements::<i32>()?.to_vec(), [5, 3, 1]);
    /// # Ok::<(), dlferry::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Bounds`](crate::ErrorKind::Bounds), [`Invalid`](crate::ErrorKind::Invalid) for a step of 0, or
    /// [`Layout`](crate::ErrorKind::Layout) if packed sub-byte elements would not start on a byte.
    #[doc(alias = "dlf_slice")]
    pub fn slice(&self, axis: usize, start: i64, count: i64, step: i64) -> Result<Tensor> {
        view!(self, dlf_slice, axis_of(axis), start, count, step)
    }

    /// Take one index of an axis, which disappears.
    ///
    /// ```
    /// let t = dlferry::Tensor::wrap(vec![0i32, 1, 2, 3, 4, 5], &[2, 3])?;
    /// assert_eq!(t.select(1, 2)?.elements::<i32>()?.to_vec(), [2, 5]);
    /// # Ok::<(), dlferry::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Bounds`](crate::ErrorKind::Bounds), or [`Layout`](crate::ErrorKind::Layout) like [`Tensor::slice`].
    #[doc(alias = "dlf_select")]
    pub fn select(&self, axis: usize, index: i64) -> Result<Tensor> {
        view!(self, dlf_select, axis_of(axis), index)
    }

    /// Select along several axes at once. Each item takes the next axis or adds one; the axes after the last item stay
    /// whole.
    ///
    /// ```
    /// use dlferry::IndexItem;
    ///
    /// let t = dlferry::Tensor::wrap((0..12i32).collect::<Vec<_>>(), &[3, 4])?;
    /// let view = t.index(&[2.into(), IndexItem::New, (1..3).into()])?;
    /// assert_eq!((view.shape(), view.elements::<i32>()?.to_vec()), (&[1, 2][..], vec![9, 10]));
    /// # Ok::<(), dlferry::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::slice`], [`Tensor::select`] and [`Tensor::unsqueeze`].
    #[doc(alias = "dlf_index")]
    pub fn index(&self, items: &[IndexItem]) -> Result<Tensor> {
        let mut extents = self.shape().iter();
        let items: Vec<_> = items.iter().map(|item| item.raw(&mut extents)).collect();
        view!(self, dlf_index, items.as_ptr(), items.len() as i64)
    }

    /// Reorder the axes: axis `i` of the view is axis `axes[i]` of this tensor.
    ///
    /// ```
    /// let t = dlferry::Tensor::wrap(vec![0i32, 1, 2, 3, 4, 5], &[2, 3])?;
    /// assert_eq!(t.permute(&[1, 0])?.elements::<i32>()?.to_vec(), [0, 3, 1, 4, 2, 5]);
    /// # Ok::<(), dlferry::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Bounds`](crate::ErrorKind::Bounds), or [`Invalid`](crate::ErrorKind::Invalid) unless each axis is named once.
    #[doc(alias = "dlf_permute")]
    pub fn permute(&self, axes: &[usize]) -> Result<Tensor> {
        let mut list = [0i64; ffi::DLF_MAX_NDIM as usize]; // C does not read a list of the wrong length
        list.iter_mut().zip(axes).for_each(|(to, &axis)| *to = axis_of(axis));
        view!(self, dlf_permute, list.as_ptr(), axes.len() as i64)
    }

    /// Regroup the elements in row-major order of their indices. One extent may be -1, and is computed.
    ///
    /// ```
    /// let t = dlferry::Tensor::from(vec![0i32, 1, 2, 3, 4, 5]).reshape(&[2, -1])?;
    /// assert_eq!(t.shape(), [2, 3]);
    /// # Ok::<(), dlferry::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Layout`](crate::ErrorKind::Layout) if that would need a copy, [`Shape`](crate::ErrorKind::Shape) for another
    /// number of elements, [`Invalid`](crate::ErrorKind::Invalid), or [`Overflow`](crate::ErrorKind::Overflow).
    #[doc(alias = "dlf_reshape")]
    pub fn reshape(&self, shape: &[i64]) -> Result<Tensor> {
        view!(self, dlf_reshape, shape.as_ptr(), shape.len() as i64)
    }

    /// Repeat axes of extent 1, and add axes in front. The repeated axes have a stride of 0.
    ///
    /// ```
    /// let t = dlferry::Tensor::from(vec![1i32, 2]).broadcast(&[3, 2])?;
    /// assert_eq!((t.strides(), t.elements::<i32>()?.to_vec()), (&[0, 1][..], vec![1, 2, 1, 2, 1, 2]));
    /// # Ok::<(), dlferry::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Shape`](crate::ErrorKind::Shape) if an extent is neither 1 nor the requested one,
    /// [`Invalid`](crate::ErrorKind::Invalid), or [`Overflow`](crate::ErrorKind::Overflow).
    #[doc(alias = "dlf_broadcast")]
    pub fn broadcast(&self, shape: &[i64]) -> Result<Tensor> {
        view!(self, dlf_broadcast, shape.as_ptr(), shape.len() as i64)
    }

    /// Drop an axis of extent 1.
    ///
    /// ```
    /// let t = dlferry::Tensor::create(dlferry::DType::F32, &[2, 1, 3])?;
    /// assert_eq!(t.squeeze(1)?.shape(), [2, 3]);
    /// # Ok::<(), dlferry::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Bounds`](crate::ErrorKind::Bounds), or [`Shape`](crate::ErrorKind::Shape) for another extent.
    #[doc(alias = "dlf_squeeze")]
    pub fn squeeze(&self, axis: usize) -> Result<Tensor> {
        view!(self, dlf_squeeze, axis_of(axis))
    }

    /// Add an axis of extent 1 at this place in the view, from 0 to `ndim`.
    ///
    /// ```
    /// let t = dlferry::Tensor::create(dlferry::DType::F32, &[2, 3])?;
    /// assert_eq!(t.unsqueeze(2)?.shape(), [2, 3, 1]);
    /// # Ok::<(), dlferry::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Bounds`](crate::ErrorKind::Bounds), or [`Invalid`](crate::ErrorKind::Invalid) if no further axis fits.
    #[doc(alias = "dlf_unsqueeze")]
    pub fn unsqueeze(&self, axis: usize) -> Result<Tensor> {
        view!(self, dlf_unsqueeze, axis_of(axis))
    }

    /// Reverse an axis.
    ///
    /// ```
    /// let t = dlferry::Tensor::from(vec![1i32, 2, 3]).flip(0)?;
    /// assert_eq!(t.elements::<i32>()?.to_vec(), [3, 2, 1]);
    /// # Ok::<(), dlferry::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Bounds`](crate::ErrorKind::Bounds), or [`Layout`](crate::ErrorKind::Layout) like [`Tensor::slice`].
    #[doc(alias = "dlf_flip")]
    pub fn flip(&self, axis: usize) -> Result<Tensor> {
        view!(self, dlf_flip, axis_of(axis))
    }

    /// Read the same bytes as another dtype. With another width the last axis, which must be dense, shrinks or grows.
    ///
    /// ```
    /// let t = dlferry::Tensor::from(vec![1.0f32, -2.0]).bitcast(dlferry::DType::U32)?;
    /// assert_eq!(t.elements::<u32>()?.to_vec(), [0x3f80_0000, 0xc000_0000]);
    /// # Ok::<(), dlferry::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Dtype`](crate::ErrorKind::Dtype), [`Layout`](crate::ErrorKind::Layout) if the last axis is not dense or a
    /// stride does not divide, [`Shape`](crate::ErrorKind::Shape) if its extent does not, or
    /// [`Overflow`](crate::ErrorKind::Overflow).
    #[doc(alias = "dlf_bitcast")]
    pub fn bitcast(&self, dtype: DType) -> Result<Tensor> {
        view!(self, dlf_bitcast, dtype.raw())
    }

    /// Turn the last axis into lanes: `float32[n, 4]` into `float32x4[n]`.
    ///
    /// ```
    /// let t = dlferry::Tensor::create(dlferry::DType::F32, &[2, 4])?.pack_lanes()?;
    /// assert_eq!((t.dtype().to_string().as_str(), t.shape()), ("float32x4", &[2][..]));
    /// # Ok::<(), dlferry::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Layout`](crate::ErrorKind::Layout) if the last axis is not dense or another stride does not divide,
    /// [`Shape`](crate::ErrorKind::Shape) if its extent does not fit lanes, or [`Dtype`](crate::ErrorKind::Dtype) if
    /// there are lanes already.
    #[doc(alias = "dlf_pack_lanes")]
    pub fn pack_lanes(&self) -> Result<Tensor> {
        view!(self, dlf_pack_lanes)
    }

    /// Turn lanes into a last axis: `float32x4[n]` into `float32[n, 4]`.
    ///
    /// ```
    /// let t = dlferry::Tensor::create("float32x4".parse()?, &[2])?.unpack_lanes()?;
    /// assert_eq!(t.shape(), [2, 4]);
    /// # Ok::<(), dlferry::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Invalid`](crate::ErrorKind::Invalid) if no further axis fits,
    /// [`Unsupported`](crate::ErrorKind::Unsupported) for padded sub-byte lanes, or
    /// [`Overflow`](crate::ErrorKind::Overflow).
    #[doc(alias = "dlf_unpack_lanes")]
    pub fn unpack_lanes(&self) -> Result<Tensor> {
        view!(self, dlf_unpack_lanes)
    }
}

impl LocalTensor {
    views! {
        slice(axis: usize, start: i64, count: i64, step: i64);
        select(axis: usize, index: i64);
        index(items: &[IndexItem]);
        permute(axes: &[usize]);
        reshape(shape: &[i64]);
        broadcast(shape: &[i64]);
        squeeze(axis: usize);
        unsqueeze(axis: usize);
        flip(axis: usize);
        bitcast(dtype: DType);
        pack_lanes();
        unpack_lanes();
    }
}

impl IndexItem {
    /// The C structure. A whole axis takes its extent; C refuses an axis that does not exist.
    fn raw<'a>(self, extents: &mut impl Iterator<Item = &'a i64>) -> ffi::dlf_index_item {
        let mut extent = || extents.next().copied().unwrap_or(0);
        let (kind, start, count, step) = match self {
            IndexItem::New => (ffi::DLF_INDEX_NEW, 0, 0, 0),
            IndexItem::All => (ffi::DLF_INDEX_RANGE, 0, extent(), 1),
            IndexItem::One(index) => (ffi::DLF_INDEX_ONE, index, extent(), 1),
            IndexItem::Range { start, count, step } => {
                extent();
                (ffi::DLF_INDEX_RANGE, start, count, step)
            }
        };
        ffi::dlf_index_item {
            kind: kind as i32,
            reserved: 0,
            start,
            count,
            step,
        }
    }
}
