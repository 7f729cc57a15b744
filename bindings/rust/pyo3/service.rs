// SPDX-License-Identifier: Apache-2.0
//! Functions over arrays of any Python library with DLPack.

use dlferry::contract::{Contract, Parameter};
use dlferry::python::{error_type, ImportOptions};
use dlferry::{Device, Error, ErrorKind, Tensor};
use pyo3::prelude::*;

/// Return twice the elements of `x`.
#[pyfunction]
fn doubled(x: Tensor) -> PyResult<Tensor> {
    let doubled: Vec<f32> = x.elements::<f32>()?.iter().map(|x| 2.0 * x).collect();
    Ok(Tensor::wrap(doubled, x.shape())?)
}

/// Return twice the elements of `x` as an array of its own library.
#[pyfunction]
fn doubled_like<'py>(x: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    doubled(Tensor::from_python(x)?)?.to_python_like(x)
}

/// Give an array back.
#[pyfunction]
fn same(x: Tensor) -> Tensor {
    x
}

/// Give an array back, of its own library.
#[pyfunction]
fn same_like<'py>(x: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    Tensor::from_python(x)?.to_python_like(x)
}

/// Tell whether an optional array is there.
#[pyfunction]
#[pyo3(signature = (x=None))]
fn is_given(x: Option<Tensor>) -> bool {
    x.is_some()
}

/// Import an array as asked.
#[pyfunction]
#[pyo3(signature = (x, *, copy=None, device=None, stream=None))]
fn imported(x: &Bound<'_, PyAny>, copy: Option<bool>, device: Option<&str>, stream: Option<i64>) -> PyResult<Tensor> {
    let device = device.map(Device::parse).transpose()?;
    let options = ImportOptions { copy, device, stream };
    Tensor::from_python_with(x, &options)
}

/// Return the flags, and the address of the first element.
#[pyfunction]
#[pyo3(signature = (x, *, copy=None))]
fn facts(x: &Bound<'_, PyAny>, copy: Option<bool>) -> PyResult<(u64, usize)> {
    let options = ImportOptions {
        copy,
        ..Default::default()
    };
    let x = Tensor::from_python_with(x, &options)?;
    Ok((x.flags(), x.data() as usize))
}

/// Copy an array, write to the copy as a slice of Rust's, and return it.
#[pyfunction]
fn refilled(x: &Bound<'_, PyAny>) -> PyResult<Tensor> {
    let options = ImportOptions {
        copy: Some(true),
        ..Default::default()
    };
    let mut copy = Tensor::from_python_with(x, &options)?;
    copy.elements_mut::<f32>()?.as_mut_slice()?.fill(7.0);
    Ok(copy)
}

/// Give a tensor to Python, which may write it: before that no slice of it is left, and afterwards there is none.
#[pyfunction]
fn given_and_read<'py>(py: Python<'py>, like: &Bound<'py, PyAny>, write: &Bound<'py, PyAny>) -> PyResult<Vec<f32>> {
    let t = Tensor::from(vec![1f32, 2.0]);
    let slice = t.elements::<f32>()?.as_slice()?;
    let view = || t.slice(0, 0, 2, 1);
    assert!(view()?.to_python(py).is_err() && view()?.to_python_like(like).is_err());
    assert!(view()?.into_pyobject(py).is_err());
    assert_eq!(slice, [1.0, 2.0]);
    let given = t.to_python(py)?;
    let again = Tensor::from_python(&given)?;
    let elements = again.elements::<f32>()?;
    assert!(elements.as_slice().is_err());
    write.call1((&given,))?;
    let shared = Tensor::from(vec![3f32]).into_foreign()?;
    write.call1((shared.slice(0, 0, 1, 1)?.to_python(py)?,))?;
    Ok(elements.iter().chain(shared.elements::<f32>()?.iter()).collect())
}

/// Give a slice with others to Python, which must not write it.
#[pyfunction]
fn shared_read_only(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    let t = Tensor::from(std::sync::Arc::<[f32]>::from([1.0, 2.0]));
    t.slice(0, 0, 1, 1)?.to_python(py)
}

/// Give memory that Rust goes on to borrow, as an array of another library.
#[pyfunction]
fn borrowed_like<'py>(like: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    Tensor::from(std::sync::Arc::<[f32]>::from([1.0, 2.0])).to_python_like(like)
}

/// Ask whether a generated function would write an array of Python.
#[pyfunction]
fn is_written(mut x: Tensor) -> PyResult<()> {
    let contract = Contract::compile("x: inout f32[...]", "is_written", &[("x", Parameter::Output)])?;
    // SAFETY: nothing is written.
    contract.match_(&mut [(&mut unsafe { x.assume_alone() }).into()])?;
    Ok(contract.match_(&mut [(&mut x).into()])?)
}

/// Import on this thread and drop on another one, which is not attached to the interpreter.
#[pyfunction]
fn drop_elsewhere(py: Python<'_>, x: Tensor) {
    py.detach(|| std::thread::spawn(move || drop(x)).join().expect("nothing panics"))
}

/// Fail with a status.
#[pyfunction]
fn fail(status: i32) -> PyResult<()> {
    Err(Error::new(
        ErrorKind::from_status(status),
        format!("fail: expected 0, got {status}"),
    )
    .into())
}

/// Count the tensors that are alive in this module.
#[pyfunction]
fn live() -> i64 {
    dlferry::live()
}

#[pymodule]
fn service(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("Error", error_type(module.py())?)?;
    module.add_function(wrap_pyfunction!(doubled, module)?)?;
    module.add_function(wrap_pyfunction!(doubled_like, module)?)?;
    module.add_function(wrap_pyfunction!(same, module)?)?;
    module.add_function(wrap_pyfunction!(same_like, module)?)?;
    module.add_function(wrap_pyfunction!(is_given, module)?)?;
    module.add_function(wrap_pyfunction!(imported, module)?)?;
    module.add_function(wrap_pyfunction!(facts, module)?)?;
    module.add_function(wrap_pyfunction!(refilled, module)?)?;
    module.add_function(wrap_pyfunction!(given_and_read, module)?)?;
    module.add_function(wrap_pyfunction!(shared_read_only, module)?)?;
    module.add_function(wrap_pyfunction!(borrowed_like, module)?)?;
    module.add_function(wrap_pyfunction!(is_written, module)?)?;
    module.add_function(wrap_pyfunction!(drop_elsewhere, module)?)?;
    module.add_function(wrap_pyfunction!(fail, module)?)?;
    module.add_function(wrap_pyfunction!(live, module)?)
}
