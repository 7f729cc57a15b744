// SPDX-License-Identifier: Apache-2.0
//! Arguments of generated functions beside single tensors: lists of tensors, and places for results.

use crate::error::{without_nul, Result};
use crate::object::Object;
use crate::tensor::{Arg, Memory, Slot};
use crate::{ffi, LocalTensor, ManagedTensor, Tensor};
use std::ffi::{c_char, CStr};
use std::mem::MaybeUninit;
use std::ptr::{null, null_mut};

/// A place where C puts a new managed tensor, which is released if it is not collected.
#[derive(Debug)]
pub struct Given(*mut ffi::DLManagedTensorVersioned);

impl Given {
    /// Make an empty place.
    #[inline]
    #[allow(clippy::new_without_default)]
    #[must_use]
    pub const fn new() -> Given {
        Given(null_mut())
    }

    /// Return the place. The writer must own its content and fulfil the conditions of [`Tensor::from_dlpack`] for a new
    /// one, which no other code may read or write.
    #[inline]
    pub fn place(&mut self) -> *mut *mut ffi::DLManagedTensorVersioned {
        &raw mut self.0
    }

    /// Import the content.
    ///
    /// # Errors
    /// Those of [`Tensor::from_dlpack`].
    #[inline]
    pub fn tensor(mut self) -> Result<Tensor> {
        // SAFETY: NULL, or as place() demands. A failed import is released there.
        unsafe { Tensor::import(Memory::Own, std::mem::replace(&mut self.0, null_mut())) }
    }

    /// Import content that the C library made. What it flags as read-only it may share with others.
    ///
    /// # Errors
    /// Those of [`Tensor::from_dlpack`].
    pub fn managed(self) -> Result<Tensor> {
        let mut tensor = self.tensor()?;
        if tensor.is_read_only() {
            tensor.set_memory(Memory::Foreign);
        }
        Ok(tensor)
    }

    /// Import content whose memory stays an object's: other tensors may share it.
    ///
    /// # Errors
    /// Those of [`Tensor::from_dlpack`].
    pub fn lent<T: 'static>(mut self, object: &Object<T>) -> Result<LocalTensor> {
        // SAFETY: NULL, or as place() demands but for other readers. A failed import is released there.
        let tensor = unsafe { Tensor::import(Memory::Foreign, std::mem::replace(&mut self.0, null_mut()))? };
        Ok(object.local(tensor))
    }

    /// Import content that C frees by means of an object.
    ///
    /// # Errors
    /// Those of [`Tensor::from_dlpack`].
    pub fn freed<T: 'static>(self, object: &Object<T>) -> Result<LocalTensor> {
        Ok(object.local(self.tensor()?))
    }
}

/// Release what was not collected.
impl Drop for Given {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: NULL, or owned as place() demands.
        drop(unsafe { ManagedTensor::from_raw(self.0) });
    }
}

/// A place where C puts the address of a text that C keeps, or that the place owns.
#[derive(Debug)]
pub struct Text(*const c_char, Option<unsafe extern "C" fn(*const c_char)>);

impl Text {
    /// Make an empty place.
    #[inline]
    #[allow(clippy::new_without_default)]
    #[must_use]
    pub const fn new() -> Text {
        Text(null(), None)
    }

    /// Make an empty place that owns its text, with the function that frees one.
    #[inline]
    #[must_use]
    pub const fn given(free: unsafe extern "C" fn(*const c_char)) -> Text {
        Text(null(), Some(free))
    }

    /// Return the place. The writer must store NULL or the address of a text that ends with a NUL and does not change
    /// until it is collected; one for [`Text::given`] also gives up the text.
    #[inline]
    pub fn place(&mut self) -> *mut *const c_char {
        &raw mut self.0
    }

    /// Copy the text if there is one; U+FFFD replaces invalid UTF-8.
    #[must_use]
    pub fn option(self) -> Option<String> {
        (!self.0.is_null()).then(|| self.string())
    }

    /// Copy the texts of a list: instead of one, the writer stored the address of those of several, which end with
    /// NULL. U+FFFD replaces invalid UTF-8.
    #[must_use]
    pub fn list(self) -> Vec<String> {
        let mut place = self.0.cast::<*const c_char>();
        let mut texts = Vec::new();
        // SAFETY: NULL, or what the writer stored demands it.
        while let Some(&text) = unsafe { place.as_ref() }.filter(|text| !text.is_null()) {
            // SAFETY: the same.
            texts.push(unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned());
            // SAFETY: NULL is behind it, at the latest.
            place = unsafe { place.add(1) };
        }
        texts
    }

