// SPDX-License-Identifier: Apache-2.0
//! Arguments of generated functions, passed to stand-in kernels.

use dlferry::arg::{Arg, ArgMut, Lent, Object, Slot};
use dlferry::plumbing::{call, Given, List, Text};
use dlferry::{ffi, flags, of, of_mut, of_strided, of_strided_mut, DType, Device, ErrorKind, Tensor};
use std::borrow::Cow;
use std::ffi::CString;
use std::ptr::null_mut;
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;
use testing::alone;

/// C's view: shape, strides, dtype, flags, value of the first element as f32.
fn seen(lent: Lent<'_>) -> (Vec<i64>, Vec<i64>, DType, u64) {
    let arg = lent.raw();
    // SAFETY: lent for the call.
    let t = unsafe { &*arg.tensor };
    // SAFETY: ndim values behind it.
    let list = |p: *const i64| (0..t.ndim as usize).map(|i| unsafe { *p.add(i) }).collect();
    (list(t.shape), list(t.strides), t.dtype.into(), arg.flags)
}

fn read(arg: &(impl Arg + ?Sized)) -> (Vec<i64>, Vec<i64>, DType, u64) {
    seen(arg.lend(&mut Slot::new()))
}

/// A kernel that doubles float32 elements in a row.
fn double(arg: &mut (impl ArgMut + ?Sized)) -> u64 {
    let mut slot = Slot::new();
    let lent = arg.lend_mut(&mut slot);
    // SAFETY: lent for the call; every caller here passes float32.
    unsafe {
        let t = &*lent.raw().tensor;
        let first = t.data.cast::<f32>();
        (0..*t.shape as usize).for_each(|i| *first.offset(i as isize * *t.strides as isize) *= 2.0);
    }
    lent.raw().flags
}

#[test]
#[cfg_attr(miri, ignore = "C makes tensors")]
fn everything_that_holds_elements_is_read_in_place() {
    let _alone = alone();
    let row = |n| (vec![n], vec![1], DType::F32, flags::READ_ONLY);
    let vector = vec![1f32, 2.0, 3.0];
    assert_eq!(read(&vector), row(3));
    assert_eq!(read(&vector[1..]), row(2));
    assert_eq!(read(&[1f32; 4]), row(4));
    assert_eq!(read(&&vector), row(3));
    assert_eq!(read(&vector.clone().into_boxed_slice()), row(3));
    let (shared, counted) = (Arc::new(vector.clone()), Rc::<[f32]>::from(&vector[..]));
    assert_eq!((read(&shared), read(&counted)), (row(3), row(3)));
    assert_eq!(read(&Cow::Borrowed(&vector[..])), row(3));
    let boxed: Box<dyn Arg> = Box::new([1f32; 2]);
    assert_eq!(read(&boxed), row(2));
    let tensor = Tensor::wrap(vector, &[3, 1]).unwrap();
    assert_eq!(read(&tensor), (vec![3, 1], vec![1, 1], DType::F32, flags::READ_ONLY));
    assert_eq!(read(&tensor.elements::<f32>().unwrap()), read(&tensor));
    let dynamic: &dyn Arg = &tensor;
    assert_eq!(read(dynamic), read(&tensor));
    assert!(Lent::absent().raw().tensor.is_null());
}

#[test]
#[cfg_attr(miri, ignore = "C makes tensors")]
fn everything_writable_is_written_in_place() {
    let _alone = alone();
    let mut vector = vec![1f32, 2.0, 3.0];
    assert_eq!(double(&mut vector), 0);
    assert_eq!(double(&mut vector[..1]), 0);
    let mut tensor = Tensor::from(vector);
    assert_eq!(double(&mut tensor), 0);
    assert_eq!(double(&mut tensor.elements_mut::<f32>().unwrap()), 0);
    assert_eq!(tensor.elements::<f32>().unwrap().to_vec(), [16.0, 16.0, 24.0]);
    let mut array = [5f32; 2];
    double(&mut &mut array);
    assert_eq!(array, [10.0; 2]);
    let mut read_only = Tensor::wrap_read_only(vec![1f32], &[1]).unwrap();
    // C refuses these by their flags.
    assert_eq!(read_only.lend_mut(&mut Slot::new()).raw().flags, flags::READ_ONLY);
}

