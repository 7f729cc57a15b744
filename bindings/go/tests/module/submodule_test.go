// SPDX-License-Identifier: Apache-2.0

package module

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The program of each sub-module's README, and what it prints; nothing if it needs a file that is not here.
var submodules = map[string]string{
	"arrow":       "float64[3] cpu read-only\n[1., 2., 3.]\n[1 2 3]\n0\n",
	"gonum":       "float64[2, 2] strides [3, 1] cpu\n[[4., 5.],\n [7., 8.]]\n-1.33 1\n",
	"onnxruntime": "",
}

// A user gets a sub-module from the release's proxy, and the libraries that it joins from the cache of set-up, which
// has a proxy's layout.
func TestSubmodule_ConsumedByAUser(t *testing.T) {
	cache := os.Getenv("GOMODCACHE")
	if cache == "" {
		t.Skip("needs GOMODCACHE with the modules of bindings/go")
	}
	for name, want := range submodules {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			u := newUser(t, folder)
			u.environment = append(u.environment, "GOPROXY=file://"+filepath.Join(release, "go")+",file://"+
				filepath.Join(cache, "cache", "download"))
			u.must("go", "mod", "init", "example.com/user")
			u.must("go", "get", hub+"/"+name+"@"+version)
			must(t, os.WriteFile(filepath.Join(folder, "main.go"), []byte(u.readme(hub + "/" + name)[0]), 0o666))
			u.must("go", "get", ".")
			u.must("go", "build", "-trimpath", "-o", "program", ".") // so that a later run finds it built
			if want == "" {
				return
			}
			if got := u.must("./program"); got != want {
				t.Errorf("it prints %q", got)
			}
		})
	}
}

func TestSubmodule_EachIsPublished(t *testing.T) {
	newUser(t, t.TempDir())
	manifests, err := filepath.Glob("../../*/go.mod")
	must(t, err)
	found := 0
	for _, manifest := range manifests {
		name := filepath.Base(filepath.Dir(manifest))
		if name == "tests" {
			continue
		}
		found++
		if _, known := submodules[name]; !known {
			t.Errorf("%s has no program here", name)
		}
		path := filepath.Join(release, "go", filepath.FromSlash(hub), name, "@v", version+".zip")
		if _, err := os.Stat(path); err != nil {
			t.Errorf("the release has no %s: %v", name, err)
		}
		u := user{t, filepath.Join(release, "repository"), nil}
		if tag := "bindings/go/" + name + "/" + version; strings.TrimSpace(u.must("git", "tag", "--list", tag)) != tag {
			t.Errorf("the release has no tag %s", tag)
		}
	}
	if found != len(submodules) {
		t.Errorf("%d sub-modules, expected %d", found, len(submodules))
	}
}

// The main module's manifest names no other module, so that its users get nothing else.
func TestModule_DependsOnNothing(t *testing.T) {
	manifest, err := os.ReadFile("../../go.mod")
	must(t, err)
	if text := string(manifest); strings.Contains(text, "require") || strings.Contains(text, "replace") {
		t.Errorf("it is %q", text)
	}
}
