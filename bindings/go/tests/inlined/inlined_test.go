// SPDX-License-Identifier: Apache-2.0

package inlined

import (
	"os/exec"
	"strings"
	"testing"
)

// inlines tells whether the compiler says so of a call in inlined.go.
func inlines(said []byte, method string) bool {
	for _, line := range strings.Split(string(said), "\n") {
		if strings.HasPrefix(line, "./inlined.go:") && strings.HasSuffix(line, "inlining call to dlferry."+method) {
			return true
		}
	}
	return false
}

func TestInlined_AccessToSingleElements(t *testing.T) {
	said, err := exec.Command("go", "build", "-gcflags=-m", ".").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	for _, element := range []string{"bool", "int16", "float32", "complex128"} {
		for _, method := range []string{"At1", "At2", "At3", "Set1", "Set2", "Set3"} {
			if name := "Elements[go.shape." + element + "]." + method; !inlines(said, name) {
				t.Errorf("%s is not inlined", name)
			}
		}
	}
}
