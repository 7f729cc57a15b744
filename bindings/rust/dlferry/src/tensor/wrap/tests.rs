// SPDX-License-Identifier: Apache-2.0
//! Owners that are kept: Miri runs these, since they do not call C.

use super::*;
use crate::ManagedTensor;
use std::sync::atomic::{AtomicUsize, Ordering};

static DROPS: AtomicUsize = AtomicUsize::new(0);

/// Its elements lie inside, so they move with it.
struct Inline([i32; 3]);

impl AsMut<[i32]> for Inline {
    fn as_mut(&mut self) -> &mut [i32] {
        &mut self.0
    }
}

impl Drop for Inline {
    fn drop(&mut self) {
        assert_eq!(self.0, [1, 9, 3]);
        DROPS.fetch_add(1, Ordering::Relaxed);
    }
}

#[test]
fn an_owner_is_kept_written_and_released() {
    let mut kept = Kept::new(Inline([1, 2, 3]));
    let (data, length) = raw_parts_mut(kept.owner().as_mut());
    let tensor = window(c"wrap", data, length, 1, &[2], Some(&[1])).unwrap();
    let owner = kept.0.as_ptr();
    std::mem::forget(kept); // like an owner that the hub has taken
                            // SAFETY: the elements lie in the owner, which is released last and once.
    unsafe {
        *tensor.data.cast::<i32>() = 9;
        assert_eq!(std::slice::from_raw_parts(data, length), [1, 9, 3]);
        release::<Inline>(owner.cast());
    }
    assert_eq!(DROPS.load(Ordering::Relaxed), 1);

    let mut kept = Kept::new(Inline([1, 9, 3])); // dropped if the hub refuses it
    assert!(window(c"wrap", raw_parts_mut(kept.owner().as_mut()).0, 3, 0, &[4], None).is_err());
    drop(kept);
    assert_eq!(DROPS.load(Ordering::Relaxed), 2);
}

#[test]
fn owners_without_size_or_with_a_panic_are_released() {
    struct Bomb;
    impl Drop for Bomb {
        fn drop(&mut self) {
            std::panic::panic_any(()); // expected in this test
        }
    }
    let kept = Kept::new(Bomb);
    let owner = kept.0.as_ptr();
    std::mem::forget(kept);
    // SAFETY: made by Kept, and released once.
    unsafe { release::<Bomb>(owner.cast()) };
    let mut shared = Kept::new(std::sync::Arc::<[u8]>::from([1, 2]));
    let (data, length) = raw_parts((*shared.owner()).as_ref());
    // SAFETY: the owner lives.
    assert_eq!(unsafe { std::slice::from_raw_parts(data, length) }, [1, 2]);
}

#[test]
fn a_vector_given_away_is_freed_by_its_deleter() {
    for values in [vec![1f32, 2.0], vec![]] {
        let given = ManagedTensor::from(values.clone()).into_raw();
        // SAFETY: owned here, and deleted once.
        unsafe {
            let tensor = &(*given).dl_tensor;
            assert_eq!((*tensor.shape, *tensor.strides), (values.len() as i64, 1));
            for (i, value) in values.iter().enumerate() {
                assert_eq!(tensor.data.cast::<f32>().add(i).read(), *value);
            }
            (*given).deleter.unwrap()(given);
        }
    }
}
