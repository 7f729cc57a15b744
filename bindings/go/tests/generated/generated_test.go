// SPDX-License-Identifier: Apache-2.0

// Package generated makes a package of testdata/odd.h with dlferry-bind, which DLFERRY_BIND names, and uses it.
package generated

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func run(t *testing.T, folder string, words ...string) string {
	t.Helper()
	command := exec.Command(words[0], words[1:]...)
	command.Dir = folder
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", words, err, out)
	}
	return string(out)
}

func TestGenerated_OddHeader(t *testing.T) {
	bind := os.Getenv("DLFERRY_BIND")
	if bind == "" {
		t.Skip("not run: DLFERRY_BIND does not name dlferry-bind")
	}
	hub, err := filepath.Abs("../..")
	must(t, err)
	work := t.TempDir()
	run(t, "testdata", bind, "odd.h", "--name", "odd", "--lang", "go", "--strict", "--source", "odd.c", "--out", work)
	if got := run(t, work, "gofmt", "-d", "go"); got != "" {
		t.Errorf("gofmt would write\n%s", got)
	}
	user := filepath.Join(work, "user")
	must(t, os.Mkdir(user, 0o777))
	program, err := os.ReadFile("testdata/main.go")
	must(t, err)
	must(t, os.WriteFile(filepath.Join(user, "main.go"), program, 0o666))
	run(t, user, "go", "mod", "init", "user")
	const path = "github.com/dlferry/dlferry/bindings/go"
	run(t, user, "go", "mod", "edit", "-require", path+"@v0.1.0", "-require", "odd@v0.1.0",
		"-replace", path+"="+hub, "-replace", "odd=../go")
	run(t, user, "go", "vet", ".", "odd")
	if got := run(t, user, "go", "run", "."); got != "good\n" {
		t.Error(got)
	}
	run(t, user, "go", "mod", "vendor") // the folder dlpack must come along
	run(t, user, "go", "build", "-mod=vendor", "-o", "program", ".")
}
