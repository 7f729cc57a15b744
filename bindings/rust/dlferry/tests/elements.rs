// SPDX-License-Identifier: Apache-2.0
//! Typed access: accepted tensors, and no access outside the elements.

use dlferry::{Bool, DType, Device, Element, ErrorKind, Tensor};
use proptest::prelude::*;
use testing::alone;

fn kind<T: Element>(t: &Tensor) -> Option<ErrorKind> {
    t.elements::<T>().err().map(|error| error.kind())
}

#[test]
fn dtype_must_match() {
    let _alone = alone();
    let t = Tensor::create(DType::F32, &[2]).unwrap();
    assert_eq!(
        (kind::<f32>(&t), kind::<i32>(&t), kind::<f64>(&t)),
        (None, Some(ErrorKind::Dtype), Some(ErrorKind::Dtype))
    );
    assert_eq!(
        t.elements::<u8>().unwrap_err().message(),
        "elements: expected uint8, got float32: cast converts"
    );
    assert_eq!(format!("{:?}", t.elements::<f32>()), "Ok(Elements(float32[2] cpu))");
    assert_eq!(
        kind::<f32>(&Tensor::create("float32x2".parse().unwrap(), &[2]).unwrap()),
        Some(ErrorKind::Dtype)
    );
    for (dtype, looked) in [
        ("int8", kind::<i8> as fn(&Tensor) -> _),
        ("uint16", kind::<u16>),
        ("bool", kind::<Bool>),
    ] {
        assert_eq!(looked(&Tensor::create(dtype.parse().unwrap(), &[2]).unwrap()), None);
    }
}

#[test]
fn bits_of_any_dtype_of_that_width() {
    let _alone = alone();
    let t = Tensor::wrap(vec![1.0f32, -2.0], &[2]).unwrap();
    assert_eq!(t.element_bits::<u32>().unwrap().to_vec(), [0x3f80_0000, 0xc000_0000]);
    assert_eq!(t.element_bits::<u64>().err().unwrap().kind(), ErrorKind::Dtype);
    let fp8 = Tensor::create("float8_e4m3fn".parse().unwrap(), &[3]).unwrap();
    assert_eq!(fp8.element_bits::<u8>().unwrap().to_vec(), [0; 3]);
    let packed = Tensor::create("float4_e2m1fn".parse().unwrap(), &[4]).unwrap();
    assert_eq!(packed.element_bits::<u8>().err().unwrap().kind(), ErrorKind::Dtype);
    let (four, padded) = (vec![1u8, 15], dlferry::flags::SUBBYTE_PADDED);
    let (data, dtype) = (four.as_ptr().cast_mut().cast(), packed.dtype());
    // SAFETY: the vector's own bytes, each an element.
    let spread = unsafe { Tensor::wrap_raw(data, dtype, &[2], None, Device::CPU, padded, four) }.unwrap();
    assert_eq!(spread.element_bits::<u8>().unwrap().to_vec(), [1, 15]);
    assert_eq!(spread.element_bits::<u16>().err().unwrap().kind(), ErrorKind::Dtype);
}

#[test]
fn device_and_alignment_must_do() {
    let _alone = alone();
    let mut memory = vec![0u64; 4];
    let data = memory.as_mut_ptr().cast::<u8>().wrapping_add(2).cast();
    // SAFETY: inside the vector, which is the owner.
    let t = unsafe { Tensor::wrap_raw(data, DType::F32, &[3], None, Device::CPU, 0, memory) }.unwrap();
    assert_eq!(kind::<f32>(&t), Some(ErrorKind::Layout));
    assert_eq!(
        t.elements::<f32>().unwrap_err().message(),
        "elements: expected data aligned to 4 bytes, got an address 2 past one"
    );
    // SAFETY: an address on another device is not followed.
    let cuda = unsafe { Tensor::wrap_raw(data, DType::F32, &[3], None, Device { kind: 2, id: 0 }, 0, ()) }.unwrap();
    assert_eq!(
        cuda.elements::<f32>().err().unwrap().message(),
        "elements: expected data that the processor can reach, got cuda:0: move it to the CPU first"
    );
}

