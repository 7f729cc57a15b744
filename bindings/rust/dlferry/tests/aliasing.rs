// SPDX-License-Identifier: Apache-2.0
//! No safe function gives a reference or a writable argument to memory that another safe handle writes. What must not
//! compile is in `src/refused.rs`; the feature `pyo3` is tested by its own project.

//!
//! Miri runs these: it sees a write below a slice that is lent, or beside another reference.

use dlferry::arg::{ArgMut, Object, Slot, Unshared};
use dlferry::plumbing::Given;
use dlferry::{ffi, DType, Device, ErrorKind, Tensor};
use std::ptr::null_mut;
use std::sync::Arc;
use testing::alone;

unsafe extern "C" fn free(_: *mut u8) {}

/// Memory of the hub's, since Miri follows no call of C that drops an owner of Rust's.
fn own(values: &[f32]) -> Tensor {
    let mut t = Tensor::create(DType::F32, &[values.len() as i64]).unwrap();
    t.elements_mut::<f32>()
        .unwrap()
        .as_mut_slice()
        .unwrap()
        .copy_from_slice(values);
    t
}

/// Write all that safe code may write of a tensor, as a kernel and by references.
fn write_what_is_allowed(t: &mut impl ArgMut) {
    let mut slot = Slot::new();
    let lent = t.lend_mut(&mut slot).raw();
    if lent.flags == 0 {
        // SAFETY: a kernel may write the first element, of float32, of what is lent to it.
        unsafe { *(*lent.tensor).data.cast::<f32>() = 9.0 };
    }
}

fn kernel_may_write(t: &mut impl ArgMut) -> bool {
    let mut slot = Slot::new();
    t.lend_mut(&mut slot).raw().flags == 0
}

/// An import whose memory others may use.
fn foreign(values: &[f32]) -> Tensor {
    let managed = own(values).into_dlpack().unwrap();
    // SAFETY: nothing else uses the elements.
    unsafe { Tensor::from_dlpack(managed.into_raw()) }.unwrap()
}

/// An object that keeps a tensor, as a generated function makes it.
fn keeper(values: &[f32]) -> Object<u8> {
    let mut object = Object::new(free);
    object.keep_tensor("x", Unshared::to_write("make: x", own(values)).unwrap());
    object
}

