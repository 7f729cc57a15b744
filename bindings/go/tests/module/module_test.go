// SPDX-License-Identifier: Apache-2.0

// Package module consumes the binding, as it is published, and a generated package as a user does: from a module proxy, by
// the tag of a repository, vendored, without cgo. Its tests need DLFERRY_RELEASE, a folder that core/release.cmake wrote.
package module

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

const (
	hub     = "github.com/dlferry/dlferry/bindings/go"
	photo   = "example.com/photo"
	program = `package main

import (
	"fmt"
	"os"

	dlferry "github.com/dlferry/dlferry/bindings/go"

	"example.com/photo"
)

func main() {
	rgb := make([]uint8, 4*5*3)
	for i := range rgb {
		rgb[i] = 255
	}
	luma, err := photo.Gray(dlferry.Of(rgb, 4, 5, 3))
	if err != nil {
		panic(err)
	}
	edges := make([]float32, 4*5)
	if err := photo.SobelInto(luma, dlferry.Of(edges, 4, 5)); err != nil {
		panic(err)
	}
	fmt.Println(photo.SobelInto(luma, dlferry.Of(edges, 5, 4)))
	turned, err := luma.Permute(1, 0)
	if err != nil {
		panic(err)
	}
	fmt.Println(turned.Describe())
	fmt.Println(turned.Equal(luma))
	path := os.Args[0] + ".npy"
	if err := dlferry.NpySave(turned, path); err != nil {
		panic(err)
	}
	read, err := dlferry.NpyOpen(path)
	if err != nil {
		panic(err)
	}
	fmt.Println(read.AllClose(turned, 0, 0, false))
	read.Close()
	turned.Close()
	mean, err := photo.Mean(luma)
	luma.Close()
	fmt.Println(mean, edges[0], err, dlferry.Live(), photo.CornerTopLeft)
}
`
	output = "sobel: out[h] is 5, expected 4 as image[h]; got f32[5, 4], wanted f32[h, w] noalias\n" +
		"float32[5, 4] strides [1, 5] cpu\nfalse <nil>\ntrue <nil>\n1 0 <nil> 0 CornerTopLeft\n"
)

var (
	release = os.Getenv("DLFERRY_RELEASE")
	version string // of the release
	shared  string // a folder with the users' own proxy and the module cache of all tests here
)

func TestMain(m *testing.M) {
	folder, err := os.MkdirTemp("", "module")
	if err != nil {
		panic(err)
	}
	shared = folder
	if release != "" {
		list, err := os.ReadFile(filepath.Join(release, "go", filepath.FromSlash(hub), "@v", "list"))
		if err != nil {
			panic(err)
		}
		version = strings.TrimSpace(string(list))
	}
	status := m.Run()
	os.RemoveAll(shared)
	os.Exit(status)
}

// newUser gives a user whose proxies have the binding and what tests publish. One module cache for all saves building it
// for each.
func newUser(t *testing.T, folder string) user {
	t.Helper()
	if testing.Short() {
		t.Skip("builds the C sources again")
	}
	if release == "" {
		t.Skip("needs DLFERRY_RELEASE")
	}
	must(t, os.MkdirAll(folder, 0o777))
	proxies := "file://" + filepath.Join(release, "go") + ",file://" + filepath.Join(shared, "proxy")
	return user{t, folder, []string{"GOPROXY=" + proxies, "GOSUMDB=off", "GOWORK=off", "GOFLAGS=-modcacherw",
		"GOMODCACHE=" + filepath.Join(shared, "cache")}}
}