/// Four floats as a register holds them: of more alignment than C wants of float32x4.
#[derive(Clone, Copy, Debug)]
#[repr(align(16))]
struct Quad([f32; 4]);

// SAFETY: of every bit pattern, without padding, as many bits.
unsafe impl Element for Quad {
    const DTYPE: DType = DType {
        code: DType::F32.code,
        bits: 32,
        lanes: 4,
    };
}

#[test]
fn a_type_may_want_more_alignment_than_its_dtype() {
    let _alone = alone();
    let t = Tensor::create(Quad::DTYPE, &[2]).unwrap();
    assert_eq!(t.elements::<Quad>().unwrap().at([1]).0, [0.0; 4]);
    let data = t.data().cast::<f32>().cast_mut().wrapping_add(1).cast();
    // SAFETY: inside the tensor, which is the owner.
    let t = unsafe { Tensor::wrap_raw(data, Quad::DTYPE, &[1], None, Device::CPU, 0, t) }.unwrap();
    let error = t.elements::<Quad>().unwrap_err();
    assert_eq!(
        (error.kind(), error.message()),
        (
            ErrorKind::Layout,
            "elements: expected data aligned to 16 bytes, got an address 4 past one"
        )
    );
}

#[test]
fn one_mistake_reads_the_same_in_every_language() {
    let _alone = alone();
    let mut t = Tensor::wrap_read_only(vec![0f32], &[1]).unwrap();
    let error = t.elements_mut::<f32>().unwrap_err();
    assert_eq!(
        (error.kind(), error.message()),
        (ErrorKind::ReadOnly, "elements: expected writable data, got read-only")
    );
    // The dtype wins over another mistake, as everywhere.
    assert_eq!(t.elements_mut::<u8>().unwrap_err().kind(), ErrorKind::Dtype);
    assert_eq!(
        t.element_bits::<u8>().unwrap_err().message(),
        "elements: expected elements of 8 bits, got float32"
    );
    let data = t.data().cast_mut();
    // SAFETY: inside the tensor, which is the owner; the flag's meaning is unknown.
    let error = unsafe { Tensor::wrap_raw(data, DType::F32, &[1], None, Device::CPU, 1 << 5, t) }.unwrap_err();
    assert_eq!(
        (error.kind(), error.message()),
        (
            ErrorKind::Unsupported,
            "wrap: expected flags that DLPack 1.3 names, got 0x20"
        )
    );
}

#[test]
fn indices_are_checked() {
    let _alone = alone();
    let t = Tensor::wrap((0..6).collect::<Vec<i32>>(), &[2, 3]).unwrap();
    let elements = t.elements::<i32>().unwrap();
    assert_eq!(
        (
            elements.get([1, 2]),
            elements.get([2, 0]),
            elements.get([0, 3]),
            elements.get([0]),
            elements.get([0, 0, 0])
        ),
        (Some(5), None, None, None, None)
    );
    assert_eq!(elements.get([usize::MAX, 0]), None);
    assert_eq!(elements.get(&[1usize, 0][..]), Some(3));
    let panic = std::panic::catch_unwind(|| elements.at([2, 0])).unwrap_err();
    if cfg!(debug_assertions) {
        assert_eq!(
            panic.downcast_ref::<String>().unwrap(),
            "index [2, 0] is out of range for shape [2, 3]"
        );
    }
}

#[test]
fn strides_of_nothing_may_be_anything() {
    let _alone = alone();
    let t = Tensor::wrap_strided(Vec::<f32>::new(), 0, &[3, 0], &[i64::MAX, i64::MIN]).unwrap();
    let elements = t.elements::<f32>().unwrap();
    assert_eq!(
        (
            elements.get([2, 0]),
            elements.as_slice().unwrap(),
            elements.into_iter().next()
        ),
        (None, &[][..], None)
    );
}

