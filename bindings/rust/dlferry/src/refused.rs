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
/// ```compile_fail,E0502
/// let mut t = dlferry::Tensor::from(vec![1f32]);
/// let mut elements = t.elements_mut::<f32>().unwrap();
/// let exported = t.to_dlpack(); // whose consumer may write
/// elements[[0]] = 2.0;
/// ```
/// ```compile_fail,E0502
/// let mut t = dlferry::Tensor::from(vec![1f32]);
/// let mut elements = t.elements_mut::<f32>().unwrap();
/// let view = t.slice(0, 0, 1, 1); // which another thread may read
/// elements[[0]] = 2.0;
/// ```
/// ```compile_fail,E0502
/// # fn blur_into(_: &(impl dlferry::Arg + ?Sized), _: &mut (impl dlferry::ArgMut + ?Sized)) {}
/// let mut t = dlferry::Tensor::from(vec![1f32]);
/// let seen = t.elements::<f32>().unwrap().as_slice().unwrap();
/// blur_into(&[0f32], &mut t);
/// assert_eq!(seen, [1.0]);
/// ```
/// ```compile_fail,E0502
/// # fn blur_into(_: &(impl dlferry::Arg + ?Sized), _: &mut (impl dlferry::ArgMut + ?Sized)) {}
/// let mut t = dlferry::Tensor::from(vec![1f32]);
/// blur_into(&t, &mut t);
/// ```
/// ```compile_fail,E0502
/// let mut t = dlferry::Tensor::from(vec![1f32]);
/// dlferry::copy_into(&t, &mut t); // one thread moves what another reads
/// ```
/// ```compile_fail,E0502
/// let mut t = dlferry::Tensor::from(vec![1f32]);
/// let seen = t.elements::<f32>().unwrap().as_slice().unwrap();
/// dlferry::fill(&mut t, 2.0);
/// assert_eq!(seen, [1.0]);
/// ```
/// ```compile_fail,E0502
/// let mut pixels = [1u8, 2, 3];
/// dlferry::cast_into(&pixels[..2], &mut pixels[1..]);
/// ```
/// ```compile_fail,E0308
/// let shared = std::sync::Arc::new(dlferry::Tensor::from(vec![1f32]));
/// dlferry::copy_into(&[2f32], &*shared);
/// ```
/// ```compile_fail,E0502
/// let mut t = dlferry::Tensor::from(vec![1f32]);
/// std::thread::scope(|s| {
///     s.spawn(|| t.elements_mut::<f32>().unwrap().fill(2.0));
///     s.spawn(|| t.elements::<f32>().unwrap().to_vec());
/// });
/// ```
/// ```compile_fail,E0596
/// let shared = std::sync::Arc::new(dlferry::Tensor::from(vec![1f32]));
/// shared.elements_mut::<f32>();
/// ```
/// ```compile_fail,E0133
/// let exported = dlferry::Tensor::from(vec![1f32]).to_dlpack().unwrap();
/// <dlferry::Tensor as dlferry::FromDlpack>::from_dlpack(exported);
/// ```
/// ```compile_fail,E0133
/// let mut t = dlferry::Tensor::from(vec![1f32]);
/// t.elements_mut_unchecked::<f32>();
/// ```
/// ```compile_fail,E0133
/// fn import(t: dlferry::Tensor) {
///     t.assume_own().elements_mut::<f32>();
/// }
/// ```
/// ```compile_fail,E0133
/// fn import(mut t: dlferry::Tensor) {
///     t.assume_alone();
/// }
/// ```
/// ```compile_fail,E0308
/// unsafe extern "C" fn free(_: *mut u8) {}
/// let t = dlferry::Tensor::from(vec![1f32]);
/// let mut object = dlferry::arg::Object::new(free);
/// object.keep_tensor("x", t.slice(0, 0, 1, 1).unwrap()); // which kept_mut would write
/// ```
/// ```compile_fail,E0382
/// let mut object = dlferry::arg::Object::new(dlferry_free);
/// let x = dlferry::arg::Unshared::to_write("x", dlferry::Tensor::from(vec![1f32])).unwrap();
/// object.keep_tensor("x", x);
/// object.keep_tensor("again", x);
/// # unsafe extern "C" fn dlferry_free(_: *mut u8) {}
/// ```
/// ```compile_fail,E0502
/// # unsafe extern "C" fn free(_: *mut u8) {}
/// # fn child(_: &mut dlferry::arg::Object<u8>) {}
/// let mut object = dlferry::arg::Object::new(free);
/// let kept = object.kept::<f32>("x");
/// child(&mut object); // may write what C keeps
/// drop(kept);
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
/// ```compile_fail,E0507
/// use dlferry::arg::{ArgMut, Lent, Slot};
/// struct Again(Lent<'static>); // two of them would write the same elements
/// impl ArgMut for Again {
///     fn lend_mut<'a>(&'a mut self, _: &'a mut Slot) -> Lent<'a> {
///         self.0
///     }
/// }
/// ```
struct Aliased;

/// Views and descriptions that outlive their elements.
///
/// ```compile_fail,E0505
/// let t = dlferry::Tensor::from(vec![1f32]);
/// let mut elements = t.elements::<f32>().unwrap().iter();
/// drop(t);
/// assert_eq!(elements.next(), Some(1.0));
/// ```
/// ```compile_fail,E0505
/// let t = dlferry::Tensor::from(vec![1f32]);
/// let slice = t.elements::<f32>().unwrap().as_slice().unwrap();
/// std::thread::spawn(move || drop(t));
/// assert_eq!(slice, [1.0]);
/// ```
/// ```compile_fail,E0515
/// fn lent() -> &'static [f32] {
///     let t = dlferry::Tensor::from(vec![1f32]);
///     t.elements::<f32>().unwrap().as_slice().unwrap()
/// }
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
/// ```compile_fail,E0277
/// fn view(lent: dlferry::LocalTensor) { // may free the object
///     let view = lent.slice(0, 0, 1, 1).unwrap();
///     std::thread::spawn(move || drop(view));
/// }
/// ```
/// ```compile_fail,E0277
/// fn share(lent: &dlferry::LocalTensor) { // the view that it makes there may free the object
///     std::thread::scope(|s| s.spawn(|| drop(lent.flip(0))).join().is_ok());
/// }
/// ```
/// ```compile_fail,E0599
/// fn export(lent: &dlferry::LocalTensor) { // a consumer's deleter may run anywhere
///     lent.to_dlpack();
/// }
/// ```
/// ```compile_fail,E0133
/// fn away(lent: dlferry::LocalTensor) -> dlferry::Tensor {
///     lent.into_tensor()
/// }
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
/// ```compile_fail,E0277
/// let cells: std::sync::Arc<[std::cell::Cell<u8>]> = std::sync::Arc::from([std::cell::Cell::new(1)]);
/// dlferry::Tensor::from(cells); // which others may write meanwhile
/// ```
struct Invalid;
