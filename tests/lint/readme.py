# SPDX-License-Identifier: Apache-2.0
"""Extract README.md's snippets, compile and run them: readme.py LANGUAGE SETTINGS.json

LANGUAGE is text (headers, messages), c, python, rust, go or julia. Each program must print what the README says. The
first programs of bindings/python and bindings/go come too; Rust's and Julia's pages are tested over there.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

from files import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
FENCE = re.compile(r"^( *)```(\w+)\n(.*?)^\1```$", re.M | re.S)


def blocks(language, page=README):
    found = []
    for indent, word, body in FENCE.findall(page):
        if word == language:
            found.append("".join(line[len(indent) :] for line in body.splitlines(keepends=True)))
    return found


def run(command, **kwargs):
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, text=True, **kwargs)
    if done.returncode:
        sys.exit(f"failed with {done.returncode}: {' '.join(map(str, command))}\n{done.stdout}")
    return done.stdout


def programs(language):
    """The programs of a binding's page, and the output that the comments behind their prints give."""
    page = (ROOT / "bindings" / language / "README.md").read_text(encoding="utf-8")
    for program in blocks(language, page):
        yield program, re.findall(r"[Pp]rint\w*\(.*\)+ +(?://|#) (.*?)(?: \.\.\.)?$", program, re.M)


def compare(printed, wanted):
    if not wanted or not all(line in printed for line in wanted):
        sys.exit(f"a binding's page: expected {wanted}, got {printed!r}")


def text(settings, folder):
    """Headers are excerpts of real ones; versions are those that set-up requires; the message is Python's."""
    for file, pattern, words in (
        ("CMakeLists.txt", r"cmake_minimum_required\(VERSION ([\d.]+)", "CMake {}"),
        ("tests/setup/rust.cmake", r"rust_minimum ([\d.]+)", "cargo {}"),
        ("tests/setup/go.cmake", r"go_minimum ([\d.]+)", "Go {}"),
    ):
        words = words.format(re.search(pattern, (ROOT / file).read_text(encoding="utf-8"))[1])
        if words not in README:
            sys.exit(f"not in README.md: {words}")
    declaration = next(block for block in blocks("c") if "@contract" in block)
    header = (ROOT / "examples/photo/photo.h").read_text(encoding="utf-8")
    for line in declaration.splitlines():
        if line not in header:
            sys.exit(f"not in photo.h: {line}")
    message = next(block for block in blocks("text") if block.startswith("blur:")).strip()
    program = "import numpy, photo\ntry: photo.blur(numpy.ones((5, 5)), -1)\nexcept ValueError as e: print(e)"
    said = run([settings["python"], "-c", program], cwd=folder).strip()
    if said != message:
        sys.exit(f"expected {message!r}, got {said!r}")


def c(settings, folder):
    (folder / "example.c").write_text(blocks("c")[1], encoding="utf-8")
    flags = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
    places = [f"-I{place}" for place in settings["include"]]
    run(
        [settings["cc"], *flags, *places, folder / "example.c", *settings["libraries"], "-lm", "-o", folder / "example"]
    )
    return run([folder / "example"])


def python(settings, folder):
    for program, wanted in programs("python"):
        compare(run([settings["python"], "-c", program], cwd=folder), wanted)
    return run([settings["python"], "-c", blocks("python")[0]], cwd=folder)


def rust(settings, folder):
    """A crate of its own, with the lock of the Rust room so that nothing is fetched."""
    (folder / "src").mkdir(exist_ok=True)
    (folder / "src/main.rs").write_text(blocks("rust")[0], encoding="utf-8")
    crates = {
        "dlferry": ROOT / "bindings/rust/dlferry",
        "dlferry-sys": ROOT / "bindings/rust/dlferry-sys",
        "photo": ROOT / "examples/photo/packages/rust",
    }
    patches = "\n".join(f'{name} = {{ path = "{path}" }}' for name, path in crates.items())
    (folder / "Cargo.toml").write_text(
        '[package]\nname = "readme"\nversion = "0.1.0"\nedition = "2021"\n\n[workspace]\n\n[dependencies]\n'
        'dlferry = "*"\nndarray = { version = "0.17", default-features = false, features = ["std"] }\n'
        f'photo = {{ version = "0.1.0", features = ["ndarray"] }}\n\n[patch.crates-io]\n{patches}\n',
        encoding="utf-8",
    )
    lock = ROOT / "tests/rooms/rust/Cargo.lock"
    (folder / "Cargo.lock").write_text(lock.read_text(encoding="utf-8"), encoding="utf-8")
    return run([settings["cargo"], "run", "--quiet", "--offline"], cwd=folder)


def go(settings, folder):
    (folder / "main.go").write_text(blocks("go")[0], encoding="utf-8")
    hub = "github.com/dlferry/dlferry/bindings/go"
    (folder / "go.mod").write_text(
        f"module readme\n\ngo 1.24\n\nrequire (\n\t{hub} v0.3.0\n\tphoto v0.1.0\n)\n\n"
        f'replace (\n\t{hub} => "{ROOT}/bindings/go"\n\tphoto => "{ROOT}/examples/photo/packages/go"\n)\n',
        encoding="utf-8",
    )
    program, wanted = next(programs("go"))
    (folder / "page").mkdir(exist_ok=True)
    (folder / "page/main.go").write_text(program, encoding="utf-8")
    compare(run([settings["go"], "run", "./page"], cwd=folder), wanted)
    return run([settings["go"], "run", "."], cwd=folder)


def julia(settings, folder):
    (folder / "example.jl").write_text(blocks("julia")[0], encoding="utf-8")
    return run([settings["julia"], "--startup-file=no", folder / "example.jl"], cwd=folder)


def main():
    language = sys.argv[1]
    settings = json.loads(Path(sys.argv[2]).read_text(encoding="utf-8"))
    folder = Path(sys.argv[2]).parent / "readme" / language
    folder.mkdir(parents=True, exist_ok=True)
    os.environ.update(settings.get(f"{language}_environment", {}))
    said = {"text": text, "c": c, "python": python, "rust": rust, "go": go, "julia": julia}[language](settings, folder)
    expected = next(block for block in blocks("text") if re.fullmatch(r"[0-9.]+\n", block))
    if said is not None and said != expected:
        sys.exit(f"expected {expected!r}, got {said!r}")
    print("readme: " + ("as it says" if said is None else said.strip()))


main()
