// SPDX-License-Identifier: Apache-2.0
//! The generated crate kinds: every kind of parameter, well and badly used.

use dlferry::{of, of_mut, Arg, DType, ErrorKind, Result, Stream, Tensor};
use kinds::*;

/// The kind of error of a call.
fn failure<T>(result: Result<T>) -> (ErrorKind, String) {
    let error = result.map(drop).unwrap_err();
    (error.kind(), error.message().into())
}

fn is(kind: ErrorKind, text: &str) -> (ErrorKind, String) {
    (kind, text.into())
}

fn doubles(tensor: &Tensor) -> Vec<f64> {
    tensor.elements::<f64>().unwrap().to_vec()
}

pub fn test() {
    lists();
    arrays();
    given();
    scalars();
    handles();
    others();
    assert_eq!((open_sums(), open_gifts()), (0, 0));
}

fn lists() {
    let (a, b) = ([1f32, 2.0], vec![3f32, 4.0]);
    let frames = [of(&a, [1, 2]).unwrap(), of(&b, [1, 2]).unwrap()];
    let stacked = stack(&frames).unwrap();
    assert_eq!((stacked.shape(), stacked.dtype()), (&[2, 1, 2][..], DType::F32));
    assert_eq!(stacked.elements::<f32>().unwrap().to_vec(), [1.0, 2.0, 3.0, 4.0]);

    // Different kinds of arguments in one list, and more than fit on the stack.
    let column = Tensor::wrap(vec![5f32, 6.0], &[1, 2]).unwrap();
    let mixed: Vec<&dyn Arg> = (0..30).map(|i| [&frames[0] as &dyn Arg, &column][i % 2]).collect();
    let mut out = [0f32; 60];
    stack_into(&mixed, &mut of_mut(&mut out, [30, 1, 2]).unwrap()).unwrap();
    assert_eq!(out[56..], [1.0, 2.0, 5.0, 6.0]);

    // ndarray arrays, with any strides.
    let array = ndarray::arr2(&[[1f32, 2.0], [3.0, 4.0]]);
    let stacked = stack(&[array.view(), array.view()]).unwrap();
    assert_eq!(
        stacked
            .elements::<f32>()
            .unwrap()
            .ndarray::<ndarray::IxDyn>()
            .unwrap()
            .sum(),
        20.0
    );
    assert_eq!(failure(stack(&[array.t()])).0, ErrorKind::Layout);

    let wide = Tensor::create(DType::F32, &[1, 3]).unwrap();
    let doubles = Tensor::create(DType::F64, &[1, 2]).unwrap();
    for (odd, kind) in [(&wide, ErrorKind::Shape), (&doubles, ErrorKind::Dtype)] {
        let (got, text) = failure(stack(&[&column, odd]));
        assert_eq!(got, kind, "{text}");
        assert!(text.starts_with("stack: frames"), "{text}");
    }
    assert_eq!(failure(stack(&[] as &[Tensor])).0, ErrorKind::Invalid);
    assert_eq!(failure(stack(&[None::<&dyn Arg>])).0, ErrorKind::Invalid);
}

fn arrays() {
    let rows = [[1f64, 2.0], [10.0, 20.0]];
    assert_eq!(doubles(&weigh(&rows, &[1.0, 0.5]).unwrap()), [6.0, 12.0]);
    let (kind, text) = failure(weigh(&rows, &[1.0]));
    assert_eq!(kind, ErrorKind::Shape, "{text}");
    assert!(text.starts_with("weigh: "), "{text}");
    assert!(weigh(&[] as &[Tensor], &[]).is_err());

    let x = Tensor::from(vec![0f64, 10.0, 20.0]);
    assert_eq!(doubles(&pick(&x, &[2, 0, 2]).unwrap()), [20.0, 0.0, 20.0]);
    assert_eq!(doubles(&pick(&x, &[]).unwrap()), []);
    let mut out = [0f64; 1];
    pick_into(&x, &[1], &mut out).unwrap();
    assert_eq!(out, [10.0]);
    assert_eq!(failure(pick_into(&x, &[1, 1], &mut out)).0, ErrorKind::Shape);
    assert_eq!(
        failure(pick(&x, &[3])),
        is(ErrorKind::Bounds, "pick: expected an index inside, got one outside")
    );
}

fn given() {
    let kept = positive(&[-1f32, 2.0, 0.0, 3.0]).unwrap();
    assert_eq!(kept.elements::<f32>().unwrap().to_vec(), [2.0, 3.0]);
    assert_eq!(positive(&[-1f64]).unwrap().shape(), [0]);
    assert_eq!(failure(positive(&[1i32])).0, ErrorKind::Dtype);

    let (values, counts) = unique(&[2f64, 1.0, 2.0]).unwrap();
    assert_eq!(doubles(&values), [1.0, 2.0]);
    assert_eq!(counts.elements::<i64>().unwrap().to_vec(), [1, 2]);
    assert_eq!(open_gifts(), 3);
    drop((kept, values, counts));

    assert_eq!(doubles(&gift(0).unwrap()), [0.0; 3]);
    for (what, kind) in [
        (1, ErrorKind::Foreign),
        (2, ErrorKind::Dtype),
        (3, ErrorKind::Foreign),
        (4, ErrorKind::Unsupported),
    ] {
        let (got, text) = failure(gift(what));
        assert_eq!(got, kind, "{what}: {text}");
        assert!(text.starts_with("gift: "), "{text}");
        assert_eq!(open_gifts(), 0);
    }
}

