// SPDX-License-Identifier: Apache-2.0
//! Where elements lie.

use crate::dtype::c_name;
use crate::error::{call, Result};
use crate::{ffi, format::text};
use std::fmt;
use std::str::FromStr;

/// One device: a kind of memory and a number.
///
/// Kinds are data: one that no header has named yet passes through and prints.
#[doc(alias = "DLDevice")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
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

    /// Read a device from its name, such as `"cpu"` or `"cuda:1"`; without a number the first is meant.
    ///
    /// # Errors
    /// [`ErrorKind::Device`](crate::ErrorKind::Device) when there is none of that name.
    #[doc(alias = "dlf_device_parse")]
    pub fn parse(name: &str) -> Result<Device> {
        let name = c_name(name);
        let mut out = Device::CPU.raw();
        // SAFETY: name ends with NUL, out and error are valid slots.
        call(|error| unsafe { ffi::dlf_device_parse(name.as_ptr(), &mut out, error) })?;
        Ok(out.into())
    }

    /// Tell whether the processor may use an address on this device: plain, pinned and managed memory.
    #[doc(alias = "dlf_is_cpu_accessible")]
    pub fn is_cpu_accessible(self) -> bool {
        // SAFETY: takes a plain value.
        unsafe { ffi::dlf_is_cpu_accessible(self.raw()) }
    }

    /// Return the C structure.
    pub const fn raw(self) -> ffi::DLDevice {
        ffi::DLDevice {
            device_type: self.kind as ffi::DLDeviceType,
            device_id: self.id,
        }
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
