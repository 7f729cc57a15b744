// SPDX-License-Identifier: Apache-2.0

package module

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	command = hub + "/cmd/dlferry-bind"
	app     = `package main

//go:generate go run github.com/dlferry/dlferry/bindings/go/cmd/dlferry-bind c/kernels.h --name kernels --source c/kernels.c --lang go OPTION --out made

import (
	"fmt"

	dlferry "github.com/dlferry/dlferry/bindings/go"

	kernels "PACKAGE"
)

func main() {
	x := dlferry.Of([]float32{1, 2, 3}, 3)
	doubled, err := kernels.Scale(x, kernels.ScaleOptions{})
	if err != nil {
		panic(err)
	}
	sum, err := kernels.Sum(doubled)
	doubled.Close()
	fmt.Println(sum, err, dlferry.Live())
	fmt.Println(kernels.ScaleInto(x, kernels.ScaleOptions{}, dlferry.Of(make([]float32, 2), 2)))
}
`
	appOutput = "12 <nil> 0\nscale: out[n] is 2, expected 3 as x[n]; got f32[2], wanted f32[n]\n"
)

// makeApp makes a user's module with a C header, and a program over the package to be made from it.
func makeApp(t *testing.T, option, path string) user {
	t.Helper()
	u := newUser(t, filepath.Join(t.TempDir(), "app"))
	must(t, os.CopyFS(filepath.Join(u.folder, "c"), os.DirFS("../../../../tests/packages/kernels")))
	text := strings.NewReplacer("OPTION", option, "PACKAGE", path).Replace(app)
	must(t, os.WriteFile(filepath.Join(u.folder, "main.go"), []byte(text), 0o666))
	u.must("go", "mod", "init", "example.com/app")
	return u
}

func TestModule_GoGenerateMakesAPackageOfTheUsersOwnModule(t *testing.T) {
	u := makeApp(t, "--go-package example.com/app/made/go", "example.com/app/made/go")
	u.must("go", "get", "-tool", command+"@"+version)
	u.must("go", "generate", ".")
	if got := u.must("go", "run", "."); got != appOutput {
		t.Errorf("it prints %q", got)
	}
	if got := u.must("go", "vet", "./..."); got != "" {
		t.Errorf("vet says %q", got)
	}
	if got := u.must("go", "test", "-vet=off", "./made/..."); !strings.HasPrefix(got, "ok  \texample.com/app/made/go") {
		t.Errorf("its tests say %q", got)
	}

	// Vendored, with the command that is among the module's tools.
	u.must("go", "mod", "vendor")
	must(t, os.RemoveAll(filepath.Join(u.folder, "made")))
	u.environment = append(u.environment, "GOPROXY=off", "GOFLAGS=-mod=vendor")
	u.must("go", "generate", ".")
	if got := u.must("go", "run", "."); got != appOutput {
		t.Errorf("vendored it prints %q", got)
	}
	arguments := []string{"go", "tool", "dlferry-bind", "c/kernels.h", "--name", "kernels", "--source", "c/kernels.c",
		"--lang", "go", "--go-package", "example.com/app/made/go", "--out", "made", "--check"}
	if got := u.must(arguments...); got != "" {
		t.Errorf("--check says %q of what was just made", got)
	}

	// A refusal has the generator's text, and names stale files.
	header := filepath.Join(u.folder, "c", "kernels.h")
	text, err := os.ReadFile(header)
	must(t, err)
	must(t, os.WriteFile(header, append(text, "int kernels_late(int x);\n"...), 0o666))
	if got, err := u.run(arguments...); err == nil || !strings.Contains(got, "go/kernels.go") {
		t.Errorf("--check says %q of what is stale", got)
	}
	must(t, os.WriteFile(header, append(text, "int kernels_late(@);\n"...), 0o666))
	if got, err := u.run("go", "generate", "."); err == nil || !strings.Contains(got, "dlferry-bind: c/kernels.h:22: ") {
		t.Errorf("a broken header gives %q", got)
	}
	if got := u.must("go", "tool", "dlferry-bind", "--version"); got != "dlferry-bind "+version[1:]+"\n" {
		t.Errorf("the version is %q", got)
	}
	u.environment = append(u.environment, "CGO_ENABLED=0")
	if got, err := u.run("go", "build", command); err == nil || !strings.Contains(got, "dlferry_needs_cgo") {
		t.Errorf("without cgo it says %q", got)
	}
}

func TestModule_GoGenerateMakesAModule(t *testing.T) {
	u := makeApp(t, "--go-module example.com/kernels", "example.com/kernels")
	u.must("go", "get", command+"@"+version)
	u.must("go", "generate", ".")
	u.must("go", "mod", "edit", "-require", "example.com/kernels@v0.0.0", "-replace", "example.com/kernels=./made/go")
	if got := u.must("go", "run", "."); got != appOutput {
		t.Errorf("it prints %q", got)
	}
}
