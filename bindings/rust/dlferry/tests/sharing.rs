// SPDX-License-Identifier: Apache-2.0
//! Tensors that may lend references to elements or write them, and others.

use dlferry::arg::{ArgMut, Slot};
use dlferry::{cast_into, cast_into_saturating, copy_into, fill};
use dlferry::{flags, npy, DType, Device, Error, ErrorKind, FromDlpack, ManagedTensor, Order, Tensor, ToDlpack};
use std::sync::Arc;
use testing::{alone, count, Owner};

const SHARED: &str = "elements: expected elements that nothing else refers to, got ones with a view or an export";
const FOREIGN: &str = "elements: expected memory that Rust allocated, got memory of another runtime";

fn refusal<T>(result: Result<T, Error>) -> Option<(ErrorKind, String)> {
    result.err().map(|error| (error.kind(), error.message().to_owned()))
}

/// The answers to reading a slice, writing, writing bits, and the flags that a kernel gets.
fn refusals(t: &mut Tensor) -> [Option<(ErrorKind, String)>; 3] {
    let slice = refusal(t.elements::<f32>().unwrap().as_slice());
    #[cfg(feature = "ndarray")]
    assert_eq!(slice, refusal(t.elements::<f32>().unwrap().ndarray::<ndarray::IxDyn>()));
    [
        slice,
        refusal(t.elements_mut::<f32>()),
        refusal(t.element_bits_mut::<u32>()),
    ]
}

fn kernel_may_write(t: &mut Tensor) -> bool {
    let mut slot = Slot::new();
    let may = t.lend_mut(&mut slot).raw().flags == 0;
    assert_eq!(may, hub_may_write(t));
    may
}

/// Whether the hub writes, by each of its functions that do: the same numbers again.
fn hub_may_write(t: &mut Tensor) -> bool {
    let same = t.copy().unwrap();
    let written = [
        copy_into(&same, t),
        cast_into(&same, t),
        cast_into_saturating(&same, t),
        fill(t, 5f32).and_then(|()| copy_into(&same, t)),
    ];
    for error in written.iter().filter_map(|written| written.as_ref().err()) {
        assert_eq!(error.kind(), ErrorKind::Invalid);
    }
    assert!(t.equal(&same).unwrap());
    let count = written.iter().filter(|written| written.is_ok()).count();
    assert!(count == 0 || count == written.len());
    count > 0
}

fn assert_shared(t: &mut Tensor) {
    assert_eq!(
        refusals(t),
        [(); 3].map(|()| Some((ErrorKind::Invalid, SHARED.to_owned())))
    );
    assert!(!t.is_unique() && !kernel_may_write(t));
}

fn assert_alone(t: &mut Tensor) {
    assert_eq!(refusals(t), [None, None, None]);
    assert!(t.is_unique() && kernel_may_write(t));
}

fn assert_foreign(t: &mut Tensor) {
    assert_eq!(
        refusals(t),
        [(); 3].map(|()| Some((ErrorKind::Invalid, FOREIGN.to_owned())))
    );
}

#[test]
fn views_share_until_one_is_left() {
    let _alone = alone();
    let mut t = Tensor::wrap(vec![1f32, 2.0, 3.0, 4.0], &[2, 2]).unwrap();
    assert_alone(&mut t);
    let mut row = t.select(0, 1).unwrap();
    let mut again = row.reshape(&[2, 1]).unwrap();
    for handle in [&mut t, &mut row, &mut again] {
        assert_shared(handle);
        assert_eq!(handle.elements::<f32>().unwrap().iter().next_back(), Some(4.0));
    }
    drop((t, again));
    assert_alone(&mut row);
    row.elements_mut::<f32>().unwrap().fill(7.0);
    assert_eq!(row.elements::<f32>().unwrap().as_slice().unwrap(), [7.0, 7.0]);
}

#[test]
fn the_same_memory_again_is_shared_too() {
    let _alone = alone();
    let mut t = Tensor::from(vec![1f32, 2.0]);
    let mut same = t.contiguous(Order::RowMajor).unwrap();
    assert_shared(&mut t);
    assert_shared(&mut same);
    drop(t);
    assert_alone(&mut same);
    let mut copied = same.flip(0).unwrap().contiguous(Order::RowMajor).unwrap();
    assert_alone(&mut copied);
    assert_alone(&mut same);
}

