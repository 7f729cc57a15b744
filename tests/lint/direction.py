# SPDX-License-Identifier: Apache-2.0
"""Folders and files build on each other in one direction: direction.py [--self-test]

A folder uses itself and the folders above it in ORDER. No files use each other in a circle. The uses of a file are read
from its text: in C its includes, and the functions and variables that another file defines; in Python its imports; in
Rust its paths; in Go and Julia the names that another file of the package defines. A C file and its header are one; a
header of inline functions counts as itself. Prototypes use nothing.
"""

import re
import sys
import tempfile
from pathlib import Path

from files import ROOT, every

# Each row uses the rows above it. The folders of one row do not use each other.
CORE = """
core
core/include core/include/dlferry core/include/dlpack
core/hub
core/hub/tensor
core/hub/move
core/hub/convert
core/hub/elements core/hub/view
core/hub/exchange
core/hub/object core/hub/files
core/hub/pyobject
core/contract
core/bind/base
core/bind/c
core/bind/clauses
core/bind/ir
core/bind/emit
core/bind/twin
core/bind/cases
core/bind/diff
core/bind/python core/bind/rust core/bind/go core/bind/julia
core/bind
core/tool
core/packaging/conan core/packaging/consumer
"""
# Likewise, each block behind core/include, the only folder of the core that a binding may use. A module of Rust is a
# folder, with the file of its name beside it, or that file alone.
BINDINGS = """
bindings/python/src/dlferry/c/python
bindings/python/src/dlferry/c
bindings/python/src/dlferry
bindings/python/extension

bindings/rust/dlferry-sys/src
bindings/rust/dlferry-sys
bindings/rust/dlferry-build/src
bindings/rust/dlferry-build
bindings/rust/dlferry/src
bindings/rust/dlferry/src/tensor
bindings/rust/dlferry/src/elements
bindings/rust/dlferry/src/exchange
bindings/rust/dlferry/src/object bindings/rust/dlferry/src/npy
bindings/rust/dlferry/src/view
bindings/rust/dlferry/src/contract bindings/rust/dlferry/src/python
bindings/rust/dlferry/src/arg bindings/rust/dlferry/src/plumbing
bindings/rust/dlferry/src/lib

bindings/go/internal/plumb
bindings/go
bindings/go/internal/leak bindings/go/cmd/dlferry-bind bindings/go/gonum bindings/go/arrow bindings/go/onnxruntime

bindings/julia/deps
bindings/julia/src
bindings/julia/docs bindings/julia
"""
# Tests stand behind all of it, and nothing uses them.
TESTS = {"tests", "test", "testing", "testdata", "benches", "generated", "pyo3"}
# (file, file it uses): why the circle stays
EXCEPTIONS = {
    ("bindings/go/tensor.go", "bindings/go/elements_layout.go"): "a tensor keeps the layout that its elements share",
}

C = (".c", ".h", ".i")
SUFFIXES = (*C, ".py", ".rs", ".go", ".jl")


def is_test(path):
    return bool(TESTS & set(path.parts)) or path.stem.endswith("_test") or path.name == "tests.rs"


class Tree:
    """The sources below a root, by path from it."""

    def __init__(self, root, paths):
        self.root = root
        self.text = {}
        for path in paths:
            name = path.relative_to(root)
            if path.suffix in SUFFIXES and name.parts[0] in ("core", "bindings") and not is_test(name):
                self.text[name] = path.read_text(encoding="utf-8")

    def of(self, *suffixes):
        return {path: text for path, text in self.text.items() if path.suffix in suffixes}


# ---- What a file uses: {(file, used file): names} ----


def add(edges, path, other, name):
    if other and other != path:
        edges.setdefault((path, other), set()).add(name)


def without(pattern, text):
    """The text with comments and strings blanked, its lines kept."""
    return re.sub(pattern, lambda found: "\n" * found[0].count("\n") or " ", text, flags=re.S)


