#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Run a table of calls in one language, and compare every status and every text with it, byte for byte.

    golden.py LANGUAGE --bind DLFERRY_BIND --out DIR [--header HEADER] [--cc CC] [--tool PROGRAM] [--update]

LANGUAGE is c, python, rust, go or julia; PROGRAM its interpreter, cargo, go or julia. The package set of HEADER, here
golden.h, is generated below DIR, and so is a program of all cases (programs.py); the tests that a package carries run
as well. The cases run twice, the second time with tensors that have a byte_offset. The table is HEADER's .json, its
library .c, its contracts .contracts if they are not in the header.
--update writes C's results into the table: read the difference before you commit it.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from programs import LANGUAGES

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
HUB = "github.com/dlferry/dlferry/bindings/go"


def run(*command, folder=HERE, **variables):
    done = subprocess.run([str(word) for word in command], cwd=folder, env={**os.environ, **variables},
                          capture_output=True, text=True)  # fmt: skip
    if done.returncode:
        print(*command, done.stdout, done.stderr, sep="\n")
        sys.exit(f"golden: failed ({done.returncode}): {command[0]}")
    return done.stdout


OFFSET = {"TENSORS_BYTE_OFFSET": "64"}  # the slow Julia runs with it alone, since all results are the same


def run_twice(*command, **where):
    """Run the cases, and again with tensors whose data lies before their elements: nothing may change."""
    text = run(*command, **where)
    other = run(*command, **where, **OFFSET)
    for expected, got in zip(text.splitlines(), other.splitlines(), strict=True):
        if got != expected:
            sys.exit(f"golden: with a byte_offset of 64\n  expected {expected}\n  got      {got}")
    return text


def library(out, cc):
    """The tensors as a shared library, for all but C and Go."""
    made = out / "libtensors.so"
    flags = ["-std=c11", "-O1", "-fPIC", "-shared", f"-I{ROOT / 'core/include'}"]
    run(cc, *flags, HERE / "tensors.c", "-o", made)
    return made


def sources_of(header):
    """The header's own C: `clauses.c`, `clauses_families.c`."""
    return sorted(header.parent.glob(f"{header.stem}*.c"))


def run_c(program, out, args):
    flags = ["-std=c11", "-g", "-O1", "-Wall", "-Wextra", "-Werror", *args.flag]
    include = [f"-I{folder}" for folder in (out, HERE, args.header.parent, ROOT / "core/include")]
    (out / "cases.c").write_text(program)
    twin = out / f"{args.header.stem}_dlferry.c"
    sources = [out / "cases.c", HERE / "tensors.c", *sources_of(args.header), twin, args.hub]
    run(args.cc, *flags, *include, *sources, "-o", out / "cases", "-lm", "-lpthread")
    return run_twice(out / "cases", folder=out)


