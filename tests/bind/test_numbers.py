#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which pointers to numbers dlferry-bind takes for results, and which for arrays."""

import json
import unittest

from headers import Headers, bind, without_columns

OURS = "void k_ours(const DLTensor *x);"  # then the header's author knows us
OBJECTS = "typedef struct k_pot k_pot; void k_pot_free(k_pot *pot); enum k_edge { K_NEAR, K_FAR };"


class TestNumbers(Headers):
    """A pointer to a number is a place for one, or an array: C's types do not tell the two apart."""

    def numbers(self, parameters, contract="", rest=OURS):
        """The returned parameters of a function, or None if it is left out; and the text on stderr."""
        ir, said = self.read(f"{rest}\n/** @contract {contract} */\nvoid k_f({parameters});\nint k_g(int a);")
        f, g = ir["functions"][-2:]
        self.assertEqual(g.get("unbound"), None)
        return None if f.get("unbound") else [p["name"] for p in f["params"] if p.get("returned")], said

    def test_numbers__a_number_beside_an_integer_needs_a_clause(self):
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
                self.refused(f"void k_f({parameters}); {OURS}", strict, "--strict")

    def test_numbers__in_a_header_that_does_not_know_us_each_needs_a_clause(self):
        said = (
            "x: a pointer to a number may be an array: write `x: out` in its contract if it is one number, else the "
            "dtype and extents of a tensor"
        )
        for parameters in (
            "int n, double f, double *x",
            "double *x",
            "const char *name, int *x",
            "bool *x",
            "enum k_edge *x",
            "k_pot *pot, float *x",
            "double _Complex *x",
            "size_t *x, double a",
        ):
            with self.subTest(parameters):
                found, said_of_it = self.numbers(parameters, rest=OBJECTS)
                self.assertEqual((found, said_of_it.strip().split("skipped k_f: ")[1]), (None, said))
                self.assertEqual(self.numbers(parameters, "x: out", OBJECTS), (["x"], ""))
                if "_Complex" not in parameters:  # no language changes one in place
                    self.assertEqual(self.numbers(parameters, "x: inout", OBJECTS), (["x"], ""))
                for ours in (OURS, "int k_ours(int a, dlf_error *error);"):
                    self.assertEqual(self.numbers(parameters, "", OBJECTS + ours), (["x"], ""))

    def test_numbers__places_for_objects_and_tensors_need_none(self):
        for function in ("void k_pot_make(k_pot **out);", "void k_tensor(DLManagedTensorVersioned **out);"):
            ir, said = self.read(f"{OBJECTS} {function}")
            self.assertEqual((ir["functions"][0].get("unbound"), said), (None, ""))
            self.assertTrue(ir["functions"][0]["params"][0]["returned"])

    def test_numbers__each_header_is_known_by_itself(self):
        ours = self.write(f"void k_f(double *x); {OURS}")
        theirs = self.write("void k_g(double *x);", "theirs.h")
        contracts = self.write("k_ours { hide }", "k.contracts")
        for more in ([], ["--contracts", contracts]):
            status, out, said = bind(ours, theirs, "--name", "k", "--ir", *more)
            self.assertEqual(status, 0, said)
            functions = {f["name"]: f["unbound"] for f in json.loads(out)["functions"]}
            self.assertIsNone(functions["k_f"])
            self.assertIn("write `x: out`", functions["k_g"])

    def test_numbers__other_numbers_need_none(self):
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

    def test_numbers__each_number_beside_an_integer_has_its_own_clause(self):
        found, said = self.numbers("double *x, int n, double *y", "x: out")
        self.assertEqual(found, None)
        self.assertIn("write `y: out`", said)
        self.assertEqual(self.numbers("double *x, int n, double *y", "y: out; x: out"), (["x", "y"], ""))

    def test_numbers__a_number_of_a_function_with_an_array_needs_a_clause(self):
        said = (
            "y: a pointer to a number beside an array may be an array: write `y: out` in its contract if it is one "
            "number, else pass a DLTensor *"
        )
        for parameters in ("int n, const double *x, double *y", "double *y, double a, const double *x, int n"):
            with self.subTest(parameters):
                found, said_of_it = self.numbers(parameters, "x: f64 *n")
                self.assertEqual((found, said_of_it.strip().split("skipped k_f: ")[1]), (None, said))
                self.assertEqual(self.numbers(parameters, "x: f64 *n; y: out"), (["y"], ""))

    def test_numbers__out_is_for_a_number(self):
        place = "k.h:1: f: contract: expected "
        place_of_x = "k.h:1: f: x: "
        for parameters, contract, said in (
            ("const char *x", "x: out", "k.h:1: f: x: `out` is for a pointer to a number that is not const"),
            ("bool x", "x: out", "k.h:1: f: x: `out` is for a pointer to a number that is not const"),
            ("int x", "x: out", place_of_x + "`out` is for a pointer to a number that is not const"),
            ("double *x", "x: out; x: out", place + "one clause for each number, got `out`"),
            (
                "double *x",
                "x: f64",
                place_of_x + "expected `in` or `out` before the dtype, since C's pointer is not const",
            ),
            ("double *x", "x: out f32", place_of_x + "the contract says f32, C says double"),
            ("const double *x", "x: out f64", place_of_x + "`out` is for a pointer to a number that is not const"),
            (
                "double x",
                "x: opt",
                place_of_x + "`opt` is for a tensor, an object, a text or a number behind a pointer",
            ),
            ("double *x", "x: out 3", place + "`;`, got `3`"),
        ):
            with self.subTest(contract):
                self.refused(f"/** @contract {contract} */\nvoid k_f({parameters});", said)

    def test_numbers__in_alone_is_for_a_text(self):
        for parameters in ("const char *x", "const char x[8]"):
            with self.subTest(parameters):
                self.assertEqual(self.numbers(parameters, "x: in", rest=""), ([], ""))
        for parameters in ("double *x", "bool x", "k_pot *x"):
            said = "k.h:1: f: contract: expected `out`, `inout`, `opt` or the dtype of a number, got `in`"
            self.refused(f"{OBJECTS} /** @contract x: in */\nvoid k_f({parameters});", said)

    def test_numbers__one_behind_a_pointer_has_a_dtype_of_c(self):
        for declared, contract, said in (
            ("const void *x", "x: opt", "expected the dtype of the number behind `void *`"),
            ("const void *x", "x: f16", "expected the dtype of a C number, got f16"),
            ("const double **x", "x: f64", "expected a pointer to a number"),
        ):
            with self.subTest(declared):
                status, _, err = bind(
                    self.write(f"/** @contract {contract} */\nvoid k_f({declared});"), "--name", "k", "--ir"
                )
                self.assertEqual((status, without_columns(err).splitlines()[0].split("k.h:1: f: x: ")[-1]), (1, said))


