// SPDX-License-Identifier: Apache-2.0
//! Devices and their streams.

use crate::error::{c_text, call, Result};
use crate::{ffi, text::text};
use std::ffi::{c_void, CStr};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ptr::null_mut;
use std::str::FromStr;

/// One device: a kind of memory and a number.
///
/// Kinds are data: a kind that no header names passes through and prints.
///
/// ```
/// use dlferry::Device;
/// assert_eq!(Device { id: 3, ..Device::CPU }, Device::CPU); // the number of plain memory has no meaning
/// assert_ne!("cuda:1".parse::<Device>()?, "cuda:0".parse()?);
/// # Ok::<(), dlferry::Error>(())
/// ```
#[doc(alias = "DLDevice")]
#[derive(Clone, Copy)]
pub struct Device {
    /// Kind of memory, a `kDL...` constant of DLPack.
    pub kind: i32,
    /// Number of the device, from 0.
    pub id: i32,
}

impl Device {
    /// `cpu`
    pub const CPU: Device = Device {
        kind: ffi::kDLCPU as i32,
        id: 0,
    };

    /// Read a device from its name, such as `"cpu"` or `"cuda:1"`; without a number it is the first.
    ///
    /// # Errors
    /// [`ErrorKind::Device`](crate::ErrorKind::Device) for an unknown name.
    #[doc(alias = "dlf_device_parse")]
    pub fn parse(name: &str) -> Result<Device> {
        let name = c_text("device_parse", name)?;
        let mut out = Device::CPU.raw();
        // SAFETY: name ends with NUL, out and error are valid slots.
        call(|error| unsafe { ffi::dlf_device_parse(name.as_ptr(), &raw mut out, error) })?;
        Ok(out.into())
    }

    /// Tell whether the processor may use any address on this device: plain, pinned and managed memory.
    ///
    /// ```
    /// let gpu = dlferry::Device::parse("cuda:0")?;
    /// assert!(!gpu.is_cpu_accessible());
    /// # Ok::<(), dlferry::Error>(())
    /// ```
    #[doc(alias = "dlf_is_cpu_accessible")]
    #[must_use]
    pub fn is_cpu_accessible(self) -> bool {
        // SAFETY: takes a plain value.
        unsafe { ffi::dlf_is_cpu_accessible(self.raw()) }
    }

    /// Return the C structure.
    #[must_use]
    pub const fn raw(self) -> ffi::DLDevice {
        ffi::DLDevice {
            device_type: self.kind as ffi::DLDeviceType,
            device_id: self.id,
        }
    }
}

/// Exchange tensors of [`Device`] `oneapi` by dpctl's protocol, through its C library.
///
/// From then on the hub asks SYCL about each of them: imports and exports refuse memory that no default context of a
/// platform knows, and typed access refuses device memory. Another call does nothing. `None` means
/// `libDPCTLSyclInterface.so`, if the process has loaded it or the loader finds it.
///
/// ```
/// // SAFETY: there is no such library, so nothing of it runs.
/// let error = unsafe { dlferry::oneapi_enable(Some(c"/no/such/libDPCTLSyclInterface.so")) }.unwrap_err();
/// assert_eq!(error.kind(), dlferry::ErrorKind::Foreign);
/// ```
///
/// # Errors
/// [`ErrorKind::Foreign`](crate::ErrorKind::Foreign) if the library cannot be loaded,
/// [`Unsupported`](crate::ErrorKind::Unsupported) or [`Invalid`](crate::ErrorKind::Invalid).
///
/// # Safety
/// The library is dpctl's: its code runs, when it is loaded and later.
#[doc(alias = "dlf_oneapi_enable")]
pub unsafe fn oneapi_enable(library: Option<&CStr>) -> Result<()> {
    let path = library.map_or(std::ptr::null(), CStr::as_ptr);
    // SAFETY: path ends with NUL or is NULL, error is a valid slot.
    call(|error| unsafe { ffi::dlf_oneapi_enable(path, error) })
}

/// Devices are equal if kind and number are; the number of plain, pinned and managed memory does not count.
impl PartialEq for Device {
    #[doc(alias = "dlf_device_equal")]
    fn eq(&self, other: &Device) -> bool {
        // SAFETY: takes plain values.
        unsafe { ffi::dlf_device_equal(self.raw(), other.raw()) }
    }
}

impl Eq for Device {}

impl Hash for Device {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.kind.hash(state); // not the number, which may not count
    }
}

impl From<ffi::DLDevice> for Device {
    fn from(raw: ffi::DLDevice) -> Device {
        Device {
            kind: raw.device_type as i32,
            id: raw.device_id,
        }
    }
}

impl FromStr for Device {
    type Err = crate::Error;

    fn from_str(name: &str) -> Result<Device> {
        Device::parse(name)
    }
}

/// The name, such as `cpu` or `cuda:1`.
impl fmt::Display for Device {
    /// ```
    /// assert_eq!(dlferry::Device::parse("cuda:1")?.to_string(), "cuda:1");
    /// # Ok::<(), dlferry::Error>(())
    /// ```
    #[doc(alias = "dlf_device_format")]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // SAFETY: text() lends a buffer of that capacity.
        f.pad(&text(|buffer, capacity| unsafe {
            ffi::dlf_device_format(self.raw(), buffer, capacity)
        }))
    }
}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Device({self})")
    }
}

/// A kernel's stream; the default is the device's default stream.
///
/// A generated function with a stream has it among its options:
///
/// ```
/// # #[derive(Default)]
/// # struct ScaleOptions { stream: dlferry::Stream }
/// # fn scale(_: f32, _: ScaleOptions) {}
/// # let raw = std::ptr::null_mut();
/// // SAFETY: made by cudaStreamCreate on the device of the tensors, and destroyed after the kernel is done.
/// let stream = unsafe { dlferry::Stream::from_raw(raw) };
/// scale(2.0, ScaleOptions { stream });
/// ```
#[doc(alias = "dlf_stream")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stream(*mut c_void);

// SAFETY: an address, which from_raw() lets any thread use.
unsafe impl Send for Stream {}
// SAFETY: as above.
unsafe impl Sync for Stream {}

impl Stream {
    /// Name a stream by its handle, such as a `cudaStream_t`.
    ///
    /// # Safety
    /// It is a stream of the tensors' device, valid on any thread until the work started on it is done. A kernel may
    /// still run after its call: until it ends, do not touch its outputs, and do not write or free its inputs.
    pub const unsafe fn from_raw(handle: *mut c_void) -> Stream {
        Stream(handle)
    }

    /// Return the C structure.
    #[inline]
    #[must_use]
    pub const fn raw(self) -> ffi::dlf_stream {
        ffi::dlf_stream { handle: self.0 }
    }
}

/// The default stream of any device.
impl Default for Stream {
    fn default() -> Stream {
        Stream(null_mut())
    }
}
