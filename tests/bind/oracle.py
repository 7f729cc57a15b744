#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compare dlferry-bind's reading of headers with libclang's.

    oracle.py DLFERRY_BIND CC INCLUDE REPORT          our own headers, raw and preprocessed
    oracle.py DLFERRY_BIND CC INCLUDE REPORT ROOT     those of real libraries below ROOT/usr/include, preprocessed

Functions, their lines, parameters, types and docs, enums and their values must agree; functions that differ are listed.
libclang's wheel has no builtin headers, so CC's are used; a diagnostic would mean that it misread something.
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    from clang.cindex import CursorKind, Index, StorageClass, TypeKind
except ImportError:
    print("not run: the Python package libclang is missing")
    sys.exit(77)

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
OURS = [HERE / name for name in ("all.h", "twin.h", "agree.h", "kinds.h", "input.h")]
OURS += [ROOT / "tests/golden/golden.h", *sorted(ROOT.glob("examples/*/*.h"))]
for other in ("faiss/range.h", "zfp/zf.h"):  # include headers of libraries that this machine may lack
    OURS.remove(ROOT / "examples" / other)
REAL = "zlib.h sqlite3.h zfp.h samplerate.h fftw3.h blosc.h gsl/gsl_blas.h gsl/gsl_matrix_double.h png.h".split()
REAL += "GLFW/glfw3.h */curl/curl.h cairo/cairo.h freetype2/freetype/freetype.h hwloc.h jansson.h".split()
REAL += "libusb-*/libusb.h openjpeg-*/openjpeg.h".split()
# Docs where we follow Doxygen, which libclang's raw comments do not: behind a function or a parameter, or of a group.
UNLIKE = ("input_trailing_", "input_parameters", "input_after_a_group")
ARITHMETIC = set("unsigned signed long short int char float double _Complex".split())
NUMBERS = ("integer", "real", "complex")
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
    type_ = type_.get_canonical()
    if type_.kind == TypeKind.COMPLEX:
        return {"f32": "c64", "f64": "c128"}.get(scalar(type_.element_type))
    return SCALARS.get(type_.kind)


def spelled(c):
    """A type in one spelling: "long unsigned" is "unsigned long", and an object's qualifiers are left out."""
    c = re.sub(r"_Atomic\((.*)\)|\b(restrict|volatile)\b", r"\1", c.replace("_Bool", "bool"))
    c = re.sub(r"\*const(?= *$)", "*", re.sub(r" *([*()\[\],]) *", r"\1", c))
    stars = re.search(r"[*()\[\]].*$|$", c).group()
    names = c[: len(c) - len(stars)].split()
    const = "const " if "const" in names and stars else ""
    names = [n for n in names if n != "const"]
    if names and set(names) <= ARITHMETIC:
        rest = [n for n in names if n not in ("int", "signed")] or ["int"]
        rest += ["int"] if rest == ["unsigned"] else []
        rest = ["signed", "char"] if "char" in names and "signed" in names else rest
        names = sorted(
            rest, key=["_Complex", "signed", "unsigned", "short", "long", "int", "char", "float", "double"].index
        )
    return const + " ".join(names) + stars


def through(type_):
    """Spelled as ours does: a typedef of a pointer is that pointer, wherever it stands."""
    if type_.kind == TypeKind.POINTER:
        inner = type_.get_pointee()
        return through(inner) + "*" + ("const" if type_.is_const_qualified() else "")
    if type_.get_canonical().kind == TypeKind.POINTER:
        named = type_.get_declaration()
        const = "const" if type_.is_const_qualified() else ""
        return through(named.underlying_typedef_type if named.kind == CursorKind.TYPEDEF_DECL else type_) + const
    return type_.spelling + " "


