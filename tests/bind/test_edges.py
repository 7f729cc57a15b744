#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Edges of what dlferry-bind reads, most of them found by changing its source one place at a time: each test fails for
a change that all others let pass. test_edges.py DLFERRY_BIND
"""

import unittest

from test_bind import Headers, bind

LOST = "a contract that no function has: it stands in a doc comment, /** or ///, just before the function"


class TestDocs(Headers):
    def test_edges__sections_begin_within_a_line(self):
        for comment in (
            "/** Add. @param a the one @param b the other @return the sum @contract a > 0; b > a */",
            "/// Add. \\param a the one \\param[in] b the other\n/// \\returns the sum \\contract a > 0\n"
            "/// @contract b > a",
        ):
            f = self.first(f"{comment}\nint k_f(int a, int b);")
            said = f["summary"], f["description"], [p["doc"] for p in f["params"]], f["returns"]["doc"], f["contract"]
            self.assertEqual(said, ("Add.", "", ["the one", "the other"], "the sum", "a > 0; b > a"))
        f = self.first(
            "/** Add `@param`, x@return and @@contract.\n * @code\n * f(); @return 1\n * @endcode */ int k_f(int a);"
        )
        self.assertEqual((f["summary"], f["contract"]), ("Add `@param`, x@return and @@contract.", ""))
        self.assertIn("@return 1", f["description"])

    def test_edges__a_blank_line_ends_a_section(self):
        f = self.first(
            "/** Add.\n * @param a the one\n *\n * More.\n * @contract a > 0\n *\n * Last. */\nint k_f(int a);"
        )
        self.assertEqual(
            (f["description"], f["params"][0]["doc"], f["contract"]), ("More.\n\nLast.", "the one", "a > 0")
        )

    def test_edges__a_contract_that_no_function_has_is_said(self):
        for text, line in (
            ("/* @contract a > 0 */\nint k_f(int a);", 1),
            ("\n// F. @contract a > 0\nint k_f(int a);", 2),
            ("/** @contract a > 0 */\n#ifdef X\n#endif\nint k_f(int a);", 1),
            ("/** @contract a > 0 */\n/** Other. */\nint k_f(int a);", 1),
            ("/** @contract a > 0 */\nstatic inline int k_g(int a) { return a; }\nint k_f(int a);", 2),
            ("/** @contract a > 0 */\ntypedef int k_int;\nint k_f(int a);", 2),
            ('/** @contract a > 0 */ extern "C" int k_g;\nint k_f(int a);', 1),
            ("/** @contract a > 0 */ struct k_s;\nint k_f(int a);", 1),
            ("/** F. */\nint k_f(int a);\n/** @contract a > 0 */\nint k_f(int a);", 4),
            ("int k_f(int a);\n\n/** \\contract a > 0 */", 3),
        ):
            with self.subTest(text):
                ir, said = self.read(text)
                self.assertRegex(said, rf"^dlferry-bind: .*k\.h:{line}: {LOST}\n$".replace("**", r"\*\*"))
                self.assertEqual(ir["functions"][0]["contract"], "")
                self.assertEqual(bind(self.write(text), "--name", "k", "--ir", "--strict")[0], 1)
        for text in (
            "#if 0\n/* @contract a > 0 */\n/** @contract a > 0 */\n#endif\nint k_f(int a);",
            "/** @file\n * Speaks of @contract x: f32[n]. */\nint k_f(int a);",
            "/* See `@contract`, @contractor. */\nint k_f(int a);",
            '# 1 "k.h"\n# 1 "/x.h" 1\n/* @contract a */ int g(void);\n# 2 "k.h" 2\nint k_f(int a);',
        ):
            with self.subTest(text):
                self.assertEqual(self.read(text)[1], "")
        for text in ("/** @contract a > 0 */\n# 7\nint k_f(int a);", "int k_f(int a); /**< @contract a > 0 */",
                     "/// F.\n/// @contract a > 0\nint k_f(int a), k_g(int a);"):  # fmt: skip
            with self.subTest(text):
                ir, said = self.read(text)
                self.assertEqual((ir["functions"][0]["contract"], said), ("a > 0", ""))

    def test_edges__a_comment_on_any_side_of_an_enumerator_is_its_own(self):
        ir, _ = self.read("enum k_e {\nK_A /**< a */, K_B /*!< b */ = 4,\nK_C = 5 /**< c */, K_D, ///< d\n"
                          "/** e */ K_E, K_F //!< f\n};\n"
                          "struct k_s {\n  int a; /**< x */\n  int b; ///< y\n};\n")  # fmt: skip
        self.assertEqual([v["doc"][:1] for v in ir["enums"][0]["values"]], list("abcdef"))


class TestMacros(Headers):
    def test_edges__macros_stand_for_what_they_hold(self):
        for macros, text in (
            ("#define ARGS(...) __VA_ARGS__", "int k_f(ARGS(int a, int b));"),
            ("#define DECLARE(name, rest...) int name(int a, ## rest)", "DECLARE(k_f, int b);"),
            ("#define DECLARE(name, ...) int name(int a, int b, ## __VA_ARGS__)", "DECLARE(k_f);"),
            ("#define BEGIN(x) extern #x {", "BEGIN(C) int k_f(int a, int b); }"),
            ('#define BEGIN extern "C" {\n#define END }', "BEGIN int k_f(int a, int b); END"),
            ("#define ALL(x) x", 'ALL(int k_f(int a, int b) __asm__("),(\\""));'),
            ("#define ALL(x) x", "ALL(int /*)*/ k_f(int a, //)\n int b));"),
        ):
            with self.subTest(text):
                f = self.first(f"{macros}\n{text}")
                self.assertEqual((f["name"], [p["name"] for p in f["params"]]), ("k_f", ["a", "b"]))

    def test_edges__only_the_macro_that_was_told_is_taken_out(self):
        f = self.first("typedef int K_B; K_A K_B k_f(K_B a);", "--ignore-macro", "K_A")
        self.assertEqual([p["scalar"] for p in f["params"]], ["i32"])

    def test_edges__an_include_does_not_say_whose_lines_follow(self):
        ir, said = self.read('#include "a.h"\n#pragma once\n#include "b.h"\n#pragma x "c.h"\nint k_f(int a);')
        self.assertEqual(([(f["name"], f["line"]) for f in ir["functions"]], said), ([("k_f", 5)], ""))

    def test_edges__a_macro_that_is_empty_leaves_the_doc(self):
        for text in ("#define EMPTY\n/** Doc. */ EMPTY int k_f(int a);", "/** Doc. */ K_A int k_f(int a);",
                     '/** Doc. */ extern "C" K_A(int) k_f(int a);'):  # fmt: skip
            self.assertEqual(self.first(text, "--ignore-macro", "K_A")["summary"], "Doc.", text)
        for text in ("/** @cond x */\nint k_f(int a);", "/// \\endcond\nint k_f(int a);"):
            self.assertEqual(self.first(text)["summary"], "", text)

    def test_edges__a_condition_within_one_that_is_on_is_followed(self):
        text = "#if 1\n#if 0\n#elif 1\nint k_f(int a);\n#elif 1\nint k_no(void);\n#endif\n#endif"
        self.assertEqual([f["name"] for f in self.read(text)[0]["functions"]], ["k_f"])

    def test_edges__nested_conditions_that_are_off_stay_off(self):
        inner = "#if 1\nint k_no(void);\n#elif 1\nint k_no(void);\n#else\nint k_no(void);\n#endif\n"
        text = (
            f"#if 0\n{inner}#ifdef X\n#else\nint k_no(void);\n#endif\n#elif 0\n{inner}#else\nint k_f(int a);\n#endif\n"
        )
        self.assertEqual([f["name"] for f in self.read(text)[0]["functions"]], ["k_f"])


class TestConstants(Headers):
    def test_edges__constants_have_the_types_that_c_gives_them(self):
        cases = {
            "(int)-1 < 0": 1,
            "(k_int)-1 < 0": 1,
            "(k_size)-1 < 0": 0,
            "(long)-1 < 0u": 1,
            "(uint32_t)0x100000005": 5,
            "(int)0x180000001 < 0": 1,
            "0x80000000 > -1": 0,
            "(1 != 1) * 2 + (1 != 2)": 1,
            "2147483648 > -1": 1,
            "0xffffffffffffffff == -1": 1,
            "0x1ffffffff > -1": 1,
            "(1u << 31 << 1) == 0": 1,
            "1 << 31": -(2**31),
            "0x7fffffff << 1": -2,
            "1ll << 63 < 0": 1,
            "'\\n' + '\\''": 49,
            "1e+0 > 0 ? 1 : 2": None,
        }
        for text, value in cases.items():
            with self.subTest(text):
                header = self.write(f"typedef int k_int; typedef size_t k_size; enum k_e {{ K_A = {text} }};")
                status, out, said = bind(header, "--name", "k", "--ir")
                if value is None:
                    self.assertEqual(status, 1, said)
                else:
                    self.assertIn(f'"value": {value},', out, said)

    def test_edges__an_enum_that_holds_too_much_is_passed_over(self):
        for value in ("0xffffffffffffffff", "0x80000000u, K_B = -1", "1ll << 40", "-2147483649ll"):
            _, said = self.read(f"enum k_e {{ K_A = {value} }};\nint k_f(int a);")
            self.assertIn("k.h:1: skipped enum k_e: its values do not fit in 32 bits", said)


class TestRefuses(Headers):
    def test_edges__what_cannot_be_read_is_said(self):
        for text, message in (
            ("int x = 1", "expected ;: end of the header"),
            ("enum e { A B };", "expected , or } in an enum: B } ;"),
            ("enum e { A = 0x7fffffffffffffff, B };", "value of an enumerator does not fit: B } ;"),
            ("enum e { A = (-0x7fffffffffffffff - 1) / -1 };", "value of an enumerator: does not fit: "),
            ("enum e { A = 9223372036854775808 };", "value of an enumerator: number too large: "),
            ("enum e { A = '\\q' };", "value of an enumerator: character not understood: "),
            ("enum e { A = 2 << 31 };", "value of an enumerator: does not fit: "),
            ("enum e { A = 1 << 32 };", "value of an enumerator: does not fit: "),
            ("enum e { A = -1 << 1 };", "value of an enumerator: does not fit: "),
            ("enum;", "expected a name or { after enum: ;"),
            ("struct;", "expected a name or { after struct: ;"),
            ("#if defined(\n#endif", "cannot read what follows `defined`"),
            ("#if defined(A\n#endif", "cannot read what follows `defined`"),
            ("#if defined 3 + \n#endif", "#if: "),
        ):
            with self.subTest(text):
                status, out, said = bind(self.write(text), "--name", "k", "--ir")
                self.assertEqual((status, out), (1, ""))
                self.assertIn(f"k.h:1: {message}", said)

    def test_edges__text_that_is_not_utf_8_is_refused_byte_by_byte(self):
        good = (b"\x7f", b"\xc2\x80", b"\xdf\xbf", b"\xe0\xa0\x80", b"\xed\x9f\xbf", b"\xee\x80\x80",
                b"\xf0\x90\x80\x80", b"\xf4\x8f\xbf\xbf")  # fmt: skip
        bad = (b"\x80", b"\xbf", b"\xc0\x80", b"\xc1\xbf", b"\xe0\x9f\xbf", b"\xed\xa0\x80", b"\xf0\x8f\xbf\xbf",
               b"\xf4\x90\x80\x80", b"\xf5\x80\x80\x80", b"\xff", b"\xc2", b"\xe1\x80", b"\xf1\x80\x80",
               b"\0")  # fmt: skip
        for text in good + bad:
            with self.subTest(text):
                status, _, said = bind(self.write(b"\n// " + text + b" */\nint k_f(int a);"), "--name", "k", "--ir")
                self.assertEqual((status, "k.h:2: not UTF-8 text" in said), (1, True) if text in bad else (0, False))

        for text in (b"int f(void);\n// \xe2\x82", b"int f(void);\n\xc2", b"\n\0"):  # the text ends too soon
            self.assertIn("k.h:2: not UTF-8 text", bind(self.write(text), "--name", "k", "--ir")[2])

    def test_edges__names_that_hide_others_are_passed_over(self):
        for name in ("k_f", "dlf", "dlf_values", "error"):
            self.assertIn("hide another", self.first(f"int k_f(int {name});")["unbound"])

    def test_edges__tables_keep_what_they_hold_when_they_grow(self):
        types = "".join(f"typedef int k_t{i};\n#define K_M{i} k_t{i}\n" for i in range(600))
        values = ", ".join(f"K_V{i} = {i}" for i in range(70))
        params = ", ".join(f"k_t{i} a{i}" for i in range(40))
        ir, _ = self.read(f"{types}enum k_e {{ {values} }};\nK_M0 k_f({params}, const double v[K_V3]);")
        f = ir["functions"][0]
        self.assertEqual([p["scalar"] for p in f["params"]], ["i32"] * 40 + ["f64"])
        self.assertEqual([p["name"] for p in f["params"]][:40], [f"a{i}" for i in range(40)])
        self.assertEqual(
            [(v["name"], v["value"]) for v in ir["enums"][0]["values"]], [(f"K_V{i}", i) for i in range(70)]
        )

    def test_edges__a_strange_value_of_an_included_header_is_stepped_over(self):
        text = (
            '# 1 "k.h"\n# 1 "/x.h" 1\nenum y { Y = 2 * (what[3], 4) + nobody, Z = 3 };\n# 2 "k.h" 2\nint k_f(int a[Z]);'
        )
        self.assertEqual(self.read(text)[0]["functions"][0]["name"], "k_f")


class TestNothingWritten(Headers):
    def test_edges__a_header_without_functions_is_an_error(self):
        header = self.write("typedef enum k_e { K_A } k_e;\nvoid k_f(int x, ...);")
        self.assertEqual(bind(header, "--name", "k", "--ir")[0], 0)
        status, _, said = bind(header, "--name", "k", "--lang", "python", "--out", self.folder)
        self.assertEqual(status, 1)
        self.assertIn("k.h: no function that can be bound\n", said)

    def test_edges__what_cannot_be_written_is_an_error(self):
        header = self.write("int k_f(int x);")
        status, _, said = bind(header, "--name", "k", "--out", header / "below")
        self.assertEqual(status, 1)
        self.assertIn("cannot write", said)


if __name__ == "__main__":
    unittest.main()
