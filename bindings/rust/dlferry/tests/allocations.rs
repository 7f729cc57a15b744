// SPDX-License-Identifier: Apache-2.0
//! Typed access allocates nothing.
#![cfg(feature = "ndarray")]

use dlferry::{Result, Tensor};
use ndarray::{Axis, Ix2, Ix6, IxDyn};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use testing::alone;

struct Counting;

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: the system's allocator; the counter allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = COUNT.try_with(|count| count.set(count.get() + 1));
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(place, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Count the allocations of a call on this thread.
fn allocations<T>(call: impl FnOnce() -> T) -> (T, u64) {
    let before = COUNT.get();
    let result = call();
    (result, COUNT.get() - before)
}

#[test]
#[cfg_attr(miri, ignore = "C makes tensors")]
fn views_of_ndarray() -> Result<()> {
    let _alone = alone();
    let mut matrix = Tensor::wrap_strided((0..24).collect::<Vec<i32>>(), 23, &[2, 3], &[-12, -4])?;
    let mut six = Tensor::wrap(vec![1u8; 64], &[2; 6])?;
    let four = Tensor::wrap(vec![1u8; 16], &[2; 4])?;
    let (sum, count) = allocations(|| -> Result<i64> {
        let mut sum = i64::from(matrix.elements::<i32>()?.ndarray::<Ix2>()?[[1, 2]]);
        sum += i64::from(matrix.elements_mut::<i32>()?.into_ndarray::<Ix2>()?[[0, 0]]);
        sum += i64::from(six.elements::<u8>()?.ndarray::<Ix6>()?.index_axis(Axis(0), 1)[[1; 5]]);
        sum += i64::from(six.elements_mut::<u8>()?.into_ndarray::<Ix6>()?[[1; 6]]);
        Ok(sum + i64::from(four.elements::<u8>()?.ndarray::<IxDyn>()?[[1; 4].as_slice()]))
    });
    assert_eq!((sum?, count), (23 - 12 - 8 + 23 + 3, 0));
    // ndarray itself allocates the two lists of IxDyn beyond four dimensions.
    let (array, count) = allocations(|| {
        six.elements::<u8>()
            .and_then(|elements| elements.ndarray::<IxDyn>())
            .is_ok()
    });
    assert!(array && count >= 2);
    Ok(())
}
