#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""--diff: each change of a header that breaks its users is a sentence, and others are counted apart."""

import unittest

from headers import Headers, bind

OLD = """#define K_LIMIT 4
#define K_SCALE 1.5
typedef struct k_box k_box;
typedef struct k_bag k_bag;
typedef struct k_set { int level; double scale; char name[8]; void (*call)(int a); } k_set;
enum k_mode { K_FAST, K_EXACT = 2 };
enum { K_NAMELESS = 1 };
k_box *k_box_new(int a);
void k_box_free(k_box *box);
int k_box_value(const k_box *box);
int k_plus(int a, int b);
double k_sum(const double *x, int n);
double k_turn(double *x, int n);
const char *k_text(enum k_mode mode);
int k_sort(int (*compare)(int a, int b), double m[3]);
int k_print(const char *format, ...);
"""
CONTRACTS = """k_sum { x: f64[n]; n := n }
k_turn { x: inout f64[n]; n := n }
k_p* { b > 0 }
"""
# A change of the old header, what it says, and whom it breaks.
BREAKS = [
    ("int k_plus(int a, int b);\n", "", "k_plus: the function is gone", "source, ABI"),
    ("k_plus(int a, int b)", "k_plus(int a, int b, int c)", "k_plus: it has a new parameter, `int c`", "source, ABI"),
    ("k_plus(int a, int b)", "k_plus(int b)", "k_plus: the parameter `int a` is gone", "source, ABI"),
    ("k_plus(int a, int b)", "k_plus(int a, long b)", "k_plus: a parameter is `long b`, was `int b`", "source, ABI"),
    (
        "k_plus(int a, int b)",
        "k_plus(int b, int a)",
        "k_plus: its parameters have another order: b, a; it was a, b",
        "source, ABI",
    ),
    (
        "k_plus(int a, int b)",
        "k_plus(int a, int c)",
        "k_plus: a parameter is called c, was b: clauses and Python's callers name it",
        "contract",
    ),
    ("int k_plus", "long k_plus", "k_plus: it returns `long`, was `int`", "source, ABI"),
    ("int k_plus", "void k_plus", "k_plus: it returns `void`, was `int`", "source, ABI"),
    (
        "k_plus(int a, int b)",
        "k_plus(int a, int b, ...)",
        "k_plus: it takes a variable number of arguments now",
        "source, ABI",
    ),
    (", ...)", ")", "k_print: it takes no variable number of arguments any more", "source, ABI"),
    ("k_sum(const double *x", "k_sum(double *x", "k_sum: a parameter is `double *x`, was `const double *x`", "source"),
    (
        "k_sum(const double *x",
        "k_sum(const float *x",
        "k_sum: a parameter is `const float *x`, was `const double *x`",
        "source",
    ),
    (
        "const k_box *box",
        "const k_bag *box",
        "k_box_value: a parameter is `const k_bag *box`, was `const k_box *box`",
        "source",
    ),
    (
        "(int a, int b), d",
        "(int a, long b), d",
        "k_sort: a parameter is `int (*compare)(int a, long b)`, was `int (*compare)(int a, int b)`",
        "source, ABI",
    ),
    ("m[3]", "m[4]", "k_sort: a parameter is `double m[4]`, was `double m[3]`", "ABI"),
    ("enum k_mode mode", "int mode", "k_text: a parameter is `int mode`, was `enum k_mode mode`", "source"),
    ("K_EXACT = 2", "K_EXACT = 3", "enum k_mode: K_EXACT is 3, was 2", "ABI"),
    (", K_EXACT = 2", "", "enum k_mode: K_EXACT is gone", "source"),
    ("K_NAMELESS = 1", "K_NAMELESS = 2", "K_NAMELESS is 2, was 1", "ABI"),
    ("K_LIMIT 4", "K_LIMIT 5", "the macro K_LIMIT is 5, was 4", "ABI"),
    ("K_SCALE 1.5", "K_SCALE 2.5", "the macro K_SCALE is 2.5, was 1.5", "ABI"),
    ("int level; ", "", "struct k_set: the field `int level` is gone", "source, ABI"),
    ("int level;", "long level;", "struct k_set: a field is `long level`, was `int level`", "source, ABI"),
    ("int level;", "int level; int more;", "struct k_set: it has a new field, `int more`", "ABI"),
    ("int level; double scale;", "double scale; int level;", "struct k_set: its fields have another order", "ABI"),
    ("name[8]", "name[9]", "struct k_set: a field is `char name[9]`, was `char name[8]`", "ABI"),
    (
        "call)(int a)",
        "call)(long a)",
        "struct k_set: a field is `void (*call)(long a)`, was `void (*call)(int a)`",
        "source, ABI",
    ),
    ("int level;", "int level : 3;", "struct k_set: the field level is a bit-field now", "ABI"),
    ("typedef struct k_bag k_bag;\n", "", "struct k_bag is gone", "source"),
    ("struct k_set {", "struct k_set k_set; struct other {", "struct k_set: its fields are hidden now", "source, ABI"),
    ("#define K_LIMIT 4\n", "", "the macro K_LIMIT is gone or no number any more", "source"),
]
BREAKS_OF_CONTRACTS = [
    ("double k_sum(const double *x, int n);\n", "", "k_sum: the header has no such function"),
    ("k_sum(const double *x", "k_sum(const float *x", "sum: x: the contract says f64, C says float"),
    ("k_turn(double *x", "k_turn(const double *x", "turn: x: C's pointer is const, so it is not written"),
    (
        "const char *k_text",
        "char *k_text",
        "k_text: it was bound, and is left out: its result: the type `char *` is not bound",
    ),
    ("int k_plus(int a, int b)", "int k_plus(int a, void *b)", "k_plus: it was bound, and is left out: "),
    (
        "k_box_value(const k_box *box)",
        "k_box_value(int box)",
        "k_box_value: callers find it as box_value, was box.value",
    ),
]
COMPATIBLE = [
    ("struct k_bag k_bag;", "struct k_bag { int a; } k_bag;", "struct k_bag: its fields are public now"),
    (OLD, OLD + "int k_new(void);\n", "k_new: a new function"),
    ("K_EXACT = 2", "K_EXACT = 2, K_SLOW", "enum k_mode: K_SLOW is new"),
    ("#define K_LIMIT 4", "#define K_LIMIT 4\n#define K_MORE 5", "the macro K_MORE is new"),
    ("k_turn(double *x", "k_turn(const double *x", "k_turn: a parameter is `const double *x`, was `double *x`"),
    ("void k_box_free", "int k_box_free", "k_box_free: it returns `int`, was `void`"),
]


