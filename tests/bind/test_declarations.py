#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The C declarations that dlferry-bind reads, and their meaning.

DLFERRY_BIND_UPDATE=1 rewrites all.json, the golden IR of all.h; input.h has most constructs in one header, which
oracle.py compares with libclang.
"""

import json
import os
import unittest

from headers import HERE, PHOTO, Headers, bind


class TestReads(Headers):
    def test_declarations__all_constructs_give_the_golden_ir(self):
        status, out, _ = bind(HERE / "all.h", "--name", "all", "--ir")
        self.assertEqual(status, 0)
        golden = HERE / "all.json"
        if os.environ.get("DLFERRY_BIND_UPDATE"):
            golden.write_text(out)
        self.assertEqual(json.loads(out), json.loads(golden.read_text()))
        self.assertEqual(out, golden.read_text())

    def test_declarations__what_is_not_bound_has_its_types_and_all_reasons(self):
        header = "typedef union { int a; } k_odd;\n"
        declared = "k_odd k_both(int (*call)(const char *name, int), k_odd odd, const double x[3], int *n, ...)"
        f = self.first(f"{header}{declared};\n")
        self.assertEqual(f["declaration"], declared)
        self.assertEqual(f["unbound"], f["reasons"][0])
        self.assertEqual(
            [reason.split(":")[0] for reason in f["reasons"]],
            ["call", "odd", "a variable number of arguments is not bound", "its result", "x", "n"],
        )
        f = self.first("int k_plus(int, int *const *list);\n")
        self.assertEqual(f["declaration"], "int k_plus(int, int *const *list)")
        f = self.first("int k_plus(int a);\n")
        self.assertEqual((f["declaration"], f["unbound"], f["reasons"]), ("int k_plus(int a)", None, []))

    def test_declarations__photo_is_bound_whole(self):
        status, out, said = bind(PHOTO, "--name", "photo", "--ir", "--strict")
        self.assertEqual((status, said), (0, ""))
        ir = json.loads(out)
        self.assertTrue(all(f["summary"] and f["contract"] for f in ir["functions"]))

    def test_declarations__a_preprocessed_header_gives_only_its_own(self):
        text = '# 1 "k.h"\n# 1 "/usr/include/other.h" 1 3\ntypedef int other; int k_other(other x);\n'
        text += '# 4 "k.h" 2\n/** Ours. */\nint k_ours(other x);\n'
        ir, _ = self.read(text)
        self.assertEqual([f["name"] for f in ir["functions"]], ["k_ours"])
        self.assertEqual(ir["functions"][0]["line"], 5)
        self.assertEqual(ir["functions"][0]["params"][0]["scalar"], "i32")

    def test_declarations__words_of_c23_may_be_names(self):
        text = "thread_local extern int k_n;\nint k_f(int thread_local, const double *constexpr);\n"
        names = [p["name"] for p in self.first(text)["params"]]
        self.assertEqual(names, ["thread_local", "constexpr"])
        text = "constexpr static int k_m = 1;\n/** F.\n * @contract thread_local = 2 */\nint k_f(int thread_local);\n"
        self.assertEqual(self.first(text)["params"][0]["default"], 2)

    def test_declarations__line_ends_and_marks_do_not_matter(self):
        unix = "/** Sum.\n * More. */\nint k_sum(int a,\\\n int b);\n"
        for text in (unix.replace("\n", "\r\n"), "\ufeff" + unix, unix.replace("\n", "\r")):
            self.assertEqual(self.read(text)[0], self.read(unix)[0])

    def test_declarations__conditions_are_followed(self):
        text = (
            "#define A 2\n#if defined(A) && (A > 1) && !defined B\nint k_yes(void);\n#else\nint k_no(void);\n#endif\n"
        )
        text += "#ifdef __cplusplus\n}\n#endif\n#undef A\n#ifndef A\nint k_too(void);\n#endif\n"
        text += "#if 0\nit's not C, 'x \"\n#if 1\n#else\n#endif\n#elif 1 ? 0 : 1/0\n#else\nint k_last(void);\n#endif\n"
        self.assertEqual([f["name"] for f in self.read(text)[0]["functions"]], ["k_yes", "k_too", "k_last"])

    def test_declarations__ignored_macros_count_as_empty(self):
        text = "K_API int K_CALL k_f(int a) K_END(1);\n"
        self.assertEqual(
            self.first("#define K_CALL\n" + text.replace("K_END(1)", ""), "--ignore-macro", "K_API")["name"], "k_f"
        )
        self.refused(
            "int K_CALL k_f(int a);",
            "k.h:1: cannot read what follows `K_CALL` (a macro? try --preprocess or --ignore-macro K_CALL):"
            " k_f ( int a ) ;",
        )

    def test_declarations__prefixes_are_stripped_in_any_case(self):
        text = "enum lib_mode { LIB_MODE_A, LIB_MODE_B }; int lib_f(enum lib_mode m);"
        ir, _ = self.read(text, "--prefix", "lib_")
        self.assertEqual(ir["functions"][0]["short_name"], "f")
        self.assertEqual([v["label"] for v in ir["enums"][0]["values"]], ["A", "B"])
        self.assertEqual(self.read(text, "--prefix", "")[0]["functions"][0]["short_name"], "lib_f")

    def test_declarations__reads_what_an_error_or_a_contract_says_of_the_return(self):
        self.assertEqual(self.first("double k_f(int x);")["returns"]["as"], "value")
        self.assertEqual(self.first("int k_f(int x);")["returns"]["as"], "value")
        self.assertEqual(self.first("int k_f(int x, dlf_error *error);")["returns"]["as"], "status")
        self.assertEqual(self.first("dlf_status k_f(int x);")["returns"]["as"], "status")
        self.assertEqual(self.first("/** @contract return: status ok 2 */ long k_f(int x);")["returns"]["ok"], 2)


class TestTypes(Headers):
    def kind(self, declarations, parameter):
        f = self.first(f"{declarations}\nint k_f({parameter});")
        return f["params"][0]["kind"], f["params"][0]["c"]

    def test_declarations__arrays_are_pointers_as_parameters_and_nowhere_else(self):
        self.assertEqual(self.kind("", "const int64_t axes[]"), ("array", "const int64_t *"))
        self.assertEqual(self.kind("", "const double v[static const 3]"), ("array", "const double *"))
        self.assertEqual(self.kind("typedef const double vector[3];", "vector v"), ("array", "const double *"))
        self.assertEqual(self.kind("", "double m[2][3]")[0], "other")
        self.assertEqual(self.kind("typedef int64_t pair[2];", "const pair *v")[0], "other")
        self.assertEqual(self.kind("", "double v[3]"), ("other", "double *"))  # three results are not one
        self.assertEqual(self.kind("", "double *v")[0], "real")

    def test_declarations__what_changes_a_types_size_is_not_bound(self):
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

    def test_declarations__attributes_are_stepped_over_wherever_they_stand(self):
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

    def test_declarations__declarators_in_parentheses(self):
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

    def test_declarations__result_is_a_good_name_for_a_tensor(self):
        for text in (
            "int k_f(const DLTensor *a, DLTensor *result, dlf_error *error);",
            "/** @contract return: status */ int k_f(DLTensor *result);",
            "void k_f(DLTensor *result);",
            "double k_f(DLTensor *result);",
            "/** @contract result: out */ int k_f(double *result);",
        ):
            self.assertIsNone(self.first(text)["unbound"], text)

    def test_declarations__constants_have_cs_types(self):
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

    def test_declarations__an_opaque_struct_with_a_function_that_frees_it_is_a_handle(self):
        free = "void k_codec_free({0} *codec);"
        for text, name in (
            ("/** A codec. */\ntypedef struct k_codec k_codec;" + free, "k_codec"),
            ("/** A codec. */\nstruct k_codec;" + free, "struct k_codec"),
            ("typedef struct k_codec_s k_codec; /**< A codec. */\n" + free, "k_codec"),
        ):
            with self.subTest(text):
                ir, _ = self.read(text.format(name) + f"{name} *k_codec_new(void);")
                self.assertEqual([(h["c"], h["summary"]) for h in ir["handles"]], [(f"{name} *", "A codec.")])
        for text in (
            "typedef struct k_codec { int a; } k_codec;",
            "typedef struct { int a; } k_codec;",
            "typedef struct k_codec k_codec; struct k_codec { int a; };",
            "typedef union { int a; } k_codec;",
        ):
            with self.subTest(text):
                self.assertEqual(self.read(text + free.format("k_codec"))[0]["handles"], [])

    def test_declarations__of_two_functions_that_free_a_struct_free_goes_before_delete(self):
        names = ("close", "delete", "free", "release")
        text = "typedef struct k_ref k_ref;\nk_ref *k_ref_new(void);\n"
        text += "".join(f"void k_ref_{name}(k_ref *ref);\n" for name in names)
        ir, _ = self.read(text)
        self.assertEqual([h["free"] for h in ir["handles"]], ["k_ref_free"])
        self.assertIn("k_ref_delete", [f["name"] for f in ir["functions"] if not f["unbound"]])
        hidden, _ = self.read(text, "--contracts", self.write("k_ref_free { hide }\n", "k.contracts"))
        self.assertEqual(hidden["handles"], [])


class TestConstants(Headers):
    def test_declarations__constants_have_the_types_that_c_gives_them(self):
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

    def test_declarations__an_enum_that_holds_too_much_is_passed_over(self):
        for value in ("0xffffffffffffffff", "0x80000000u, K_B = -1", "1ll << 40", "-2147483649ll"):
            _, said = self.read(f"enum k_e {{ K_A = {value} }};\nint k_f(int a);")
            self.assertIn("k.h:1: skipped enum k_e: its values do not fit in 32 bits", said)


if __name__ == "__main__":
    unittest.main()
