#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The command dlferry-bind: what it reads, what it refuses and how it says so. test_bind.py DLFERRY_BIND

Needs nothing but Python. DLFERRY_BIND_UPDATE=1 rewrites all.json, the golden IR of all.h.
"""

import json
import os
import random
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
PHOTO = HERE.parent.parent / "examples/photo/photo.h"
LANGUAGES = "python,rust,go,julia"
BIND = str(Path(sys.argv.pop(1)).resolve()) if len(sys.argv) > 1 else "dlferry-bind"

# A sanitizer's report must not pass for a refusal, which also exits with 1.
ENVIRONMENT = {**os.environ, "ASAN_OPTIONS": "exitcode=99", "UBSAN_OPTIONS": "halt_on_error=1:exitcode=99"}


def bind(*arguments, cwd=None):
    done = subprocess.run([BIND, *map(str, arguments)], cwd=cwd, env=ENVIRONMENT, capture_output=True, timeout=120)
    if done.returncode not in (0, 1, 2):
        raise AssertionError(f"dlferry-bind ended with {done.returncode}: {done.stderr.decode(errors='replace')}")
    return done.returncode, done.stdout.decode(), done.stderr.decode(errors="replace")


class Headers(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, text, name="k.h"):
        path = self.folder / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def read(self, text, *options):
        """The IR of a header, and what was said on stderr."""
        status, out, said = bind(self.write(text), "--name", "k", "--ir", *options)
        self.assertEqual(status, 0, said)
        return json.loads(out), said

    def refused(self, text, message, *options):
        """The header is refused, and the whole of stderr is this."""
        status, out, said = bind(self.write(text), "--name", "k", "--ir", *options, cwd=self.folder)
        self.assertEqual((status, out), (1, ""), said)
        said = said.replace(str(self.folder) + "/", "").replace("dlferry-bind: ", "")
        self.assertEqual(said.strip(), message)

    def first(self, text, *options):
        return self.read(text, *options)[0]["functions"][0]


class TestNumbers(Headers):
    """A pointer to a number is a place for one, or an array: C's types do not tell the two apart."""

    def numbers(self, parameters, contract=""):
        """The parameters of a function that are returned, or None where it is left out; and what was said."""
        ir, said = self.read(f"/** @contract {contract} */\nvoid k_f({parameters});\nint k_g(int a);")
        f = ir["functions"][0]
        self.assertEqual(ir["functions"][1].get("unbound"), None)
        return None if f.get("unbound") else [p["name"] for p in f["params"] if p.get("returned")], said

    def test_bind__a_number_beside_an_integer_needs_a_clause(self):
        for parameters in (
            "double *x, int n",
            "int n, double *x",
            "size_t n, float *x",
            "const int64_t n, int64_t *x, double a",
            "double a, bool *x, uint8_t n",
            "unsigned long *x, unsigned n",
        ):
            with self.subTest(parameters):
                said = (
                    "x: a pointer to a number beside an integer may be an array: write `x: out` in its contract if it "
                    "is one number, else pass a DLTensor *"
                )
                found, said_of_it = self.numbers(parameters)
                self.assertEqual((found, said_of_it.strip().split("skipped k_f: ")[1]), (None, said))
                self.assertEqual(self.numbers(parameters, "x: out"), (["x"], ""))
                strict = f"k.h:1: skipped k_f: {said}\n1 declarations are not bound, and --strict is given"
                self.refused(f"void k_f({parameters});", strict, "--strict")

    def test_bind__other_numbers_need_none(self):
        for parameters, found in (
            ("const DLTensor *x, double *low, double *high, dlf_error *error", ["low", "high"]),
            ("double a, double *x", ["x"]),
            ("bool a, double *x", ["x"]),
            ("int n, double a, double *x", ["x"]),
            ("double *x", ["x"]),
            ("int *n, double *x", ["n", "x"]),
        ):
            with self.subTest(parameters):
                self.assertEqual(self.numbers(parameters), (found, ""))

    def test_bind__each_number_beside_an_integer_has_its_own_clause(self):
        found, said = self.numbers("double *x, int n, double *y", "x: out")
        self.assertEqual(found, None)
        self.assertIn("write `y: out`", said)
        self.assertEqual(self.numbers("double *x, int n, double *y", "y: out; x: out"), (["x", "y"], ""))

    def test_bind__a_number_of_a_function_with_an_array_needs_a_clause(self):
        said = (
            "y: a pointer to a number beside an array may be an array: write `y: out` in its contract if it is one "
            "number, else pass a DLTensor *"
        )
        for parameters in ("int n, const double *x, double *y", "double *y, double a, const double *x, int n"):
            with self.subTest(parameters):
                found, said_of_it = self.numbers(parameters, "x: f64 *n")
                self.assertEqual((found, said_of_it.strip().split("skipped k_f: ")[1]), (None, said))
                self.assertEqual(self.numbers(parameters, "x: f64 *n; y: out"), (["y"], ""))

    def test_bind__out_is_for_a_number(self):
        place = "k.h:2: f: contract: expected "
        for parameters, contract, said in (
            ("const char *x", "x: out", "k.h:2: f: x: `out` is for a pointer to a number that is not const"),
            ("bool x", "x: out", "k.h:2: f: x: `out` is for a pointer to a number that is not const"),
            ("int x", "x: out", place + "the name of a tensor, a list or an array, got `x: out` at character 1"),
            ("double *x", "x: out; x: out", place + "one clause for each number, got the end"),
            ("double *x", "x: f64", place + "the name of a tensor, a list or an array, got `x: f64` at character 1"),
            ("double *x", "x: out 3", place + "`;`, got `3` at character 8"),
        ):
            with self.subTest(contract):
                self.refused(f"/** @contract {contract} */\nvoid k_f({parameters});", said)


