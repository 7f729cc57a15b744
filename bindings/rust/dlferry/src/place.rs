// SPDX-License-Identifier: Apache-2.0
//! What generated functions hand to C beside single tensors: lists of them, and places for what comes back.

use crate::arg::{Arg, Slot};
use crate::error::Result;
use crate::{ffi, ManagedTensor, Tensor};
use std::ffi::{c_char, CStr};
use std::mem::MaybeUninit;
use std::ptr::{null, null_mut};

/// A place where C puts a new managed tensor, which is released if nobody collects it.
#[derive(Debug)]
pub struct Given(*mut ffi::DLManagedTensorVersioned);

impl Given {
    /// Make an empty place.
    #[inline]
    #[allow(clippy::new_without_default)]
    pub const fn new() -> Given {
        Given(null_mut())
    }

    /// Return the place. Whoever writes there owns what is there, and promises for what is put there all that
    /// [`Tensor::from_dlpack`] demands, and that nobody else reads or writes it.
    #[inline]
    pub fn place(&mut self) -> *mut *mut ffi::DLManagedTensorVersioned {
        &mut self.0
    }

    /// Import what was put here.
    ///
    /// # Errors
    /// As [`Tensor::from_dlpack`].
    #[inline]
    pub fn tensor(mut self) -> Result<Tensor> {
        // SAFETY: NULL, or as place() demands. What fails is released there.
        unsafe { Tensor::from_dlpack(std::mem::replace(&mut self.0, null_mut())) }
    }
}

/// Release what nobody collected.
impl Drop for Given {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: NULL, or owned as place() demands.
        drop(unsafe { ManagedTensor::from_raw(self.0) });
    }
}

/// A place where C puts the address of a text that it keeps.
#[derive(Debug)]
pub struct Text(*const c_char);

impl Text {
    /// Make an empty place.
    #[inline]
    #[allow(clippy::new_without_default)]
    pub const fn new() -> Text {
        Text(null())
    }

    /// Return the place. Whoever writes there puts the address of a text that ends with a NUL and stays as it is until
    /// it is collected, or NULL.
    #[inline]
    pub fn place(&mut self) -> *mut *const c_char {
        &mut self.0
    }

    /// Copy the text; what is not UTF-8 is replaced by U+FFFD.
    pub fn string(self) -> String {
        if self.0.is_null() {
            return String::new();
        }
        // SAFETY: as place() demands.
        unsafe { CStr::from_ptr(self.0) }.to_string_lossy().into_owned()
    }
}

/// How many tensors of a list are described without allocating.
const FEW: usize = 8;

/// A list of tensors for C to read, and room for their descriptions.
#[derive(Debug)]
pub struct List<'a, A> {
    items: &'a [A],
    slots: [Slot; FEW],
    args: [MaybeUninit<ffi::dlf_arg>; FEW],
    more: (Vec<Slot>, Vec<ffi::dlf_arg>), // instead of these, for a list that is longer
}

impl<'a, A: Arg> List<'a, A> {
    /// Take a list.
    #[inline]
    pub fn new(items: &'a [A]) -> List<'a, A> {
        List {
            items,
            slots: [const { Slot::new() }; FEW],
            args: [const { MaybeUninit::uninit() }; FEW],
            more: (Vec::new(), Vec::new()),
        }
    }

    /// Describe all elements to C, for a call while this is neither moved nor dropped.
    #[inline]
    pub fn lend(&mut self) -> *const ffi::dlf_arg {
        if self.items.len() > FEW {
            return self.lend_many();
        }
        for ((item, slot), arg) in self.items.iter().zip(&mut self.slots).zip(&mut self.args) {
            arg.write(item.lend(slot).raw());
        }
        self.args.as_ptr().cast()
    }

    fn lend_many(&mut self) -> *const ffi::dlf_arg {
        let (slots, args) = &mut self.more;
        slots.resize_with(self.items.len(), Slot::new);
        *args = self
            .items
            .iter()
            .zip(slots)
            .map(|(item, slot)| item.lend(slot).raw())
            .collect();
        args.as_ptr()
    }

    /// Count the tensors.
    #[inline]
    pub fn count(&self) -> i64 {
        self.items.len() as i64
    }
}
