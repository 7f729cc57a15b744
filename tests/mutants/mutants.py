#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Change the hub and the contract language in one place at a time, and see whether a C test notices.

usage: mutants.py SOURCE_FOLDER WORK_FOLDER CC [--count N] [--seed N] [--jobs N] [--file PATTERN]

The mutants with the lowest hashes of seed, file, line and change are tried, so that an edit elsewhere changes few of
them. Each is compiled, linked with the tests that run its line, by gcov, and run until one fails: first without
sanitizers, then with them. A mutant that no test notices survives; it is listed in equivalent.txt, with the reason why
it changes nothing, or a test is missing and the exit status is 1.

No memory order is changed: only the thread sanitizer could see it. Python objects and dpctl have tests of their own.
"""

import argparse
import collections
import concurrent.futures
import contextlib
import fnmatch
import hashlib
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
FLAGS = ["-std=c11", "-w", "-D_POSIX_C_SOURCE=200809L", "-D_DEFAULT_SOURCE", "-fno-strict-aliasing"]
SANITIZERS = ["-fsanitize=address,undefined,float-cast-overflow", "-fno-sanitize-recover=all"]
LEFT_OUT = ("pyobject*.c", "oneapi.c", "library.c")  # tested with a Python or a stand-in for dpctl
SWAPS = {
    " < ": [" <= "], " <= ": [" < "], " > ": [" >= "], " >= ": [" > "], " == ": [" != "], " != ": [" == "],
    " + ": [" - "], " - ": [" + "], " * ": [" / "], " / ": [" * "], " % ": [" / "], " << ": [" >> "], " >> ": [" << "],
    " && ": [" || "], " || ": [" && "], " & ": [" | "], " | ": [" & "], " += ": [" -= "], " -= ": [" += "],
    " |= ": [" &= "], "++": ["--"], "return true;": ["return false;"], "return false;": ["return true;"],
}  # fmt: skip
SWAP = re.compile("|".join(re.escape(word) for word in sorted(SWAPS, key=len, reverse=True)))
NUMBER = re.compile(r"(?<![\w.])\d+(?![\w.])")
STATEMENT = re.compile(
    r"^(\s+(?:(?:if|for|while) \(.*\) |else |case [^:]*: |default: )?)"
    r"((?:\*|\+\+|--|\()*[A-Za-z_][\w.>\[\]*()& +-]*?(?: [-+*/|&^%]?= .*|\+\+|--|\(.*\)));$"
)
DECLARATION = re.compile(
    r"^(?:const |static |struct |enum |unsigned )|^\w+ \**\w+(\[\w*\])*( = |;|, |$)|^(return|goto|break|sizeof)\b"
)


class Mutant:
    def __init__(self, path, number, column, old, new, line):
        self.path, self.number, self.column, self.old, self.new, self.line = path, number, column, old, new, line
        self.which = ""  # of the equal changes of equal lines in the file

    @property
    def key(self):
        after = self.line[: self.column] + self.new + self.line[self.column + len(self.old) :]
        return f"{self.path}{self.which}: {self.line.strip()} -> {after.strip()}"

    def rank(self, seed):
        return hashlib.sha256(f"{seed} {self.key}".encode()).hexdigest()


# Of the file for systems: what this machine does not compile, and loading, as in LEFT_OUT.
ELSEWHERE = r"^#else /\* Windows \*/$.*?^#endif /\* Windows \*/$|^/\* ---- POSIX: libraries ---- \*/$.*?(?=^/\* ---- )|"


def masked(text):
    """The text with comments, strings, characters, directives and other systems' code as blanks."""

    def blank(match):
        return re.sub(r"[^\n]", " ", match.group())

    pattern = r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|^#(?:[^\n]*\\\n)*[^\n]*'
    return re.sub(ELSEWHERE + pattern, blank, text, flags=re.S | re.M)


def condition_end(line, start):
    depth = 0
    for i in range(start, len(line)):
        depth += {"(": 1, ")": -1}.get(line[i], 0)
        if depth == 0:
            return i
    return -1


