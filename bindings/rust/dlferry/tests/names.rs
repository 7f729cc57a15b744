// SPDX-License-Identifier: Apache-2.0
//! Dtypes, devices, errors and versions as text.

use dlferry::{DType, Device, Error, ErrorKind};

#[test]
fn dtypes_go_both_ways() {
    let all = [
        (DType::BOOL, "bool", "bool"),
        (DType::I8, "int8", "i8"),
        (DType::U64, "uint64", "u64"),
        (DType::F16, "float16", "f16"),
        (DType::BF16, "bfloat16", "bf16"),
        (DType::C64, "complex64", "c64"),
        (DType::new(10, 8), "float8_e4m3fn", "f8_e4m3fn"),
        (DType { lanes: 4, ..DType::U8 }, "uint8x4", "u8_x4"),
    ];
    for (dtype, name, short) in all {
        assert_eq!((dtype.to_string().as_str(), dtype.short_name().as_str()), (name, short));
        assert_eq!(
            (name.parse::<DType>().unwrap(), DType::parse(short).unwrap()),
            (dtype, dtype)
        );
    }
    let unknown = DType::new(77, 24);
    assert_eq!(DType::parse(&unknown.to_string()).unwrap(), unknown);
    assert_eq!(
        format!("{:>9}|{:?}", DType::F32, DType::F32),
        "  float32|DType(float32)"
    );
    for wrong in ["floaty", "", "ſ"] {
        assert_eq!(DType::parse(wrong).unwrap_err().kind(), ErrorKind::Dtype, "{wrong:?}");
    }
}

#[test]
fn devices_go_both_ways() {
    for (device, name) in [(Device::CPU, "cpu"), (Device { kind: 2, id: 1 }, "cuda:1")] {
        assert_eq!(
            (device.to_string().as_str(), name.parse::<Device>().unwrap()),
            (name, device)
        );
    }
    let unknown = Device { kind: 200, id: 7 };
    assert_eq!(Device::parse(&unknown.to_string()).unwrap(), unknown);
    assert_eq!(Device::parse("toaster").unwrap_err().kind(), ErrorKind::Device);
    assert!(Device::CPU.is_cpu_accessible() && Device::parse("cuda_host").is_ok_and(Device::is_cpu_accessible));
    assert!(!Device::parse("cuda:0").unwrap().is_cpu_accessible());
}

#[test]
fn kinds_follow_the_statuses_of_c() {
    let names = "INVALID BOUNDS OVERFLOW DTYPE SHAPE DEVICE LAYOUT READ_ONLY VERSION NO_MEMORY FOREIGN UNSUPPORTED";
    for (status, name) in (1..).zip(names.split(' ')) {
        let kind = ErrorKind::from_status(status);
        assert_eq!((kind.status(), kind.name()), (status, name));
        assert_eq!(format!("{kind:?}").to_uppercase(), name.replace('_', ""));
    }
    for unknown in [i32::MIN, -1, 0, 13, i32::MAX] {
        assert_eq!(ErrorKind::from_status(unknown), ErrorKind::Foreign);
    }
}

#[test]
fn errors_are_small_and_print() {
    let error = Error::new(ErrorKind::Shape, "a: expected 2, got 3");
    assert_eq!(error.to_string(), "a: expected 2, got 3");
    assert_eq!(
        format!("{error:?}"),
        r#"Error { kind: Shape, message: "a: expected 2, got 3" }"#
    );
    assert_eq!(size_of::<dlferry::Result<()>>(), size_of::<usize>());
    let boxed: Box<dyn std::error::Error + Send + Sync> = error.into();
    assert!(boxed.source().is_none());
}

#[test]
fn the_version_is_the_crates() {
    assert_eq!(dlferry::version(), env!("CARGO_PKG_VERSION"));
}

#[test]
fn oneapi_needs_dpctls_library() {
    // SAFETY: there is no such file.
    let error = unsafe { dlferry::oneapi_enable(Some(c"/nowhere/libDPCTLSyclInterface.so")) }.unwrap_err();
    // A program of musl is static, and loads no libraries.
    let (kind, text) = if cfg!(all(target_env = "musl", target_feature = "crt-static")) {
        (
            ErrorKind::Unsupported,
            "oneapi_enable: expected a program with dlopen, got ",
        )
    } else {
        (ErrorKind::Foreign, "oneapi_enable: expected dpctl's C library, got: ")
    };
    assert_eq!(error.kind(), kind);
    assert!(error.to_string().starts_with(text));
}