    /// Copy the text; U+FFFD replaces invalid UTF-8.
    #[must_use]
    pub fn string(self) -> String {
        if self.0.is_null() {
            return String::new();
        }
        // SAFETY: place() demands it.
        unsafe { CStr::from_ptr(self.0) }.to_string_lossy().into_owned()
    }
}

impl Drop for Text {
    #[inline]
    fn drop(&mut self) {
        if let Some(free) = self.1 {
            // SAFETY: NULL, or the writer gave it up, as place() demands.
            unsafe { free(self.0) }
        }
    }
}

/// The bytes of a text that needs no allocation, with the NUL behind it.
const SHORT: usize = 64;

/// A text with a NUL behind it, for C to read.
#[derive(Debug)]
pub struct Terminated {
    short: [u8; SHORT],
    long: Vec<u8>, // instead, for a longer text
}

impl Terminated {
    /// Copy a text.
    ///
    /// # Errors
    /// [`Invalid`](crate::ErrorKind::Invalid) for a text with a NUL inside, where C would end it. The message begins with the name.
    #[inline]
    pub fn new(name: &str, text: &str) -> Result<Terminated> {
        let mut copy = Terminated {
            short: [0; SHORT],
            long: Vec::new(),
        };
        if text.as_bytes().contains(&0) {
            return Err(without_nul(name));
        }
        if text.len() < SHORT {
            copy.short[..text.len()].copy_from_slice(text.as_bytes());
        } else {
            copy.long.reserve_exact(text.len() + 1);
            copy.long.extend_from_slice(text.as_bytes());
            copy.long.push(0);
        }
        Ok(copy)
    }

    /// Return the address of the text, which is valid while this is neither moved nor dropped.
    #[inline]
    #[must_use]
    pub fn as_ptr(&self) -> *const c_char {
        let text = if self.long.is_empty() {
            &self.short[..]
        } else {
            &self.long
        };
        text.as_ptr().cast()
    }
}

/// Copy a text into a field of a struct. Without a NUL there if it does not fit or has one inside, which C refuses.
#[must_use]
pub fn text_field<const N: usize>(text: &str) -> [c_char; N] {
    if text.len() >= N || text.as_bytes().contains(&0) {
        return [1; N];
    }
    let mut field = [0; N];
    for (place, byte) in field.iter_mut().zip(text.bytes()) {
        *place = byte as c_char;
    }
    field
}

/// Copy the text of such a field; U+FFFD replaces invalid UTF-8.
#[must_use]
pub fn text_of_field<const N: usize>(field: &[c_char; N]) -> String {
    let bytes: Vec<u8> = field.iter().map(|&c| c as u8).take_while(|&byte| byte != 0).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Texts with a NUL behind each, for C to read.
#[derive(Debug)]
pub struct Texts {
    addresses: Vec<*const c_char>,
    _texts: Vec<Terminated>, // to which the addresses point
}

impl Texts {
    /// Copy texts.
    ///
    /// # Errors
    /// Those of [`Terminated::new`]; the message also has the place of the text, from 0.
    pub fn new(name: &str, texts: &[impl AsRef<str>]) -> Result<Texts> {
        let mut copies = Vec::with_capacity(texts.len());
        for (i, text) in texts.iter().enumerate() {
            let text = text.as_ref();
            if text.as_bytes().contains(&0) {
                return Err(without_nul(&format!("{name}[{i}]")));
            }
            copies.push(Terminated::new(name, text)?);
        }
        Ok(Texts {
            addresses: copies.iter().map(Terminated::as_ptr).collect(),
            _texts: copies,
        })
    }

    /// Return the addresses of the texts, which are valid while this is not dropped.
    #[must_use]
    pub fn as_ptr(&self) -> *const *const c_char {
        self.addresses.as_ptr()
    }

    /// Return how many texts there are.
    #[must_use]
    pub fn count(&self) -> i64 {
        self.addresses.len() as i64
    }
}

/// How many tensors of a list need no allocation for their descriptions.
const FEW: usize = 8;

/// A list of tensors for C to read, and room for their descriptions.
#[derive(Debug)]
pub struct List<'a, A> {
    items: &'a [A],
    slots: [Slot; FEW],
    args: [MaybeUninit<ffi::dlf_arg>; FEW],
    more: (Vec<Slot>, Vec<ffi::dlf_arg>), // instead of these, for a longer list
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
    #[must_use]
    pub fn count(&self) -> i64 {
        self.items.len() as i64
    }
}
