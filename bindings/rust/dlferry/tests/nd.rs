// SPDX-License-Identifier: Apache-2.0
//! Arrays of ndarray.
#![cfg(feature = "ndarray")]

use dlferry::arg::{Arg, ArgMut, Slot};
use dlferry::{flags, ErrorKind, Tensor};
use ndarray::{
    arr0, arr2, s, ArcArray, Array, Array6, ArrayD, Axis, CowArray, Ix0, Ix1, Ix2, Ix6, IxDyn, ShapeBuilder,
};
use proptest::prelude::*;
use testing::alone;

#[test]
#[cfg_attr(miri, ignore = "C makes tensors")]
fn arrays_travel_with_their_strides() {
    let _alone = alone();
    let mut array = arr2(&[[1i32, 2, 3], [4, 5, 6]]).reversed_axes();
    array.invert_axis(ndarray::Axis(0));
    let (wanted, address) = (array.clone().into_dyn(), array.as_ptr());
    let t = Tensor::try_from(array).unwrap();
    assert_eq!(
        (t.shape(), t.strides(), t.data()),
        (&[3, 2][..], &[-1, 3][..], address.cast())
    );
    assert_eq!(t.elements::<i32>().unwrap().ndarray::<IxDyn>().unwrap(), wanted);
    let error = Tensor::try_from(ArrayD::<u8>::zeros(vec![1; 65])).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid);
}

#[test]
#[cfg_attr(miri, ignore = "C makes tensors")]
fn dimensions_are_part_of_the_type() {
    let _alone = alone();
    let column_major = Array::from_shape_fn((3, 4).f(), |(i, j)| (10 * i + j) as f64);
    let t = Tensor::try_from(column_major.clone()).unwrap();
    assert_eq!(t.strides(), [1, 3]);
    let elements = t.elements::<f64>().unwrap();
    let array = elements.ndarray::<Ix2>().unwrap();
    assert_eq!((array.strides(), array), (&[1, 3][..], column_major.view()));

    let mut reversed = Array6::from_shape_fn((2, 3, 1, 2, 2, 3), |index| format!("{index:?}").len() as u16);
    reversed.swap_axes(0, 5);
    (0..6).for_each(|axis| reversed.invert_axis(Axis(axis)));
    let wanted = reversed.clone();
    let t = Tensor::try_from(reversed).unwrap();
    assert!(t.strides().iter().any(|&stride| stride < 0));
    assert_eq!(t.elements::<u16>().unwrap().ndarray::<Ix6>().unwrap(), wanted);
    assert_eq!(
        t.elements::<u16>().unwrap().ndarray::<IxDyn>().unwrap(),
        wanted.into_dyn()
    );

    let scalar = Tensor::try_from(arr0(5u8)).unwrap();
    assert_eq!(scalar.elements::<u8>().unwrap().ndarray::<Ix0>().unwrap(), arr0(5));
}

#[test]
#[cfg_attr(miri, ignore = "C makes tensors")]
fn a_shared_array_is_read_only() {
    let _alone = alone();
    let array: ArcArray<i32, Ix2> = arr2(&[[1, 2], [3, 4]]).into();
    let mut t = Tensor::try_from(array.clone()).unwrap();
    assert_eq!((t.data(), t.flags()), (array.as_ptr().cast(), flags::READ_ONLY));
    assert_eq!(t.elements_mut::<i32>().unwrap_err().kind(), ErrorKind::ReadOnly);
    assert_eq!(t.elements::<i32>().unwrap().ndarray::<Ix2>().unwrap(), array);
}

#[test]
fn views_are_arguments() {
    let mut array = Array::from_shape_fn((4, 6), |(i, j)| (i * 6 + j) as f32);
    let window = array.slice(s![1..3, ..;-2]);
    let mut slot = Slot::new();
    let arg = window.lend(&mut slot).raw();
    // SAFETY: lent above.
    unsafe {
        assert_eq!(std::slice::from_raw_parts((*arg.tensor).shape, 2), [2, 3]);
        assert_eq!(std::slice::from_raw_parts((*arg.tensor).strides, 2), [6, -2]);
        assert_eq!(
            ((*arg.tensor).data.cast::<f32>().read(), arg.flags),
            (11.0, flags::READ_ONLY)
        );
        let mut slot = Slot::new();
        let mut column = array.slice_mut(s![.., 2]);
        let arg = column.lend_mut(&mut slot).raw();
        (*arg.tensor).data.cast::<f32>().write(-1.0);
        assert_eq!(arg.flags, 0);
    }
    assert_eq!(array[[0, 2]], -1.0);
}

