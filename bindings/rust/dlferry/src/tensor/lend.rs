// SPDX-License-Identifier: Apache-2.0
//! Arguments, lent to C for the length of a call.

use super::Memory;
use crate::{ffi, Device, Element, Tensor};
use std::borrow::Cow;
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::ptr::null_mut;
use std::rc::Rc;
use std::sync::Arc;

/// A value that a kernel can read as a tensor.
///
/// Your own type lends memory that it owns:
///
/// ```
/// use dlferry::arg::{Arg, Lent, Slot};
///
/// struct Image {
///     pixels: Vec<u8>,
///     shape: [i64; 3], // height, width, 3
///     strides: [i64; 3],
/// }
///
/// impl Arg for Image {
///     fn lend<'a>(&'a self, slot: &'a mut Slot) -> Lent<'a> {
///         let (data, shape, strides) = (self.pixels.as_ptr(), self.shape.as_ptr(), self.strides.as_ptr());
///         // SAFETY: the pixels fill the shape, and all are borrowed for 'a.
///         unsafe { slot.fill(data, 3, shape, strides, dlferry::flags::READ_ONLY) }
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read as a tensor",
    note = "tensors, their elements, slices, vectors and arrays of numbers can; arrays of ndarray with dlferry's feature `ndarray`"
)]
pub trait Arg {
    /// Describe the elements to C, in the slot if there is no description yet.
    fn lend<'a>(&'a self, slot: &'a mut Slot) -> Lent<'a>;
}

/// A value that a kernel can write as a tensor.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be written as a tensor",
    note = "tensors, their elements, slices, vectors and arrays of numbers can; arrays of ndarray with dlferry's feature `ndarray`"
)]
pub trait ArgMut {
    /// Describe the elements to C, in the slot if there is no description yet.
    fn lend_mut<'a>(&'a mut self, slot: &'a mut Slot) -> Lent<'a>;
}

/// Elements lent to C during a call. It is not `Copy`: two of them would be two writers of the same elements.
#[derive(Debug)]
pub struct Lent<'a> {
    arg: ffi::dlf_arg,
    _lends: PhantomData<&'a ()>,
}

impl<'a> Lent<'a> {
    /// Describe elements.
    ///
    /// # Safety
    /// For `'a` the structure does not change and describes initialised elements, which nothing writes; and nothing
    /// touches them, unless the flags include [`READ_ONLY`](crate::flags::READ_ONLY).
    #[inline]
    #[must_use]
    pub unsafe fn new(tensor: *const ffi::DLTensor, flags: u64) -> Lent<'a> {
        Lent {
            arg: ffi::dlf_arg { tensor, flags },
            _lends: PhantomData,
        }
    }

    /// Make an absent optional tensor.
    #[inline]
    #[must_use]
    pub fn absent() -> Lent<'a> {
        Lent {
            arg: ffi::dlf_arg {
                tensor: null_mut(),
                flags: 0,
            },
            _lends: PhantomData,
        }
    }

    /// Return the C structure, valid for `'a`.
    #[inline]
    #[must_use]
    pub fn raw(&self) -> ffi::dlf_arg {
        self.arg
    }
}

/// A description's memory, on the caller's stack.
#[derive(Debug)]
pub struct Slot {
    tensor: MaybeUninit<ffi::DLTensor>,
    shape: [i64; 2],
    strides: [i64; 2],
}

impl Slot {
    /// Make an empty slot.
    #[inline]
    #[allow(clippy::new_without_default)]
    #[must_use]
    pub const fn new() -> Slot {
        Slot {
            tensor: MaybeUninit::uninit(),
            shape: [0; 2],
            strides: [1; 2],
        }
    }

