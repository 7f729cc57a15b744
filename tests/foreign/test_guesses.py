#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Guesses that are believed: of real libraries every guess is accepted, and what then binds is called.

    test_guesses.py DLFERRY_BIND CC HUB ROOT REPORT [FLAG...]

--new-contracts writes guesses; here all their marks are removed. No guess may be refused, and no accepted call of the
generated tests may touch memory that is not its own, under the address sanitizer. Functions that make objects get an
empty block, so that tests call them too. GUESSES=NAME picks one library; KEEP=FOLDER keeps the files; DRAW=COUNT prints
guesses drawn at random, to compare them with manuals.
"""

import json
import os
import random
import re
import sys
from pathlib import Path

from attempt import Attempt, folder_for, run
from libraries import LIBRARIES, MORE, command, root_of

MARK = re.compile(r"(^|  )\?", re.M)


def makers(guesses, ir):
    """An empty block for each function that a guess or its own name says to make an object, if it has none."""
    named = set(re.findall(r"[\w*]+", " ".join(re.findall(r"^\?handle .* made (.*);", guesses, re.M))))
    with_block = set(re.findall(r"^(\w+) \{$", guesses, re.M))
    made = {f["name"] for f in ir["functions"] if f.get("creates")}
    return sorted((made | {name for name in named if "*" not in name}) - with_block & made)


class Believed:
    def __init__(self, bind, library, root, folder):
        self.bind, self.library, self.root, self.folder = bind, library, root, folder
        self.words = command(library, root)
        self.problems = []
        self.guesses = ""

    def accept(self):
        guessed, accepted = self.folder / "guessed.contracts", self.folder / "accepted.contracts"
        done = run(self.bind, *self.words, "--new-contracts", guessed)
        if done.returncode:
            self.problems.append(done.stderr[:500])
            return False
        self.guesses = guessed.read_text()
        accepted.write_text(MARK.sub(r"\1", self.guesses))
        self.words += ["--contracts", str(accepted)]
        ir = self.ir()
        if ir is None:
            return False
        blocks = [name for name in makers(self.guesses, ir) if f"\n{name} {{\n" not in accepted.read_text()]
        accepted.write_text(accepted.read_text() + "".join(f"{name} {{ }}\n" for name in blocks))
        return True

    def ir(self):
        done = run(self.bind, *self.words, "--ir")
        if done.returncode:
            self.problems.append(f"a guess is refused: {done.stderr[:800]}")
            return None
        return json.loads(done.stdout)

    def call(self, cc, hub, flags):
        """Make the accepted calls; returns how many."""
        ir = self.ir()
        for f in ir["functions"] if ir else []:
            if f["unbound"] and f"\n{f['name']} {{\n" in self.guesses and "?hide;" not in self.guesses:
                self.problems.append(f"{f['name']}: its guess does not bind it: {f['unbound']}")
        attempt = Attempt(self.bind, self.words, self.library, self.root, self.folder)
        made, left = attempt.call(cc, hub, flags)
        self.problems += attempt.problems
        return made, left


def drawn(all_guesses, count, seed):
    """Guesses at random: first a library, then one of its clauses."""
    chance = random.Random(seed)
    left = {name: list(clauses) for name, clauses in all_guesses.items() if clauses}
    while count and left:
        name = chance.choice(sorted(left))
        clause = left[name].pop(chance.randrange(len(left[name])))
        if not left[name]:
            del left[name]
        print(f"{name}: {clause}")
        count -= 1


def clauses(guesses):
    """The clauses of a file of guesses: "function: clause"."""
    function = ""
    for line in guesses.splitlines():
        if line.endswith(" {"):
            function = line[:-2] + ": "
        elif line.startswith("?"):
            yield line[1:]
        elif line.strip().startswith("?") and not re.match(r"\s*\?(\w+) := \1;$", line):
            yield function + line.strip().replace("?", "")


def main():
    bind, cc, hub, root, report = sys.argv[1:6]
    rows, problems, tried, everything = ["library         guesses  calls  not made here"], [], 0, {}
    for library in LIBRARIES + MORE:
        if os.environ.get("GUESSES", library.name) != library.name or not command(library, root_of(root)):
            continue
        with folder_for(library.name) as folder:
            believed = Believed(bind, library, root_of(root), folder)
            calls = left = 0
            if believed.accept() and library.links:
                calls, left = believed.call(cc, hub, sys.argv[6:])
                tried += 1
            everything[library.name] = list(clauses(believed.guesses))
            problems += [f"{library.name}: {problem}" for problem in believed.problems]
            rows.append(f"{library.name:<14}{len(everything[library.name]):>9}{calls:>7}{left:>15}")
    if tried < 10 and "GUESSES" not in os.environ:
        problems.append(f"expected 10 libraries or more, got {tried}")
    drawn(everything, int(os.environ.get("DRAW", "0")), os.environ.get("SEED", "24"))
    Path(report).parent.mkdir(exist_ok=True)
    Path(report).write_text("\n".join(rows) + "\n")
    print("\n".join(rows + problems))
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
