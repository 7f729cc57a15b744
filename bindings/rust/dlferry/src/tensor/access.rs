// SPDX-License-Identifier: Apache-2.0
//! Who else may use a tensor's elements.

use crate::ffi;
use std::ptr::NonNull;

/// Who may use the elements beside a tensor.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Access {
    /// Memory of Rust's, for which the hub counts handles and exports.
    Counted(NonNull<ffi::dlf_tensor>),
    /// Memory that nothing else uses for the lifetime.
    Alone,
    /// Memory of another runtime, which may write it between two reads.
    Foreign,
}
