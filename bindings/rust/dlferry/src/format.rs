// SPDX-License-Identifier: Apache-2.0
//! Tensors as text.

use crate::{ffi, Element, Tensor, View, ViewMut};
use std::ffi::c_char;
use std::fmt;

/// Collect the text that a C function writes into a buffer: a short one on the stack, a long one with a second call.
pub(crate) fn text(write: impl Fn(*mut c_char, i64) -> i64) -> String {
    let mut short = [0u8; 256];
    let length = write(short.as_mut_ptr().cast(), short.len() as i64) as usize;
    if length < short.len() {
        return String::from_utf8_lossy(&short[..length]).into_owned();
    }
    let mut long = vec![0u8; length + 1];
    // Another thread of a foreign producer may have changed the elements meanwhile, and with them the length.
    let length = (write(long.as_mut_ptr().cast(), long.len() as i64) as usize).min(length);
    String::from_utf8_lossy(&long[..length]).into_owned()
}

impl Tensor {
    /// Describe the tensor in one line, such as `float32[2, 3] strides [3, 1] cpu read-only`.
    #[doc(alias = "dlf_describe")]
    pub fn describe(&self) -> String {
        // SAFETY: the tensor is alive, text() lends a buffer of that capacity.
        text(|buffer, capacity| unsafe { ffi::dlf_describe(self.dltensor(), self.flags(), buffer, capacity) })
    }

    /// Print the elements as NumPy does, after one line of description.
    ///
    /// More than a thousand elements are summarised; unreadable or unreachable ones are omitted.
    #[doc(alias = "dlf_format")]
    pub fn format(&self) -> String {
        // SAFETY: the tensor is alive, text() lends a buffer of that capacity.
        text(|buffer, capacity| unsafe { ffi::dlf_format(self.dltensor(), self.flags(), buffer, capacity) })
    }
}

/// Describe a view, such as `float32[2, 3] strides [3, 1] cpu`.
impl<T: Element> fmt::Debug for View<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // SAFETY: the view borrows the tensor, text() lends a buffer of that capacity.
        let of = text(|buffer, capacity| unsafe { ffi::dlf_describe(self.dltensor(), self.flags(), buffer, capacity) });
        write!(f, "View({of})")
    }
}

/// Like [`View`].
impl<T: Element> fmt::Debug for ViewMut<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ViewMut").field(&self.view()).finish()
    }
}

/// [`Tensor::format`]
impl fmt::Display for Tensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.format())
    }
}

/// [`Tensor::describe`]
impl fmt::Debug for Tensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tensor({})", self.describe())
    }
}