/// Looks for writing at a tensor without elements, in every way there is.
fn write_nothing(mut t: Tensor) {
    let mut elements = t.elements_mut::<f64>().unwrap();
    assert!(elements.as_mut_slice().unwrap().is_empty());
    elements.fill(1.0);
    elements.for_each(|_| panic!("there is no element"));
    assert_eq!(
        (elements.elements().as_slice().unwrap(), elements.elements().to_vec()),
        (&[][..], vec![])
    );
    assert!(elements.get_mut([0]).is_none() && elements.elements().iter().next().is_none());
    assert!(t.elements_mut::<f64>().unwrap().into_slice().unwrap().is_empty());
    assert!(t.element_bits::<u64>().unwrap().as_slice().unwrap().is_empty());
    #[cfg(feature = "ndarray")]
    {
        assert!(t
            .elements::<f64>()
            .unwrap()
            .ndarray::<ndarray::IxDyn>()
            .unwrap()
            .is_empty());
        assert!(t
            .elements_mut::<f64>()
            .unwrap()
            .into_ndarray::<ndarray::IxDyn>()
            .unwrap()
            .is_empty());
    }
    assert!(t.copy().unwrap().elements::<f64>().unwrap().is_empty());
}

#[test]
fn slices_of_nothing_are_not_at_the_tensors_address() {
    let _alone = alone();
    write_nothing(Tensor::create(DType::F64, &[0]).unwrap()); // NULL
    write_nothing(Tensor::from(Vec::<f64>::new()));
    write_nothing(Tensor::wrap([0f64; 0], &[0]).unwrap());
    for address in [0usize, 1, 4097, usize::MAX] {
        let data = std::ptr::null_mut::<std::ffi::c_void>().wrapping_byte_add(address);
        // SAFETY: there is nothing to keep.
        write_nothing(
            unsafe { Tensor::wrap_raw(data, DType::F64, &[0], Some(&[i64::MIN]), Device::CPU, 0, ()) }.unwrap(),
        );
    }
}

#[test]
fn truth_values_of_foreign_code_may_be_any_byte() {
    let _alone = alone();
    let mut bytes = vec![0u8, 1, 2, 255];
    let data = bytes.as_mut_ptr().cast();
    // SAFETY: inside the vector, which is the owner.
    let t = unsafe { Tensor::wrap_raw(data, DType::BOOL, &[4], None, Device::CPU, 0, bytes) }.unwrap();
    let values: Vec<bool> = t.elements::<Bool>().unwrap().iter().map(dlferry::Bool::get).collect();
    assert_eq!(values, [false, true, true, true]);
    assert_eq!(Bool::slice(&[true, false]), [Bool::from(true), Bool::from(false)]);
}

#[cfg(all(feature = "half", feature = "num-complex"))]
#[test]
fn half_and_complex_elements() {
    use half::{bf16, f16};
    let _alone = alone();
    let t = Tensor::from(vec![bf16::from_f32(1.5)]);
    assert_eq!(
        (t.dtype(), t.elements::<bf16>().unwrap().at([0]).to_f32()),
        (DType::BF16, 1.5)
    );
    assert_eq!(kind::<f16>(&t), Some(ErrorKind::Dtype));
    assert!(t.contains(bf16::from_f32(1.5)).unwrap() && !t.contains(f16::from_f32(2.0)).unwrap());
    let t = Tensor::from(vec![num_complex::Complex::new(f16::ONE, f16::NEG_ONE)]);
    assert_eq!(t.read(&[0]).unwrap(), num_complex::Complex::new(1f64, -1.0).into());
    assert_eq!(t.elements::<num_complex::Complex<f16>>().unwrap().at([0]).re, f16::ONE);
    let t = Tensor::from(vec![num_complex::Complex::new(1f32, -1f32)]);
    assert_eq!(
        (t.dtype(), t.elements::<num_complex::Complex<f32>>().unwrap().at([0]).im),
        (DType::C64, -1.0)
    );
}