    /// Fill the slot with elements of the processor's own memory.
    ///
    /// # Safety
    /// `shape` and `strides` point to `ndim` values that describe elements at `data`, all for `'a`, as [`Lent::new`]
    /// demands.
    #[inline]
    pub unsafe fn fill<T: Element>(
        &mut self,
        data: *const T,
        ndim: usize,
        shape: *const i64,
        strides: *const i64,
        flags: u64,
    ) -> Lent<'_> {
        let tensor = self.tensor.write(describe(data, ndim, shape, strides));
        // SAFETY: the caller promises it.
        unsafe { Lent::new(tensor, flags | T::FLAGS) }
    }

    /// # Safety
    /// Like [`Slot::fill`], for count rows without gaps.
    #[inline]
    unsafe fn rows<R: Row>(&mut self, data: *const R, count: usize, flags: u64) -> Lent<'_> {
        self.shape = [count as i64, R::LENGTH];
        self.strides[0] = R::LENGTH; // 1 if a row is an element

        // Not through fill(), whose `&mut self` would invalidate pointers into the slot.
        let described = describe(
            data.cast::<R::Element>(),
            R::NDIM,
            self.shape.as_ptr(),
            self.strides.as_ptr(),
        );
        // SAFETY: the caller promises it; the slot is borrowed for 'a and keeps its two lists.
        unsafe { Lent::new(self.tensor.write(described), flags | R::Element::FLAGS) }
    }
}

#[inline]
fn describe<T: Element>(data: *const T, ndim: usize, shape: *const i64, strides: *const i64) -> ffi::DLTensor {
    ffi::DLTensor {
        data: data.cast_mut().cast(),
        device: Device::CPU.raw(),
        ndim: ndim as i32, // a number that does not fit becomes negative or too large, and the contract refuses it
        dtype: T::DTYPE.raw(),
        shape: shape.cast_mut(),
        strides: strides.cast_mut(),
        byte_offset: 0,
    }
}

/// An item of a slice: an element, for a tensor of one dimension, or an array of them, for one of two.
///
/// # Safety
/// A value is [`LENGTH`](Row::LENGTH) elements in a row, and nothing else.
pub unsafe trait Row {
    /// Its elements.
    type Element: Element;
    /// How many elements, 1 for an element itself.
    const LENGTH: i64;
    /// Dimensions of a slice of them.
    const NDIM: usize;
}

// SAFETY: one element.
unsafe impl<T: Element> Row for T {
    type Element = T;
    const LENGTH: i64 = 1;
    const NDIM: usize = 1;
}

// SAFETY: an array has no padding.
unsafe impl<T: Element, const N: usize> Row for [T; N] {
    type Element = T;
    const LENGTH: i64 = N as i64;
    const NDIM: usize = 2;
}

impl Arg for Tensor {
    #[inline]
    fn lend<'a>(&'a self, _: &'a mut Slot) -> Lent<'a> {
        // SAFETY: the handle lends its structure; `&self` excludes writers, and the flags forbid writes.
        unsafe { Lent::new(self.dltensor(), self.flags() | crate::flags::READ_ONLY) }
    }
}

/// Memory of another runtime, and a tensor with a view, an export or another handle, are refused as not known to be
/// writable: others could use the elements meanwhile, on another thread. See [`Tensor::assume_alone`].
impl ArgMut for Tensor {
    #[inline]
    fn lend_mut<'a>(&'a mut self, _: &'a mut Slot) -> Lent<'a> {
        let is_alone = self.memory() == Memory::Own && self.is_unique();
        let shared = if is_alone { 0 } else { crate::flags::UNKNOWN };
        // SAFETY: the handle lends its structure; nothing else refers to it, or C does not write.
        unsafe { Lent::new(self.dltensor(), self.flags() | shared) }
    }
}

/// A tensor for kernels to write, even if others may use its elements; see [`Tensor::assume_alone`].
#[derive(Debug)]
pub struct AssumeAlone<'a>(&'a mut Tensor);

