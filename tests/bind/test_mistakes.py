#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Mistakes of authors that could pass without a word: each is an error, or a line that --strict makes an error."""

import unittest

from headers import Headers, bind


class TestMistakes(Headers):
    def strict(self, text, contracts=None, *options):
        """The status of the command under --strict, and its lines."""
        options = ["--strict", *options]
        if contracts is not None:
            options += ["--contracts", self.write(contracts, "k.contracts")]
        status, _, said = bind(self.write(text), "--name", "k", "--ir", *options, cwd=self.folder)
        return status, said.replace(str(self.folder) + "/", "").replace("dlferry-bind: ", "").splitlines()

    def test_mistakes__no_program_has_numbers_of_other_widths(self):
        for clause, place, said in (
            ("x: f32|f65[n]", 22, "expected a dtype, did you mean f64, got `f65`"),
            ("x: T[n]; T in f32|f65", 33, "expected a dtype, did you mean f64, got `f65`"),
            ("x: u13_x2[n]", 18, "expected a dtype, did you mean u16_x2, got `u13_x2`"),
            ("x: c24[n]", 18, "expected a dtype, did you mean c32, got `c24`"),
            ("x: f4[n]", 18, "expected a dtype, did you mean f32, got `f4`"),
            ("x: f8[n]", 18, "expected a dtype, did you mean f64, got `f8`"),
            ("x: f32[n]; n := dtype(x) {f32: 1, f65: 2}", 49, "expected a dtype, did you mean f64, got `f65`"),
        ):
            with self.subTest(clause):
                status, lines = self.strict(f"/** @contract {clause} */\nvoid k_f(const DLTensor *x, int n);")
                self.assertEqual((status, lines), (1, [f"k.h:1:{place}: f: contract: {said}"]))
        for dtype in ("i1", "u2", "i4", "u128", "f16", "f128", "bf16", "c32", "c128", "bool", "f6_e2m3fn", "f32_x3"):
            with self.subTest(dtype):
                status, lines = self.strict(f"/** @contract x: {dtype}[n] */\nvoid k_f(const DLTensor *x);")
                self.assertEqual((status, lines), (0, []))

    def test_mistakes__a_command_one_letter_from_contract(self):
        for word in ("@contrcat", "@contracts", "@contrac", "@kontract", "@Contract", "\\contarct"):
            with self.subTest(word):
                text = f"/** Do.\n *   {word} x: f32[n] */\nvoid k_f(const DLTensor *x);"
                status, lines = self.strict(text)
                self.assertEqual(status, 1)
                self.assertEqual(lines[0], f"k.h:2:6: no command is called `{word}`: did you mean `@contract`?")
                self.assertEqual(bind(self.write(text), "--name", "k", "--ir")[0], 0)
        for words in ("@contact the author", "me@contrat.org", "@contrast of an image", "contrcat"):
            with self.subTest(words):
                status, lines = self.strict(f"/** Do {words}\n */\nvoid k_f(const DLTensor *x);")
                self.assertEqual((status, lines), (0, []))

    def test_mistakes__functions_of_clauses_are_declared(self):
        text = "/** @contract return: status text k_tex */\nint k_f(int a);\nconst char *k_text(int code);"
        remedy = "if it is of another library, declare it in a header that you give"
        said = f"k.h:1:30: f: `text k_tex`: no header declares k_tex: {remedy}"
        self.assertEqual(self.strict(text), (1, [said]))
        gives = "/** @contract x: gives f32[len] freed k_nope */\nvoid k_f(float **x, int *len);"
        said = f"k.h:1:33: f: `freed k_nope`: no header declares k_nope: {remedy}"
        self.assertEqual(self.strict(gives), (1, [said]))
        self.assertEqual(self.strict(gives.replace("k_nope", "free")), (0, []))
        self.write("const char *k_tex(int code);\nvoid k_nope(void *memory);\n", "other.h")
        for other in (text, gives):
            self.assertEqual(self.strict('#include "other.h"\n' + other, None, "--preprocess"), (0, []))

    def test_mistakes__what_frees_memory_takes_it(self):
        text = "{declared}\n/** @contract x: gives f32[len] freed k_drop */\nvoid k_f(float **x, int *len);"
        for declared in ("void k_drop(float *x);", "int k_drop(void *x);", "void k_drop(const char *x);"):
            with self.subTest(declared):
                self.assertEqual(self.strict(text.replace("{declared}", declared)), (0, []))
        said = "k.h:2:33: f: `freed k_drop`: expected a function that takes the memory"
        for declared in ("void k_drop(int x);", "void k_drop(double *x);", "void k_drop(float **x);"):
            with self.subTest(declared):
                self.assertEqual(self.strict(text.replace("{declared}", declared)), (1, [said]))
        pots = "typedef struct k_pot k_pot;\nk_pot *k_pot_new(void);\nvoid k_pot_free(k_pot *pot);\n"
        text = text.replace("k_drop", "k_drop(pot)").replace("float **x", "k_pot *pot, float **x")
        for declared in ("void k_drop(k_pot *pot, float *x);", "void k_drop(void *x, k_pot *pot);"):
            with self.subTest(declared):
                self.assertEqual(self.strict(pots + text.replace("{declared}", declared)), (0, []))
        said = "k.h:5:33: f: `freed k_drop`: expected a function that takes the memory and the handle"
        for declared in ("void k_drop(k_pot *pot, int x);", "void k_drop(void *x, int pot);"):
            with self.subTest(declared):
                self.assertEqual(self.strict(pots + text.replace("{declared}", declared)), (1, [said]))

    def test_mistakes__numbers_that_no_call_can_have(self):
        for clause, place, said in (
            ("x: f32[-1]", 22, "contract: x: extent `-1`: expected 0 to 999999999999999"),
            ("x: f32[n, 3 - 4]", 25, "contract: x: extent `3-4`: expected 0 to 999999999999999"),
            (
                "x: f32[9999999999999999]",
                22,
                "contract: x: extent `9999999999999999`: expected 0 to 999999999999999",
            ),
            ("n := 99999999999", 20, "n: `99999999999` does not fit in int32_t"),
            ("n := 65536 * 65536", 20, "n: `65536*65536` does not fit in int32_t"),
            ("u := 0 - 1", 20, "u: `0-1` does not fit in uint8_t"),
        ):
            with self.subTest(clause):
                text = f"/** @contract {clause} */\nvoid k_f(const DLTensor *x, int n, unsigned char u);"
                self.assertEqual(self.strict(text), (1, [f"k.h:1:{place}: f: {said}"]))

    def test_mistakes__strict_counts_functions_that_lack_a_contract(self):
        text = "int k_f(int a);\nint k_g(double *x);\nvoid k_h(double *x);"
        said = (
            "a pointer to a number may be an array: write `x: out` in its contract if it is one number, else the dtype "
            "and extents of a tensor"
        )
        lines = [f"k.h:{2 + i}: skipped {name}: x: {said}" for i, name in enumerate(("k_g", "k_h"))]
        strict = "2 declarations are not bound, and --strict is given"
        self.assertEqual(self.strict(text, "k_f { }"), (1, [*lines, strict]))
        self.assertEqual(self.strict(text, "k_f { }\nk_g { hide }\nk_h { x: out }"), (0, []))

    def test_mistakes__every_says_which_texts_may_be_absent(self):
        text = "int k_f(int a);\nconst char *k_g(int a);\nvoid k_h(int a);"
        self.assertEqual(self.strict(text, "every k_* { return: opt }"), (0, []))
        said = "k.contracts:1:13: every k_*: `return: opt` suits none of its functions: "
        status, lines = self.strict("int k_f(int a);", "every k_* { return: opt }")
        self.assertEqual((status, lines[0][: len(said)]), (1, said))

    def test_mistakes__what_is_not_bound_says_which_clause_binds_it(self):
        write = "no clause tells what it points to: write `x: {}` for a tensor"
        for declared, said in (
            ("int k_f(double x[3]);", write.format("inout f64[3]")),
            ("int k_f(void *x);", write.format("inout any[...]")),
            ("int k_f(const void *x);", write.format("any[...]")),
            ("int k_f(enum { K_A = 4 } x);", "an enum without a name: give it one in the header"),
        ):
            with self.subTest(declared):
                status, lines = self.strict(declared)
                self.assertEqual((status, lines[0]), (1, f"k.h:1: skipped k_f: x: {said}"))
        status, lines = self.strict("enum k_e { K_A = INT_MAX };")
        self.assertEqual(status, 1)
        self.assertIn("uses a name without a known value; try --preprocess if an included header has it: ", lines[0])

    def test_mistakes__a_place_is_null_or_has_a_number(self):
        for clause in ("b := 3", "b := n", "b := true"):
            with self.subTest(clause):
                text = f"/** @contract {clause} */\nint k_f(bool *b, int n);"
                said = f"k.h:1:20: f: b: `{clause[5:]}`: C writes there: expected `b := NULL`, or `b: inout` for a"
                self.assertIn(said, self.strict(text)[1][0])
        self.assertEqual(self.strict("/** @contract b := NULL */\nint k_f(bool *b, int n);"), (0, []))

    def test_mistakes__c_knows_how_many_axes_there_are(self):
        function = "int k_f(const DLTensor *x, const DLTensor *y, const size_t count[2], const size_t *steps);"
        clauses = "y: f32[a, max(a, 2)]; steps := strides(y)"
        for clause in ("", "x: f32[...]", "x: f32[n, ..., 2]", "y: f32[n]; x: like y", "x: f32[n]", "x: f32[n, 2, 3]"):
            with self.subTest(clause):
                begin = f"{clause}; " if clause else ""
                rest = "steps := strides(y)" if "y:" in clause else clauses
                text = f"/** @contract {begin}{rest}; count := shape(x) */\n{function}"
                said = "f: count: `shape(x)`: C must know how many axes x has: write the array"
                self.assertIn(said, "\n".join(self.strict(text)[1]))
        text = f"/** @contract x: f32[n, (n + 1)]; {clauses}; count := shape(x) */\n{function}"
        self.assertEqual(self.strict(text), (0, []))

    def test_mistakes__a_const_field_is_not_set(self):
        text = "typedef struct k_s { int a; const int b; } k_s;\nint k_f(const k_s *s);"
        self.assertIn("its field `b` is const: write `struct k_s { hide b }`", self.strict(text, "k_f { s: in }")[1][0])
        self.assertEqual(self.strict(text, "struct k_s { hide b }\nk_f { s: in }"), (0, []))

    def test_mistakes__a_struct_has_one_text(self):
        text = "typedef struct k_s { char *a, *b; } k_s;\nvoid k_end(k_s *s);\nint k_f(k_s *out);"
        for again in ("text b", "cleared k_end"):
            with self.subTest(again):
                contracts = f"struct k_s {{ text a; cleared k_end; {again} }}\nk_f {{ out: out text }}"
                said = f"struct k_s: expected `{again.split()[0]}` once"
                self.assertIn(said, self.strict(text, contracts)[1][0])

    def test_mistakes__what_is_taken_takes_nothing(self):
        names = ("k_a", "k_b", "k_c")
        types = "".join(f"typedef struct {n} {n};\nvoid {n}_free({n} *x);\n{n} *{n}_new(void);\n" for n in names)
        contracts = "k_f { takes a in b;  takes b in c }"
        said = "f: `takes a in b`: expected an object that the call does not take itself"
        self.assertIn(said, self.strict(f"{types}int k_f(k_a *a, k_b *b, k_c *c);", contracts)[1][0])

    def test_mistakes__defaults_take_negative_numbers(self):
        text = "typedef struct k_s { int a; } k_s;\nvoid k_init(k_s *s, int v);\nint k_f(k_s s);"
        hidden = "k_init { hide }\nk_f { }"
        self.assertEqual(self.strict(text, f"struct k_s {{ defaults k_init(_, -1) }}\n{hidden}"), (0, []))
        self.assertEqual(self.strict(text, f"struct k_s {{ defaults k_init(_, - -1) }}\n{hidden}")[0], 1)

    def test_mistakes__one_struct_carries_one_text(self):
        text = "typedef struct k_s { char *a; } k_s;\nvoid k_end(k_s *s);\nint k_f(k_s *out);"
        contracts = "struct k_s { text a; cleared k_end }\nk_f { out: out text;  out: out text }"
        self.assertEqual(self.strict(text, contracts)[0], 1)

    def test_mistakes__one_mistake_is_one_message(self):
        text = '/** @contract s = "' + "\\\\" * 4 + '" */\nint k_f(const char *s);'
        said = "k.h:1:15: f: default of s: only plain ASCII without \\ and $ is supported"
        self.assertEqual(self.strict(text), (1, [said]))

    def test_mistakes__no_type_of_objects_is_needed_to_report_one(self):
        header = "typedef struct k_box { int n; } k_box;\nint k_sum(const k_box *box, int n);\n"
        status, lines = self.strict(header, "k_sum { box := n;  n = = 3 }")
        said = "k.contracts:1:24: sum: contract: expected a number, got `= 3`"
        self.assertEqual((status, lines[0]), (1, said))

    def test_mistakes__what_is_large_without_end_takes_no_minutes(self):
        text = "int k_f(" + ", ".join(f"int a{i}" for i in range(50000)) + ");\nint k_g(int a);"
        said = "k.h:1: skipped k_f: more than 4096 parameters are not bound"
        self.assertEqual(self.strict(text)[1][0], said)
        chain = "".join(f"typedef t{i} *t{i + 1};\n" for i in range(100000))
        status, said = self.strict(f"typedef struct k_s *t0;\n{chain}int k_f(t100000 x);\nint k_g(int a);")
        self.assertEqual((status, said[0].split(": x: ")[0]), (1, "k.h:100002: skipped k_f"))

    def test_mistakes__a_file_of_contracts_is_text(self):
        said = "k.contracts:2: not UTF-8 text"
        self.assertEqual(self.strict("int k_f(int a);", "k_f { }\n\0k_none { }"), (1, [said]))
        self.assertEqual(self.strict("int k_f(int a);", b"k_f { }\n# \xff\n"), (1, [said]))

    def test_mistakes__each_integer_macro_is_a_constant_or_a_line(self):
        text = (
            "enum k_e { K_X = 3 };\n#define K_ONE 1\n#define K_TWO (K_X + K_ONE)\n#define K_SAME K_X\n"
            "#define K_LETTER 'a' /* of a mode */\n#define K_END ('\\n')\n#define K_API extern\n#define K_F k_f\n"
            "#define K_SHIFT (1 << K_X | 0x10)\n#define K_WIDE 0xffffffffffffffffull\nint k_f(int a);"
        )
        ir, said = self.read(text, "--prefix", "k_")
        said = said.replace(str(self.folder) + "/", "")
        constants = {c["name"]: int(c["value"]) for c in ir["constants"]}
        wanted = {"K_ONE": 1, "K_TWO": 4, "K_SAME": 3, "K_LETTER": 97, "K_END": 10, "K_SHIFT": 24}
        self.assertEqual(constants, wanted)
        line = "dlferry-bind: k.h:10: K_WIDE is no constant of the packages: it does not fit in 63 bits\n"
        self.assertEqual(said, line)
        self.assertEqual(self.strict(text + "\n/** @contract a := K_TWO */\nint k_g(int a);")[0], 0)


if __name__ == "__main__":
    unittest.main()
