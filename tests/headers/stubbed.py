# SPDX-License-Identifier: Apache-2.0
"""Calls of a library of which only the headers are here, with stubs in its place."""

import ctypes
import re

from attempt import Attempt, run
from known import HERE
from plain import plain_cases
from stubs import stubs


class Stubbed(Attempt):
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
        source.write_text(stubs(self.ir, self.called(cc, hub), names))
        done = run(cc, "-std=gnu2x", "-w", *flags, source, "-o", compiled, *self.includes())
        if done.returncode:
            self.problems.append(f"its stubs do not compile: {done.stderr[:500]}")
        return compiled

    def more_sources(self, cc, hub):
        return [self.stubs(cc, hub, "stubs.o", "-c")]

    def links(self):
        return []

    def entered(self):
        return set(re.findall(r"^ENTERED\t(\w+)$", self.printed, re.M))