#[test]
fn writing_a_shared_array_unshares_it_first() {
    let original = arr2(&[[1f64]]);
    let mut cow: CowArray<'_, f64, Ix2> = original.view().into();
    let mut slot = Slot::new();
    // SAFETY: lent for this line.
    unsafe { (*cow.lend_mut(&mut slot).raw().tensor).data.cast::<f64>().write(5.0) };
    assert_eq!((original[[0, 0]], cow[[0, 0]]), (1.0, 5.0));
}

#[test]
#[cfg_attr(miri, ignore = "C makes tensors")]
fn writing_wants_one_index_for_each_element() {
    let _alone = alone();
    let mut t = Tensor::wrap_strided(vec![0u8; 12], 0, &[3, 2], &[4, -0]).unwrap();
    assert_eq!(
        t.elements_mut::<u8>()
            .unwrap()
            .into_ndarray::<IxDyn>()
            .unwrap_err()
            .kind(),
        ErrorKind::Layout
    );
    assert!(t.elements::<u8>().unwrap().ndarray::<IxDyn>().is_ok());
    let mut t = Tensor::wrap_strided(vec![0u8; 12], 11, &[3, 4], &[-4, -1]).unwrap();
    let mut array = t.elements_mut::<u8>().unwrap().into_ndarray::<IxDyn>().unwrap();
    array[[2, 3]] = 7;
    array.index_axis_mut(ndarray::Axis(0), 0).fill(1);
    assert_eq!(
        t.elements::<u8>().unwrap().to_vec(),
        [1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 7]
    );
    // These repeat nothing, but ndarray's own check of strides refuses them.
    let mut t = Tensor::wrap_strided(vec![0u8; 8], 0, &[2, 3], &[3, 2]).unwrap();
    assert_eq!(
        t.elements_mut::<u8>()
            .unwrap()
            .into_ndarray::<Ix2>()
            .unwrap_err()
            .message(),
        "elements: expected strides that each step over all smaller ones, as ndarray writes them, got [3, 2]: pass \
         contiguous(Order::RowMajor)"
    );
    let mut empty = Tensor::wrap_strided(vec![0u8; 1], 0, &[0, 1 << 62, 1 << 62], &[1, 1, 1]).unwrap();
    assert_eq!(
        empty.elements::<u8>().unwrap().ndarray::<IxDyn>().unwrap_err().kind(),
        ErrorKind::Overflow
    );
    assert!(empty.elements_mut::<u8>().unwrap().into_ndarray::<IxDyn>().is_err());
}

#[test]
#[cfg_attr(miri, ignore = "C makes tensors")]
fn ndarrays_errors_are_ours() {
    let _alone = alone();
    let t = Tensor::wrap(vec![1u8, 2, 3, 4], &[2, 2]).unwrap();
    let row = |t: &Tensor| -> dlferry::Result<u8> { Ok(t.elements::<u8>()?.ndarray::<Ix2>()?.row(1)[0]) };
    assert_eq!(row(&t).unwrap(), 3);
    let error = row(&Tensor::from(vec![1u8])).unwrap_err();
    assert_eq!(
        (error.kind(), error.message()),
        (ErrorKind::Shape, "elements: expected 2 dimensions, got 1")
    );
    let flat = |t: &Tensor| -> dlferry::Result<u8> {
        Ok(t.elements::<u8>()?.ndarray::<IxDyn>()?.into_dimensionality::<Ix1>()?[0])
    };
    assert_eq!(flat(&t).unwrap_err().kind(), ErrorKind::Shape);
    let mut t = t;
    assert_eq!(
        t.elements_mut::<u8>()
            .unwrap()
            .into_ndarray::<Ix1>()
            .unwrap_err()
            .kind(),
        ErrorKind::Shape
    );
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// ndarray, reached by another way, finds the same elements; its debug assertions watch the pointers.
    #[test]
    #[cfg_attr(miri, ignore = "C makes tensors")]
    fn ndarray_agrees(axes in prop::collection::vec((0i64..4, -7i64..8), 0..4)) {
        let _alone = alone();
        let (shape, strides): (Vec<i64>, Vec<i64>) = axes.into_iter().unzip();
        let t = Tensor::wrap_strided((0..128u8).collect::<Vec<_>>(), 64, &shape, &strides).unwrap();
        let elements = t.elements::<u8>().unwrap();
        let array = elements.ndarray::<IxDyn>().unwrap();
        prop_assert_eq!(array.iter().copied().collect::<Vec<_>>(), elements.to_vec());
        let mut copy = Tensor::wrap_strided((0..128u8).collect::<Vec<_>>(), 64, &shape, &strides).unwrap();
        let repeats = {
            let mut seen = elements.to_vec();
            seen.sort_unstable();
            seen.windows(2).any(|pair| pair[0] == pair[1])
        };
        let writable = copy.elements_mut::<u8>().unwrap().into_ndarray::<IxDyn>();
        prop_assert!(!(repeats && writable.is_ok()), "two indices meet in one place");
    }
}
