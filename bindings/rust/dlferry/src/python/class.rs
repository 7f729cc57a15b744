// SPDX-License-Identifier: Apache-2.0
//! The Python class of a tensor: an array that every DLPack library takes.

use super::device::device_pair;
use super::{capsule, types};
use crate::error::{call, Error, Result};
use crate::{ffi, ErrorKind, ManagedTensor, ManagedTensorLegacy, Tensor};
use pyo3::prelude::*;
use pyo3::types::{PySequence, PyTuple};
use std::ffi::{c_void, CStr};
use std::ptr::null_mut;
use std::sync::OnceLock;

/// A tensor that belongs to Python: what a `#[pyfunction]` that returns a [`Tensor`] gives. In Python its class is
/// `Tensor`, and it has DLPack's methods and exchange table; `shape`, `strides`, `dtype` and `device`.
///
/// Python may write the elements, so for Rust they are another runtime's from now on: see [`Tensor::into_foreign`].
#[pyclass(name = "Tensor", module = "dlferry", frozen, weakref)]
#[derive(Debug)]
pub struct PyTensor(Tensor);

impl PyTensor {
    /// Borrow the tensor.
    pub fn get(&self) -> &Tensor {
        &self.0
    }
}

/// Fails like [`Tensor::to_python`].
impl TryFrom<Tensor> for PyTensor {
    type Error = Error;

    fn try_from(tensor: Tensor) -> Result<PyTensor> {
        tensor.given_away("to_python").map(PyTensor)
    }
}

impl Tensor {
    /// Give the tensor to Python as a [`PyTensor`]. A `#[pyfunction]` that returns a `Tensor` does the same.
    ///
    /// # Errors
    /// `MemoryError`; `ValueError` if a view, an export or another handle shares the elements, since Python may write
    /// them: give a copy, or call [`Tensor::into_foreign`] before sharing them. Read-only ones may be shared.
    pub fn to_python(self, py: Python<'_>) -> PyResult<Bound<'_, PyTensor>> {
        Bound::new(py, PyTensor::try_from(self)?)
    }

    /// Give the tensor to Python as an array of the same library as `model`, without a copy: through the exchange table
    /// of its type (PyTorch), else by `from_dlpack` of its array API namespace (NumPy, JAX), else as a [`PyTensor`].
    ///
    /// # Errors
    /// Those of [`Tensor::to_python`], and the exception of a library that refuses the tensor, such as one with an
    /// unknown dtype.
    #[doc(alias = "dlf_to_python")]
    pub fn to_python_like<'py>(self, model: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let given = self.given_away("to_python")?;
        let (py, like) = (model.py(), model.as_ptr().cast());
        let mut out: *mut c_void = null_mut();
        // SAFETY: the handle and the model are alive, out and error are valid slots.
        let made = call(|error| unsafe { ffi::dlf_to_python(given.raw(), like, true, &mut out, error) });
        match (made, PyErr::take(py)) {
            // SAFETY: success gives a reference for us.
            (Ok(()), _) => Ok(unsafe { Bound::from_owned_ptr(py, out.cast()) }),
            (Err(_), Some(raised)) => Err(raised),
            (Err(error), None) if error.kind() == ErrorKind::Invalid => Ok(given.to_python(py)?.into_any()), // no library
            (Err(error), None) => Err(error.into()),
        }
    }
}

/// As [`Tensor::to_python`] gives it.
impl<'py> IntoPyObject<'py> for Tensor {
    type Target = PyTensor;
    type Output = Bound<'py, PyTensor>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, PyTensor>> {
        self.to_python(py)
    }
}

