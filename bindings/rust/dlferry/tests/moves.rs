// SPDX-License-Identifier: Apache-2.0
//! Copies, casts and fills: of anything that holds elements, as Rust, ndarray and half convert, and refused without a
//! write.

#![allow(clippy::cast_lossless, clippy::unnecessary_cast)] // of types that a macro names

use dlferry::arg::Object;
use dlferry::plumbing::Given;
use dlferry::{cast_into, cast_into_saturating, copy_into, fill, of, of_mut, of_strided, of_strided_mut};
use dlferry::{flags, Bool, DType, Device, Element, Error, ErrorKind, Number, Order, Tensor};
use proptest::prelude::*;
use std::sync::Arc;
use testing::{alone, made};

fn refusal(result: Result<(), Error>) -> (ErrorKind, String) {
    let error = result.unwrap_err();
    (error.kind(), error.message().to_owned())
}

/// A tensor of the helper's, which counts as alone.
fn helped(text: &str) -> Tensor {
    // SAFETY: the helper is truthful about its memory, and keeps no reference.
    unsafe { Tensor::from_dlpack(made(text)).unwrap().assume_own() }
}

#[test]
#[cfg_attr(miri, ignore = "C makes tensors")]
fn anything_is_copied_into_anything() {
    let _alone = alone();
    let mut t = Tensor::create(DType::I32, &[2, 2]).unwrap();
    copy_into(&[[1, 2], [3, 4]], &mut t).unwrap();
    let mut vector = vec![0; 4];
    copy_into(&t.reshape(&[4]).unwrap(), &mut vector).unwrap();
    assert_eq!(vector, [1, 2, 3, 4]);
    let mut boxed: Box<[i32]> = Box::new([0; 4]);
    copy_into(&Arc::new(vector), &mut boxed).unwrap();
    let mut part = [0; 6];
    copy_into(&boxed[1..3], &mut part[4..]).unwrap();
    copy_into(&boxed[..2], &mut of_strided_mut(&mut part, 2, [2], [-2]).unwrap()).unwrap();
    assert_eq!(part, [2, 0, 1, 0, 2, 3]);
    let columns = t.permute(&[1, 0]).unwrap();
    copy_into(&columns, &mut of_mut(&mut part[..4], [2, 2]).unwrap()).unwrap();
    assert_eq!(part[..4], [1, 3, 2, 4]);
    drop(columns);
    copy_into(
        &of_strided(&[5, 6], 1, [2, 2], [-1, 0]).unwrap(),
        &mut t.elements_mut::<i32>().unwrap(),
    )
    .unwrap();
    assert_eq!(t.elements::<i32>().unwrap().as_slice().unwrap(), [6, 6, 5, 5]);
    let mut scalar = Tensor::create(DType::I32, &[]).unwrap();
    copy_into(&t.select(0, 0).unwrap().select(0, 0).unwrap(), &mut scalar).unwrap();
    assert_eq!(scalar.read(&[]).unwrap(), Number::Signed(6));
    copy_into(&[0u8; 0], &mut [0u8; 0]).unwrap();
    cast_into(&[0u8; 0], &mut Vec::<f64>::new()).unwrap();
    fill(&mut [0u8; 0], 1).unwrap();
}