fn scalars() {
    assert_eq!(range(&[3f64, -1.0, 2.0]).unwrap(), (-1.0, 3.0));
    assert_eq!(failure(range(&[] as &[f64])).0, ErrorKind::Shape);
    let x = [5f64, -6.0];
    assert_eq!(find(&x, -6.0).unwrap(), (1, true, Sign::NEGATIVE));
    assert_eq!(find(&x, FindOptions::default()).unwrap(), (2, false, Sign::ZERO));
}

/// Two ways to call this for a Send type: it compiles only for one that is not Send. The same for Sync.
trait NotSend<A> {
    fn holds() {}
}
impl<T> NotSend<()> for T {}
impl<T: Send> NotSend<u8> for T {}
trait NotSync<A> {
    fn holds() {}
}
impl<T> NotSync<()> for T {}
impl<T: Sync> NotSync<u8> for T {}

/// A declaration that needs knowledge of the C code.
struct Moving(Sum);
// SAFETY: kinds.c does not depend on the thread: its count of open sums is atomic, and a sum has no parent object.
unsafe impl Send for Moving {}

impl Moving {
    fn total(self) -> f64 {
        self.0.total()
    }
}

struct Counting(Sum);
// SAFETY: by the contract sum_count is threadsafe; nothing else of a sum is used before the threads end.
unsafe impl Send for Counting {}
unsafe impl Sync for Counting {}

impl Counting {
    fn count(&self) {
        self.0.count()
    }
}

fn handles() {
    <Sum as NotSend<_>>::holds();
    <Sum as NotSync<_>>::holds();
    let mut sum = Sum::create(1.5).unwrap();
    sum.add(&[1f64, 2.0]).unwrap();
    sum.add(&Tensor::from(vec![0.5f64])).unwrap();
    assert_eq!(sum.total(), 5.0);
    let other = Sum::from_values(&[1f64, 1.0]).unwrap();
    assert_eq!((other.total(), open_sums()), (2.0, 2));
    assert_eq!(doubles(&scale(&[1f64, 3.0], &other).unwrap()), [2.0, 6.0]);
    let mut x = [1f64, 3.0];
    scale_inplace(&mut x, &sum).unwrap();
    assert_eq!(x, [5.0, 15.0]);

    assert_eq!(failure(sum.add(&[1f32])).0, ErrorKind::Dtype);
    assert_eq!(sum.total(), 5.0);
    let mut more = Sum::create(1.0).unwrap();
    more.move_(&mut sum);
    assert_eq!((more.total(), sum.total()), (6.0, 0.0));
    assert_eq!((more.spell().unwrap(), met()), ("6".into(), 0));
    let counting = Counting(more); // several threads, with the contract's threadsafe functions
    std::thread::scope(|threads| {
        for _ in 0..4 {
            threads.spawn(|| (0..1000).for_each(|_| counting.count()));
        }
    });
    assert_eq!(counting.0.counted(), 4000);
    drop((sum, counting));
    assert_eq!(open_sums(), 1);
    let moving = Moving(other);
    assert_eq!(std::thread::spawn(move || moving.total()).join().unwrap(), 2.0);
    assert_eq!(open_sums(), 0);
    assert_eq!(
        failure(Sum::create(13.0)),
        is(ErrorKind::Unsupported, "sum_create: expected a lucky start, got 13")
    );
    assert_eq!(failure(Sum::create(-1.0)).0, ErrorKind::Invalid);
    assert_eq!(failure(Sum::from_values(&[1i8])).0, ErrorKind::Dtype);
    assert_eq!(Sum::create(SumCreateOptions::default()).unwrap().total(), 0.0);
}

fn others() {
    let x = [1f32, 2.0];
    assert_eq!(resampled(&x, 2.5).unwrap(), 5);
    let wide = resample(&x, 2.5).unwrap();
    assert_eq!(wide.elements::<f32>().unwrap().to_vec(), [1.0, 1.0, 1.0, 2.0, 2.0]);
    assert_eq!(failure(resample_into(&x, 2.0, &mut [0f32; 5])).0, ErrorKind::Shape);
    assert!(resample(&x, 2000.0).is_err() && resample(&x, 0.0).is_err());

    let mut out = [0f64; 2];
    // SAFETY: only its address is used.
    let stream = unsafe { Stream::from_raw(8 as *mut std::ffi::c_void) };
    assert!(!fill(&mut out, FillOptions { value: 4.0, stream }).unwrap());
    assert_eq!(out, [4.0; 2]);
    assert!(fill(&mut out, FillOptions::default()).unwrap());
    assert_eq!(out, [1.0; 2]);

    assert_eq!(word(2).unwrap(), "two");
    assert_eq!(
        failure(word(4)),
        is(ErrorKind::Foreign, "word: kernel returned NULL, expected text")
    );
}
