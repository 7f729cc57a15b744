# SPDX-License-Identifier: Apache-2.0
"""Rules for tracked files: no generated copy, no source file over 2,000 lines, no long commit subject.

A rule counts for commits from the one on that added this file. The rules first find each fault in a repository that is
made for it, so that none of them can pass by looking at nothing. Without git or outside a checkout the lint is not run.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from files import ROOT

# Copies of sources that are tracked elsewhere: what writes each one, and its place.
COPIES = [
    ("core/amalgamate.cmake", r"(.*/)?dlferry\.c"),
    ("core/amalgamate.cmake", r"(?!core/include/)(.*/)?dlferry\.h"),
    ("core/amalgamate.cmake", r"(.*/)?dlferry_bind\.c"),
    ("core/amalgamate.cmake", r"(.*/)?csrc/.*"),
    ("core/amalgamate.cmake", r"(?!core/)(.*/)?dlferry_go\.h"),
    ("core/amalgamate.cmake", r"core/bind/(.*/)?(emit_)?go_header\.c"),
    ("core/amalgamate.cmake", r"(?!core/include/)(.*/)?dlpack/dlpack\.h"),
    ("dlferry-bind", r"examples/photo/packages/(go|python/c)/photo(_dlferry)?\.[ch]"),
]
SOURCE = {".c", ".h", ".cc", ".py", ".pyi", ".i", ".rs", ".go", ".jl", ".cmake", ".sh", ".in"}
LONGEST_FILE = 2000  # CONTRIBUTING.md aims at 500
LONGEST_SUBJECT = 72


def git(root, *words):
    done = subprocess.run(["git", "-C", str(root), *words], capture_output=True)
    if done.returncode:
        print(f"not run: git {words[0]}: {os.fsdecode(done.stderr).strip()}")
        sys.exit(77)
    return os.fsdecode(done.stdout)


def copies(names):
    for name in names:
        writer = next((writer for writer, pattern in COPIES if re.fullmatch(pattern, name)), None)
        if writer:
            yield f"{name}: expected it untracked, since {writer} writes it"


def long_files(root, names):
    for name in names:
        path = Path(root, name)
        if path.suffix in SOURCE and path.is_file():
            lines = path.read_bytes().count(b"\n")
            if lines > LONGEST_FILE:
                yield f"{name}: expected at most {LONGEST_FILE} lines, got {lines}"


def long_subjects(root, rule):
    began = git(root, "log", "--diff-filter=A", "--format=%H", "--", rule).split()
    if not began:  # a change that is not committed yet
        return
    for line in git(root, "log", "--format=%h %s", f"{began[-1]}..HEAD").splitlines():
        commit, _, subject = line.partition(" ")
        if len(subject) > LONGEST_SUBJECT:
            yield f"{commit}: expected a subject of at most {LONGEST_SUBJECT} characters, got {len(subject)}: {subject}"


def problems(root, rule):
    names = [name for name in git(root, "ls-files", "-z").split("\0") if name]
    return len(names), [*copies(names), *long_files(root, names), *long_subjects(root, rule)]


def commit(root, subject, **files):
    for name, text in files.items():
        path = Path(root, name.replace("__", "/").replace("_DOT_", "."))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    git(root, "add", "-A")
    author = ["-c", "user.name=lint", "-c", "user.email=lint@localhost", "-c", "commit.gpgsign=false"]
    git(root, *author, "commit", "-q", "--allow-empty", "-m", subject)


def find_faults_on_purpose():
    with tempfile.TemporaryDirectory() as root:
        git(root, "init", "-q")
        commit(root, "Say " + "much " * 20 + "before the rule", core__include__dlferry_DOT_h="")
        commit(root, "Begin the rule", rule="")
        good = problems(root, "rule")
        commit(root, "x" * LONGEST_SUBJECT, bindings__go__dlferry_DOT_h="", long_DOT_c="\n" * LONGEST_FILE)
        commit(root, "x" * (LONGEST_SUBJECT + 1), longer_DOT_c="\n" * (LONGEST_FILE + 1))
        found = [re.sub(r"^[0-9a-f]+: ", "COMMIT: ", line).split(", ")[0] for line in problems(root, "rule")[1]]
    wanted = [
        "bindings/go/dlferry.h: expected it untracked",
        "longer.c: expected at most 2000 lines",
        "COMMIT: expected a subject of at most 72 characters",
    ]
    if good != (2, []) or found != wanted:
        sys.exit(f"repository: the rules no longer find their faults: {good}, {found}")


def main():
    try:
        find_faults_on_purpose()
    except FileNotFoundError:
        print("not run: there is no git")
        sys.exit(77)
    count, found = problems(ROOT, Path(__file__).resolve().relative_to(ROOT).as_posix())
    print("\n".join(found))
    print(f"repository: {count} files, {len(found)} problems")
    sys.exit(bool(found))


main()