C_NOISE = r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''
C_FUNCTION = re.compile(
    r"^(?!typedef|struct [\w ]+\{|enum|union)(\w[\w \t\n*,()%\"\[\]-]*?)\b(\w+)\(([^;{}]*?)\)\s*\{", re.M
)
C_VARIABLE = re.compile(r"^(?!static|extern|typedef|return|#)\w[\w \t*]*?\b(\w+)(?:\[[^\]\n]*\])*\s*(?:=|;)", re.M)
C_POINTER = re.compile(r"^(?!static|extern|typedef)\w[\w \t*]*\(\*(\w+)\)\(", re.M)


def block_end(text, start):
    depth = 0
    for i in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[i], 0)
        if not depth:
            return i
    return len(text)


def c_parts(text):
    """(functions and variables for others, those of its own, the code that runs, macros) of C without comments."""
    code = re.sub(r"^%[^\n]*", "", text, flags=re.M)  # SWIG's directives in an interface file
    defined, own, bodies = set(), set(), []
    flat = list(code)
    at = 0
    while found := C_FUNCTION.search(code, at):
        end = block_end(code, found.end() - 1)
        (own if "static" in found[1].split() else defined).add(found[2])
        bodies.append(code[found.end() : end])
        flat[found.start() : end + 1] = "\n" * (end + 1 - found.start())
        at = end + 1
    rest = re.sub(r"^[ \t]*#[^\n]*(?:\\\n[^\n]*)*", "", "".join(flat), flags=re.M)
    outside, at = [], 0
    for found in re.finditer(r"\{", rest):  # initialisers are code, the members of a struct are none
        if found.start() < at:
            continue
        at = block_end(rest, found.start())
        if "=" in rest[rest.rfind("\n\n", 0, found.start()) + 1 : found.start()]:
            bodies.append(rest[found.start() : at])
        outside.append((found.start(), at))
    for start, end in reversed(outside):
        rest = rest[:start] + rest[end:]
    defined |= {found[1] for found in C_VARIABLE.finditer(rest)} | {found[1] for found in C_POINTER.finditer(rest)}
    bodies += [line.partition("=")[2] for line in rest.split("\n") if "=" in line]
    macros = dict(re.findall(r"^[ \t]*#define (\w+)((?:[^\n]*\\\n)*[^\n]*)", code, flags=re.M))
    return defined, own, "\n".join(bodies), macros


def mentions(code, name):
    """Whether code uses a function or variable, rather than a member, a local or a parameter of the same name."""
    if re.search(rf"(?<![\w.>]){name}\(", code):
        return True
    local = rf"(?:\b(?!return\b|else\b|case\b|sizeof\b)\w|\*)\s+\**{name}\b\s*[=;,)\[]|[\w*]\s\*+{name}\b"
    return bool(re.search(rf"(?<![\w.>]){name}\b", code)) and not re.search(local, code)


def c_edges(tree):
    sources = tree.of(*C)
    parts = {path: c_parts(without(C_NOISE, text)) for path, text in sources.items()}
    # A header whose inline functions call what its own source defines is one file with that source.
    unit = {path: path for path in sources}
    for path in sources:
        own = path.with_suffix(".c")
        if path.suffix == ".h" and own in sources and any(mentions(parts[path][2], name) for name in parts[own][0]):
            unit[path] = own
    edges, homes = {}, {}
    for path, text in sources.items():
        for name in re.findall(r'^\s*[#%]include\s+["<]([^">]+)[">]', text, flags=re.M):
            places = [path.parent, Path("core"), Path("core/include"), Path("bindings/python/src/dlferry/c")]
            found = next((place / name for place in places if place / name in sources), None)
            if found:
                add(edges, unit[path], unit[found], name)
        for name in parts[path][0]:
            homes.setdefault((group(path), name), set()).add(unit[path])
    macros = {name: body for _, _, _, own in parts.values() for name, body in own.items()}
    for path, (defined, own, code, _) in parts.items():
        for _ in range(3):  # macros within macros
            code += "".join(macros[word] for word in set(re.findall(r"\w+", code)) & macros.keys())
        for name in set(re.findall(r"(?<![\w.>])[A-Za-z_]\w*", code)) - own - defined:
            places = homes.get((group(path), name), ())
            if len(places) == 1 and mentions(code, name):
                add(edges, unit[path], *places, name)
    return edges


