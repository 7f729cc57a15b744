#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each mistake in a contract is reported at its own line and column, in a comment and in a file of contracts.

The mark @ stands before the byte at which the message must point.
"""

import unittest

from headers import Headers, bind

DECLARED = (
    "int k_f(const DLTensor *x, const DLTensor *y, double s, int n, enum k_e mode, k_pot *pot, DLTensor *out, "
    "dlf_error *e);"
)
HEAD = "typedef struct k_pot k_pot;\nk_pot *k_pot_new(void);\nvoid k_pot_free(k_pot *pot);\nenum k_e { K_A, K_B };\n"

# A clause, with the mark @ before the byte that the message must point at, and a part of the message.
CLAUSES = (
    (
        "x: f32[n] @noallias",
        "expected a property (strided, rows, fortran, dense, samelayout, noalias, align, samedevice, ",
    ),
    ("x: @flaot32[n]", "expected a dtype, did you mean f32"),
    ("x: @double[n]", "expected the dtype f64"),
    ("x: f32[n @; n > 0", "expected `,` or `]`"),
    ("x: f32[]@]", "expected `;`"),
    ("x: f32[@q + 1]", "`q+1` uses q before anything binds it"),
    ("x: @T[n]", "expected a clause for the type variable T"),
    ("@z: f32[n]", "expected the name of a tensor, a list or an array"),
    ("x: f32[n]; x: @f32[n]", "expected one clause for each tensor"),
    ("x: f32[n] align @3", "expected an alignment, a power of two"),
    ("x: f32[n] rows @fortran", "expected one layout"),
    ("x: f32[n] cpu @cuda", "expected one device property"),
    ("out: like @z", "expected the name of a tensor"),
    ("s > 0 @and s < 1", "a condition is one comparison"),
    ("slow; @slow", "expected each word once"),
    ("slow; @fast", "expected `slow` or `fast`, not both"),
    ("s <@> 0", "expected a number or a name"),
    ("@n = 300000000000", "default of n does not fit"),
    ("mode = @K_C", "k_e has no enumerator K_C"),
    ("n := @K_C", "nothing binds K_C, and the header has no such constant"),
    ("return: status @ok K_C", "the header has no such constant"),
    ("return: @stauts", "expected `status`, `opt`, `value`, `ignored`, `gives`, `borrows` or `text`, got `stauts`"),
    ("@slwo", "or one of the words slow, fast, threadsafe, unchanged, lock NAME, hide, rename NAME, method, property"),
    (
        "@hide me",
        "or one of the words slow, fast, threadsafe, unchanged, lock NAME, hide, rename NAME, method, property",
    ),
    ("rename a; @rename b", "expected one `rename`"),
    ("@rename 3d", "`rename`: expected a name"),
    ("@keeps x on pot", "`keeps`: expected `keeps NAME in result`, or the name of a handle"),
    ("@keeps x in pan", "expected the name of a handle that callers pass"),
    ("@keeps s in pot", "expected the name of an integer, a tensor or an object"),
    ("lock a; @lock b", "expected one `lock`"),
    ("property; @method", "expected one of `method` and `property`, once"),
    ("x: @inout f32[n]", "inout is for a DLTensor * that is not const"),
    ("s: @opt", "`opt` is for a tensor, an object, a text or a number behind a pointer"),
    ("x: f32[@hook(k_none)]", "expected a function of this header"),
    ("x: f32[q]; q > @hook(k_none(q))", "expected a function of this header"),
    ("x: f32[q]; @T in f32", "`T in f32`: no tensor has the dtype T"),
    ("x: f32[q]; n := @q / (q - q)", "division may be by 0: needs the divisor of `q/(q-q)` > 0"),
    ("@property", "expected a method that takes its object alone"),
)


# Outside of contracts of functions: a whole file, with the same mark.
FILES = (
    ("# a comment\n@{ }", "expected the name of a function"),
    ("k_f { slow }\n  @k_g { slow }", "k_g: the header has no such function"),
    ("k_f { slow }\n @k_f { fast }", "k_f has a contract in line 1 already"),
    ("every @k_g* { slow }", "k_g*: the header has no such function"),
    ("every k_* { slow;\n  @slwo }", "`slwo` suits none of its functions"),
    ("handle k_pot freed k_pot_free made\n  @k_jar;", "handle k_pot: the header has no function k_jar"),
    ("handle @k_pan freed k_pot_free;", "handle k_pan: no function of the header has this type"),
    ("handle k_pot @free k_pot_free;", "handle k_pot: expected `freed` or `init`, and a function, or `unowned`"),
    ("family f { T in f32 @k_f }", "family f: expected `:`"),
    ("handle k_pot freed k_pot_free @mad k_pot_new;", "handle k_pot: expected `made` or `;`"),
    ("family g {\n T in f32: k_f | f64: @k_none }", "family g: callers have no function k_none"),
    ("@k_f { slow\n\n", "k_f: expected `}`, got the end of the file"),
)


class TestPlaces(Headers):
    def expect(self, marked, message, name, header, *options):
        at = marked.index("@", marked.index("contract ") + 8 if name == "k.h" else 0)
        line, column = marked.count("\n", 0, at) + 1, at - marked.rfind("\n", 0, at)
        status, _, said = bind(self.write(header), "--name", "k", "--ir", *options, cwd=self.folder)
        lines = said.replace(str(self.folder) + "/", "").replace("dlferry-bind: ", "").splitlines()
        self.assertEqual(status, 1, said)
        named = [text for text in lines if message in text]
        self.assertTrue(named, said)
        self.assertTrue(named[0].startswith(f"{name}:{line}:{column}: "), f"wanted {line}:{column}, got {named[0]}")

    def test_places__in_a_file_of_contracts(self):
        for clause, message in CLAUSES:
            with self.subTest(clause):
                marked = "# a comment; of two\nk_f { threadsafe;  # another\n  " + clause + " }\n"
                path = self.write(marked.replace("@", ""), "k.contracts")
                self.expect(marked, message, "k.contracts", HEAD + DECLARED, "--contracts", path)

    def test_places__in_a_comment(self):
        for clause, message in CLAUSES:
            for start, end in (
                ("/** Do.\n *  @contract threadsafe;\n *    ", " */\n"),
                ("/// Do.\n/// @contract threadsafe\n///   \\contract ", "\n"),
                ("/** @contract threadsafe; ", "\n *  @return a number */\n"),
            ):
                with self.subTest(start + clause):
                    header = HEAD + start + clause + end + DECLARED
                    plain = HEAD + start + clause.replace("@", "") + end + DECLARED
                    shown = header.replace("@contract", "#contract").replace("@return", "#return")
                    self.expect(shown, message, "k.h", plain)

    def test_places__of_other_clauses_of_a_file(self):
        for marked, message in FILES:
            with self.subTest(marked):
                path = self.write(marked.replace("@", ""), "k.contracts")
                self.expect(marked, message, "k.contracts", HEAD + DECLARED, "--contracts", path)

    def test_places__a_rename_that_makes_a_function_of_a_method_is_said(self):
        header = HEAD + "int k_pot_size(const k_pot *pot);\n"
        path = self.write("k_pot_size {\n  slow; rename volume }\n", "k.contracts")
        status, _, said = bind(self.write(header), "--name", "k", "--ir", "--contracts", path, cwd=self.folder)
        self.assertEqual(status, 0)
        self.assertIn("k.contracts:2:9: k_pot_size: `rename volume` makes it a function: ", said)
        self.assertIn(": `rename pot_volume` keeps it a method of pot\n", said)
        path = self.write("k_pot_size { rename pot_volume }\n", "k.contracts")
        said = bind(self.write(header), "--name", "k", "--ir", "--contracts", path, cwd=self.folder)[2]
        self.assertNotIn("makes it a function", said)

    def test_places__of_a_members_contract(self):
        header = "void k_s(const float *x, int n);\nvoid k_d(const double *x, int n);\n"
        for marked, message in (
            ("family f { T in f32: k_s | f64: k_d }\nk_? { n := n; x: T[n] @noallias }", "expected a property"),
            ("family f { T in f32: k_s | f64: k_d }\nk_? { n := n; x: T[@m + 1] }", "uses m before anything binds it"),
            (
                "family f { T in f32: k_s | f64: k_d }\nk_? { x: T[n]; n := n; n < @hook(k_n(n)) }",
                "`hook` cannot stand in the contract of a member of a family, which is f",
            ),
        ):
            with self.subTest(marked):
                path = self.write(marked.replace("@", ""), "k.contracts")
                self.expect(marked, message, "k.contracts", header + "int k_n(int n);\n", "--contracts", path)


if __name__ == "__main__":
    unittest.main()
