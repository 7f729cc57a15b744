// SPDX-License-Identifier: Apache-2.0
//! Unsound programs that must not compile: each is the shortest of its kind, and the expected error is that of the
//! borrow or the bound that prevents it.

/// Two writers, or one beside readers.
///
/// ```compile_fail,E0499
/// let mut t = dlferry::Tensor::from(vec![1f32]);
/// let (mut a, mut b) = (t.elements_mut::<f32>().unwrap(), t.elements_mut::<f32>().unwrap());
/// std::mem::swap(&mut a[[0]], &mut b[[0]]);
/// ```
/// ```compile_fail,E0502
/// let mut t = dlferry::Tensor::from(vec![1f32]);
/// let seen = t.elements::<f32>().unwrap().as_slice().unwrap();
/// t.elements_mut::<f32>().unwrap()[[0]] = seen[0];
/// assert_eq!(seen, [2.0]);
/// ```
/// ```compile_fail,E0499
/// let mut t = dlferry::Tensor::from(vec![1f32, 2.0]);
/// let mut elements = t.elements_mut::<f32>().unwrap();
/// let (a, b) = (elements.get_mut([0]).unwrap(), elements.get_mut([1]).unwrap());
/// std::mem::swap(a, b); // strides may make them one
/// ```
/// ```compile_fail,E0382
/// let mut t = dlferry::Tensor::from(vec![1f32]);
/// let elements = t.elements_mut::<f32>().unwrap();
/// let (a, b) = (elements.into_slice().unwrap(), elements.into_slice().unwrap());
/// ```
/// ```compile_fail,E0499
/// use dlferry::arg::{ArgMut, Slot};
/// let mut x = [1f32];
/// let (mut first, mut second) = (Slot::new(), Slot::new());
/// let lent = x.lend_mut(&mut first);
/// x.lend_mut(&mut second);
/// lent.raw();
/// ```
struct Aliased;

/// Views and descriptions that outlive their elements.
///
/// ```compile_fail,E0505
/// let t = dlferry::Tensor::from(vec![1f32]);
/// let first = t.elements::<f32>().unwrap().iter().next();
/// drop(t);
/// assert_eq!(first, Some(&1.0));
/// ```
/// ```compile_fail,E0597
/// let seen = {
///     let pixels = vec![1f32; 4];
///     dlferry::of(&pixels, [2, 2]).unwrap()
/// };
/// let again = seen;
/// ```
/// ```compile_fail,E0597
/// let mut pixels = vec![1f32; 4];
/// let t = dlferry::Tensor::wrap::<f32, _>(&mut pixels[..], &[4]); // exports may live longer
/// ```
/// ```compile_fail,E0515
/// use dlferry::arg::{Arg, Lent, Slot};
/// struct Made;
/// impl Arg for Made {
///     fn lend<'a>(&'a self, slot: &'a mut Slot) -> Lent<'a> {
///         vec![1f32].lend(slot)
///     }
/// }
/// ```
/// ```compile_fail,E0506
/// use dlferry::arg::{Arg, Lent, Slot};
/// struct Emptied([f32; 1]);
/// impl Arg for Emptied {
///     fn lend<'a>(&'a self, slot: &'a mut Slot) -> Lent<'a> {
///         let lent = self.0.lend(slot);
///         *slot = Slot::new();
///         lent
///     }
/// }
/// ```
struct Dangling;

/// Values that must stay on their thread.
///
/// ```compile_fail,E0277
/// let owner = std::rc::Rc::<[f32]>::from(vec![1.0]);
/// let t = dlferry::Tensor::wrap_read_only(owner, &[1]); // may be dropped on another thread
/// ```
/// ```compile_fail,E0277
/// use dlferry::arg::{Arg, Slot};
/// let (x, mut slot) = ([1f32], Slot::new());
/// let lent = x.lend(&mut slot);
/// std::thread::scope(|s| s.spawn(move || lent.raw()).join().is_ok());
/// ```
/// ```compile_fail,E0277
/// unsafe extern "C" fn free(_: *mut u8) {}
/// let object = dlferry::arg::Object::new(free);
/// std::thread::spawn(move || object.raw());
/// ```
struct Abroad;

/// Bytes that foreign memory may hold and the type may not.
///
/// ```compile_fail,E0277
/// dlferry::Tensor::from(vec![1u8]).elements::<bool>();
/// ```
/// ```compile_fail,E0277
/// dlferry::Tensor::from(vec!['a']);
/// ```
struct Invalid;
