#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which macros and conditions dlferry-bind follows."""

import unittest

from headers import Headers, bind


class TestMacros(Headers):
    IGNORED = "K_API K_CALL K_IN K_END K_DEPRECATED ARGS K_SIZED".split()

    def test_macros__a_macro_that_holds_the_type_or_the_parameters_gives_them(self):
        flags = [word for name in self.IGNORED for word in ("--ignore-macro", name)]
        for text in (
            "K_API(int) k_f(int a);",
            "extern K_API(int) K_CALL k_f(int a);",
            "K_API int k_f ARGS((int a));",
            'K_DEPRECATED("g instead") K_API(int) k_f(K_IN int a);',
            "int K_CALL(fast) k_f(int a K_SIZED(4));",
            "K_API(pure) int k_f(int a) K_END(1, 2) K_END;",
            "int K_CALL (k_f)(int a);",
            "K_API(\nint\n)\nk_f(int a);",
            "K_API() int k_f(int a);",
        ):
            with self.subTest(text):
                f = self.first("/** Doc. */\n" + text, *flags)
                params = [(p["name"], p["c"]) for p in f["params"]]
                found = (f["name"], f["returns"]["c"], params, f["summary"])
                self.assertEqual(found, ("k_f", "int", [("a", "int")], "Doc."))

    def test_macros__a_macro_that_the_header_defines_is_replaced(self):
        for macros, text in (
            ("#define API(x) __attribute__((visibility(#x)))", "API(default) int k_f(int a);"),
            ("#define END(...) __attribute__((nonnull(__VA_ARGS__)))", "int k_f(int a) END(1, 2);"),
            ("#define END(f, a...) __attribute__((f(0, ## a)))", "int k_f(int a) END(pure) END(cold, 1);"),
            ("#define ARGS(x) x", "int k_f ARGS((int a));"),
            ("#define PASTE(a, b) a ## b", "int PASTE(k_, f)(PASTE(in, t) a);"),
            ("#define EMPTY()\n#define ONE(x)", "int k_f(int a) EMPTY() EMPTY( ) ONE() ONE((x, y))"),
            ("#define EACH(X) X(f, int)\n#define DECLARE(name, T) T k_##name(T a);", "EACH(\n  DECLARE /* , */\n)"),
            ("#define V(a, b) (a * 1'00 + b)\n#if V(1, 2) < 1'02 || !V(1, 1)\n#error\n#endif", "int k_f(int a);"),
            ('int k_f(int a);\n#define k_f(a) k_g(a, "(")', "int (k_f)(int a);"),
            ("#define k_f\n#undef k_f", "int k_f(int a)"),
        ):
            with self.subTest(text):
                f = self.first(f"{macros}\n/** Doc. */\n{text};")
                params = [(p["name"], p["c"]) for p in f["params"]]
                self.assertEqual(
                    (f["name"], f["returns"]["c"], params, f["summary"]), ("k_f", "int", [("a", "int")], "Doc.")
                )

    def test_macros__a_macro_that_grows_without_end_is_refused(self):
        text = "".join(f"#define K{i}(x) K{i + 1}(x x)\n" for i in range(60)) + "K0(int a;)"
        self.assertIn("k.h:61: macros expand without end", bind(self.write(text), "--name", "k", "--ir")[2])

    def test_macros__a_macro_that_is_not_told_is_named(self):
        for text, word in (
            ("K_API(int) k_f(void);", "K_API"),
            ("K_API int k_f(void);", "K_API"),
            ("int K_CALL k_f(void);", "K_CALL"),
            ("k_type K_CALL k_f(void);", "K_CALL"),
            ("K_DECLARE(k_f);", "K_DECLARE"),
            ("K_DECLARE(k_f(int a));", "K_DECLARE"),
            ("K_API k_type *k_f(void);", "K_API"),
            ("K_API k_type k_f(void);", "K_API"),
            ("typedef int k_type; extern k_type K_CALL *k_f(void);", "K_CALL"),
            ("K_BEGIN K_API(int) k_f(int a);", "K_BEGIN"),
            ("typedef void (K_CALL *k_callback)(int a);", "K_CALL"),
            ("int k_f(void) K_END;", "K_END"),
            ("int k_f(void) K_END(1, 2);", "K_END"),
        ):
            with self.subTest(text):
                _, _, said = bind(self.write(text), "--name", "k", "--ir")
                what = "expected ;" if word == "K_END" else f"cannot read what follows `{word}`"
                self.assertIn(f":1: {what} (a macro? try --preprocess or --ignore-macro {word}): ", said)

    def test_macros__conditions_know_where_we_run(self):
        text = "#if !defined(__GNUC__) || !defined(__linux__) || !__LP64__\n#error no\n#endif\n"
        text += "#ifdef NO\n#elifdef __GNUC__\nextern int k_yes;\n#elifndef NO\n#error no\n#else\n#error no\n#endif\n"
        text += "#if defined(__has_this) && __has_this(x)\nint k_no(void);\n#endif\n"
        text += "#if ~0u == 0xffffffffffffffff && -1 < 0x7fffffffffffffff && 1 << 40 && 'a' == '\\141'\nint k_f(void);"
        self.assertEqual(self.first(text + "\n#endif\n")["name"], "k_f")

    def test_macros__a_comment_is_no_part_of_a_constant(self):
        text = (
            "#define K_A 2 /* two */\n#define K_B 3 // three\n#define K_C /* a half */ 0.5\n#define K_D 1 /*+*/ + 2\n"
        )
        ir = self.read(text + "#define K_E 6 / 2 /* of\n   three */\nint k_f(int a);\n")[0]
        values = {constant["name"]: constant["value"] for constant in ir["constants"]}
        self.assertEqual(values, {"K_A": 2, "K_B": 3, "K_C": 0.5, "K_D": 3, "K_E": 3})

    def test_macros__macros_stand_for_what_they_hold(self):
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

    def test_macros__only_the_macro_that_was_told_is_taken_out(self):
        f = self.first("typedef int K_B; K_A K_B k_f(K_B a);", "--ignore-macro", "K_A")
        self.assertEqual([p["scalar"] for p in f["params"]], ["i32"])

    def test_macros__an_include_does_not_say_whose_lines_follow(self):
        ir, said = self.read('#include "a.h"\n#pragma once\n#include "b.h"\n#pragma x "c.h"\nint k_f(int a);')
        self.assertEqual(([(f["name"], f["line"]) for f in ir["functions"]], said), ([("k_f", 5)], ""))

    def test_macros__a_macro_that_is_empty_leaves_the_doc(self):
        for text in ("#define EMPTY\n/** Doc. */ EMPTY int k_f(int a);", "/** Doc. */ K_A int k_f(int a);",
                     '/** Doc. */ extern "C" K_A(int) k_f(int a);'):  # fmt: skip
            self.assertEqual(self.first(text, "--ignore-macro", "K_A")["summary"], "Doc.", text)
        for text in ("/** @cond x */\nint k_f(int a);", "/// \\endcond\nint k_f(int a);"):
            self.assertEqual(self.first(text)["summary"], "", text)

    def test_macros__a_condition_within_one_that_is_on_is_followed(self):
        text = "#if 1\n#if 0\n#elif 1\nint k_f(int a);\n#elif 1\nint k_no(void);\n#endif\n#endif"
        self.assertEqual([f["name"] for f in self.read(text)[0]["functions"]], ["k_f"])

    def test_macros__nested_conditions_that_are_off_stay_off(self):
        inner = "#if 1\nint k_no(void);\n#elif 1\nint k_no(void);\n#else\nint k_no(void);\n#endif\n"
        text = (
            f"#if 0\n{inner}#ifdef X\n#else\nint k_no(void);\n#endif\n#elif 0\n{inner}#else\nint k_f(int a);\n#endif\n"
        )
        self.assertEqual([f["name"] for f in self.read(text)[0]["functions"]], ["k_f"])


if __name__ == "__main__":
    unittest.main()