#[test]
fn small_floats_convert_as_c_does() {
    use dlferry::float::*;
    let _alone = alone();
    fn check<T: Element + Into<f64> + From8>(finite: f64) {
        let t = Tensor::from((0..=255).map(T::bits).collect::<Vec<T>>());
        let elements = t.elements::<T>().unwrap();
        assert_eq!((t.dtype(), elements.as_slice().unwrap().len()), (T::DTYPE, 256));
        let mut greatest = 0f64;
        for (i, x) in elements.iter().enumerate() {
            let dlferry::Number::Real(read) = t.read(&[i as i64]).unwrap() else {
                panic!("expected a real number")
            };
            let value: f64 = x.into();
            assert!(value == read || (value.is_nan() && read.is_nan()), "{value} {read}");
            if value.is_finite() {
                assert_eq!(T::round(value).into(), value);
                greatest = greatest.max(value);
            }
        }
        assert_eq!(greatest, finite, "{}", T::DTYPE);
        let text = t.elements::<u16>().unwrap_err().to_string();
        assert_eq!(
            text,
            format!(
                "elements: expected uint16, got {}{}: cast converts",
                if T::DTYPE.bits < 8 { "padded " } else { "" },
                T::DTYPE
            )
        );
        assert_eq!(
            dlferry::arg::Arg::lend(&[T::bits(1)], &mut dlferry::arg::Slot::new())
                .raw()
                .flags
                & 4,
            t.flags() & 4
        );
    }
    trait From8: Sized {
        fn bits(bits: u8) -> Self;
        fn round(value: f64) -> Self;
    }
    macro_rules! all {
        ($($name:ident $greatest:expr;)*) => {$(
            impl From8 for $name {
                fn bits(bits: u8) -> $name {
                    $name::from_bits(bits)
                }
                fn round(value: f64) -> $name {
                    $name::from_f64(value)
                }
            }
            check::<$name>($greatest);
        )*};
    }
    all! {
        F8E3M4 15.5; F8E4M3 240.0; F8E4M3B11Fnuz 30.0; F8E4M3Fn 448.0; F8E4M3Fnuz 240.0; F8E5M2 57344.0;
        F8E5M2Fnuz 57344.0; F8E8M0Fnu 2f64.powi(127); F6E2M3Fn 7.5; F6E3M2Fn 28.0; F4E2M1Fn 6.0;
    }
    assert_eq!(F8E5M2::from_f32(1e9).to_f32(), f32::INFINITY);
    assert_eq!(
        (F4E2M1Fn::from_f32(1e9).to_f32(), F4E2M1Fn::from_f32(-0.2).to_bits()),
        (6.0, 8)
    );
    assert!(
        F8E4M3Fn::from_f64(f64::NAN) != F8E4M3Fn::from_f64(f64::NAN)
            && F8E4M3Fn::from_f32(1.0) > F8E4M3Fn::from_bits(0)
    );
    assert_eq!(
        format!("{} {:?}", F8E4M3Fn::from_f32(1.5), F6E2M3Fn::from_f32(-2.0)),
        "1.5 -2.0"
    );
    let packed = Tensor::create(DType::F4_E2M1FN, &[3]).unwrap();
    assert_eq!(
        packed.elements::<F4E2M1Fn>().unwrap_err().kind(),
        ErrorKind::Unsupported
    );
    let mut padded = packed.copy_padded().unwrap();
    padded.elements_mut::<F4E2M1Fn>().unwrap()[[1]] = F4E2M1Fn::from_f32(3.0);
    assert!(padded.equal(&[0.0, 3.0, 0.0]).unwrap());
}

#[test]
fn writing_needs_a_writable_tensor_alone() {
    let _alone = alone();
    let mut t = Tensor::wrap_strided(vec![0i32; 8], 7, &[2, 3], &[-4, -1]).unwrap();
    let mut elements = t.elements_mut::<i32>().unwrap();
    elements[[1, 2]] = 9;
    *elements.get_mut([0, 0]).unwrap() += 2;
    assert!(elements.get_mut([2, 0]).is_none() && elements.as_mut_slice().is_err());
    elements.for_each(|x| *x += 1);
    assert_eq!(
        (elements[[1, 2]], elements.elements().to_vec()),
        (10, vec![3, 1, 1, 1, 1, 10])
    );
    elements.fill(5);
    assert_eq!(t.elements::<i32>().unwrap().to_vec(), [5; 6]);
    let mut row = Tensor::from(vec![1u8, 2]);
    row.elements_mut::<u8>().unwrap().as_mut_slice().unwrap().reverse();
    assert_eq!(row.elements::<u8>().unwrap().to_vec(), [2, 1]);
}

