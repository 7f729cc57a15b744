# SPDX-License-Identifier: Apache-2.0
"""How dense the C code is. Needs lizard.

Dense code is slow to read. For `core` and for `bindings` it counts, in functions alone, the tokens of a line, the
decisions in 100 tokens (lizard's cyclomatic complexity), the conditional expressions in 1,000 tokens, the lines of a
function and how deep its blocks stand; and it names each conditional expression inside another one, each assignment in
the condition of an `if` and each file that is too long (functions.py finds functions). Comments, blank lines, tests and
generated files do not count. A string counts its words, so that a text in a template is not cheaper than code.
"""

import re
import statistics
import sys
import tempfile
from pathlib import Path

import lizard
from files import ROOT, sources

TOKEN = re.compile(r"[A-Za-z_]\w*|\d[\w.]*|->|<<|>>|<=|>=|==|!=|&&|\|\||\+\+|--|[^\s\w]")
MOST = {
    "tokens a line": 8.5,
    "decisions in 100 tokens": 3.3,
    "ternaries in 1,000 tokens": 1.5,
    "lines, median": 12,
    "lines, p90": 35,
    "nesting, p90": 2,
}
LONGEST_FILE = 700
MANUAL = "core/include/dlferry.h"  # the hub's whole interface with its docs, which users read from top to bottom


def bare(text):
    """The text without comments; a string keeps its words, a character is one."""
    text = re.sub(r"/\*.*?\*/", lambda found: "\n" * found[0].count("\n"), text, flags=re.S)
    text = re.sub(r"//[^\n]*", "", text)
    text = re.sub(r'"((?:\\.|[^"\\\n])*)"', lambda found: '"' + re.sub(r"\W+", " ", found[1]) + '"', text)
    return re.sub(r"'(\\.|[^'\\\n])+'", "'c'", text)


def depth(body):
    """How deep the blocks of a function stand inside its own."""
    level = deepest = 0
    for mark in re.findall("[{}]", body):
        level += 1 if mark == "{" else -1
        deepest = max(deepest, level)
    return deepest - 1


def nested(tokens):
    """True if a conditional expression stands inside another one: two `?` before the end of a statement or argument."""
    open_at = [0]
    for token in tokens:
        if token in "([{":
            open_at.append(open_at[-1])
        elif token in ")]}":
            open_at = open_at[:-1] or [0]
        elif token in {",", ";"}:
            open_at[-1] = open_at[-2] if len(open_at) > 1 and token == "," else 0
        elif token == "?":
            open_at[-1] += 1
            if open_at[-1] > 1:
                return True
    return False


def assigns(tokens):
    """True if the condition of an `if` holds an assignment."""
    for at, token in enumerate(tokens):
        if token != "if":
            continue
        level = 0
        for x in tokens[at + 1 :]:
            level += {"(": 1, ")": -1}.get(x, 0)
            if x == "=":
                return True
            if level == 0:
                break
    return False


class Room:
    """What was counted in one folder."""

    def __init__(self):
        self.lines = self.tokens = self.decisions = self.ternaries = self.all_tokens = 0
        self.lengths, self.depths, self.problems = [], [], []

    def read(self, path, name):
        source = path.read_text()
        text = bare(source)
        self.all_tokens += len(TOKEN.findall(text))
        if source.count("\n") > LONGEST_FILE and name != MANUAL:
            self.problems.append(f"{name}: expected at most {LONGEST_FILE} lines, got {source.count(chr(10))}")
        rows = text.split("\n")
        for function in lizard.analyze_file.analyze_source_code(str(path), source).function_list:
            body = [row for row in rows[function.start_line - 1 : function.end_line] if row.strip()]
            self.add(f"{name}:{function.start_line}: {function.name}", "\n".join(body), len(body), function)

    def add(self, place, body, length, function):
        tokens = TOKEN.findall(body)
        self.lines += length
        self.tokens += len(tokens)
        self.decisions += function.cyclomatic_complexity - 1
        self.ternaries += tokens.count("?")
        self.lengths.append(length)
        self.depths.append(depth(body))
        if nested(tokens):
            self.problems.append(f"{place}: a conditional expression inside another one; name the inner value")
        if assigns(tokens):
            self.problems.append(f"{place}: an assignment in the condition of an `if`; write it before")

    def figures(self):
        p90 = int(0.9 * len(self.lengths))
        return {
            "tokens a line": self.tokens / self.lines,
            "decisions in 100 tokens": 100 * self.decisions / self.tokens,
            "ternaries in 1,000 tokens": 1000 * self.ternaries / self.tokens,
            "lines, median": statistics.median(self.lengths),
            "lines, p90": sorted(self.lengths)[p90],
            "nesting, p90": sorted(self.depths)[p90],
        }


def measure(paths, root):
    room = Room()
    for path in paths:
        room.read(path, path.relative_to(root).as_posix())
    return room


def can_fail():
    """True if each fault is found in a file that has it, and none in a plain one."""
    plain = "int f(int a) {\n  if (a == 1) {\n    return 2;\n  }\n  return a > 2 ? g(a ? 1 : 2, 3) : 4;\n}\n"
    fine = "int f(int a) {\n  if (a == 1) {\n    return 2;\n  }\n  g(a ? 1 : 2, a ? 3 : 4);\n  return a ? 3 : 4;\n}\n"
    faults = [
        plain,
        "int f(int a) {\n  return a ? 1 : a + 1 ? 2 : 3;\n}\n",
        "int f(int a) {\n  if ((a = g())) {\n    a++;\n  }\n  return a;\n}\n",
        "/* */\n" * 701,
    ]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "f.c")
        found = []
        for text in [fine, *faults]:
            path.write_text(text)
            found.append(len(measure([path], Path(folder)).problems))
        path.write_text("int f(int a) {\n  for (;;) { if (a) { while (a && a) { return a ? 1 : 2; } } }\n}\n")
        figures = measure([path], Path(folder)).figures()
    beyond = {name for name, most in MOST.items() if figures[name] > most}
    return found == [0, 1, 1, 1, 1] and beyond == set(MOST) - {"lines, median", "lines, p90"}


def main():
    if not can_fail():
        sys.exit("density: the check does not find what it is for")
    bad, tokens = [], 0
    for folder in ("core", "bindings"):
        inside = [
            path
            for path in sources(".c", ".h")
            if path.is_relative_to(ROOT / folder) and "tests" not in path.relative_to(ROOT).parts
        ]
        room = measure(inside, ROOT)
        tokens += room.all_tokens
        bad += room.problems
        print(f"{folder}: {len(inside)} files, {len(room.lengths)} functions, {room.all_tokens} tokens in all")
        for name, value in room.figures().items():
            print(f"  {name}: {value:.4g}, at most {MOST[name]}")
            if value > MOST[name]:
                bad.append(f"{folder}: expected at most {MOST[name]} {name}, got {value:.4g}")
    print("\n".join(bad))
    print(f"density: {tokens} tokens of C in core and bindings, {len(bad)} problems")
    sys.exit(bool(bad))


main()