#[test]
fn c_keeps_only_what_nothing_else_reaches() {
    let _alone = alone();
    let t = own(&[1.0, 2.0]);
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
    unsafe { *given.place() = own(values).into_dlpack().unwrap().into_raw() };
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
#[cfg_attr(miri, ignore = "C drops an Arc of Rust's")]
fn a_read_only_tensor_that_c_gives_may_be_shared() {
    let _alone = alone();
    let mut shared = Given::new();
    let read_only = dlferry::ManagedTensor::from(Arc::<[f32]>::from([1.0]));
    // SAFETY: a place, for a new tensor.
    unsafe { *shared.place() = read_only.into_raw() };
    let shared = shared.managed().unwrap();
    assert!(shared.elements::<f32>().unwrap().as_slice().is_err());
    let own = given(&[1.0]).managed().unwrap();
    assert!(own.elements::<f32>().unwrap().as_slice().is_ok());
}

/// As of one NumPy array: the hub cannot know that they share memory.
#[test]
fn two_imports_of_one_memory_are_not_written() {
    let _alone = alone();
    let (mut memory, mut shape, mut strides) = ([1f32, 2.0], [2i64], [1i64]);
    let mut managed = [(); 2].map(|()| ffi::DLManagedTensorVersioned {
        version: ffi::DLPackVersion { major: 1, minor: 3 },
        manager_ctx: null_mut(),
        deleter: None, // the array outlives both
        flags: 0,
        dl_tensor: ffi::DLTensor {
            data: memory.as_mut_ptr().cast(),
            device: Device::CPU.raw(),
            ndim: 1,
            dtype: DType::F32.raw(),
            shape: shape.as_mut_ptr(),
            strides: strides.as_mut_ptr(),
            byte_offset: 0,
        },
    });
    // SAFETY: all is valid until the end of this test, and nothing else uses it meanwhile.
    let [mut first, mut second] = managed
        .each_mut()
        .map(|owned| unsafe { Tensor::from_dlpack(owned) }.unwrap());
    assert!(first.is_unique() && second.is_unique() && first.data() == second.data());
    std::thread::scope(|scope| {
        for t in [&mut first, &mut second] {
            scope.spawn(|| {
                write_what_is_allowed(t);
                assert!(t.elements_mut::<f32>().is_err() && !kernel_may_write(t));
                t.elements::<f32>().unwrap().to_vec()
            });
        }
    });
    assert_eq!(first.elements::<f32>().unwrap().to_vec(), [1.0, 2.0]);
}

/// What Python may write is foreign for good, and nothing else lends references to it.
#[test]
fn memory_that_is_given_away_stays_foreign() {
    let _alone = alone();
    let t = own(&[1.0, 2.0]);
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
}

#[test]
#[cfg_attr(miri, ignore = "C drops an Arc of Rust's")]
fn what_is_read_only_may_be_given_away_and_shared() {
    let _alone = alone();
    let read_only = Tensor::from(Arc::<[f32]>::from([1.0]));
    let shared = read_only.slice(0, 0, 1, 1).unwrap().into_foreign().unwrap();
    assert!(shared.elements::<f32>().unwrap().as_slice().is_err());
}

/// A slice is lent while safe code tries each way to write below it.
#[test]
fn a_slice_does_not_change() {
    let _alone = alone();
    let t = own(&[1.0, 2.0]);
    let slice = t.elements::<f32>().unwrap().as_slice().unwrap();
    let view = || t.slice(0, 0, 2, 1).unwrap();
    write_what_is_allowed(&mut view());
    if let Ok(mut elements) = view().elements_mut::<f32>() {
        elements[[0]] = 9.0;
    }
    if let Ok(unshared) = Unshared::to_write("make: x", view()) {
        let mut object = Object::new(free);
        object.keep_tensor("x", unshared);
        object.kept_mut::<f32>("x").unwrap()[[0]] = 9.0;
    }
    if let Ok(mut foreign) = view().into_foreign() {
        write_what_is_allowed(&mut foreign);
    }
    if let Ok(mut lent) = given_view(&t).lent(&keeper(&[1.0])) {
        write_what_is_allowed(&mut lent);
        assert!(lent.elements_mut::<f32>().is_err());
    }
    assert_eq!(slice, [1.0, 2.0]);
}

/// What a C library gives that lends memory which it keeps.
fn given_view(t: &Tensor) -> Given {
    let mut given = Given::new();
    // SAFETY: a place, for a new tensor.
    unsafe { *given.place() = t.to_dlpack().unwrap().into_raw() };
    given
}

/// C may lend the very elements that it keeps.
#[test]
fn kept_elements_are_not_read_while_they_are_written() {
    let _alone = alone();
    let t = own(&[1.0, 2.0]);
    let lends = given_view(&t);
    let mut object = Object::new(free);
    // SAFETY: as a library's function that keeps a tensor and lends its elements: both are used through the object.
    let kept = unsafe { foreign_view(&t).assume_own() };
    drop(t);
    let lent = lends.lent(&object).unwrap();
    assert!(Unshared::to_write("make: x", kept).is_err()); // shared with what is lent
    object.keep_tensor("x", Unshared::to_write("make: x", own(&[3.0])).unwrap());
    if let Ok(mut elements) = object.kept_mut::<f32>("x") {
        elements[[0]] = lent.elements::<f32>().unwrap().at([0]);
    }
    drop(lent);
    assert_eq!(object.kept::<f32>("x").unwrap().as_slice().unwrap(), [3.0]);
}

fn foreign_view(t: &Tensor) -> Tensor {
    // SAFETY: the export is ours, and nothing else uses the elements.
    unsafe { Tensor::from_dlpack(t.to_dlpack().unwrap().into_raw()) }.unwrap()
}

/// Two handles in two threads: neither writes while the other lives, in any order of their drops.
#[test]
fn handles_in_two_threads_do_not_write_what_the_other_reads() {
    let _alone = alone();
    for _ in 0..if cfg!(miri) { 3 } else { 300 } {
        let mut t = own(&[1.0, 2.0]);
        let mut view = t.slice(0, 0, 2, 1).unwrap();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                write_what_is_allowed(&mut view);
                view.elements::<f32>().unwrap().to_vec()
            });
            write_what_is_allowed(&mut t);
            if let Ok(mut elements) = t.elements_mut::<f32>() {
                elements[[0]] = 8.0;
            }
        });
        assert_eq!(t.elements::<f32>().unwrap().as_slice().unwrap()[1], 2.0);
    }
}
