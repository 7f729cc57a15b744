// SPDX-License-Identifier: Apache-2.0

package dlferry

import "testing"

// The packages that open C objects test those.
func TestObject_OneThatWasNeverOpenedIsClosed(t *testing.T) {
	for _, o := range []*Object{nil, new(Object)} {
		if o.Lend() != 0 {
			t.Error("an object that was never opened lends something")
		}
		o.Keep()
		if err := o.Close(); err != nil {
			t.Error(err)
		}
	}
}