class TestMessages(Headers):
    def unbound(self, text, function="k_f"):
        functions = {f["name"]: f["unbound"] for f in self.read(text)[0]["functions"]}
        return functions[function]

    def test_bind__an_error_that_is_not_last_is_named(self):
        said = "error: a dlf_error * is the last parameter, or it is not bound"
        self.assertEqual(self.unbound("int k_f(dlf_error *error, int a);"), said)
        self.assertEqual(self.unbound("int k_f(struct dlf_error *error, int a);"), said)

    def test_bind__why_a_struct_that_is_freed_is_no_handle(self):
        for declared, said in (
            ("void k_x_free(k_x *x, int a);", "k_x_free may free it, but takes 2 parameters, not the struct alone"),
            ("void k_free_x(k_x *x);", "k_free_x may free it, but is not called k_x_free"),
            ("void k_x_destroy(const k_x *x);", "k_x_destroy may free it, but takes a pointer to const"),
            ("void k_x_close(int a);", "a struct that no function of this header frees"),
        ):
            with self.subTest(declared):
                text = f"typedef struct k_x k_x;\n{declared}\nint k_f(k_x *x);"
                self.assertEqual(self.unbound(text), f"x: `k_x`: {said}")
        text = "typedef struct k_x { int a; } k_x;\nvoid k_x_free(k_x *x);\nint k_f(k_x *x);"
        said = "k_x_free may free it, but its members are in this header: a handle is an opaque struct"
        self.assertEqual(self.unbound(text), f"x: `k_x`: {said}")

    def test_bind__functions_of_included_headers_are_none_of_this(self):
        header = self.write('#include "other.h"\n')
        status, _, said = bind(header, "--name", "k", "--out", self.folder / "out")
        self.assertEqual(status, 1)
        self.assertIn(
            "no function that can be bound: it declares none, and what it includes is not read; give the header that "
            "declares them\n",
            said,
        )

    def test_bind__texts_of_codes_are_functions_of_a_code_or_of_nothing(self):
        text = "/** @contract return: status text k_text */\nint k_f(int a);\n%s\n"
        for declared, call in (
            ("const char *k_text(int code);", "k_text(dlf_code)"),
            ("const char *k_text(void);", "k_text()"),
            ("", "k_text(dlf_code)"),  # of another header
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
                "k.h:2: f: `text k_text`: expected `const char *k_text(int)` or `const char *k_text(void)`, got "
                "another function",
            )


