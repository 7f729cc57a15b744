// SPDX-License-Identifier: Apache-2.0

package generated

import (
	"errors"
	"testing"

	dlferry "github.com/dlferry/dlferry/bindings/go"
)

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

// If C has no memory for a text, it gives only the status.
func TestFailed_StatusAlone(t *testing.T) {
	if err := Failed(0); err != nil {
		t.Errorf("expected no error, got %v", err)
	}
	err := Failed(uintptr(dlferry.ErrNoMemory))
	if !errors.Is(err, dlferry.ErrNoMemory) || err.Error() != "NO_MEMORY" {
		t.Errorf("expected NO_MEMORY, got %v", err)
	}
}