def group(path):
    """The files that are compiled together."""
    return path.parts[:2] if path.parts[0] == "bindings" else path.parts[:1]


def python_edges(tree):
    sources, edges = tree.of(".py", ".pyi"), {}
    for path, text in sources.items():
        for dots, module, names in re.findall(
            r"^\s*(?:from\s+(\.*)([\w.]*)\s+)?import\s+\(?([\w., \n]+)", text, flags=re.M
        ):
            parts = [part for part in module.split(".") if part]
            folder = path.parents[len(dots) - 1] if dots else path.parent
            for name in re.findall(r"[\w.]+", names):
                for tail in ([*parts, name.split(".")[0]], parts):
                    found = folder.joinpath(*tail).with_suffix(".py") if tail else None
                    if found in sources:
                        add(edges, path, found, name)
                        break
    return edges


RUST_NOISE = r"//[^\n]*|/\*.*?\*/|r#\".*?\"#|\"(?:\\.|[^\"\\])*\""


def rust_tree(words):
    """(path, name) of each item of a Rust path with braces: a::{b, c as d} has a::b as b and a::c as d."""
    head, brace, rest = words.partition("{")
    if not brace:
        path, _, name = words.strip().partition(" as ")
        parts = [part for part in path.split("::") if part]
        return [(parts, name or parts[-1])]
    inner, depth, start, found = rest[: rest.rindex("}")] + ",", 0, 0, []
    for i, letter in enumerate(inner):
        depth += {"{": 1, "}": -1}.get(letter, 0)
        if letter == "," and not depth:
            found += rust_tree(inner[start:i]) if inner[start:i].strip() else []
            start = i + 1
    parts = [part for part in head.strip().split("::") if part]
    return [(parts + path, name) for path, name in found]


def rust_place(module, path):
    """A path as one from the crate's root; of the module's own words where it begins with none of Rust's."""
    starts = {"crate": (), "super": module[:-1], "self": module}
    return (*starts[path[0]], *path[1:]) if path[0] in starts else (*module, *path)


def rust_edges(tree):
    edges = {}
    sources = {path: without(RUST_NOISE, text) for path, text in tree.of(".rs").items()}
    for root in [path for path in sources if path.name == "lib.rs"]:
        inside = [path for path in sources if root.parent in path.parents and path != root]
        modules = {tuple(path.relative_to(root.parent).with_suffix("").parts): path for path in inside} | {(): root}
        handed = {}  # (module, name): the item that it hands on
        for module, path in modules.items():
            for words in re.findall(r"\bpub(?:\(\w+\))? use ([^;]+);", sources[path]):
                for found, name in rust_tree(words):
                    place = rust_place(module, found)
                    if place != (*module, name):  # else a macro of its own
                        handed[module, name] = place
        for module, path in modules.items():
            own = r"\w" if path == root else "(?:crate|super|self)::"
            uses = re.findall(rf"\buse ({own}[^;]*);", sources[path])
            uses += re.findall(r"\b((?:crate|super)(?:::\w+)+)", re.sub(r"\buse [^;]+;", "", sources[path]))
            for found, _ in (item for words in uses for item in rust_tree(words)):
                place = rust_place(module, found)
                home = rust_home(place, modules)
                while place[len(home) :] and (home, place[len(home)]) in handed:
                    place = handed[home, place[len(home)]] + place[len(home) + 1 :]
                    home = rust_home(place, modules)
                # A name that no file of the crate has belongs to another crate.
                if home or re.search(rf"\b(?:fn|struct|mod|const) {place[0]}\b", sources[root]):
                    add(edges, path, modules[home], "::".join(found))
    return edges