#[test]
#[cfg_attr(miri, ignore = "C makes tensors")]
fn nothing_is_written_of_a_refused_destination() {
    let _alone = alone();
    let mut kept = [7i32, 7];
    for (got, kind, text) in [
        (
            copy_into(&[1u8, 2], &mut kept),
            ErrorKind::Dtype,
            "copy_into: expected a source of int32, the destination's dtype, got uint8",
        ),
        (
            copy_into(&[1, 2, 3], &mut kept),
            ErrorKind::Shape,
            "copy_into: expected a source of extent 2 on axis 0 (from 0), the destination's, got 3",
        ),
        (
            cast_into(&[[1u8, 2]], &mut kept),
            ErrorKind::Shape,
            "cast_into: expected a source of 1 axes, as many as the destination has, got 2",
        ),
        (
            cast_into(&helped("complex64[2]: 1 0 2 0"), &mut kept),
            ErrorKind::Dtype,
            "cast_into: expected a complex dtype for complex64, got int32; bitcast it to its parts first",
        ),
        (
            copy_into(&None::<Tensor>, &mut kept),
            ErrorKind::Invalid,
            "copy_into: expected a tensor, got NULL",
        ),
        (
            copy_into(&kept.clone(), &mut None::<Tensor>),
            ErrorKind::Invalid,
            "copy_into: expected a tensor, got NULL",
        ),
        (
            fill(&mut kept, 0.5),
            ErrorKind::Invalid,
            "fill: expected a number that int32 has, got 0.5",
        ),
        (
            fill(&mut kept, 1u64 << 40),
            ErrorKind::Invalid,
            "fill: expected a number that int32 has, got 1099511627776",
        ),
        (
            fill(&mut kept, Number::Complex(1.0, 2.0)),
            ErrorKind::Invalid,
            "fill: expected a number that int32 has, got 1+2i",
        ),
        (
            fill(&mut None::<Tensor>, 1),
            ErrorKind::Invalid,
            "fill: expected a tensor, got NULL",
        ),
        (
            copy_into(&[1f32], &mut Tensor::from(Arc::<[f32]>::from([2.0]))),
            ErrorKind::ReadOnly,
            "copy_into: expected a writable destination, got a read-only one",
        ),
        (
            fill(&mut helped("float32[1] read-only: 2").into_foreign().unwrap(), 1),
            ErrorKind::ReadOnly,
            "fill: expected a writable destination, got a read-only one",
        ),
        (
            fill(&mut of_strided_mut(&mut [7u8], 0, [2], [0]).unwrap(), 1),
            ErrorKind::Layout,
            "fill: expected a destination whose elements lie apart, got shape [2] with strides [0]",
        ),
    ] {
        let (got, told) = refusal(got);
        assert!(got == kind && told.starts_with(text), "{told}");
    }
    assert_eq!(kept, [7, 7]);
}

#[test]
#[cfg_attr(miri, ignore = "C makes tensors")]
fn who_may_use_a_destination_too_is_told() {
    let _alone = alone();
    let mut t = Tensor::from(vec![1i32, 2, 3]);
    let view = t.slice(0, 0, 2, 1).unwrap();
    assert_eq!(
        refusal(copy_into(&[5, 6, 7], &mut t)),
        (
            ErrorKind::Invalid,
            "copy_into: expected a destination that Rust allocated and no view, export or other handle shares, got one \
             that others may use; if they do not meanwhile, pass unsafe { t.assume_alone() }"
                .to_owned()
        )
    );
    assert_eq!(view.elements::<i32>().unwrap().to_vec(), [1, 2]);
    // SAFETY: one thread, and no call runs.
    copy_into(&[5, 6, 7], &mut unsafe { t.assume_alone() }).unwrap();
    assert_eq!(view.elements::<i32>().unwrap().to_vec(), [5, 6]);
}

#[test]
#[cfg_attr(miri, ignore = "C makes tensors")]
fn shared_memory_is_moved_where_that_is_defined() {
    let _alone = alone();
    let t = Tensor::from(vec![1i32, 2, 3, 4]);
    let (front, mut back) = (t.slice(0, 0, 3, 1).unwrap(), t.slice(0, 1, 3, 1).unwrap());
    // SAFETY: one thread, and no call runs.
    copy_into(&front, &mut unsafe { back.assume_alone() }).unwrap();
    assert_eq!(t.elements::<i32>().unwrap().to_vec(), [1, 1, 2, 3]);
    // SAFETY: as above.
    let error = copy_into(&front.flip(0).unwrap(), &mut unsafe { back.assume_alone() });
    assert_eq!(
        refusal(error),
        (
            ErrorKind::Layout,
            "copy_into: expected a source apart from the destination, or with its strides, got shared memory and other \
             strides: copy the source first"
                .to_owned()
        )
    );
    let mut bits = back.bitcast(DType::F32).unwrap();
    // SAFETY: as above.
    let error = cast_into(&front, &mut unsafe { bits.assume_alone() });
    assert_eq!(refusal(error).0, ErrorKind::Layout);
    assert_eq!(t.elements::<i32>().unwrap().to_vec(), [1, 1, 2, 3]);
}

