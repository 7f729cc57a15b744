// SPDX-License-Identifier: Apache-2.0
//! Objects of C's that somebody must free.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::ptr::null_mut;
use std::sync::Arc;

/// A place for an object of C's, which is freed when this and all that was made of it are dropped.
///
/// Stays on its thread: a header does not say whether C allows others. Who knows that it does may say so of a struct
/// around it, since nothing here minds the thread:
///
/// ```
/// # struct Codec(#[allow(dead_code)] dlferry::arg::Handle<u8>);
/// # impl Codec { fn encode(&mut self) {} }
/// # unsafe extern "C" fn free(_: *mut u8) {}
/// # let codec = Codec(dlferry::arg::Handle::new(free));
/// struct Moving(Codec);
///
/// // SAFETY: the manual says that a codec works on any thread, one at a time; it was made of no other object.
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
/// Functions that a contract calls `threadsafe` take `&self`. A struct that offers no others may be `Sync` as well.
pub struct Handle<T: 'static>(Arc<Owner<T>>);

struct Owner<T: 'static> {
    object: Cell<*mut T>,
    free: unsafe extern "C" fn(*mut T),
    parents: RefCell<Vec<Arc<dyn Any>>>, // dropped after the object
}

impl<T: 'static> Handle<T> {
    /// Make an empty place, for what this function frees.
    pub fn new(free: unsafe extern "C" fn(*mut T)) -> Handle<T> {
        // Counted across threads for those who vouch for C.
        #[allow(clippy::arc_with_non_send_sync)]
        Handle(Arc::new(Owner {
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
