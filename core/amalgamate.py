#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write the core as dlferry.h + dlferry.c (and the generator as dlferry_bind.c) into the bindings that carry it.

    python3 core/amalgamate.py            rewrite the checked-in copies
    python3 core/amalgamate.py --check    say which copies differ; exit status 1 if any does
    python3 core/amalgamate.py --out DIR  write every file into DIR instead

The copies are real files since Go drops symlinks from module archives and cargo refuses paths outside a crate.
"""

import argparse
import re
import sys
from pathlib import Path

CORE = Path(__file__).resolve().parent
ROOT = CORE.parent
COMMAND = "python3 core/amalgamate.py"

# One direction: a file uses only those before it. `exchange_api.c` ranks with `exchange`, since it is not named itself.
HUB = (
    "error dtype backend device layout check tensor queue exchange view number copy cast compare "
    "contract_words contract_clause contract_parse contract_text contract_failure contract_evaluate contract_place "
    "contract contract_quick contract_match contract_infer format npy"
).split()
BIND = (
<<<<<<< o.tmp
    "emit emit_names emit_fill doc lex_evaluate lex_token lex_directive lex parse_type parse ir_name ir_type "
    "ir_contract ir emit_ir argument cases_call cases_judge cases_find cases_keep cases_break cases_limit cases "
    "emit_cases emit_predicate emit_checked_shared emit_checked_call emit_checked emit_python_package "
    "emit_python_stub emit_python_doc emit_python_thunk emit_python emit_rust_layout emit_rust_types "
    "emit_rust_function emit_rust_tests emit_rust emit_go_header emit_go_types emit_go_call emit_go_tests emit_go "
    "emit_julia_types emit_julia explain new main"
=======
    "emit emit_names doc lex_evaluate lex_token lex_directive lex parse_type parse ir_name ir_type ir_contract ir "
    "emit_ir argument cases_call cases_judge cases_find cases_keep cases_break cases_limit cases emit_cases "
    "emit_predicate emit_checked_shared emit_checked_call emit_checked emit_python_package emit_python_stub "
    "emit_python_doc emit_python_thunk emit_python_tests emit_python emit_rust_layout emit_rust_types emit_rust_function "
    "emit_rust_tests emit_rust emit_go_header emit_go_shim emit_go_types emit_go_names emit_go_function "
    "emit_go_tests emit_go emit_julia_types emit_julia explain new main"
>>>>>>> t.tmp
).split()

HUB_HOMES = ["bindings/go", "bindings/rust/dlferry-sys/csrc", "bindings/julia/deps/csrc"]
BIND_HOMES = ["bindings/go/cmd/dlferry-bind", "bindings/rust/dlferry-build/csrc", "bindings/julia/deps/csrc"]
BIND_HEADER = CORE / "bind" / "emit_go_header.c"

INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)[>"]')
FEATURE = re.compile(r"\s*#\s*define\s+_\w+_SOURCE\b")
SPDX = "/* SPDX-License-Identifier: Apache-2.0 */"


def ordered(folder, names):
    """Sort a folder's C files by the order above; an unknown one is an error rather than a silent last."""

    def rank(path):
        for name in sorted(names, key=len, reverse=True):
            if path.stem == name or path.stem.startswith(name + "_"):
                return names.index(name)
        sys.exit(f"amalgamate: {path.relative_to(ROOT)} has no place in the order; name it in core/amalgamate.py")

    return sorted(folder.glob("*.c"), key=lambda path: (rank(path), path.stem))


