# SPDX-License-Identifier: Apache-2.0
"""Use each file of a release on this machine, compare it with one made again, and write a table of all.

released.py RELEASE AGAIN CMAKE CC LOCK, with CARGO, GO and JULIA in the environment

RELEASE and AGAIN are what core/release.cmake wrote twice of one commit. Files of others.py are in RELEASE alone: it
compares them, and says what became of each in RELEASE/states/others.txt, a line `FILE: STATE`, or `- TEXT` on no
file. LOCK is a Cargo.lock whose crates are there already.
The table is RELEASE/table.txt, the hashes are in RELEASE/SHA256SUMS.
"""

import hashlib
import os
import platform
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from layout import published, version_of

RELEASE, AGAIN = (Path(word).resolve() for word in sys.argv[1:3])
CMAKE, CC, LOCK = sys.argv[3:6]
HERE = Path(__file__).resolve().parent
VERSION = version_of(RELEASE)
WHEEL = re.search(r"^pip install (python/\S+\.whl)$", (RELEASE / "README.md").read_text(encoding="utf-8"), re.M)[1]
MODULE = "github.com/dlferry/dlferry/bindings/go"
SUBMODULES = ("arrow", "gonum", "onnxruntime")
GO_PROGRAM = f"""package main

import (
	"fmt"

	dlferry "{MODULE}"
)

func main() {{ fmt.Println("ok  Go", dlferry.Version(), dlferry.Live()) }}
"""


def run(*command, **options):
    """Run a command whose output is shown; its failure ends the release."""
    done = subprocess.run([str(word) for word in command], check=False, **options)
    if done.returncode:
        sys.exit(f"release: {' '.join(map(str, command))}: {done.returncode}")


def use_c(work):
    source, build = work / f"dlferry-{VERSION}", work / "build"
    run("sh", HERE / "source.sh", RELEASE, source, build, CMAKE, CC)
    run("sh", HERE / "c.sh", build, source, CMAKE, CC, "-fsanitize=", VERSION)


def use_pages(work):
    run(sys.executable, "-B", HERE / "pages.py", RELEASE, LOCK)


def use_rust(work):
    run("sh", HERE / "rust_build.sh", RELEASE / "rust", Path(LOCK).parent, HERE / "kernels")


def use_go(work):
    (work / "go.mod").write_text("module example.com/user\n\ngo 1.24\n")
    (work / "main.go").write_text(GO_PROGRAM)
    env = {name: value for name, value in os.environ.items() if name != "GOFLAGS"}
    env |= {"GOPROXY": f"file://{RELEASE / 'go'}", "GONOSUMDB": MODULE, "GOMODCACHE": str(work / "modules")}
    env |= {"GOFLAGS": "-mod=mod -modcacherw"}
    run(os.environ["GO"], "get", f"{MODULE}@v{VERSION}", cwd=work, env=env)
    run(os.environ["GO"], "run", ".", cwd=work, env=env)
    # Modules with other libraries, which set-up has fetched.
    env["GOPROXY"] += f",file://{os.environ['GOMODCACHE']}/cache/download"
    env["GONOSUMDB"] = "*"
    for name in SUBMODULES:
        run(os.environ["GO"], "get", f"{MODULE}/{name}@v{VERSION}", cwd=work, env=env)
        run(os.environ["GO"], "build", f"{MODULE}/{name}", cwd=work, env=env)


# What is done with the files of a pattern, and what that shows.
USES = [
    (use_pages, None, None),
    (use_c, f"c/dlferry-{VERSION}.tar.gz", "run {}: built, installed, used by CMake and pkg-config"),
    (None, f"python/dlferry-{VERSION}.tar.gz", "run {}: the wheel is built of it"),
    (None, WHEEL, "run {}: installed, imported"),
    (use_rust, "rust/*.crate", "run {}: used by a program and its build.rs"),
    (use_go, f"go/{MODULE}/@v/v{VERSION}.zip", "run {}: fetched, used by a program"),
    (None, f"go/{MODULE}/*/@v/v{VERSION}.zip", "compiled {}: fetched"),
    (None, f"julia/DLFerry-{VERSION}.tar.gz", "run {}: built, loaded"),
]


SMALL = (".info", ".mod", ".toml", "list")  # files of a Go proxy, and Julia's entry: they belong to an archive


def difference():
    """The files that were made twice and differ."""
    for path in published(AGAIN):
        other = RELEASE / path.relative_to(AGAIN)
        if not other.is_file() or path.read_bytes() != other.read_bytes():
            yield path.relative_to(AGAIN).as_posix()


def states():
    """What became of each file, by its path: `run` here, or what the makers of others say. And what they say else."""
    found, notes = {}, []
    here = f"on {platform.system()} {platform.machine()}"
    for use, pattern, words in USES:
        if use:
            with tempfile.TemporaryDirectory() as work:
                use(Path(work).resolve())
        for path in RELEASE.glob(pattern) if pattern else ():
            found[path.relative_to(RELEASE).as_posix()] = words.format(here)
    for path in sorted(RELEASE.glob("states/*.txt")):
        for line in path.read_text(encoding="utf-8").splitlines():
            name, _, state = line.partition(": ")
            if line.startswith("- "):
                notes.append(line)
                continue
            assert (RELEASE / name).is_file(), f"{path}: expected files of the release, got {name}"
            found[name] = state
    return found, notes


def main():
    wrong = list(difference())
    if wrong:
        sys.exit("\n".join(["release: expected the same bytes twice, got others in", *wrong]))
    twice = {path.relative_to(AGAIN).as_posix() for path in published(AGAIN)}
    found, notes = states()
    rows, sums = [], []
    for path in published(RELEASE):
        if path.name.endswith(SMALL):
            continue
        name = path.relative_to(RELEASE).as_posix()
        data = path.read_bytes()
        digest = hashlib.sha256(data).hexdigest()
        sums.append(f"{digest}  {name}\n")
        state = found.get(name, "made, not run")
        rows.append((name.replace(MODULE, "..."), f"{len(data):,}", digest[:12], state))
        if name not in twice and name not in found:
            sys.exit(f"release: {name}: made once, and no file of {RELEASE / 'states'} names it")
    head = ("file", "bytes", "sha256", "state")
    widths = [max(len(row[i]) for row in [head, *rows]) for i in range(4)]
    lines = [f"{row[0]:{widths[0]}}  {row[1]:>{widths[1]}}  {row[2]:{widths[2]}}  {row[3]}" for row in [head, *rows]]
    text = "\n".join(
        [*lines, "", f"{len(rows)} files, made twice with the same bytes; SHA256SUMS has the whole hashes.", *notes]
    )
    (RELEASE / "table.txt").write_text(f"{text}\n", encoding="utf-8")
    (RELEASE / "SHA256SUMS").write_text("".join(sums))
    print(text)
    sys.exit("FAILED" in text)


main()
