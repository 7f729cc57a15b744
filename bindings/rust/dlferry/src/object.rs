// SPDX-License-Identifier: Apache-2.0
//! C objects that must be freed.

pub(crate) mod local;

use crate::tensor::{Access, Memory};
use crate::{ffi, Element, Elements, ElementsMut, Error, ErrorKind, Result, Tensor};
use std::cell::{Cell, RefCell};
use std::fmt;
use std::ptr::null_mut;
use std::sync::atomic::{fence, Ordering};
use std::sync::Arc;

pub(crate) use local::views;
pub use local::LocalTensor;

/// A place for a C object, which is freed when this and everything made from the object are dropped; a
/// [`borrowed`](Object::borrowed) one is freed with its owner.
///
/// It stays on its thread, since a header does not say whether C allows others. If you know that C does, declare it for
/// a struct around it; nothing here depends on the thread:
///
/// ```
/// # struct Codec(#[allow(dead_code)] dlferry::arg::Object<u8>);
/// # impl Codec { fn encode(&mut self) {} }
/// # unsafe extern "C" fn free(_: *mut u8) {}
/// # let codec = Codec(dlferry::arg::Object::new(free));
/// struct Moving(Codec);
///
/// // SAFETY: the manual says that a codec works on any thread, one at a time; it was not made or borrowed from another
/// // object, and no other was from it.
/// unsafe impl Send for Moving {}
///
/// impl Moving {
///     fn encode(&mut self) {
///         self.0.encode() // not `moving.0.encode()` in the closure, which would capture the codec alone
///     }
/// }
///
/// let mut moving = Moving(codec);
/// std::thread::spawn(move || moving.encode()).join().unwrap();
/// ```
///
/// Functions that a contract calls `threadsafe` take `&self`. A struct with only such functions may also be `Sync`.
/// Tensors that the object lends stay behind in any case, as [`LocalTensor`]s.
pub struct Object<T: 'static> {
    owner: Arc<Owner<T>>,
    kept: Vec<Kept>, // dropped after the object
}

struct Owner<T: 'static> {
    object: Cell<*mut T>,
    free: Option<unsafe extern "C" fn(*mut T)>, // none if C frees it with a parent, or never
    parents: RefCell<Vec<Arc<dyn Relative>>>,   // dropped after the object
}

/// The owner of an object of any type, as children keep it.
trait Relative {
    /// Free the object, if that is not done, and give the owners of what it was made from.
    fn end(&self) -> Vec<Arc<dyn Relative>>;
}

/// A tensor that C keeps, and the name of its parameter.
struct Kept {
    name: &'static str,
    tensor: Tensor,
}

impl<T: 'static> Object<T> {
    /// Make an empty place; `free` frees its object.
    pub fn new(free: unsafe extern "C" fn(*mut T)) -> Object<T> {
        Object::with(Some(free))
    }

    /// Make an empty place for an object that C frees with that of [`borrow_from`](Object::borrow_from), or never.
    #[must_use]
    pub fn borrowed() -> Object<T> {
        Object::with(None)
    }

    fn with(free: Option<unsafe extern "C" fn(*mut T)>) -> Object<T> {
        // Counted across threads, for callers who declare `Send`.
        #[allow(clippy::arc_with_non_send_sync)]
        let owner = Arc::new(Owner {
            object: Cell::new(null_mut()),
            free,
            parents: RefCell::default(),
        });
        Object {
            owner,
            kept: Vec::new(),
        }
    }

    /// Return the place. The writer must store NULL or an object that `free` accepts once, or that lives as long as
    /// that of `borrow_from`.
    pub fn place(&mut self) -> *mut *mut T {
        self.owner.object.as_ptr()
    }

    /// Return the object's address, valid as long as this.
    #[inline]
    #[must_use]
    pub fn raw(&self) -> *mut T {
        self.owner.object.get()
    }

    /// Take a tensor that C keeps until the object is freed. It shares its elements with nothing else, so only C and
    /// [`kept`](Object::kept) reach them.
    pub fn keep_tensor(&mut self, name: &'static str, tensor: Unshared) {
        self.kept.push(Kept { name, tensor: tensor.0 });
    }

    /// Read the elements of the last kept tensor of this name.
    ///
    /// # Errors
    /// [`Invalid`](crate::ErrorKind::Invalid) if there is none, or if the object has relatives: another object from
    /// which it was made or that was made from it, or a tensor that it lends. A call of theirs, which does not borrow
    /// this object, may reach what C keeps. Also those of [`Tensor::elements`].
    pub fn kept<E: Element>(&self, name: &str) -> Result<Elements<'_, E>> {
        let tensor = self.find(name)?;
        self.check_alone(name)?;
        Elements::look(tensor.dltensor(), tensor.flags(), 0, access(tensor))
    }

    /// Read and write the elements of the last kept tensor of this name.
    ///
    /// # Errors
    /// [`ReadOnly`](crate::ErrorKind::ReadOnly), and those of [`kept`](Object::kept).
    pub fn kept_mut<E: Element>(&mut self, name: &str) -> Result<ElementsMut<'_, E>> {
        let tensor = self.find(name)?;
        self.check_alone(name)?;
        let elements = Elements::look(tensor.dltensor(), tensor.flags(), ffi::DLF_LOOK_WRITE, access(tensor))?;
        elements.check_lendable()?;
        Ok(ElementsMut::new(elements))
    }

    /// Read and write the elements of the last kept tensor of this name, also if the object has relatives.
    ///
    /// # Safety
    /// While the result lives, no other code uses the elements, such as C in a call with one of the relatives.
    ///
    /// # Errors
    /// [`ReadOnly`](crate::ErrorKind::ReadOnly), [`Invalid`](crate::ErrorKind::Invalid) if there is none, and those of
    /// [`Tensor::elements`].
    pub unsafe fn kept_mut_unchecked<E: Element>(&mut self, name: &str) -> Result<ElementsMut<'_, E>> {
        let tensor = self.find(name)?;
        Elements::look(tensor.dltensor(), tensor.flags(), ffi::DLF_LOOK_WRITE, Access::Alone).map(ElementsMut::new)
    }

    fn find(&self, name: &str) -> Result<&Tensor> {
        let last = self.kept.iter().rev().find(|kept| kept.name == name);
        last.map(|kept| &kept.tensor).ok_or_else(|| {
            let text = format!("kept: expected the name of a kept tensor, got {name}");
            Error::new(ErrorKind::Invalid, text)
        })
    }

    /// Without relatives C uses what it keeps only in calls that borrow the object exclusively.
    fn check_alone(&self, name: &str) -> Result<()> {
        if Arc::strong_count(&self.owner) == 1 && self.owner.parents.borrow().is_empty() {
            fence(Ordering::Acquire); // after the calls of a relative that another thread dropped
            return Ok(());
        }
        let text = format!(
            "kept: {name}: expected an object without relatives, got one that others were made from, that was made from \
             another, or that lends a tensor; C may use {name} in their calls"
        );
        Err(Error::new(ErrorKind::Invalid, text))
    }

    /// Wrap a tensor of memory that C frees with the object, or later.
    pub(crate) fn local(&self, tensor: Tensor) -> LocalTensor {
        LocalTensor::new(tensor, self.owner.clone())
    }

    /// Keep another object alive as long as this one, for an object made from it.
    pub fn keep<U: 'static>(&mut self, parent: &Object<U>) {
        let mut parents = self.owner.parents.borrow_mut();
        let address = Arc::as_ptr(&parent.owner).cast::<()>();
        if !parents.iter().any(|known| Arc::as_ptr(known).cast::<()>() == address) {
            parents.push(parent.owner.clone());
        }
    }
}

