# SPDX-License-Identifier: Apache-2.0
"""C that stands for a library of which only the headers are here: each function says that it was entered, gives an
object where a caller gets one, and else zeros. Compile it as C23, where a parameter of a definition needs no name. A
function has a name of its own in C and the library's for the linker, since a struct may stand as its fields in the
declaration. Numbers, also those in an object, are the one that STUB_GIVES in the environment has, 0 without it; an
object's have STUB_BYTES, 8 without it."""

import re

HEAD = """#include <stdio.h>
#include <stdlib.h>
#include <string.h>
%s
static int told(const char *name, int usual) { return getenv(name) ? atoi(getenv(name)) : usual; }
static int given(void) { return told("STUB_GIVES", 0); }
static void *room(void) {
  static const int size = 1 << 17;
  const int step = told("STUB_BYTES", 8), number = given();
  char *made = calloc(1, size);
  for (int i = 0; made && i < size; i += step) memcpy(made + i, &number, sizeof number);
  return made;
}
"""


def own_name(f):
    """The name in C: that of one member if the function is a family."""
    return re.search(r"(\w+)\s*\(", f["declaration"])[1]


def ending(f, codes):
    """Lines that end a function's body; the `codes` of failures are 0."""
    of = re.split(rf"\b{own_name(f)}\s*\(", f["declaration"])[0].strip()
    if of == "void":
        return []
    if of.endswith("*") or f["returns"].get("kind") in ("handle", "string"):
        return ["return room();"]
    if f["returns"]["as"] == "status" and isinstance(f["returns"].get("ok"), int):
        return [f"return ({of}){f['returns']['ok']};"]
    if f["returns"].get("kind") in ("integer", "enum", "bool") and own_name(f) not in codes:
        return [f"return ({of})given();"]
    plain = re.sub(r"\b(const|static|inline|extern)\b", "", of).strip()
    return [f"{plain} zero;", "memset(&zero, 0, sizeof zero);", "return zero;"]


def stub(f, codes):
    name, declaration = own_name(f), f["declaration"]
    whole = [place["c"] for place in f.get("spread", []) if place["name"] == "return"]
    if whole:  # the declaration has its fields
        return struct_stub(name, whole[0])
    parameters = declaration.partition("(")[2]
    fields = {p["name"] for p in f.get("c_params", []) if p.get("field_of")}  # C has one struct in their place
    named = [p for p in f["params"] if p["name"] not in fields and re.search(rf"\b{p['name']}\b", parameters)]
    made = [p["name"] for p in named if p["kind"] == "handle" and p.get("returned")]
    numbers = [p["name"] for p in named if p["kind"] in ("integer", "enum") and p.get("returned")]
    lines = [
        f'printf("ENTERED\\t{name}\\n");',
        *(f"if ({place}) *(void **){place} = room();" for place in made),
        *(f"if ({place}) *{place} = given();" for place in numbers),
        *ending(f, codes),
    ]
    head = re.sub(rf"\b{name}\s*\(", f"stub_{name}(", declaration, count=1)
    return "\n".join([f'{head} __asm__("{name}");', f"{head} {{", *("  " + line for line in lines), "}"])


def struct_stub(name, struct):
    """A function that gives a struct."""
    head = f"{struct} stub_{name}(void)"
    return f'{head} __asm__("{name}");\n{head} {{ printf("ENTERED\\t{name}\\n"); return ({struct}){{}}; }}'


def plain_stub(name):
    """A function that is only called by another's clause: an object if stubs give a number, else NULL or 0."""
    head = f"void *stub_{name}(void)"
    return f'{head} __asm__("{name}");\n{head} {{ return given() ? room() : 0; }}'


def stubs(ir, called, includes, codes):
    """The C of the functions that are `called`, of which `codes` tell of failures."""
    known = {own_name(f): f for f in ir["functions"]}
    bodies = [stub(known[name], codes) if name in known else plain_stub(name) for name in called]
    return "\n".join([HEAD % "\n".join(f"#include <{name}>" for name in includes), *bodies]) + "\n"
