# SPDX-License-Identifier: Apache-2.0
"""CONTRIBUTING's table of the files that a new dtype, function or constraint touches is what the tree says.

touches.py [--fix]: with --fix it writes the table. A file counts for a kind of thing if it names each of the siblings
below, which were added in the same way: the next one then needs a line there too. Comments and prose count. Files that
commands rewrite do not. A test counts only if a check demands it; the others, which try what they choose, are named
apart. Two to five siblings, not one, tell a list from an example that takes one or two of them.
"""

import re
import sys

from files import ROOT, every, is_generated

PAGE = ROOT / "CONTRIBUTING.md"
HEAD = "| a new | files | which | tests that also try each one |\n|---|---|---|---|\n"
MOST = 15  # longer lists tell folders
# A kind, and a pattern for each sibling, which finds it in any spelling.
KINDS = {
    "dtype": ["(?i)e3m4(?!b)", "(?i)e5m2fnuz", "(?i)e8m0fnu"],
    "device": ["(?i)maia", r"(?i)trn(?![a-z])"],
    "status": [
        r"NO_MEMORY|NoMemory",
        r"UNSUPPORTED|Unsupported",
        r"OVERFLOW|Overflow",
        r"BOUNDS|Bounds",
        r"LAYOUT|Layout",
    ],
    "view function": ["(?i)permute", "(?i)unsqueeze", r"(?i)(?<![a-z])flip(?![a-z])"],
    "layout word": ["(?i)fortran", r"(?i)(?<![a-z])dense", r"(?i)(?<![a-z])strided", r"(?i)(?<![a-z])rows(?![a-z])"],
    "constraint": [r"DLF__MULTIPLE\b|multiple of", r"DLF__RANGE\b|\d <= \w+ <= \d"],
    "parameter kind": [rf'BIND_{kind.upper()}\b|"{kind}",\n' for kind in ("char", "complex", "handle")],
}
# A pattern of the path, and the command that rewrites such files without a word on line 1, or why they do not count.
ASIDE = {
    r"CHANGELOG\.md|CONTRIBUTING\.md|tests/lint/touches\.py": "each change has its entry; the table, and the siblings",
    r"tests/abi/(dlferry\.abi|macros\.txt)": "tests/abi/frozen.py",
    r".*/golden\.txt|examples/photo/packages/.*": "--target photo_packages, and golden.py",
    r"tests/tool/expected\.txt": "tests/tool/tool.sh --update",
    r"tests/bench/move/README\.md": "the target bench_move_readme",
    r"bindings/python/docs/(peers|pythons|numpy_suite)\.md": "peers.py --write and others",
}
TEST = re.compile(r"(^|/)tests?/|_test\.")
# Tests that fail, or lints that ask for them, if a new sibling has no line there.
DEMANDED = {
    r"tests/(cases|golden|abi|lint|setup)/.*": "data and lists of which each one has a line",
    r"bindings/.*(test_cases\.|cases\.rs|operations_test\.go).*": "the runners of tests/cases",
    r"bindings/go/example_.*_test\.go": "Go's examples, for which lint_parity asks",
}


def measure(texts, siblings):
    """(files that count, tests that try each one) of {path: text}."""
    counted, tried = [], []
    for path, text in texts.items():
        if not any(re.fullmatch(pattern, path) for pattern in ASIDE) and all(re.search(s, text) for s in siblings):
            demanded = not TEST.search(path) or any(re.fullmatch(pattern, path) for pattern in DEMANDED)
            (counted if demanded else tried).append(path)
    return counted, tried


def listed(paths):
    if len(paths) <= MOST:
        return ", ".join(f"`{path}`" for path in paths)
    folders = [path.rpartition("/")[0] for path in paths]
    return ", ".join(f"`{folder or '.'}` {folders.count(folder)}" for folder in dict.fromkeys(folders))


def table(texts, kinds):
    rows = []
    for kind, siblings in kinds.items():
        counted, tried = measure(texts, siblings)
        rows.append(f"| {kind} | {len(counted)} | {listed(counted)} | {listed(tried)} |\n")
    return HEAD + "".join(rows)


def split(page):
    """The page before, in and behind the table."""
    before, head, rest = page.partition(HEAD)
    rows = re.match(r"(?:\|.*\n)*", rest)[0]
    return before, head + rows, rest[len(rows) :]


def can_fail():
    """True if each rule finds what it is for in a tree of six files, and a stale table is seen."""
    texts = {
        "core/a.c": "dlf_flip, dlf_turn",
        "bindings/a.go": "func Flip() {}\nfunc Turn() {}",
        "core/b.c": "an example: dlf_flip",
        "tests/c/test_a.c": "flip turn",
        "tests/cases/a.json": "flip turn",
        "CHANGELOG.md": "flip turn",
    }
    kinds = {"view": ["(?i)flip", "(?i)turn"]}
    expected = "| view | 3 | `core/a.c`, `bindings/a.go`, `tests/cases/a.json` | `tests/c/test_a.c` |\n"
    page = f"before\n\n{HEAD}| view | 2 | `core/a.c` | |\n\nbehind\n"
    right = table(texts, kinds) == HEAD + expected
    return right and split(page) == ("before\n\n", HEAD + "| view | 2 | `core/a.c` | |\n", "\nbehind\n")


def main(fix):
    if not can_fail():
        sys.exit("touches: the check does not find what it is for")
    texts = {}
    for path in every():
        if not is_generated(path):
            texts[path.relative_to(ROOT).as_posix()] = path.read_bytes().decode("utf-8", "replace")
    page = PAGE.read_text(encoding="utf-8")
    before, old, behind = split(page)
    new = table(texts, KINDS)
    if fix:
        PAGE.write_text(before + new + behind, encoding="utf-8")
    stale = [] if fix else sorted(set(new.splitlines()) ^ set(old.splitlines()))
    print("\n".join(stale))
    for kind, siblings in KINDS.items():
        print(f"touches: a new {kind}: {len(measure(texts, siblings)[0])} files")
    print(f"touches: {len(KINDS)} kinds, {len(stale)} lines that differ; `touches.py --fix` writes the table")
    sys.exit(bool(stale))


main(sys.argv[1:] == ["--fix"])
