#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Keep the table of clauses whole: table.py DLFERRY_BIND [--write | --planted]

Every word and mark that the parsers know stands in a contract of clauses.contracts or of golden.h. Every clause of
clauses.contracts has a call in each language that holds, and one that breaks it; a clause that no call can break is
broken in the file of contracts, which the generator refuses with the text in clauses.json. golden.py runs the calls,
and does the same for golden.h. golden/ has what is generated for the clauses, README.md
the table; --write writes both, and the texts of refusals: read the difference before you commit it. --planted takes
clauses and calls away, and sees them missed.
"""

import fnmatch
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "tests/golden"))
from programs import LANGUAGES  # noqa: E402

NAMES = {"c": "C", "python": "Python", "rust": "Rust", "go": "Go", "julia": "Julia"}
CONTRACTS, TABLE, README = (HERE / name for name in ("clauses.contracts", "clauses.json", "README.md"))
GOLDEN = HERE / "golden"  # a file for each language

# Where the parsers of contracts are. Each word that they know is a string there.
PARSERS = [
    *(f"core/contract/{name}.c" for name in ("words", "parse", "clause", "value", "derive", "limit", "layout")),
    *(f"core/bind/clauses/{name}.c" for name in ("clauses", "borrow", "gift", "origin", "sidecar", "texts", "tree")),
]
NOT_CLAUSES = {
    # Words of messages, and words of other languages, which are refused with a hint.
    *"contract and or if unless when division".split(),
}


def words(text):
    return " ".join(text.split())


def form(clause):
    """A clause without blanks and, of a parameter, its name."""
    return re.sub(r"^\w+(?=:(?!=))", "", re.sub(r"\s", "", clause))


# ---- the contracts ----


def read_contracts(text):
    """The clauses of each block by its name, the lines of handles and others, and which blocks several share."""
    text = re.sub(r"(?m)(^|\s)#.*$|^\?.*$", "", text)
    blocks, lines, shared = {}, [], []
    pattern = (
        r"(?s)(handle [^;]*);|((?:family|struct|enum) \w+ \{[^}]*\})|(every )?([\w*?]+) \{((?:[^{}]|\{[^}]*\})*)\}"
    )
    for handle, other, every, name, body in re.findall(pattern, text):
        shared += [name] if every else []
        if name:
            blocks[name] = [words(clause) for clause in body.split(";") if clause.strip()]
        else:
            lines.append(words(handle or other))
    return blocks, lines, shared


def subject(line):
    """The class, struct or family of a line: `clauses_clock` of `handle void *timer as clauses_clock ...`."""
    return re.sub(r" [\w*]+ as ", " ", line.replace("void *", "")).split()[1]


def block_of(blocks, f):
    """The block's name of a function, or of a member of a family."""
    if f["name"] in blocks:
        return f["name"]
    names = [member["name"] for member in f.get("family", [])] or [f["name"]]
    return next((block for block in blocks for name in names if fnmatch.fnmatchcase(name, block)), None)


# ---- calls ----


def calls(ir, file, blocks, lines, shared):
    """{(block, clause): {language: [held, broken]}}"""
    found = {(name, clause): {language: [0, 0] for language in LANGUAGES} for name in blocks for clause in blocks[name]}
    found |= {("", line): {language: [0, 0] for language in LANGUAGES} for line in lines}
    problems = []
    for language, program in LANGUAGES.items():
        made = program(ir, True)
        for case in file["cases"]:
            f = made.functions[case["call"]]
            if language not in case.get("only", [language]) or made.skip(case, f):
                continue
            block = block_of(blocks, f)
            own = [(block, clause) for clause in blocks.get(block, [])]
            subjects = [clause.split(":")[0] for _, clause in own]
            for other in shared:
                if other != block and fnmatch.fnmatchcase(f["name"], other):
                    own += [(other, clause) for clause in blocks[other] if clause.split(":")[0] not in subjects]
            values = [*f["params"], f["returns"]]
            kinds = ("handle", "struct", "holder", "enum")
            types = {f.get("creates"), *(p.get(key) for p in values for key in kinds)} - {None}
            types |= {struct["struct"] for struct in f.get("spread", [])}
            own += [("", line) for line in lines if subject(line) in {*types, f["short_name"]}]
            if "breaks" not in case:
                for key in own:
                    found[key][language][0] += 1
            elif any(clause == case["breaks"] for _, clause in own):
                found[next(key for key in own if key[1] == case["breaks"])][language][1] += 1
            elif case["breaks"] not in ("char", "const char *"):  # types alone
                problems.append(f"{case['name']}: breaks `{case['breaks']}`, which {block} does not have")
    return found, problems