def rust_home(place, modules):
    return next(place[:n] for n in range(len(place), -1, -1) if place[:n] in modules)


GO_NOISE = r"//[^\n]*|/\*.*?\*/|`[^`]*`|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])+'"
JULIA_NOISE = r'"""(?:\\.|[^\\])*?"""|"(?:\\.|[^"\\])*"|#=.*?=#|#[^\n]*'


# A local, a parameter or a field of that name.
GO_LOCAL = r"\b{name}\b(?:, *\w+)* :=|[(,] ?{name}(?:, \w+)* (?:\w|[*\[]|func\()|\b{name}:|\bvar {name}\b"
JULIA_LOCAL = r"\b{name}\b(?:, *\w+)* *=(?!=)|\b{name}::|\bfor {name}\b"


def go_names(text):
    names = set(re.findall(r"^(?:func|type|var|const) (\w+)", text, flags=re.M))
    for block in re.findall(r"^(?:type|var|const) \((.*?)^\)", text, flags=re.M | re.S):
        names |= set(re.findall(r"^\t(\w+)", block, flags=re.M))
    methods = {"." + name for name in re.findall(r"^func \([^)]*\) (\w+)", text, flags=re.M)}
    return methods | names - {"init", "main", "_"}


def julia_names(text):
    kinds = "function|macro|mutable struct|struct|abstract type|primitive type|const"
    names = set(re.findall(rf"^(?:@\w+ )*(?:{kinds}) (\w+!?)", text, flags=re.M))
    short = r"^(?:@\w+ )*(\w+!?)\([^\n]*\)(?:::[\w{}, ]+)?(?: where [^=\n]+)? ="
    return names | set(re.findall(short, text, flags=re.M))


def name_edges(sources, names_of, local):
    """Edges by the names that one file alone of a folder defines, and others use."""
    edges = {}
    for folder in {path.parent for path in sources}:
        files = {path: text for path, text in sources.items() if path.parent == folder}
        names = {path: names_of(text) for path, text in files.items()}
        for path, text in files.items():
            words = set(re.findall(r"(?<![\w.])[^\W\d]\w*!?|\.\w+(?=\()", text))
            for name in words - names[path]:
                homes = [other for other in files if name in names[other]]
                if len(homes) == 1 and not re.search(local.format(name=re.escape(name)), text):
                    add(edges, path, homes[0], name)
    return edges


def go_edges(tree):
    sources = {}
    for path, text in tree.of(".go").items():
        packages = "|".join(re.findall(r'^(?:import |\t)"(?:[\w./-]*/)?(\w+)"$', text, flags=re.M))
        sources[path] = re.sub(rf"\b(?:{packages})\.\w+", "", without(GO_NOISE, text))
    return name_edges(sources, go_names, GO_LOCAL)


def julia_edges(tree):
    sources = {path: without(JULIA_NOISE, text) for path, text in tree.of(".jl").items()}
    return name_edges(sources, julia_names, JULIA_LOCAL)


# ---- What must not be ----


def circles(edges):
    """The sets of files that reach each other."""
    uses = {}
    for path, other in edges:
        uses.setdefault(path, set()).add(other)
    reached = {}
    for path in uses:
        seen, todo = set(), [path]
        while todo:
            for other in uses.get(todo.pop(), ()):
                if other not in seen:
                    seen.add(other)
                    todo.append(other)
        reached[path] = seen
    return {
        frozenset(other for other in seen if path in reached.get(other, ()))
        for path, seen in reached.items()
        if path in seen
    }


def order(rows):
    """{folder: (block, row)} of a table above."""
    places = {}
    for block, lines in enumerate(rows.strip().split("\n\n")):
        places |= {folder: (block, row) for row, line in enumerate(lines.split("\n")) for folder in line.split()}
    return places


def folder_of(path):
    """The folder of the tables above to which a file belongs."""
    module = str(path.with_suffix(""))
    if path.suffix == ".rs" and module in order(BINDINGS):
        return module
    return str(path.parent)


