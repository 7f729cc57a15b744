# SPDX-License-Identifier: Apache-2.0
"""Calls of a library of which only the headers are here, with stubs in its place."""

import ctypes
import functools
import re

from attempt import Attempt, run
from known import HERE
from plain import plain_cases
from stubs import own_name, stubs

# Room for an index, an extent, or a type that a function asks for; and how many bytes an object's numbers have.
NUMBERS = [(number, size) for number in (4096, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 48) for size in (8, 4)]


def entered_in(printed):
    return set(re.findall(r"^ENTERED\t(\w+)$", printed, re.M))


class Stubbed(Attempt):
    @functools.cache  # noqa: B019  an attempt is gone with its library
    def cases(self):
        """A stub takes any arguments, so that functions are called too that the generated tests leave alone."""
        known = super().cases()
        return known + [*plain_cases(self.ir, {case["call"] for case in known})]

    def begin(self):
        """Nothing: a stub has no state."""
        return ""

    def includes(self):
        return [f"-I{HERE / 'include'}", *super().includes()]

    def called(self, cc, hub):
        """Functions that the checked C calls, and that are neither the hub's nor the system's."""
        checked = self.folder / "checked.o"
        done = run(cc, "-c", "-w", self.folder / f"{self.library.name}_dlferry.c", "-o", checked, *self.includes())
        if done.returncode:
            self.problems.append(f"the checked C does not compile: {done.stderr[:800]}")
            return []
        missing = re.findall(r" U (?!_)(\w+)", run("nm", "-u", checked).stdout)
        ours = set(re.findall(r" T (\w+)", run("nm", "--defined-only", hub).stdout))
        system = ctypes.CDLL(None)
        return sorted(name for name in missing if name not in ours and not hasattr(system, name))

    def stubs(self, cc, hub, name, *flags):
        """Write and compile the stubs; returns the file."""
        source, compiled = self.folder / "stubs.c", self.folder / name
        names = [name for word, name in zip(self.words, self.words[1:], strict=False) if word == "--include"]
        called = self.called(cc, hub)
        checked = (self.folder / f"{self.library.name}_dlferry.c").read_text()
        codes = set(re.findall(r"dlf_code = (\w+)\(dlf_report\)", checked))  # of a status that C fills: 0 is none
        source.write_text(stubs(self.ir, called, names, codes))
        done = run(cc, "-std=gnu2x", "-w", *flags, source, "-o", compiled, *self.includes())
        if done.returncode:
            self.problems.append(f"its stubs do not compile: {done.stderr[:500]}")
        return compiled

    def more_sources(self, cc, hub):
        return [self.stubs(cc, hub, "stubs.o", "-c")]

    def links(self):
        return []

    def make(self):
        """Make the calls; those in which C was not entered again with other numbers from the stubs, as far as it takes.
        A death in these is no finding, since a stub that counts 4,096 objects has none."""
        printed = super().make()
        for number, size in NUMBERS:
            left = self.refused(printed)
            if not left:
                break
            printed += self.start(*left, STUB_GIVES=str(number), STUB_BYTES=str(size)).stdout
        return printed

    def refused(self, printed):
        """The calls whose functions were not entered."""
        entered = entered_in(printed)
        name_of = {f["short_name"]: own_name(f) for f in self.ir["functions"]}
        members = {f["name"] for f in self.ir["functions"] if f.get("member_of")}

        def function(case):
            member = case["name"].partition("/")[0]
            return member if member in members else name_of[case["call"]]

        return [case["name"] for case in self.cases() if function(case) not in entered]

    def entered(self):
        return entered_in(self.printed)
