// SPDX-License-Identifier: Apache-2.0
//! Tensors as text.

use crate::text::text;
use crate::{ffi, Element, Elements, ElementsMut, Tensor};
use std::fmt;

impl Tensor {
    /// Describe the tensor in one line, such as `float32[2, 3] strides [3, 1] cpu read-only`.
    #[doc(alias = "dlf_describe")]
    #[must_use]
    pub fn describe(&self) -> String {
        // SAFETY: the tensor is alive, text() lends a buffer of that capacity.
        text(|buffer, capacity| unsafe { ffi::dlf_describe(self.dltensor(), self.flags(), buffer, capacity) })
    }

    /// Describe the tensor as one JSON object: dtype, shape, strides, device, flags, version, address, and whether the
    /// release notifies an owner.
    ///
    /// ```
    /// let t = dlferry::Tensor::create(dlferry::DType::F32, &[2, 3])?;
    /// assert!(t.describe_json().starts_with(r#"{"dtype": "float32", "shape": [2, 3], "strides": [3, 1], "#));
    /// # Ok::<(), dlferry::Error>(())
    /// ```
    #[doc(alias = "dlf_describe_json")]
    #[must_use]
    pub fn describe_json(&self) -> String {
        // SAFETY: the tensor is alive, text() lends a buffer of that capacity.
        text(|buffer, capacity| unsafe { ffi::dlf_describe_json(self.raw(), buffer, capacity) })
    }

    /// Print the elements as NumPy does, after one line of description.
    ///
    /// More than a thousand elements are summarised; unreadable or unreachable ones are omitted.
    #[doc(alias = "dlf_format")]
    #[must_use]
    pub fn format(&self) -> String {
        // SAFETY: the tensor is alive, text() lends a buffer of that capacity.
        text(|buffer, capacity| unsafe { ffi::dlf_format(self.dltensor(), self.flags(), buffer, capacity) })
    }
}

/// Describe the tensor, such as `float32[2, 3] strides [3, 1] cpu`.
impl<T: Element> fmt::Debug for Elements<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // SAFETY: `self` borrows the tensor, text() lends a buffer of that capacity.
        let of = text(|buffer, capacity| unsafe { ffi::dlf_describe(self.dltensor(), self.flags(), buffer, capacity) });
        write!(f, "Elements({of})")
    }
}

/// Like [`Elements`].
impl<T: Element> fmt::Debug for ElementsMut<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ElementsMut").field(&self.elements()).finish()
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