class TestDiff(Headers):
    def diff(self, old, new, *options):
        self.assertTrue(new != old or not options)
        status, out, said = bind("--diff", self.write(old, "old.h"), self.write(new, "new.h"), *options)
        self.assertEqual(said, "")
        return status, out

    def changed(self, old, new):
        self.assertEqual(OLD.count(old), 1, old)
        return OLD.replace(old, new)

    def test_diff__each_kind_of_break_has_its_sentence(self):
        for old, new, sentence, effects in BREAKS:
            with self.subTest(sentence):
                status, out = self.diff(OLD, self.changed(old, new))
                self.assertEqual(status, 1)
                self.assertRegex(out, r"\A[12] breaks?\n")
                self.assertRegex(out, r"(old|new)\.h:\d+: ")
                self.assertIn(f": {sentence} ({effects})\n", out)

    def test_diff__clauses_that_suit_nothing_any_more(self):
        contracts = self.write(CONTRACTS, "k.contracts")
        for old, new, sentence in BREAKS_OF_CONTRACTS:
            with self.subTest(sentence):
                status, out = self.diff(OLD, self.changed(old, new), "--name", "k", "--contracts", contracts)
                self.assertEqual(status, 1)
                line = next((line for line in out.split("\n") if f": {sentence}" in line), out)
                self.assertTrue(line.endswith(" (contract)"), line)

    def test_diff__what_the_file_never_suited_is_no_break(self):
        contracts = self.write(CONTRACTS + "k_absent { a > 0 }\n", "k.contracts")
        status, out = self.diff(OLD, OLD + "int k_new(void);\n", "--name", "k", "--contracts", contracts)
        self.assertEqual(status, 0, out)

    def test_diff__compatible_changes_are_counted_apart(self):
        for old, new, sentence in COMPATIBLE:
            with self.subTest(sentence):
                status, out = self.diff(OLD, self.changed(old, new))
                self.assertEqual(status, 0, out)
                self.assertTrue(out.startswith("0 breaks\n1 compatible change\n"), out)
                self.assertIn(f": {sentence}\n", out)

    def test_diff__other_words_for_the_same_types(self):
        new = OLD.replace("int k_plus(int a, int b)", "typedef int k_int;\nsigned k_plus(k_int a, signed int b)")
        self.assertEqual(self.diff(OLD, new), (0, "0 breaks\n0 compatible changes\n"))

    def test_diff__several_headers_and_the_preprocessor(self):
        for name, text in (("old/part.h", "typedef int k_id;\n"), ("new/part.h", "typedef long k_id;\n")):
            (self.folder / name).parent.mkdir(exist_ok=True)
            self.write(text, name)
        header = "#include <part.h>\nint k_find(k_id id);\n"
        old, new = self.write(header, "old/k.h"), self.write(header, "new/k.h")
        other = self.write("int k_other(void);\n", "other.h")
        folders = ["-I", self.folder / "new", "--old-folder", self.folder / "old"]
        status, out, said = bind("--diff", old, "--diff", other, new, other, "--preprocess", *folders)
        self.assertEqual((status, said), (1, ""))
        self.assertIn("k_find: a parameter is `k_id id`, i64, was i32 (source, ABI)", out)
        status, out, _ = bind("--diff", old, "--diff", other, new, other, "--preprocess", *folders[:2])
        self.assertEqual((status, out), (0, "0 breaks\n0 compatible changes\n"))

    def test_diff__enums_of_an_included_file(self):
        for name, values in (("old/part.h", "K_A, K_B, K_C"), ("new/part.h", "K_A, K_C")):
            (self.folder / name).parent.mkdir(exist_ok=True)
            self.write(f"\n\nenum k_order {{ {values} }};\n", name)
        header = '#include "part.h"\nint k_sort(enum k_order order);\n'
        old, new = self.write(header, "old/k.h"), self.write(header, "new/k.h")
        status, out, said = bind("--diff", old, new, "--preprocess")
        self.assertEqual((status, said), (1, ""))
        self.assertIn("old/part.h:3: enum k_order: K_B is gone (source)\n", out)
        self.assertIn("new/part.h:3: enum k_order: K_C is 1, was 2 (ABI)\n", out)

    def test_diff__what_cannot_be_read(self):
        good, bad = self.write(OLD, "new.h"), self.write("int x(", "bad.h")
        contracts = self.write("k_sum {", "k.contracts")
        for words in (["--diff", "absent.h", good], ["--diff", good, bad], ["--diff", bad, good]):
            status, out, said = bind(*words)
            self.assertEqual((status, out), (2, ""))
            self.assertTrue(said.startswith("dlferry-bind: "), said)
        status, _, said = bind("--diff", good, good, "--contracts", contracts)
        self.assertEqual(status, 2)
        self.assertIn("k.contracts:1", said)
        status, _, said = bind("--diff", good, good, "--old-folder", self.folder)
        self.assertEqual(status, 2)
        self.assertIn("--old-folder: expected --diff and --preprocess", said)


if __name__ == "__main__":
    unittest.main()
