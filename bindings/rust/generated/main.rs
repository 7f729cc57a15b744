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

    kinds::test();
    assert_eq!(dlferry::live(), 0);
    println!("generated: the crates odd and kinds do what their headers say, in one program");
}