impl<T: 'static> Object<T> {
    /// Keep the object with which C frees this borrowed one: the owner, or what that was borrowed from itself, so that
    /// a walk through a list of C's keeps one object alive and not each node.
    pub fn borrow_from<U: 'static>(&mut self, owner: &Object<U>) {
        if owner.owner.free.is_some() {
            self.keep(owner);
            return;
        }
        let first = owner.owner.parents.borrow().clone();
        self.owner.parents.borrow_mut().extend(first);
    }
}

impl<T: 'static> Relative for Owner<T> {
    fn end(&self) -> Vec<Arc<dyn Relative>> {
        let object = self.object.replace(null_mut());
        if let (Some(free), false) = (self.free, object.is_null()) {
            // SAFETY: place() demands it.
            unsafe { free(object) }
        }
        self.parents.take()
    }
}

/// Each object before those that it was made from. One call ends them all: if each dropped its parents itself, a long
/// chain would overflow the stack.
impl<T: 'static> Drop for Owner<T> {
    fn drop(&mut self) {
        let mut waiting = self.end();
        waiting.reverse(); // the first is popped first
        while let Some(mut owner) = waiting.pop() {
            if let Some(last) = Arc::get_mut(&mut owner) {
                waiting.extend(last.end().into_iter().rev());
            }
        }
    }
}

impl<T: 'static> fmt::Debug for Object<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Object").field(&self.raw()).finish()
    }
}

/// Nothing else could reach the elements when C took the tensor: a borrow of the object is alone with them.
fn access(tensor: &Tensor) -> Access {
    match tensor.memory() {
        Memory::Own => Access::Alone,
        Memory::Foreign => Access::Foreign,
    }
}

/// A tensor that no view, export or other handle shares, for C to keep.
#[derive(Debug)]
pub struct Unshared(Tensor);

impl Unshared {
    /// Take a tensor for C that may write it. `name` opens the message.
    ///
    /// # Errors
    /// [`Invalid`](ErrorKind::Invalid) if a view, an export or another handle shares it, or if it is memory of another
    /// runtime: see [`Tensor::assume_own`].
    pub fn to_write(name: &str, tensor: Tensor) -> Result<Unshared> {
        if tensor.memory() == Memory::Foreign && !tensor.is_read_only() {
            let message = format!("{name}: expected memory that Rust allocated, since C keeps it and may write it, got memory of another runtime");
            return Err(Error::new(ErrorKind::Invalid, message));
        }
        Unshared::to_read(name, tensor)
    }

    /// Take a tensor for C that only reads it. `name` opens the message.
    ///
    /// # Errors
    /// [`Invalid`](ErrorKind::Invalid) if a view, an export or another handle shares it.
    pub fn to_read(name: &str, tensor: Tensor) -> Result<Unshared> {
        if tensor.is_unique() || tensor.memory() == Memory::Foreign {
            return Ok(Unshared(tensor));
        }
        let message =
            format!("{name}: expected a tensor that no view, export or other handle shares, since C keeps it");
        Err(Error::new(ErrorKind::Invalid, message))
    }

    /// Return the handle, for C to retain.
    #[must_use]
    pub fn raw(&self) -> *mut ffi::dlf_tensor {
        self.0.raw()
    }
}