# ---- refusals ----


def refuse(bind, text, row):
    """What the generator says of the contracts with one clause broken."""
    start = text.index("{", text.index(f"clauses_{row['in']} {{")) if row["in"] else 0
    clause = re.compile(r"\s+".join(map(re.escape, row["clause"].split())))
    at = clause.search(text, start)
    with tempfile.TemporaryDirectory() as folder:
        broken = Path(folder, "clauses.contracts")
        broken.write_text(text[: at.start()] + row["broken"] + text[at.end() :])
        command = [bind, HERE / "clauses.h", "--name", "clauses", "--contracts", broken, "--ir"]
        done = subprocess.run(command, capture_output=True, text=True)
    said = [line for line in done.stderr.splitlines() if "need a contract" not in line]
    line = re.sub(r"^dlferry-bind: \S*?(clauses\.\w+):\d+(?::\d+)?: ", r"\1: ", said[0]) if said else ""
    return line.replace(str(HERE) + "/", "")


# ---- words that the parsers know ----


def known_words():
    found = {}
    for path in PARSERS:
        text = (ROOT / path).read_text()
        text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
        text = re.sub(r'"\s+"', "", text)  # a string that goes on in the next line
        for word in re.findall(r'"([a-z_A-Z]+)"', text):
            found.setdefault(word, path)
        for mark in re.findall(r'takes_mark\(\w+, "([^"\w]+)"\)', text):
            found.setdefault(mark, path)
    return {word: path for word, path in found.items() if word not in NOT_CLAUSES}


def unsaid_words(contracts):
    """Words and marks that no contract of the two tables has."""
    header = (ROOT / "tests/golden/golden.h").read_text()
    said = re.sub(r"(?m)(^|\s)#.*$", "", contracts) + "".join(re.findall(r"@contract (.*)", header))
    for word, path in known_words().items():
        if not re.search(rf"(?<!\w){re.escape(word)}(?!\w)" if word[0].isalpha() else re.escape(word), said):
            yield f"`{word}` of {path} stands in no contract of clauses.contracts or golden.h"


# ---- what is generated ----


def declarations(bind):
    """The declarations of the twins, C's calls, and each language's functions."""
    with tempfile.TemporaryDirectory() as folder:
        command = [bind, "clauses.h", "--name", "clauses", "--contracts", "clauses.contracts", "--no-tests"]
        command += ["--lang", "python,rust,go,julia", "--out", folder]
        subprocess.run(command, cwd=HERE, check=True, capture_output=True)

        def found(path, pattern):
            text = Path(folder, path).read_text(encoding="utf-8")
            return [words(match) for match in re.findall(pattern, text)]

        return {
            "c.txt": found("clauses_dlferry.h", r"(?m)^DLF_API ((?:.|\n)*?;)"),
            "c_calls.txt": found("clauses_dlferry.c", r"(?m)^ +((?:[\w *]*= )?clauses_\w+\((?:.|\n)*?\));$"),
            "python.txt": found(
                "python/clauses/__init__.pyi", r"(?m)^ *((?:def (?!__(?:enter|exit))|class )(?:.|\n)*?):(?: \.\.\.)?$"
            ),
            "rust.txt": found("rust/src/lib.rs", r"(?m)^ *(pub (?:fn|struct|const) (?:.|\n)*?)(?: \{|;)$"),
            "go.txt": found("go/clauses.go", r"(?m)^(func (?:\(\w+ \*\w+\) )?[A-Z].*?) \{"),
            "julia.txt": found("julia/src/Clauses.jl", r'(?m)^ +(\w+!?\([^"]*\)(?: -> .*)?)$'),
        }


def golden(bind, write):
    """What differs from the files of GOLDEN."""
    for name, lines in declarations(bind).items():
        text = re.sub(r"\b(?:dlf_data|dlferry_first)\(", "first(", "".join(line + "\n" for line in lines))
        yield from checked(GOLDEN / name, text, write)


