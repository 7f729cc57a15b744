// SPDX-License-Identifier: Apache-2.0

package dlferry

import "testing"

// The packages that open C handles test those.
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
