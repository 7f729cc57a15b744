// SPDX-License-Identifier: Apache-2.0
//! The shared cases of `tests/cases`: each operation of the hub gives the result, status and text of every language.

use dlferry::{
    cast_into, copy_into, fill, npy, CopyMode, DType, Device, Element, Error, ExportOptions, Exported, IndexItem,
    ManagedTensor, ManagedTensorLegacy, Number, Order, Tensor,
};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;
use testing::{alone, deleted_made, made};

/// What a call tells: a text, or why Rust cannot say it.
enum Told {
    Text(String),
    Cannot,
}

type Answer = Result<Told, Error>;

/// One case; `tests/cases/README.md` says what its fields mean.
struct Case<'a> {
    json: &'a Value,
    folder: &'a PathBuf,
}

fn text(value: impl ToString) -> Answer {
    Ok(Told::Text(value.to_string()))
}

fn list(values: &[i64]) -> Answer {
    text(values.iter().map(i64::to_string).collect::<Vec<_>>().join(" "))
}

fn tensor(made: Result<Tensor, Error>) -> Answer {
    text(made?.format())
}

/// Import an export again.
fn back(owned: ManagedTensor) -> Answer {
    // SAFETY: it is ours, and truthful.
    tensor(unsafe { Tensor::from_dlpack(owned.into_raw()) })
}

fn back_legacy(owned: ManagedTensorLegacy) -> Answer {
    // SAFETY: it is ours, and truthful.
    tensor(unsafe { Tensor::from_dlpack_legacy(owned.into_raw()) })
}

