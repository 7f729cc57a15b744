// SPDX-License-Identifier: Apache-2.0
//! Views of memory that Rust owns: Miri runs these, since C allocates nothing here.

use super::*;
use crate::{Bool, DType, Device, ElementsMut};

/// A description of elements from `start` on, valid as long as the lists.
fn describe<T: Element>(data: &mut [T], start: usize, shape: &[i64], strides: &[i64]) -> ffi::DLTensor {
    ffi::DLTensor {
        data: data.as_mut_ptr().cast(),
        device: Device::CPU.raw(),
        ndim: shape.len() as i32,
        dtype: T::DTYPE.raw(),
        shape: shape.as_ptr().cast_mut(),
        strides: strides.as_ptr().cast_mut(),
        byte_offset: (start * size_of::<T>()) as u64,
    }
}

fn writable<T: Element>(tensor: &ffi::DLTensor) -> ElementsMut<'_, T> {
    ElementsMut::new(Elements::look(tensor, 0, ffi::DLF_LOOK_WRITE, Access::Alone).unwrap())
}

#[test]
fn elements_are_found_by_any_strides() {
    let mut data: Vec<i32> = (0..12).collect();
    for (start, shape, strides, wanted) in [
        (0, [2, 3], [6, 2], vec![0, 2, 4, 6, 8, 10]),
        (11, [2, 3], [-6, -1], vec![11, 10, 9, 5, 4, 3]),
        (3, [2, 2], [0, 1], vec![3, 4, 3, 4]),
        (0, [3, 4], [4, 1], (0..12).collect()),
        (0, [0, 3], [i64::MAX, i64::MIN], vec![]),
    ] {
        let tensor = describe(&mut data, start, &shape, &strides);
        let elements = Elements::<i32>::look(&tensor, 0, 0, Access::Alone).unwrap();
        assert_eq!(elements.to_vec(), wanted);
        assert_eq!(elements.iter().collect::<Vec<_>>(), wanted);
        assert_eq!(elements.as_slice().is_ok(), shape == [3, 4] || wanted.is_empty());
        assert_eq!(elements.get([0, 1]), wanted.get(1).copied());
        assert!(elements.get([2, 4]).is_none() && elements.get([0]).is_none());
    }
}

#[test]
fn iteration_meets_from_both_ends() {
    let mut data: Vec<i32> = (0..24).collect();
    let layouts: [(usize, &[i64], &[i64]); 9] = [
        (0, &[2, 1, 3, 4], &[12, 99, 4, 1]),
        (0, &[24], &[1]),
        (23, &[24], &[-1]),
        (0, &[2, 3, 4], &[12, 4, 1]),
        (0, &[4, 3, 2], &[1, 4, 12]),
        (1, &[2, 1, 3], &[12, 99, 4]),
        (5, &[3, 2], &[0, 1]),
        (7, &[], &[]),
        (0, &[2, 0], &[1, 1]),
    ];
    for (start, shape, strides) in layouts {
        let tensor = describe(&mut data, start, shape, strides);
        for access in [Access::Alone, Access::Foreign] {
            let elements = Elements::<i32>::look(&tensor, 0, 0, access).unwrap();
            let count = shape.iter().product::<i64>() as usize;
            let wanted: Vec<i32> = (0..count)
                .map(|flat| {
                    let (mut rest, mut index) = (flat, vec![0; shape.len()]);
                    for axis in (0..shape.len()).rev() {
                        index[axis] = rest % shape[axis] as usize;
                        rest /= shape[axis] as usize;
                    }
                    elements.at(&index)
                })
                .collect();
            assert_eq!(
                elements.iter().rev().collect::<Vec<_>>(),
                wanted.iter().rev().copied().collect::<Vec<_>>()
            );
            assert_eq!(elements.iter().last(), wanted.last().copied());
            for taken in [0, count.min(1), count / 2, count] {
                let mut iter = elements.iter();
                let mut seen = vec![0; count];
                for i in 0..count {
                    let left = count - i;
                    assert_eq!((iter.len(), iter.clone().count(), iter.clone().sum::<i32>()), {
                        let rest = &wanted[i.min(taken)..count - i.saturating_sub(taken)];
                        (left, left, rest.iter().sum())
                    });
                    if i < taken {
                        seen[i] = iter.next().unwrap();
                    } else {
                        seen[count - 1 - (i - taken)] = iter.next_back().unwrap();
                    }
                }
                assert_eq!(seen, wanted);
                assert_eq!(
                    (iter.next(), iter.next_back(), iter.next(), iter.len()),
                    (None, None, None, 0)
                );
            }
        }
    }
}

