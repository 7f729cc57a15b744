// SPDX-License-Identifier: Apache-2.0
#![doc = include_str!("../docs/soundness.md")]