impl Case<'_> {
    fn word(&self, key: &str) -> &str {
        self.json[key].as_str().unwrap_or_default()
    }

    fn ints(&self) -> Vec<i64> {
        let ints = self.json["ints"].as_array();
        ints.map_or(vec![], |list| list.iter().map(|x| x.as_i64().unwrap()).collect())
    }

    fn reals(&self) -> Vec<f64> {
        let reals = self.json["reals"].as_array();
        reals.map_or(vec![], |list| list.iter().map(|x| x.as_f64().unwrap()).collect())
    }

    fn order(&self) -> Order {
        match self.word("text") {
            "row_major" => Order::RowMajor,
            "column_major" => Order::ColumnMajor,
            _ => Order::Dense,
        }
    }

    fn copy(&self, number: i64) -> CopyMode {
        [CopyMode::IfNeeded, CopyMode::Always, CopyMode::Never][number as usize]
    }

    fn path(&self) -> &str {
        self.word("text")
    }

    fn view(&self, x: &Tensor) -> Answer {
        let ints = self.ints();
        let axes: Result<Vec<usize>, _> = ints.iter().map(|&i| usize::try_from(i)).collect();
        let axis = usize::try_from(ints.first().copied().unwrap_or(0));
        tensor(match (self.word("op"), axis, axes) {
            ("index", ..) => x.index(&items(&ints)),
            ("reshape", ..) => x.reshape(&ints),
            ("broadcast", ..) => x.broadcast(&ints),
            ("pack_lanes", ..) => x.pack_lanes(),
            ("unpack_lanes", ..) => x.unpack_lanes(),
            ("bitcast", ..) => x.bitcast(DType::parse(self.word("text"))?),
            ("slice", Ok(axis), _) => x.slice(axis, ints[1], ints[2], ints[3]),
            ("select", Ok(axis), _) => x.select(axis, ints[1]),
            ("squeeze", Ok(axis), _) => x.squeeze(axis),
            ("unsqueeze", Ok(axis), _) => x.unsqueeze(axis),
            ("flip", Ok(axis), _) => x.flip(axis),
            ("permute", _, Ok(axes)) => x.permute(&axes),
            _ => return Ok(Told::Cannot),
        })
    }

    fn number(&self) -> Number {
        match self.reals()[..] {
            [re, im] => Number::Complex(re, im),
            [re] => re.into(),
            _ => self.ints()[0].into(),
        }
    }

    fn cast(&self, x: &Tensor) -> Answer {
        let dtype = DType::parse(self.word("text"))?;
        tensor(match self.ints()[..] {
            [] => x.cast(dtype),
            _ => x.cast_saturating(dtype),
        })
    }

    /// What a tensor has then.
    fn write(&self, x: &mut Tensor, y: Option<&mut Tensor>) -> Answer {
        match (self.word("op"), y) {
            ("fill", _) => {
                // SAFETY: only this test uses the helper's tensors, here and below.
                fill(&mut unsafe { x.assume_alone() }, self.number())?;
                text(x.format())
            }
            ("copy_into", Some(y)) => {
                // SAFETY: as above.
                copy_into(x, &mut unsafe { y.assume_alone() })?;
                text(y.format())
            }
            ("cast_into", Some(y)) => {
                // SAFETY: as above.
                cast_into(x, &mut unsafe { y.assume_alone() })?;
                text(y.format())
            }
            _ => Ok(Told::Cannot),
        }
    }

    fn read(&self, x: &Tensor) -> Answer {
        let ints = self.ints();
        let (&lane, index) = ints.split_last().unwrap();
        match x.read_lane(index, lane as u16)? {
            Number::Real(value) => text(value),
            Number::Complex(re, im) => text(format!("{re} {im}")),
            Number::Signed(value) => text(value),
            Number::Unsigned(value) => text(value),
            Number::Bool(value) => text(value),
        }
    }

    fn npy(&self, x: Option<&Tensor>) -> Answer {
        if let Some(x) = x {
            npy::save(x, self.path())?;
        } else if !self.ints().is_empty() {
            let bytes: Vec<u8> = self.ints().iter().map(|&b| b as u8).collect();
            std::fs::write(self.folder.join(self.path()), bytes).unwrap();
        }
        tensor(npy::open(self.path()))
    }

    fn export(&self, x: &Tensor) -> Answer {
        let ints = self.ints();
        let options = ExportOptions {
            max_version: (ints[0] as u32, ints[1] as u32),
            device: match self.word("text") {
                "" => None,
                name => Some(Device::parse(name)?),
            },
            copy: self.copy(ints[2]),
            stream: None,
        };
        match x.export(&options)? {
            Exported::Versioned(owned) => back(owned),
            Exported::Legacy(owned) => back_legacy(owned),
        }
    }

    fn look(&self, x: &mut Tensor) -> Answer {
        match self.word("text") {
            "bool" => self.look_as::<dlferry::Bool>(x),
            "uint8" => self.look_as::<u8>(x),
            "int8" => self.look_as::<i8>(x),
            "int16" => self.look_as::<i16>(x),
            "uint16" => self.look_as::<u16>(x),
            "int32" => self.look_as::<i32>(x),
            "float32" => self.look_as::<f32>(x),
            _ => self.look_as::<f64>(x),
        }
    }

    /// Those of 16 bits are types of the crate half.
    fn encode(&self) -> Answer {
        use dlferry::float::*;
        let x = self.reals()[0];
        match self.word("text") {
            #[cfg(feature = "half")]
            "bfloat16" => text(half::bf16::from_f64(x).to_bits()),
            #[cfg(feature = "half")]
            "float16" => text(half::f16::from_f64(x).to_bits()),
            "float8_e4m3fn" => text(F8E4M3Fn::from_f64(x).to_bits()),
            "float8_e5m2" => text(F8E5M2::from_f64(x).to_bits()),
            "float8_e8m0fnu" => text(F8E8M0Fnu::from_f64(x).to_bits()),
            "float6_e3m2fn" => text(F6E3M2Fn::from_f64(x).to_bits()),
            "float4_e2m1fn" => text(F4E2M1Fn::from_f64(x).to_bits()),
            _ => Ok(Told::Cannot),
        }
    }

    /// The bits of `dlf_look_how`: 1 to write, 2 for row-major elements, 16 for bits. The safe twins refuse memory that
    /// another language allocated, which these tensors have.
    fn look_as<T: Element>(&self, x: &mut Tensor) -> Answer {
        let how = self.ints()[0];
        if how & 1 != 0 {
            // SAFETY: the tensor is the helper's, and nothing else uses it.
            let mut elements = unsafe { x.elements_mut_unchecked::<T>() }?;
            if how & 2 != 0 {
                elements.as_mut_slice()?;
            }
            return text(elements.elements().len());
        }
        let elements = if how == 16 {
            x.element_bits::<T>()?
        } else {
            x.elements::<T>()?
        };
        if how & 2 != 0 {
            // SAFETY: nothing writes it meanwhile.
            unsafe { elements.as_slice_unchecked() }?;
        }
        text(elements.len())
    }

    /// `None` for an operation that Rust lacks.
    fn call(&self, x: &mut Option<Tensor>, y: Option<&mut Tensor>) -> Option<Answer> {
        let op = self.word("op");
        let (ints, reals) = (self.ints(), self.reals());
        match op {
            "npy_open" => return Some(self.npy(None)),
            "wrap" => return Some(tensor(Tensor::wrap(vec![0f32; ints[0] as usize], &ints[1..]))),
            "compact_strides" => {
                return Some(dlferry::compact_strides(&ints, self.order()).and_then(|strides| list(&strides)))
            }
            "look" => return Some(self.look(x.as_mut().unwrap())),
            "fill" | "copy_into" | "cast_into" => return Some(self.write(x.as_mut().unwrap(), y)),
            "encode" => return Some(self.encode()),
            _ => (),
        }
        let x = x.as_ref().unwrap();
        let y = y.map_or(x, |y| &*y);
        Some(match op {
            "index" | "slice" | "select" | "permute" | "reshape" | "broadcast" | "squeeze" | "unsqueeze" | "flip"
            | "bitcast" | "pack_lanes" | "unpack_lanes" => self.view(x),
            "copy" => tensor(x.copy()),
            "copy_padded" => tensor(x.copy_padded()),
            "contiguous" => tensor(x.contiguous(Order::RowMajor)),
            "to_device" => {
                Device::parse(self.word("text")).and_then(|device| tensor(x.to_device(device, self.copy(ints[0]))))
            }
            "identical" => x.identical(y).and_then(text),
            "equal" => x.equal(y).and_then(text),
            "all_close" => x.all_close(y, reals[0], reals[1], ints[0] != 0).and_then(text),
            "contains" => x.contains(self.number()).and_then(text),
            "cast" => self.cast(x),
            "read" => self.read(x),
            "count" => x.count().and_then(text),
            "byte_size" => x.byte_size().and_then(text),
            "byte_range" => x.byte_range().and_then(|range| list(&[range.start, range.end])),
            "is_contiguous" => text(x.is_contiguous(self.order())),
            "alignment" => text(x.alignment()),
            "overlap" => text(x.overlap(y)),
            "is_reachable" => text(x.is_reachable()),
            "is_unique" => text(x.is_unique()),
            "describe" => text(x.describe()),
            "npy_save" => self.npy(Some(x)),
            "to_dlpack" => x.to_dlpack().and_then(back),
            "to_dlpack_copy" => x.to_dlpack_copy().and_then(back),
            "to_dlpack_legacy" => x.to_dlpack_legacy().and_then(back_legacy),
            "export" => self.export(x),
            _ => return None,
        })
    }

    /// The result, or status and text; `None` if Rust cannot express the case.
    fn outcome(&self) -> Option<String> {
        let import = |key: &str| match self.word(key) {
            "" | "x" => None,
            // SAFETY: the helper's tensors are truthful about their memory.
            made_of => Some(unsafe { Tensor::from_dlpack(made(made_of)) }.unwrap()),
        };
        let (mut x, mut y) = (import("x"), import("y"));
        if self.json["closed"] == true {
            return None;
        }
        match self.call(&mut x, y.as_mut())? {
            Ok(Told::Text(told)) => Some(told),
            Ok(Told::Cannot) => None,
            Err(error) => Some(format!("{} {}", error.kind().name(), error.message())),
        }
    }

    fn expected(&self) -> String {
        let fails = &self.json["fails"];
        match self.json["gives"].as_str() {
            Some(gives) => gives.into(),
            None => format!("{} {}", fails[0].as_str().unwrap(), fails[1].as_str().unwrap()),
        }
    }

    /// The key under which `languages.json` lists the case.
    fn listed<'l>(&self, cannot: &'l BTreeMap<String, Value>) -> Option<&'l String> {
        let closed = if self.json["closed"] == true { "closed" } else { "" };
        let keys = [self.word("op"), self.word("name"), closed];
        keys.iter()
            .find_map(|key| cannot.get_key_value(*key))
            .map(|(key, _)| key)
    }
}

