// SPDX-License-Identifier: Apache-2.0
//! Exports as a consumer requests them.

use crate::error::{call, Result};
use crate::{ffi, CopyMode, Device, ManagedTensor, ManagedTensorLegacy, Tensor};
use std::ptr::null_mut;

/// A consumer's request: the parameters of Python's `__dlpack__`. The default asks for nothing.
#[doc(alias = "dlf_export_options")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExportOptions {
    /// The newest version that the consumer reads; major 0 requests the structure of DLPack 0.8.
    pub max_version: (u32, u32),
    /// The consumer's device; `None` for the data's own.
    pub device: Option<Device>,
    /// The rule for copies.
    pub copy: CopyMode,
    /// Number of a stream in Python's array API; `None` for no stream and no synchronisation.
    pub stream: Option<i64>,
}

impl Default for ExportOptions {
    fn default() -> ExportOptions {
        ExportOptions {
            max_version: (ffi::DLF_DLPACK_MAJOR, ffi::DLF_DLPACK_MINOR),
            device: None,
            copy: CopyMode::IfNeeded,
            stream: None,
        }
    }
}

impl ExportOptions {
    fn raw(&self) -> ffi::dlf_export_options {
        let own_device = ffi::DLDevice {
            device_type: 0,
            device_id: 0,
        };
        ffi::dlf_export_options {
            size: size_of::<ffi::dlf_export_options>() as i64,
            max_version: ffi::DLPackVersion {
                major: self.max_version.0,
                minor: self.max_version.1,
            },
            device: self.device.map_or(own_device, Device::raw),
            copy: self.copy as i32,
            reserved: 0,
            stream: self.stream.unwrap_or(ffi::DLF_STREAM_NONE.into()),
        }
    }
}

/// A managed tensor of the version that a consumer requested.
#[derive(Debug)]
pub enum Exported {
    /// For a consumer of DLPack 1.0 or later.
    Versioned(ManagedTensor),
    /// For a consumer of DLPack 0.8 and before.
    Legacy(ManagedTensorLegacy),
}

impl Tensor {
    /// Export the tensor for a consumer's device, copy mode, stream and version.
    ///
    /// ```
    /// use dlferry::{CopyMode, Exported, ExportOptions, Tensor};
    ///
    /// let t = Tensor::from(vec![1i32, 2]);
    /// let options = ExportOptions { copy: CopyMode::Always, ..ExportOptions::default() };
    /// assert!(matches!(t.export(&options)?, Exported::Versioned(_)));
    /// # Ok::<(), dlferry::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Device`](crate::ErrorKind::Device), [`Invalid`](crate::ErrorKind::Invalid) or
    /// [`Unsupported`](crate::ErrorKind::Unsupported) for a stream, and those of [`Tensor::to_dlpack`],
    /// [`Tensor::to_dlpack_legacy`] and [`Tensor::copy`].
    #[doc(alias = "dlf_export")]
    pub fn export(&self, options: &ExportOptions) -> Result<Exported> {
        let (options, mut out, mut legacy) = (options.raw(), null_mut(), null_mut());
        // SAFETY: self is alive for the call; options has its size; out, legacy and error are valid slots.
        call(|error| unsafe { ffi::dlf_export(self.raw(), &raw const options, &raw mut out, &raw mut legacy, error) })?;
        // SAFETY: success gives one of them, and the other is NULL.
        let exported = unsafe { (ManagedTensor::from_raw(out), ManagedTensorLegacy::from_raw(legacy)) };
        match exported {
            (_, Some(legacy)) => Ok(Exported::Legacy(legacy)),
            (Some(versioned), _) => Ok(Exported::Versioned(versioned)),
            (None, None) => unreachable!("success gives a managed tensor"),
        }
    }

    /// Return the device that exports of this tensor name, for Python's `__dlpack_device__`.
    ///
    /// ```
    /// let t = dlferry::Tensor::from(vec![1i32, 2]);
    /// assert_eq!(t.export_device()?, dlferry::Device::CPU);
    /// # Ok::<(), dlferry::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of the device's backend, [`Invalid`](crate::ErrorKind::Invalid) or [`Foreign`](crate::ErrorKind::Foreign).
    #[doc(alias = "dlf_export_device")]
    pub fn export_device(&self) -> Result<Device> {
        let mut out = Device::CPU.raw();
        // SAFETY: self is alive for the call; out and error are valid slots.
        call(|error| unsafe { ffi::dlf_export_device(self.raw(), &raw mut out, error) })?;
        Ok(out.into())
    }
}
