// SPDX-License-Identifier: Apache-2.0
//! Devices as Python's protocol passes them.

use super::types;
use crate::error::Error;
use crate::{Device, ErrorKind};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// Read a pair of device type and device id. The type may be a member of a plain enum, and Paddle's id is None.
pub(super) fn device_pair(pair: &Bound<'_, PyAny>, name: &str) -> PyResult<Device> {
    let number =
        |x: Bound<'_, PyAny>| -> Option<i32> { x.extract().ok().or_else(|| x.getattr("value").ok()?.extract().ok()) };
    let read = || {
        let pair = pair.cast::<PyTuple>().ok().filter(|pair| pair.len() == 2)?;
        let id = pair.get_item(1).ok()?;
        let kind = number(pair.get_item(0).ok()?).filter(|&kind| kind > 0)?;
        let id = if id.is_none() { 0 } else { number(id)? };
        (id >= 0).then_some(Device { kind, id })
    };
    read().ok_or_else(|| {
        let got = types::name_of(pair);
        let text = format!("{name}: expected a pair of device type and device id, got {got}");
        Error::new(ErrorKind::Invalid, text).into()
    })
}
