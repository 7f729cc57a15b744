// SPDX-License-Identifier: Apache-2.0
//! Bits of [`Tensor::flags`](crate::Tensor::flags).

use crate::ffi;

/// The elements must not be written.
pub const READ_ONLY: u64 = ffi::DLPACK_FLAG_BITMASK_READ_ONLY as u64;
/// The producer made a copy, which the consumer owns alone.
pub const IS_COPIED: u64 = ffi::DLPACK_FLAG_BITMASK_IS_COPIED as u64;
/// The flags of a plain tensor whose elements may be read-only, or used by others: C writes no such tensor.
pub(crate) const UNKNOWN: u64 = 1 << 63;
/// Elements of less than a byte take a whole byte each.
pub const SUBBYTE_PADDED: u64 = ffi::DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED as u64;
