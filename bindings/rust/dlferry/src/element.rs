// SPDX-License-Identifier: Apache-2.0
//! Rust types that are elements.

use crate::DType;
use std::fmt;

/// A type for reading elements.
///
/// # Safety
/// Every bit pattern is a valid value, the type has no padding and no interior mutability, and [`Element::DTYPE`]
/// describes it, with as many bits; a dtype below 8 bits takes one byte. Foreign code fills the memory, so [`Bool`]
/// replaces `bool`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no element of a tensor",
    label = "expected a number, `Bool`, a type of `dlferry::float`, or with their features `f16`, `bf16` and `Complex`",
    note = "a `bool` is an element as `Bool`: see `Bool::slice`",
    note = "for the types of the crates half and num-complex enable dlferry's features `half` and `num-complex`"
)]
pub unsafe trait Element: Copy + Send + Sync + 'static {
    /// DLPack's dtype of this type.
    const DTYPE: DType;

    /// The flag of tensors of this type: [`SUBBYTE_PADDED`](crate::flags::SUBBYTE_PADDED) for less than a byte.
    #[doc(hidden)]
    const FLAGS: u64 = if Self::DTYPE.bits as u64 * Self::DTYPE.lanes as u64 % 8 == 0 {
        0
    } else {
        crate::flags::SUBBYTE_PADDED
    };
}

// A feature belongs to each implementation, so that the documentation shows it there.
macro_rules! elements {
    ($($(#[$when:meta])? $type:ty: $dtype:ident),* $(,)?) => {
        // SAFETY: numbers of that width, valid for every bit pattern.
        $($(#[$when])? unsafe impl Element for $type { const DTYPE: DType = DType::$dtype; })*
        $($(#[$when])? const _: () = assert!(size_of::<$type>() * 8 == DType::$dtype.bits as usize);)*
    };
}

elements! {
    i8: I8, i16: I16, i32: I32, i64: I64, u8: U8, u16: U16, u32: U32, u64: U64, f32: F32, f64: F64, Bool: BOOL,
    #[cfg(feature = "half")] half::f16: F16,
    #[cfg(feature = "half")] half::bf16: BF16,
    #[cfg(feature = "num-complex")] num_complex::Complex<f32>: C64,
    #[cfg(feature = "num-complex")] num_complex::Complex<f64>: C128,
    #[cfg(all(feature = "half", feature = "num-complex"))] num_complex::Complex<half::f16>: C32,
}

/// A truth value in foreign memory: one byte, true unless 0.
///
/// Foreign code may store any byte, while a Rust `bool` other than 0 or 1 is undefined behaviour.
#[derive(Clone, Copy, Default)]
#[repr(transparent)]
pub struct Bool(u8);

impl Bool {
    /// Return the value.
    #[must_use]
    pub const fn get(self) -> bool {
        self.0 != 0
    }

    /// Return a slice of `bool` as elements, without copying.
    #[must_use]
    pub const fn slice(values: &[bool]) -> &[Bool] {
        // SAFETY: same size and alignment, and every bool is a valid byte.
        unsafe { std::slice::from_raw_parts(values.as_ptr().cast(), values.len()) }
    }
}

impl From<bool> for Bool {
    fn from(value: bool) -> Bool {
        Bool(u8::from(value))
    }
}

impl From<Bool> for bool {
    fn from(value: Bool) -> bool {
        value.get()
    }
}

impl PartialEq for Bool {
    fn eq(&self, other: &Bool) -> bool {
        self.get() == other.get()
    }
}

impl Eq for Bool {}

impl fmt::Debug for Bool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}
