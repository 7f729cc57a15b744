// SPDX-License-Identifier: Apache-2.0

package main

// static void empty(void) {}
import "C"

// empty is one call into C that does nothing: the unit of the ratios.
func empty() { C.empty() }
