// SPDX-License-Identifier: Apache-2.0

package module

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const borrowing = `package main

import (
	"fmt"
	"os"

	dlferry "github.com/dlferry/dlferry/bindings/go"
	"github.com/dlferry/dlferry/bindings/go/onnxruntime"
	ort "github.com/yalue/onnxruntime_go"
)

func main() {
	ort.SetSharedLibraryPath(os.Args[1])
	if err := ort.InitializeEnvironment(); err != nil {
		panic(err)
	}
	defer ort.DestroyEnvironment()
	tensor, err := dlferry.Wrap(make([]float32, 6), 2, 3)
	if err != nil {
		panic(err)
	}
	value, err := onnxruntime.Input(tensor)
	tensor.Close()
	fmt.Println(value.GetShape(), err, dlferry.Live())
	fmt.Println(value.Destroy(), dlferry.Live())
}
`

// The sub-module comes from the release's proxy, by its own tag, and onnxruntime_go from where set-up has put it.
func TestModule_Onnxruntime(t *testing.T) {
	library := os.Getenv("DLFERRY_ONNXRUNTIME")
	if library == "" {
		t.Skip("needs DLFERRY_ONNXRUNTIME")
	}
	u := newUser(t, filepath.Join(t.TempDir(), "user"))
	modules := strings.TrimSpace(user{t, u.folder, nil}.must("go", "env", "GOMODCACHE"))
	u.environment = append(u.environment, u.environment[0]+",file://"+filepath.Join(modules, "cache", "download"))
	must(t, os.WriteFile(filepath.Join(u.folder, "main.go"), []byte(borrowing), 0o666))
	u.must("go", "mod", "init", "example.com/user")
	u.must("go", "get", hub+"/onnxruntime@"+version)
	if got := u.must("go", "run", ".", library); got != "[2 3] <nil> 1\n<nil> 0\n" {
		t.Errorf("it prints %q", got)
	}
	sums, err := os.ReadFile(filepath.Join(u.folder, "go.sum"))
	must(t, err)
	if !strings.Contains(string(sums), hub+" "+version+" ") {
		t.Errorf("the main module is not the release's: %s", sums)
	}
}
