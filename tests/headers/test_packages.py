#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The package of a library whose headers stay as they are, compiled in a language without a warning, against stubs, and
loaded.

    test_packages.py DLFERRY_BIND CC HUB LANGUAGE LIBRARY ROOT...

compile.sh compiles it, with the environment that it names. KEEP=FOLDER keeps the files; WARN=1 puts what a compiler
warns about into the package, which must be found. Status 77: its headers are not here, NOT RUN says why.
"""

import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "foreign"))

from attempt import folder_for, run  # noqa: E402
from known import library_of, why_missing, words_of  # noqa: E402
from libraries import first_root, root_of  # noqa: E402
from stubbed import Stubbed  # noqa: E402

# Cargo shows no warnings about a crate's C.
UNUSED = {"*_dlferry.c": "static int dlferry_unused;\n", "lib.rs": "fn dlferry_unused() {}\n"}


def make_package(bind, cc, hub, language, library, root, folder):
    """Write the package and the stubs; returns what is wrong, or nothing."""
    words = words_of(library, root)
    done = run(bind, *words, "--link", "stubs", "--lang", language, "--out", folder)
    if done.returncode:
        return [done.stderr[:800]], []
    stubbed = Stubbed(bind, words, library, root, folder)
    stubbed.stubs(cc, hub, "libstubs.so", "-shared", "-fPIC")
    return stubbed.problems, [flag[2:] for flag in stubbed.includes() if flag != "-I"] + library.flags(root)[1::2]


def warn(folder):
    for pattern, line in UNUSED.items():
        for path in folder.rglob(pattern):
            path.write_text(path.read_text() + line)


def compile_package(language, library, folder, includes):
    """Return what the compilers say, or nothing."""
    environment = {
        **os.environ,
        "C_INCLUDE_PATH": ":".join(includes),
        "LIBRARY_PATH": str(folder),
        "LD_LIBRARY_PATH": str(folder),
    }
    work = [HERE / "compile.sh", language, library.name, folder / language, folder / "work"]
    done = run("sh", *work, env=environment)
    return done.stdout + done.stderr if done.returncode else ""


def judge(said):
    """What is wrong, of what the compilers said."""
    if "WARN" in os.environ:
        return [] if "dlferry_unused" in said else [f"the warning was not found: {said[-3000:]}"]
    errors = [line for line in said.splitlines() if "error" in line]
    return [*errors[:10], said[-2000:]] if said else []


def main():
    bind, cc, hub, language, name, *roots = sys.argv[1:]
    library, roots = library_of(name), [root_of(root) for root in roots]
    root = first_root(library, roots)
    if root is None:
        print(f"NOT RUN: {name}: {why_missing(library, roots)}")
        sys.exit(77)
    with folder_for(name) as folder:
        problems, includes = make_package(bind, cc, hub, language, library, root, folder)
        if "WARN" in os.environ:
            warn(folder)
        if not problems:
            problems = judge(compile_package(language, library, folder, includes))
    print("\n".join([f"{name}: {'FAILED' if problems else 'compiled'} in {language}", *problems]))
    sys.exit(bool(problems))


main()