class TestChars(Headers):
    """An array of char, or one with its length, need not end with a NUL: C would read beyond its end."""

    def reason(self, parameters, contract="", rest=""):
        """Why a function is left out; None if it is bound."""
        ir, _ = self.read(f"{rest}\n/** @contract {contract} */\ndouble k_f({parameters});")
        return ir["functions"][-1]["unbound"]

    def test_chars__an_array_needs_a_clause(self):
        said = (
            "x: an array of char need not end with a NUL: write `x: u8[{}]` in its contract for a tensor, or `x: in` "
            "if it is text"
        )
        for declared, length in (("x[], size_t stride, size_t n", "n"), ("x[8]", "8"), ("x[n], int n", "n")):
            with self.subTest(declared):
                self.assertEqual(self.reason(f"const char {declared}"), said.format(length))
                for clause in ("x: in", "x: u8[k]", "x: i8[k]", 'x = "a"', "x: opt"):
                    self.assertIsNone(self.reason(f"const char {declared}", clause))
                self.assertIsNone(self.reason(f"const char {declared}", "", OURS))

    def test_chars__a_length_behind_needs_a_clause(self):
        lengths = ("size_t len", "int n", "unsigned size", "long num_bytes", "int xsize", "int slen", "int x_count")
        for length in lengths:
            with self.subTest(length):
                name = length.split()[1]
                said = (
                    f"x: a `const char *` before its length need not end with a NUL: write `x: u8[{name}]; {name} := "
                    f"{name}` in its contract for a tensor, or `x: in` if it is text"
                )
                self.assertEqual(self.reason(f"const char *x, {length}"), said)
                for clause in ("x: in", f"x: u8[{name}]; {name} := {name}"):
                    self.assertIsNone(self.reason(f"const char *x, {length}", clause))
                self.assertIsNone(self.reason(f"const char *x, {length}", "", "int k_ours(int a, dlf_error *error);"))

    def test_chars__a_length_in_front_needs_a_clause(self):
        name = "int id, const char *name, "
        for parameters in (
            "size_t len, const char *x",
            "int xlen, const char *x, char sep",
            f"{name}size_t len, const char *x",
            "int n, size_t nbytes, const char *x",
        ):
            with self.subTest(parameters):
                length = next(word for word in ("xlen", "nbytes", "len") if word in parameters)
                said = (
                    f"x: a `const char *` after its length need not end with a NUL: write `x: u8[{length}]; {length} "
                    f":= {length}` in its contract for a tensor, or `x: in` if it is text"
                )
                clause = "name: in; " if "name" in parameters else ""
                self.assertEqual(self.reason(parameters, clause), said)
                self.assertIsNone(self.reason(parameters, f"{clause}x: in"))
                self.assertIsNone(self.reason(parameters, f"{clause}x: u8[{length}]; {length} := {length}"))
                self.assertIsNone(self.reason(parameters, "", OURS))

    def test_chars__other_texts_need_none(self):
        for parameters in (
            "int xs, const char *x",
            "int step, const char *s",
            "const char *x",
            "const char *x, int flags",
            "const char *file, int ptsize",
            "int n, const char *x",
            "const char *x, const char *y",
            "const char *x, double size",
        ):
            with self.subTest(parameters):
                self.assertIsNone(self.reason(parameters))
        self.assertIsNone(self.reason("double *y, int len, const char *x", "y: inout f64[len]; len := len"))
        self.assertIsNone(self.reason("const char *y, int ylen, const char *x", "y: in"))


if __name__ == "__main__":
    unittest.main()
