// SPDX-License-Identifier: Apache-2.0

package dlferry

import "testing"

// Those that C opened are tested with the packages that open them.
func TestHandle_OneThatWasNeverOpenedIsClosed(t *testing.T) {
	for _, h := range []*Handle{nil, new(Handle)} {
		if h.Object() != 0 {
			t.Error("a handle that was never opened lends something")
		}
		h.Keep()
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	}
}
