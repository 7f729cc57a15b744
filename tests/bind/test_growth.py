#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The generator's work grows as its input: four times as many functions are four times as many instructions.

Instructions are valgrind's count, which no other process changes. A constant part makes a ratio smaller than 4, a
square part makes it larger: 16 if nothing else is there. The more functions, the smaller a square part is seen:
`test_growth.py BIND FEW` compares FEW of them with four times as many.
"""

import re
import resource
import shutil
import subprocess
import sys
import unittest

from headers import BIND, LANGUAGES, Headers, bind

FEW = int(sys.argv.pop(1)) if len(sys.argv) > 1 else 25
MANY = 4 * FEW


def each(count, text):
    return "".join(text.replace("#", str(i)) for i in range(count))


def opaque(count):
    """Over a struct that nothing frees."""
    functions = each(count, "k_o *k_start_#(int a, k_o *from);\nint k_use_#(k_o *o, double x);\n")
    return "typedef struct k_o k_o;\n" + functions, ""


def unfreed(count):
    """Each over a struct of its own."""
    return each(count, "typedef struct k_o# k_o#;\nk_o# *k_start_#(int a);\nint k_use_#(k_o# *o, double x);\n"), ""


def pointers(count):
    return each(count, "typedef void *k_h#;\nint k_start_#(int a, k_h# *o);\nint k_drop_#(k_h# o);\n"), ""


def named(count):
    """With a clause for each handle."""
    contracts = each(count, "handle k_h# freed k_drop_# made k_start_#;\nk_start_# { return: status }\n")
    return pointers(count)[0], contracts


def classes(count):
    declared = "/** One. */\ntypedef struct k_o# k_o#;\nk_o# *k_o#_create(int a);\nvoid k_o#_free(k_o# *o);\n"
    return each(count, declared + "int k_o#_get_level(const k_o# *o);\nvoid k_o#_set_level(k_o# *o, int to);\n"), ""


def methods(count):
    head = "typedef struct k_o k_o;\nk_o *k_o_create(void);\nvoid k_o_free(k_o *o);\n"
    return head + each(count, "int k_o_get_a#(const k_o *o);\nvoid k_o_set_a#(k_o *o, int to);\n"), ""


def enums(count):
    return each(count, "typedef enum k_e# { K_A#, K_B# } k_e#;\nvoid k_use_#(k_e# a, double x);\n"), ""


def macros(count):
    functions = each(count, "@define K_C# 1#\nint k_use_#(int a);\n").replace("@", "#")
    return functions, each(count, "k_use_# { a = K_C# }\n")


def blocks(count):
    return each(count, "int k_use_#(int n, const float *x);\n"), each(count, "k_use_# { x: f32[n]; n := n }\n")


def patterns(count):
    return blocks(count)[0], "k_use_* { x: f32[n]; n := n }\nevery k_* { slow }\n"


def gifts(count):
    declared = "void k_get_#(int n, float **out);\nvoid k_drop_#(float *memory);\n"
    return each(count, declared), each(count, "k_get_# { out: gives f32[n] freed k_drop_# }\n")


def families(count):
    declared = each(count, "int k_s#(const float *x, int n);\nint k_d#(const double *x, int n);\n")
    clauses = each(count, "family f# { T in f32: k_s# | f64: k_d# }\n")
    return declared, clauses + "k_* { x: T[n]; n := n }\n"


def outputs(count):
    """Of each of which C writes a part."""
    declared = (
        "int k_use_#(unsigned char *dest, unsigned long *destLen, const unsigned char *src, unsigned long srcLen);\n"
    )
    return "unsigned long k_use_Bound(unsigned long srcLen);\n" + each(count, declared), ""


def comments(count):
    return "/** Add.\n" + each(count, " *  Line # of a comment, with @p words.\n") + " */\nint k_use(int a);\n", ""


SHAPES = (
    opaque,
    unfreed,
    pointers,
    named,
    classes,
    methods,
    enums,
    macros,
    blocks,
    patterns,
    gifts,
    families,
    comments,
)


class TestGrowth(Headers):
    def command(self, shape, count):
        header, contracts = shape(count)
        command = [self.write(header), "--name", "k", "--lang", LANGUAGES, "--out", self.folder / "out"]
        if contracts:
            command += ["--contracts", self.write(contracts, "k.contracts")]
        return list(map(str, command))

    def guessing(self, shape, count):
        guesses = self.folder / "guesses"
        guesses.unlink(missing_ok=True)
        return [str(self.write(shape(count)[0])), "--name", "k", "--new-contracts", str(guesses)]

    def instructions(self, command):
        valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", BIND]
        done = subprocess.run(valgrind + command, capture_output=True, text=True)
        self.assertEqual(done.returncode in (0, 1), True, done.stderr[-2000:])
        return int(re.search(r"Collected : (\d+)", done.stderr).group(1))

    def expect_linear(self, command, shape, few, many):
        fewer, more = (self.instructions(command(shape, count)) for count in (few, many))
        self.assertLess(more / fewer, 4.4, f"{fewer:,} instructions for {few}, {more:,} for {many}")

    def test_growth__is_linear_in_functions(self):
        for shape in SHAPES:
            with self.subTest(shape.__name__):
                self.expect_linear(self.command, shape, FEW, MANY)

    def test_growth__of_guesses_is_linear_in_functions(self):
        for shape in (pointers, classes, families, outputs):
            with self.subTest(shape.__name__):
                self.expect_linear(self.guessing, shape, 2 * FEW, 2 * MANY)

    def test_growth__five_thousand_functions_fit_in_a_hundred_megabytes(self):
        self.assertEqual(bind(*self.command(opaque, 2500))[0], 1)  # none is bound
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1e3
        self.assertLess(peak, 100, f"{peak:.0f} MB")


if __name__ == "__main__":
    if not shutil.which("valgrind"):
        print("not run: needs valgrind")
        sys.exit(77)
    unittest.main()