class TestPackages(Headers):
    def test_bind__a_version_that_was_edited_stays(self):
        header = self.write("int k_f(int a);")
        command = [header, "--name", "k", "--lang", LANGUAGES, "--out", self.folder / "out"]
        self.assertEqual(bind(*command)[0], 0)
        for name in ("python/pyproject.toml", "rust/Cargo.toml", "julia/Project.toml"):
            for line in ('version = "7.8.9-rc.1"', "version = '2.0.0'", 'version="3.0.0"'):
                with self.subTest(name, line=line):
                    path = self.folder / "out" / name
                    first = path.read_text()
                    edited = re.sub(r"(?m)^version *=.*", line, first, count=1)
                    self.assertNotEqual(edited, first)
                    path.write_text(edited)
                    self.assertEqual(bind(*command, "--check")[0], 0)
                    path.write_text(edited.replace("name = ", "name  = "))
                    self.assertEqual(bind(*command, "--check")[0], 1)
                    self.assertEqual(bind(*command)[0], 0)
                    self.assertEqual(path.read_text(), edited)

    def test_bind__c_includes_what_a_header_was_preprocessed_from(self):
        (self.folder / "deep").mkdir()
        self.write("#define K_MAKE(type) int k_f_##type(type a);\nK_MAKE(int)\n", "deep/k.h")
        self.write('# 1 "deep/k.h"\nint k_f_int(int a);\n', "k.h")
        self.write('#include "k.h"\nint k_f_int(int a) { return a; }\n', "k.c")
        command = [self.folder / "k.h", "--name", "k", "--lang", LANGUAGES, "--source", self.folder / "k.c"]
        status, _, said = bind(*command, "--include", "k.h", "--out", self.folder / "alone")
        self.assertEqual((status, list((self.folder / "alone").rglob("k.h"))), (0, []), said)
        command += ["--include", "k.h", "--source", self.folder / "deep/k.h", "--out", self.folder / "out"]
        self.assertEqual(bind(*command)[::2], (0, ""))
        for folder in ("python/c", "rust/csrc", "go", "julia/deps/csrc"):
            self.assertIn("K_MAKE", (self.folder / "out" / folder / "k.h").read_text())
            self.assertIn('#include "k.h"\n', (self.folder / "out" / folder / "k_dlferry.h").read_text())
        self.assertIn(" --include k.h", (self.folder / "out/k_dlferry.h").read_text().splitlines()[0])
        status, _, said = bind(self.folder / "k.h", "--name", "k", "--include", "lib/k.h", "--out", self.folder / "lib")
        self.assertEqual((status, said), (0, ""))
        self.assertIn('#include "lib/k.h"\n', (self.folder / "lib/k_dlferry.h").read_text())
        for wrong in ("", '"k.h"', "<k.h>", "k h", "k.h*/"):
            status, _, said = bind(self.folder / "k.h", "--name", "k", "--include", wrong, "--ir")
            self.assertEqual(status, 2)
            self.assertIn(f"--include: expected the name of a header, got {wrong}", said)

    def test_bind__go_vet_has_its_own_idea_of_some_methods(self):
        text = "typedef struct k_x k_x;\nk_x *k_x_new(void);\nvoid k_x_free(k_x *x);\n"
        names = ("seek", "scan", "format", "read_byte", "write_to", "marshal_json")
        text += "".join(f"int k_x_{name}(k_x *x, int a);\n" for name in names)
        self.assertEqual(bind(self.write(text), "--name", "k", "--lang", "go", "--out", self.folder)[0], 0)
        made = (self.folder / "go/k.go").read_text()
        self.assertEqual(
            re.findall(r"(?m)^func \(\w+ \*X\) (\w+)\(\w+ int32", made),
            ["Seek_", "Scan_", "Format_", "ReadByte_", "WriteTo_", "MarshalJson"],
        )


class TestDtypes(Headers):
    def test_bind__words_of_c_are_no_type_variables(self):
        for word, dtype in (("double", "f64"), ("float", "f32"), ("int", "i32"), ("uint8_t", "u8"), ("half", "f16")):
            with self.subTest(word):
                said = f"k.h:2: f: contract: expected the dtype {dtype}, got `{word}[n]` at character 4"
                self.refused(f"/** @contract x: {word}[n] */\nvoid k_f(const DLTensor *x);", said)
        self.refused(
            "/** @contract x: flaot32[n]; flaot32 in any */\nvoid k_f(const DLTensor *x);",
            "k.h:2: f: contract: expected a dtype, did you mean f32, got `flaot32[n]` at character 4",
        )

    def test_bind__a_type_variable_has_a_clause(self):
        text = "/** @contract x: T[n]%s */\nvoid k_f(const DLTensor *x);"
        self.refused(
            text % "",
            "k.h:2: f: contract: expected a clause for the type variable T, such as `T in f32|f64` or `T in any`, got "
            "none",
        )
        self.assertEqual(self.first(text % "; T in any")["contract"], "x: T[n]; T in any")