def is_placed(path):
    return folder_of(path) in order(CORE) | order(BINDINGS)


def wrong_way(path, other):
    """Why one file may not use another; None when it may."""
    core, bindings = order(CORE), order(BINDINGS)
    folder, used = folder_of(path), folder_of(other)
    if folder == used or used.startswith("core/include"):
        return None
    if (folder in core) != (used in core):
        return f"{folder} uses {used}" if folder in core else f"{folder} uses more of the core than core/include"
    (block, row), (used_block, used_row) = ((core if folder in core else bindings)[each] for each in (folder, used))
    return None if block == used_block and used_row < row else f"{used} does not stand before {folder}"


def findings(tree):
    edges = {}
    for read in (c_edges, python_edges, rust_edges, go_edges, julia_edges):
        edges |= read(tree)
    lost = [path for path in tree.text if not is_placed(path)]
    found = [f"{path}: its folder has no place in the order" for path in lost]
    for (path, other), names in sorted(edges.items()):
        why = None if path in lost or other in lost else wrong_way(path, other)
        if why:
            found.append(f"{path}: uses {', '.join(sorted(names)[:4])} of {other}; {why}")
    kept = {pair: names for pair, names in edges.items() if tuple(map(str, pair)) not in EXCEPTIONS}
    for circle in sorted(circles(kept), key=str):
        found.append(f"a circle of {len(circle)} files:")
        for (path, other), names in sorted(kept.items()):
            if path in circle and other in circle:
                found.append(f"  {path} -> {other}: {', '.join(sorted(names)[:6])}")
    return found, edges


