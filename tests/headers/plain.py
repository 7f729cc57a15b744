# SPDX-License-Identifier: Apache-2.0
"""Calls of each function that generated tests leave alone, with the plainest arguments: one number and its extents,
short texts. Only stubs take these; a contract may refuse them, and then C is not entered."""

import re

HOOK = re.compile(r"hook\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)")
NUMBERS = (1, 0, 2, 3, 4)
PLAIN = {"bool": False, "char": "a", "complex": [1, 0], "string": "x", "struct": "defaults"}


def plain_extent(extent, number):
    """The arithmetic of an extent, "1 + 1" for "n + 1", or of its bound."""
    numbers = re.sub(r"[A-Za-z_]\w*", number, extent)
    return numbers.partition("<=")[2] or numbers


def with_dtype(clause, contract):
    """The clause with the first dtype that the contract has for a type variable: "f32[n]" for "T[n]"."""
    found = re.search(r"\b([A-Z]\w*)\[", clause)
    dtype = re.search(rf"\b{found[1]} in ([a-z]+\d*)", contract) if found else None
    return clause.replace(f"{found[1]}[", f"{dtype[1]}[", 1) if dtype else clause


def plain_tensor(clause, contract, number):
    """A tensor's words for a clause: "f64[1, 3]" for "f64[n, 3]"; None if its extents are no arithmetic. What a hook
    tells is the number too, as stubs tell once."""
    number = str(max(number, 1))
    clause = HOOK.sub(number, with_dtype(clause, contract))
    found = re.search(r"\b(any|[a-z]+\d+)\w*(?: \| [\w ]+)?\[(.*?)\]", clause)
    if not found or re.search(r"\w\(", found[2]):  # hook(f), max(a, b)
        return None
    dtype = "u8" if found[1] == "any" else found[1]
    extents = [plain_extent(extent, number) for extent in found[2].replace("...", "1").split(",")]
    if not all(re.fullmatch(r"[\d+*()\s-]+", extent) for extent in extents):
        return None
    shape = ", ".join(str(max(eval(extent), 0)) for extent in extents)  # digits and + - *
    device = " cuda" if "cuda" in clause and not re.search(r"\bcpu\b", clause) else ""
    return f"{dtype}[{shape}]{device}"


def plain_value(p, f, enums, number):
    if p["kind"] == "tensor":
        return plain_tensor(p["contract"], f["contract"], number)
    if p["kind"] in ("integer", "real"):
        return number
    if p["kind"] == "enum":
        return next((value["value"] for value in enums.get(p["enum"], [])), 0)
    if p["kind"] == "array" and p.get("handle"):
        return []
    if p["kind"] == "array":
        return ["x"] if p.get("text") == "list" else [1]
    return PLAIN.get(p["kind"])


def plain_case(f, enums, number):
    """The case of a function for a number, if there is one and it differs from that of 1."""
    params = [p for p in f["params"] if not p.get("returned")]
    args = {p["name"]: plain_value(p, f, enums, number) for p in params}
    numbered = any(p["kind"] in ("integer", "real", "tensor") for p in params)
    whole = all(args[p["name"]] or p["optional"] for p in params if p["kind"] == "tensor")
    if whole and (numbered or number == NUMBERS[0]):
        name = f["name"] if f.get("member_of") else f["short_name"]
        yield {
            "name": f"{name}/plain {number}",
            "call": f["short_name"],
            "make": False,
            "status": "OK",
            "args": args,
        }


def plain_cases(ir, known):
    """Cases for the bound functions that are not `known`, and for each member of a family."""
    enums = {enum["name"]: enum["values"] for enum in ir["enums"]}
    for f in ir["functions"]:
        if f["unbound"] or (f["short_name"] in known and not f.get("member_of")):
            continue
        for number in NUMBERS:
            yield from plain_case(f, enums, number)
