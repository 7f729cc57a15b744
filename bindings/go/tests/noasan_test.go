// SPDX-License-Identifier: Apache-2.0

//go:build !asan

package tests

const asan = false
