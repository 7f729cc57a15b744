// SPDX-License-Identifier: Apache-2.0
//! The calls of bad_input.json through the generated crate: the status and the text that all languages give.

use dlferry::{flags, DType, Device, Error, Tensor};
use photo::{BlurOptions, Corner, DrawHistogramOptions};
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::ffi::c_void;
use std::sync::{Arc, Mutex, PoisonError};

static ALONE: Mutex<()> = Mutex::new(()); // the live count is that of the process

/// Memory that tensors of one case may share, as only `unsafe` and C allow.
struct Memory(*mut [u64]);

// SAFETY: plain bytes, whose users keep apart.
unsafe impl Send for Memory {}
// SAFETY: as above.
unsafe impl Sync for Memory {}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: made by a box, freed once.
        drop(unsafe { Box::from_raw(self.0) });
    }
}

struct Argument {
    tensor: Tensor,
    memory: Arc<Memory>,
}

fn integers(value: &Value) -> Option<Vec<i64>> {
    value
        .as_array()
        .map(|list| list.iter().filter_map(Value::as_i64).collect())
}

/// Make a tensor as the case says; one that aliases another begins in that one's memory.
fn make(spec: &Value, others: &HashMap<String, Argument>) -> Argument {
    let dtype: DType = spec["dtype"].as_str().unwrap().parse().unwrap();
    let device = Device::parse(spec["device"].as_str().unwrap_or("cpu")).unwrap();
    let (shape, strides) = (integers(&spec["shape"]).unwrap(), integers(&spec["strides"]));
    let size = dtype.bits as usize * dtype.lanes as usize / 8;
    let memory = match spec["alias_of"].as_str() {
        Some(other) => others[other].memory.clone(),
        None => {
            let spread = |list: &[i64]| -> i64 { shape.iter().zip(list).map(|(n, s)| (n - 1).max(0) * s.abs()).sum() };
            let elements = strides
                .as_deref()
                .map_or(shape.iter().product(), |list| spread(list) + 1);
            let words = vec![0u64; elements as usize * size / 8 + 64].into_boxed_slice(); // and some room to shift
            Arc::new(Memory(Box::into_raw(words)))
        }
    };
    if let Some(value) = spec["value"].as_f64() {
        assert_eq!(dtype, DType::F32, "fill is written for float32");
        // SAFETY: the memory is this case's own.
        unsafe { &mut *memory.0 }.fill(u64::from((value as f32).to_bits()) * 0x1_0000_0001);
    }
    let shift = spec["offset"].as_u64().unwrap_or(0) as usize * size + spec["skew"].as_u64().unwrap_or(0) as usize;
    let data = memory.0.cast::<u8>().wrapping_add(shift).cast::<c_void>();
    let bits = if spec["read_only"] == true { flags::READ_ONLY } else { 0 };
    // SAFETY: inside the memory, which the tensor keeps; what overlaps is refused, or the contract allows it.
    let made = unsafe { Tensor::wrap_raw(data, dtype, &shape, strides.as_deref(), device, bits, memory.clone()) };
    Argument {
        tensor: made.unwrap(),
        memory,
    }
}

/// Call a function of photo.h: its `_into` form when the case gives `out`, else the one that makes it.
fn call(name: &str, given: &mut HashMap<String, Argument>, scalars: &Map<String, Value>) -> Result<(), Error> {
    let mut out = given.remove("out").map(|argument| argument.tensor);
    let mut take = |name: &str| given.remove(name).unwrap().tensor;
    match name {
        "photo_gray" => {
            let rgb = take("rgb");
            out.as_mut()
                .map_or_else(|| photo::gray(&rgb).map(drop), |out| photo::gray_into(&rgb, out))
        }
        "photo_blur" => {
            let image = take("image");
            let sigma = scalars.get("sigma").and_then(Value::as_f64);
            let options = sigma.map_or_else(BlurOptions::default, BlurOptions::from);
            match &mut out {
                Some(out) => photo::blur_into(&image, options, out),
                None => photo::blur(&image, options).map(drop),
            }
        }
        "photo_sobel" => {
            let image = take("image");
            out.as_mut()
                .map_or_else(|| photo::sobel(&image).map(drop), |out| photo::sobel_into(&image, out))
        }
        "photo_equalize" => {
            let image = take("image");
            out.as_mut().map_or_else(
                || photo::equalize(&image).map(drop),
                |out| photo::equalize_into(&image, out),
            )
        }
        "photo_draw_histogram" => {
            let mut options = DrawHistogramOptions::default();
            if let Some(corner) = scalars.get("corner").and_then(Value::as_i64) {
                options.corner = Corner(corner.try_into().unwrap());
            }
            if let Some(logarithmic) = scalars.get("logarithmic").and_then(Value::as_bool) {
                options.logarithmic = logarithmic;
            }
            photo::draw_histogram(&mut take("image"), options)
        }
        "photo_mean" => photo::mean(&take("image")).map(drop),
        _ => panic!("no case for {name} is written here"),
    }
}

#[test]
fn calls_give_the_text_that_all_languages_give() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../cases/bad_input.json");
    let file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let (mut ran, mut wrong) = (0, Vec::new());
    for case in file["cases"].as_array().unwrap() {
        let Some(name) = case["call"].as_str() else {
            continue;
        };
        if case["only"]
            .as_array()
            .is_some_and(|only| !only.iter().any(|language| language == "rust"))
        {
            continue;
        }
        let specs = case["tensors"].as_object().unwrap();
        let mut given = HashMap::new();
        for aliased in [false, true] {
            for (name, spec) in specs.iter().filter(|(_, spec)| spec["alias_of"].is_string() == aliased) {
                let argument = make(spec, &given);
                given.insert(name.clone(), argument);
            }
        }
        let none = Map::new();
        let result = call(name, &mut given, case["scalars"].as_object().unwrap_or(&none));
        let got = match &result {
            Ok(()) => ("OK", ""),
            Err(error) => (error.kind().name(), error.message()),
        };
        let wanted = (case["status"].as_str().unwrap(), case["message"].as_str().unwrap());
        if got != wanted {
            wrong.push(format!("{}: expected {wanted:?}, got {got:?}", case["name"]));
        }
        drop(given);
        assert_eq!(dlferry::live(), 0, "{case}");
        ran += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(ran > 20, "only {ran} cases");
}
