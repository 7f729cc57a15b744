// SPDX-License-Identifier: Apache-2.0

// Package generated makes packages with dlferry-bind, which DLFERRY_BIND names, and uses each from a program.
package generated

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const hub = "github.com/dlferry/dlferry/bindings/go"

// A header and its source, without their endings.
var (
	odd   = "../../../../tests/bind/odd"
	kinds = "../../../../tests/bind/kinds"
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

// generate makes a Go package of PATH.h and PATH.c below work, in a folder of its name.
func generate(t *testing.T, work, path string, flags ...string) {
	t.Helper()
	bind := os.Getenv("DLFERRY_BIND")
	if bind == "" {
		t.Skip("not run: DLFERRY_BIND does not name dlferry-bind")
	}
	name := filepath.Base(path)
	words := append([]string{bind, path + ".h", "--name", name, "--lang", "go", "--strict", "--source", path + ".c",
		"--out", filepath.Join(work, name)}, flags...)
	run(t, ".", words...)
	if got := run(t, work, "gofmt", "-d", name); got != "" {
		t.Errorf("gofmt would write\n%s", got)
	}
}

// newUser makes a program of testdata/PROGRAM over packages made below work, and returns its folder.
func newUser(t *testing.T, work, program string, modules map[string]string) string {
	t.Helper()
	root, err := filepath.Abs("../..")
	must(t, err)
	user := filepath.Join(work, "user")
	must(t, os.CopyFS(user, os.DirFS(filepath.Join("testdata", program))))
	data, err := os.ReadFile("testdata/expect.go")
	must(t, err)
	must(t, os.WriteFile(filepath.Join(user, "expect.go"), data, 0o666))
	run(t, user, "go", "mod", "init", "user")
	edit := []string{"go", "mod", "edit", "-require", hub + "@v0.3.0", "-replace", hub + "=" + root}
	for module, folder := range modules {
		edit = append(edit, "-require", module+"@v0.1.0", "-replace", module+"="+filepath.Join(work, folder, "go"))
	}
	run(t, user, edit...)
	return user
}

// use runs testdata/PROGRAM/main.go over packages made below work, and returns its folder.
func use(t *testing.T, work, program string, modules map[string]string) string {
	t.Helper()
	user := newUser(t, work, program, modules)
	vet := []string{"go", "vet", "."}
	for module := range modules {
		vet = append(vet, module)
	}
	run(t, user, vet...)
	if program == "kinds" && !testing.Short() { // the tests that the package carries
		run(t, user, "go", "test", "-vet=off", program)
	}
	if got := run(t, user, "go", "run", "."); got != "good\n" {
		t.Error(got)
	}
	return user
}

// race runs a program under the race detector, which compiles the hub again.
func race(t *testing.T, user string) {
	t.Helper()
	if testing.Short() {
		return
	}
	if got := run(t, user, "go", "run", "-race", "."); got != "good\n" {
		t.Error("with the race detector: " + got)
	}
}

// vendored runs a program with its packages vendored, where each folder with a header that C needs must have come along.
func vendored(t *testing.T, user string) {
	t.Helper()
	if testing.Short() {
		return
	}
	run(t, user, "go", "mod", "vendor")
	run(t, user, "go", "build", "-mod=vendor", "-o", "program", ".")
	if got := run(t, user, "./program"); got != "good\n" {
		t.Error("vendored: " + got)
	}
}

func TestGenerated_OddHeader(t *testing.T) {
	work := t.TempDir()
	generate(t, work, odd)
	race(t, use(t, work, "odd", map[string]string{"odd": "odd"}))
}

// Lists, arrays, tensors that are given, scalars that come back, handles, hooks, streams, texts.
func TestGenerated_Kinds(t *testing.T) {
	work := t.TempDir()
	generate(t, work, kinds)
	race(t, use(t, work, "kinds", map[string]string{"kinds": "kinds"}))
}

// Two packages in one program, each under a path of its own, with static C functions of the same names.
func TestGenerated_TwoInOneProgram(t *testing.T) {
	work := t.TempDir()
	generate(t, work, kinds, "--go-module", "example.com/a/kinds")
	generate(t, work, odd, "--go-module", "example.com/b/odd")
	vendored(t, use(t, work, "both", map[string]string{"example.com/a/kinds": "kinds", "example.com/b/odd": "odd"}))
}

// The tests that packages carry. They contain every call; a key cannot be made of zeros; and they can fail: another text,
// another status, a refusal where there is none, other arguments, a line too few are each seen.
func TestGenerated_TestsOfContracts(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the C sources again")
	}
	work := t.TempDir()
	generate(t, work, odd)
	folder := filepath.Join(work, "odd", "go")
	golden, err := os.ReadFile(filepath.Join(folder, "testdata", "golden.txt"))
	must(t, err)
	told, err := exec.Command(os.Getenv("DLFERRY_BIND"), odd+".h", "--name", "odd", "--cases").Output()
	must(t, err)
	count := 0
	for _, line := range strings.Split(string(told), `{"name": "`)[1:] {
		name, _, _ := strings.Cut(line, `"`)
		if !strings.Contains(string(golden), "\n"+name+"\t") {
			t.Errorf("%s is not in golden.txt", name)
		}
		count++
	}
	if got := strings.Count("\n"+string(golden), "\n") - strings.Count("\n"+string(golden), "\n#") - 1; got != count || count < 50 {
		t.Errorf("expected %d calls, got %d", count, got)
	}

	root, err := filepath.Abs("../..")
	must(t, err)
	run(t, folder, "go", "mod", "edit", "-replace", hub+"="+root)
	wrong := map[string][2]string{
		"box_fill/box_closed": {"an open box, got a closed one", "an open box"},
		"split/match_dtype":   {"\tDTYPE\t", "\tSHAPE\t"},
		"split/accepted":      {"\tOK\t", "\tSHAPE\t"},
		"split/match_ndim":    {"f32[2, 2]\"", "f32[2]\""},
	}
	changed := ""
	for line := range strings.Lines(string(golden)) {
		name, _, _ := strings.Cut(line, "\t")
		if name != "split/whole_n" {
			changed += strings.Replace(line, wrong[name][0], wrong[name][1], 1)
		}
	}
	must(t, os.WriteFile(filepath.Join(folder, "testdata", "golden.txt"), []byte(changed), 0o666))
	command := exec.Command("go", "test", "-v", "-vet=off", ".")
	command.Dir = folder
	out, err := command.CombinedOutput()
	if err == nil || strings.Count(string(out), "--- FAIL: TestContracts/") != len(wrong) ||
		!strings.Contains(string(out), fmt.Sprintf("expected golden.txt to have %d calls, got %d", count, count-1)) ||
		!strings.Contains(string(out), "--- SKIP: TestContracts/key_turn/accepted") {
		t.Errorf("with golden.txt changed the tests say %v: %s", err, out)
	}
	for name := range wrong {
		if !strings.Contains(string(out), "--- FAIL: TestContracts/"+name+" ") {
			t.Errorf("%s passes: %s", name, out)
		}
	}
}