#[test]
fn a_slice_may_outlive_its_elements() {
    let _alone = alone();
    let mut t = Tensor::wrap(vec![3i16, 1, 2, 0], &[2, 2]).unwrap();
    let slice = t.elements_mut::<i16>().unwrap().into_slice().unwrap();
    slice.sort_unstable();
    assert_eq!(t.elements::<i16>().unwrap().to_vec(), [0, 1, 2, 3]);
    let mut gaps = Tensor::wrap_strided(vec![0i16; 4], 0, &[2], &[2]).unwrap();
    assert!(gaps.elements_mut::<i16>().unwrap().into_slice().is_err());
}

#[test]
fn repeated_elements_are_written_one_at_a_time() {
    let _alone = alone();
    let mut t = Tensor::wrap_strided(vec![0u8; 2], 0, &[3, 2], &[0, 1]).unwrap();
    t.elements_mut::<u8>().unwrap().for_each(|x| *x += 1);
    assert_eq!(t.elements::<u8>().unwrap().to_vec(), [3; 6]);
    let huge = Tensor::wrap_strided(vec![7u8], 0, &[1 << 40, 1 << 40], &[0, 0]);
    if let Ok(huge) = huge {
        assert_eq!(kind::<u8>(&huge), Some(ErrorKind::Overflow));
    }
}

/// A shape, strides for it, and a slice that just holds the touched elements.
fn layouts() -> impl Strategy<Value = (Vec<i64>, Vec<i64>)> {
    prop::collection::vec((0i64..5, -7i64..8), 0..5).prop_map(|axes| axes.into_iter().unzip())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_element_is_where_the_strides_say((shape, strides) in layouts()) {
        let _alone = alone();
        let reach = |wanted: fn(i64) -> bool| -> i64 {
            let axes = shape.iter().zip(&strides);
            axes.map(|(&extent, &stride)| (extent - 1).max(0) * stride).filter(|&r| wanted(r)).sum()
        };
        let (low, high) = (-reach(|r| r < 0), reach(|r| r > 0));
        let values: Vec<i64> = (0..=low + high).collect();
        let t = Tensor::wrap_strided(values, low as usize, &shape, &strides).unwrap();
        let elements = t.elements::<i64>().unwrap();
        let count: i64 = shape.iter().product();
        prop_assert_eq!(elements.len() as i64, count);
        let mut seen = Vec::new();
        for flat in 0..count {
            let mut index = vec![0usize; shape.len()];
            let mut rest = flat;
            for axis in (0..shape.len()).rev() {
                index[axis] = (rest % shape[axis]) as usize;
                rest /= shape[axis];
            }
            let wanted = low + index.iter().zip(&strides).map(|(&i, &s)| i as i64 * s).sum::<i64>();
            prop_assert_eq!(elements.get(&index), Some(wanted));
            seen.push(wanted);
        }
        prop_assert_eq!(elements.iter().len(), seen.len());
        prop_assert_eq!(elements.iter().collect::<Vec<_>>(), &seen[..]);
        prop_assert_eq!(elements.to_vec(), &seen[..]);
        if let Ok(slice) = elements.as_slice() {
            prop_assert_eq!(slice, &seen[..]);
        }
        let copy = t.copy().unwrap();
        prop_assert_eq!(copy.elements::<i64>().unwrap().as_slice().unwrap(), &seen[..]);
    }

    #[test]
    fn a_shorter_slice_is_refused((shape, strides) in layouts(), cut in 1usize..3) {
        let _alone = alone();
        prop_assume!(shape.iter().all(|&extent| extent > 0));
        let touched: i64 = shape.iter().zip(&strides).map(|(&n, &s)| (n - 1) * s.abs()).sum();
        let low: i64 = -shape.iter().zip(&strides).map(|(&n, &s)| (n - 1) * s.min(0)).sum::<i64>();
        let length = (touched as usize + 1).saturating_sub(cut);
        let made = Tensor::wrap_strided(vec![0u8; length], low as usize, &shape, &strides);
        prop_assert_eq!(made.unwrap_err().kind(), ErrorKind::Bounds);
    }
}
