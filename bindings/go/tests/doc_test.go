// SPDX-License-Identifier: Apache-2.0

package tests

import (
	"bytes"
	"os/exec"
	"testing"
)

// A newcomer reads the list of all that the package has: two screens.
func TestDoc_FitsTwoScreens(t *testing.T) {
	text, err := exec.Command("go", "doc", "github.com/dlferry/dlferry/bindings/go").Output()
	if err != nil {
		t.Fatal(err)
	}
	if lines := bytes.Count(text, []byte("\n")); lines < 50 || lines > 110 {
		t.Errorf("expected 50 to 110 lines of go doc, got %d", lines)
	}
}