def table(found, refused):
    """README.md's rows."""
    said = {}
    for (block, clause), cells in found.items():
        row = [f"`{clause.replace('|', chr(92) + '|')}`", f"`{block}`" if block else ""]
        row += [f"{held} + {broken}" for held, broken in cells.values()]
        row.append(str(refused.get((block, clause), "")))
        said[block, clause] = "| " + " | ".join(row) + " |\n"
    head = ["clause", "of", *NAMES.values(), "refused"]
    return f"| {' | '.join(head)} |\n|{'---|' * len(head)}\n" + "".join(said.values())


def gaps(found, refused):
    """Clauses without a call, or without one that breaks them in a language in which one can."""
    everywhere, said = {}, {}
    for block, clause in found:
        said.setdefault(block, []).append(clause)
    for (block, clause), cells in found.items():
        for language, (_, broken) in cells.items():
            key = form(clause), language
            everywhere[key] = everywhere.get(key, 0) + broken + refused.get((block, clause), 0)
    for (block, clause), cells in found.items():
        if clause.startswith("?") or clause == "hide":  # callers have no such function
            if not any(refused.get((block, other)) for other in said[block]):
                yield f"{block}: `{clause}`: no refusal"
            continue
        for language, (held, _) in cells.items():
            if not held:
                yield f"{block}: `{clause}`: {NAMES[language]} has no call that holds"
            if not everywhere[form(clause), language]:
                yield f"{block}: `{clause}`: {NAMES[language]} has no call that breaks it, and nothing refuses it"


def checked(path, text, write):
    if write:
        path.write_text(text, encoding="utf-8")
    return () if path.read_text(encoding="utf-8") == text else [f"{path.name} is not up to date: run clauses_table"]


def with_refusals(text, rows):
    """clauses.json with these refusals."""
    lines = ",\n".join("    " + json.dumps(row, ensure_ascii=False) for row in rows)
    return re.sub(r'(?s)("refused": \[\n).*?(\n  \],\n  "cases")', lambda m: m[1] + lines + m[2], text)


def planted(found, refused, text):
    """What is not missed once it is taken away."""
    for word in ("blas", "until", "array_interface", "threadsafe", "same", "real", ":=", "->"):
        if not any(problem.startswith(f"`{word}` ") for problem in unsaid_words(text.replace(word, ""))):
            yield f"`{word}` is not missed"
    for i, what in enumerate(("holds", "breaks")):
        key = "clauses_total", "sum: out c128"
        less = {**found, key: {**found[key], "go": [(0, 1)[i], (1, 0)[i]]}}
        if not any("Go has no call that " + what in problem for problem in gaps(less, {})):
            yield f"a call that {what} is not missed"


def main():
    bind, write = str(Path(sys.argv[1]).resolve()), "--write" in sys.argv
    text = CONTRACTS.read_text()
    blocks, lines, shared = read_contracts(text)
    command = [bind, "clauses.h", "--name", "clauses", "--contracts", "clauses.contracts", "--ir"]
    ir = json.loads(subprocess.run(command, cwd=HERE, check=True, capture_output=True, text=True).stdout)
    file = json.loads(TABLE.read_text(encoding="utf-8"))
    found, problems = calls(ir, file, blocks, lines, shared)
    if "--planted" in sys.argv:
        problems = list(planted(found, {}, text))
        print("\n".join(problems) or "clauses: what is taken away is missed")
        return bool(problems)
    refused, rows = {}, []
    for row in file["refused"]:
        block = f"clauses_{row['in']}" if row["in"] else ""
        if (block, row["clause"]) not in found:
            problems.append(f"refused: {block} has no clause `{row['clause']}`")
            continue
        refused[block, row["clause"]] = refused.get((block, row["clause"]), 0) + 1
        message = refuse(bind, text, row)
        if message != row["message"] and not write:
            problems.append(f"{block}: `{row['broken']}`:\n  expected {row['message']}\n  got      {message}")
        if not message:
            problems.append(f"{block}: `{row['broken']}` is not refused")
        rows.append({**row, "message": message})
    if write:
        TABLE.write_text(with_refusals(TABLE.read_text(encoding="utf-8"), rows), encoding="utf-8")
    readme = README.read_text(encoding="utf-8")
    readme = readme[: readme.index("| clause |")] + table(found, refused)
    problems += [*gaps(found, refused), *unsaid_words(text)]
    problems += [*checked(README, readme, write), *golden(bind, write)]
    print("\n".join(problems))
    print(f"clauses: {len(found)} clauses, {len(file['cases'])} calls, {len(rows)} refusals, {len(problems)} problems")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