#[test]
#[cfg_attr(miri, ignore = "C makes tensors")]
fn what_the_hub_does_not_know_is_refused_in_its_words() {
    let _alone = alone();
    let mut memory = [1f32];
    let data = memory.as_mut_ptr().cast();
    // SAFETY: an address on another device is not followed.
    let away = unsafe { Tensor::wrap_raw(data, DType::F32, &[1], None, Device { kind: 2, id: 0 }, 0, ()) }.unwrap();
    assert_eq!(refusal(copy_into(&away, &mut [0f32])).0, ErrorKind::Device);
    assert_eq!(away.cast(DType::F64).unwrap_err().kind(), ErrorKind::Device);
    #[cfg(feature = "ndarray")]
    {
        let mut deep = ndarray::ArrayD::<u8>::zeros(vec![1; 65]);
        let (kind, text) = refusal(fill(&mut deep, 1));
        assert!(
            kind == ErrorKind::Invalid && text.starts_with("fill: expected ndim"),
            "{text}"
        );
    }
}

#[test]
#[cfg_attr(miri, ignore = "C makes tensors")]
fn half_bytes_are_packed_or_padded() {
    use dlferry::float::F4E2M1Fn;
    let _alone = alone();
    let t = Tensor::from(vec![0.5f32, -6.0, 100.0]);
    let packed = t.cast("float4_e2m1fn".parse().unwrap()).unwrap();
    assert_eq!((packed.byte_size().unwrap(), packed.flags()), (2, 0));
    let padded = t.cast_to::<F4E2M1Fn>().unwrap();
    assert_eq!(padded.flags(), flags::SUBBYTE_PADDED);
    let seen = padded.elements::<F4E2M1Fn>().unwrap().to_vec();
    assert_eq!(seen.iter().map(|x| x.to_f64()).collect::<Vec<_>>(), [0.5, -6.0, 6.0]);
    let mut row = [F4E2M1Fn::from_f64(0.0); 3];
    copy_into(&packed, &mut row).unwrap(); // from packed to padded
    assert_eq!(row.map(F4E2M1Fn::to_f64), [0.5, -6.0, 6.0]);
    let mut odd = Tensor::create("float4_e2m1fn".parse().unwrap(), &[3]).unwrap();
    cast_into(&[1.0, 2.0, 3.0], &mut odd).unwrap();
    fill(&mut row, 1.5).unwrap();
    assert_eq!(row.map(F4E2M1Fn::to_f64), [1.5; 3]);
    assert!(odd.equal(&[1.0, 2.0, 3.0]).unwrap());
    let mut part = odd.slice(0, 0, 2, 2).unwrap();
    drop(odd);
    fill(&mut part, -1).unwrap();
    assert!(part.equal(&[-1i8, -1]).unwrap());
}

#[test]
#[cfg_attr(miri, ignore = "C makes tensors")]
fn contiguous_is_the_same_memory_where_it_can_be() {
    let _alone = alone();
    let t = Tensor::wrap(vec![1i32, 2, 3, 4, 5, 6], &[2, 3]).unwrap();
    let turned = t.permute(&[1, 0]).unwrap();
    for (order, same, strides) in [
        (Order::RowMajor, false, [2, 1]),
        (Order::ColumnMajor, true, [1, 3]),
        (Order::Dense, true, [1, 3]),
    ] {
        let got = turned.contiguous(order).unwrap();
        assert_eq!((got.data() == turned.data(), got.strides()), (same, &strides[..]));
        assert!(got.equal(&turned).unwrap());
        assert_eq!(got.is_unique(), !same);
    }
    let flipped = turned.flip(0).unwrap();
    assert_eq!(flipped.contiguous(Order::ColumnMajor).unwrap().strides(), [1, 3]);
    assert_eq!(flipped.contiguous(Order::Dense).unwrap().strides(), [2, 1]);
}