// Names that differ in C only.
func TestGenerated_RefusesTwoOfOneName(t *testing.T) {
	bind := os.Getenv("DLFERRY_BIND")
	if bind == "" {
		t.Skip("not run: DLFERRY_BIND does not name dlferry-bind")
	}
	for text, want := range map[string]string{
		"enum x_o_options {X_A}; /** @contract n = 1 */ void x_o(int n);": "x_o_options and the options of x_o would both be called OOptions in Go",
		"enum x_mode {X_FAST}; int x_fast(void);":                         "X_FAST and x_fast would both be called Fast in Go",
		"void x_add(int first_one, int firstOne);":                        "x_add: first_one and x_add: firstOne would both be called firstOne in Go",
	} {
		work := t.TempDir()
		must(t, os.WriteFile(filepath.Join(work, "x.h"), []byte(text), 0o666))
		command := exec.Command(bind, "x.h", "--name", "x", "--lang", "go", "--strict", "--out", "out")
		command.Dir = work
		out, err := command.CombinedOutput()
		if err == nil || !strings.Contains(string(out), want) {
			t.Errorf("%s: expected %q, got %v: %s", text, want, err, out)
		}
	}
}

// Names of packages that Go keeps for itself, and one that as a file's would mean another system.
func TestGenerated_Names(t *testing.T) {
	bind := os.Getenv("DLFERRY_BIND")
	if bind == "" {
		t.Skip("not run: DLFERRY_BIND does not name dlferry-bind")
	}
	for _, name := range []string{"type", "main", "x_test"} {
		command := exec.Command(bind, odd+".h", "--name", name, "--lang", "go", "--out", t.TempDir())
		out, err := command.CombinedOutput()
		if err == nil || !strings.Contains(string(out), "--name "+name+": no Go package") {
			t.Errorf("%s: got %v: %s", name, err, out)
		}
	}
	work := t.TempDir()
	run(t, ".", bind, odd+".h", "--name", "x_windows", "--prefix", "odd_", "--lang", "go", "--out", work)
	if got := run(t, filepath.Join(work, "go"), "go", "list", "-f", "{{.Name}} {{.CgoFiles}}"); got != "x_windows [x_windows_go.go]\n" {
		t.Errorf("go list says %q", got)
	}
}

// Packages that need one thing only, imports and helpers included.
func TestGenerated_EachKindAlone(t *testing.T) {
	bind := os.Getenv("DLFERRY_BIND")
	if bind == "" || testing.Short() {
		t.Skip("not run: DLFERRY_BIND does not name dlferry-bind, or the tests are to be short")
	}
	root, err := filepath.Abs("../..")
	must(t, err)
	for name, text := range map[string]string{
		"function": "void function_f(void);",
		"enum":     "enum enum_mode {ENUM_FAST, ENUM_SLOW};\nenum enum_mode enum_f(void);",
		"text":     "const char *text_f(void);",
		"handle":   "typedef struct handle_box handle_box; handle_box *handle_box_new(void); void handle_box_free(handle_box *b);",
		"list":     "#include <dlpack/dlpack.h>\n#include <stdint.h>\n/** @contract x: f64[n] *m */\nvoid list_f(const DLTensor *const *x, int64_t m);",
		"array":    "#include <stdint.h>\n/** @contract x: u8 *m */\nvoid array_f(const uint8_t *x, int64_t m);",
		"back":     "#include <stdbool.h>\n/** @contract yes: out */\nvoid back_f(bool *yes, const char *text);",
		"given":    "#include <dlferry.h>\nvoid given_f(dlf_stream s);\nvoid given_g(DLManagedTensorVersioned **out);",
	} {
		work := t.TempDir()
		must(t, os.WriteFile(filepath.Join(work, name+".h"), []byte(text+"\n"), 0o666))
		run(t, work, bind, name+".h", "--name", name, "--lang", "go", "--out", ".")
		if got := run(t, work, "gofmt", "-d", "go"); got != "" {
			t.Errorf("%s: gofmt would write\n%s", name, got)
		}
		run(t, filepath.Join(work, "go"), "go", "mod", "edit", "-replace", hub+"="+root)
		run(t, filepath.Join(work, "go"), "go", "vet", ".")
	}
}
