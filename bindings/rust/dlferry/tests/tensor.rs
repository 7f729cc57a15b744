// SPDX-License-Identifier: Apache-2.0
//! Creation, wrapping, properties, release.

use dlferry::{
    arg, flags, CheckLevel, DType, Device, Elements, ElementsMut, ErrorKind, Iter, ManagedTensor, Of, OfMut, Order,
    Tensor,
};
use std::ffi::c_void;
use std::sync::Arc;
use testing::{alone, count, Owner};

#[test]
fn create_gives_aligned_zeros() {
    let _alone = alone();
    let t = Tensor::create(DType::F64, &[3, 0, 5]).unwrap();
    assert_eq!(
        (t.shape(), t.count().unwrap(), t.byte_size().unwrap()),
        (&[3, 0, 5][..], 0, 0)
    );
    let t = Tensor::create(DType::F32, &[2, 3]).unwrap();
    assert_eq!((t.shape(), t.strides(), t.ndim()), (&[2, 3][..], &[3, 1][..], 2));
    assert_eq!(
        (t.dtype(), t.device(), t.flags(), t.dltensor().byte_offset),
        (DType::F32, Device::CPU, 0, 0)
    );
    assert_eq!((t.count().unwrap(), t.byte_size().unwrap()), (6, 24));
    assert_eq!(t.data() as usize % 256, 0);
    assert!(t.is_contiguous(Order::RowMajor) && t.is_contiguous(Order::Dense) && !t.is_contiguous(Order::ColumnMajor));
    assert!(t.elements::<f32>().unwrap().iter().all(|x| x == 0.0));
    t.check(CheckLevel::Strict).unwrap();
    let scalar = Tensor::create(DType::I8, &[]).unwrap();
    assert_eq!(
        (scalar.shape(), scalar.strides(), scalar.count().unwrap()),
        (&[][..], &[][..], 1)
    );
    assert_eq!(scalar.elements::<i8>().unwrap().at([]), 0);
}

#[test]
fn create_refuses_what_cannot_be() {
    let _alone = alone();
    let kind = |dtype, shape: &[i64]| Tensor::create(dtype, shape).unwrap_err().kind();
    assert_eq!(kind(DType::F32, &[-1]), ErrorKind::Invalid);
    assert_eq!(kind(DType::F32, &[1 << 40, 1 << 40]), ErrorKind::Overflow);
    assert_eq!(kind(DType::F32, &[1 << 40, 1 << 21]), ErrorKind::Overflow);
    assert_eq!(kind(DType::new(2, 0), &[1]), ErrorKind::Dtype);
    assert_eq!(kind(DType::U8, &[1 << 62]), ErrorKind::NoMemory);
    let error = Tensor::create(DType::F32, &[1; 65]).unwrap_err();
    assert_eq!(error.to_string(), "create: expected ndim between 0 and 64, got 65");
    assert_eq!(error.kind(), ErrorKind::Invalid);
    let error = Tensor::create(DType::new(2, 0), &[1]).unwrap_err();
    assert_eq!(error.to_string(), "create: expected a dtype of 1 bit or more, got 0");
}

#[test]
fn wrap_takes_the_owner_and_drops_it_once() {
    let _alone = alone();
    let (owner, drops) = Owner::new(vec![1u16, 2, 3, 4, 5, 6]);
    let t = Tensor::wrap(owner, &[3, 2]).unwrap();
    assert_eq!(t.elements::<u16>().unwrap().at([2, 1]), 6);
    assert_eq!(count(&drops), 0);
    drop(t);
    assert_eq!(count(&drops), 1);
}