def run_python(program, out, args):
    """The package is built and installed as a user's, into a folder of its own."""
    site = out / "site"
    shutil.rmtree(site, ignore_errors=True)
    flags = "--quiet --no-index --no-deps --no-build-isolation --disable-pip-version-check".split()
    settings = ["cmake.build-type=Debug", f"build-dir={out / 'wheel'}"]  # soon compiled
    flags += [f"--config-settings={setting}" for setting in settings]
    run(args.tool, "-m", "pip", "install", *flags, "--target", site, out / "python")
    (out / "cases.py").write_text(program)
    path = os.pathsep.join([str(site), *sys.path[1:]])
    pytest = [args.tool, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    run(*pytest, out / "python/tests", folder=out, PYTHONPATH=path)
    return run_twice(args.tool, out / "cases.py", folder=out, PYTHONPATH=path)


def run_rust(program, out, args):
    folder, rust = out / "program", ROOT / "bindings/rust"
    (folder / "src").mkdir(parents=True, exist_ok=True)
    paths = {"dlferry": rust / "dlferry", "dlferry-sys": rust / "dlferry-sys", args.header.stem: out / "rust"}
    patches = "".join(f'{name} = {{ path = "{path}" }}\n' for name, path in paths.items())
    (folder / "Cargo.toml").write_text(
        '[package]\nname = "cases"\nversion = "0.0.0"\nedition = "2021"\n\n[workspace]\n\n[dependencies]\n'
        f'dlferry = {{ version = "*", features = ["num-complex"] }}\n{args.header.stem} = "*"\n\n'
        f"[patch.crates-io]\n{patches}"
    )
    shutil.copy(rust / "Cargo.lock", folder)  # with already fetched crates
    (folder / "src/main.rs").write_text(program)
    lines = "".join(
        f'println!("cargo:{line}");' for line in (f"rustc-link-search={out}", f"rustc-link-arg=-Wl,-rpath,{out}")
    )
    (folder / "build.rs").write_text(f"fn main() {{ {lines} }}")
    run(args.tool, "test", "--quiet", "--test", "contract", "-p", args.header.stem, folder=folder)
    return run_twice(args.tool, "run", "--quiet", folder=folder)


def run_go(program, out, args):
    folder = out / "program"
    folder.mkdir(exist_ok=True)
    for name in ("tensors.c", "tensors.h"):
        shutil.copy(HERE / name, folder)
    # Not in CGO_CPPFLAGS, which would build all other C for this program alone.
    flags = f'// #cgo CFLAGS: "-I{ROOT}/core/include"\n'
    (folder / "main.go").write_text(program.replace("// #include", flags + "// #include", 1))
    replaced = {HUB: ROOT / "bindings/go", args.header.stem: out / "go"}
    module = "module cases\n\ngo 1.24\n"
    for name, path in replaced.items():
        module += f'\nrequire {name} v0.3.0\n\nreplace {name} => "{path}"\n'
    (folder / "go.mod").write_text(module)
    environment = {"CGO_ENABLED": "1", "CC": args.cc, "GOFLAGS": "-mod=mod"}
    run(args.tool, "test", "-vet=off", args.header.stem, folder=folder, **environment)
    return run_twice(args.tool, "run", ".", folder=folder, **environment)


def run_julia(program, out, args):
    own = f'redirect_stdout(() -> Base.include(Module(), "{out / "julia/test/runtests.jl"}"), stderr)\n'
    (out / "cases.jl").write_text(program + own)
    julia = [args.tool, "--startup-file=no", "--color=no", "--compile=min"]  # each call is made once
    path = os.pathsep.join([str(out / "julia"), os.environ.get("JULIA_LOAD_PATH", "@stdlib")])
    run(*julia, out / "julia/deps/build.jl", folder=out, JULIA_LOAD_PATH=path, CFLAGS="-O0")
    return run(*julia, out / "cases.jl", folder=out, JULIA_LOAD_PATH=path, **OFFSET)


def write(file, heard, path):
    """The cases again, one a line, with the results."""
    for case in file["cases"]:
        case["status"], case["message"] = heard.get(case["name"], (case["status"], case["message"]))
    lines = ",\n".join("    " + json.dumps(case, ensure_ascii=False) for case in file["cases"])
    about = ",\n".join("    " + json.dumps(line) for line in file["about"])
    results = ',\n  "results": true' if file.get("results") else ""
    if "refused" in file:
        rows = ",\n".join("    " + json.dumps(row, ensure_ascii=False) for row in file["refused"])
        results += f',\n  "refused": [\n{rows}\n  ]'
    path.write_text(f'{{\n  "about": [\n{about}\n  ]{results},\n  "cases": [\n{lines}\n  ]\n}}\n', encoding="utf-8")


def unbroken(ir, cases):
    """Rules of the contracts that no case breaks, and functions that no case calls well."""
    for f in ir["functions"]:
        name = f["short_name"]
        heard = [case["message"] for case in cases if case["call"] == name]
        if heard and all(case["status"] != "OK" for case in cases if case["call"] == name):
            yield f"{name}: a call that is accepted"
        for rule in filter(None, f["contract"].split("; ")):
            subject, clause, text = rule.partition(": ")
            if text == "out":  # that it is one number, which no call breaks
                broken = True
            elif clause and subject != "return":
                broken = any(
                    text.startswith((f"{name}: {subject}", f"{name}: the number of {subject}")) for text in heard
                )
            elif clause:
                broken = any("kernel returned" in text for text in heard)
            else:  # a constraint, unless a default
                broken = " = " in rule or any(
                    text.endswith((f" {rule}", f"for {rule}")) or f" {rule};" in text for text in heard
                )
            if not broken:
                yield f"{name}: {rule}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("language", choices=LANGUAGES)
    parser.add_argument("--header", type=Path, default=HERE / "golden.h")
    for name, default in (("bind", None), ("out", None), ("cc", "cc"), ("tool", None), ("hub", None)):
        parser.add_argument(f"--{name}", default=default)
    parser.add_argument("--flag", action="append", default=[], help="of the C compiler, for sanitizers")
    parser.add_argument("--update", action="store_true")
    args = parser.parse_args()
    out = Path(args.out).resolve()
    out.mkdir(parents=True, exist_ok=True)
    args.header = args.header.resolve()
    name, folder, table = args.header.stem, args.header.parent, args.header.with_suffix(".json")
    header = [args.bind, args.header.name, "--name", name]
    if args.header.with_suffix(".contracts").exists():
        header += ["--contracts", f"{name}.contracts"]
    ir = json.loads(run(*header, "--ir", folder=folder))
    languages = [] if args.language == "c" else ["--lang", args.language]
    sources = [word for source in sources_of(args.header) for word in ("--source", source.name)]
    run(*header, *sources, *languages, "--out", out, folder=folder)

    file = json.loads(table.read_text(encoding="utf-8"))
    shared = library(out, args.cc)
    program, names = LANGUAGES[args.language](ir, file.get("results")).write(file["cases"], shared)
    text = globals()[f"run_{args.language}"](program, out, args)
    rows = [line.split("\t") for line in text.splitlines()]
    heard = {name: (status, message) for name, status, message in rows}
    assert len(heard) == len(rows), "two cases of one name"
    live = heard.pop("live")[0]
    if args.update:
        assert args.language == "c" and list(heard) == names
        write(file, heard, table)
        return 0
    wrong = 0
    for rule in () if file.get("results") else unbroken(ir, file["cases"]):
        wrong += 1
        print(f"FAILED no case for {rule}")
    for case in file["cases"]:
        if case["name"] in names and heard.get(case["name"]) != (case["status"], case["message"]):
            wrong += 1
            print(f"FAILED {case['name']}\n  expected {case['status']}: {case['message']}")
            print("  got      {}: {}".format(*heard.get(case["name"], ("nothing", ""))))
    for name in heard.keys() - set(names):
        wrong += 1
        print(f"FAILED {name}\n  got      {': '.join(heard[name])}")
    calls = f"{len(names)} calls of {len(file['cases'])}"
    print(f"{args.header.stem}: {args.language}: {calls}, {wrong} differ, {live} tensors live")
    return 1 if wrong or live != "0" else 0


if __name__ == "__main__":
    sys.exit(main())
