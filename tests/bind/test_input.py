#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What dlferry-bind reads of C and of Doxygen, one construct a test. test_input.py DLFERRY_BIND

input.h has most of them in one header, which oracle.py compares with libclang; here is what needs an option, what is
refused, and what libclang does not know.
"""

import unittest

from test_bind import HERE, Headers, bind


class TestComments(Headers):
    def doc(self, text):
        f = self.first(text)
        return f["summary"], f["description"], f["returns"]["doc"], [p["doc"] for p in f["params"]]

    def test_input__every_style_says_the_same(self):
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

    def test_input__trailing_comments_belong_to_what_is_before(self):
        for comment in ("/**< Sum of two. */", "/*!< Sum of two. */", "///< Sum of two.", "//!< Sum of\n//!< two."):
            with self.subTest(comment):
                ir, _ = self.read(f"int k_f(int a); {comment}\nint k_g(int b);\nenum k_e {{ K_A, {comment}\nK_B }};")
                self.assertEqual([f["summary"] for f in ir["functions"]], ["Sum of two.", ""])
                self.assertEqual([v["doc"] for v in ir["enums"][0]["values"]], ["Sum of two.", ""])
                f = self.first(f"int k_f(int a, {comment}\n int b {comment}\n);")
                self.assertEqual([p["doc"] for p in f["params"]], ["Sum of two.", "Sum of two."])

    def test_input__other_comments_are_no_docs(self):
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

    def test_input__what_some_compiler_refuses_in_a_comment_leaves_it(self):
        said = self.doc(
            "/** A\ufeff b\u202e\u2066 c\u2028\u0085\x01\x7f d\u00a0e\u3000\n *  f\u00a0\u202d \u200a@n g\u2009 \n"
            " * @return h\u00a0 */\nint k_f(int a);"
        )
        self.assertEqual(said, ("A b c d e f g", "", "h", [""]))

    def test_input__commands_become_text(self):
        said = self.doc(
            "/** Use @p a, \\b bold and @c code(). More.\n * @par Hint\n * Text.\n * @li one\n * @deprecated Use g.\n"
            " * @code{.c}\n *  f(1);\n * @endcode\n * @param[in,out] a,b both\n * @retval 0 fine\n * @fn k_f */\n"
            "int k_f(int a, int b);"
        )
        self.assertEqual(said[0], "Use `a`, `bold` and `code`().")
        self.assertEqual(said[1], "More.\nHint\nText.\n- one\nDeprecated: Use g.\n```text\n f(1);\n```")
        self.assertEqual(said[2:], ("0 fine", ["both", "both"]))


class TestMacros(Headers):
    IGNORED = "K_API K_CALL K_IN K_END K_DEPRECATED ARGS K_SIZED".split()

    def test_input__a_macro_that_holds_the_type_or_the_parameters_gives_them(self):
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

    def test_input__a_macro_that_the_header_defines_is_replaced(self):
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

    def test_input__a_macro_that_grows_without_end_is_refused(self):
        text = "".join(f"#define K{i}(x) K{i + 1}(x x)\n" for i in range(60)) + "K0(int a;)"
        self.assertIn("k.h:61: macros expand without end", bind(self.write(text), "--name", "k", "--ir")[2])

    def test_input__a_macro_that_is_not_told_is_named(self):
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
                self.assertIn(f":1: {what} (a macro? try --ignore-macro {word}): ", said)

    def test_input__conditions_know_where_we_run(self):
        text = "#if !defined(__GNUC__) || !defined(__linux__) || !__LP64__\n#error no\n#endif\n"
        text += "#ifdef NO\n#elifdef __GNUC__\nextern int k_yes;\n#elifndef NO\n#error no\n#else\n#error no\n#endif\n"
        text += "#if defined(__has_this) && __has_this(x)\nint k_no(void);\n#endif\n"
        text += "#if ~0u == 0xffffffffffffffff && -1 < 0x7fffffffffffffff && 1 << 40 && 'a' == '\\141'\nint k_f(void);"
        self.assertEqual(self.first(text + "\n#endif\n")["name"], "k_f")


class TestTypes(Headers):
    def kind(self, declarations, parameter):
        f = self.first(f"{declarations}\nint k_f({parameter});")
        return f["params"][0]["kind"], f["params"][0]["c"]

    def test_input__arrays_are_pointers_as_parameters_and_nowhere_else(self):
        self.assertEqual(self.kind("", "const int64_t axes[]"), ("array", "const int64_t *"))
        self.assertEqual(self.kind("", "const double v[static const 3]"), ("array", "const double *"))
        self.assertEqual(self.kind("typedef const double vector[3];", "vector v"), ("array", "const double *"))
        self.assertEqual(self.kind("", "double m[2][3]")[0], "other")
        self.assertEqual(self.kind("typedef int64_t pair[2];", "const pair *v")[0], "other")
        self.assertEqual(self.kind("", "double v[3]"), ("other", "double *"))  # three results are not one
        self.assertEqual(self.kind("", "double *v")[0], "real")

    def test_input__what_changes_a_types_size_is_not_bound(self):
        for declaration in (
            "typedef int type __attribute__((mode(DI)));",
            "typedef float type __attribute__((vector_size(8)));",
            "typedef enum __attribute__((packed)) { K_A } type;",
            "typedef _Atomic int type;",
            "typedef enum { K_A } __attribute__((__packed__)) type;",
            "enum e : uint8_t { K_A }; typedef enum e type;",
            "typedef _BitInt(7) type;",
            "typedef __typeof__(1) type;",
            "typedef _Atomic(int) type;",
        ):
            with self.subTest(declaration):
                self.assertEqual(self.kind(declaration, "type x")[0], "other")
        self.assertEqual(self.kind("typedef int type __attribute__((aligned(8)));", "type x")[0], "integer")
        self.assertEqual(self.kind("enum k_e : uint32_t { K_A };", "enum k_e x")[0], "enum")

    def test_input__attributes_are_stepped_over_wherever_they_stand(self):
        for text in (
            "__attribute__((a(1), b)) int k_f(int a);",
            "int __attribute__((a)) k_f(int a);",
            'int k_f(int a) __attribute__((a)) __asm__("g");',
            "__declspec(dllexport) int __stdcall k_f(int a);",
            "[[nodiscard, gnu::pure]] int k_f [[x]] (int a [[maybe_unused]]);",
            "_Alignas(8) int k_f(int a);",
            "int k_f(__attribute__((unused)) int a __attribute__((b)));",
            '_Pragma("x") int k_f(int a);',
            "_Noreturn int k_f(register int a);",
            "__extension__ int k_f(int a);",
            'asm("nop"); int k_f(int a);',
            '_Static_assert(1, ")"); static_assert(1); int k_f(int a);',
            "__attribute__((x)) extern int k_f(int a);",
        ):
            with self.subTest(text):
                f = self.first(text)
                self.assertEqual((f["name"], [p["c"] for p in f["params"]]), ("k_f", ["int"]))

    def test_input__declarators_in_parentheses(self):
        for text in (
            "int ((k_f))(int a);",
            "int (k_f(int a));",
            "int (__attribute__((pure)) k_f)(int a);",
            "typedef void *(__attribute__((cold)) *k_m)(int); int k_f(int a);",
            "typedef int (__stdcall *k_m)(int); int k_f(int a);",
        ):
            with self.subTest(text):
                f = self.first(text)
                self.assertEqual((f["name"], [p["c"] for p in f["params"]]), ("k_f", ["int"]))
        self.assertEqual(self.kind("", "int (^block)(int)"), ("other", ""))
        self.assertEqual(self.kind("typedef struct { int a; } k_s, *k_p;", "k_p x")[1], "k_s *")

    def test_input__result_is_a_good_name_for_a_tensor(self):
        for text in (
            "int k_f(const DLTensor *a, DLTensor *result, dlf_error *error);",
            "/** @contract return: status */ int k_f(DLTensor *result);",
            "void k_f(DLTensor *result);",
            "double k_f(DLTensor *result);",
            "int k_f(double *result);",
        ):
            self.assertIsNone(self.first(text)["unbound"], text)

    def test_input__constants_have_cs_types(self):
        cases = {
            "(k_u32)(unsigned char)'a' << 8 | sizeof(k_u32)": 0x6104,
            "(uint16_t)-1 + 1'000 + 0x1'0": 66551,
            "L'a' + u'\\xff'": 97 + 255,
            "~0u >> 4": 0x0FFFFFFF,
            "(unsigned)-1 > 0": 1,
            "-1 < 0u": 0,
            "(uint8_t)300": 44,
            "(int8_t)-129": 127,
            "sizeof(long) * 8 - 1": 63,
            "sizeof(const char *)": 8,
            "1u << 31 >> 31": 1,
            "0x7fffffff": 2**31 - 1,
            "-2147483647 - 1": -(2**31),
            "'\\x7f' + '\\0'": 127,
            "-7 / 2 * 2 + -7 % 2": -7,
            "1 ? 2 : 1 / 0": 2,
            "3000000000u": 3000000000,
            "!(4 ^ 6 & 3 | 1) ? 5 : 6": 6,
        }
        for text, value in cases.items():
            with self.subTest(text):
                ir, _ = self.read(f"typedef uint32_t k_u32; enum k_e {{ K_A = {text} }};")
                self.assertEqual(ir["enums"][0]["values"][0]["value"], value)

    def test_input__an_opaque_struct_with_a_function_that_frees_it_is_a_handle(self):
        free = "void k_codec_free({0} *codec);"
        for text, name in (
            ("/** A codec. */\ntypedef struct k_codec k_codec;" + free, "k_codec"),
            ("/** A codec. */\nstruct k_codec;" + free, "struct k_codec"),
            ("typedef struct k_codec_s k_codec; /**< A codec. */\n" + free, "k_codec"),
        ):
            with self.subTest(text):
                ir, _ = self.read(text.format(name) + f"{name} *k_codec_new(void);")
                self.assertEqual([(h["c"], h["summary"]) for h in ir["handles"]], [(name, "A codec.")])
        for text in (
            "typedef struct k_codec { int a; } k_codec;",
            "typedef struct { int a; } k_codec;",
            "typedef struct k_codec k_codec; struct k_codec { int a; };",
            "typedef union { int a; } k_codec;",
        ):
            with self.subTest(text):
                self.assertEqual(self.read(text + free.format("k_codec"))[0]["handles"], [])


class TestRefuses(Headers):
    def test_input__an_error_says_file_line_and_text(self):
        cases = {
            "int k_f(int a;": "k.h:1: expected ): ; ",
            "int k_f(k_type K_IN a);": "k.h:1: expected ) after `K_IN` (a macro? try --ignore-macro K_IN): a ) ;",
            "\nint k_f(void) int;": "k.h:2: cannot read this declaration: int ;",
            "int k_f(int a) b(1);": "k.h:1: expected ; (a macro? try --ignore-macro b): b ( 1 ) ;",
            "enum e { A = sizeof(struct x) };": "k.h:1: value of an enumerator: sizeof what is not known here: "
            "sizeof ( struct x ) } ;",
            "enum e { A = (k_type)1 };": "k.h:1: value of an enumerator: uses a name without a known value: "
            "( k_type ) 1 } ;",
            "enum e { A = 2147483647 + 1 };": "k.h:1: value of an enumerator: does not fit: 2147483647 + 1 } ;",
            "enum e { A = 1 / 0 };": "k.h:1: value of an enumerator: does not fit: 1 / 0 } ;",
            "enum e { A = 08 };": "k.h:1: value of an enumerator: not an integer: 08 } ;",
            "int k_f(int a" + "[1]" * 100 + ");": "k.h:1: declaration nested too deeply: ",
            '# 3 "k.h"\n# 1 "/x/y.h" 1\n\nint f(;\n': "/x/y.h:2: expected a declaration: ;",
            '# 7 "k.h"\nint f(;\n': "k.h:7: expected a declaration: ;",
        }
        for text, message in cases.items():
            with self.subTest(text):
                status, out, said = bind(self.write(text), "--name", "k", "--ir", cwd=self.folder)
                said = said.replace(str(self.folder) + "/", "").replace("dlferry-bind: ", "")
                self.assertEqual((status, out), (1, ""))
                self.assertTrue(said.startswith(message.strip()), said)

    def test_input__a_strange_constant_of_an_included_header_is_nobodys_error(self):
        text = '# 1 "k.h"\n# 1 "/x/y.h" 1\nenum y { Y = sizeof(struct x), Z = 3 };\n# 2 "k.h" 2\n'
        ir, _ = self.read(text + "enum k_e { K_A = Z };")
        self.assertEqual(ir["enums"][0]["values"][0]["value"], 3)

    def test_input__what_is_read_and_not_bound_is_one_line_each(self):
        _, _, said = bind(HERE / "input.h", "--name", "input", "--ir")
        lines = said.splitlines()
        self.assertGreater(len(lines), 8)
        for line in lines:
            self.assertRegex(line, r"^dlferry-bind: .*input\.h:\d+: skipped input_\w+: \S")
        self.assertEqual(bind(HERE / "input.h", "--name", "input", "--ir", "--strict")[0], 1)


if __name__ == "__main__":
    unittest.main()
