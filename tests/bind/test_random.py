#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Valid random headers: their packages compile in every language present.

    test_random.py DLFERRY_BIND [--seed N] [--rounds N] [--functions N] [--long] [--keep DIR]

The headers are those of random_header.py. --long asks the compilers instead of the parsers and runs the packages' own
tests, which needs the environment shown by `ctest -N -V -R golden`. A failure is cut down to the functions that
make it, and printed.
"""

import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

from random_header import C_WORDS, FOOT, HEAD, LITTER, Function, Header

ROOT = Path(__file__).resolve().parents[2]


class Broken(Exception):
    """The messages of some tool about the output."""


def run(*command, folder=None, good=(0,), **variables):
    done = subprocess.run(
        [str(word) for word in command], cwd=folder, capture_output=True, env={**os.environ, **variables}
    )
    if done.returncode not in good:
        said = (done.stdout + done.stderr).decode(errors="replace")
        raise Broken(f"{' '.join(map(str, command))}\n{said[:6000]}")
    return done


class Checks:
    """Each takes the folder `out`, where everything was written, and raises Broken."""

    def __init__(self, bind):
        self.bind = bind
        self.include = f"-I{ROOT / 'core/include'}"

    def c(self, out):
        flags = ["-std=c11", "-O1", "-Wall", "-Wextra", "-Wpedantic", "-Werror", f"-isystem{out / 'in'}", self.include]
        for cc in filter(shutil.which, ("gcc", "clang")):
            run(cc, *flags, "-c", "k_dlferry.c", "-o", "k.o", folder=out)

    def json(self, out):
        for word in ("--ir", "--cases"):
            json.loads(run(self.bind, "in/k.h", "--name", "k", word, folder=out).stdout)

    def python(self, out):
        for path in (out / "python").rglob("*.py*"):
            if path.suffix in (".py", ".pyi"):
                text = path.read_text(encoding="utf-8")
                compile(text, path.name, "exec")
                if path.name == "__init__.py":  # its enums, and their bases
                    exec(re.sub(r"^from \._k import \(.*?^\)", "", text, flags=re.S | re.M), {"__name__": "k"})
        headers = Path(sysconfig.get_path("include"))
        if shutil.which("cc") and (headers / "Python.h").exists():
            flags = "-std=gnu11 -fsyntax-only -Wall -Wextra -Wpedantic -Wconversion -Werror".split()
            flags.append("-Wno-overlength-strings")  # a docstring is as long as the comment; compilers take 64 KiB
            folders = [f"-I{ROOT / 'bindings/python/src/dlferry/c'}", self.include]
            run("cc", *flags, *folders, "-isystemc", f"-isystem{headers}", "k_python.c", folder=out / "python")

    def rust(self, out):
        if shutil.which("rustfmt"):
            files = [out / "rust" / name for name in ("src/lib.rs", "build.rs", "tests/contract.rs")]
            read = ("--emit", "stdout", "--config", "disable_all_formatting=false")  # though it is to leave them alone
            run("rustfmt", *read, "--edition", "2021", *filter(Path.exists, files))

    def go(self, out):
        if shutil.which("gofmt"):
            said = run("gofmt", "-l", *(out / "go").glob("*.go")).stdout
            if said:
                raise Broken(f"gofmt would change {said}")

    def julia(self, out):
        parse = "for p in ARGS; e = Base.parse_input_line(read(p, String)); any(x -> x isa Expr && x.head in (:error, "
        parse += ':incomplete), [e; e.args]) && (println(p, ": ", e.args[end]); exit(1)); end'
        if shutil.which("julia"):
            run("julia", "--startup-file=no", "-e", parse, *(out / "julia").rglob("*.jl"))


class Built(Checks):
    """The same by compilers, and the packages' own tests."""

    def python(self, out):
        super().python(out)
        run("mypy", "--strict", "python/k/__init__.pyi", folder=out)
        flags = "--quiet --no-deps --no-build-isolation --disable-pip-version-check".split()
        run("pip", "install", *flags, "--target", out / "site", out / "python")
        path = os.pathsep.join([str(out / "site"), os.environ.get("PYTHONPATH", "")])
        run(sys.executable, "-m", "pytest", "-q", "-x", "python/tests", folder=out, good=(0, 5), PYTHONPATH=path)

    def rust(self, out):
        super().rust(out)
        rust, folder = ROOT / "bindings/rust", out / "program"
        (folder / "src").mkdir(parents=True, exist_ok=True)
        paths = {"dlferry": rust / "dlferry", "dlferry-sys": rust / "dlferry-sys", "k": out / "rust"}
        patches = "".join(f'{name} = {{ path = "{path}" }}\n' for name, path in paths.items())
        about = '[package]\nname = "program"\nversion = "0.0.0"\nedition = "2021"\n\n[workspace]\n\n[dependencies]\n'
        (folder / "Cargo.toml").write_text(f'{about}dlferry = "*"\nk = "*"\n\n[patch.crates-io]\n{patches}')
        (folder / "src/main.rs").write_text("fn main() {}\n")
        shutil.copy(rust / "Cargo.lock", folder)
        run("cargo", "clippy", "--quiet", "--all-targets", "-p", "k", "--", "-D", "warnings", folder=folder)
        run("cargo", "test", "--quiet", "--tests", "-p", "k", folder=folder)

    def go(self, out):
        super().go(out)
        hub, folder = "github.com/dlferry/dlferry/bindings/go", out / "module"
        folder.mkdir(exist_ok=True)
        (folder / "main.go").write_text('package main\n\nimport _ "k"\n\nfunc main() {}\n')
        module = "module module\n\ngo 1.24\n"
        for name, path in {hub: ROOT / "bindings/go", "k": out / "go"}.items():
            module += f'\nrequire {name} v0.3.0\n\nreplace {name} => "{path}"\n'
        (folder / "go.mod").write_text(module)
        environment = {"CGO_ENABLED": "1", "CGO_CPPFLAGS": self.include, "GOFLAGS": "-mod=mod"}
        for words in (["vet"], ["test", "-vet=off"]):
            run("go", *words, "k", folder=folder, **environment)

    def julia(self, out):
        super().julia(out)
        path = os.pathsep.join([str(out / "julia"), os.environ.get("JULIA_LOAD_PATH", "@stdlib")])
        for file in ("deps/build.jl", "test/runtests.jl"):
            if (out / "julia" / file).exists():
                words = ["--startup-file=no", "--compile=min", out / "julia" / file]
                run("julia", *words, folder=out, JULIA_LOAD_PATH=path)


