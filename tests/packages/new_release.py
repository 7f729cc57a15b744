# SPDX-License-Identifier: Apache-2.0
"""A project of dlferry-bind --new makes its release by one command, the same bytes each time; others use each file.

new_release.py RELEASE BUILD CMAKE CC [LANGUAGE=PROGRAM ...] [lock=Cargo.lock]

RELEASE and BUILD are new.py's. A file is used apart from the project: pip installs the wheel and the sdist, cargo, go
and Julia take the archives, CMake finds the library.
"""

import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

from command import run
from unpublished import prepare, unpack

RELEASE = Path(sys.argv[1])
BUILD, CMAKE, CC = sys.argv[2:5]
HAVE = dict(word.split("=", 1) for word in sys.argv[5:])
MESSAGE = "scale: out[n] is 2, expected 3 as x[n]; got f32[2], wanted f32[n]"

C = r"""
#include <demo_dlferry.h>
#include <stdio.h>
int main(void) {
  float from[3] = {1, 2, 3}, to[3] = {0};
  int64_t three[] = {3}, two[] = {2};
  DLTensor x = {from, {kDLCPU, 0}, 1, {kDLFloat, 32, 1}, three, NULL, 0}, out = x;
  dlf_error error;
  out.data = to;
  out.shape = two;
  if (!demo_scale_checked((dlf_arg){&x, 0}, 2.0, (dlf_arg){&out, 0}, &error)) return 1;
  puts(error.message);
  return 0;
}
"""
FOR_CMAKE = """
cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES C)
find_package(demo 0.1 CONFIG REQUIRED)
add_executable(user user.c)
target_link_libraries(user PRIVATE demo::demo)
"""
PYTHON = """
import demo, dlferry
x = dlferry.create("float32", [3])
try:
    demo.scale(x, out=dlferry.create("float32", [2]))
except ValueError as error:
    print(error)
"""
RUST = """
fn main() {
    let mut out = [0.0f32; 2];
    println!("{}", demo::scale_into(&[1.0f32, 2.0, 3.0], demo::ScaleOptions::default(), &mut out).unwrap_err());
}
"""
GO = """package main

import (
	"fmt"

	"example.com/demo"
	dlferry "github.com/dlferry/dlferry/bindings/go"
)

func main() {
	x, out := dlferry.Of(make([]float32, 3), 3), dlferry.Of(make([]float32, 2), 2)
	fmt.Println(demo.ScaleInto(x, demo.ScaleOptions{}, out))
}
"""
JULIA = """
using Demo
try
    Demo.scale!(zeros(Float32, 2), Float32[1, 2, 3])
catch error
    println(sprint(showerror, error))
end
"""


def use_c(dist, work, env):
    (archive,) = (dist / "c").glob("demo-0.1.0-*.tar.gz")
    folder = work / "c"
    unpack(archive, folder)
    (folder / "user.c").write_text(C)
    (folder / "CMakeLists.txt").write_text(FOR_CMAKE)
    found = f"-DCMAKE_PREFIX_PATH={folder / archive.name.removesuffix('.tar.gz')};{env['CMAKE_PREFIX_PATH']}"
    run(CMAKE, "-S", folder, "-B", folder / "b", found, f"-DCMAKE_C_COMPILER={CC}")
    run(CMAKE, "--build", folder / "b")
    return run(folder / "b/user")


def use_python(dist, work, env):
    (wheel,) = (dist / "python").glob("demo-0.1.0-*.whl")
    said = []
    for name, file in (("wheel", wheel), ("sdist", dist / "python/demo-0.1.0.tar.gz")):
        run(HAVE["python"], "-m", "pip", "install", "--quiet", "--target", work / name, file, env=env)
        paths = env | {"PYTHONPATH": f"{work / name}:{env['PYTHONPATH']}"}
        said.append(run(HAVE["python"], "-c", PYTHON, cwd=work, env=paths))
    assert said[0] == said[1], said
    return said[0]