#[pymethods]
impl PyTensor {
    /// Export as Python's array API standard defines it: copy, device, stream and version as the consumer asks.
    #[pyo3(signature = (*, stream=None, max_version=None, dl_device=None, copy=None))]
    fn __dlpack__<'py>(
        &self,
        py: Python<'py>,
        stream: Option<i64>,
        max_version: Option<Bound<'py, PyAny>>,
        dl_device: Option<Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let major = max_version.map_or(Ok(0), |version| major_of(&version))?;
        let device = dl_device
            .map(|pair| device_pair(&pair, "to_dlpack: dl_device"))
            .transpose()?;
        let options = ffi::dlf_export_options {
            size: size_of::<ffi::dlf_export_options>() as i64,
            max_version: ffi::DLPackVersion { major, minor: 0 },
            device: device.map_or(
                ffi::DLDevice {
                    device_type: 0,
                    device_id: 0,
                },
                |device| device.raw(),
            ),
            copy: match copy {
                None => ffi::DLF_COPY_IF_NEEDED,
                Some(true) => ffi::DLF_COPY_ALWAYS,
                Some(false) => ffi::DLF_COPY_NEVER,
            } as i32,
            reserved: 0,
            stream: stream.unwrap_or(i64::from(ffi::DLF_STREAM_NONE)),
        };
        // Other threads run during a copy.
        let exported = match copy {
            Some(true) => py.detach(|| export(&self.0, &options)),
            _ => export(&self.0, &options),
        };
        match exported? {
            Exported::Versioned(made) => capsule::versioned(py, made),
            Exported::Legacy(made) => capsule::legacy(py, made),
        }
    }

    /// Return the device type and the device id.
    fn __dlpack_device__(&self) -> Result<(i32, i32)> {
        let mut out = self.0.dltensor().device;
        // SAFETY: the handle is alive, out and error are valid slots.
        call(|error| unsafe { ffi::dlf_export_device(self.0.raw(), &mut out, error) })?;
        Ok((out.device_type as i32, out.device_id))
    }

    /// DLPack 1.3: the functions that C code calls instead of `__dlpack__`.
    #[classattr]
    fn __dlpack_c_exchange_api__(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        let table = std::ptr::from_ref(own_table()).cast_mut().cast();
        // SAFETY: the table and the name live as long as the process.
        unsafe {
            let capsule = pyo3::ffi::PyCapsule_New(table, capsule_name().as_ptr(), None);
            Bound::from_owned_ptr_or_err(py, capsule)
        }
    }

    /// The extents.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.shape())
    }

    /// The distances between neighbours along each axis, in elements.
    #[getter]
    fn strides<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.strides())
    }

    /// The dtype's name, such as `float32`.
    #[getter]
    fn dtype(&self) -> String {
        self.0.dtype().to_string()
    }

    /// The device's name, such as `cpu` or `cuda:0`.
    #[getter]
    fn device(&self) -> String {
        self.0.device().to_string()
    }

    fn __repr__(&self) -> String {
        self.0.to_string()
    }
}

enum Exported {
    Versioned(ManagedTensor),
    Legacy(ManagedTensorLegacy),
}

fn export(tensor: &Tensor, options: &ffi::dlf_export_options) -> Result<Exported> {
    let (mut versioned, mut legacy) = (null_mut(), null_mut());
    // SAFETY: the handle is alive, and the places are valid slots.
    call(|error| unsafe { ffi::dlf_export(tensor.raw(), options, &mut versioned, &mut legacy, error) })?;
    // SAFETY: success gives one of the two.
    Ok(unsafe {
        match (
            ManagedTensor::from_raw(versioned),
            ManagedTensorLegacy::from_raw(legacy),
        ) {
            (Some(made), _) => Exported::Versioned(made),
            (None, Some(made)) => Exported::Legacy(made),
            (None, None) => unreachable!("success gives one of the two"),
        }
    })
}

/// The first number of max_version.
fn major_of(version: &Bound<'_, PyAny>) -> PyResult<u32> {
    let first = version.cast::<PySequence>().ok().and_then(|list| list.get_item(0).ok());
    first.and_then(|first| first.extract().ok()).ok_or_else(|| {
        let got = types::name_of(version);
        let text = format!("to_dlpack: expected max_version (major, minor) or None, got {got}");
        Error::new(ErrorKind::Invalid, text).into()
    })
}

// ---- The exchange table of the class. Its functions run attached to the interpreter and set its exception. ----