def same_type(ours, theirs):
    """The types agree; for pointers to functions and arrays ours only has pointers."""
    canonical = theirs.get_canonical()
    if canonical.kind == TypeKind.COMPLEX and scalar(theirs):  # a struct of the twins has its two parts
        return ours == f"dlf_{scalar(theirs)}"
    if ours and spelled(ours) == spelled(theirs.spelling):
        return True
    if canonical.kind in (TypeKind.CONSTANTARRAY, TypeKind.INCOMPLETEARRAY):  # a parameter: a pointer
        element = theirs.element_type if theirs.kind == canonical.kind else canonical.element_type
        inner = element.get_canonical()
        if inner.kind == TypeKind.CONSTANTARRAY or inner.get_pointee().kind == TypeKind.FUNCTIONPROTO:
            return ours in ("", "void *")
        return spelled(ours) in (spelled(element.spelling + " *"), spelled(inner.spelling + " *"))
    if canonical.kind == TypeKind.FUNCTIONPROTO:  # likewise
        return ours == ""
    if theirs.spelling.startswith(("typeof", "__typeof__")):
        return ours.startswith("__typeof__")
    if canonical.kind == TypeKind.POINTER:
        inner = canonical
        while inner.kind == TypeKind.POINTER:
            inner = inner.get_pointee()
        if inner.kind in (TypeKind.FUNCTIONPROTO, TypeKind.FUNCTIONNOPROTO):
            return ours == "" or spelled(ours) == spelled(theirs.spelling)
        if inner.kind == TypeKind.CONSTANTARRAY:
            return ours == "void *" or spelled(ours) == spelled(theirs.spelling)
    names = {spelled(theirs.spelling), spelled(canonical.spelling), spelled(through(theirs))}
    while theirs.kind in (TypeKind.TYPEDEF, TypeKind.ELABORATED):  # ours resolves the typedef of a pointer
        named = theirs.get_declaration()
        theirs = named.underlying_typedef_type if named.kind == CursorKind.TYPEDEF_DECL else canonical
        names.add(spelled(theirs.spelling))
    return spelled(ours) in names


def pointee(type_):
    while type_.kind != TypeKind.POINTER and type_.get_declaration().kind == CursorKind.TYPEDEF_DECL:
        type_ = type_.get_declaration().underlying_typedef_type
    return type_.get_pointee() if type_.kind == TypeKind.POINTER else type_.get_canonical().element_type


def enums_below(cursor):
    """Enums among the children, and those that a struct's members define."""
    for child in cursor.get_children():
        if child.kind == CursorKind.ENUM_DECL:
            yield child
        elif child.kind in (CursorKind.STRUCT_DECL, CursorKind.UNION_DECL):
            yield from enums_below(child)


def told_by_clang(header, flags):
    unit = Index.create().parse(str(header), args=["-xc", "-std=c11", *flags])
    assert not list(unit.diagnostics), [str(d) for d in unit.diagnostics]

    def own(cursor):
        return cursor.location.file and cursor.location.file.name == str(header)

    def add_enum_of(type_):
        """An enum of an included file is the header's too if a function or a struct has it; errors are not values."""
        while type_.get_canonical().kind == TypeKind.POINTER:
            type_ = type_.get_canonical().get_pointee()
        declared = type_.get_canonical().get_declaration()
        if declared.kind == CursorKind.ENUM_DECL and not declared.is_anonymous() and declared.spelling != "dlf_status":
            enums.update({v.spelling: (v.enum_value, v.raw_comment) for v in declared.get_children()})

    functions, enums, opaque = {}, {}, set()
    for cursor in filter(own, unit.cursor.get_children()):
        storage = cursor.storage_class
        if cursor.kind == CursorKind.FUNCTION_DECL and not cursor.is_definition() and storage != StorageClass.STATIC:
            found = functions.setdefault(cursor.spelling, {"docs": None})
            found["docs"] = found["docs"] or cursor.raw_comment
            for type_ in (cursor.result_type, *(p.type for p in cursor.get_arguments())):
                add_enum_of(type_)
            if "line" not in found:
                type_ = cursor.type.get_canonical()
                prototype = type_.kind == TypeKind.FUNCTIONPROTO
                names = [p.spelling for p in cursor.get_arguments()] if prototype else []
                types = list(cursor.type.argument_types()) if cursor.type.kind == TypeKind.FUNCTIONPROTO else []
                found.update(
                    by_typedef=cursor.type.kind not in (TypeKind.FUNCTIONPROTO, TypeKind.FUNCTIONNOPROTO),
                    line=cursor.location.line, result=cursor.result_type, params=list(zip(names, types or [None] * 9)),
                    variadic=prototype and type_.is_function_variadic(),
                )  # fmt: skip
        elif cursor.kind == CursorKind.TYPEDEF_DECL:
            declared = cursor.underlying_typedef_type.get_declaration()
            if declared.kind == CursorKind.ENUM_DECL and own(declared):
                enums.update({v.spelling: (v.enum_value, v.raw_comment) for v in declared.get_children()})
            if declared.kind == CursorKind.STRUCT_DECL and not declared.is_definition():
                opaque |= {cursor.spelling, declared.spelling}
        elif cursor.kind == CursorKind.STRUCT_DECL and not cursor.get_definition():
            opaque.add(cursor.spelling)
        elif cursor.kind == CursorKind.STRUCT_DECL and cursor.is_definition():
            for member in cursor.type.get_fields():
                add_enum_of(member.type)
    for cursor in filter(own, enums_below(unit.cursor)):
        if not cursor.is_anonymous():
            enums.update({v.spelling: (v.enum_value, v.raw_comment) for v in cursor.get_children()})
    return functions, enums, opaque


