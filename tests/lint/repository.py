# SPDX-License-Identifier: Apache-2.0
"""Rules for what is tracked: no copy, no compiler's output, no unmarked generated file, no source over 2,000 lines, no
name that Windows cannot have, no long commit subject.

A rule counts for commits from the one on that added this file. The rules first find each fault in a repository that is
made for it, so that none of them can pass by looking at nothing. Without git or outside a checkout the lint is not run.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from files import ROOT, is_generated

# Copies of sources that are tracked elsewhere, and compilers' output: what writes each one, and its place.
COPIES = [
    ("core/amalgamate.cmake", r"(.*/)?dlferry\.c"),
    ("core/amalgamate.cmake", r"(?!core/include/)(.*/)?dlferry\.h"),
    ("core/amalgamate.cmake", r"(.*/)?dlferry_bind\.c"),
    ("core/amalgamate.cmake", r"(.*/)?csrc/.*"),
    ("core/amalgamate.cmake", r"(?!core/)(.*/)?dlferry_go\.h"),
    ("core/amalgamate.cmake", r"core/bind/(.*/)?(emit_)?go_header\.c"),
    ("core/amalgamate.cmake", r"(?!core/include/)(.*/)?dlpack/dlpack\.h"),
    ("dlferry-bind", r"examples/photo/packages/(go|python/c)/photo(_dlferry)?\.[ch]"),
    ("a compiler", r".*\.(a|gcda|gcno|gcov|o|pyc|so)"),
]
SOURCE = {".c", ".h", ".cc", ".py", ".pyi", ".i", ".rs", ".go", ".jl", ".cmake", ".sh", ".in"}
MARK = "marked.c linguist-generated\n"
# A checkout on Windows fails at such a name; two that differ in case alone are one file there, as on macOS.
RESERVED = r"(?i)(.*/)?((con|prn|aux|nul|com\d|lpt\d)([.][^/]*)?|[^/]*[.]|[^/]*[<>:\"|?*\\][^/]*)(/.*)?"
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


def unmarked(root, names):
    generated = [name for name in names if Path(root, name).is_file() and is_generated(Path(root, name))]
    if generated:
        fields = git(root, "check-attr", "-z", "linguist-generated", "--", *generated).split("\0")
        for name, value in zip(fields[::3], fields[2::3], strict=False):
            if value != "set":
                yield f"{name}: expected linguist-generated in .gitattributes, got {value}"


def not_for_windows(names):
    lower = {}
    for name in names:
        if re.fullmatch(RESERVED, name):
            yield f"{name}: expected a name that Windows allows, got a reserved one"
        if lower.setdefault(name.lower(), name) != name:
            yield f"{name}: expected a name that differs from {lower[name.lower()]} in more than case"


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
    found = [*copies(names), *unmarked(root, names), *not_for_windows(names), *long_files(root, names)]
    return len(names), [*found, *long_subjects(root, rule)]


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
        written = {"bindings__go__dlferry_DOT_h": "", "notes_DOT_gcno": ""}
        commit(root, "x" * LONGEST_SUBJECT, **written, long_DOT_c="\n" * LONGEST_FILE)
        made = "/* Generated by a command. */"
        commit(root, "Generate", made_DOT_c=made, marked_DOT_c=made, _DOT_gitattributes=MARK)
        commit(root, "x" * (LONGEST_SUBJECT + 1), longer_DOT_c="\n" * (LONGEST_FILE + 1))
        lines = problems(root, "rule")[1] + [*not_for_windows(["corpus/nul", "auxiliary.c", "NULL.c", "null.c"])]
        found = [re.sub(r"^[0-9a-f]+: ", "COMMIT: ", line).split(", ")[0] for line in lines]
    wanted = [
        "bindings/go/dlferry.h: expected it untracked",
        "notes.gcno: expected it untracked",
        "made.c: expected linguist-generated in .gitattributes",
        "longer.c: expected at most 2000 lines",
        "COMMIT: expected a subject of at most 72 characters",
        "corpus/nul: expected a name that Windows allows",
        "null.c: expected a name that differs from NULL.c in more than case",
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
