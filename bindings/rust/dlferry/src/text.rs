// SPDX-License-Identifier: Apache-2.0
//! Texts that C writes.

use std::ffi::c_char;

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