def told_by_us(bind, cc, header, flags, how):
    """Raw, or preprocessed as a user with a header full of macros would."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / header.name
        if how:
            command = [cc, *how, "-std=c11", *flags, header]
            path.write_text(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        else:
            path.write_bytes(header.read_bytes())
        done = subprocess.run([bind, path, "--name", "oracle", "--prefix", "", "--ir"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def same_doc(ours, theirs):
    """The doc of an enumerator; libclang ignores a comment on the next line, and gives one comment to many."""
    return not ours or not theirs or [w.lower() for w in words(ours)] == [w.lower() for w in words(theirs)]


def struct_name(spelling):
    """Without qualifiers and pointers."""
    return re.sub(r"\b(const|struct)\b|[ *]", "", spelling)


def is_layout(ours):
    """Whether a type is the twin's layout of a struct."""
    return ours.strip().endswith("_fields")


def same_struct(ours, type_):
    return struct_name(ours.strip().removesuffix("_fields")) == struct_name(type_.spelling)


def same_result(ours, type_):
    return same_struct(ours, type_) if is_layout(ours) else same_type(ours, type_)


def compare_function(f, our, their):
    """The differences in a function."""
    # Ours leaves a last dlf_error * out, names unnamed parameters, and stops at "...". With a list or an array,
    # c_params has C's parameters.
    outs = {p["name"] for p in our["params"] if p.get("returned") and p["kind"] != "given"}
    passed = our.get("c_params") or our["params"]
    wanted = [(n or f"arg{i + 1}", t) for i, (n, t) in enumerate(their["params"])]
    if our["takes_error"]:
        wanted.pop()
    names = [p["name"] for p in passed]
    if names != [n for n, _ in wanted] and not (their["by_typedef"] and len(names) == len(wanted)):
        yield f"parameters {names}, libclang says {[n for n, _ in wanted]}"
    else:
        for p, (name, type_) in zip(passed, wanted):
            if type_ and name in outs:  # ours has the pointer's target
                type_ = pointee(type_)
            if type_ and p["kind"] == "enum" and type_.get_canonical().kind == TypeKind.ENUM:
                continue
            if type_ and p["kind"] == "struct" and is_layout(p["c"]):
                if not same_struct(p["c"], type_):
                    yield f"{name} is of `{p['c']}`, libclang says `{type_.spelling}`"
                continue
            if type_ and not same_type(p["c"], type_):
                yield f"{name} is `{p['c']}`, libclang says `{type_.spelling}`"
            if type_ and p["kind"] in NUMBERS and p["scalar"] != scalar(type_):
                yield f"{name} is {p['scalar']}, libclang says {scalar(type_)}"
    if not same_result(our["returns"]["c"], their["result"]):
        yield f"result `{our['returns']['c']}`, libclang says `{their['result'].spelling}`"
    if our["returns"]["kind"] in NUMBERS and our["returns"]["scalar"] != scalar(their["result"]):
        yield f"result {our['returns']['scalar']}, libclang says {scalar(their['result'])}"
    if any("variable number" in reason for reason in our.get("reasons", ())) != their["variadic"]:
        yield f"variadic: {their['variadic']}"
    if our["line"] != their["line"]:
        yield f"line {our['line']}, libclang says {their['line']}"
    said = words(
        " ".join([our["summary"], our["description"], our["returns"]["doc"], *(p["doc"] for p in our["params"])])
    )
    missing = {word.lower() for word in said} - {word.lower() for word in words(their["docs"])} - {"text", "see"}
    missing -= {word.lower() for n, _ in their["params"] for word in words(n)} if missing else set()
    docs = "" if (their["docs"] or "").startswith("/***") else their["docs"] or ""  # a frame of stars is not a doc
    told = words(re.sub(r"@contract[^@]*", "", docs))
    if (bool(said) != bool(told) or missing) and not f.startswith(UNLIKE):
        yield f"docs differ: {sorted(missing) or [said, their['docs']]}"


