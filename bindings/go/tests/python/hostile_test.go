// SPDX-License-Identifier: Apache-2.0

//go:build python

package main

import (
	"errors"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"

	dlferry "github.com/dlferry/dlferry/bindings/go"
)

// hostile is Python's list of producers that no library would ship, which programs in other languages import too.
const hostile = "../../../../tests/cases/hostile.py"

func TestPython_HostileObjects(t *testing.T) {
	source, err := os.ReadFile(hostile)
	if err != nil {
		t.Fatal(err)
	}
	run(string(source))
	var names []string
	for _, found := range regexp.MustCompile(`(?m)^    "([^"]+)": `).FindAllStringSubmatch(string(source), -1) {
		names = append(names, found[1])
	}
	if count := int(number(evaluate("len(objects)"))); len(names) != count {
		t.Fatalf("%d names of %d objects", len(names), count)
	}
	try := func(t *testing.T, name string) {
		object := evaluate("objects['" + name + "']")
		defer drop(object)
		for _, mode := range []dlferry.CopyMode{dlferry.CopyIfNeeded, dlferry.CopyAlways, dlferry.CopyNever} {
			tensor, err := dlferry.FromPythonOn(object, dlferry.Device{}, mode)
			if err == nil {
				if got := tensor.Describe(); !strings.HasPrefix(got, "float32[2, 3]") {
					t.Errorf("%s: %s", name, got)
				}
				tensor.Close()
			}
			var own *dlferry.Error
			if (err == nil) != strings.HasPrefix(name, "+") || err != nil && (!errors.As(err, &own) || err.Error() == "") {
				if !(name == "+oldest" && mode != dlferry.CopyIfNeeded) {
					t.Errorf("%s with copy mode %d gives %v", name, mode, err)
				}
			}
			run("assert sys.exc_info() == (None, None, None)")
		}
	}
	for _, name := range names {
		before := references("array")
		try(t, name)
		run("kept = None; gc.collect()")
		if now := references("array"); now != before {
			t.Errorf("%s: %d references before, %d after", name, before, now)
		}
	}
	var group sync.WaitGroup
	for range 4 { // each on its own thread of C
		group.Add(1)
		go func() {
			defer group.Done()
			for _, name := range names {
				if name != "nested" && name != "+threads" {
					try(t, name)
				}
			}
		}()
	}
	group.Wait()
	run("objects.clear(); kept = None")
	if live := settled(); live != 0 {
		t.Errorf("%d tensors are alive", live)
	}
}