/// An owner that keeps the tensor before it.
struct Link(Vec<f32>, #[allow(dead_code)] Option<Tensor>); // the next one is only dropped

impl AsMut<[f32]> for Link {
    fn as_mut(&mut self) -> &mut [f32] {
        &mut self.0
    }
}

#[test]
fn a_long_chain_of_owners_is_dropped_in_little_stack() {
    let _alone = alone();
    let length = if cfg!(miri) { 100 } else { 1_000_000 };
    let mut last = Tensor::from(vec![1f32]);
    for _ in 0..length {
        last = Tensor::wrap(Link(vec![1f32], Some(last)), &[1]).unwrap();
    }
    let thread = std::thread::Builder::new().stack_size(128 * 1024);
    thread.spawn(move || drop(last)).unwrap().join().unwrap();
}

#[test]
fn wrap_drops_the_owner_once_after_a_failure() {
    let _alone = alone();
    for (shape, kind) in [
        (&[7][..], ErrorKind::Shape),
        (&[-1], ErrorKind::Invalid),
        (&[1; 65], ErrorKind::Invalid),
    ] {
        let (owner, drops) = Owner::new(vec![0u8; 6]);
        assert_eq!(Tensor::wrap(owner, shape).unwrap_err().kind(), kind);
        assert_eq!(count(&drops), 1);
    }
    let error = Tensor::wrap(vec![0u8; 6], &[2, 2]).unwrap_err();
    assert_eq!(error.message(), "wrap: expected 4 elements for shape [2, 2], got 6");
    let (owner, drops) = Owner::new(vec![0u8; 6]);
    let null = std::ptr::null_mut();
    // SAFETY: refused: there are no elements at NULL.
    let made = unsafe { Tensor::wrap_raw(null, DType::U8, &[6], None, Device::CPU, 0, owner) };
    assert_eq!(made.unwrap_err().kind(), ErrorKind::Invalid);
    assert_eq!(count(&drops), 1);
}

#[test]
fn wrap_takes_arrays_boxes_and_empty_vectors() {
    let _alone = alone();
    let t = Tensor::wrap([1i64, 2, 3, 4], &[2, 2]).unwrap(); // moved into a box first
    assert_eq!(t.elements::<i64>().unwrap().to_vec(), [1, 2, 3, 4]);
    let t = Tensor::wrap(vec![2.5f32; 4].into_boxed_slice(), &[4]).unwrap();
    assert_eq!(t.elements::<f32>().unwrap().as_slice().unwrap(), [2.5f32; 4]);
    let t = Tensor::from(Vec::<f64>::new());
    assert_eq!((t.shape(), t.elements::<f64>().unwrap().len()), (&[0][..], 0));
    let t = Tensor::from(vec![1u8, 2]);
    assert_eq!(t.elements::<u8>().unwrap().at([1]), 2);
}

#[test]
fn wrap_keeps_the_address() {
    let _alone = alone();
    let vector = vec![0f32; 5];
    let address = vector.as_ptr() as *const c_void;
    assert_eq!(Tensor::from(vector).data(), address);
}

#[test]
fn wrap_strided_stays_inside_the_slice() {
    let _alone = alone();
    let wrap = |start, shape: &[i64], strides: &[i64]| Tensor::wrap_strided(vec![0u32; 12], start, shape, strides);
    wrap(0, &[3, 4], &[4, 1]).unwrap();
    wrap(11, &[3, 4], &[-4, -1]).unwrap();
    wrap(12, &[0, 4], &[100, 1]).unwrap();
    wrap(3, &[2, 2, 5], &[0, 8, 0]).unwrap();
    for (start, shape, strides) in [
        (0, [3, 4], [4, 2]),
        (1, [3, 4], [4, 1]),
        (0, [2, 2], [-1, 1]),
        (10, [3, 4], [-4, -1]),
        (13, [0, 1], [1, 1]),
        (usize::MAX, [1, 1], [1, 1]),
    ] {
        let kind = wrap(start, &shape, &strides).unwrap_err().kind();
        assert_eq!(kind, ErrorKind::Bounds, "{start} {shape:?} {strides:?}");
    }
    assert_eq!(
        wrap(0, &[2, 2], &[i64::MAX, 1]).unwrap_err().kind(),
        ErrorKind::Overflow
    );
    let error = wrap(0, &[3, 4], &[1]).unwrap_err();
    assert_eq!(
        (error.kind(), error.message()),
        (ErrorKind::Invalid, "wrap: expected 2 strides, got 1")
    );
    let error = wrap(1, &[3, 4], &[4, 1]).unwrap_err();
    assert_eq!(
        error.message(),
        "wrap: expected 48 bytes inside a block of 48, got them from byte 4"
    );
}

#[test]
fn wrap_read_only_cannot_be_written() {
    let _alone = alone();
    let shared: Arc<[i32]> = Arc::from([1, 2, 3]);
    let mut t = Tensor::wrap_read_only(shared.clone(), &[3]).unwrap();
    assert_eq!((t.flags(), t.is_read_only()), (flags::READ_ONLY, true));
    assert_eq!(t.elements::<i32>().unwrap().at([2]), 3);
    assert_eq!(
        t.elements_mut::<i32>().map(|_| ()).unwrap_err().kind(),
        ErrorKind::ReadOnly
    );
    drop(t);
    assert_eq!(Arc::strong_count(&shared), 1);
}

#[test]
fn wrap_raw_passes_unknown_devices_and_dtypes_through() {
    let _alone = alone();
    let (owner, drops) = Owner::new(vec![0u8]);
    let (handle, device, dtype) = (0x1000 as *mut c_void, Device { kind: 99, id: 3 }, DType::new(200, 8));
    // SAFETY: nothing here follows an address of another device.
    let t = unsafe { Tensor::wrap_raw(handle, dtype, &[4], Some(&[2]), device, 0, owner) }.unwrap();
    assert_eq!((t.device(), t.dtype(), t.strides()), (device, dtype, &[2][..]));
    assert_eq!(
        t.element_bits::<u8>().map(|_| ()).unwrap_err().kind(),
        ErrorKind::Device
    );
    assert_eq!(t.copy().unwrap_err().kind(), ErrorKind::Device);
    drop(t);
    assert_eq!(count(&drops), 1);
}

#[test]
fn the_last_reference_may_go_on_another_thread() {
    let _alone = alone();
    let (owner, drops) = Owner::new(vec![1f32; 4]);
    let t = Tensor::wrap(owner, &[4]).unwrap();
    let exported = t.to_dlpack().unwrap();
    drop(t);
    assert_eq!(count(&drops), 0);
    let there = std::thread::spawn(move || {
        drop(exported);
        std::thread::current().id()
    });
    assert_eq!(there.join().unwrap(), drops.lock().unwrap()[0]);
}

/// Two ways to call this for a type that is Send: it compiles only for one that is not.
trait NotSend<A> {
    fn holds() {}
}
impl<T> NotSend<()> for T {}
impl<T: Send> NotSend<u8> for T {}

#[test]
fn what_goes_between_threads() {
    fn both<T: Send + Sync>() {}
    both::<(Tensor, Elements<'_, f32>, ElementsMut<'_, f32>, Iter<'_, f32>)>();
    both::<(ManagedTensor, Of<'_, f32, 2>, OfMut<'_, f32, 2>, dlferry::Error)>();
    <arg::Lent<'_> as NotSend<_>>::holds(); // its elements may be written meanwhile
    <arg::Object<u8> as NotSend<_>>::holds(); // C may not allow it
}

#[test]
fn threads_may_read_and_export_at_once() {
    let _alone = alone();
    let (owner, drops) = Owner::new((0..1000u32).collect());
    let t = Tensor::wrap(owner, &[1000]).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..200 {
                    let exported = t.to_dlpack().unwrap().into_raw();
                    // SAFETY: just exported, and only read.
                    let back = unsafe { Tensor::from_dlpack(exported) }.unwrap();
                    assert_eq!(back.elements::<u32>().unwrap().iter().sum::<u32>(), 499_500);
                }
            });
        }
    });
    drop(t);
    assert_eq!(count(&drops), 1);
}