class TestReads(Headers):
    def test_bind__all_constructs_give_the_golden_ir(self):
        status, out, _ = bind(HERE / "all.h", "--name", "all", "--ir")
        self.assertEqual(status, 0)
        golden = HERE / "all.json"
        if os.environ.get("DLFERRY_BIND_UPDATE"):
            golden.write_text(out)
        self.assertEqual(json.loads(out), json.loads(golden.read_text()))
        self.assertEqual(out, golden.read_text())

    def test_bind__photo_is_bound_whole(self):
        status, out, said = bind(PHOTO, "--name", "photo", "--ir", "--strict")
        self.assertEqual((status, said), (0, ""))
        ir = json.loads(out)
        self.assertTrue(all(f["summary"] and f["contract"] for f in ir["functions"]))

    def test_bind__a_preprocessed_header_gives_only_its_own(self):
        text = '# 1 "k.h"\n# 1 "/usr/include/other.h" 1 3\ntypedef int other; int k_other(other x);\n'
        text += '# 4 "k.h" 2\n/** Ours. */\nint k_ours(other x);\n'
        ir, _ = self.read(text)
        self.assertEqual([f["name"] for f in ir["functions"]], ["k_ours"])
        self.assertEqual(ir["functions"][0]["line"], 5)
        self.assertEqual(ir["functions"][0]["params"][0]["scalar"], "i32")

    def test_bind__line_ends_and_marks_do_not_matter(self):
        unix = "/** Sum.\n * More. */\nint k_sum(int a,\\\n int b);\n"
        for text in (unix.replace("\n", "\r\n"), "\ufeff" + unix, unix.replace("\n", "\r")):
            self.assertEqual(self.read(text)[0], self.read(unix)[0])

    def test_bind__conditions_are_followed(self):
        text = (
            "#define A 2\n#if defined(A) && (A > 1) && !defined B\nint k_yes(void);\n#else\nint k_no(void);\n#endif\n"
        )
        text += "#ifdef __cplusplus\n}\n#endif\n#undef A\n#ifndef A\nint k_too(void);\n#endif\n"
        text += "#if 0\nit's not C, 'x \"\n#if 1\n#else\n#endif\n#elif 1 ? 0 : 1/0\n#else\nint k_last(void);\n#endif\n"
        self.assertEqual([f["name"] for f in self.read(text)[0]["functions"]], ["k_yes", "k_too", "k_last"])

    def test_bind__ignored_macros_count_as_empty(self):
        text = "K_API int K_CALL k_f(int a) K_END(1);\n"
        self.assertEqual(
            self.first("#define K_CALL\n" + text.replace("K_END(1)", ""), "--ignore-macro", "K_API")["name"], "k_f"
        )
        self.refused(
            "int K_CALL k_f(int a);",
            "k.h:1: cannot read what follows `K_CALL` (a macro? try --ignore-macro K_CALL): k_f ( int a ) ;",
        )

    def test_bind__prefixes_are_stripped_in_any_case(self):
        text = "enum lib_mode { LIB_MODE_A, LIB_MODE_B }; int lib_f(enum lib_mode m);"
        ir, _ = self.read(text, "--prefix", "lib_")
        self.assertEqual(ir["functions"][0]["short_name"], "f")
        self.assertEqual([v["label"] for v in ir["enums"][0]["values"]], ["A", "B"])
        self.assertEqual(self.read(text, "--prefix", "")[0]["functions"][0]["short_name"], "lib_f")

    def test_bind__reads_what_an_error_or_a_contract_says_of_the_return(self):
        self.assertEqual(self.first("double k_f(int x);")["returns"]["as"], "value")
        self.assertEqual(self.first("int k_f(int x);")["returns"]["as"], "value")
        self.assertEqual(self.first("int k_f(int x, dlf_error *error);")["returns"]["as"], "status")
        self.assertEqual(self.first("dlf_status k_f(int x);")["returns"]["as"], "status")
        self.assertEqual(self.first("/** @contract return: status ok 2 */ long k_f(int x);")["returns"]["ok"], 2)


class TestSkips(Headers):
    def test_bind__what_is_not_bound_is_said_once_and_fails_under_strict(self):
        text = "int k_f(void *p);\nint k_g(int x);\n"
        ir, said = self.read(text)
        self.assertEqual(said.count("skipped k_f: p: the type `void *` is not bound"), 1)
        self.assertEqual([f["unbound"] is None for f in ir["functions"]], [False, True])
        status, _, said = bind(self.write(text), "--name", "k", "--ir", "--strict")
        self.assertEqual(status, 1)
        self.assertIn("1 declarations are not bound, and --strict is given", said)