#[test]
#[cfg_attr(miri, ignore = "C makes tensors")]
fn a_look_at_padded_bits_says_so() {
    let _alone = alone();
    let nibble = DType::parse("f4_e2m1fn").unwrap();
    let mut bytes = [1u8, 2, 3];
    let data = bytes.as_mut_ptr().cast();
    // SAFETY: three bytes, one for each element, that no other code touches.
    let tensor = unsafe { Tensor::wrap_raw(data, nibble, &[3], None, Device::CPU, flags::SUBBYTE_PADDED, ()).unwrap() };
    let elements = tensor.element_bits::<u8>().unwrap();
    assert_eq!(read(&elements), read(&tensor));
    assert_eq!(format!("{elements:?}"), "Elements(float4_e2m1fn[3] cpu padded)");
    assert_eq!(elements.to_vec(), [1, 2, 3]);

    let mut own = Tensor::create(nibble, &[3]).unwrap().copy_padded().unwrap();
    let (described, zeros) = (read(&own), own.copy().unwrap());
    let mut elements = own.element_bits_mut::<u8>().unwrap();
    elements[[2]] = 5;
    assert_eq!(read(&elements), described);
    assert!(!zeros.identical(&elements).unwrap()); // packed, the third element would be before that byte
    assert_eq!(elements.lend_mut(&mut Slot::new()).raw().flags, flags::SUBBYTE_PADDED);
}

#[test]
fn rows_of_a_slice_are_an_axis() {
    let pixels = vec![[1u8, 2, 3]; 4];
    let rgb = |n| (vec![n, 3], vec![3, 1], DType::U8, flags::READ_ONLY);
    assert_eq!((read(&pixels), read(&pixels[..2])), (rgb(4), rgb(2)));
    let none: (Vec<i64>, Vec<i64>, DType, u64) = (vec![2, 0], vec![0, 1], DType::F64, flags::READ_ONLY);
    assert_eq!(read(&[[0f64; 0]; 2]), none);
    let mut matrix = [[1f32, 2.0], [3.0, 4.0], [5.0, 6.0]];
    assert_eq!(double(&mut matrix), 0); // the first column
    assert_eq!(matrix, [[2.0, 2.0], [6.0, 4.0], [10.0, 6.0]]);
}

#[test]
fn failures_carry_kind_and_text() {
    // SAFETY: error is a slot, the text ends with NUL.
    let failed = call(|error| unsafe { ffi::dlf_error_set(error, ErrorKind::Shape.status(), c"x: got 2".as_ptr()) });
    let error = failed.unwrap_err();
    assert_eq!((error.kind(), error.message()), (ErrorKind::Shape, "x: got 2"));
    let silent = call(|_| ffi::DLF_FOREIGN).unwrap_err();
    assert_eq!((silent.kind(), silent.message()), (ErrorKind::Foreign, ""));
    let refused = || -> dlferry::Result<CString> { Ok(CString::new("a\0b")?) };
    let error = refused().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid);
    assert_eq!(error.message(), "text: expected a text without NUL, got one");
    for (refused, name) in [
        (dlferry::DType::parse("f\0").unwrap_err(), "dtype_parse"),
        (dlferry::npy::open("a\0b").unwrap_err(), "npy_open"),
        (
            dlferry::Contract::compile("x: f32", "f\0", &[]).unwrap_err(),
            "contract",
        ),
    ] {
        let expected = format!("{name}: expected a text without NUL, got one");
        assert_eq!((refused.kind(), refused.message()), (ErrorKind::Invalid, &*expected));
    }
    let text = CString::new("a".repeat(400)).unwrap();
    // SAFETY: error is a slot, the text ends with NUL.
    let long =
        call(|error| unsafe { ffi::dlf_error_set(error, ErrorKind::Invalid.status(), text.as_ptr()) }).unwrap_err();
    assert!(long.message().len() < 252 && long.message().ends_with('…'));
}

#[test]
#[cfg_attr(miri, ignore = "C makes tensors")]
fn given_tensors_come_all_or_none() {
    let _alone = alone();
    let new = || {
        Tensor::create(DType::F32, &[2])
            .unwrap()
            .to_dlpack()
            .unwrap()
            .into_raw()
    };
    let give = |tensors: [*mut ffi::DLManagedTensorVersioned; 3]| {
        let mut places = [Given::new(), Given::new(), Given::new()];
        for (place, tensor) in places.iter_mut().zip(tensors) {
            // SAFETY: a place, for a tensor that no other code knows.
            unsafe { *place.place() = tensor };
        }
        let [a, b, c] = places;
        Ok((a.tensor()?, b.tensor()?, c.tensor()?))
    };
    let (a, _, c): (Tensor, Tensor, Tensor) = give([new(), new(), new()]).unwrap();
    assert_eq!((a.shape(), c.shape()), (&[2][..], &[2][..]));
    let failed: dlferry::Result<_> = give([new(), null_mut(), new()]);
    assert_eq!(failed.unwrap_err().kind(), ErrorKind::Invalid);
    let before = testing::deleted();
    let failed = give(["well_formed", "null_shape", "well_formed"].map(testing::make));
    assert_eq!(failed.unwrap_err().kind(), ErrorKind::Invalid);
    assert_eq!(testing::deleted(), before + 3);
    // SAFETY: a place that is never read.
    unsafe { *Given::new().place() = testing::make("well_formed") };
    assert_eq!(testing::deleted(), before + 4);
    drop(a);
    drop(c);
}