# A small tree, each line of which is a file: its text, and a word of the finding that it causes, "" for none.
PLANTED = {
    "core/include/dlferry.h": ("int dlf_live(void);", ""),
    "core/hub/internal.h": ("#include <dlferry.h>\nint dlf__below(void);\nint dlf__above(void);", ""),
    "core/hub/low.c": ('#include "internal.h"\nint dlf__below(void) { return 1; }', ""),
    "core/hub/high.c": ('#include "internal.h"\nint dlf__above(void) { return dlf__below(); /* low() */ }', ""),
    "core/contract/contract.h": ("int dlf__read(void);", ""),
    "core/contract/contract.c": ('#include "contract.h"\nint dlf__read(void) { return dlf__above(); }', ""),
    "core/bind/python/python.c": ('#include "bind/go/go.h"', "core/bind/go does not stand before core/bind/python"),
    "core/bind/go/go.h": ("void go_emit(void);", ""),
    "core/hub/up.c": ('#include "contract/contract.h"', "core/contract does not stand before core/hub"),
    "core/hub/call_up.c": ("int dlf__up(void) { return dlf__read(); }", "dlf__read of core/contract/contract.c"),
    "core/hub/one.c": ("int dlf__one(void) { return dlf__two(); }", "core/hub/one.c -> core/hub/two.c: dlf__two"),
    "core/hub/two.c": (
        "static int (*table[])(void) = {\n    dlf__one,\n};\nint dlf__two(void) { return 2; }",
        "two.c -> ",
    ),
    "core/hub/head.h": ("static inline int head(void) { return dlf__tail(); }", "head.h -> core/hub/tail.c: dlf__tail"),
    "core/hub/tail.c": ('#include "head.h"\nint dlf__tail(void) { return 3; }', "tail.c -> core/hub/head.h"),
    "core/hub/pair.h": ("int dlf__deep(void);\nstatic inline int pair(void) { return dlf__deep(); }", ""),
    "core/hub/pair.c": ('#include "pair.h"\nint dlf__deep(void) { return pair(); }', ""),
    "core/new/new.c": ("int dlf__new(void) { return 0; }", "core/new/new.c: its folder has no place"),
    "bindings/go/bridge.c": ('#include <dlferry.h>\n#include "hub/internal.h"', "more of the core than core/include"),
    "bindings/go/a.go": ("package a\n\nfunc First() int { return second }\n", "a.go -> bindings/go/b.go: second"),
    "bindings/go/b.go": (
        "package a\n\nvar second = 2\n\nfunc third() { First() }\n",
        "b.go -> bindings/go/a.go: First",
    ),
    "bindings/go/c.go": ("package a\n\n// third\nfunc fourth(First int) int { return First }\n", ""),
    "bindings/julia/src/a.jl": ("first() = second(1)\n", "a.jl -> bindings/julia/src/b.jl: second"),
    "bindings/julia/src/b.jl": ("function second(x)\n    first()\nend\n", "b.jl -> bindings/julia/src/a.jl: first"),
    "bindings/rust/dlferry/src/lib.rs": ("mod a;\nmod b;\nmod c;\npub use b::B;\npub use other as ffi;\n", ""),
    "bindings/rust/dlferry/src/a.rs": (
        "use crate::{ffi, B};\npub struct A(B);\n",
        "a.rs -> bindings/rust/dlferry/src/b.rs",
    ),
    "bindings/rust/dlferry/src/b.rs": (
        "pub struct B;\nfn b() { crate::a::A }\n",
        "b.rs -> bindings/rust/dlferry/src/a.rs",
    ),
    "bindings/rust/dlferry/src/c.rs": ("use crate::ffi; // crate::c\nmacro_rules! m {}\npub(crate) use m;\n", ""),
    "bindings/rust/dlferry/src/d.rs": ("use crate::c::m;\n", ""),
    "bindings/rust/dlferry/src/view.rs": ("pub struct View;\n", ""),
    "bindings/rust/dlferry/src/tensor.rs": (
        "mod low;\npub use low::Low;\npub struct T(crate::view::View);\n",
        "src/view does not stand before bindings/rust/dlferry/src/tensor",
    ),
    "bindings/rust/dlferry/src/tensor/low.rs": (
        "pub struct Low(crate::exchange::Copied);\n",
        "src/exchange does not stand before bindings/rust/dlferry/src/tensor",
    ),
    "bindings/rust/dlferry/src/exchange.rs": ("mod copy;\npub use copy::Copied;\nstruct X(crate::tensor::T);\n", ""),
    "bindings/rust/dlferry/src/exchange/copy.rs": ("pub struct Copied;\n", ""),
    "bindings/rust/dlferry/src/element.rs": (
        "pub struct E(crate::tensor::Low);\n",
        "src/tensor does not stand before bindings/rust/dlferry/src",
    ),
    "bindings/python/src/dlferry/a.py": ("from . import b\n", "a.py -> bindings/python/src/dlferry/b.py: b"),
    "bindings/python/src/dlferry/b.py": (
        "def f():\n    from .a import g\n",
        "b.py -> bindings/python/src/dlferry/a.py: g",
    ),
}


def self_test():
    """Whether each planted fault is found, and nothing else."""
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        for path, (text, _) in PLANTED.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, encoding="utf-8")
        found = [line for line in findings(Tree(root, sorted(root.rglob("*.*"))))[0] if not line.startswith("a circle")]
    wanted = [why for _, why in PLANTED.values() if why]
    bad = [f"not found: {why}" for why in wanted if not any(why in line for line in found)]
    bad += [f"found, but not planted: {line}" for line in found if not any(why in line for why in wanted)]
    print("\n".join([*bad, f"direction: {len(wanted)} faults planted, {len(found)} found"]))
    sys.exit(bool(bad) or not wanted)


def main():
    if sys.argv[1:] == ["--self-test"]:
        self_test()
    tree = Tree(ROOT, every())
    found, edges = findings(tree)
    unused = [pair for pair in EXCEPTIONS if tuple(map(Path, pair)) not in edges]
    for line in [*found, *(f"not needed: the exception {pair}" for pair in unused)]:
        print(line)
    print(f"direction: {len(tree.text)} files, {len(edges)} uses, {len(found)} findings")
    sys.exit(bool(found or unused))


if __name__ == "__main__":
    main()