fn items(ints: &[i64]) -> Vec<IndexItem> {
    let item = |part: &[i64]| match part[0] {
        0 => IndexItem::Range {
            start: part[1],
            count: part[2],
            step: part[3],
        },
        1 => IndexItem::One(part[1]),
        _ => IndexItem::New,
    };
    ints.chunks(4).map(item).collect()
}

fn read(name: &str) -> Value {
    let path = format!("{}/{name}.json", testing::CASES);
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// Nothing is left out in silence: a case agrees, or `languages.json` lists it and Rust indeed cannot say it.
#[test]
fn operations_give_what_they_give_in_every_language() {
    let _alone = alone();
    let languages = read("languages");
    let cannot: BTreeMap<String, Value> = serde_json::from_value(languages["cannot"]["rust"].clone()).unwrap();
    let folder = std::env::temp_dir().join(format!("dlferry-cases-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::env::set_current_dir(&folder).unwrap();
    let mut left_out = BTreeMap::<&String, usize>::new();
    let mut wrong = vec![];
    for file in [
        "view", "compare", "layout", "float", "npy", "exchange", "access", "move",
    ] {
        for json in read(file)["cases"].as_array().unwrap() {
            let case = Case { json, folder: &folder };
            let before = deleted_made();
            let (got, expected) = (case.outcome(), case.expected());
            let made = ["x", "y"]
                .iter()
                .filter(|key| !matches!(case.word(key), "" | "x"))
                .count();
            assert_eq!(deleted_made() - before, made as i64, "{json}");
            match case.listed(&cannot) {
                Some(key) => {
                    *left_out.entry(key).or_default() += 1;
                    if got.as_ref() == Some(&expected) {
                        wrong.push(format!("languages.json lists {key}, which Rust can say: {json}"));
                    }
                }
                None if got.as_ref() != Some(&expected) => {
                    wrong.push(format!("{}: expected {expected:?}, got {got:?}", case.word("name")));
                }
                None => (),
            }
        }
    }
    std::env::set_current_dir(testing::CASES).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    for (key, why) in &cannot {
        println!(
            "not expressible in Rust: {key}, {} cases: {why}",
            left_out.get(key).unwrap_or(&0)
        );
        assert!(
            left_out.contains_key(key),
            "no case needs the line of {key} in languages.json"
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
