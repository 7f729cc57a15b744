// SPDX-License-Identifier: Apache-2.0
//! Import and export, of good and of hostile tensors.

use dlferry::{ffi, flags, DType, ErrorKind, ManagedTensor, Tensor};
use serde_json::Value;
use testing::{alone, count, deleted, make, make_legacy, Owner};

#[test]
fn a_round_trip_keeps_everything_but_copies_nothing() {
    let _alone = alone();
    let (owner, drops) = Owner::new((0..8).map(|i| i as f32).collect());
    let t = Tensor::wrap_strided(owner, 7, &[2, 3], &[-4, -1]).unwrap();
    let exported = t.to_dlpack().unwrap();
    // SAFETY: owned by the guard.
    let raw = unsafe { &*exported.as_ptr() };
    assert_eq!((raw.version.major, raw.version.minor), (1, 3));
    assert_eq!((raw.flags, raw.dl_tensor.ndim), (0, 2));
    // SAFETY: just exported; nothing writes.
    let back = unsafe { Tensor::from_dlpack(exported.into_raw()) }.unwrap();
    assert_eq!(
        (back.shape(), back.strides(), back.data()),
        (t.shape(), t.strides(), t.data())
    );
    drop(t);
    assert_eq!(back.elements::<f32>().unwrap().to_vec(), [7., 6., 5., 3., 2., 1.]);
    assert_eq!(count(&drops), 0);
    drop(back);
    assert_eq!(count(&drops), 1);
}

#[test]
fn a_vector_is_given_away_as_it_is() {
    let _alone = alone();
    let vector = vec![1.5f64, 2.5];
    let data = vector.as_ptr();
    let given = ManagedTensor::from(vector);
    // SAFETY: owned by the guard.
    let raw = unsafe { &*given.as_ptr() };
    assert_eq!((raw.version.major, raw.version.minor, raw.flags), (1, 3, 0));
    assert!(raw.dl_tensor.data.cast_const().cast() == data && raw.manager_ctx.is_null());
    // SAFETY: given away by its only owner.
    let mut t = unsafe { Tensor::from_dlpack(given.into_raw()) }.unwrap();
    assert_eq!((t.shape(), t.strides(), t.dtype()), (&[2][..], &[1][..], DType::F64));
    // SAFETY: nothing else uses the elements.
    unsafe { t.elements_mut_unchecked::<f64>() }.unwrap()[[0]] = 9.0;
    assert_eq!(t.elements::<f64>().unwrap().to_vec(), [9.0, 2.5]);

    let empty = ManagedTensor::from(Vec::<u8>::with_capacity(64));
    // SAFETY: owned by the guard.
    let dl = unsafe { &(*empty.as_ptr()).dl_tensor };
    assert!(dl.data.is_null());
    // SAFETY: the guard's tensor has one dimension.
    assert_eq!(unsafe { (*dl.shape, *dl.strides) }, (0, 1));
    drop(empty); // by its deleter
}

#[test]
fn legacy_cannot_say_read_only() {
    let _alone = alone();
    let t = Tensor::wrap_read_only(vec![1u8], &[1]).unwrap();
    assert_eq!(t.to_dlpack_legacy().unwrap_err().kind(), ErrorKind::ReadOnly);
    let exported = t.to_dlpack().unwrap().into_raw();
    // SAFETY: just exported; nothing writes.
    let mut back = unsafe { Tensor::from_dlpack(exported) }.unwrap();
    assert!(back.is_read_only() && back.elements_mut::<u8>().is_err());
    let legacy = Tensor::from(vec![3i16]).to_dlpack_legacy().unwrap().into_raw();
    // SAFETY: just exported; nothing writes.
    let back = unsafe { Tensor::from_dlpack_legacy(legacy) }.unwrap();
    assert_eq!((back.dtype(), back.elements::<i16>().unwrap().at([0])), (DType::I16, 3));
}

