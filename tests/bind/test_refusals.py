#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Declarations that dlferry-bind refuses or skips, and its messages."""

import re
import unittest

from headers import HERE, Headers, bind


class TestMessages(Headers):
    def unbound(self, text, function="k_f"):
        functions = {f["name"]: f["unbound"] for f in self.read(text)[0]["functions"]}
        return functions[function]

    def test_refusals__an_error_that_is_not_last_is_named(self):
        said = "error: a dlf_error * is the last parameter, or it is not bound"
        self.assertEqual(self.unbound("int k_f(dlf_error *error, int a);"), said)
        self.assertEqual(self.unbound("int k_f(struct dlf_error *error, int a);"), said)

    def test_refusals__why_a_struct_that_is_freed_is_no_handle(self):
        for declared, said in (
            (
                "void k_x_free(k_x *x, int a);",
                "k_x_free may free it, but takes 2 parameters, not the struct alone: if these suit, write "
                "`handle k_x freed k_x_free(_, 0);` in the file of contracts",
            ),
            (
                "struct k_y { int a; };\nvoid k_x_free(k_x *x, struct k_y a);",
                "k_x_free may free it, but takes 2 parameters, not the struct alone",
            ),
            ("void k_x_destroy(const k_x *x);", "k_x_destroy may free it, but takes a pointer to const"),
            (
                "void k_x_close(int a);",
                "a struct that no function of this header frees: if C frees it with another object, or never, write "
                "`handle k_x unowned;` in the file of contracts",
            ),
        ):
            with self.subTest(declared):
                text = f"typedef struct k_x k_x;\n{declared}\nint k_f(k_x *x);"
                self.assertEqual(self.unbound(text), f"x: `k_x`: {said}")
        for text, freed in (
            ("typedef struct k_x { int a; } k_x;\nvoid k_x_free(k_x *x);\nint k_f(k_x *x);", "k_x_free"),
            ("typedef struct k_x k_x;\nvoid k_free_x(k_x *x);\nint k_f(k_x *x);", "k_free_x"),
        ):
            said = f"if functions make and free it, write `handle k_x freed {freed};` in the file of contracts"
            self.assertEqual(self.unbound(text), f"x: `k_x`: {said}")

    def test_refusals__functions_of_included_headers_are_none_of_this(self):
        header = self.write('#include "other.h"\n')
        status, _, said = bind(header, "--name", "k", "--out", self.folder / "out")
        self.assertEqual(status, 1)
        self.assertIn(
            "no function that can be bound: it declares none, and included headers are not read; give the header that "
            "declares them, or --preprocess\n",
            said,
        )

    def test_refusals__texts_of_codes_are_functions_of_a_code_or_of_nothing(self):
        text = "/** @contract return: status text k_text */\nint k_f(int a);\n%s\n"
        for declared, call in (
            ("const char *k_text(int code);", "k_text(dlf_code)"),
            ("const char *k_text(void);", "k_text()"),
        ):
            out = self.folder / str(len(declared))
            status, _, said = bind(self.write(text % declared), "--name", "k", "--out", out)
            self.assertEqual((status, said), (0, ""))
            self.assertIn(f" {call}, DLF_FOREIGN", (out / "k_dlferry.c").read_text())
        for declared in (
            "const char *k_text(int code, int more);",
            "int k_text(int code);",
            "const char *k_text(const char *what);",
            "void k_text(void);",
        ):
            self.refused(
                text % declared,
                "k.h:1: f: `text k_text`: expected `const char *k_text(int)` or `const char *k_text(void)`, got "
                "another function",
            )


