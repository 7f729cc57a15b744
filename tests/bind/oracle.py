#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compare what dlferry-bind reads in real headers with what libclang does. oracle.py DLFERRY_BIND CC INCLUDE [REPORT]

Functions, parameters, scalar types, enumerators and docs must agree. A header that is not installed is reported as not
run. libclang's wheel has no builtin headers, so CC's are used; a diagnostic would mean that it misread something.
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    from clang.cindex import CursorKind, Index, TypeKind
except ImportError:
    print("not run: the Python package libclang is missing")
    sys.exit(77)

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SCALARS = {
    TypeKind.SCHAR: "i8", TypeKind.SHORT: "i16", TypeKind.INT: "i32", TypeKind.LONG: "i64", TypeKind.LONGLONG: "i64",
    TypeKind.UCHAR: "u8", TypeKind.USHORT: "u16", TypeKind.UINT: "u32", TypeKind.ULONG: "u64",
    TypeKind.ULONGLONG: "u64", TypeKind.FLOAT: "f32", TypeKind.DOUBLE: "f64",
}  # fmt: skip


def words(text):
    """The words of a doc text, without Doxygen's commands and marks; `@p x` and "`x`" count as x."""
    text = re.sub(r"[@\\](p|c|a|e|b|em|ref|brief|short|details)\b", " ", text or "")
    text = re.sub(r"[@\\](end)?(code|verbatim)\b", " ", text)
    return re.findall(r"[A-Za-z0-9]+", text)


def scalar(type_):
    return SCALARS.get(type_.get_canonical().kind)


def told_by_clang(header, flags):
    unit = Index.create().parse(str(header), args=["-xc", "-std=c11", *flags])
    assert not list(unit.diagnostics), [str(d) for d in unit.diagnostics]
    functions, enums = {}, {}
    for cursor in unit.cursor.get_children():
        if not cursor.location.file or cursor.location.file.name != str(header):
            continue
        if cursor.kind == CursorKind.FUNCTION_DECL and not cursor.is_definition():
            found = functions.setdefault(cursor.spelling, {"docs": None})
            found["docs"] = found["docs"] or cursor.raw_comment
            found.setdefault("result", scalar(cursor.result_type))
            found.setdefault("line", cursor.location.line)
            found.setdefault("params", [(p.spelling, scalar(p.type)) for p in cursor.get_arguments()])
        elif cursor.kind == CursorKind.ENUM_DECL:
            values = {v.spelling: (v.enum_value, v.raw_comment) for v in cursor.get_children()}
            enums.update(values if not cursor.is_anonymous() else {})
        elif cursor.kind == CursorKind.TYPEDEF_DECL:
            declared = cursor.underlying_typedef_type.get_declaration()
            if declared.kind == CursorKind.ENUM_DECL and declared.location.file.name == str(header):
                enums.update({v.spelling: (v.enum_value, v.raw_comment) for v in declared.get_children()})
    return functions, enums


def told_by_us(bind, cc, header, flags):
    """Preprocessed, as a user with a header full of macros would."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / header.name
        path.write_text(
            subprocess.run(
                [cc, "-E", "-C", "-std=c11", *flags, header], check=True, capture_output=True, text=True
            ).stdout
        )
        done = subprocess.run([bind, path, "--name", "oracle", "--prefix", "", "--ir"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def compare(name, header, bind, cc, include, flags):
    flags = [f"-I{ROOT / 'core/include'}", *flags]
    theirs, their_values = told_by_clang(header, [f"-isystem{include}", *flags])
    ours = told_by_us(bind, cc, header, flags)
    functions = {f["name"]: f for f in ours["functions"]}
    problems = [f"{name}: only libclang sees {f}" for f in theirs.keys() - functions.keys()]
    problems += [f"{name}: only dlferry-bind sees {f}" for f in functions.keys() - theirs.keys()]
    documented = 0
    for f in sorted(theirs.keys() & functions.keys()):
        their, our = theirs[f], functions[f]
        # Ours leaves a last dlf_error * out, names what has no name, and stops at "...".
        params = [(p["name"], p.get("scalar") if p["kind"] != "enum" else None) for p in our["params"]]
        wanted = [(n or f"arg{i + 1}", s) for i, (n, s) in enumerate(their["params"])]
        if our["takes_error"]:
            wanted.pop()
        if params != wanted:
            problems.append(f"{name}: {f}: parameters {params}, libclang says {wanted}")
        if our["returns"]["kind"] in ("integer", "real") and our["returns"]["scalar"] != their["result"]:
            problems.append(f"{name}: {f}: result {our['returns']['scalar']}, libclang says {their['result']}")
        said = words(
            " ".join([our["summary"], our["description"], our["returns"]["doc"], *(p["doc"] for p in our["params"])])
        )
        missing = set(said) - set(words(their["docs"])) - {"text", "Note"}
        if bool(said) != bool(words(their["docs"])) or missing:
            problems.append(f"{name}: {f}: docs differ: {sorted(missing) or [said, their['docs']]}")
        documented += bool(said)
    values = {v["name"]: v for e in ours["enums"] for v in e["values"]}
    if {n: v["value"] for n, v in values.items()} != {n: v for n, (v, _) in their_values.items()}:
        problems.append(f"{name}: enumerators differ: {values.keys() ^ their_values.keys()}")
    for n in values.keys() & their_values.keys():
        if words(values[n]["doc"]) != words(their_values[n][1]):
            problems.append(f"{name}: {n}: docs differ: {values[n]['doc']!r}, libclang says {their_values[n][1]!r}")
    return problems, f"{name:14} {len(functions):5} functions {documented:5} documented {len(values):4} enumerators"


def main(bind, cc, include, report=None):
    headers = [(name, HERE / name, []) for name in ("all.h", "twin.h")]
    headers.append(("photo.h", ROOT / "examples/photo/photo.h", []))
    headers += [
        (name, Path("/usr/include") / name, []) for name in ("zlib.h", "sqlite3.h", "samplerate.h", "zfp.h", "string.h")
    ]
    problems, lines = [], []
    for name, header, flags in headers:
        if not header.exists():
            lines.append(f"{name:14} not run: the header is not installed")
            continue
        found, line = compare(name, header, bind, cc, include, flags)
        problems += found
        lines.append(line)
    text = "What dlferry-bind reads, as libclang does\n" + "\n".join(lines) + "\n"
    print(text, *problems, sep="\n")
    if report:
        Path(report).write_text(text)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