unsafe extern "C" fn free(_: *mut u8) {}

/// Memory that a C object lends is converted, and not written.
#[test]
#[cfg_attr(miri, ignore = "C makes tensors")]
fn what_c_lends_is_only_a_source() {
    let _alone = alone();
    let (object, mut given) = (Object::new(free), Given::new());
    // SAFETY: a place, for a new tensor.
    unsafe { *given.place() = Tensor::from(vec![1.5f32]).into_dlpack().unwrap().into_raw() };
    let mut lent = given.lent(&object).unwrap();
    assert!(lent.cast(DType::I8).unwrap().equal(&[1i8]).unwrap());
    assert!(lent.cast_saturating(DType::F64).unwrap().equal(&[1.5]).unwrap());
    let mut wide = [0f64];
    cast_into(&lent, &mut wide).unwrap();
    assert_eq!(refusal(fill(&mut lent, 1)).0, ErrorKind::Invalid);
    assert_eq!(refusal(cast_into(&wide, &mut lent)).0, ErrorKind::Invalid);
    assert!(lent.equal(&wide).unwrap());
}

/// Several threads read one tensor, each into its own memory.
#[test]
#[cfg_attr(miri, ignore = "C makes tensors")]
fn threads_share_a_source() {
    let _alone = alone();
    let t = Tensor::wrap((0..20_000i32).collect::<Vec<_>>(), &[100, 200])
        .unwrap()
        .permute(&[1, 0])
        .unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let mut out = vec![0f64; 20_000];
                cast_into(&t, &mut of_mut(&mut out, [200, 100]).unwrap()).unwrap();
                assert_eq!(out[1], 200.0);
                assert!(t.cast(DType::I64).unwrap().equal(&t).unwrap());
            });
        }
    });
}

/// Cast by the hub, plainly and saturating, into memory and into a new tensor.
fn casts<S: Element, D: Element + PartialEq + std::fmt::Debug>(from: &[S], zero: D) -> [Vec<D>; 2] {
    let (mut plain, mut saturated) = (vec![zero; from.len()], vec![zero; from.len()]);
    cast_into(from, &mut plain).unwrap();
    cast_into_saturating(from, &mut saturated).unwrap();
    let t = Tensor::from(from.to_vec());
    assert!(t.cast_to::<D>().unwrap().identical(&plain).unwrap());
    assert!(t.cast_saturating(D::DTYPE).unwrap().identical(&saturated).unwrap());
    [plain, saturated]
}

/// Between Rust's own types a cast is `as`, and a saturating one of integers clamps.
macro_rules! as_rust_does {
    ($($name:ident: $from:ty => $($integer:ty)*, $($real:ty)*;)*) => {
        proptest! {
            #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]
            $(
                #[test]
                #[cfg_attr(miri, ignore = "C makes tensors")]
                fn $name(from in prop::collection::vec(prop_oneof![any::<$from>(), Just(0 as $from), edges::<$from>()], 0..70)) {
                    let _alone = alone();
                    $(
                        let [plain, saturated] = casts(&from, 0 as $integer);
                        prop_assert_eq!(plain, from.iter().map(|&x| x as $integer).collect::<Vec<_>>());
                        let least = |x: $from| if (x as f64) < <$integer>::MIN as f64 { <$integer>::MIN } else { <$integer>::MAX };
                        let fits = |x: $from| x as i128 == (x as $integer) as i128 || (x as f64).is_nan();
                        let wanted = from.iter().map(|&x| if fits(x) { x as $integer } else { least(x) });
                        prop_assert_eq!(saturated, wanted.collect::<Vec<_>>());
                    )*
                    $(
                        let [plain, saturated] = casts(&from, 0 as $real);
                        let bits = |list: &[$real]| list.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
                        let wanted: Vec<$real> = from.iter().map(|&x| x as $real).collect();
                        let finite = |x: $real| if x.is_nan() { x } else { x.clamp(<$real>::MIN, <$real>::MAX) };
                        prop_assert_eq!(bits(&plain), bits(&wanted));
                        prop_assert_eq!(bits(&saturated), bits(&wanted.iter().map(|&x| finite(x)).collect::<Vec<_>>()));
                    )*
                    let truths = casts(&from, Bool::from(false));
                    let wanted: Vec<_> = from.iter().map(|&x| Bool::from(x != 0 as $from)).collect();
                    prop_assert_eq!(truths, [wanted.clone(), wanted]);
                }
            )*
        }
    };
}