class TestDtypes(Headers):
    def test_refusals__words_of_c_are_no_type_variables(self):
        for word, dtype in (("double", "f64"), ("float", "f32"), ("int", "i32"), ("uint8_t", "u8"), ("half", "f16")):
            with self.subTest(word):
                said = f"k.h:1: f: contract: expected the dtype {dtype}, got `{word}[n]`"
                self.refused(f"/** @contract x: {word}[n] */\nvoid k_f(const DLTensor *x);", said)
        self.refused(
            "/** @contract x: flaot32[n]; flaot32 in any */\nvoid k_f(const DLTensor *x);",
            "k.h:1: f: contract: expected a dtype, did you mean f32, got `flaot32[n]`",
        )

    def test_refusals__a_type_variable_has_a_clause(self):
        text = "/** @contract x: T[n]%s */\nvoid k_f(const DLTensor *x);"
        self.refused(
            text % "",
            "k.h:1: f: contract: expected a clause for the type variable T, such as `T in f32|f64` or `T in any`, got "
            "none",
        )
        self.assertEqual(self.first(text % "; T in any")["contract"], "x: T[n]; T in any")


class TestRefuses(Headers):
    def test_refusals__what_cannot_be_read_is_shown_with_its_line(self):
        cases = {
            "int f(": "k.h:1: expected a declaration: end of the header",
            "\n\nint f(int a": "k.h:3: expected ): end of the header",
            "int f(int a) int g;": "k.h:1: cannot read this declaration: int g ;",
            "int 3;": "k.h:1: cannot read this declaration: 3 ;",
            "int f(int, ...;": "k.h:1: expected ): ;",
            "/* open": "k.h:1: comment without an end: /* open",
            'const char *x = "open;': 'k.h:1: string or character without an end: "open;',
            "#if 1\nint f(void);": "k.h:2: #if without #endif",
            "#endif": "k.h:1: #endif without #if",
            "#else": "k.h:1: #else or #elif without #if",
            "#if (1": "k.h:1: #if: expected `)`: (1; try --preprocess",
            "#if F(1)": "k.h:1: #if: has a call: F(1); try --preprocess",
            "#if 1 / 0": "k.h:1: #if: does not fit: 1 / 0; try --preprocess",
            "#error not here": "k.h:1: the header refuses: error not here",
            "int f(void) `": "k.h:1: unexpected character: `",
            "int f[3": "k.h:1: a bracket is never closed: end of the header",
            'extern "C" {': 'k.h:1: extern "C" is never closed: end of the header',
            "}": "k.h:1: expected a declaration: }",
            "enum e { A = F(1) };": "k.h:1: value of an enumerator: has a call: F ( 1 ) } ;",
            "enum e { A = 1 << 70 };": "k.h:1: value of an enumerator: does not fit: 1 << 70 } ;",
            "enum e { A, 3 };": "k.h:1: expected the name of an enumerator: 3 } ;",
            "#define F(a) a\nint f(F(1 ;": "k.h:2: cannot read the call of the macro F: (1 ;",
            "#define F(a) a\nint f(F(1, 2));": "k.h:2: cannot read the call of the macro F: (1, 2));",
            "enum e { A }; enum e { B };": "k.h:1: enum is defined twice: e: { B } ;",
        }
        for text, message in cases.items():
            with self.subTest(text):
                self.refused(text, message.strip())

    def test_refusals__sources_are_c_that_finds_what_it_includes(self):
        header, deep = self.write("int k_f(int x);"), self.folder / "deep"
        deep.mkdir(exist_ok=True)
        (deep / "x.h").write_text("")
        (self.folder / "k.cpp").write_text("")
        (deep / "k.c").write_text('#include "x.h"\n#include "../k.h"\n#include "none.h"\n#include <deep/x.h>\n')
        (self.folder / "k.c").write_text('#include "k.h"\n#  include "deep/x.h"\n')
        flags = [header, "--name", "k", "--out", str(self.folder / "out"), "--lang", "rust"]
        c, cpp, other = (str(self.folder / name) for name in ("k.c", "k.cpp", "deep/k.c"))
        self.assertIn(
            "--source k.cpp: packages carry C; make it a library of its own and say --link",
            bind(*flags, "--source", cpp)[2],
        )
        self.assertIn("k.c: packages have one folder for C", bind(*flags, "--source", c, "--source", other)[2])
        status, _, said = bind(*flags, "--source", c)
        self.assertEqual((status, said.count("packages do not carry")), (0, 1))
        self.assertIn('k.c:2: packages do not carry "deep/x.h": name it with --source', said)
        said = bind(*flags, "--source", other)[2]
        self.assertIn('k.c:1: packages do not carry "x.h"', said)
        self.assertIn('k.c:2: packages do not carry "../k.h"', said)
        self.assertEqual(bind(*flags, "--source", other, "--source", str(deep / "x.h"))[2].count("do not carry"), 1)

    def test_refusals__an_enum_wider_than_32_bits_is_passed_over(self):
        for value in ("5000000000", "-1, B = 4000000000u", "1ull << 63", "sizeof(long) << 40"):
            with self.subTest(value):
                ir, said = self.read(f"enum k_e {{ A = {value} }};\nint k_f(enum k_e a);\nint k_g(void);")
                self.assertIn("k.h:1: skipped enum k_e: its values do not fit in 32 bits", said)
                self.assertIn("k.h:2: skipped k_f: a: the type `enum k_e` is not bound", said)
                self.assertEqual((ir["enums"], ir["functions"][1]["unbound"]), ([], None))

    def test_refusals__names_that_clash_are_refused(self):
        cases = {
            "int k_f(int a, int a);": "k.h:1: k_f: two parameters named a",
        }
        for text, message in cases.items():
            with self.subTest(text):
                self.refused(text, message)

    def test_refusals__functions_whose_names_clash_are_passed_over(self):
        renames = " already: write `%s { rename NAME }` in a file of contracts"
        cases = {
            "int k_f(int x); int f(int x);": ("f", f"k_f is called f without the prefix{renames}"),
            "int k_foo(int x);\nint k_Foo(int x);": ("k_Foo", "k_foo is called foo without the prefix" + renames),
            "int k_a_b(void); int k_aB(void);": ("k_aB", "k_a_b is called a_b without the prefix" + renames),
            "enum k_f { K_A }; int k_f(int x);": ("k_f", "enum k_f is called F without the prefix" + renames),
            "int k_f(int x); int k_f_checked(int x);": (
                "k_f",
                "its generated function would be called k_f_checked, which the header declares",
            ),
        }
        for text, (name, why) in cases.items():
            with self.subTest(text):
                ir, said = self.read(f"{text}\nint k_g(void);")
                why = why.replace("%s", name)
                self.assertIn(f": skipped {name}: {why}\n", said)
                bound = [f["name"] for f in ir["functions"] if not f["unbound"]]
                self.assertEqual(bound, [n for n in re.findall(r"\w+(?=\()", text) if n != name] + ["k_g"])
                strict = bind(self.write(text), "--name", "k", "--ir", "--strict")
                self.assertEqual(strict[0], 1, strict[2])

    def test_refusals__contracts_that_do_not_suit_are_refused_at_the_functions_line(self):
        function = (
            "\nint k_f(const DLTensor *x, int8_t n, double s, bool b, enum k_e e, const char *t, dlf_error *error);"
        )
        enum = "enum k_e { K_A, K_B };"
        cases = {
            "x: f32[q + 1]": "f: contract: x: `q+1` uses q before anything binds it",
            "x: f32[": "f: contract: expected a number or a name, got the end",
            "n = 128": "f: default of n does not fit in int8_t",
            "b = 1": "f: default of b: `1` does not suit its type",
            "b = yes": "f: default of b: `yes` does not suit its type",
            "e = K_C": "f: default of e: k_e has no enumerator K_C",
            't = "\\"': "f: default of t: only plain ASCII without \\ and $ is supported",
            "t = K_A": "f: default of t: `K_A` does not suit its type",
        }
        for contract, message in cases.items():
            with self.subTest(contract):
                self.refused(f"{enum}/** @contract {contract} */{function}", f"k.h:1: {message}")

    def test_refusals__an_error_says_file_line_and_text(self):
        cases = {
            "int k_f(int a;": "k.h:1: expected ): ; ",
            "int k_f(k_type K_IN a);": (
                "k.h:1: expected ) after `K_IN` (a macro? try --preprocess or --ignore-macro K_IN): a ) ;"
            ),
            "\nint k_f(void) int;": "k.h:2: cannot read this declaration: int ;",
            "int k_f(int a) b(1);": "k.h:1: expected ; (a macro? try --preprocess or --ignore-macro b): b ( 1 ) ;",
            "enum e { A = sizeof(struct x) };": "k.h:1: value of an enumerator: sizeof an unknown type: "
            "sizeof ( struct x ) } ;",
            "enum e { A = (k_type)1 };": "k.h:1: value of an enumerator: uses a name without a known value; try "
            "--preprocess if an included header has it: ( k_type ) 1 } ;",
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

    def test_refusals__a_strange_constant_of_an_included_header_is_nobodys_error(self):
        text = '# 1 "k.h"\n# 1 "/x/y.h" 1\nenum y { Y = sizeof(struct x), Z = 3 };\n# 2 "k.h" 2\n'
        ir, _ = self.read(text + "enum k_e { K_A = Z };")
        self.assertEqual(ir["enums"][0]["values"][0]["value"], 3)

    def test_refusals__what_is_read_and_not_bound_is_one_line_each(self):
        _, _, said = bind(HERE / "input.h", "--name", "input", "--ir")
        lines = said.splitlines()
        self.assertGreater(len(lines), 8)
        for line in lines:
            self.assertRegex(line, r"^dlferry-bind: .*input\.h:\d+: skipped input_\w+: \S")
        self.assertEqual(bind(HERE / "input.h", "--name", "input", "--ir", "--strict")[0], 1)

    def test_refusals__what_cannot_be_read_is_said(self):
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

    def test_refusals__text_that_is_not_utf_8_is_refused_byte_by_byte(self):
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

    def test_refusals__a_parameter_may_have_any_name(self):
        for name in ("k_f", "dlf", "dlf_values", "error"):
            self.assertNotIn("unbound", {k: v for k, v in self.first(f"int k_f(int {name});").items() if v})

    def test_refusals__tables_keep_what_they_hold_when_they_grow(self):
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

    def test_refusals__a_strange_value_of_an_included_header_is_stepped_over(self):
        text = (
            '# 1 "k.h"\n# 1 "/x.h" 1\nenum y { Y = 2 * (what[3], 4) + nobody, Z = 3 };\n# 2 "k.h" 2\nint k_f(int a[Z]);'
        )
        self.assertEqual(self.read(text)[0]["functions"][0]["name"], "k_f")


class TestNothingWritten(Headers):
    def test_refusals__a_header_without_functions_is_an_error(self):
        header = self.write("typedef enum k_e { K_A } k_e;\nvoid k_f(int x, ...);")
        self.assertEqual(bind(header, "--name", "k", "--ir")[0], 0)
        status, _, said = bind(header, "--name", "k", "--lang", "python", "--out", self.folder)
        self.assertEqual(status, 1)
        self.assertIn("k.h: no function that can be bound\n", said)

    def test_refusals__a_header_of_hidden_functions_says_so(self):
        header = self.write("#include <stdint.h>\nint k_f(int a);\nint k_g(int a);")
        contracts = self.write("every k_* { hide }\n", "k.contracts")
        status, _, said = bind(header, "--name", "k", "--out", self.folder, "--contracts", contracts)
        self.assertEqual(status, 1)
        self.assertIn("k.h: no function that can be bound: `hide` leaves 2 out\n", said)

    def test_refusals__what_cannot_be_written_is_an_error(self):
        header = self.write("int k_f(int x);")
        status, _, said = bind(header, "--name", "k", "--out", header / "below")
        self.assertEqual(status, 1)
        self.assertIn("cannot write", said)


if __name__ == "__main__":
    unittest.main()
