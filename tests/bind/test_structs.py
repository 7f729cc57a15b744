#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Structs with public fields: which are bound, and what is said of others.

test_structs.py DLFERRY_BIND CC compiles the twins against headers whose structs have changed.
"""

import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CC = sys.argv.pop(2) if len(sys.argv) > 2 else "cc"

from headers import HERE, Headers, bind  # noqa: E402

HEADER = (HERE / "structs.h").read_text()


class TestStructs(Headers):
    def unbound(self, function):
        ir, _ = self.read(HEADER, "--name", "structs")
        return next(f["unbound"] for f in ir["functions"] if f["name"] == function)

    def test_structs__what_no_field_can_be(self):
        for function, said in [
            ("structs_of_bits", "its field `kind` is a bit-field: write `struct structs_bits { hide kind }`"),
            ("structs_of_pair", "its field without a name is a union"),
            ("structs_of_node", "its field `next` is of the type `struct structs_node *`: write `struct structs_node"),
            ("structs_of_square", "its field `cells` is an array: write `struct structs_square { hide cells }`"),
            ("structs_of_row", "its field `cells` is an array without a length"),
        ]:
            with self.subTest(function):
                self.assertIn(said, self.unbound(function))

    def test_structs__an_array_of_char_is_a_text(self):
        self.assertIsNone(self.unbound("structs_of_label"))

    def test_structs__a_pointer_needs_a_clause(self):
        f = self.first("typedef struct k_p { int x; } k_p;\nint k_f(const k_p *p);\n")
        self.assertIn("write `NAME: in` in its contract for one `k_p`", f["unbound"])

    @unittest.skipUnless(shutil.which("gofmt"), "gofmt is missing")
    def test_structs__go_is_as_gofmt_writes_it(self):
        clauses = HERE.parent / "clauses"
        command = [clauses / "clauses.h", "--name", "clauses", "--contracts", clauses / "clauses.contracts"]
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(bind(*command, "--lang", "go", "--out", folder)[0], 0)
            written = Path(folder, "go").glob("*.go")
            said = subprocess.run(["gofmt", "-d", *written], check=True, capture_output=True, text=True).stdout
            self.assertEqual(said, "")

    def test_structs__generated_tests_pass_their_defaults(self):
        with tempfile.TemporaryDirectory() as folder:
            command = [HERE / "structs.h", "--name", "structs", "--contracts", HERE / "structs.contracts"]
            status, _, said = bind(*command, "--lang", "python,rust,go,julia", "--out", folder)
            self.assertEqual((status, "no accepted call" in said), (0, False), said)
            for path, words in (
                ("python/tests/golden.txt", 'find/accepted\tOK\t\tkey="defaults"\ttimes=2'),
                ("python/tests/test_contract.py", "reads(structs.find, key=defaults(structs.Key), times=plain)"),
                ("rust/tests/contract.rs", "structs::find(&structs::Key::default(), call.value("),
                ("go/structs_contract_test.go", '{"", KeyDefaults, ""},'),
                ("julia/test/runtests.jl", "Structs.find(Structs.Key(), "),
            ):
                with self.subTest(path):
                    self.assertIn(words, Path(folder, path).read_text())
            self.assertNotIn("const Key", Path(folder, "go/structs.go").read_text())  # the type has that name

    def test_structs__no_call_without_a_default_that_an_enum_has(self):
        header = "typedef enum k_e { K_A = 3 } k_e;\ntypedef struct k_s { k_e e; } k_s;\nint k_f(k_s s, int n);\n"
        for block, wanted in (("", True), ("struct k_s { e = K_A }", False)):
            contracts = self.write(f"{block}\nk_f {{ n > 0 }}", "k.contracts")
            given = ["--name", "k", "--contracts", contracts, "--lang", "python", "--out", self.folder / "out"]
            status, _, said = bind(self.write(header), *given)
            self.assertEqual((status, "f: no accepted call found" in said), (0, wanted), said)

    def test_structs__no_object_beside_it(self):
        header = "typedef struct k { int x; } k;\nk *k_new(void);\nvoid k_free(k *it);\nint k_f(k *it);\n"
        contracts = self.write("handle k freed k_free; struct k { x = 1 }", "k.contracts")
        status, _, said = bind(self.write(header), "--name", "k", "--contracts", contracts, "--ir")
        self.assertEqual(status, 1)
        self.assertIn("struct k: `handle k` makes it an object: expected one of the two", said)

    def test_structs__a_class_gives_its_object_alone(self):
        header = "typedef struct k k;\ntypedef struct k_info { int x; } k_info;\n%svoid k_free(k *it);\n"
        opens = "k *k_open(const char *path, k_info *info);\n"
        contracts = self.write("handle k freed k_free made k_open, k_new; k_open { info: inout }", "k.contracts")
        options = ["--name", "k", "--contracts", contracts, "--lang", "python", "--out", self.folder]
        for makers, expected in (
            (opens + "k *k_new(int size);\n", "def __new__(cls, size: int) -> Self"),
            (opens + "k *k_new(const char *name);\n", "def open(path: str, info: Info) -> OpenResult"),
        ):
            status, _, said = bind(self.write(header % makers), *options)
            self.assertEqual(status, 0, said)
            self.assertIn(expected, (self.folder / "python/k/__init__.pyi").read_text())

    def compiles(self, *changes):
        """Make the twins of structs.h, change the header, and compile them against it."""
        with tempfile.TemporaryDirectory() as folder:
            contracts = HERE / "structs.contracts"
            status, _, _ = bind(HERE / "structs.h", "--name", "structs", "--contracts", contracts, "--out", folder)
            self.assertEqual(status, 0)
            text = HEADER
            for old, new in changes:
                self.assertIn(old, text)
                text = text.replace(old, new)
            Path(folder, "structs.h").write_text(text)
            command = [CC, "-std=c11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", f"-I{folder}"]
            command += [f"-I{HERE.parents[1] / 'core/include'}", Path(folder, "structs_dlferry.c")]
            done = subprocess.run(command, capture_output=True, text=True)
            return done.stderr if done.returncode else ""

    def test_structs__fields_of_a_parameter_without_a_name(self):
        header = "typedef struct k_p { int x; } k_p;\nint k_f(int, const k_p *, double);\n"
        self.write("k_f { arg2: fields;  x >= 1;  arg3 > 0 }", "k.contracts")
        f = self.first(header, "--contracts", str(self.folder / "k.contracts"))
        self.assertEqual([p["name"] for p in f["params"]], ["arg1", "x", "arg3"])

    def test_structs__a_field_may_move(self):
        self.assertEqual(self.compiles(), "")
        moved = ("  double gain; /**< a factor */\n  int rate;\n", "  int rate;\n  char more;\n  double gain;\n")
        self.assertEqual(self.compiles(moved), "")

    def test_structs__a_field_that_is_gone_or_has_another_type_does_not_compile(self):
        for old, new, said in [
            ("  int rate;\n", "  long rate;\n", "structs_format.rate is no int: make the package again"),
            ("  int rate;\n", "  unsigned rate;\n", "structs_format.rate is no int"),
            ("  int rate;\n", "  int rate : 20;\n", "bit-field"),
            ("  int rate;\n", "", "rate"),
            ("  const float *in;\n", "  const double *in;\n", "structs_data.in is no const float *"),
            ("  long count, used;\n", "  int count;\n  long used;\n", "structs_data.count is no long"),
            ("  float m[9];\n", "  float m[8];\n", "structs_key.m is no float[9]: make the package again"),
            ("  float m[9];\n", "  double m[9];\n", "structs_key.m is no float[9]"),
            ("  float m[9];\n", "  float *m;\n", "structs_key.m is no float[9]"),
            ("_KEY 20", "_KEY 32", "structs_key.id is no unsigned char[20]"),
        ]:
            with self.subTest(new):
                self.assertIn(said, self.compiles((old, new)))


if __name__ == "__main__":
    unittest.main()
