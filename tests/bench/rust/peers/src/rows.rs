// SPDX-License-Identifier: Apache-2.0
//! The steps, each the shortest way that a crate offers.

use crate::Row;
use dlferry::{ManagedTensor, Tensor};
use dlpark::{ffi, metadata, versioned};
use dlpk::DLPackTensor;
use ndarray::{arr2, Array2, ArrayView2, ArrayViewD, Ix2};
use std::hint::black_box;

pub fn all() -> Vec<Row> {
    vec![
        round_trip("`Vec` given away -> import -> read -> drop", 0.85, given),
        round_trip(
            "`Tensor::from(Vec)` -> export -> import -> read -> drop",
            1.1,
            through_a_tensor,
        ),
        typed_view(),
        matrix(),
        dense_iteration(),
        dense_fold(),
        indexed_sum("`at([i, j])` of 4,096 `i32`, their sum", integers, || (ROWS, COLUMNS)),
        indexed_sum("the same 4,096, extents known at run time", integers, at_run_time),
        indexed_sum(
            "the same 4,096, memory of another runtime",
            foreign_integers,
            at_run_time,
        ),
        indexed_vector(),
        indexed_reads("`at` of the neighbours of 4,096 `f32`, the greatest", floats),
        indexed_reads("the same 4,096, memory of another runtime", foreign_floats),
        indexed_writes(),
    ]
}

fn vector() -> Vec<f32> {
    black_box(vec![1.0; 6])
}

// ---- round trips ----

fn round_trip(name: &'static str, limit: f64, ours: fn()) -> Row {
    Row::new(name, Some(limit))
        .step("dlferry", ours)
        .step("dlpk", || {
            let given = DLPackTensor::try_from(vector()).expect("sound").into_raw();
            // SAFETY: just given.
            let tensor = unsafe { DLPackTensor::from_raw(given) };
            let elements: &[f32] = tensor.as_ref().try_into().expect("a vector");
            black_box(elements[5]);
        })
        .step("dlpark", || {
            let given = dlpark_vector(vector()).into_raw();
            // SAFETY: just given.
            let tensor = unsafe { versioned::Dlpack::from_raw(given) }.expect("of this version");
            // SAFETY: its elements are the vector's.
            let elements: &[f32] = unsafe { tensor.validate().expect("sound").cpu_slice() }.expect("a vector");
            black_box(elements[5]);
        })
}

fn given() {
    let given = ManagedTensor::from(vector()).into_raw();
    // SAFETY: just given; nothing writes.
    read(unsafe { Tensor::from_dlpack(given) }.expect("sound"));
}

fn through_a_tensor() {
    let exported = Tensor::from(vector()).into_dlpack().expect("sound").into_raw();
    // SAFETY: just exported; nothing writes.
    read(unsafe { Tensor::from_dlpack(exported) }.expect("sound"));
}

fn read(tensor: Tensor) {
    let elements = tensor.elements::<f32>().expect("of this type");
    black_box(elements.get([5]));
}

fn dlpark_vector(vector: Vec<f32>) -> versioned::Dlpack {
    let mut owner = Box::new(vector);
    let (data, length) = (owner.as_mut_ptr().cast(), owner.len() as i64);
    let mut made = metadata::Fixed::new([length], [1]).initialize(owner).expect("sound");
    made.set_data(data)
        .set_dtype(ffi::DLDataType::F32)
        .set_device(ffi::DLDevice::CPU);
    // SAFETY: describes the vector, which it owns.
    unsafe { made.finish() }
}

// ---- typed access ----

fn typed_view() -> Row {
    let ours = Tensor::from(vector());
    let dlpk = DLPackTensor::try_from(vector()).expect("sound");
    let dlpark = dlpark_vector(vector());
    Row::new("typed view and `as_slice`", Some(2.0))
        .step("dlferry", move || {
            let elements = black_box(&ours).elements::<f32>().expect("of this type");
            black_box(elements.as_slice().expect("dense"));
        })
        .step("dlpk", move || {
            let elements: &[f32] = black_box(&dlpk).as_ref().try_into().expect("a vector");
            black_box(elements);
        })
        .step("dlpark", move || {
            let tensor = black_box(&dlpark).validate().expect("sound");
            // SAFETY: its elements are the vector's.
            black_box::<&[f32]>(unsafe { tensor.cpu_slice() }.expect("dense"));
        })
}

