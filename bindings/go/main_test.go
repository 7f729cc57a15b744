// SPDX-License-Identifier: Apache-2.0

package dlferry

import (
	"fmt"
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	status := m.Run()
	if live := Live(); status == 0 && live != 0 {
		fmt.Printf("FAIL: %d tensors are still alive\n", live)
		status = 1
	}
	os.Exit(status)
}

// Slots are reused, and a pin ends with its slot.
func TestQueue_SlotsAreUsedAgain(t *testing.T) {
	data := make([]byte, 100)
	for range 1000 {
		ReleaseDLPack(must(ToDLPack(data, 10, 10)))
	}
	if slots := len(*groups.Load()) * slotsInGroup; slots > slotsInGroup {
		t.Errorf("%d slots for one slice at a time", slots)
	}
}

// More owners than one drain takes.
func TestQueue_DrainsAll(t *testing.T) {
	tensors := make([]*Tensor, 300)
	for i := range tensors {
		tensors[i] = must(Wrap([]int32{1, 2}, 2))
	}
	before := Live()
	for _, tensor := range tensors {
		tensor.Close()
	}
	if got := before - Live(); got != 300 {
		t.Errorf("expected 300 gone, got %d", got)
	}
}
