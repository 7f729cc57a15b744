// SPDX-License-Identifier: Apache-2.0
//! Handles of lent elements, for functions of the hub that take no plain description.

use super::{Arg, ArgMut, Lent, Memory, Slot};
use crate::error::{call, Error, Result};
use crate::{ffi, flags, ErrorKind, Tensor};
use std::marker::PhantomData;
use std::ptr::null_mut;

/// A handle of elements that are lent for as long as it; none for an absent tensor.
pub(crate) struct Held<'a> {
    tensor: Option<Tensor>,
    _lent: PhantomData<Lent<'a>>,
}

impl<'a> Held<'a> {
    /// Hold lent elements, to read them or for the hub to refuse a write; the name opens the error's text.
    fn new(name: &str, lent: Lent<'a>) -> Result<Held<'a>> {
        let arg = lent.raw();
        let made = if arg.tensor.is_null() {
            None
        } else {
            // SAFETY: lent elements for 'a, which nothing owns; make() hands out valid slots.
            let made = unsafe {
                Tensor::make(Memory::Foreign, |out, error| {
                    ffi::dlf_wrap(arg.tensor, arg.flags & !flags::UNKNOWN, null_mut(), None, out, error)
                })
            };
            Some(made.map_err(|error| renamed(name, &error))?)
        };
        Ok(Held {
            tensor: made,
            _lent: PhantomData,
        })
    }

    /// Hold elements that are lent to be written. Refuses those that another handle, or foreign code, may use.
    pub(crate) fn to_write(name: &str, lent: Lent<'a>) -> Result<Held<'a>> {
        if lent.raw().flags & (flags::UNKNOWN | flags::READ_ONLY) == flags::UNKNOWN {
            return Err(shared(name));
        }
        Held::new(name, lent)
    }

    /// The handle, or NULL.
    pub(crate) fn raw(&self) -> *mut ffi::dlf_tensor {
        self.tensor.as_ref().map_or(null_mut(), Tensor::raw)
    }
}

/// Call a function of the hub on handles of what two arguments lend; the name opens the error's text.
pub(crate) fn between(
    name: &str,
    source: &(impl Arg + ?Sized),
    destination: &mut (impl ArgMut + ?Sized),
    function: impl FnOnce(*mut ffi::dlf_tensor, *mut ffi::dlf_tensor, *mut ffi::dlf_error) -> ffi::dlf_status,
) -> Result<()> {
    let (mut read, mut written) = (Slot::new(), Slot::new());
    let source = Held::new(name, source.lend(&mut read))?;
    let destination = Held::to_write(name, destination.lend_mut(&mut written))?;
    call(|error| function(source.raw(), destination.raw(), error))
}

#[cold]
fn shared(name: &str) -> Error {
    let text = format!(
        "{name}: expected a destination that Rust allocated and no view, export or other handle shares, got one that \
         others may use; if they do not meanwhile, pass unsafe {{ t.assume_alone() }}"
    );
    Error::new(ErrorKind::Invalid, text)
}

/// The hub's text about a description, which begins with the function that the caller has not called.
#[cold]
fn renamed(name: &str, error: &Error) -> Error {
    let text = error.message();
    let rest = text.strip_prefix("wrap").unwrap_or(text);
    Error::new(error.kind(), format!("{name}{rest}"))
}
