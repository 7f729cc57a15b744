// SPDX-License-Identifier: Apache-2.0
//! Tensors that keep a C object.

use crate::error::Result;
use crate::tensor::{AssumeAlone, Lent, Slot};
use crate::{Arg, ArgMut, DType, Device, Element, Elements, ElementsMut, Number, Tensor};
use std::any::Any;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

/// A tensor of memory that a C object lends or will free. It keeps the object, so it stays on the object's thread: the
/// last one to be dropped frees it. The same holds for its views.
///
/// Lent memory belongs to C: its elements are read by value, and generated functions only read it. Memory that C frees
/// for its receiver is this tensor's own.
///
/// ```compile_fail,E0277
/// # fn show() -> dlferry::LocalTensor { unimplemented!() }
/// let lent: dlferry::LocalTensor = show(); // a function of a generated package
/// std::thread::spawn(move || drop(lent)); // would free the object on another thread
/// ```
///
/// [`copy`](LocalTensor::copy) gives an independent [`Tensor`]; [`into_tensor`](LocalTensor::into_tensor) one for
/// programs that know the C library better than its header.
pub struct LocalTensor {
    tensor: Tensor, // dropped before the object
    object: Arc<dyn Any>,
    /// Neither `Send` nor `Sync`, even if a program declares an object to be.
    _here: PhantomData<*mut ()>,
}

macro_rules! same {
    ($($name:ident($($argument:ident: $type:ty),*) -> $result:ty;)*) => {$(
        #[doc = concat!("See [`Tensor::", stringify!($name), "`].")]
        #[inline]
        pub fn $name(&self $(, $argument: $type)*) -> $result {
            self.tensor.$name($($argument),*)
        }
    )*};
}

macro_rules! fallible {
    ($($name:ident($($argument:ident: $type:ty),*) -> $result:ty;)*) => {$(
        #[doc = concat!("See [`Tensor::", stringify!($name), "`].")]
        ///
        /// # Errors
        /// Those of that function.
        pub fn $name(&self $(, $argument: $type)*) -> Result<$result> {
            self.tensor.$name($($argument),*)
        }
    )*};
}

/// `view.rs` lists them, beside the functions themselves.
macro_rules! views {
    ($($name:ident($($argument:ident: $type:ty),*);)*) => {$(
        #[doc = concat!("See [`Tensor::", stringify!($name), "`]. The view stays on this thread too.")]
        ///
        /// # Errors
        /// Those of that function.
        pub fn $name(&self $(, $argument: $type)*) -> Result<LocalTensor> {
            Ok(self.with(self.tensor().$name($($argument),*)?))
        }
    )*};
}
pub(crate) use views;

impl LocalTensor {
    pub(crate) fn new(tensor: Tensor, object: Arc<dyn Any>) -> LocalTensor {
        LocalTensor {
            tensor,
            object,
            _here: PhantomData,
        }
    }

    pub(crate) fn with(&self, view: Tensor) -> LocalTensor {
        LocalTensor::new(view, self.object.clone())
    }

    pub(crate) fn tensor(&self) -> &Tensor {
        &self.tensor
    }

    /// Let the tensor leave this thread.
    ///
    /// # Safety
    /// The object may be freed on any thread, with the last of its tensors, while no other thread is inside the object.
    #[must_use]
    pub unsafe fn into_tensor(self) -> Tensor {
        self.tensor
    }

    /// Lend the tensor to kernels that write it. See [`Tensor::assume_alone`].
    ///
    /// # Safety
    /// While a kernel writes, no other code uses the elements, in any thread or language.
    pub unsafe fn assume_alone(&mut self) -> AssumeAlone<'_> {
        // SAFETY: the caller promises it.
        unsafe { self.tensor.assume_alone() }
    }

    /// See [`Tensor::elements_mut`].
    ///
    /// # Errors
    /// Those of that function, such as [`Invalid`](crate::ErrorKind::Invalid) for memory that C lends.
    pub fn elements_mut<T: Element>(&mut self) -> Result<ElementsMut<'_, T>> {
        self.tensor.elements_mut()
    }

    /// See [`Tensor::elements_mut_unchecked`].
    ///
    /// # Safety
    /// That of the function.
    ///
    /// # Errors
    /// Those of the function.
    pub unsafe fn elements_mut_unchecked<T: Element>(&mut self) -> Result<ElementsMut<'_, T>> {
        // SAFETY: the caller promises it.
        unsafe { self.tensor.elements_mut_unchecked() }
    }

    /// See [`Tensor::elements`].
    ///
    /// # Errors
    /// Those of that function.
    #[inline]
    pub fn elements<T: Element>(&self) -> Result<Elements<'_, T>> {
        self.tensor.elements()
    }

    /// See [`Tensor::element_bits`].
    ///
    /// # Errors
    /// Those of that function.
    pub fn element_bits<T: Element>(&self) -> Result<Elements<'_, T>> {
        self.tensor.element_bits()
    }

    same! {
        shape() -> &[i64];
        strides() -> &[i64];
        ndim() -> usize;
        dtype() -> DType;
        device() -> Device;
        flags() -> u64;
        is_read_only() -> bool;
        is_unique() -> bool;
        data() -> *const std::ffi::c_void;
        describe() -> String;
        format() -> String;
    }

    fallible! {
        count() -> usize;
        copy() -> Tensor;
        copy_padded() -> Tensor;
        cast(dtype: DType) -> Tensor;
        cast_saturating(dtype: DType) -> Tensor;
        read(index: &[i64]) -> Number;
        identical(other: &(impl Arg + ?Sized)) -> bool;
        equal(other: &(impl Arg + ?Sized)) -> bool;
    }
}

impl Arg for LocalTensor {
    #[inline]
    fn lend<'a>(&'a self, slot: &'a mut Slot) -> Lent<'a> {
        self.tensor.lend(slot)
    }
}

/// Memory that C lends is refused, as is a tensor with a view.
impl ArgMut for LocalTensor {
    #[inline]
    fn lend_mut<'a>(&'a mut self, slot: &'a mut Slot) -> Lent<'a> {
        self.tensor.lend_mut(slot)
    }
}

/// [`Tensor::format`]
impl fmt::Display for LocalTensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.tensor.fmt(f)
    }
}

/// [`Tensor::describe`]
impl fmt::Debug for LocalTensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LocalTensor({})", self.describe())
    }
}
