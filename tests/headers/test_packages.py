#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Packages of libraries whose headers stay as they are, compiled in a language without a warning, against stubs.

    test_packages.py DLFERRY_BIND CC HUB LANGUAGE ROOT...

compile.sh compiles them, with the environment that it names. LIBRARY=NAME in the environment picks one; KEEP=FOLDER
keeps the files.
"""

import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "foreign"))

from attempt import folder_for, run  # noqa: E402
from known import contracts, words_of  # noqa: E402
from libraries import LIBRARIES, first_root, root_of  # noqa: E402
from stubbed import Stubbed  # noqa: E402


def compile_package(bind, cc, hub, language, library, root, folder):
    """Return what is wrong, or nothing."""
    words = [*words_of(library, root), "--link", "stubs", "--lang", language]
    done = run(bind, *words, "--out", folder)
    if done.returncode:
        return [done.stderr[:800]]
    stubbed = Stubbed(bind, words_of(library, root), library, root, folder)
    stubbed.stubs(cc, hub, "libstubs.so", "-shared", "-fPIC")
    if stubbed.problems:
        return stubbed.problems
    folders = [flag[2:] for flag in stubbed.includes() if flag != "-I"] + library.flags(root)[1::2]
    environment = {
        **os.environ,
        "C_INCLUDE_PATH": ":".join(folders),
        "LIBRARY_PATH": str(folder),
        "LD_LIBRARY_PATH": str(folder),
    }
    work = [HERE / "compile.sh", language, library.name, folder / language, folder / "work"]
    done = run("sh", *work, env=environment)
    return [(done.stdout + done.stderr)[-1500:]] if done.returncode else []


def main():
    bind, cc, hub, language, *roots = sys.argv[1:]
    roots = [root_of(root) for root in roots]
    problems, compiled = [], 0
    for library in LIBRARIES:
        root = first_root(library, roots)
        if root is None or not contracts(library) or os.environ.get("LIBRARY", library.name) != library.name:
            continue
        with folder_for(library.name) as folder:
            wrong = compile_package(bind, cc, hub, language, library, root, folder)
        print(f"{library.name}: {'FAILED' if wrong else 'compiled'} in {language}", flush=True)
        problems += [f"{library.name}: {problem}" for problem in wrong]
        compiled += 1
    print("\n".join([f"{compiled} packages", *problems]))
    sys.exit(bool(problems) or not compiled)


main()