/// The name of the capsule that holds a table.
fn capsule_name() -> &'static CStr {
    // SAFETY: a string of C ends with NUL.
    unsafe { CStr::from_bytes_with_nul_unchecked(ffi::DLF_EXCHANGE_CAPSULE) }
}

struct OwnTable(ffi::DLPackExchangeAPI);

// SAFETY: functions and a NULL pointer, which never change.
unsafe impl Send for OwnTable {}
// SAFETY: functions and a NULL pointer, which never change.
unsafe impl Sync for OwnTable {}

fn own_table() -> &'static ffi::DLPackExchangeAPI {
    static TABLE: OnceLock<OwnTable> = OnceLock::new();
    // SAFETY: the hub lends a static table, whose allocator and streams do not know Python's objects.
    let hub = unsafe { &*ffi::dlf_exchange_api() };
    let table = TABLE.get_or_init(|| {
        OwnTable(ffi::DLPackExchangeAPI {
            header: hub.header,
            managed_tensor_allocator: hub.managed_tensor_allocator,
            managed_tensor_from_py_object_no_sync: Some(from_object),
            managed_tensor_to_py_object_no_sync: Some(to_object),
            dltensor_from_py_object_no_sync: Some(describe_object),
            current_work_stream: hub.current_work_stream,
        })
    });
    &table.0
}

/// Report a failure to C.
fn answer(py: Python<'_>, result: PyResult<()>) -> i32 {
    match result {
        Ok(()) => 0,
        Err(error) => {
            error.restore(py);
            -1
        }
    }
}

/// # Safety
/// object is one, or NULL, and the interpreter is attached.
unsafe fn own<'a>(object: &'a *mut c_void) -> PyResult<(Python<'a>, Borrowed<'a, 'a, PyTensor>)> {
    // SAFETY: the caller promises it.
    unsafe {
        let py = Python::assume_attached();
        let object = Borrowed::from_ptr_or_err(py, object.cast())?;
        Ok((py, object.cast::<PyTensor>()?))
    }
}

unsafe extern "C" fn from_object(object: *mut c_void, out: *mut *mut ffi::DLManagedTensorVersioned) -> i32 {
    // SAFETY: DLPack 1.3: an object of the table's type and a place for the result.
    unsafe {
        let made = own(&object).and_then(|(_, x)| Ok(x.get().0.to_dlpack()?));
        answer(Python::assume_attached(), made.map(|made| *out = made.into_raw()))
    }
}

unsafe extern "C" fn to_object(owned: *mut ffi::DLManagedTensorVersioned, out: *mut *mut c_void) -> i32 {
    // SAFETY: DLPack 1.3: a managed tensor that is ours from now on, and a place for the result.
    unsafe {
        let py = Python::assume_attached();
        let made = Tensor::from_dlpack(owned)
            .map_err(PyErr::from)
            .and_then(|tensor| tensor.to_python(py));
        answer(py, made.map(|made| *out = made.into_ptr().cast()))
    }
}

unsafe extern "C" fn describe_object(object: *mut c_void, out: *mut ffi::DLTensor) -> i32 {
    // SAFETY: DLPack 1.3: an object of the table's type and a place for the result, which lives as long as the object.
    unsafe {
        let described = own(&object).and_then(|(_, x)| describe(&x.get().0, out));
        answer(Python::assume_attached(), described)
    }
}

/// # Safety
/// out is a place.
unsafe fn describe(tensor: &Tensor, out: *mut ffi::DLTensor) -> PyResult<()> {
    // SAFETY: the hub lends a static table; its objects are handles.
    let described = unsafe {
        let hub = &*ffi::dlf_exchange_api();
        hub.dltensor_from_py_object_no_sync
            .map_or(-1, |describe| describe(tensor.raw().cast(), out))
    };
    if described == 0 {
        return Ok(());
    }
    let text = "to_dlpack: expected a tensor that a structure without flags describes, got another one";
    Err(Error::new(ErrorKind::Unsupported, text).into())
}