/// The description of each tensor of a list, as C sees it.
fn described<A: Arg>(items: &[A]) -> Vec<(Vec<i64>, u64)> {
    let mut list = List::new(items);
    let (args, count) = (list.lend(), list.count() as usize);
    (0..count)
        .map(|i| {
            // SAFETY: count descriptions, good while the list stays.
            let (arg, tensor) = unsafe { (&*args.add(i), &*(*args.add(i)).tensor) };
            // SAFETY: the description keeps ndim extents.
            let shape = unsafe { std::slice::from_raw_parts(tensor.shape, tensor.ndim as usize) };
            (shape.to_vec(), arg.flags)
        })
        .collect()
}

#[test]
fn lists_describe_each_tensor() {
    let _alone = alone();
    for count in [0, 1, 8, 9, 100] {
        let vectors: Vec<Vec<f64>> = (0..count).map(|i| vec![0.0; i]).collect();
        let wanted: Vec<_> = (0..count as i64).map(|i| (vec![i], flags::READ_ONLY)).collect();
        assert_eq!(described(&vectors), wanted);
        assert_eq!(described(&vectors.iter().collect::<Vec<_>>()), wanted);
    }
    let (row, matrix) = ([1u8, 2], [[0f32; 3]; 2]);
    let mixed: [&dyn Arg; 3] = [&row, &matrix, &of(&row, [2, 1]).unwrap()];
    assert_eq!(
        described(&mixed),
        [vec![2], vec![2, 3], vec![2, 1]].map(|shape| (shape, flags::READ_ONLY))
    );
}

#[test]
fn texts_are_copied() {
    let text = |address: *const std::ffi::c_char| {
        let mut place = Text::new();
        // SAFETY: a place, for a static text or NULL.
        unsafe { *place.place() = address };
        place.string()
    };
    assert_eq!(text(c"zwölf".as_ptr()), "zwölf");
    assert_eq!(text(c"a\xffb".as_ptr()), "a\u{fffd}b");
    assert_eq!(text(std::ptr::null()), "");
}

#[test]
fn slices_may_have_a_shape() {
    let mut values = [1f32; 12];
    let seen_as = |shape, strides, flags| (shape, strides, DType::F32, flags);
    assert_eq!(
        read(&of(&values, [3, 4]).unwrap()),
        seen_as(vec![3, 4], vec![4, 1], flags::READ_ONLY)
    );
    assert_eq!(
        read(&of(&values[..1], []).unwrap()),
        seen_as(vec![], vec![], flags::READ_ONLY)
    );
    assert_eq!(
        read(&of(&values[..0], [2, 0]).unwrap()),
        seen_as(vec![2, 0], vec![0, 1], flags::READ_ONLY)
    );
    let mut out = of_mut(&mut values, [12]).unwrap();
    assert_eq!(double(&mut out), 0);
    assert_eq!(values, [2.0; 12]);
    for (shape, kind) in [
        ([3, 5], ErrorKind::Shape),
        ([3, 3], ErrorKind::Shape),
        ([-3, -4], ErrorKind::Invalid),
        ([0, -1], ErrorKind::Invalid),
        ([i64::MAX, 2], ErrorKind::Overflow),
        ([1 << 62, 1 << 62], ErrorKind::Overflow),
    ] {
        let error = of(&values, shape).unwrap_err();
        assert_eq!(error.kind(), kind, "{error}");
    }
    assert_eq!(of(&[1u8], [1; 65]).unwrap_err().kind(), ErrorKind::Invalid);
    assert_eq!(
        of(&values[..0], [1 << 62, 0, 1 << 62]).map(|empty| read(&empty).0),
        Ok(vec![1 << 62, 0, 1 << 62])
    );
    let error = of_mut(&mut values, [13]).unwrap_err();
    assert_eq!(error.message(), "of: expected 13 elements for shape [13], got 12");
}

