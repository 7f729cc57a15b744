// SPDX-License-Identifier: Apache-2.0
//! Two generated crates in one program: odd, called in every way it has, and kinds.

mod kinds;

use dlferry::{Arg, Bool, ErrorKind, Stream};
use odd::*;

fn main() {
    let x = [1f32, 2.0, 3.0];
    let made = split(&x, SplitOptions::default()).unwrap();
    assert_eq!(made.0.elements::<i64>().unwrap().to_vec(), [1, 2, 3]);
    assert_eq!(made.1.elements::<f32>().unwrap().to_vec(), [0f32; 3]);
    drop(made);
    let (mut whole, mut rest) = (vec![0i64; 3], [1f32; 3]);
    split_into(&x, SplitOptions { mode: Mode::UP }, &mut whole, &mut rest).unwrap();
    assert_eq!((&whole[..], rest), (&[1, 2, 3][..], [0f32; 3]));

    let options = ScoreOptions {
        label: "four",
        mode: Mode::DOWN,
        ..Default::default()
    };
    assert_eq!(score(&x, None, ScoreOptions::default()).unwrap(), 2.0 * 6.0 + 3.0 + 1.0);
    assert_eq!(
        score(&x[..], Some(&[1f32, 0.0, 0.0]), options).unwrap(),
        2.0 + 4.0 - 1.0
    );
    let text = score(&x, Some(&vec![0f32; 2]), options).unwrap_err().to_string();
    assert_eq!(
        text,
        "score: mask[n] is 2, expected 3 as x[n]; got f32[2], wanted opt f32[n]"
    );
    let error = score(&None::<&dyn Arg>, None, options).unwrap_err();
    assert_eq!(
        (error.kind(), error.message()),
        (ErrorKind::Invalid, "score: x: expected a tensor, got NULL")
    );

    assert_eq!((next(Mode::UP).unwrap(), Mode::NEAREST), (Mode(-1), Mode::DEFAULT));
    assert_eq!(bits(Way::UP | Way::LEFT).unwrap(), 5);
    assert!(is_even(u64::MAX - 1));
    #[allow(deprecated)]
    let twice: i32 = twice(21);
    assert_eq!(twice, 42);
    let long = "a long text ".repeat(100);
    assert!(same(&long, SameOptions { b: &long, strict: true }).unwrap());
    let fits = &long[..63];
    assert!(!same(
        fits,
        SameOptions {
            b: &long[..64],
            strict: true
        }
    )
    .unwrap());
    let error = same("a\0b", SameOptions::default()).unwrap_err();
    assert_eq!(
        (error.kind(), error.message()),
        (ErrorKind::Invalid, "same: a: expected a text without NUL, got one")
    );
    let marked = marks(3).unwrap(); // by a byte that a Rust bool must not have
    assert!(marked.elements::<Bool>().unwrap().iter().all(|mark| mark.get()));
    for told in [is_marked(&marked), look(&marked)] {
        assert_eq!(u8::from(told.unwrap()), 1);
    }
    drop(marked);
    nothing();
    assert_eq!(unprefixed(7), 7);
    // SAFETY: only its address is used.
    let stream = unsafe { Stream::from_raw(0x1230 as *mut std::ffi::c_void) };
    assert_eq!(address(stream), 0x1230);
    assert_eq!(address(AddressOptions::default()), 0);

    let (mut y, mut extra) = ([1f64; 2], [0u8]);
    type_inplace(&mut y, &mut extra, -1, 2, 3, 4, 7).unwrap();
    let error = type_(&y, &mut [0f64; 2], &mut extra, 1, 2, 3, 4, 6).unwrap_err();
    assert_eq!(
        (error.kind(), error.message()),
        (ErrorKind::Foreign, "type: kernel returned 1")
    );

    text_of("abc").unwrap();
    text_of(TextOfOptions::default()).unwrap();
    assert_eq!(text_of("b").unwrap_err().kind(), ErrorKind::Foreign);

    let mut book = Book::new(b"ab").unwrap();
    let page = Page::open(&mut book, 1).unwrap();
    let error = Page::open(&mut book, 2).unwrap_err();
    assert_eq!(
        (error.kind(), error.message()),
        (ErrorKind::Bounds, "page_open: expected a page, got none")
    );
    assert_eq!(Page::open(&mut book, -1).unwrap_err().kind(), ErrorKind::Invalid);
    assert_eq!(books(), 2);
    drop(book); // the page still looks into it
    assert_eq!((page.read(), books()), (i32::from(b'b'), 2));
    drop(page);
    assert_eq!(books(), 0);

    names();
    kinds::test();
    assert_eq!(dlferry::live(), 0);
    println!("generated: the crates odd and kinds do what their headers say, in one program");
}

/// Parameters whose names a language or the generated code needs for itself.
fn names() {
    assert_eq!(errors(1, 2, 3, 4).unwrap(), 1234);
    assert_eq!(
        errors(0, 2, 3, 4).unwrap_err().message(),
        "errors: error is 0, wanted error in 1..9"
    );
    assert_eq!(owns(1, 2, 3, 4).unwrap(), 1234);
    let made = tensors(&[1f64], 3).unwrap();
    assert_eq!(made.elements::<f64>().unwrap().at([0]), 3.0);
    drop(made);
    assert_eq!(lists(&[1.0, 2.0], &[&[1f32] as &dyn Arg], 5).unwrap(), 108);
    status(1, -2, Mode::UP).unwrap();
    assert_eq!(
        status(1, 5, Mode::UP).unwrap_err().message(),
        "status: kernel returned 7 (seven)"
    );
    assert_eq!(
        hooked(5).unwrap_err().message(),
        "hooked: odd_reach is 5, wanted odd_reach < 5"
    );
    assert_eq!(
        hooked(2).unwrap().elements::<f64>().unwrap().to_vec(),
        [0.0, 2.0, 4.0, 6.0]
    );
    assert_eq!(Box::new(7).unwrap().read(2, 3).unwrap(), 17);
    assert_eq!(outs(4), (5, 6));
    assert_eq!(words_c(0, 1, 2, 3, 4, 5, 6, 7), 168);
    assert_eq!(
        words_python(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17),
        1938
    );
    assert_eq!(
        words_rust(
            0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28,
            29
        ),
        8990
    );
    assert_eq!(
        words_go(
            0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28
        ),
        8120
    );
    assert_eq!(
        words_julia(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25),
        5850
    );
    let y = locals(
        &[1f64],
        0,
        1,
        2,
        3,
        4,
        5,
        6,
        7,
        8,
        9,
        10,
        11,
        12,
        13,
        14,
        15,
        16,
        17,
        18,
        19,
        20,
        21,
        22,
        23,
        24,
        25,
        26,
        27,
        28,
        29,
        30,
        31,
        32,
    )
    .unwrap();
    assert_eq!(y.elements::<f64>().unwrap().at([0]), 529.0);
}
