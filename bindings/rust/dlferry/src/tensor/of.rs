// SPDX-License-Identifier: Apache-2.0
//! Slices with a shape, as arguments.

use super::wrap::window;
use super::{Arg, ArgMut, Lent, Slot};
use crate::error::Result;
use crate::{ffi, flags, Element};

/// A slice for reading, in `N` dimensions; see [`of`].
#[derive(Clone, Copy, Debug)]
pub struct Of<'a, T, const N: usize> {
    slice: &'a [T],
    start: usize,
    shape: [i64; N],
    strides: [i64; N],
}

/// A slice for writing, in `N` dimensions; see [`of_mut`].
#[derive(Debug)]
pub struct OfMut<'a, T, const N: usize> {
    slice: &'a mut [T],
    start: usize,
    shape: [i64; N],
    strides: [i64; N],
}

/// Give a slice a row-major shape, to pass it to a generated function. Allocates nothing.
///
/// ```
/// # fn mean(_: &(impl dlferry::Arg + ?Sized)) {}
/// let pixels = vec![0f32; 480 * 640];
/// mean(&dlferry::of(&pixels, [480, 640])?);
/// # Ok::<(), dlferry::Error>(())
/// ```
///
/// # Errors
/// [`Shape`](crate::ErrorKind::Shape) unless the shape needs exactly the elements of the slice,
/// [`Invalid`](crate::ErrorKind::Invalid) or [`Overflow`](crate::ErrorKind::Overflow) for impossible extents.
pub fn of<T: Element, const N: usize>(slice: &[T], shape: [i64; N]) -> Result<Of<'_, T, N>> {
    let strides = strides_of(slice, shape)?;
    Ok(Of {
        slice,
        start: 0,
        shape,
        strides,
    })
}

/// Give a slice a row-major shape, for a generated function to write. Otherwise like [`of`].
///
/// # Errors
/// Those of [`of`].
pub fn of_mut<T: Element, const N: usize>(slice: &mut [T], shape: [i64; N]) -> Result<OfMut<'_, T, N>> {
    let strides = strides_of(slice, shape)?;
    Ok(OfMut {
        slice,
        start: 0,
        shape,
        strides,
    })
}

/// Describe some elements of a slice, from element `start`, with strides in elements: the column-major storage of
/// nalgebra and others, or a window of a picture. Otherwise like [`of`].
///
/// ```
/// # fn mean(_: &(impl dlferry::Arg + ?Sized)) {}
/// let column_major = [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]; // two rows: nalgebra's DMatrix::as_slice()
/// mean(&dlferry::of_strided(&column_major, 0, [2, 3], [1, 2])?);
/// # Ok::<(), dlferry::Error>(())
/// ```
///
/// # Errors
/// [`Bounds`](crate::ErrorKind::Bounds) if an element would lie outside the slice,
/// [`Invalid`](crate::ErrorKind::Invalid) or [`Overflow`](crate::ErrorKind::Overflow) for impossible extents and
/// strides.
#[doc(alias = "dlf_check_window")]
pub fn of_strided<T: Element, const N: usize>(
    slice: &[T],
    start: usize,
    shape: [i64; N],
    strides: [i64; N],
) -> Result<Of<'_, T, N>> {
    check_inside(slice, start, &shape, &strides)?;
    Ok(Of {
        slice,
        start,
        shape,
        strides,
    })
}

/// Describe some elements of a slice, for a generated function to write. Otherwise like [`of_strided`].
///
/// # Errors
/// Those of [`of_strided`].
#[doc(alias = "dlf_check_window")]
pub fn of_strided_mut<T: Element, const N: usize>(
    slice: &mut [T],
    start: usize,
    shape: [i64; N],
    strides: [i64; N],
) -> Result<OfMut<'_, T, N>> {
    check_inside(slice, start, &shape, &strides)?;
    Ok(OfMut {
        slice,
        start,
        shape,
        strides,
    })
}

fn check_inside<T: Element>(slice: &[T], start: usize, shape: &[i64], strides: &[i64]) -> Result<()> {
    let data = slice.as_ptr().cast_mut();
    window(c"of", data, slice.len(), start, shape, Some(strides)).map(drop)
}

/// Return the row-major strides of a shape that needs exactly the elements of a slice. The hub judges any shape that is
/// not plainly correct.
#[inline]
fn strides_of<T: Element, const N: usize>(slice: &[T], shape: [i64; N]) -> Result<[i64; N]> {
    let mut strides = [1; N];
    let mut step = Some(1i64);
    for (stride, &extent) in strides.iter_mut().zip(&shape).rev() {
        *stride = step.unwrap_or(0);
        step = step.and_then(|step| step.checked_mul(extent)).filter(|_| extent >= 0);
    }
    if step == i64::try_from(slice.len()).ok() && N <= ffi::DLF_MAX_NDIM as usize {
        return Ok(strides);
    }
    check_filled(slice, &shape).map(|()| strides)
}

#[cold]
fn check_filled<T: Element>(slice: &[T], shape: &[i64]) -> Result<()> {
    window(c"of", slice.as_ptr().cast_mut(), slice.len(), 0, shape, None).map(drop)
}

macro_rules! lend {
    ($($trait:ident for $type:ident: $lend:ident($($mut:ident)?), $pointer:ident, $flags:expr;)*) => {$(
        impl<T: Element, const N: usize> $trait for $type<'_, T, N> {
            #[inline]
            fn $lend<'a>(&'a $($mut)? self, slot: &'a mut Slot) -> Lent<'a> {
                let data = self.slice.$pointer().wrapping_add(self.start);
                let (shape, strides) = (self.shape.as_ptr(), self.strides.as_ptr());
                // SAFETY: elements of the slice only, borrowed for 'a like this, which keeps the lists.
                unsafe { slot.fill(data, N, shape, strides, $flags) }
            }
        }
    )*};
}

lend! {
    Arg for Of: lend(), as_ptr, flags::READ_ONLY;
    Arg for OfMut: lend(), as_ptr, flags::READ_ONLY;
    ArgMut for OfMut: lend_mut(mut), as_mut_ptr, 0;
}
