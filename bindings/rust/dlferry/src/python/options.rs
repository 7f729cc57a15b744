// SPDX-License-Identifier: Apache-2.0
//! What an import asks of a producer.

use crate::Device;

/// What [`Tensor::from_python_with`](crate::Tensor::from_python_with) asks of a producer; the default asks for nothing.
///
/// ```
/// let options = dlferry::python::ImportOptions { copy: Some(true), ..Default::default() };
/// # let _ = options;
/// ```
#[doc(alias = "dlf_import_options")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ImportOptions {
    /// `Some(true)`: a copy, which nothing else uses. If the hub makes it, its elements can be slices; a copy that the
    /// producer makes counts as the producer's memory, whose flags have
    /// [`IS_COPIED`](crate::flags::IS_COPIED). `Some(false)`: an error rather than a copy. `None`: a copy only
    /// where `device` needs one.
    pub copy: Option<bool>,
    /// The device on which the elements must be; `None` where they are.
    pub device: Option<Device>,
    /// The stream on which the elements must be ready, as a number of the array API standard; `None` means the
    /// device's default stream.
    pub stream: Option<i64>,
}