fn two_by_three() -> Array2<f32> {
    arr2(&[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
}

fn matrix() -> Row {
    let ours = Tensor::try_from(two_by_three()).expect("sound");
    let dlpk = DLPackTensor::try_from(two_by_three()).expect("sound");
    let dlpark: dlpark::allocation::dynamic::Initialized<ffi::DLManagedTensorVersioned> =
        Box::new(two_by_three()).try_into().expect("sound");
    // SAFETY: describes the array, which it owns.
    let dlpark = unsafe { dlpark.finish() };
    Row::new("`ndarray::<Ix2>()`", Some(1.2))
        .step("dlferry", move || {
            let elements = black_box(&ours).elements::<f32>().expect("of this type");
            black_box(elements.ndarray::<Ix2>().expect("a matrix"));
        })
        .step("dlpk", move || {
            let array: ArrayView2<f32> = black_box(&dlpk).as_ref().try_into().expect("a matrix");
            black_box(array);
        })
        .step("dlpark", move || {
            use dlpark::TryFromDlpack;
            // SAFETY: nothing writes the elements.
            let array: ArrayViewD<f32> =
                unsafe { TryFromDlpack::try_from_dlpack(black_box(&dlpark), ()) }.expect("sound");
            black_box(array.into_dimensionality::<Ix2>().expect("a matrix"));
        })
}

// ---- iteration ----

const LENGTH: i32 = 4096;

fn dense_iteration() -> Row {
    let ours = Tensor::from((0..LENGTH).collect::<Vec<_>>());
    let slice = (0..LENGTH).collect::<Vec<_>>();
    Row::new("`iter` over 4,096 `i32`, in a `for` loop", Some(1.1))
        .step("dlferry", move || {
            let elements = black_box(&ours).elements::<i32>().expect("of this type");
            let mut sum = 0i32;
            for x in elements.iter() {
                sum = sum.wrapping_add(x.to_owned());
            }
            black_box(sum);
        })
        .step("slice", move || {
            let mut sum = 0i32;
            for x in black_box(&slice).iter() {
                sum = sum.wrapping_add(*x);
            }
            black_box(sum);
        })
}

fn dense_fold() -> Row {
    let ours = Tensor::from((0..LENGTH).map(|x| x as f32).collect::<Vec<_>>());
    let slice = (0..LENGTH).map(|x| x as f32).collect::<Vec<_>>();
    Row::new("`iter` over 4,096 `f32`, the greatest", Some(1.1))
        .step("dlferry", move || {
            let elements = black_box(&ours).elements::<f32>().expect("of this type");
            black_box(elements.iter().fold(0f32, |most, x| most.max(x.to_owned())));
        })
        .step("slice", move || {
            black_box(black_box(&slice).iter().fold(0f32, |most, x| most.max(*x)));
        })
}

// ---- two indices ----

const ROWS: usize = 32;
/// Not 64: there one instruction decides whether LLVM unrolls a loop of constant length as a whole, which costs four times
/// what it saves, and nothing that either crate does.
const COLUMNS: usize = 128;

fn at_run_time() -> (usize, usize) {
    black_box((ROWS, COLUMNS))
}

fn matrix_of<T>(element: impl Fn(usize) -> T) -> Array2<T> {
    Array2::from_shape_fn((ROWS, COLUMNS), |(i, j)| element(i * j))
}

fn integers() -> Tensor {
    Tensor::try_from(matrix_of(|x| x as i32)).expect("sound")
}

fn foreign_integers() -> Tensor {
    integers().into_foreign().expect("alone")
}

fn floats() -> Tensor {
    Tensor::try_from(matrix_of(|x| x as f32)).expect("sound")
}

fn foreign_floats() -> Tensor {
    floats().into_foreign().expect("alone")
}

fn indexed_reads(name: &'static str, make: fn() -> Tensor) -> Row {
    let ours = make();
    let array = matrix_of(|x| x as f32);
    Row::new(name, Some(1.2))
        .step("dlferry", move || {
            let x = black_box(&ours).elements::<f32>().expect("of this type");
            let mut most = 0f32;
            for i in 1..ROWS - 1 {
                for j in 1..COLUMNS - 1 {
                    most = most.max(x.at([i - 1, j]) + x.at([i + 1, j]) + x.at([i, j - 1]) + x.at([i, j + 1]));
                }
            }
            black_box(most);
        })
        .step("slice", move || {
            let x = black_box(&array).view();
            let mut most = 0f32;
            for i in 1..ROWS - 1 {
                for j in 1..COLUMNS - 1 {
                    most = most.max(x[[i - 1, j]] + x[[i + 1, j]] + x[[i, j - 1]] + x[[i, j + 1]]);
                }
            }
            black_box(most);
        })
}

fn indexed_writes() -> Row {
    let mut ours = floats();
    let mut array = matrix_of(|x| x as f32);
    Row::new("`elements[[i, j]] = x` of 4,096 `f32`", Some(1.2))
        .step("dlferry", move || {
            let mut x = black_box(&mut ours).elements_mut::<f32>().expect("of this type");
            for i in 0..ROWS {
                for j in 0..COLUMNS {
                    x[[i, j]] = (i + j) as f32;
                }
            }
        })
        .step("slice", move || {
            let mut x = black_box(&mut array).view_mut();
            for i in 0..ROWS {
                for j in 0..COLUMNS {
                    x[[i, j]] = (i + j) as f32;
                }
            }
        })
}

/// `extents` returns ROWS and COLUMNS, known to the compiler or not.
fn indexed_sum(name: &'static str, make: fn() -> Tensor, extents: impl Fn() -> (usize, usize) + Copy + 'static) -> Row {
    let ours = make();
    let array = matrix_of(|x| x as i32);
    Row::new(name, Some(1.2))
        .step("dlferry", move || {
            let x = black_box(&ours).elements::<i32>().expect("of this type");
            let (rows, columns) = extents();
            let mut sum = 0i32;
            for i in 0..rows {
                for j in 0..columns {
                    sum = sum.wrapping_add(x.at([i, j]));
                }
            }
            black_box(sum);
        })
        .step("slice", move || {
            let x = black_box(&array).view();
            let (rows, columns) = extents();
            let mut sum = 0i32;
            for i in 0..rows {
                for j in 0..columns {
                    sum = sum.wrapping_add(x[[i, j]]);
                }
            }
            black_box(sum);
        })
}

fn indexed_vector() -> Row {
    let ours = Tensor::from((0..LENGTH).collect::<Vec<_>>());
    let array = ndarray::Array1::from_iter(0..LENGTH);
    Row::new("`at([i])` of 4,096 `i32`, their sum", Some(1.2))
        .step("dlferry", move || {
            let x = black_box(&ours).elements::<i32>().expect("of this type");
            let mut sum = 0i32;
            for i in 0..LENGTH as usize {
                sum = sum.wrapping_add(x.at([i]));
            }
            black_box(sum);
        })
        .step("slice", move || {
            let x = black_box(&array).view();
            let mut sum = 0i32;
            for i in 0..LENGTH as usize {
                sum = sum.wrapping_add(x[[i]]);
            }
            black_box(sum);
        })
}