class TestRefuses(Headers):
    def test_bind__what_cannot_be_read_is_shown_with_its_line(self):
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
            "#if (1": "k.h:1: #if: expected `)`: (1; give the header preprocessed (cc -E -C)",
            "#if F(1)": "k.h:1: #if: calls something: F(1); give the header preprocessed (cc -E -C)",
            "#if 1 / 0": "k.h:1: #if: does not fit: 1 / 0; give the header preprocessed (cc -E -C)",
            "#error not here": "k.h:1: the header refuses: error not here",
            "int f(void) `": "k.h:1: unexpected character: `",
            "int f[3": "k.h:1: a bracket is never closed: end of the header",
            'extern "C" {': 'k.h:1: extern "C" is never closed: end of the header',
            "}": "k.h:1: expected a declaration: }",
            "enum e { A = F(1) };": "k.h:1: value of an enumerator: calls something: F ( 1 ) } ;",
            "enum e { A = 1 << 70 };": "k.h:1: value of an enumerator: does not fit: 1 << 70 } ;",
            "enum e { A, 3 };": "k.h:1: expected the name of an enumerator: 3 } ;",
            "#define F(a) a\nint f(F(1 ;": "k.h:2: cannot read the call of the macro F: (1 ;",
            "#define F(a) a\nint f(F(1, 2));": "k.h:2: cannot read the call of the macro F: (1, 2));",
            "enum e { A }; enum e { B };": "k.h:1: enum is defined twice: e: { B } ;",
        }
        for text, message in cases.items():
            with self.subTest(text):
                self.refused(text, message.strip())

    def test_bind__sources_are_c_that_finds_what_it_includes(self):
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

    def test_bind__an_enum_wider_than_32_bits_is_passed_over(self):
        for value in ("5000000000", "-1, B = 4000000000u", "1ull << 63", "sizeof(long) << 40"):
            with self.subTest(value):
                ir, said = self.read(f"enum k_e {{ A = {value} }};\nint k_f(enum k_e a);\nint k_g(void);")
                self.assertIn("k.h:1: skipped enum k_e: its values do not fit in 32 bits", said)
                self.assertIn("k.h:2: skipped k_f: a: the type `enum k_e` is not bound", said)
                self.assertEqual((ir["enums"], ir["functions"][1]["unbound"]), ([], None))

    def test_bind__names_that_clash_are_refused(self):
        cases = {
            "int k_(int x);": "k.h:1: k_: nothing usable is left without the prefix k_",
            "int k_3d(int x);": "k.h:1: k_3d: nothing usable is left without the prefix k_",
            "enum k_f { K_A }; enum F { K_B };": "k.h:1: enum k_f and enum F are both called F without the prefix",
            "int k_f(int a, int a);": "k.h:1: k_f: two parameters named a",
        }
        for text, message in cases.items():
            with self.subTest(text):
                self.refused(text, message)

    def test_bind__functions_whose_names_clash_are_passed_over(self):
        cases = {
            "int k_f(int x); int f(int x);": ("f", "k_f is called f without the prefix already"),
            "int k_foo(int x);\nint k_Foo(int x);": ("k_Foo", "k_foo is called foo without the prefix already"),
            "int k_a_b(void); int k_aB(void);": ("k_aB", "k_a_b is called a_b without the prefix already"),
            "enum k_f { K_A }; int k_f(int x);": ("k_f", "enum k_f is called F without the prefix already"),
            "int k_f(int x); int k_f_checked(int x);": (
                "k_f",
                "what is generated for it would be called k_f_checked, which the header declares",
            ),
        }
        for text, (name, why) in cases.items():
            with self.subTest(text):
                ir, said = self.read(f"{text}\nint k_g(void);")
                self.assertIn(f": skipped {name}: {why}\n", said)
                bound = [f["name"] for f in ir["functions"] if not f["unbound"]]
                self.assertEqual(bound, [n for n in re.findall(r"\w+(?=\()", text) if n != name] + ["k_g"])
                strict = bind(self.write(text), "--name", "k", "--ir", "--strict")
                self.assertEqual(strict[0], 1, strict[2])

    def test_bind__contracts_that_do_not_suit_are_refused_at_the_functions_line(self):
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
                self.refused(f"{enum}/** @contract {contract} */{function}", f"k.h:2: {message}")


