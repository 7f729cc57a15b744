// SPDX-License-Identifier: Apache-2.0
//! Shared by tests: managed tensors of a broken producer, from the C helper in `tests/cases`.

use dlferry_sys::{DLManagedTensor, DLManagedTensorVersioned};
use std::ffi::{c_char, CString};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::ThreadId;

extern "C" {
    fn malformed_make(name: *const c_char) -> *mut DLManagedTensorVersioned;
    fn malformed_make_legacy(name: *const c_char) -> *mut DLManagedTensor;
    fn malformed_deleted() -> i64;
    fn made_tensor(text: *const c_char) -> *mut DLManagedTensorVersioned;
    fn made_deleted() -> i64;
}

/// Folder of the cases shared by all languages.
pub const CASES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../tests/cases");

/// Make a managed tensor by name; NULL for an unknown one. The caller owns it.
#[must_use]
pub fn make(name: &str) -> *mut DLManagedTensorVersioned {
    let name = CString::new(name).expect("names hold no NUL");
    // SAFETY: name ends with NUL.
    unsafe { malformed_make(name.as_ptr()) }
}

/// Make a managed tensor of DLPack 0.8 by name; NULL for an unknown one. The caller owns it.
#[must_use]
pub fn make_legacy(name: &str) -> *mut DLManagedTensor {
    let name = CString::new(name).expect("names hold no NUL");
    // SAFETY: name ends with NUL.
    unsafe { malformed_make_legacy(name.as_ptr()) }
}

/// Make a managed tensor from its text, as `made.h` reads it; NULL if it is none. The caller owns it.
#[must_use]
pub fn made(text: &str) -> *mut DLManagedTensorVersioned {
    let text = CString::new(text).expect("texts hold no NUL");
    // SAFETY: text ends with NUL.
    unsafe { made_tensor(text.as_ptr()) }
}

/// Count the deleters of such tensors that have run, in any thread.
#[must_use]
pub fn deleted_made() -> i64 {
    // SAFETY: takes nothing.
    unsafe { made_deleted() }
}

/// Count the deleters that have run, in any thread.
#[must_use]
pub fn deleted() -> i64 {
    // SAFETY: takes nothing.
    unsafe { malformed_deleted() }
}

static ALONE: Mutex<()> = Mutex::new(());

/// One test at a time, since the counts are those of the process; at its end no tensor is alive.
#[derive(Debug)]
pub struct Alone(#[allow(dead_code)] MutexGuard<'static, ()>);

/// Begin a test.
pub fn alone() -> Alone {
    #[cfg(miri)]
    miri::give_memory();
    Alone(ALONE.lock().unwrap_or_else(PoisonError::into_inner))
}

impl Drop for Alone {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            // SAFETY: takes nothing.
            assert_eq!(unsafe { dlferry_sys::dlf_live() }, 0, "tensors were left alive");
        }
    }
}

/// An owner of elements that counts its drops, and their threads.
#[derive(Debug)]
pub struct Owner<T> {
    elements: Vec<T>,
    drops: Arc<Mutex<Vec<ThreadId>>>,
}

/// The threads on which an [`Owner`] was dropped.
pub type Drops = Arc<Mutex<Vec<ThreadId>>>;

impl<T> Owner<T> {
    /// Own elements, and record their drop.
    #[must_use]
    pub fn new(elements: Vec<T>) -> (Owner<T>, Drops) {
        let drops = Drops::default();
        (
            Owner {
                elements,
                drops: drops.clone(),
            },
            drops,
        )
    }
}

/// How often an owner was dropped.
pub fn count(drops: &Drops) -> usize {
    drops.lock().expect("no test panics under the lock").len()
}

impl<T> AsMut<[T]> for Owner<T> {
    fn as_mut(&mut self) -> &mut [T] {
        &mut self.elements
    }
}

impl<T> Drop for Owner<T> {
    fn drop(&mut self) {
        self.drops
            .lock()
            .expect("no test panics under the lock")
            .push(std::thread::current().id());
    }
}

#[cfg(miri)]
mod miri {
    use std::ptr::null_mut;
    use std::sync::atomic::{AtomicPtr, Ordering};
    use std::sync::Once;

    extern "C" {
        fn miri_hub_memory(block: *mut u128, size: usize);
    }

    /// Give the hub its memory, which Miri follows through C: see miri.c.
    pub(super) fn give_memory() {
        static ONCE: Once = Once::new();
        static BLOCK: AtomicPtr<u128> = AtomicPtr::new(null_mut()); // so that it counts as used
        ONCE.call_once(|| {
            let block = Box::leak(vec![0u128; 1 << 14].into_boxed_slice()); // aligned like malloc's
            BLOCK.store(block.as_mut_ptr(), Ordering::Relaxed);
            // SAFETY: a block that lives as long as the process and that only the hub uses.
            unsafe { miri_hub_memory(BLOCK.load(Ordering::Relaxed), size_of_val(block)) };
        });
    }
}