#[test]
fn a_copy_belongs_to_the_consumer_alone() {
    let _alone = alone();
    let t = Tensor::wrap_read_only(vec![1u8, 2], &[2]).unwrap();
    let exported = t.to_dlpack_copy().unwrap().into_raw();
    // SAFETY: a copy that no other code knows.
    let mut copy = unsafe { Tensor::from_dlpack(exported) }.unwrap();
    assert_eq!(copy.flags(), flags::IS_COPIED);
    for _ in 0..2 {
        // SAFETY: just exported; nothing writes meanwhile.
        let again = unsafe { Tensor::from_dlpack(copy.to_dlpack().unwrap().into_raw()) }.unwrap();
        assert_eq!((again.flags(), again.data()), (0, copy.data()));
    }
    // SAFETY: nothing else uses the elements.
    unsafe { copy.elements_mut_unchecked::<u8>() }.unwrap().fill(9);
    assert_eq!(t.elements::<u8>().unwrap().to_vec(), [1, 2]);
}

#[test]
fn a_guard_that_is_dropped_calls_the_deleter() {
    let _alone = alone();
    let before = deleted();
    // SAFETY: made for this, owned here.
    let guard = unsafe { ManagedTensor::from_raw(make("well_formed")) }.unwrap();
    drop(std::thread::spawn(move || drop(guard)).join());
    assert_eq!(deleted(), before + 1);
    // SAFETY: NULL is allowed.
    assert!(unsafe { ManagedTensor::from_raw(std::ptr::null_mut()) }.is_none());
}

#[test]
fn null_is_refused() {
    let _alone = alone();
    // SAFETY: NULL is allowed.
    let error = unsafe { Tensor::from_dlpack(std::ptr::null_mut()) }.unwrap_err();
    assert_eq!(
        (error.kind(), error.message()),
        (ErrorKind::Invalid, "from_dlpack: expected a managed tensor, got NULL")
    );
    // SAFETY: NULL is allowed.
    let error = unsafe { Tensor::from_dlpack_legacy(std::ptr::null_mut()) }.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid);
}

#[test]
fn a_missing_deleter_is_not_called() {
    let _alone = alone();
    let mut shape = [1i64];
    let mut value = 5u8;
    let mut managed = ffi::DLManagedTensorVersioned {
        version: ffi::DLPackVersion { major: 1, minor: 9 },
        manager_ctx: std::ptr::null_mut(),
        deleter: None,
        flags: 0,
        dl_tensor: ffi::DLTensor {
            data: (&raw mut value).cast(),
            device: ffi::DLDevice {
                device_type: ffi::kDLCPU,
                device_id: 0,
            },
            ndim: 1,
            dtype: DType::U8.raw(),
            shape: shape.as_mut_ptr(),
            strides: std::ptr::null_mut(),
            byte_offset: 0,
        },
    };
    // SAFETY: everything outlives the tensor.
    let t = unsafe { Tensor::from_dlpack(&raw mut managed) }.unwrap();
    assert_eq!((t.strides(), t.elements::<u8>().unwrap().at([0])), (&[1][..], 5));
}

/// The cases of malformed.json, in both structures.
#[test]
fn hostile_producers_get_the_text_that_all_languages_give() {
    let _alone = alone();
    let text = std::fs::read_to_string(format!("{}/malformed.json", testing::CASES)).unwrap();
    let file: Value = serde_json::from_str(&text).unwrap();
    let mut ran = 0;
    for case in file["cases"].as_array().unwrap() {
        let malformed = case["malformed"].as_str().unwrap();
        let before = deleted();
        let made = match case["legacy"].as_bool() {
            // SAFETY: the import must survive every helper tensor; accepted ones are truthful.
            Some(true) => unsafe { Tensor::from_dlpack_legacy(make_legacy(malformed)) },
            // SAFETY: as above.
            _ => unsafe { Tensor::from_dlpack(make(malformed)) },
        };
        let (status, message) = match &made {
            Ok(_) => ("OK", ""),
            Err(error) => (error.kind().name(), error.message()),
        };
        assert_eq!(
            (status, message),
            (case["status"].as_str().unwrap(), case["message"].as_str().unwrap()),
            "{case}"
        );
        drop(made);
        assert_eq!(deleted() - before, case["deleted"].as_i64().unwrap(), "{case}");
        ran += 1;
    }
    assert!(ran > 5, "only {ran} cases");
}