def mutants_of(path, text):
    lines, bare = text.split("\n"), masked(text).split("\n")
    inside = False
    for number, (line, code) in enumerate(zip(lines, bare, strict=True)):
        if code.startswith("}"):
            inside = False
        if inside and "memory_order" not in code and "atomic_thread_fence" not in code:
            for match in SWAP.finditer(code):
                for new in SWAPS[match.group()]:
                    yield Mutant(path, number, match.start(), match.group(), new, line)
            for match in NUMBER.finditer(code):
                yield Mutant(path, number, match.start(), match.group(), str(int(match.group()) + 1), line)
            for match in re.finditer(r"\bif \(", code):
                end = condition_end(code, match.end() - 1)
                if end > 0:
                    old = line[match.end() : end]
                    yield Mutant(path, number, match.end(), old, f"!({old})", line)
            statement = STATEMENT.match(code)
            if statement and not DECLARATION.match(statement.group(2)):
                start = statement.start(2)
                yield Mutant(path, number, start, line[start:], ";", line)
        opens = re.search(r"\) \{$", code) and not code.startswith(" ")
        if opens or re.match(r"^[\w*].*\{.*\}$", code):
            inside = not code.endswith("}")


class Build:
    """All objects of one set of flags, and programs linked with one of them replaced."""

    def __init__(self, source, work, cc, flags):
        self.source, self.work, self.cc = source, work, cc
        self.flags = [*FLAGS, *flags, f"-I{source}/core/include", f"-I{source}/core"]
        self.link = [flag for flag in flags if flag.startswith(("-fsanitize", "--coverage"))]
        work.mkdir(parents=True, exist_ok=True)

    def object_of(self, path):
        return self.work / (str(path).replace("/", "_") + ".o")

    def compile(self, source, to, near=None):
        near = [f"-iquote{near}"] if near else []
        run = subprocess.run([*self.cc, *self.flags, *near, "-c", str(source), "-o", str(to)], capture_output=True)
        return run.returncode == 0

    def compile_all(self, paths, jobs):
        def one(path):
            if not self.compile(self.source / path, self.object_of(path)):
                sys.exit(f"mutants: {path} does not compile")

        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            list(pool.map(one, paths))

    def program(self, test, library, to, replaced=None, by=None):
        objects = [str(by if path == replaced else self.object_of(path)) for path in library]
        own = [str(self.object_of(path)) for path in test.sources]
        command = [*self.cc, *self.link, *own, *objects, "-o", str(to), "-lpthread", "-ldl", "-lm"]
        subprocess.run(command, check=True, capture_output=True)


class Test:
    def __init__(self, name, sources, arguments=()):
        self.name, self.sources, self.arguments, self.seconds = name, sources, [str(a) for a in arguments], 1.0

    def passes(self, program, limit):
        """A mutant may loop in a child that its test has forked: everything of its own session ends with it."""
        quiet = subprocess.DEVNULL
        run = subprocess.Popen([str(program), *self.arguments], stdout=quiet, stderr=quiet, start_new_session=True)
        try:
            return run.wait(limit) == 0
        except subprocess.TimeoutExpired:
            return False
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(run.pid, signal.SIGKILL)
            run.wait()


def tests_of(source):
    for path in sorted((source / "tests/c").glob("test_*.c")):
        if path.stem not in ("test_oneapi", "test_pyobject"):
            sources = [path.relative_to(source), pathlib.Path("tests/c/system.c")]
            yield Test(path.stem, sources, [2000] if path.stem == "test_contract_quick" else [])
    for path in sorted((source / "tests/fuzz").glob("fuzz_*.c")):
        name = path.stem.removeprefix("fuzz_")
        if name not in ("bind", "sidecar"):
            sources = [path.relative_to(source), pathlib.Path("tests/fuzz/replay.c")]
            yield Test("replay_" + name, sources, [source / "tests/fuzz/corpus" / name, 3000])


def coverage(build, tests, library, report):
    """For each test the lines that it runs, as {file: {line}}, and the functions, as {file: [(first, last)]}."""
    lines, functions = {}, {}
    program = build.work / "program"
    for test in tests:
        build.program(test, library, program)
        for old in build.work.glob("*.gcda"):
            old.unlink()
        start = time.monotonic()
        if not test.passes(program, 300):
            sys.exit(f"mutants: {test.name} fails without a mutant")
        test.seconds = time.monotonic() - start
        counted = [str(p.name) for p in build.work.glob("core_*.gcda")]
        out = subprocess.run(["gcov", "-j", "-t", *counted], cwd=build.work, capture_output=True, check=True).stdout
        for text in out.decode().splitlines():
            for file in json.loads(text)["files"]:
                name = re.sub(r".*?(core/(hub|contract)/)", r"\1", file["file"])
                ran = {line["line_number"] for line in file["lines"] if line["count"]}
                known = {line["line_number"] for line in file["lines"]}
                spans = [(f["start_line"], f["end_line"]) for f in file["functions"] if f["execution_count"]]
                lines.setdefault(name, {}).setdefault(test.name, [set(), set()])
                lines[name][test.name][0].update(ran)
                lines[name][test.name][1].update(known)
                functions.setdefault(name, {}).setdefault(test.name, []).extend(spans)
    report(f"mutants: {len(tests)} tests, their lines counted")
    return lines, functions


