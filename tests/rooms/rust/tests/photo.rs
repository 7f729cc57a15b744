// SPDX-License-Identifier: Apache-2.0
//! The generated crate as its users call it: tensors, slices, arrays; and its extern block equals C's declarations.

use dlferry::{DType, ErrorKind, Tensor};
use photo::{BlurOptions, Corner, DrawHistogramOptions};

/// The live count is that of the process, and tests run side by side.
fn alone() -> impl Drop {
    struct Alone(#[allow(dead_code)] std::sync::MutexGuard<'static, ()>);
    impl Drop for Alone {
        fn drop(&mut self) {
            if !std::thread::panicking() {
                assert_eq!(dlferry::live(), 0, "tensors were left alive");
            }
        }
    }
    static ONE: std::sync::Mutex<()> = std::sync::Mutex::new(());
    Alone(ONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner))
}

fn ramp(rows: i64, columns: i64) -> Tensor {
    Tensor::wrap(
        (0..rows * columns).map(|i| i as f32).collect::<Vec<_>>(),
        &[rows, columns],
    )
    .unwrap()
}

#[test]
fn outputs_are_made() {
    let _alone = alone();
    let rgb = Tensor::wrap(vec![255u8; 4 * 5 * 3], &[4, 5, 3]).unwrap();
    let gray = photo::gray(&rgb).unwrap();
    assert_eq!((gray.dtype(), gray.shape()), (DType::F32, &[4, 5][..]));
    assert!(gray.elements::<f32>().unwrap().iter().all(|x| (x - 1.0).abs() < 1e-6));
    let blurred = photo::blur(&gray, 2.0).unwrap();
    assert!(blurred
        .elements::<f32>()
        .unwrap()
        .iter()
        .all(|x| (x - 1.0).abs() < 1e-6));
    assert_eq!(photo::mean(&blurred).unwrap().round(), 1.0);
}

#[test]
fn outputs_may_be_the_callers() {
    let _alone = alone();
    let image = ramp(4, 5);
    let mut out = Tensor::create(DType::F32, &[4, 5]).unwrap();
    photo::blur_into(&image, BlurOptions { sigma: 0.5 }, &mut out).unwrap();
    let made = photo::blur(&image, 0.5).unwrap();
    assert_eq!(
        out.elements::<f32>().unwrap().to_vec(),
        made.elements::<f32>().unwrap().to_vec()
    );
    assert_eq!(BlurOptions::default(), BlurOptions { sigma: 1.0 });
}

#[test]
fn an_output_may_be_its_model_where_the_contract_lets_it() {
    let _alone = alone();
    let mut image = ramp(4, 5);
    let equalized = photo::equalize(&image).unwrap();
    photo::equalize_inplace(&mut image).unwrap();
    assert_eq!(
        image.elements::<f32>().unwrap().to_vec(),
        equalized.elements::<f32>().unwrap().to_vec()
    );
}

#[test]
fn options_are_a_struct_with_defaults() {
    let _alone = alone();
    let mut image = Tensor::create(DType::F32, &[64, 64]).unwrap();
    let options = DrawHistogramOptions {
        corner: Corner::TOP_RIGHT,
        ..Default::default()
    };
    photo::draw_histogram(&mut image, options).unwrap();
    assert!(photo::mean(&image).unwrap() > 0.0);
    assert_eq!(DrawHistogramOptions::default().corner, Corner::BOTTOM_LEFT);
}

#[test]
fn slices_are_tensors_of_one_dimension() {
    let error = photo::mean(&[1f32, 2.0]).unwrap_err();
    assert_eq!(
        (error.kind(), error.message()),
        (
            ErrorKind::Shape,
            "mean: image: ndim is 1, expected 2; got f32[2], wanted T[h, w] strided"
        )
    );
}

#[test]
fn arrays_of_ndarray_are_used_where_they_are() {
    let _alone = alone();
    let image = ndarray::Array2::from_shape_fn((4, 6), |(i, j)| (i + j) as f64);
    let mut out = ndarray::Array2::zeros((4, 6));
    photo::blur_into(&image, 1.0, &mut out).unwrap();
    let made = photo::blur(&image, 1.0).unwrap();
    assert_eq!(
        made.elements::<f64>().unwrap().ndarray::<ndarray::IxDyn>().unwrap(),
        out.into_dyn()
    );
    let every_second = image.slice(ndarray::s![.., ..;2]);
    assert_eq!(photo::mean(&every_second).unwrap(), every_second.mean().unwrap());
    assert_eq!(photo::blur(&every_second, 1.0).unwrap_err().kind(), ErrorKind::Layout);
}