class Amalgam:
    """Text of several sources in which every own header stands once and every system header is included once."""

    def __init__(self, folders, outside):
        self.folders = folders  # where own headers are found
        self.outside = outside  # own headers that stay an #include
        self.features, self.lines, self.seen = [], [], set()

    def find(self, name):
        return next((folder / name for folder in self.folders if (folder / name).is_file()), None)

    def add(self, path):
        depth = 0
        for line in path.read_text(encoding="utf-8").splitlines():
            word = line.lstrip()
            if word.startswith("#if"):
                depth += 1
            elif word.startswith("#endif"):
                depth -= 1
            match = INCLUDE.match(line)
            if line.strip() == SPDX:
                continue
            if FEATURE.match(line):  # only works before the first system header
                if line not in self.features:
                    self.features.append(line)
            elif match and (match[2] in self.outside or self.find(match[2])):
                if match[2] not in self.seen:
                    self.seen.add(match[2])
                    if match[2] in self.outside:
                        self.lines.append(f'#include "{self.outside[match[2]]}"')
                    else:
                        self.add(self.find(match[2]))
            elif match and match[1] == "<" and (match[2] in self.seen):
                continue
            else:
                # Inside an #if (an include guard apart) a header may be absent elsewhere, so it does not count as seen.
                if match and match[1] == "<" and depth == (1 if path.suffix == ".h" else 0):
                    self.seen.add(match[2])
                self.lines.append(line)

    def add_file(self, path):
        self.lines += ["", f"/* ---- {path.relative_to(ROOT).as_posix()} ---- */", ""]
        self.add(path)

    def text(self):
        body = re.sub(r"\n{3,}", "\n\n", "\n".join(self.features + self.lines).strip())
        return f"/* Generated by `{COMMAND}` from core/; do not edit. */\n{SPDX}\n{body}\n"


def hub_files():
    include = CORE / "include"
    header = Amalgam([include], {})
    header.add(include / "dlferry.h")
    source = Amalgam([CORE / "hub"], {"dlferry.h": "dlferry.h", "dlpack/dlpack.h": "dlferry.h"})
    for path in ordered(CORE / "hub", HUB):
        source.add_file(path)
    return {"dlferry.h": header.text(), "dlferry.c": source.text()}


def go_header(text):
    """Go's packages carry dlferry.h, so the generator does; line by line, since C limits the length of a literal."""
    lines = [line.replace("\\", "\\\\").replace('"', '\\"') for line in text.splitlines()]
    lines = "".join(f'    "{line}\\n",\n' for line in lines)
    first = f"/* Generated by `{COMMAND}` from core/; do not edit. */\n{SPDX}\n/* clang-format off */"
    declaration = "const char *const bind_go_header[]"
    return f"{first}\nextern {declaration};\n\n{declaration} = {{\n{lines}    0}};\n"


def bind_files():
    sources = ordered(CORE / "bind", BIND)
    if not sources:
        return {}
    source = Amalgam([CORE / "bind"], {"dlferry.h": "dlferry.h", "dlpack/dlpack.h": "dlferry.h"})
    for path in sources:
        source.add_file(path)
    return {"dlferry_bind.c": source.text()}


def main():
    parser = argparse.ArgumentParser(description="write the core's amalgamated copies")
    parser.add_argument("--check", action="store_true", help="only say which copies differ")
    parser.add_argument("--out", type=Path, help="write into this folder instead of the bindings")
    options = parser.parse_args()
    hub = hub_files()
    wanted = {BIND_HEADER: go_header(hub["dlferry.h"])}
    if not options.check and not options.out:
        BIND_HEADER.write_text(wanted[BIND_HEADER], encoding="utf-8")  # the generator's own copy holds it too
    bind = bind_files()
    if options.out:
        wanted = {options.out / name: text for name, text in {**hub, **bind}.items()}
    else:
        for homes, files in ((HUB_HOMES, hub), (BIND_HOMES, bind)):
            wanted.update({ROOT / home / name: text for home in homes for name, text in files.items()})
    stale = []
    for path, text in wanted.items():
        if path.is_file() and path.read_text(encoding="utf-8") == text:
            continue
        stale.append(path)
        if not options.check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    for path in stale:
        print(f"amalgamate: {'differs: ' if options.check else 'wrote '}{path}")
    if options.check and stale:
        sys.exit(f"amalgamate: {len(stale)} copies differ from core/; run `{COMMAND}` and commit them")
    print(f"amalgamate: {len(wanted)} files up to date")


if __name__ == "__main__":
    main()