#[test]
fn an_export_shares_until_its_deleter_ran() {
    let _alone = alone();
    let mut t = Tensor::from(vec![1f32, 2.0]);
    for export in [
        |t: &Tensor| drop(t.to_dlpack().unwrap()),
        |t: &Tensor| drop(t.to_dlpack_legacy().unwrap()),
        |t: &Tensor| drop(ToDlpack::into_dlpack(t).unwrap()),
    ] {
        export(&t);
        assert_alone(&mut t);
    }
    let exported = t.to_dlpack().unwrap();
    assert_shared(&mut t);
    // SAFETY: nothing else uses the elements meanwhile.
    let mut back = unsafe { Tensor::from_dlpack(exported.into_raw()) }.unwrap();
    assert_shared(&mut t);
    assert_foreign(&mut back); // where it came from is not known
    drop(back);
    assert_alone(&mut t);
    drop(t.to_dlpack_copy().unwrap());
    assert_alone(&mut t);
}

#[test]
fn memory_of_others_is_read_by_value_only() {
    let _alone = alone();
    let mut values = [1f32, 2.0, 3.0];
    let data = values.as_mut_ptr().cast();
    // SAFETY: the array outlives the tensor; all uses are on this thread.
    let mut t = unsafe { Tensor::wrap_raw(data, DType::F32, &[3], None, Device::CPU, 0, ()) }.unwrap();
    assert_foreign(&mut t);
    assert_foreign(&mut t.slice(0, 1, 2, 1).unwrap());
    assert_foreign(&mut t.contiguous(Order::RowMajor).unwrap());
    assert_alone(&mut t.copy().unwrap());
    assert!(!kernel_may_write(&mut t));
    let elements = t.elements::<f32>().unwrap();
    // SAFETY: the owner writes between two reads.
    unsafe { data.cast::<f32>().write(9.0) };
    assert_eq!((elements.at([0]), elements.get([1])), (9.0, Some(2.0)));
    assert_eq!(
        (elements.to_vec(), elements.iter().sum::<f32>()),
        (vec![9.0, 2.0, 3.0], 14.0)
    );
    assert_eq!(elements.iter().rev().collect::<Vec<_>>(), [3.0, 2.0, 9.0]);
    // SAFETY: nothing writes while the slice lives.
    assert_eq!(unsafe { elements.as_slice_unchecked() }.unwrap(), [9.0, 2.0, 3.0]);
    // SAFETY: nothing else uses the elements meanwhile.
    unsafe { t.elements_mut_unchecked::<f32>() }.unwrap()[[1]] = 8.0;
    let mut bits = t.bitcast(DType::U32).unwrap();
    // SAFETY: as above.
    unsafe { bits.elements_mut_unchecked::<u32>() }.unwrap()[[2]] = 0x3f80_0000;
    drop(bits);
    // SAFETY: no kernel runs.
    assert_eq!(unsafe { t.assume_alone() }.lend_mut(&mut Slot::new()).raw().flags, 0);
    // SAFETY: as above.
    let mut t = unsafe { t.assume_own() };
    assert_alone(&mut t);
    drop(t);
    assert_eq!(values, [9.0, 8.0, 1.0]);
}