#[test]
fn a_panic_in_an_owner_does_not_reach_c() {
    struct Bomb(Vec<u8>);
    impl AsMut<[u8]> for Bomb {
        fn as_mut(&mut self) -> &mut [u8] {
            &mut self.0
        }
    }
    impl Drop for Bomb {
        fn drop(&mut self) {
            match self.0[0] {
                0 => std::panic::panic_any(()), // which allocates nothing that could leak
                more => std::panic::panic_any(Bomb(vec![more - 1])), // whose drop panics as well
            }
        }
    }
    let _alone = alone();
    for panics in 1..3 {
        drop(Tensor::wrap(Bomb(vec![panics - 1]), &[1]).unwrap());
    }
}

#[test]
fn copies_are_writable_and_row_major() {
    let _alone = alone();
    let t = Tensor::wrap_strided(vec![1i32, 2, 3, 4, 5, 6], 5, &[3, 2], &[-1, -3]).unwrap();
    let mut copy = t.copy().unwrap();
    assert_eq!(
        (copy.strides(), copy.elements::<i32>().unwrap().to_vec()),
        (&[2, 1][..], vec![6, 3, 5, 2, 4, 1])
    );
    copy.elements_mut::<i32>().unwrap().fill(0);
    assert_eq!(t.elements::<i32>().unwrap().at([0, 0]), 6);
}

#[test]
fn text_is_the_hubs() {
    let _alone = alone();
    let t = Tensor::wrap_read_only(vec![1.5f32, 2.0], &[2]).unwrap();
    assert_eq!(
        t.describe(),
        format!("{t:?}").trim_start_matches("Tensor(").trim_end_matches(')')
    );
    assert!(
        t.describe().starts_with("float32[2]") && t.describe().ends_with("read-only"),
        "{t:?}"
    );
    assert!(
        t.to_string().contains("1.5") && t.to_string().starts_with(&t.describe()),
        "{t}"
    );
    let long = Tensor::from((0..900i64).collect::<Vec<_>>());
    assert!(
        long.format().contains("899"),
        "a text longer than the first buffer is complete"
    );
}
