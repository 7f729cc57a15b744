# SPDX-License-Identifier: Apache-2.0
"""dlferry-bind --new in an empty folder: the project builds, and its tests pass in every language present.

new.py DLFERRY_BIND BUILD CMAKE CTEST [LANGUAGE=PROGRAM ...] [julia-package=FOLDER] [rust-workspace=FOLDER]
       [go-module=FOLDER]

The project itself names dlferry as if it were published; this tells each tool where the tree at hand has it.
"""

import json
import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

BIND, BUILD, CMAKE, CTEST = sys.argv[1:5]
HAVE = dict(word.split("=", 1) for word in sys.argv[5:])
MESSAGE = "scale: out[n] is 2, expected 3 as x[n]; got f32[2], wanted f32[n]"
HUB = "github.com/dlferry/dlferry/bindings/go"


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **options)
    if done.returncode:
        sys.exit(f"FAILED: {' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def go_proxy(place, module, version):
    """The module in a proxy made of files."""
    folder = place / HUB / "@v"
    folder.mkdir(parents=True)
    (folder / "list").write_text(f"v{version}\n")
    (folder / f"v{version}.info").write_text(json.dumps({"Version": f"v{version}", "Time": "2026-01-01T00:00:00Z"}))
    (folder / f"v{version}.mod").write_text((module / "go.mod").read_text())
    nested = [path.parent for path in module.glob("*/**/go.mod")]
    with zipfile.ZipFile(folder / f"v{version}.zip", "w") as archive:
        for path in sorted(path for path in module.rglob("*") if path.is_file()):
            if not any(path.is_relative_to(other) for other in nested):
                archive.write(path, f"{HUB}@v{version}/{path.relative_to(module).as_posix()}")
    return f"file://{place}"


def prepare(work, project, version):
    """The environment in which tools find unpublished packages."""
    env = {**os.environ, "CMAKE_PREFIX_PATH": str(work / "prefix"), "CARGO_TARGET_DIR": str(work / "cargo")}
    # pip: what the test's own environment has, and nothing from outside.
    env |= {
        "PIP_NO_INDEX": "1",
        "PIP_NO_DEPS": "1",
        "PIP_NO_BUILD_ISOLATION": "0",
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    }
    if "rust-workspace" in HAVE:
        rust = Path(HAVE["rust-workspace"])
        patches = "".join(f'{name} = {{ path = "{rust / name}" }}\n' for name in ("dlferry", "dlferry-sys"))
        (project / ".cargo").mkdir()
        (project / ".cargo/config.toml").write_text(f"[net]\noffline = true\n\n[patch.crates-io]\n{patches}")
        (project / "packages/rust").mkdir(parents=True)
        (project / "packages/rust/Cargo.lock").write_text((rust / "Cargo.lock").read_text())  # what is fetched already
    if "go-module" in HAVE:
        env |= {
            "GOPROXY": go_proxy(work / "proxy", Path(HAVE["go-module"]), version),
            "GOSUMDB": "off",
            "GOWORK": "off",
        }
        env |= {"GOMODCACHE": str(work / "gomod"), "GOFLAGS": "-modcacherw"}
    if "julia-package" in HAVE:
        env["DLFERRY_JULIA"] = HAVE["julia-package"]
        env["JULIA_DEPOT_PATH"] = str(work / "depot")
    return env


def main():
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        run(CMAKE, "--install", BUILD, "--prefix", work / "prefix")
        program = work / "prefix/bin/dlferry-bind"
        version = run(program, "--version").split()[-1]
        project = work / "an empty folder" / "demo"  # the printed command is for a shell
        said = run(BIND, "--new", "demo", project)
        assert f"cd '{project}' && cmake -S ." in said, said

        env = prepare(work, project, version)
        programs = [
            f"-D{key.upper()}={HAVE.get(value, '')}"
            for key, value in (("python", "python"), ("cargo", "rust"), ("go", "go"), ("julia", "julia"))
        ]
        run(CMAKE, "-S", project, "-B", project / "build", *programs, env=env)
        run(CMAKE, "--build", project / "build", env=env)
        told = run(CTEST, "--test-dir", project / "build", "--verbose", env=env)
        languages = ["c", *(language for language in ("python", "rust", "go", "julia") if language in HAVE)]
        assert f"/{len(languages) + ('python' in HAVE)} Test " in told, told
        for language in languages:
            assert told.count(f": {language} ..") == 1, (language, told)
        assert told.count(MESSAGE) == 1, told  # from C; the others hide the output of passing tests

        # The tests can fail: C's where the kernel computes something else, a package's where golden.txt says something
        # else of one call.
        kernel = project / "demo.c"
        kernel.write_text(kernel.read_text().replace("factor *", "factor +"))
        run(CMAKE, "--build", project / "build", env=env)
        for golden in project.glob("packages/**/golden.txt"):
            text = golden.read_text()
            assert text.count("expected f32; got f64[2]") == 2, text
            golden.write_text(text.replace("expected f32; got f64[2]", "expected f32; got f16[2]", 1))
        done = subprocess.run([CTEST, "--test-dir", project / "build"], capture_output=True, text=True, env=env)
        failed = [language for language in languages if f" {language} (Failed)" in done.stdout]
        assert failed == languages, done.stdout

        # Existing files are never overwritten.
        before = kernel.read_text()
        refused = subprocess.run([BIND, "--new", "demo", project], capture_output=True, text=True)
        assert refused.returncode == 1 and "is there already" in refused.stderr, refused
        assert kernel.read_text() == before
    print(f"new: tests pass, and fail where they should, in {', '.join(languages)}")
    missing = [language for language in ("python", "rust", "go", "julia") if language not in HAVE]
    if missing:
        print(f"not run: {', '.join(missing)}")


main()
