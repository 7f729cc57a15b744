// SPDX-License-Identifier: Apache-2.0
//! Functions over arrays of any Python library with DLPack.

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
    module.add_class::<dlferry::python::PyTensor>()?;
    module.add_function(wrap_pyfunction!(doubled, module)?)?;
    module.add_function(wrap_pyfunction!(doubled_like, module)?)?;
    module.add_function(wrap_pyfunction!(same, module)?)?;
    module.add_function(wrap_pyfunction!(same_like, module)?)?;
    module.add_function(wrap_pyfunction!(is_given, module)?)?;
    module.add_function(wrap_pyfunction!(imported, module)?)?;
    module.add_function(wrap_pyfunction!(facts, module)?)?;
    module.add_function(wrap_pyfunction!(refilled, module)?)?;
    module.add_function(wrap_pyfunction!(drop_elsewhere, module)?)?;
    module.add_function(wrap_pyfunction!(fail, module)?)?;
    module.add_function(wrap_pyfunction!(live, module)?)
}
