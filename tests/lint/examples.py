# SPDX-License-Identifier: Apache-2.0
"""Each public function and each option of the commands has an example: examples.py DLFERRY_BIND DLFERRY

The functions are those of the public headers; an example is a call in a program of examples/c. The options are those
that `--help` prints; an example is a call in a script of examples/commands. Comments and texts do not count.
"""

import re
import subprocess
import sys

from files import ROOT

INCLUDE = ROOT / "core/include"
C = ROOT / "examples/c"
COMMANDS = ROOT / "examples/commands"
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
TEXT = re.compile(r'"(?:\\.|[^"\\\n])*"')


def read(path):
    return path.read_text(encoding="utf-8")


def functions(header):
    """The names that a header declares with DLF_API or defines as static inline."""
    found = re.findall(r"\b(?:DLF_API|static inline)\b[^;{}]*?\b(dlf_\w+)\(", COMMENT.sub(" ", header))
    return sorted(set(found))


def calls(source):
    return set(re.findall(r"\b(dlf_\w+)\s*\(", TEXT.sub('""', COMMENT.sub(" ", source))))


def words(command, usage):
    """The options that a usage names, and the words behind the command's own name."""
    found = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", usage))
    return sorted(found | set(re.findall(rf"^(?:usage:)?\s+{command} ([a-z]+)\b", usage, re.M)))


def given(command, script):
    """The words that a script's calls of a command have, lines joined where they are continued."""
    found = set()
    for line in script.replace("\\\n", " ").splitlines():
        for call in re.findall(rf"(?:^|[\s|;&(]){command}\s([^|;&>]*)", line.partition("# ")[0]):
            found |= set(call.split())
    return found


def check_that_lacks_are_seen():
    header = "/** dlf_no( */ DLF_API int dlf_a(int x);\nDLF_API const char *dlf_b(void);\n"
    header += "static inline int dlf_c(void) {}"
    assert functions(header) == ["dlf_a", "dlf_b", "dlf_c"], functions(header)
    assert calls('/* dlf_a(1) */ // dlf_b()\nputs("dlf_c()"); TRY(dlf_d(2));') == {"dlf_d"}
    assert words("x", "usage: x HEADER --name NAME\n       x look FILE\n  --go-module PATH\n") == [
        "--go-module",
        "--name",
        "look",
    ]
    script = "# x --no\nends 1 x a --yes \\\n  --also >x.txt # x --never\ny --other x.h"
    assert given("x", script) == {"a", "--yes", "--also"}


def main():
    check_that_lacks_are_seen()
    lacks, counted = [], 0
    examples = sorted(C.glob("*.c"))
    called = set().union(*(calls(read(path)) for path in examples))
    for header in sorted(path for path in INCLUDE.glob("**/*.h") if path.parent.name != "dlpack"):
        declared = [name for name in functions(read(header)) if not name.startswith("dlf__")]
        counted += len(declared)
        lacks += [f"{name}: no program in examples/c calls it" for name in declared if name not in called]
    lacks += [f"{path.name}: it checks no result" for path in examples if "EXPECT(" not in read(path)]
    scripts = [read(path) for path in sorted(COMMANDS.glob("*.sh"))]
    for command, program in zip(("dlferry-bind", "dlferry"), sys.argv[1:3], strict=True):
        usage = subprocess.run([program, "--help"], capture_output=True, text=True, check=True).stdout
        tried = set().union(*(given(command, script) for script in scripts))
        options = words(command, usage)
        counted += len(options)
        missing = [option for option in options if option not in tried]
        lacks += [f"{command} {option}: no script in examples/commands gives it" for option in missing]
    print("\n".join(lacks))
    print(f"examples: {counted} functions and options, {len(lacks)} without an example")
    sys.exit(bool(lacks) or counted < 80)


main()
