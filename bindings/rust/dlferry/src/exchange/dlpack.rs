// SPDX-License-Identifier: Apache-2.0
//! Traits of types that travel through DLPack.

use crate::error::Result;
use crate::{Element, ManagedTensor, Tensor};
use std::sync::Arc;

/// A value that can be exported through DLPack without copying. Other crates may implement it for their arrays.
///
/// ```
/// use dlferry::{ManagedTensor, ToDlpack};
///
/// struct Image(Vec<u8>);
///
/// impl ToDlpack for Image {
///     fn into_dlpack(self) -> dlferry::Result<ManagedTensor> {
///         Ok(self.0.into())
///     }
/// }
///
/// fn describe(array: impl ToDlpack) -> dlferry::Result<String> {
///     // SAFETY: nothing else uses the elements.
///     Ok(unsafe { dlferry::Tensor::from_dlpack(array.into_dlpack()?.into_raw())? }.describe())
/// }
/// assert_eq!(describe(Image(vec![1, 2, 3]))?, "uint8[3] cpu");
/// assert_eq!(describe(vec![1.0f32])?, "float32[1] cpu");
/// # Ok::<(), dlferry::Error>(())
/// ```
pub trait ToDlpack {
    /// Export the value, or its memory for a reference.
    ///
    /// # Errors
    /// Those of [`Tensor::to_dlpack`].
    #[doc(alias = "dlf_to_dlpack")]
    fn into_dlpack(self) -> Result<ManagedTensor>;
}

/// A value that can be made from an export. Other crates may implement it for their arrays.
///
/// ```
/// use dlferry::{FromDlpack, ManagedTensor, Tensor};
///
/// struct Image(Vec<u8>);
///
/// impl FromDlpack for Image {
///     unsafe fn from_dlpack(managed: ManagedTensor) -> dlferry::Result<Image> {
///         // SAFETY: the caller promises it.
///         let t = unsafe { Tensor::from_dlpack(managed.into_raw())? };
///         Ok(Image(t.elements::<u8>()?.to_vec()))
///     }
/// }
///
/// // SAFETY: nothing else uses the elements.
/// let image = unsafe { Image::from_dlpack(vec![1u8, 2, 3].into())? };
/// assert_eq!(image.0, [1, 2, 3]);
/// # Ok::<(), dlferry::Error>(())
/// ```
pub trait FromDlpack: Sized {
    /// Import a managed tensor, and call its deleter when it is not needed any more.
    ///
    /// # Safety
    /// That of [`Tensor::from_dlpack`]. An implementation may promise less to its users only if it has checked: it must
    /// not lend references to elements or write them unless nothing else can use them, such as after
    /// [`IS_COPIED`](crate::flags::IS_COPIED).
    ///
    /// # Errors
    /// Those of [`Tensor::from_dlpack`], and others of the type.
    #[doc(alias = "dlf_from_dlpack")]
    unsafe fn from_dlpack(managed: ManagedTensor) -> Result<Self>;
}

impl ToDlpack for ManagedTensor {
    fn into_dlpack(self) -> Result<ManagedTensor> {
        Ok(self)
    }
}

/// The export shares the memory with the tensor.
impl ToDlpack for &Tensor {
    fn into_dlpack(self) -> Result<ManagedTensor> {
        Tensor::to_dlpack(self)
    }
}

/// Views and other exports share the memory.
impl ToDlpack for Tensor {
    fn into_dlpack(self) -> Result<ManagedTensor> {
        Tensor::into_dlpack(self)
    }
}

macro_rules! to_dlpack {
    ($($(#[$doc:meta])* $owner:ty;)*) => {$(
        $(#[$doc])*
        impl<T: Element> ToDlpack for $owner {
            fn into_dlpack(self) -> Result<ManagedTensor> {
                Ok(self.into())
            }
        }
    )*};
}

to_dlpack! {
    /// One dimension.
    Vec<T>;
    /// One dimension.
    Box<[T]>;
    /// One dimension, read-only.
    Arc<[T]>;
}

impl FromDlpack for ManagedTensor {
    unsafe fn from_dlpack(managed: ManagedTensor) -> Result<ManagedTensor> {
        Ok(managed)
    }
}

/// Without copying.
impl FromDlpack for Tensor {
    unsafe fn from_dlpack(managed: ManagedTensor) -> Result<Tensor> {
        // SAFETY: the caller promises it.
        unsafe { Tensor::from_dlpack(managed.into_raw()) }
    }
}

/// A copy of the elements in row-major order, of any shape.
impl<T: Element> FromDlpack for Vec<T> {
    unsafe fn from_dlpack(managed: ManagedTensor) -> Result<Vec<T>> {
        // SAFETY: the caller promises it.
        let tensor = unsafe { Tensor::from_dlpack(managed.into_raw())? };
        Ok(tensor.elements::<T>()?.to_vec())
    }
}