def compare(header, bind, cc, include, flags, raw):
    name = header.name
    flags = [f"-I{ROOT / 'core/include'}", *flags]
    # Headers ask for gcc's version; libclang defaults to 4.2, and cannot read the C library's headers above 10.
    version = "-fgnuc-version=6.0"
    theirs, their_values, opaque = told_by_clang(header, [f"-isystem{include}", version, *flags])
    ours = told_by_us(bind, cc, header, flags, ["-E", "-C"])
    functions = {f["name"]: f for f in ours["functions"]}
    freeing = {h["free"] for h in ours["handles"]}  # not functions to callers
    for f in freeing & theirs.keys():
        del theirs[f]
    problems = [f"{name}: only libclang sees {f}" for f in theirs.keys() - functions.keys()]
    problems += [f"{name}: only dlferry-bind sees {f}" for f in functions.keys() - theirs.keys()]
    differing = set(theirs.keys() ^ functions.keys())
    for how in (["-E", "-CC"], []) if raw else (["-E", "-CC"],):
        if told_by_us(bind, cc, header, flags, how) != ours:
            problems.append(f"{name}: {' '.join(how) or 'raw'}: not what comes of -E -C")
    for f in sorted(theirs.keys() & functions.keys()):
        found = list(compare_function(f, functions[f], theirs[f]))
        problems += [f"{name}: {f}: {what}" for what in found]
        differing |= {f} if found else set()
    values = {v["name"]: v for e in ours["enums"] for v in e["values"]}
    if {n: v["value"] for n, v in values.items()} != {n: v for n, (v, _) in their_values.items()}:
        problems.append(f"{name}: enumerators differ: {values.keys() ^ their_values.keys()}")
    for n in values.keys() & their_values.keys():
        if not same_doc(values[n]["doc"], their_values[n][1]):
            problems.append(f"{name}: {n}: docs differ: {values[n]['doc']!r}, libclang says {their_values[n][1]!r}")
    problems += [f"{name}: {h['name']} is not opaque" for h in ours["handles"] if h["name"] not in opaque]
    documented = sum(bool(f["summary"]) for f in functions.values())
    line = f"{name:14} {len(functions):5} functions {documented:5} documented {len(values):4} enumerators"
    return problems, f"{line} {len(differing):4} functions differ"


def main(bind, cc, include, report, root=None):
    headers, flags = OURS, []
    if root:
        include_root = Path(root) / "usr/include"
        headers = [next(include_root.glob(name)) for name in REAL]
        folders = (include_root, *include_root.glob("*-linux-gnu*"), *(h.parent for h in headers))
        flags = [f"-I{folder}" for folder in dict.fromkeys((*folders, include_root / "freetype2"))]
    problems, lines = [], []
    for header in headers:
        found, line = compare(header, bind, cc, include, flags, not root)
        problems += found
        lines.append(line)
    text = "What dlferry-bind reads, as libclang does\n" + "\n".join(lines) + "\n"
    print(text, *problems, sep="\n")
    if report != "-":
        Path(report).write_text(text)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