def use_rust(dist, work, env):
    unpack(dist / "rust/demo-0.1.0.crate", work)
    user = work / "rust"
    (user / "src").mkdir(parents=True)
    (user / "src/main.rs").write_text(RUST)
    manifest = '[package]\nname = "user"\nversion = "0.0.0"\nedition = "2021"\n\n[dependencies]\ndemo = "0.1.0"\n'
    (user / "Cargo.toml").write_text(manifest)
    (user / "Cargo.lock").write_text(Path(HAVE["lock"]).read_text())
    (user / ".cargo").mkdir()
    patches = (work / "an empty folder/demo/.cargo/config.toml").read_text()
    (user / ".cargo/config.toml").write_text(f'{patches}demo = {{ path = "{work}/demo-0.1.0" }}\n')
    return run(HAVE["rust"], "run", "--quiet", cwd=user, env=env)


def use_go(dist, work, env):
    user = work / "go"
    user.mkdir()
    (user / "go.mod").write_text("module user\n\ngo 1.24\n")
    (user / "main.go").write_text(GO)
    proxies = env | {"GOPROXY": f"file://{dist / 'go'},{env['GOPROXY']}"}
    run(HAVE["go"], "get", "example.com/demo@v0.1.0", cwd=user, env=proxies)
    return run(HAVE["go"], "run", "-mod=mod", ".", cwd=user, env=proxies)


def use_julia(dist, work, env):
    unpack(dist / "julia/Demo-0.1.0.tar.gz", work)
    folders = [Path(env["DLFERRY_JULIA"]), work / "Demo-0.1.0"]
    paths = env | {"JULIA_LOAD_PATH": ":".join([*map(str, folders), "@stdlib"])}
    for folder in folders:
        run(HAVE["julia"], "--startup-file=no", folder / "deps/build.jl", env=paths)
    return run(HAVE["julia"], "--startup-file=no", "-e", JULIA, env=paths)


USES = {"c": use_c, "python": use_python, "rust": use_rust, "go": use_go, "julia": use_julia}


def names_in(path):
    """The last parts of the names in an archive."""
    if path.suffix in (".zip", ".whl"):
        return {Path(name).name for name in zipfile.ZipFile(path).namelist()}
    with tarfile.open(path) as archive:
        return {Path(name).name for name in archive.getnames()}


def main():
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        run(CMAKE, "--install", BUILD, "--prefix", work / "prefix")
        program = work / "prefix/bin/dlferry-bind"
        project = work / "an empty folder" / "demo"
        run(program, "--new", "demo", project)
        (project / "LICENSE").write_text("Permission is granted to do anything.\n")
        package = project / "demo.toml"
        package.write_text(package.read_text().replace("# license", "license"))

        env = prepare(RELEASE, HAVE, work, project, run(program, "--version").split()[-1])
        programs = [f"-DPYTHON={HAVE.get('python', '')}", f"-DCARGO={HAVE.get('rust', '')}"]
        run(CMAKE, "--preset", "release", f"-DCMAKE_C_COMPILER={CC}", *programs, cwd=project, env=env)
        release = (CMAKE, "--workflow", "--preset", "release")
        run(*release, cwd=project, env=env)
        dist = project / "dist"
        sums = (dist / "SHA256SUMS").read_text()
        made = [dist / line.split("  ")[1] for line in sums.splitlines()]
        for path in made:
            if path.suffix in (".gz", ".whl", ".crate", ".zip"):
                names = names_in(path)
                assert "LICENSE" in names and names & {"README.md", "METADATA"}, (path, names)
        run(*release, cwd=project, env=env)
        again = (dist / "SHA256SUMS").read_text()
        assert sums == again, f"{sums}{again}"

        for language, use in USES.items():
            if language == "c" or language in HAVE:
                said = use(dist, work, env)
                assert MESSAGE in said, (language, said)
                print(f"ok  {language}")
    print(f"new_release: {len(made)} files, the same twice")
    missing = [language for language in USES if language not in HAVE and language != "c"]
    if missing:
        print(f"not run: {', '.join(missing)}")


main()