#[test]
fn slices_may_have_strides() {
    let mut values = [0f32, 1.0, 2.0, 3.0, 4.0, 5.0];
    let transposed = of_strided(&values, 0, [3, 2], [1, 3]).unwrap();
    assert_eq!(
        read(&transposed),
        (vec![3, 2], vec![1, 3], DType::F32, flags::READ_ONLY)
    );
    assert_eq!(read(&of_strided(&values, 6, [0], [i64::MAX]).unwrap()).0, [0]);
    double(&mut of_strided_mut(&mut values, 5, [3], [-2]).unwrap());
    assert_eq!(values, [0.0, 2.0, 2.0, 6.0, 4.0, 10.0]);
    for (start, extent, stride, kind) in [
        (1, 3, -1, ErrorKind::Bounds),
        (3, 4, 1, ErrorKind::Bounds),
        (6, 1, 1, ErrorKind::Bounds),
        (7, 0, 1, ErrorKind::Bounds),
        (usize::MAX, 2, -1, ErrorKind::Bounds),
        (0, 2, i64::MIN, ErrorKind::Overflow),
        (0, -1, 1, ErrorKind::Invalid),
    ] {
        let error = of_strided(&values, start, [extent], [stride]).unwrap_err();
        assert_eq!(error.kind(), kind, "{error}");
        assert!(of_strided_mut(&mut values, start, [extent], [stride]).is_err());
    }
    let error = of_strided(&values, 1, [3], [-1]).unwrap_err();
    assert_eq!(
        error.message(),
        "of: expected 12 bytes inside a block of 24, got them from byte -4: data is the element of index 0, and negative strides go back from it"
    );
}

#[test]
fn optional_tensors_may_be_absent() {
    let values = [1f32; 3];
    let given: Option<&dyn Arg> = Some(&values);
    assert_eq!(read(&given), read(&values));
    let mut written = [1f32; 3];
    let mut given: Option<&mut dyn ArgMut> = Some(&mut written);
    assert_eq!(double(&mut given), 0);
    let (mut none, mut slot): (Option<&mut dyn ArgMut>, _) = (None, Slot::new());
    assert!(none.lend_mut(&mut slot).raw().tensor.is_null());
    assert!(None::<&dyn Arg>.lend(&mut slot).raw().tensor.is_null());
}

/// A letter for each freed object, in order.
static FREED: std::sync::Mutex<Vec<u8>> = std::sync::Mutex::new(Vec::new());

unsafe extern "C" fn free(letter: *mut u8) {
    // SAFETY: a box, freed once.
    FREED.lock().unwrap().push(*unsafe { Box::from_raw(letter) });
}

#[test]
fn objects_are_freed_once_and_after_what_was_made_of_them() {
    let _alone = alone();
    let make = |letter: u8| {
        let mut object = Object::new(free);
        // SAFETY: a place, for what free() frees.
        unsafe { *object.place() = Box::into_raw(Box::new(letter)) };
        object
    };
    let freed = |wanted: &[u8]| assert_eq!(*FREED.lock().unwrap(), wanted);
    drop(Object::new(free)); // empty: nothing to free
    freed(b"");
    let (parent, mut child, mut grandchild) = (make(b'p'), make(b'c'), make(b'g'));
    child.keep(&parent);
    grandchild.keep(&child);
    grandchild.keep(&parent);
    assert_eq!(format!("{parent:?}"), format!("Object({:?})", parent.raw()));
    drop((parent, child));
    freed(b"");
    drop(grandchild);
    freed(b"gcp");
}

static ENDED: AtomicUsize = AtomicUsize::new(0);

unsafe extern "C" fn end(number: *mut usize) {
    // SAFETY: a box, freed once.
    let number = *unsafe { Box::from_raw(number) };
    assert_eq!(ENDED.fetch_add(1, Ordering::Relaxed) + number, LONG - 1); // the youngest first
}

const LONG: usize = if cfg!(miri) { 2_000 } else { 200_000 };

#[test]
fn a_long_chain_of_objects_needs_little_stack() {
    let _alone = alone();
    let chain = || {
        let mut youngest: Option<Object<usize>> = None;
        for number in 0..LONG {
            let mut object = Object::new(end);
            // SAFETY: a place, for what end() frees.
            unsafe { *object.place() = Box::into_raw(Box::new(number)) };
            if let Some(parent) = &youngest {
                object.keep(parent);
            }
            youngest = Some(object);
        }
    };
    let thread = std::thread::Builder::new().stack_size(128 << 10);
    thread.spawn(chain).unwrap().join().unwrap();
    assert_eq!(ENDED.load(Ordering::Relaxed), LONG);
}