def runs(lines, functions, test, mutant):
    number, path = mutant.number + 1, str(mutant.path)
    ran, known = lines.get(path, {}).get(test.name, (set(), set()))
    if number in known:
        return number in ran
    return any(first <= number <= last for first, last in functions.get(path, {}).get(test.name, []))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("cc")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--file", default="*")
    options = parser.parse_args()
    source, cc = options.source.resolve(), [word for word in options.cc.split(";") if word]
    say = threading.Lock()

    def report(text):
        with say:
            print(text, flush=True)

    library = []
    for folder in ("hub", "contract"):
        found = sorted((source / "core" / folder).rglob("*.c"), key=lambda path: path.name)
        library += [path.relative_to(source) for path in found]
    tests = list(tests_of(source))
    own = sorted({path for test in tests for path in test.sources})
    plain = Build(source, options.work / "plain", cc, ["-O0"])
    careful = Build(source, options.work / "careful", cc, ["-O0", "-g1", *SANITIZERS])
    counted = Build(source, options.work / "counted", cc, ["-O0", "--coverage"])
    for build in (counted, plain, careful):
        build.compile_all([*library, *own], options.jobs)
    lines, functions = coverage(counted, tests, library, report)

    candidates = []
    for path in library:
        if not any(fnmatch.fnmatch(path.name, pattern) for pattern in LEFT_OUT) and fnmatch.fnmatch(
            str(path), options.file
        ):
            candidates += mutants_of(path, (source / path).read_text())
    seen = collections.Counter()
    for mutant in candidates:
        seen[mutant.key] += 1
        mutant.which = f" ({seen[mutant.key]})" if seen[mutant.key] > 1 else ""
    candidates.sort(key=lambda mutant: mutant.rank(options.seed))
    listed = (HERE / "equivalent.txt").read_text().splitlines() if (HERE / "equivalent.txt").exists() else []
    equivalent = {line for line in listed if " -> " in line}
    report(f"mutants: {options.count} of {len(candidates)}, seed {options.seed}")

    def try_one(mutant, place):
        """None if it does not compile, else the name of the test that notices it, or ""."""
        text = (source / mutant.path).read_text().split("\n")
        text[mutant.number] = mutant.line[: mutant.column] + mutant.new + mutant.line[mutant.column + len(mutant.old) :]
        changed = place / mutant.path.name
        changed.write_text("\n".join(text))
        covering = [test for test in tests if runs(lines, functions, test, mutant)]
        own_test = f"test_{mutant.path.stem}"
        covering.sort(key=lambda test: (own_test not in test.name, test.seconds))
        for build in (plain, careful):
            made, program = place / "mutant.o", place / "program"
            if not build.compile(changed, made, (source / mutant.path).parent):
                return None
            for test in covering:
                build.program(test, library, program, mutant.path, made)
                if not test.passes(program, 10 + 10 * test.seconds * (1 if build is plain else 5)):
                    return test.name
        return ""

    places = [options.work / f"place{i}" for i in range(options.jobs)]
    for place in places:
        place.mkdir(parents=True, exist_ok=True)
    results, queue, lock = [], iter(candidates), threading.Lock()

    def worker(place):
        while True:
            with lock:
                if len(results) >= options.count:
                    return
                mutant = next(queue, None)
            if mutant is None:
                return
            noticed = try_one(mutant, place)
            if noticed is None:
                continue
            with lock:
                if len(results) < options.count:
                    results.append((mutant, noticed))
            if not noticed and mutant.key not in equivalent:
                report(f"{mutant.path}:{mutant.number + 1}: survives\n{mutant.key}")

    threads = [threading.Thread(target=worker, args=(place,)) for place in places]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    alive = [mutant for mutant, noticed in results if not noticed]
    unlisted = [mutant for mutant in alive if mutant.key not in equivalent]
    noticed, same = len(results) - len(alive), len(alive) - len(unlisted)
    report(f"mutants: {len(results)} tried, {noticed} noticed, {same} equivalent, {len(unlisted)} survive")
    return 1 if unlisted or not results else 0


if __name__ == "__main__":
    sys.exit(main())
