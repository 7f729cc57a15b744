// SPDX-License-Identifier: Apache-2.0
//! C objects that must be freed.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::ptr::null_mut;
use std::sync::Arc;

/// A place for a C object, which is freed when this and everything made from the object are dropped.
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
/// // SAFETY: the manual says that a codec works on any thread, one at a time; it was not made from another object.
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
pub struct Object<T: 'static>(Arc<Owner<T>>);

struct Owner<T: 'static> {
    object: Cell<*mut T>,
    free: unsafe extern "C" fn(*mut T),
    parents: RefCell<Vec<Arc<dyn Any>>>, // dropped after the object
}

impl<T: 'static> Object<T> {
    /// Make an empty place; `free` frees its object.
    pub fn new(free: unsafe extern "C" fn(*mut T)) -> Object<T> {
        // Counted across threads, for callers who declare `Send`.
        #[allow(clippy::arc_with_non_send_sync)]
        Object(Arc::new(Owner {
            object: Cell::new(null_mut()),
            free,
            parents: RefCell::default(),
        }))
    }

    /// Return the place. The writer must store NULL or an object that `free` accepts once.
    pub fn place(&mut self) -> *mut *mut T {
        self.0.object.as_ptr()
    }

    /// Return the object's address, valid as long as this.
    #[inline]
    pub fn raw(&self) -> *mut T {
        self.0.object.get()
    }

    /// Keep another object alive as long as this one, for an object made from it.
    pub fn keep<U: 'static>(&mut self, parent: &Object<U>) {
        self.0.parents.borrow_mut().push(parent.0.clone());
    }
}

impl<T: 'static> Drop for Owner<T> {
    fn drop(&mut self) {
        let object = self.object.get();
        if !object.is_null() {
            // SAFETY: place() demands it.
            unsafe { (self.free)(object) }
        }
    }
}

impl<T: 'static> fmt::Debug for Object<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Object").field(&self.raw()).finish()
    }
}
