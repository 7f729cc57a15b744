// SPDX-License-Identifier: Apache-2.0
//! What other crates get wrong, held against this one. The page `soundness` has the list; programs that must not compile
//! are in `src/refused.rs`.

use dlferry::{ffi, Bool, DType, Device, ErrorKind, Result, Tensor};
use std::ffi::c_void;
use testing::alone;

/// A foreign producer's managed tensor, whose lists live as long as the test.
fn import(change: impl FnOnce(&mut ffi::DLTensor), shape: &mut [i64], strides: &mut [i64]) -> Result<Tensor> {
    static MEMORY: [u64; 8] = [0x0102_0304_0506_0708; 8];
    unsafe extern "C" fn delete(owned: *mut ffi::DLManagedTensorVersioned) {
        // SAFETY: made by a box below, and deleted once.
        drop(unsafe { Box::from_raw(owned) });
    }
    let mut managed = Box::new(ffi::DLManagedTensorVersioned {
        version: ffi::DLPackVersion { major: 1, minor: 3 },
        manager_ctx: std::ptr::null_mut(),
        deleter: Some(delete),
        flags: dlferry::flags::READ_ONLY,
        dl_tensor: ffi::DLTensor {
            data: MEMORY.as_ptr().cast_mut().cast::<c_void>(),
            device: Device::CPU.raw(),
            ndim: shape.len() as i32,
            dtype: DType::U8.raw(),
            shape: shape.as_mut_ptr(),
            strides: strides.as_mut_ptr(),
            byte_offset: 0,
        },
    });
    change(&mut managed.dl_tensor);
    // SAFETY: owned, and its elements are static or never read.
    unsafe { Tensor::from_dlpack(Box::into_raw(managed)) }
}

#[test]
fn strides_are_not_ignored() {
    let _alone = alone();
    let t = Tensor::wrap_strided((0..12u8).collect::<Vec<_>>(), 0, &[3], &[4]).unwrap();
    let elements = t.elements::<u8>().unwrap();
    assert_eq!(elements.to_vec(), [0, 4, 8]);
    assert_eq!(elements.as_slice().unwrap_err().kind(), ErrorKind::Layout);
    // A stride of 0 repeats one element: a slice would be longer than the memory.
    let t = Tensor::wrap_strided(vec![7u8], 0, &[1000], &[0]).unwrap();
    assert_eq!(
        t.elements::<u8>().unwrap().as_slice().unwrap_err().kind(),
        ErrorKind::Layout
    );
    assert_eq!(t.elements::<u8>().unwrap().at([999]), 7);
}

#[test]
fn foreign_codes_are_numbers() {
    let _alone = alone();
    let (shape, strides) = (&mut [2], &mut [1]);
    let t = import(|t| t.dtype = DType::new(77, 8).raw(), shape, strides).unwrap();
    assert_eq!(
        (t.dtype().code, t.elements::<u8>().unwrap_err().kind()),
        (77, ErrorKind::Dtype)
    );
    let device = Device { kind: 200, id: 3 };
    let t = import(|t| t.device = device.raw(), shape, strides).unwrap();
    assert_eq!(
        (t.device(), t.elements::<u8>().unwrap_err().kind()),
        (device, ErrorKind::Device)
    );
}

#[test]
fn a_bool_may_be_any_byte() {
    let _alone = alone();
    let t = import(|t| t.dtype = DType::BOOL.raw(), &mut [2], &mut [1]).unwrap();
    assert!(bool::from(t.elements::<Bool>().unwrap().at([0])));
}

#[test]
fn an_address_is_aligned() {
    let _alone = alone();
    let change = |t: &mut ffi::DLTensor| (t.dtype, t.byte_offset) = (DType::F32.raw(), 1);
    let t = import(change, &mut [2], &mut [1]).unwrap();
    assert_eq!(t.elements::<f32>().unwrap_err().kind(), ErrorKind::Layout);
}

#[test]
fn sizes_are_multiplied_with_care() {
    let _alone = alone();
    let kind = |shape: &mut [i64], strides: &mut [i64]| import(|_| (), shape, strides).map(drop).unwrap_err().kind();
    assert_eq!(kind(&mut [-1], &mut [1]), ErrorKind::Invalid);
    assert_eq!(kind(&mut [1 << 62, 4], &mut [4, 1]), ErrorKind::Overflow);
    assert_eq!(kind(&mut [2, 2], &mut [i64::MAX, 1]), ErrorKind::Overflow);
    let null = import(|t| t.data = std::ptr::null_mut(), &mut [2], &mut [1]);
    assert_eq!(null.unwrap_err().kind(), ErrorKind::Invalid);
    let no_shape = import(|t| t.shape = std::ptr::null_mut(), &mut [2], &mut [1]);
    assert_eq!(no_shape.unwrap_err().kind(), ErrorKind::Invalid);
    let many = import(|t| t.ndim = i32::MAX, &mut [2], &mut [1]);
    assert_eq!(many.unwrap_err().kind(), ErrorKind::Invalid);
}

#[test]
fn packed_elements_are_no_bytes() {
    let _alone = alone();
    let t = import(|t| t.dtype = DType::new(0, 4).raw(), &mut [4], &mut [1]).unwrap();
    assert!(t.elements::<i8>().is_err() && t.element_bits::<u8>().is_err());
}

#[test]
fn an_export_ends_exclusive_access() {
    let _alone = alone();
    let mut t = Tensor::from(vec![1f32, 2.0]);
    let exported = t.to_dlpack().unwrap();
    assert_eq!(t.elements_mut::<f32>().unwrap_err().kind(), ErrorKind::Invalid);
    assert_eq!(
        t.elements::<f32>().unwrap().as_slice().unwrap_err().kind(),
        ErrorKind::Invalid
    );
    // SAFETY: just exported; both are used here alone.
    let mut back = unsafe { Tensor::from_dlpack(exported.into_raw()) }.unwrap();
    assert!(back.elements_mut::<f32>().is_err() && t.elements_mut::<f32>().is_err());
    drop(back);
    t.elements_mut::<f32>().unwrap()[[0]] = 3.0;
}

#[test]
fn foreign_memory_lends_no_references() {
    let _alone = alone();
    let mut t = import(|_| (), &mut [2], &mut [1]).unwrap();
    assert_eq!(
        t.elements::<u8>().unwrap().as_slice().unwrap_err().kind(),
        ErrorKind::Invalid
    );
    assert_eq!(t.elements_mut::<u8>().unwrap_err().kind(), ErrorKind::ReadOnly);
    assert_eq!(t.elements::<u8>().unwrap().to_vec(), [8, 7]);
}