// publish puts a folder into a proxy by the rules of Go's own module archives: no links, no nested modules.
func publish(t *testing.T, proxy, path, folder string) {
	t.Helper()
	place := filepath.Join(proxy, filepath.FromSlash(path), "@v")
	must(t, os.MkdirAll(place, 0o777))
	must(t, os.WriteFile(filepath.Join(place, "list"), []byte(version+"\n"), 0o666))
	info := `{"Version":"` + version + `","Time":"2026-01-01T00:00:00Z"}`
	must(t, os.WriteFile(filepath.Join(place, version+".info"), []byte(info), 0o666))
	mod, err := os.ReadFile(filepath.Join(folder, "go.mod"))
	must(t, err)
	must(t, os.WriteFile(filepath.Join(place, version+".mod"), mod, 0o666))
	archive, err := os.Create(filepath.Join(place, version+".zip"))
	must(t, err)
	must(t, zip.CreateFromDir(archive, module.Version{Path: path, Version: version}, folder))
	must(t, archive.Close())
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// A user's folder, and the environment of its programs.
type user struct {
	t           *testing.T
	folder      string
	environment []string
}

func (u user) run(words ...string) (string, error) {
	command := exec.Command(words[0], words[1:]...)
	command.Dir = u.folder
	command.Env = append(os.Environ(), u.environment...)
	out, err := command.CombinedOutput()
	return string(out), err
}

func (u user) must(words ...string) string {
	u.t.Helper()
	out, err := u.run(words...)
	if err != nil {
		u.t.Fatalf("%s: %s\n%s", strings.Join(words, " "), err, out)
	}
	return out
}

func TestModule_ConsumedByAUser(t *testing.T) {
	work := t.TempDir()
	u := newUser(t, filepath.Join(work, "user"))

	// A package that is published gets a path of its author's.
	copied := filepath.Join(work, "photo")
	must(t, os.CopyFS(copied, os.DirFS("../../../../examples/photo/packages/go")))
	author := user{t, copied, u.environment}
	author.must("go", "mod", "edit", "-module", photo)
	publish(t, filepath.Join(shared, "proxy"), photo, copied)

	must(t, os.WriteFile(filepath.Join(u.folder, "main.go"), []byte(program), 0o666))
	u.must("go", "mod", "init", "example.com/user")
	u.must("go", "get", hub+"@"+version, photo+"@"+version)
	if got := u.must("go", "run", "."); got != output {
		t.Errorf("from the module cache it prints %q", got)
	}
	u.must("go", "mod", "vendor")
	u.must("go", "build", "-mod=vendor", "-o", "program", ".")
	if got := u.must("./program"); got != output {
		t.Errorf("vendored it prints %q", got)
	}
	if got := u.must("go", "vet", "-mod=vendor", "./..."); got != "" {
		t.Errorf("vet says %q", got)
	}
	u.environment = append(u.environment, "CGO_ENABLED=0")
	for _, path := range []string{hub, photo} {
		if got, err := u.run("go", "build", path); err == nil || !strings.Contains(got, "dlferry_needs_cgo") {
			t.Errorf("without cgo %s says %q", path, got)
		}
	}
}

func TestModule_IsTheSameByTheTag(t *testing.T) {
	u := newUser(t, t.TempDir())
	u.must("go", "mod", "init", "example.com/user")
	u.must("go", "get", hub+"@"+version)
	sums, err := os.ReadFile(filepath.Join(u.folder, "go.sum"))
	must(t, err)
	must(t, os.Remove(filepath.Join(u.folder, "go.sum")))
	u.environment = append(u.environment, "GOPROXY=direct", "GOMODCACHE="+filepath.Join(u.folder, "cache"),
		"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=url."+filepath.Join(release, "repository")+".insteadOf",
		"GIT_CONFIG_VALUE_0=https://"+strings.TrimSuffix(hub, "/bindings/go"))
	u.must("go", "get", hub+"@"+version)
	again, err := os.ReadFile(filepath.Join(u.folder, "go.sum"))
	must(t, err)
	if len(sums) == 0 || string(again) != string(sums) {
		t.Errorf("the proxy's sums are %q, those of the tag %q", sums, again)
	}
}

func TestModule_ACheckoutWithoutItsCSaysWhatWritesIt(t *testing.T) {
	u := newUser(t, t.TempDir())
	u.must("git", "clone", "--quiet", "--branch", version, filepath.Join(release, "repository"), "checkout")
	at := filepath.Join(u.folder, "checkout", "bindings", "go")
	u.must("go", "mod", "init", "example.com/user")
	u.must("go", "mod", "edit", "-require", hub+"@v0.0.0", "-replace", hub+"="+at)
	says := " is missing: run `cmake -P core/amalgamate.cmake` in the checkout of dlferry"
	for _, file := range []string{"cmd/dlferry-bind/dlferry_bind.c", "dlferry_go.h", "dlferry.h"} {
		must(t, os.Remove(filepath.Join(at, filepath.FromSlash(file))))
		got, err := u.run("go", "build", command)
		if err == nil || !strings.Contains(got, says) {
			t.Errorf("without %s it says %q", file, got)
		}
	}
}
