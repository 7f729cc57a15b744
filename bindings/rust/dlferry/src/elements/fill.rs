// SPDX-License-Identifier: Apache-2.0
//! One number in every element.

use crate::error::{call, Result};
use crate::tensor::{Held, Slot};
use crate::{ffi, ArgMut, Number};

/// Set every element, or lane of one, to a number: of any dtype with arithmetic, packed or padded, with any strides. The
/// destination is anything that a generated function writes: a tensor, a slice, an array of ndarray.
///
/// A real is rounded to nearest, ties to even, and a bool becomes 0 or 1.
///
/// ```
/// use dlferry::{fill, Tensor};
///
/// let mut t = Tensor::create("float4_e2m1fn".parse()?, &[3])?;
/// fill(&mut t, 1.5)?;
/// assert_eq!(t.read(&[2])?.as_f64(), Some(1.5));
/// # Ok::<(), dlferry::Error>(())
/// ```
///
/// # Errors
/// [`Invalid`](crate::ErrorKind::Invalid) for a number that a dtype of integers or bool does not have, for an imaginary
/// part that the dtype has no place for, for a destination that others may use, see
/// [`Tensor::assume_alone`](crate::Tensor::assume_alone), and for `None`; [`ReadOnly`](crate::ErrorKind::ReadOnly);
/// [`Layout`](crate::ErrorKind::Layout) if elements lie above or between each other; [`Device`](crate::ErrorKind::Device)
/// when the processor cannot reach the data; [`Unsupported`](crate::ErrorKind::Unsupported) for unknown flags, dtypes
/// without arithmetic and padded lanes; or [`NoMemory`](crate::ErrorKind::NoMemory). Nothing is written then.
#[doc(alias = "dlf_fill")]
pub fn fill(destination: &mut (impl ArgMut + ?Sized), number: impl Into<Number>) -> Result<()> {
    let (mut slot, number) = (Slot::new(), number.into().raw());
    let destination = Held::to_write("fill", destination.lend_mut(&mut slot))?;
    // SAFETY: the handle, or NULL, is lent for the call; number and error are valid.
    call(|error| unsafe { ffi::dlf_fill(destination.raw(), &raw const number, error) })
}
