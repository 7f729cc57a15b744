# SPDX-License-Identifier: Apache-2.0
"""Documents and comments avoid words that hide who acts: english.py

Each row of FORMS has a pattern, an example that it must find, and what to write instead. A run first checks that each
pattern finds its example in every kind of file.
"""

import re
import sys

from files import ROOT, every, is_generated

# What each row means is in CONTRIBUTING.md, "Style": name the subject, use the active voice and the field's own terms.
FORMS = [
    (r"[Ss]omebody|[Aa]nybody|[Ee]verybody|[Nn]obody|[Nn]o one", "a file that somebody shortens", "name the subject"),
    (r"[Ww]hoever|[Ww]homever", "Whoever frees, frees safely", "name the subject"),
    (r"[Ww]hatever|[Ww]hichever", "one row, whatever the strides", "any strides, for any order"),
    (r"(?:^|[.;:,] )[Ww]ho (?!has|is)\w+s\b(?!.*\?)", "Memory stays. Who asks gets it", "a caller that asks"),
    (r"(?:^|[.;] )Whose\b(?!.*\?)", "Whose strides these are", "name the subject"),
    (r"\b[Ll]et(?:s|ting)? go\b", "the last one lets go", "release"),
    (r"\b(?:say|know)(?:s|ing)? nothing\b", "the flag says nothing of copies", "does not say, does not know"),
    (r"\b(?:say|says|saying|said) (?:yes|no)\b(?! to )", "the check says no", "accept, refuse"),
    (r"\banew\b|\blest\b|\bfor ever\b", "write the packages anew", "again, so that ... not, forever"),
    (r"\bits like\b|\btheir like\b|\band its kind\b", "float8 and its like", "and similar"),
    (r"behind (?:your|its|our) back\b", "copied behind your back", "silently"),
    (r"\bas (?:it|they|DLPack|CMake|cc|the \w+) (?:has|have) it\b", "as the protocol has it", "as in the protocol"),
    (r"\bin its words\b|\bin so many words\b", "refused in its words", "with its text"),
    (r"\bor none of (?:it|them) is\b|\bin order that\b", "in order that it works", "so that"),
]
PATTERNS = [(re.compile(pattern), example, instead) for pattern, example, instead in FORMS]
FRAMES = {".c": "int x; /* %s. */", ".rs": "/// %s.", ".go": "\t// %s.", ".jl": "f() # %s."}
LINES = {".py", ".pyi", ".cmake", ".sh", ".jl", ".toml", ".yml", ".in"}
SLASHES = {".rs", ".go"}
BLOCKS = {".c", ".h", ".i"}


def document(text):
    """The prose of a Markdown file, its code blanked out."""
    text = re.sub(r"^( *)```.*?^\1```$", lambda found: re.sub(r"[^\n]", " ", found[0]), text, flags=re.M | re.S)
    return re.sub(r"`[^`\n]+`", lambda found: "x" * len(found[0]), text).split("\n")


def comments(text, suffix):
    """The comments of a source, line by line, and everything else blanked out."""
    if suffix in BLOCKS:
        parts = re.compile(r'"(?:\\.|[^"\\\n])*"|/\*.*?\*/|//[^\n]*', re.S)
    elif suffix in SLASHES:
        parts = re.compile(r'"(?:\\.|[^"\\])*"|(?<![:/])//[^\n]*')
    else:
        parts = re.compile(r'"""(?:(?!""").)*"""|"(?:\\.|[^"\\\n])*"|(?:^|(?<=\s))#[^\n]*', re.S)
    kept, end = [], 0
    for found in parts.finditer(text):
        kept.append(re.sub(r"[^\n]", " ", text[end : found.start()]))
        is_text = found[0].startswith('"') and not found[0].startswith('"""')
        kept.append(re.sub(r"[^\n]", " ", found[0]) if is_text else found[0])
        end = found.end()
    return [re.sub(r"^\s*(?:/?\*+/?|//[/!]?|#+|\"\"\")?[<!]?\s*", "", line) for line in "".join(kept).split("\n")]


def prose(path):
    text = path.read_text(encoding="utf-8")
    return document(text) if path.suffix == ".md" else comments(text, path.suffix)


def problems(lines):
    for number, line in enumerate(lines, 1):
        for pattern, _, instead in PATTERNS:
            if found := pattern.search(line):
                yield number, found[0].strip(), instead


def check_forms():
    """Every example is found in every kind of file, and a name in code is not."""
    for pattern, example, _ in PATTERNS:
        if not pattern.search(example):
            sys.exit(f"english: {pattern.pattern!r} does not find its example {example!r}")
        for suffix, frame in FRAMES.items():
            if not any(problems(comments(frame % example, suffix))):
                sys.exit(f"english: {example!r} is not found in a comment of {suffix}")
        if not any(problems(comments(f'"""\n{example}.\n"""', ".py"))) or not any(problems(document(example))):
            sys.exit(f"english: {example!r} is not found in a docstring or a document")
    for suffix, code in ((".c", 'puts("somebody");'), (".py", 'x = "nobody"'), (".rs", "whatever();")):
        if any(problems(comments(code, suffix))):
            sys.exit(f"english: found in code: {code}")


def main():
    check_forms()
    found, count = [], 0
    for path in every():
        known = {".md"} | BLOCKS | SLASHES | LINES
        if path.name == "english.py" or (path.suffix not in known and path.name != "CMakeLists.txt"):
            continue
        if is_generated(path):
            continue
        count += 1
        name = path.relative_to(ROOT).as_posix()
        found += [f"{name}:{line}: {words!r}: write: {instead}" for line, words, instead in problems(prose(path))]
    print("\n".join(found))
    print(f"english: {count} files, {len(PATTERNS)} forms, {len(found)} problems")
    sys.exit(bool(found))


main()
