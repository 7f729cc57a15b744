// SPDX-License-Identifier: Apache-2.0
//! Why a call failed.

use crate::ffi;
use std::ffi::{CStr, CString, NulError};
use std::fmt;
use std::mem::MaybeUninit;

/// The result of everything here that can fail.
pub type Result<T> = std::result::Result<T, Error>;

/// Kind of a failure: the hub's status.
#[doc(alias = "dlf_status")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Malformed tensor or argument.
    Invalid,
    /// Index or axis out of range.
    Bounds,
    /// A size does not fit.
    Overflow,
    /// Dtype unknown here, or not the expected one.
    Dtype,
    /// Shape breaks a contract.
    Shape,
    /// Device absent, or data not reachable from here.
    Device,
    /// Would need a copy, and copying is forbidden.
    Layout,
    /// Write to read-only data requested.
    ReadOnly,
    /// DLPack major version not understood.
    Version,
    /// Allocation failed.
    NoMemory,
    /// A producer, device or kernel failed by itself.
    Foreign,
    /// Known, but not in this build.
    Unsupported,
}

use ErrorKind::*;

/// Every kind, at the index of its status less one.
const KINDS: [ErrorKind; 12] = [
    Invalid,
    Bounds,
    Overflow,
    Dtype,
    Shape,
    Device,
    Layout,
    ReadOnly,
    Version,
    NoMemory,
    Foreign,
    Unsupported,
];

impl ErrorKind {
    /// Find the kind of a status; a status that this version does not know becomes [`ErrorKind::Foreign`].
    #[must_use]
    pub fn from_status(status: i32) -> ErrorKind {
        usize::try_from(status)
            .ok()
            .and_then(|s| KINDS.get(s.checked_sub(1)?))
            .copied()
            .unwrap_or(Foreign)
    }

    /// Return the status of this kind.
    #[must_use]
    pub fn status(self) -> i32 {
        self as i32 + 1
    }

    /// Name the status as the C header does, such as `READ_ONLY`.
    ///
    /// ```
    /// assert_eq!(dlferry::ErrorKind::ReadOnly.name(), "READ_ONLY");
    /// ```
    #[doc(alias = "dlf_status_name")]
    #[must_use]
    pub fn name(self) -> &'static str {
        // SAFETY: the hub lends a static ASCII string.
        unsafe { CStr::from_ptr(ffi::dlf_status_name(self.status())) }
            .to_str()
            .unwrap_or("UNKNOWN")
    }
}

/// A failure: its kind and a text, the same in every language that dlferry speaks.
#[doc(alias = "dlf_error")]
#[derive(Clone, PartialEq, Eq)]
pub struct Error(Box<Reason>); // one word, so that results stay small

#[derive(Clone, PartialEq, Eq)]
struct Reason {
    kind: ErrorKind,
    message: Box<str>,
}

impl Error {
    /// Make an error, for your own checks.
    #[cold]
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Error {
        let message = message.into().into_boxed_str();
        Error(Box::new(Reason { kind, message }))
    }

    /// Return the kind.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// Return the text.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.0.message
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Error")
            .field("kind", &self.kind())
            .field("message", &self.message())
            .finish()
    }
}

impl std::error::Error for Error {}

/// A text for C that holds a NUL.
impl From<NulError> for Error {
    fn from(_: NulError) -> Error {
        without_nul("text")
    }
}

#[cold]
pub(crate) fn without_nul(name: &str) -> Error {
    Error::new(Invalid, format!("{name}: expected a text without NUL, got one"))
}

/// A text for C; the name opens the error's text.
pub(crate) fn c_text(name: &str, text: impl Into<Vec<u8>>) -> Result<CString> {
    CString::new(text).map_err(|_| without_nul(name))
}

/// Call a C function that reports through a `dlf_error`, and convert its error.
#[inline]
pub fn call(function: impl FnOnce(*mut ffi::dlf_error) -> ffi::dlf_status) -> Result<()> {
    let mut slot = MaybeUninit::<ffi::dlf_error>::uninit();
    let error = slot.as_mut_ptr();
    // A function that fails without a text leaves an empty one. The other 251 bytes stay uninitialised.
    // SAFETY: in bounds of the slot.
    unsafe { (*error).message[0] = 0 };
    match function(error) {
        ffi::DLF_OK => Ok(()),
        // SAFETY: the message begins in the slot and ends there with a NUL.
        status => Err(unsafe { from_slot(status, error) }),
    }
}

/// Call a C function that has nothing to check and so cannot fail.
///
/// # Panics
/// If it fails: the package was built from other C than its own.
#[inline]
pub fn sure(function: impl FnOnce(*mut ffi::dlf_error) -> ffi::dlf_status) {
    if let Err(error) = call(function) {
        panic!("a function that cannot fail has failed: {error}");
    }
}

#[cold]
unsafe fn from_slot(status: ffi::dlf_status, error: *const ffi::dlf_error) -> Error {
    // SAFETY: as call() says.
    let text = unsafe { CStr::from_ptr(std::ptr::addr_of!((*error).message).cast()) };
    Error::new(ErrorKind::from_status(status as i32), text.to_string_lossy())
}
