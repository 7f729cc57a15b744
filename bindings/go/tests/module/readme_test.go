// SPDX-License-Identifier: Apache-2.0

package module

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var goBlock = regexp.MustCompile("(?s)```go\n(.*?)```")

// blocks returns the Go code of a README, the program first.
func blocks(t *testing.T, path string) []string {
	t.Helper()
	text, err := os.ReadFile(path)
	must(t, err)
	var found []string
	for _, block := range goBlock.FindAllSubmatch(text, -1) {
		found = append(found, string(block[1]))
	}
	if len(found) == 0 || !strings.HasPrefix(found[0], "package main\n") {
		t.Fatalf("%s has no program", path)
	}
	return found
}

// readme returns the Go code in the README of a module that the user has got.
func (u user) readme(module string) []string {
	u.t.Helper()
	folder := strings.TrimSpace(u.must("go", "list", "-m", "-f", "{{.Dir}}", module))
	return blocks(u.t, filepath.Join(folder, "README.md"))
}

// pieces puts a README's pieces of code, which name what a reader has, into functions.
const pieces = `package main

import (
	"fmt"
	"image"
	"slices"
	"unsafe"

	dlferry "github.com/dlferry/dlferry/bindings/go"
	"photo"
)

func strided(picture *image.RGBA) {
	PIECE 0
}

func sorted(t *dlferry.Tensor) {
	PIECE 1
	fmt.Println(err, t)
}

func weighted(e dlferry.Elements[float32], weights []float32) {
	PIECE 2
}

func python(array, numpy unsafe.Pointer) { // needs one: tests/python runs it
	PIECE 3
	fmt.Println(made, err)
}

func filtered(luma []float32, image *dlferry.Tensor) {
	PIECE 4
	fmt.Println(err)
	edges.Close()
}

func main() {
	strided(image.NewRGBA(image.Rect(0, 0, 3, 2)))
	t, err := dlferry.Wrap([]float32{3, 1, 2, 0}, 2, 2)
	if err != nil {
		panic(err)
	}
	sorted(t)
	if err := dlferry.With(t, func(e dlferry.Elements[float32]) error { weighted(e, []float32{1, 10}); return nil }); err != nil {
		panic(err)
	}
	fmt.Println(t)
	t.Close()
	luma := make([]float32, 480*640)
	whole, err := dlferry.Wrap(luma, 480, 640)
	if err != nil {
		panic(err)
	}
	filtered(luma, whole)
	whole.Close()
	fmt.Println(dlferry.Live())
	if t == nil {
		python(nil, nil)
	}
}
`

// What the READMEs show, typed in by a user who has only the release: the module from its proxy, and the package that the
// first README's command made with the release's generator.
func TestModule_TheReadmesPrograms(t *testing.T) {
	packages := os.Getenv("DLFERRY_README_PACKAGES")
	if packages == "" {
		t.Skip("needs DLFERRY_README_PACKAGES")
	}
	u := newUser(t, t.TempDir())
	u.must("go", "mod", "init", "example.com/user")
	u.must("go", "get", hub+"@"+version)
	u.must("go", "mod", "edit", "-require", "photo@v0.1.0", "-replace", "photo="+filepath.Join(packages, "go"))
	page := u.readme(hub)
	if len(page) != 7 || !strings.HasPrefix(page[5], "//go:generate ") { // which bind_test.go runs
		t.Fatalf("its README has %d blocks of Go, expected 7", len(page))
	}
	text := strings.NewReplacer("PIECE 0", page[1], "PIECE 1", page[2], "PIECE 2", page[3], "PIECE 3", page[4],
		"PIECE 4", page[6]).Replace(pieces)
	for name, program := range map[string]struct{ source, output string }{
		"first":  {blocks(t, filepath.Join(release, "repository", "README.md"))[0], "0.1592\n"},
		"module": {page[0], "50\nfloat32[2, 3] cpu\n[[ 0.,  1.,  2.],\n [ 3.,  4., 50.]]\n"},
		"pieces": {text, "<nil> float32[2, 2] cpu\n[[0., 1.],\n [2., 3.]]\nfloat32[2, 2] cpu\n[[ 0.,  1.],\n [20., 30.]]\n<nil>\n0\n"},
	} {
		must(t, os.Mkdir(filepath.Join(u.folder, name), 0o777))
		must(t, os.WriteFile(filepath.Join(u.folder, name, "main.go"), []byte(program.source), 0o666))
		if got := u.must("go", "run", "./"+name); got != program.output {
			t.Errorf("%s prints %q", name, got)
		}
	}
}
