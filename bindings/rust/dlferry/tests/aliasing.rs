// SPDX-License-Identifier: Apache-2.0
//! No safe function gives a reference or a writable argument to memory that another safe handle writes. What must not
//! compile is in `src/refused.rs`; the feature `pyo3` is tested by its own project.

use dlferry::arg::{ArgMut, Object, Slot, Unshared};
use dlferry::plumbing::Given;
use dlferry::{DType, ErrorKind, ManagedTensor, Tensor};
use testing::alone;

unsafe extern "C" fn free(_: *mut u8) {}

fn kernel_may_write(t: &mut impl ArgMut) -> bool {
    let mut slot = Slot::new();
    t.lend_mut(&mut slot).raw().flags == 0
}

/// An import whose memory others may use.
fn foreign(values: &[f32]) -> Tensor {
    let managed = ManagedTensor::from(values.to_vec());
    // SAFETY: nothing else uses the elements.
    unsafe { Tensor::from_dlpack(managed.into_raw()) }.unwrap()
}

/// An object that keeps a tensor, as a generated function makes it.
fn keeper(values: &[f32]) -> Object<u8> {
    let mut object = Object::new(free);
    object.keep_tensor(
        "x",
        Unshared::to_write("make: x", Tensor::from(values.to_vec())).unwrap(),
    );
    object
}

#[test]
fn c_keeps_only_what_nothing_else_reaches() {
    let _alone = alone();
    let t = Tensor::from(vec![1f32, 2.0]);
    let view = t.slice(0, 0, 2, 1).unwrap();
    for take in [Unshared::to_read, Unshared::to_write] {
        let error = take("make: x", t.slice(0, 0, 2, 1).unwrap()).unwrap_err();
        assert_eq!(
            (error.kind(), error.message()),
            (
                ErrorKind::Invalid,
                "make: x: expected a tensor that no view, export or other handle shares, since C keeps it"
            )
        );
    }
    let exported = view.to_dlpack().unwrap();
    drop((t, view));
    // SAFETY: nothing else uses the elements.
    let back = unsafe { Tensor::from_dlpack(exported.into_raw()) }.unwrap();
    assert!(Unshared::to_write("make: x", back).is_err());
    let mut object = keeper(&[1.0, 2.0]);
    object.kept_mut::<f32>("x").unwrap()[[1]] = 3.0;
    assert_eq!(object.kept::<f32>("x").unwrap().as_slice().unwrap(), [1.0, 3.0]);
}

#[test]
fn c_writes_no_memory_of_others_that_it_keeps() {
    let _alone = alone();
    let error = Unshared::to_write("make: x", foreign(&[1.0])).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid);
    assert_eq!(
        error.message(),
        "make: x: expected memory that Rust allocated, since C keeps it and may write it, got memory of another runtime"
    );
    let mut object = Object::new(free);
    object.keep_tensor("x", Unshared::to_read("make: x", foreign(&[1.0])).unwrap());
    assert_eq!(object.kept::<f32>("x").unwrap().at([0]), 1.0);
    assert!(object.kept::<f32>("x").unwrap().as_slice().is_err());
    assert!(object.kept_mut::<f32>("x").is_err());
    // SAFETY: nothing else uses the elements.
    let own = unsafe { foreign(&[1.0]).assume_own() };
    assert!(Unshared::to_write("make: x", own).is_ok());
}

/// C may use what it keeps in a call with an object that was made from the keeper, which no borrow of it prevents.
#[test]
fn what_c_keeps_is_not_lent_while_a_relative_lives() {
    let _alone = alone();
    let mut parent = keeper(&[1.0, 2.0]);
    let mut child = keeper(&[3.0]);
    child.keep(&parent);
    for object in [&mut parent, &mut child] {
        for error in [
            object.kept::<f32>("x").map(drop).unwrap_err(),
            object.kept_mut::<f32>("x").map(drop).unwrap_err(),
        ] {
            assert_eq!(error.kind(), ErrorKind::Invalid);
            assert!(
                error
                    .message()
                    .starts_with("kept: x: expected an object without relatives"),
                "{error}"
            );
        }
        // SAFETY: no call of C runs.
        unsafe { object.kept_mut_unchecked::<f32>("x") }.unwrap()[[0]] = 7.0;
    }
    drop(child);
    assert_eq!(parent.kept::<f32>("x").unwrap().as_slice().unwrap(), [7.0, 2.0]);
}

fn given(values: &[f32]) -> Given {
    let mut given = Given::new();
    // SAFETY: a place, for a new tensor.
    unsafe { *given.place() = ManagedTensor::from(values.to_vec()).into_raw() };
    given
}

