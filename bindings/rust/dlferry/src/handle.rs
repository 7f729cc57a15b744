// SPDX-License-Identifier: Apache-2.0
//! Objects of C's that somebody must free.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::ptr::null_mut;
use std::rc::Rc;

/// A place for an object of C's, which is freed when this and all that was made of it are dropped.
///
/// Stays on its thread: a header does not say whether C allows others.
pub struct Handle<T: 'static>(Rc<Owner<T>>);

struct Owner<T: 'static> {
    object: Cell<*mut T>,
    free: unsafe extern "C" fn(*mut T),
    parents: RefCell<Vec<Rc<dyn Any>>>, // dropped after the object
}

impl<T: 'static> Handle<T> {
    /// Make an empty place, for what this function frees.
    pub fn new(free: unsafe extern "C" fn(*mut T)) -> Handle<T> {
        Handle(Rc::new(Owner {
            object: Cell::new(null_mut()),
            free,
            parents: RefCell::default(),
        }))
    }

    /// Return the place. Whoever writes there gives an object that `free` may be called with, once, or NULL.
    pub fn place(&mut self) -> *mut *mut T {
        self.0.object.as_ptr()
    }

    /// Return the object's address, good as long as this.
    #[inline]
    pub fn raw(&self) -> *mut T {
        self.0.object.get()
    }

    /// Keep another object alive as long as this one, which C may have made of it.
    pub fn keep<U: 'static>(&mut self, parent: &Handle<U>) {
        self.0.parents.borrow_mut().push(parent.0.clone());
    }
}

impl<T: 'static> Drop for Owner<T> {
    fn drop(&mut self) {
        let object = self.object.get();
        if !object.is_null() {
            // SAFETY: as place() demands.
            unsafe { (self.free)(object) }
        }
    }
}

impl<T: 'static> fmt::Debug for Handle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Handle").field(&self.raw()).finish()
    }
}
