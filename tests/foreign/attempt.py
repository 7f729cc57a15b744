# SPDX-License-Identifier: Apache-2.0
"""Compile the accepted calls of a library's generated tests with the checked C, and make them on the library itself."""

import json
import os
import re
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path

from calls import Calls

INCLUDE = Path(__file__).resolve().parents[2] / "core/include"


def run(*words, **options):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, errors="replace", **options)


def said(stderr):
    return " | ".join(re.findall(r"(?:ERROR: .*|SUMMARY: .*|runtime error: .*)", stderr)[:3])


@contextmanager
def folder_for(name):
    """A new folder; KEEP=FOLDER in the environment keeps it below that one."""
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(os.environ["KEEP"]) / name if "KEEP" in os.environ else Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        yield folder


class Attempt:
    """`words` are the arguments of dlferry-bind for the library below `root`; files are written to `folder`."""

    def __init__(self, bind, words, library, root, folder):
        self.bind, self.words, self.library, self.root, self.folder = bind, words, library, root, folder
        self.problems, self.printed = [], ""
        self.ir = json.loads(run(bind, *words, "--ir").stdout)

    def cases(self):
        """The accepted calls of the generated tests."""
        cases = json.loads(run(self.bind, *self.words, "--cases").stdout)["cases"]
        return [case for case in cases if case["status"] == "OK"]

    def begin(self):
        """C that is called first."""
        return self.library.begin

    def call(self, cc, hub, flags):
        """Make the calls; returns how many were made, and how many the program leaves out."""
        cases = self.cases()
        program, calls, left = Calls(self.ir, cases).write(cases, self.library.name, self.begin())
        if not calls:
            return 0, left
        (self.folder / "calls.c").write_text(program)
        if not self.compile(cc, hub, flags):
            return 0, 0
        self.printed = self.make()
        return calls, left

    def folders(self):
        """Where the library lies, and those that it needs."""
        found = list((self.root / "usr/lib").glob("*-linux-gnu*"))
        return [folder / below for folder in found for below in ("", "blas", "lapack")]

    def more_sources(self, cc, hub):
        """C beside the calls and the checked C: none, since the library itself is called."""
        return []

    def links(self):
        words = [word for f in self.folders() for word in (f"-L{f}", f"-Wl,-rpath-link,{f}")]
        return words + [f"-l{name}" for name in self.library.links]

    def includes(self):
        return [f"-I{INCLUDE}", f"-I{self.folder}", *self.library.flags(self.root)]

    def compile(self, cc, hub, flags):
        run(self.bind, *self.words, "--out", self.folder)
        sources = [
            self.folder / "calls.c",
            self.folder / f"{self.library.name}_dlferry.c",
            hub,
            *self.more_sources(cc, hub),
        ]
        words = ["-std=gnu11", "-g", "-O1", "-w", "-ffunction-sections", "-Wl,--gc-sections", *flags, *self.includes()]
        words += [*sources, "-o", self.folder / "calls", *self.links(), "-lm", "-lpthread"]
        done = run(cc, *words)
        if done.returncode and (absent := self.absent(done.stderr)):
            done = run(cc, *words, absent)
        if done.returncode:
            self.problems.append(f"it does not compile: {done.stderr[:1500]}")
        return not done.returncode

    def absent(self, stderr):
        """C of the functions that a header declares and Debian's library leaves out; calls of them do nothing."""
        names = sorted(set(re.findall(r"undefined reference to `(\w+)'", stderr)))
        source = self.folder / "absent.c"
        source.write_text("".join(f"void *{name}(void) {{ return 0; }}\n" for name in names))
        return source if names else None

    def make(self):
        """Make the calls; returns what they print."""
        (self.folder / "run").mkdir()
        done = self.start()
        if done.returncode not in (0, 1):
            self.problems.append(f"its calls do not start: {done.returncode} {done.stderr[-300:]}")
        died = [line for line in done.stdout.splitlines() if "\tDIED\t" in line]
        self.problems += [f"{line} {said(done.stderr)}" for line in died]
        return done.stdout

    def start(self, *names, **variables):
        """Run the program: all its calls, or those with these names."""
        environment = {
            **os.environ,
            "ASAN_OPTIONS": "exitcode=99:detect_leaks=0",
            "UBSAN_OPTIONS": "halt_on_error=1:exitcode=99",
            "LD_LIBRARY_PATH": ":".join(map(str, self.folders())),  # also for what the library needs
            **variables,
        }
        return run(self.folder / "calls", *names, cwd=self.folder / "run", env=environment)