#[test]
fn files_may_be_written_by_other_processes() {
    let _alone = alone();
    let path = std::env::temp_dir().join(format!("dlferry-sharing-{}.npy", std::process::id()));
    npy::save(&[1f32, 2.0], &path).unwrap();
    let t = npy::open(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    let elements = t.elements::<f32>().unwrap();
    assert_eq!(
        refusal(elements.as_slice()),
        Some((ErrorKind::Invalid, FOREIGN.to_owned()))
    );
    assert_eq!(elements.to_vec(), [1.0, 2.0]);
}

#[test]
fn kernels_are_refused_what_others_may_use() {
    let _alone = alone();
    let mut t = Tensor::from(vec![1f32, 2.0]);
    let view = t.slice(0, 0, 1, 1).unwrap();
    assert!(!kernel_may_write(&mut t));
    // SAFETY: no kernel runs.
    let mut assumed = unsafe { t.assume_alone() };
    assert_eq!(assumed.lend_mut(&mut Slot::new()).raw().flags, 0);
    drop(view);
    assert!(kernel_may_write(&mut t));
}

#[test]
fn owners_that_share_are_read_only() {
    let _alone = alone();
    let shared: Arc<[f32]> = Arc::from([1.0, 2.0]);
    let mut t = Tensor::from(shared.clone());
    assert_eq!((t.flags(), t.data()), (flags::READ_ONLY, shared.as_ptr().cast()));
    assert_eq!(t.elements::<f32>().unwrap().as_slice().unwrap(), [1.0, 2.0]);
    assert_eq!(t.elements_mut::<f32>().unwrap_err().kind(), ErrorKind::ReadOnly);
    drop(t);
    assert_eq!(Arc::strong_count(&shared), 1);
    let given = ManagedTensor::from(shared.clone());
    assert_eq!(Arc::strong_count(&shared), 2);
    // SAFETY: owned by the guard.
    assert_eq!(unsafe { (*given.as_ptr()).flags }, flags::READ_ONLY);
    drop(given);
    assert_eq!(Arc::strong_count(&shared), 1);

    let boxed: Box<[f32]> = Box::new([1.0, 2.0]);
    let address = boxed.as_ptr();
    let mut t = Tensor::from(boxed);
    assert_eq!(t.data(), address.cast());
    assert_alone(&mut t);
    assert!(Tensor::from(Box::<[f32]>::default())
        .elements::<f32>()
        .unwrap()
        .is_empty());
}

/// An owner that hides a tensor, and keeps a way to make views of it.
struct Sly(Arc<Tensor>);

impl AsRef<[f32]> for Sly {
    fn as_ref(&self) -> &[f32] {
        self.0.elements::<f32>().unwrap().as_slice().unwrap()
    }
}

#[test]
fn a_tensor_inside_an_owner_cannot_be_written() {
    let _alone = alone();
    let inner = Arc::new(Tensor::from(vec![1f32, 2.0]));
    let outer = Tensor::wrap_read_only::<f32, _>(Sly(inner.clone()), &[2]).unwrap();
    let slice = outer.elements::<f32>().unwrap().as_slice().unwrap();
    let mut view = inner.slice(0, 0, 2, 1).unwrap();
    assert_shared(&mut view); // so the slice does not change
    assert_eq!(slice, [1.0, 2.0]);
}

#[test]
fn uniqueness_is_seen_across_threads() {
    let _alone = alone();
    let (owner, drops) = Owner::new(vec![0f32; 64]);
    let mut t = Tensor::wrap(owner, &[64]).unwrap();
    for round in 0..200 {
        let view = t.slice(0, 0, 64, 1).unwrap();
        std::thread::scope(|scope| {
            let reader = scope.spawn(move || view.elements::<f32>().unwrap().iter().sum::<f32>());
            loop {
                // Refused until the reader has dropped its view.
                if let Ok(mut elements) = t.elements_mut::<f32>() {
                    elements.fill((round + 1) as f32);
                    break;
                }
                std::thread::yield_now();
            }
            assert_eq!(reader.join().unwrap(), (round * 64) as f32);
        });
    }
    drop(t);
    assert_eq!(count(&drops), 1);
}

#[test]
fn traits_carry_any_value() {
    let _alone = alone();
    fn through<T: FromDlpack>(value: impl ToDlpack) -> dlferry::Result<T> {
        // SAFETY: nothing else uses the elements meanwhile.
        unsafe { T::from_dlpack(value.into_dlpack()?) }
    }
    assert_eq!(through::<Vec<i16>>(vec![1i16, 2]).unwrap(), [1, 2]);
    assert_eq!(through::<Vec<i16>>(Arc::<[i16]>::from([1, 2])).unwrap(), [1, 2]);
    assert_eq!(through::<Vec<i16>>(Box::<[i16]>::from([1, 2])).unwrap(), [1, 2]);
    assert_eq!(through::<Vec<i8>>(vec![1i16]).unwrap_err().kind(), ErrorKind::Dtype);
    let t = Tensor::wrap(vec![1i16, 2, 3, 4], &[2, 2])
        .unwrap()
        .permute(&[1, 0])
        .unwrap();
    assert_eq!(through::<Vec<i16>>(&t).unwrap(), [1, 3, 2, 4]);
    assert_eq!(
        through::<Tensor>(through::<ManagedTensor>(&t).unwrap()).unwrap().data(),
        t.data()
    );
    assert_eq!(through::<Tensor>(t).unwrap().shape(), [2, 2]);
}