impl Tensor {
    /// Lend the tensor to kernels that write it although it is memory of another runtime, or views, exports or other
    /// handles share its elements.
    ///
    /// ```
    /// # fn blur_into(_: &(impl dlferry::Arg + ?Sized), _: &mut (impl dlferry::ArgMut + ?Sized)) {}
    /// let image = [1f32; 4];
    /// let mut out = dlferry::Tensor::from(vec![0f32; 4]);
    /// let exported = out.to_dlpack()?;
    /// // SAFETY: the consumer waits for this call.
    /// blur_into(&image, &mut unsafe { out.assume_alone() });
    /// # Ok::<(), dlferry::Error>(())
    /// ```
    ///
    /// # Safety
    /// While a kernel writes, no other code uses the elements, in any thread or language.
    pub unsafe fn assume_alone(&mut self) -> AssumeAlone<'_> {
        AssumeAlone(self)
    }
}

impl Arg for AssumeAlone<'_> {
    fn lend<'a>(&'a self, slot: &'a mut Slot) -> Lent<'a> {
        self.0.lend(slot)
    }
}

impl ArgMut for AssumeAlone<'_> {
    fn lend_mut<'a>(&'a mut self, _: &'a mut Slot) -> Lent<'a> {
        // SAFETY: the handle lends its structure; assume_alone() excludes others.
        unsafe { Lent::new(self.0.dltensor(), self.0.flags()) }
    }
}

impl<R: Row> Arg for [R] {
    #[inline]
    fn lend<'a>(&'a self, slot: &'a mut Slot) -> Lent<'a> {
        // SAFETY: a slice has no gaps, and is borrowed for 'a.
        unsafe { slot.rows(self.as_ptr(), self.len(), crate::flags::READ_ONLY) }
    }
}

impl<R: Row> ArgMut for [R] {
    #[inline]
    fn lend_mut<'a>(&'a mut self, slot: &'a mut Slot) -> Lent<'a> {
        // SAFETY: a slice has no gaps, and is borrowed for 'a.
        unsafe { slot.rows(self.as_mut_ptr(), self.len(), 0) }
    }
}

macro_rules! as_slice {
    ($([$($generic:tt)*] $type:ty;)*) => {$(
        impl<$($generic)*> Arg for $type {
            #[inline]
            fn lend<'a>(&'a self, slot: &'a mut Slot) -> Lent<'a> {
                self[..].lend(slot)
            }
        }

        impl<$($generic)*> ArgMut for $type {
            #[inline]
            fn lend_mut<'a>(&'a mut self, slot: &'a mut Slot) -> Lent<'a> {
                self[..].lend_mut(slot)
            }
        }
    )*};
}

as_slice! {
    [R: Row] Vec<R>;
    [R: Row, const N: usize] [R; N];
}

/// `None` is an absent optional tensor.
impl<A: Arg> Arg for Option<A> {
    #[inline]
    fn lend<'a>(&'a self, slot: &'a mut Slot) -> Lent<'a> {
        self.as_ref().map_or(Lent::absent(), |arg| arg.lend(slot))
    }
}

/// `None` is an absent optional tensor.
impl<A: ArgMut> ArgMut for Option<A> {
    #[inline]
    fn lend_mut<'a>(&'a mut self, slot: &'a mut Slot) -> Lent<'a> {
        self.as_mut().map_or(Lent::absent(), |arg| arg.lend_mut(slot))
    }
}

macro_rules! through {
    ($($trait:ident for $type:ty: $lend:ident($($mut:ident)?);)*) => {$(
        impl<A: $trait + ?Sized> $trait for $type {
            #[inline]
            fn $lend<'a>(&'a $($mut)? self, slot: &'a mut Slot) -> Lent<'a> {
                (**self).$lend(slot)
            }
        }
    )*};
}

through! {
    Arg for &A: lend();
    Arg for &mut A: lend();
    Arg for Box<A>: lend();
    Arg for Rc<A>: lend();
    Arg for Arc<A>: lend();
    ArgMut for &mut A: lend_mut(mut);
    ArgMut for Box<A>: lend_mut(mut);
}

impl<A: Arg + ToOwned + ?Sized> Arg for Cow<'_, A> {
    #[inline]
    fn lend<'a>(&'a self, slot: &'a mut Slot) -> Lent<'a> {
        (**self).lend(slot)
    }
}