#[test]
fn elements_are_written_one_at_a_time_or_as_a_slice() {
    let mut data = vec![0f64; 6];
    let tensor = describe(&mut data, 5, &[2, 2], &[-3, -1]);
    let mut elements = writable::<f64>(&tensor);
    elements[[1, 0]] = 2.0;
    *elements.get_mut([0, 1]).unwrap() += 4.0;
    assert_eq!(
        (elements[[1, 0]], elements.elements().to_vec()),
        (2.0, vec![0.0, 4.0, 2.0, 0.0])
    );
    elements.for_each(|element| *element += 1.0);
    assert!(elements.as_mut_slice().is_err());
    elements.fill(7.0);
    assert_eq!(data, [0.0, 7.0, 7.0, 0.0, 7.0, 7.0]);

    let tensor = describe(&mut data, 1, &[2, 2], &[2, 1]);
    let mut elements = writable::<f64>(&tensor);
    elements.as_mut_slice().unwrap()[3] = 9.0;
    elements.fill(3.0);
    let (first, rest) = elements.into_slice().unwrap().split_first_mut().unwrap();
    std::mem::swap(first, &mut rest[2]);
    assert_eq!(data, [0.0, 3.0, 3.0, 3.0, 3.0, 7.0]);

    let tensor = describe(&mut data, 0, &[3], &[0]);
    let mut elements = writable::<f64>(&tensor);
    elements.for_each(|element| *element += 1.0); // one place, three times
    assert_eq!(data[0], 3.0);
}

#[test]
fn nothing_has_a_slice_that_is_not_at_null() {
    for (data, strides) in [(0usize, [1]), (1, [i64::MIN])] {
        let mut tensor = describe::<u64>(&mut [], 0, &[0], &strides);
        tensor.data = std::ptr::null_mut::<std::ffi::c_void>().wrapping_byte_add(data);
        let mut elements = writable::<u64>(&tensor);
        elements.fill(1);
        assert!(elements.as_mut_slice().unwrap().is_empty() && elements.elements().as_slice().unwrap().is_empty());
        assert!(elements.into_slice().unwrap().is_empty());
    }
}

#[test]
fn bytes_of_foreign_truth_values() {
    let mut data = [0u8, 1, 2, 255];
    let mut tensor = describe(&mut data, 0, &[4], &[1]);
    tensor.dtype = DType::BOOL.raw();
    let elements = Elements::<Bool>::look(&tensor, 0, 0, Access::Alone).unwrap();
    assert_eq!(
        elements.iter().map(Bool::get).collect::<Vec<_>>(),
        [false, true, true, true]
    );
}

#[cfg(feature = "ndarray")]
#[test]
fn ndarray_reaches_the_same_elements() {
    let mut data: Vec<u16> = (0..12).collect();
    let tensor = describe(&mut data, 11, &[3, 1, 2], &[-4, i64::MAX, -2]);
    let elements = Elements::<u16>::look(&tensor, 0, 0, Access::Alone).unwrap();
    assert_eq!(
        elements
            .ndarray::<ndarray::IxDyn>()
            .unwrap()
            .iter()
            .copied()
            .collect::<Vec<_>>(),
        elements.to_vec()
    );
    let mut array = writable::<u16>(&tensor).into_ndarray::<ndarray::IxDyn>().unwrap();
    array.fill(50);
    array[[2, 0, 1]] = 51;
    assert_eq!(data, [0, 51, 2, 50, 4, 50, 6, 50, 8, 50, 10, 50]);
    let tensor = describe(&mut data, 0, &[2], &[0]);
    assert!(writable::<u16>(&tensor).into_ndarray::<ndarray::IxDyn>().is_err());
}

/// What `plainly` accepts, the hub accepts with the same elements; what the hub refuses, `plainly` leaves to it.
#[test]
fn a_plain_look_is_the_hubs() {
    let mut data: Vec<i32> = (0..12).collect();
    let shapes: [(&[i64], &[i64]); 7] = [
        (&[], &[]),
        (&[12], &[1]),
        (&[2, 3], &[6, 2]),
        (&[3, 0], &[1, 1]),
        (&[1 << 40, 1 << 40], &[0, 0]),
        (&[4, 3, 1], &[1, 4, 99]),
        (&[1 << 62], &[0]),
    ];
    let mut plain = 0;
    for (shape, strides) in shapes {
        for (device_type, offset) in [
            (ffi::kDLCPU, 0),
            (ffi::kDLCPU, 2),
            (ffi::kDLCUDA, 0),
            (ffi::kDLCUDAHost, 0),
        ] {
            for flags in [0, READ_ONLY, IS_COPIED, READ_ONLY | IS_COPIED, 4, 8] {
                for how in [0, ffi::DLF_LOOK_WRITE] {
                    let mut tensor = describe(&mut data, 0, shape, strides);
                    tensor.device.device_type = device_type;
                    tensor.byte_offset = offset;
                    let Some((first, count)) = plainly::<i32>(&tensor, flags, how) else {
                        continue;
                    };
                    let (wanted, wanted_count) = look::<i32>(&tensor, flags, how).unwrap();
                    assert_eq!(count, wanted_count);
                    assert!(count == 0 || first == wanted);
                    assert!(plainly::<f32>(&tensor, flags, how).is_none());
                    plain += 1;
                }
            }
        }
    }
    assert!(plain > 20, "{plain}");
}