/// Numbers of all magnitudes, near the ranges' ends.
fn edges<T: Copy + std::fmt::Debug + 'static>() -> BoxedStrategy<T>
where
    i128: AsEdge<T>,
{
    (0u32..66, -2i128..3, any::<bool>())
        .prop_map(|(power, near, negative)| {
            let value = (1i128 << power) + near;
            (if negative { -value } else { value }).into_edge()
        })
        .boxed()
}

trait AsEdge<T> {
    fn into_edge(self) -> T;
}

macro_rules! as_edge {
    ($($type:ty)*) => {$(
        impl AsEdge<$type> for i128 {
            fn into_edge(self) -> $type {
                self as $type
            }
        }
    )*};
}

as_edge!(i8 i16 i32 i64 u8 u16 u32 u64 f32 f64);

as_rust_does! {
    casts_of_i8: i8 => i8 i16 i32 i64 u8 u16 u32 u64, f32 f64;
    casts_of_i32: i32 => i8 i16 i32 i64 u8 u16 u32 u64, f32 f64;
    casts_of_i64: i64 => i8 i16 i32 i64 u8 u16 u32 u64, f32 f64;
    casts_of_u16: u16 => i8 i16 i32 i64 u8 u16 u32 u64, f32 f64;
    casts_of_u64: u64 => i8 i16 i32 i64 u8 u16 u32 u64, f32 f64;
    casts_of_f32: f32 => i8 i16 i32 i64 u8 u16 u32 u64, f32 f64;
    casts_of_f64: f64 => i8 i16 i32 i64 u8 u16 u32 u64, f32 f64;
}

#[cfg(feature = "half")]
proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// The crate half rounds float32 as the hub does, and widens exactly.
    #[test]
    #[cfg_attr(miri, ignore = "C makes tensors")]
    fn half_agrees(bits in prop::collection::vec(any::<u32>(), 1..70)) {
        use half::{bf16, f16};
        let _alone = alone();
        let reals: Vec<f32> = bits.iter().map(|&b| f32::from_bits(b)).filter(|x| !x.is_nan()).collect();
        let [brief, _] = casts(&reals, bf16::ZERO);
        prop_assert_eq!(&brief, &reals.iter().map(|&x| bf16::from_f32(x)).collect::<Vec<_>>());
        let [short, saturated] = casts(&reals, f16::ZERO);
        prop_assert_eq!(&short, &reals.iter().map(|&x| f16::from_f32(x)).collect::<Vec<_>>());
        for (&short, &saturated) in short.iter().zip(&saturated) {
            let wanted = if short.is_infinite() { f16::MAX.to_f32().copysign(short.to_f32()) } else { short.to_f32() };
            prop_assert_eq!(saturated.to_f32(), wanted);
        }
        prop_assert_eq!(casts(&short, 0f32)[0].clone(), short.iter().map(|x| x.to_f32()).collect::<Vec<_>>());
        prop_assert_eq!(casts(&brief, 0f64)[0].clone(), brief.iter().map(|x| x.to_f64()).collect::<Vec<_>>());
    }
}

#[cfg(feature = "ndarray")]
mod strided {
    use super::*;
    use ndarray::{ArrayD, IxDyn, SliceInfo, SliceInfoElem};

    /// For each axis an extent, how far its indices lie apart in the memory, and whether they run backwards.
    type Axes = Vec<(usize, isize, bool)>;

    fn axes() -> impl Strategy<Value = Axes> {
        prop::collection::vec((0usize..6, 1isize..4, any::<bool>()), 0..4)
    }