class TestHostile(Headers):
    """Whatever the header, the answer is an IR or a refusal, soon: no crash, no sanitizer report."""

    def test_bind__bombs_are_defused(self):
        deep = 40_000
        bombs = [
            "(" * deep, "int f" + "(" * deep, "int " + "*" * deep + "f;", "int (" * deep, "int f(int (*" * deep,
            "{" * deep, "enum e { A = " + "(" * deep, "enum e { A = " + "-" * deep, "enum e { A = " + "1?" * deep,
            "#if " + "!" * deep, "#if " + "(" * deep, "#if 1\n" * deep, "struct s {" * deep, "extern \"C\" {" * deep,
            "int f(" + "int a," * deep, "/**" * deep, "\\\n" * deep, "#define A A\nA", "#define A B\n#define B A\nA x;",
            "".join(f"#define M{i} M{i + 1} M{i + 1}\n" for i in range(60)) + "M0",
            "".join(f"#define M{i} M{i + 1} M{i + 1}\n" for i in range(60)) + "#define M60\nM0",
            "/** @contract x: f32[" + "(" * deep + "*/ int f(const DLTensor *x);",
            "/** " + "@param x " * deep + "*/ int f(int x);", "int a" + "[1]" * deep + ";", "x" * 1_000_000 + " y;",
            "typedef int t;" * 10_000, "int f(void);" * 10_000, "#define X " + "Y " * 1000 + "\n" + "X " * 1200,
        ]  # fmt: skip
        for text in bombs:
            with self.subTest(text[:60]):
                bind(self.write(text), "--name", "k", "--ir")

    def test_bind__mutated_headers_never_crash(self):
        seed = int(os.environ.get("DLFERRY_SEED", "1"))
        rng = random.Random(seed)
        names = ("all.h", "twin.h", "input.h", "kinds.h")
        sources = [PHOTO.read_bytes(), *((HERE / name).read_bytes() for name in names)]
        pieces = rb"""( ) { } [ ] */ /* /** // #if #endif " ' ... enum typedef const * , ; @contract \\ \x80""".split()
        pieces += [b"\\\n", b"\n#endif\n", b"\n#define photo_ x\n", b"\x80"]
        for _ in range(int(os.environ.get("DLFERRY_ROUNDS", "60"))):
            text = bytearray(rng.choice(sources))
            for _ in range(rng.randrange(1, 6)):
                at, size = rng.randrange(len(text)), rng.choice((1, 1, 4, 40, 400))
                what = rng.randrange(4)
                if what == 0:
                    del text[at : at + size]
                elif what == 1:
                    text[at:at] = rng.choice(pieces)
                elif what == 2:
                    text[at:at] = text[rng.randrange(len(text)) :][:size]
                else:
                    text[at] = rng.randrange(256)
            with self.subTest(seed=seed, text=bytes(text)):
                bind(self.write(bytes(text)), "--name", "photo", "--lang", LANGUAGES, "--out", self.folder / "out")

    def test_bind__a_long_header_takes_memory_in_proportion(self):
        for text in (
            "/** F.\n" + " * A line of text.\n" * 20000 + " */\nint k_f(int a);",
            "/** F.\n" + " * @param a text\n" * 20000 + " */\nint k_f(int a);",
            "/** F.\n * @contract a > 0\n" + " * ; a > 0\n" * 20000 + " */\nint k_f(int a);",
            "".join(f"typedef enum k_e{i} {{ K_{i} }} k_e{i};\nint k_f{i}(int a);\n" for i in range(4000)),
            f"int k_f(int {'*' * 50000}a);\nint {'*' * 50000}k_g(int a);",
        ):
            command = subprocess.Popen([BIND, self.write(text), "--name", "k", "--ir"], env=ENVIRONMENT,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
            _, status, used = os.wait4(command.pid, 0)
            command.returncode = os.waitstatus_to_exitcode(status)
            with self.subTest(text[:60]):
                self.assertIn(command.returncode, (0, 1))
                self.assertLess(used.ru_maxrss, 800_000)  # KiB, with a sanitizer's own

    def test_bind__every_emitter_takes_every_header(self):
        for name in ("all", "twin", "agree", "kinds"):
            with self.subTest(name):
                header, out = HERE / f"{name}.h", self.folder / name
                status, _, said = bind(header, "--name", name, "--lang", LANGUAGES, "--out", out)
                self.assertEqual(status, 0, said)
                for language in LANGUAGES.split(","):
                    self.assertTrue(any((out / language).rglob("*")), language)


class TestNames(Headers):
    HEADER = """#include <dlferry.h>
typedef enum k_True { K_TRUE_mro, K_TRUE__x_, K_TRUE_None, K_TRUE___y } k_True;
typedef enum k_Int_Enum { K_P } k_Int_Enum;
/** F?
 *  @contract x: f32[n];  out: like x;  s = "it's ??/";  b = K_TRUE_mro */
int k_str(const DLTensor *x, const char *s, k_True b, k_Int_Enum c, DLTensor *out, dlf_error *error);
bool k_Tensor(k_True a);
bool k_object(const DLTensor *x);
"""

    def test_bind__no_name_hides_what_python_needs(self):
        status, _, said = bind(self.write(self.HEADER), "--name", "k", "--lang", "python", "--out", self.folder)
        self.assertEqual((status, said), (0, ""))
        stub = (self.folder / "python/k/__init__.pyi").read_text()
        compile(stub, "k.pyi", "exec")
        self.assertIn("from builtins import object as _object\nfrom builtins import str as _str\n", stub)
        self.assertIn('s: _str = "it\'s ??/", b: True_ = True_.mro_, ', stub)
        text = (self.folder / "python/k/__init__.py").read_text()
        start, end = text.index("from ._k"), text.index(")\n") + 2
        made = {"__name__": "k"}
        exec(text[:start] + text[end:], made)
        self.assertEqual([v.name for v in made["True_"]], ["mro_", "_x__", "None_", "__y___"])
        self.assertEqual(made["IntEnum"]["P"], 0)
        self.assertIn('"it\'s ?\\?/"', (self.folder / "python/k.i").read_text())  # "??/" is a backslash to C11

    def test_bind__what_julia_means_something_by_is_no_name_of_a_parameter(self):
        text = "int k_f(int ccall, int where, int begin);"
        self.assertEqual(bind(self.write(text), "--name", "k", "--lang", "julia", "--out", self.folder)[0], 0)
        self.assertIn("f(ccall_::Integer, where_::Integer, begin_::", (self.folder / "julia/src/K.jl").read_text())

    def test_bind__two_streams_are_the_same_one(self):
        text = "#include <dlferry.h>\nvoid k_f(dlf_stream a, const DLTensor *x, dlf_stream b);"
        self.assertEqual(bind(self.write(text), "--name", "k", "--lang", "python", "--out", self.folder)[0], 0)
        made = (self.folder / "python/k.i").read_text()
        for line in (" roles[] = {", "dlf_stream stream;", "k_f_checked(stream, t[0].c, stream, "):
            self.assertEqual(made.count(line), 1, line)

    def test_bind__godoc_is_as_gofmt_wants_it(self):
        doc = "/** F.\n * ''x'' and ``y``.\n *\n * ---\n * @code\n * g();\n * @endcode */\nvoid k_f(int x);"
        bind(self.write(doc), "--name", "k", "--lang", "go", "--out", self.folder)
        self.assertIn('// F: F.\n//\n// "x" and "y".\n//\n// g();\n//\n', (self.folder / "go/k.go").read_text())


class TestCommand(Headers):
    def test_bind__says_its_version_and_how_to_use_it(self):
        status, out, _ = bind("--version")
        self.assertEqual(status, 0)
        self.assertRegex(out, r"^dlferry-bind \d+\.\d+\.\d+\n$")
        status, out, _ = bind("--help")
        self.assertEqual(status, 0)
        for (
            option
        ) in "name prefix lang out source include ignore-macro ir cases no-tests check strict version help".split():
            self.assertIn(f"--{option}", out)

    def test_bind__a_wrong_command_ends_with_status_2(self):
        cases = {
            "": "expected a header",
            "a.h b.h": "expected one header, got also b.h",
            "a.h": "expected --name",
            "a.h --name A": "--name: expected small letters, digits and _, got A",
            "a.h --name a": "expected --out, --ir, --cases or --explain",
            "a.h --name": "expected a value after --name",
            "a.h --nam3": "unknown option --nam3",
            "a.h --name a --out x --lang c": "--lang: expected any of python,rust,go,julia, got c",
        }
        for arguments, message in cases.items():
            with self.subTest(arguments):
                self.assertEqual(
                    bind(*arguments.split()), (2, "", f"dlferry-bind: {message}; see dlferry-bind --help\n")
                )
        status, _, said = bind(self.folder / "none.h", "--name", "k", "--ir")
        self.assertEqual(status, 1)
        self.assertIn("none.h: No such file or directory", said)

    def test_bind__check_finds_what_differs_and_writes_nothing(self):
        header, out = self.write("int k_f(int x);"), self.folder / "deep" / "out"
        arguments = (header, "--name", "k", "--out", out)
        status, _, said = bind(*arguments, "--check")
        self.assertEqual(status, 1)
        self.assertEqual(said.count("differs: "), 2)
        self.assertFalse(out.exists())
        self.assertEqual(bind(*arguments)[0], 0)
        self.assertEqual(bind(*arguments, "--check"), (0, "", ""))
        before = (out / "k_dlferry.c").stat().st_mtime_ns
        self.assertEqual(bind(*arguments)[0], 0)
        self.assertEqual((out / "k_dlferry.c").stat().st_mtime_ns, before)
        (out / "k_dlferry.h").write_text("other")
        status, _, said = bind(*arguments, "--check")
        self.assertEqual((status, said.count("differs: ")), (1, 1))
        self.assertEqual((out / "k_dlferry.h").read_text(), "other")

    def test_bind__tests_are_written_checked_and_left_out_when_asked(self):
        header = self.write("#include <dlferry.h>\n"
                            "/** F.\n * @contract x: f32[n] cuda */\nvoid k_f(const DLTensor *x);\n"
                            "/** G.\n * @contract x: f32[n] */\nvoid k_g(const DLTensor *x);")  # fmt: skip
        arguments = (header, "--name", "k", "--lang", LANGUAGES, "--out", self.folder / "out")
        warning = "dlferry-bind: tests: f: no accepted call found\n"
        self.assertEqual(bind(*arguments), (0, "", warning))
        golden = sorted((self.folder / "out").rglob("golden.txt"))
        self.assertEqual(len(golden), 4)
        for path in golden:
            rows = [line for line in path.read_text().splitlines() if not line.startswith("#")]
            self.assertEqual(rows[0], "g/accepted\tOK\t")
            self.assertIn("g/x_dtype\tDTYPE\tg: x: dtype is f64, expected f32; got f64[2], wanted f32[n]", rows)
        self.assertEqual(bind(*arguments, "--check"), (0, "", warning))
        golden[0].write_text(golden[0].read_text().replace("DTYPE", "SHAPE"))
        status, _, said = bind(*arguments, "--check")
        self.assertEqual((status, said), (1, f"{warning}dlferry-bind: differs: {golden[0]}\n"))
        bare = self.folder / "bare"
        self.assertEqual(bind(*arguments[:-1], bare, "--no-tests"), (0, "", ""))
        self.assertFalse([path for path in bare.rglob("*") if "test" in path.name or path.name == "golden.txt"])
        self.assertIn(" --no-tests ", (bare / "k_dlferry.c").read_text().split("\n")[0])

    def test_bind__golden_files_say_the_same_in_every_language(self):
        for name in ("kinds", "hard"):
            header, out = HERE / f"{name}.h", self.folder / name
            status, cases, _ = bind(header, "--name", name, "--cases")
            self.assertEqual(status, 0)
            cases = [(case["name"], case["status"], case["text"]) for case in json.loads(cases)["cases"]]
            self.assertEqual(bind(header, "--name", name, "--lang", LANGUAGES, "--out", out)[0], 0)
            for path in out.rglob("golden.txt"):
                lines = path.read_text().splitlines()
                rows = [tuple(line.split("\t")) for line in lines if not line.startswith("#")]
                self.assertEqual(rows, [case for case in cases if case in rows], path)
                self.assertGreater(len(rows), len(cases) // 2, path)  # what cannot be said is the smaller part

    def test_bind__tests_make_handles_in_the_order_in_which_they_need_each_other(self):
        text = "".join(f"typedef struct k_{h} k_{h};\nvoid k_{h}_free(k_{h} *it);\n" for h in "abc")
        text += "int k_b_size(k_b *b);\nk_b *k_b_new(k_a *a);\nk_a *k_a_from(k_a *a);\n"
        text += "k_a *k_a_new(void);\nk_c *k_c_new(k_c *c);"
        status, out, said = bind(self.write(text), "--name", "k", "--cases")
        self.assertEqual((status, said), (0, "dlferry-bind: tests: c_new: nothing makes what it takes\n"))
        cases = [(case["name"], case["args"]) for case in json.loads(out)["cases"]]
        self.assertEqual(
            cases,
            [
                ("b_size/b_closed", {"b": "closed"}),
                ("b_new/accepted", {"a": "open"}),
                ("b_new/a_closed", {"a": "closed"}),
                ("a_from/accepted", {"a": "open"}),
                ("a_from/a_closed", {"a": "closed"}),
                ("a_new/accepted", {}),
            ],
        )

    def test_bind__line_1_says_how_the_file_was_made_wherever_it_was(self):
        header, source = self.write("int k_f(int x);"), self.write("int k_f(int x) { return x; }", "k.c")
        bind(header, "--name", "m", "--prefix", "k_", "--source", source, "--out", self.folder)
        line = (self.folder / "m_dlferry.c").read_text().splitlines()[0]
        self.assertRegex(line, r"^/\* Generated by dlferry-bind \S+ from k.h; do not edit.")
        self.assertIn("dlferry-bind k.h --name m --prefix k_ --source k.c", line)
        self.assertNotIn(str(self.folder), line)

    def test_bind__the_headers_licence_is_that_of_what_is_made_from_it(self):
        for mark, text in [
            ("", "int k_f(int x);"),
            ("MIT OR Apache-2.0", "// SPDX-License-Identifier: MIT OR Apache-2.0\n"),
        ]:
            bind(self.write(text + "int k_g(int x);"), "--name", "k", "--out", self.folder)
            line = (self.folder / "k_dlferry.h").read_text().splitlines()[1]
            self.assertEqual(line == f"/* SPDX-License-Identifier: {mark} */", mark != "")


if __name__ == "__main__":
    unittest.main()