def make(functions, out, bind):
    """Write all; functions that the generator refuses, since two names would be one, leave the list."""
    shutil.rmtree(out, ignore_errors=True)
    (out / "in").mkdir(parents=True)
    while True:
        text = HEAD.format(summary="A summary. " + " ".join(LITTER[:6])) + "".join(f.text for f in functions) + FOOT
        (out / "in/k.h").write_text(text, encoding="utf-8")
        code = '#include <stdlib.h>\n#include "k.h"\n' + "".join(f.code for f in functions)
        (out / "in/k.c").write_text(code)
        words = "in/k.h --name k --source in/k.c --lang python,rust,go,julia --out .".split()
        done = run(bind, *words, folder=out, good=(0, 1))
        said = done.stderr.decode()
        clash = re.search(r"and (k_\w+).* would both be called|: skipped (k_\w+): .* without the prefix already", said)
        if clash:
            named = re.compile(rf"\b{clash[1] or clash[2]}\b")
            functions[:] = [f for f in functions if not named.search(f.text)]
        elif done.returncode:
            raise Broken(said)
        else:
            return said


def trouble(functions, out, checks):
    """The faults of these, or an empty text."""
    try:
        make(functions, out, checks.bind)
        for check in ("c", "json", "python", "rust", "go", "julia"):
            getattr(checks, check)(out)
    except (Broken, SyntaxError, ValueError) as wrong:
        return f"{type(wrong).__name__}: {wrong}"
    return ""


def smallest(functions, out, checks):
    """Remove all that the failure does not need."""
    size = max(1, len(functions) // 2)
    while True:
        for at in range(0, len(functions), size):
            fewer = functions[:at] + functions[at + size :]
            if fewer and trouble(list(fewer), out, checks):
                functions = fewer
                break
        else:
            if size == 1:
                return functions
            size //= 2


def harvest(out, bind):
    """The names that emitted code uses itself, which a parameter of the same name could hide. Py... is CPython's."""
    header = ROOT / "tests/bind/kinds.h"
    run(bind, header, "--name", "kinds", "--lang", "python,rust,go,julia", "--out", out)
    text = " ".join(path.read_text() for path in out.rglob("*.*") if path.suffix in (".c", ".rs", ".go", ".jl", ".py"))
    words = set(re.findall(r"\b[A-Za-z_]\w*", text))
    hidden = re.compile(
        r"Py|_[A-Z]|[A-Z0-9]+_[A-Z0-9_]+$|u?int\w*_t|size_t|DL|dlf|DLF|[A-Z0-9_]+_(MAX|MIN)$|kinds|__|NDEBUG|std(in|out|err)|assert|errno"
    )
    return sorted(word for word in words if len(word) <= 16 and not hidden.match(word) and word not in C_WORDS)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bind", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--functions", type=int, default=40)
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--keep", type=Path)
    args = parser.parse_args()
    bind, failed = args.bind.resolve(), 0
    checks = (Built if args.long else Checks)(bind)
    with tempfile.TemporaryDirectory() as folder:
        words = harvest(Path(folder) / "kinds", bind)
        for seed in range(args.seed, args.seed + args.rounds):
            header = Header(random.Random(seed), words)
            functions = [Function(header) for _ in range(args.functions)]
            out = (args.keep or Path(folder)).resolve() / f"{seed}"
            wrong = trouble(functions, out, checks)
            if wrong and not args.long:  # compilers take too long for that, and name the line
                wrong = trouble(smallest(functions, out, checks), out, checks)
            if wrong:
                failed += 1
                print(f"seed {seed}:", wrong, (out / "in/k.h").read_text(), sep="\n", flush=True)
            else:
                print(f"seed {seed}: {len(functions)} functions", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
