// SPDX-License-Identifier: Apache-2.0
//! Nanoseconds of a tensor's export and import: `cargo bench`. Compare them with each other, not with a clock.

use dlferry::arg::{Arg, ArgMut, Slot};
use dlferry::plumbing::call;
use dlferry::{ffi, DType, ManagedTensor, Tensor};
use std::hint::black_box;
use std::time::Instant;

/// The fastest of many repeats, in nanoseconds a call.
fn measure(name: &str, mut call: impl FnMut()) {
    const CALLS: u32 = 2000;
    let mut best = f64::INFINITY;
    for _ in 0..300 {
        let start = Instant::now();
        (0..CALLS).for_each(|_| call());
        best = best.min(start.elapsed().as_nanos() as f64 / f64::from(CALLS));
    }
    println!("{name:<58}{best:8.1} ns");
}

/// Like a generated call: three described slices, one C call that reads them.
fn three_slices(x: &[f32], y: &[f32], out: &mut [f32]) -> dlferry::Result<()> {
    let (mut a, mut b, mut c) = (Slot::new(), Slot::new(), Slot::new());
    let (x, y, out) = (x.lend(&mut a), y.lend(&mut b), out.lend_mut(&mut c));
    call(|_| {
        // SAFETY: lent for the call.
        let meet = unsafe { ffi::dlf_overlap(x.raw(), out.raw()) || ffi::dlf_overlap(y.raw(), out.raw()) };
        ffi::dlf_status::from(meet)
    })
}

fn main() {
    measure("a vector of 6 floats, made and dropped", || {
        drop(black_box(vec![1f32; 6]));
    });
    measure("vector -> tensor -> drop", || {
        drop(black_box(Tensor::from(vec![1f32; 6])));
    });
    measure("vector -> export -> import -> typed access -> drop", || {
        let exported = Tensor::from(vec![1f32; 6]).to_dlpack().unwrap().into_raw();
        // SAFETY: just exported; nothing writes.
        let back = unsafe { Tensor::from_dlpack(exported) }.unwrap();
        black_box(back.elements::<f32>().unwrap().at([5]));
    });
    measure("vector, given away -> import -> typed access -> drop", || {
        let given = ManagedTensor::from(vec![1f32; 6]).into_raw();
        // SAFETY: just given; nothing writes.
        let back = unsafe { Tensor::from_dlpack(given) }.unwrap();
        black_box(back.elements::<f32>().unwrap().at([5]));
    });
    let mut t = Tensor::create(DType::F32, &[2, 3]).unwrap();
    measure("export -> import -> drop", || {
        let exported = t.to_dlpack().unwrap().into_raw();
        // SAFETY: just exported; nothing writes.
        drop(black_box(unsafe { Tensor::from_dlpack(exported) }));
    });
    measure("typed access of 2 dimensions, one element", || {
        black_box(black_box(&t).elements::<f32>().unwrap().get([1, 2]));
    });
    measure("typed access for writing, as a slice", || {
        black_box(black_box(&mut t).elements_mut::<f32>().unwrap().as_mut_slice().unwrap());
    });
    let (x, y, mut out) = ([1f32; 8], [2f32; 8], [0f32; 8]);
    measure("three slices lent to C", || {
        three_slices(black_box(&x), black_box(&y), black_box(&mut out)).unwrap();
    });
}
