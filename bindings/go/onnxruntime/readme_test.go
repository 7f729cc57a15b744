// SPDX-License-Identifier: Apache-2.0

package onnxruntime_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
)

// The README's program, in a folder with a model y = -x, with the library on the loader's path.
func TestReadme(t *testing.T) {
	page := string(must(os.ReadFile("README.md")))
	_, program, _ := strings.Cut(page, "```go\n")
	program, _, _ = strings.Cut(program, "```")
	folder := t.TempDir()
	check(os.WriteFile(filepath.Join(folder, "main.go"), []byte(program), 0o666))
	negating := model(node("Neg", "x", "y"), variable(11, "x", float, -1, -1), variable(12, "y", float, -1, -1))
	check(os.WriteFile(filepath.Join(folder, "model.onnx"), negating, 0o666))
	words := []string{"build", "-o", filepath.Join(folder, "program")}
	info, _ := debug.ReadBuildInfo()
	for _, setting := range info.Settings {
		if setting.Key == "-race" && setting.Value == "true" {
			words = append(words, "-race") // as this test, so that nothing is compiled a second time
		}
	}
	if out, err := exec.Command("go", append(words, filepath.Join(folder, "main.go"))...).CombinedOutput(); err != nil {
		t.Fatalf("%s\n%s", err, out)
	}
	run := exec.Command("./program")
	run.Dir = folder
	run.Env = append(os.Environ(), "LD_LIBRARY_PATH="+filepath.Dir(os.Getenv("DLFERRY_ONNXRUNTIME")))
	out, err := run.CombinedOutput()
	if got := string(out); err != nil || got != "[-1 -2 -3 -4 -5 -6] <nil>\n" {
		t.Errorf("it prints %q, %v", got, err)
	}
}