#[test]
fn lent_memory_is_read_by_value_and_keeps_its_object() {
    let _alone = alone();
    let mut object = keeper(&[1.0]);
    let mut lent = given(&[1.0, 2.0]).lent(&object).unwrap();
    let mut view = lent.slice(0, 1, 1, 1).unwrap();
    for t in [&mut lent, &mut view] {
        assert!(!kernel_may_write(t));
        assert_eq!(
            t.elements::<f32>().unwrap().as_slice().unwrap_err().kind(),
            ErrorKind::Invalid
        );
        assert_eq!(t.elements_mut::<f32>().unwrap_err().kind(), ErrorKind::Invalid);
        // SAFETY: no kernel runs.
        assert!(kernel_may_write(&mut unsafe { t.assume_alone() }));
    }
    drop(lent);
    assert!(object.kept_mut::<f32>("x").is_err()); // it may be the lent memory
    assert_eq!(view.elements::<f32>().unwrap().to_vec(), [2.0]);
    assert_eq!(
        view.copy().unwrap().elements::<f32>().unwrap().as_slice().unwrap(),
        [2.0]
    );
    drop(view);
    assert!(object.kept_mut::<f32>("x").is_ok());
}

#[test]
fn memory_that_c_frees_for_its_receiver_is_its_own() {
    let _alone = alone();
    let object = keeper(&[1.0]);
    let mut freed = given(&[1.0, 2.0]).freed(&object).unwrap();
    assert!(kernel_may_write(&mut freed));
    freed.elements_mut::<f32>().unwrap()[[0]] = 5.0;
    assert_eq!(freed.elements::<f32>().unwrap().as_slice().unwrap(), [5.0, 2.0]);
    // SAFETY: the object may be freed anywhere.
    let free = unsafe { freed.into_tensor() };
    std::thread::spawn(move || drop(free)).join().unwrap();
}

#[test]
fn a_read_only_tensor_that_c_gives_may_be_shared() {
    let _alone = alone();
    let mut shared = Given::new();
    let read_only = ManagedTensor::from(std::sync::Arc::<[f32]>::from([1.0]));
    // SAFETY: a place, for a new tensor.
    unsafe { *shared.place() = read_only.into_raw() };
    let shared = shared.managed().unwrap();
    assert!(shared.elements::<f32>().unwrap().as_slice().is_err());
    let own = given(&[1.0]).managed().unwrap();
    assert!(own.elements::<f32>().unwrap().as_slice().is_ok());
}

#[test]
fn two_imports_of_one_memory_are_not_written() {
    let _alone = alone();
    let mut memory = [1f32, 2.0];
    let data = memory.as_mut_ptr().cast();
    // SAFETY: the array outlives both tensors; all uses are on this thread.
    let import = || unsafe { Tensor::wrap_raw(data, DType::F32, &[2], None, dlferry::Device::CPU, 0, ()) }.unwrap();
    let (mut first, mut second) = (import(), import());
    assert!(first.is_unique() && second.is_unique()); // for all that the hub knows
    assert!(!kernel_may_write(&mut first) && !kernel_may_write(&mut second));
    assert!(first.elements_mut::<f32>().is_err() && second.elements_mut::<f32>().is_err());
}

/// What Python may write is foreign for good, and nothing else lends references to it.
#[test]
fn memory_that_is_given_away_stays_foreign() {
    let _alone = alone();
    let t = Tensor::from(vec![1f32, 2.0]);
    let slice = t.elements::<f32>().unwrap().as_slice().unwrap();
    let error = t.slice(0, 0, 1, 1).unwrap().into_foreign().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid);
    assert_eq!(
        error.message(),
        "into_foreign: expected a tensor that no view, export or other handle shares, since others may write it; pass a \
         copy, or call into_foreign before sharing it"
    );
    assert_eq!(slice, [1.0, 2.0]);
    let mut t = t.into_foreign().unwrap();
    let mut view = t.slice(0, 0, 1, 1).unwrap().into_foreign().unwrap();
    assert!(t.elements_mut::<f32>().is_err() && !kernel_may_write(&mut t) && !kernel_may_write(&mut view));
    drop(t);
    assert!(view.is_unique() && view.elements::<f32>().unwrap().as_slice().is_err());
    assert!(!kernel_may_write(&mut view));
    let read_only = Tensor::from(std::sync::Arc::<[f32]>::from([1.0]));
    let shared = read_only.slice(0, 0, 1, 1).unwrap().into_foreign().unwrap();
    assert!(shared.elements::<f32>().unwrap().as_slice().is_err());
}