    /// Memory for a window of this shape, and the slice of it that the window is.
    fn window(axes: &Axes) -> (Vec<usize>, SliceInfo<Vec<SliceInfoElem>, IxDyn, IxDyn>) {
        let whole = axes
            .iter()
            .map(|&(extent, step, _)| extent * step as usize + 1)
            .collect();
        let slices: Vec<SliceInfoElem> = axes
            .iter()
            .map(|&(extent, step, backwards)| SliceInfoElem::Slice {
                start: 0,
                end: Some(extent as isize * step),
                step: if backwards { -step } else { step },
            })
            .collect();
        (whole, slices.try_into().unwrap())
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

        /// ndarray's `assign`, with its own loops, writes the same elements and no others.
        #[test]
        #[cfg_attr(miri, ignore = "C makes tensors")]
        fn ndarray_agrees(
            axes in axes(),
            steps in prop::collection::vec((0isize..4, any::<bool>()), 4),
            turn in any::<bool>(),
        ) {
            let _alone = alone();
            let (whole, slices) = window(&axes);
            let mut wanted = ArrayD::<i32>::from_elem(whole, -1);
            let (mut copied, mut cast, mut filled) = (wanted.clone(), wanted.mapv(f64::from), wanted.clone());

            // A source with steps of its own, of which one of 0 repeats an element.
            let mut source_axes = axes.clone();
            for (axis, &(step, backwards)) in source_axes.iter_mut().zip(&steps) {
                (axis.1, axis.2) = (step.max(1), backwards);
            }
            let (whole, source_slices) = window(&source_axes);
            let mut count = 0;
            let memory = ArrayD::from_shape_simple_fn(whole, || { count += 1; count });
            let mut source = memory.slice(source_slices);
            for (axis, &(step, _)) in steps.iter().enumerate().take(source.ndim()) {
                if step == 0 && source.shape()[axis] > 0 {
                    source.collapse_axis(ndarray::Axis(axis), 0);
                }
            }
            let shape: Vec<usize> = axes.iter().map(|axis| axis.0).collect();
            let mut source = source.broadcast(shape).unwrap();
            let (mut a, mut b, mut c, mut d) =
                (wanted.slice_mut(&slices), copied.slice_mut(&slices), cast.slice_mut(&slices), filled.slice_mut(&slices));
            if turn {
                source = source.reversed_axes();
                (a, b, c, d) = (a.reversed_axes(), b.reversed_axes(), c.reversed_axes(), d.reversed_axes());
            }
            a.assign(&source);
            copy_into(&source, &mut b).unwrap();
            cast_into(&source, &mut c).unwrap();
            fill(&mut d, 5u8).unwrap();
            prop_assert_eq!(&copied, &wanted);
            prop_assert_eq!(&cast, &wanted.mapv(f64::from));
            prop_assert_eq!(filled, wanted.mapv(|x| if x == -1 { -1 } else { 5 }));
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "C makes tensors")]
    fn a_tensor_and_an_array_fill_each_other() {
        let _alone = alone();
        let mut array = ArrayD::<f32>::zeros(vec![2, 3]);
        let t = Tensor::wrap((0..6u8).collect::<Vec<_>>(), &[2, 3])
            .unwrap()
            .flip(1)
            .unwrap();
        cast_into(&t, &mut array).unwrap();
        assert_eq!(array, ndarray::arr2(&[[2.0, 1.0, 0.0], [5.0, 4.0, 3.0]]).into_dyn());
        let mut back = Tensor::create(DType::F32, &[3, 2]).unwrap();
        copy_into(&array.view().reversed_axes(), &mut back).unwrap();
        assert!(back
            .equal(&of(&[2.0, 5.0, 1.0, 4.0, 0.0, 3.0], [3, 2]).unwrap())
            .unwrap());
        let mut elements = back.elements_mut::<f32>().unwrap().into_ndarray::<IxDyn>().unwrap();
        fill(&mut elements.index_axis_mut(ndarray::Axis(1), 0), 9).unwrap();
        assert!(back.equal(&of(&[9, 5, 9, 4, 9, 3], [3, 2]).unwrap()).unwrap());
    }
}
