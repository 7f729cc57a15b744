# SPDX-License-Identifier: Apache-2.0
"""The ten contracts of core/CONTRACTS.md accept and refuse the calls beside them: ten_contracts.py

Each block of C has one function, the block of Python behind it calls; a comment there is the text of the refusal.
"""

import re
import sys

import dlferry
import numpy
from files import ROOT

PAGE = (ROOT / "core/CONTRACTS.md").read_text(encoding="utf-8").split("\n## ")
KINDS = {"const DLTensor *": "input", "DLTensor *": "output", "const DLTensor *const *": "list", "double ": "real"}


def parameters(declared):
    """The kind of each parameter by its name; the number of a list is counted, not passed."""
    found = {}
    for word in declared.split(", "):
        kind, name = re.fullmatch(r"(.*?)(\w+)", word).groups()
        if kind in KINDS:
            found[name] = KINDS[kind]
    return found


def function(block):
    """The function of a block of C, which checks its arguments and makes an output that is left out."""
    contract = re.search(r"@contract (.*) \*/", block)[1]
    name, declared = re.search(r"(\w+)\((.*)\);", block).groups()
    kinds = parameters(declared)
    compiled = dlferry.Contract(contract, name, kinds)

    def call(*given):
        if len(given) == len(kinds):
            compiled.match(*given)
        else:
            compiled.match_inputs(*given)
            compiled.create(list(kinds)[-1], *given)

    return name, call


def refusal(call, names):
    try:
        eval(call, {}, names)
    except dlferry.Error as error:
        return str(error)
    return None


def main():
    (section,) = (part for part in PAGE if part.startswith("Ten contracts"))
    blocks = re.findall(r"```c\n(.*?)```\n\n```python\n(.*?)```", section, re.S)
    image = numpy.ones((4, 4), "f4")
    read_only = numpy.ones(4, "f4")
    read_only.flags.writeable = False
    names = {"ones": numpy.ones, "zeros": numpy.zeros, "image": image, "read_only": read_only}
    bad = []
    for c, python in blocks:
        name, call = function(c)
        names[name] = call
        accepted, refused = python.splitlines()
        line, _, wanted = refused.partition("  # ")
        for text, expected in ((accepted, None), (line, wanted)):
            got = refusal(text, names)
            if got != expected:
                bad.append(f"{text}: expected {expected}, got {got}")
    if len(blocks) != 10:
        bad.append(f"expected ten contracts, got {len(blocks)}")
    print("\n".join(bad))
    print(f"ten_contracts: {len(blocks)} contracts, {len(bad)} problems")
    sys.exit(bool(bad))


main()
