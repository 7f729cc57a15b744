#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""dlferry-bind finds the documentation of a declaration, and its contract."""

import unittest

from headers import Headers, bind


class TestComments(Headers):
    def doc(self, text):
        f = self.first(text)
        return f["summary"], f["description"], f["returns"]["doc"], [p["doc"] for p in f["params"]]

    def test_docs__every_style_says_the_same(self):
        wanted = ("Sum of two.", "", "", [""])
        for comment in (
            "/** Sum of two. */",
            "/*! Sum of two. */",
            "/// Sum of two.",
            "//! Sum of two.",
            "/**\n * Sum of\n * two.\n */",
            "/**\n ** Sum of two.\n **/",
            "/// Sum\n/// of two.",
            "/** Sum of two. */ /* a note */",
            "//! Sum of\n//! two.\n",
            "/** @brief Sum of two. */",
            "/** \\brief Sum\n    of two. */",
        ):
            with self.subTest(comment):
                self.assertEqual(self.doc(f"{comment}\nint k_f(int a);"), wanted)

    def test_docs__trailing_comments_belong_to_what_is_before(self):
        for comment in ("/**< Sum of two. */", "/*!< Sum of two. */", "///< Sum of two.", "//!< Sum of\n//!< two."):
            with self.subTest(comment):
                ir, _ = self.read(f"int k_f(int a); {comment}\nint k_g(int b);\nenum k_e {{ K_A, {comment}\nK_B }};")
                self.assertEqual([f["summary"] for f in ir["functions"]], ["Sum of two.", ""])
                self.assertEqual([v["doc"] for v in ir["enums"][0]["values"]], ["Sum of two.", ""])
                f = self.first(f"int k_f(int a, {comment}\n int b {comment}\n);")
                self.assertEqual([p["doc"] for p in f["params"]], ["Sum of two.", "Sum of two."])

    def test_docs__other_comments_are_no_docs(self):
        for comment in (
            "/* no */",
            "// no",
            "/*** no ***/",
            "//// no",
            "/**/",
            "/***/",
            "/** @file k.h */",
            "/** @defgroup g G\n * @{ */",
            "/** @name Names */\n/** @{ */",
            "/** @} */",
            "/** Doc of the macro. */\n#define K_X 1",
            "/** Doc of g. */ void k_g(void);",
        ):
            with self.subTest(comment):
                ir, _ = self.read(f"{comment}\nint k_f(int a);")
                self.assertEqual([f["summary"] for f in ir["functions"] if f["name"] == "k_f"], [""])

    def test_docs__what_some_compiler_refuses_in_a_comment_leaves_it(self):
        said = self.doc(
            "/** A\ufeff b\u202e\u2066 c\u2028\u0085\x01\x7f d\u00a0e\u3000\n *  f\u00a0\u202d \u200a@n g\u2009 \n"
            " * @return h\u00a0 */\nint k_f(int a);"
        )
        self.assertEqual(said, ("A b c d e f g", "", "h", [""]))

    def test_docs__commands_become_text(self):
        said = self.doc(
            "/** Use @p a, \\b bold and @c code(). More.\n * @par Hint\n * Text.\n * @li one\n * @deprecated Use g.\n"
            " * @code{.c}\n *  f(1);\n * @endcode\n * @param[in,out] a,b both\n * @retval 0 fine\n * @fn k_f */\n"
            "int k_f(int a, int b);"
        )
        self.assertEqual(said[0], "Use `a`, `bold` and `code`().")
        self.assertEqual(said[1], "More.\nHint\nText.\n- one\n```text\n f(1);\n```")
        self.assertEqual(said[2:], ("0 fine", ["both", "both"]))


LOST = "no function has this contract: write it in a doc comment, /** or ///, just before the function"


class TestDocs(Headers):
    def test_docs__sections_begin_within_a_line(self):
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

    def test_docs__a_blank_line_ends_a_section(self):
        f = self.first(
            "/** Add.\n * @param a the one\n *\n * More.\n * @contract a > 0\n *\n * Last. */\nint k_f(int a);"
        )
        self.assertEqual(
            (f["description"], f["params"][0]["doc"], f["contract"]), ("More.\n\nLast.", "the one", "a > 0")
        )

    def test_docs__a_contract_that_no_function_has_is_said(self):
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

    def test_docs__a_comment_on_any_side_of_an_enumerator_is_its_own(self):
        ir, _ = self.read("enum k_e {\nK_A /**< a */, K_B /*!< b */ = 4,\nK_C = 5 /**< c */, K_D, ///< d\n"
                          "/** e */ K_E, K_F //!< f\n};\n"
                          "struct k_s {\n  int a; /**< x */\n  int b; ///< y\n};\n")  # fmt: skip
        self.assertEqual([v["doc"][:1] for v in ir["enums"][0]["values"]], list("abcdef"))


if __name__ == "__main__":
    unittest.main()
