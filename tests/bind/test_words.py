#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Docs of packages describe arrays and limits in words, in each language's own format."""

import json
import tempfile
import unittest
from pathlib import Path

from headers import bind

# A clause of x, and its words; the types of T are f32|f64, those of U any.
CLAUSES = {
    "f32[n]": "array of float32 with shape (n,), contiguous",
    "f32|f64|i8[h, w]": "array of float32, float64 or int8 with shape (h, w), row-major",
    "T[h, w] strided": "array of float32 or float64 with shape (h, w), any strides",
    "U[h, w, 3] fortran": "array of any dtype with shape (h, w, 3), column-major",
    "any[h, w] rows": "array of any dtype with shape (h, w), no gaps inside a row",
    "any[...] dense": "array of any dtype of any shape, no gaps, axes in any order",
    "f64[]": "array of float64 without axes",
    "f64[_]": "array of float64 with shape (any,), contiguous",
    "u8[n, ...]": "array of uint8 with shape (n, ...), row-major",
    "inout f64[n] noalias": "array of float64 with shape (n,), contiguous, no memory shared with other arguments; "
    "it is read and written",
    "f32[n] align 64": "array of float32 with shape (n,), contiguous, aligned to 64 bytes",
    "f32[n] cuda|rocm": "array of float32 with shape (n,), contiguous, on cuda or rocm",
    "f32[n] anydevice": "array of float32 with shape (n,), contiguous, on any device",
    "opt bool[n]": "array of bool with shape (n,), contiguous",
}
OUTPUTS = {
    "like x": "array of the dtype and shape of x",
    "T[m] samedevice": "array of the dtype of x with shape (m,), contiguous, on the device of the first array",
    "f32[m/2, m/^2]": "array of float32 with shape (m/2 rounded down, m/2 rounded up), row-major",
    "f32[hook(k_size)]": "array of float32 with shape (k_size(...),), contiguous",
}
LIMITS = {
    "a > 0": "a > 0",
    "a > 0; a <= 9": "a > 0 and a <= 9",
    "a in 1..9": "1 <= a <= 9",
    "a % 3": "a is a multiple of 3",
}


class TestWords(unittest.TestCase):
    def docs(self, header, contracts=None):
        """The docs in every language."""
        with tempfile.TemporaryDirectory() as name:
            (Path(name) / "k.h").write_text("#include <dlferry.h>\n" + header + "\n")
            command = [f"{name}/k.h", "--name", "k", "--strict", "--no-tests", "--lang", "python,rust,go,julia"]
            if contracts:
                (Path(name) / "k.contracts").write_text(contracts)
                command += ["--contracts", f"{name}/k.contracts"]
            status, _, said = bind(*command, "--out", f"{name}/out")
            self.assertEqual(status, 0, said)
            files = ("python/k_python.c", "rust/src/lib.rs", "go/k.go", "julia/src/K.jl")
            return {file: (Path(name) / "out" / file).read_text() for file in files}

    def shown(self, contract, header, words, clause):
        for file, text in self.docs(f"/** Do it.\n *  @contract {contract} */\n{header}").items():
            with self.subTest(contract, file=file):
                self.assertIn(words, text)
                beside = {"python/k_python.c": "Contract: ", "go/k.go": f"{words}: {clause}"}
                self.assertIn(beside.get(file, f"{words}: `{clause}`"), text)

    def test_words__of_inputs(self):
        for clause, words in CLAUSES.items():
            types = "".join(
                f";  {name} in {what}" for name, what in (("T", "f32|f64"), ("U", "any")) if f"{name}[" in clause
            )
            const = "" if clause.startswith("inout") else "const "
            self.shown(f"x: {clause}{types}", f"void k_f({const}DLTensor *x);", words, clause)

    def test_words__of_outputs(self):
        for clause, words in OUTPUTS.items():
            contract = f"x: T[n];  m > 0;  out: {clause};  T in f32|f64"
            header = "int64_t k_size(int32_t m);\nvoid k_f(const DLTensor *x, int32_t m, DLTensor *out);"
            header = header.split("\n")
            text = f"{header[0]}\n/** Do it.\n *  @contract {contract} */\n{header[1]}"
            for file, docs in self.docs(text).items():
                with self.subTest(clause, file=file):
                    self.assertIn(words, docs)

    def test_words__of_lists_and_numbers(self):
        contract = "x: f32[h, w] *n;  weights: f64 *n"
        text = f"/** @contract {contract} */\nvoid k_f(const DLTensor *const *x, const double *weights, int32_t n);"
        for file, docs in self.docs(text).items():
            with self.subTest(file):
                self.assertIn("n arrays, each an array of float32 with shape (h, w), row-major", docs)
                self.assertIn("numbers, float64", docs)

    def test_words__of_a_deprecated_function(self):
        """A paragraph of its own in Go, which staticcheck sees, an attribute or a decorator elsewhere."""
        wanted = {
            "python/k_python.c": "f() is deprecated: Use g.",
            "rust/src/lib.rs": '#[deprecated = "Use g."]\n',
            "go/k.go": "//\n// Deprecated: Use g.\nfunc F(",
            "julia/src/K.jl": '!!! warning "Deprecated"\n    Use g.\n',
        }
        for file, docs in self.docs("/** Do it.\n *  @deprecated Use g. */\nvoid k_f(int32_t a);").items():
            with self.subTest(file):
                self.assertIn(wanted[file], docs)

    def test_words__of_an_attribute(self):
        """It says what @deprecated does, which goes before."""
        for attribute in ('[[deprecated("Use g.")]] %s;', '%s __attribute__((cold, __deprecated__("Use" " g.")));'):
            for before in ("", "/** @deprecated Use g. */ __attribute__((deprecated)) "):
                docs = self.docs(before + attribute % "void k_f(int32_t a)")
                self.assertIn('#[deprecated = "Use g."]\n', docs["rust/src/lib.rs"])
                self.assertIn("// Deprecated: Use g.\nfunc F(", docs["go/k.go"])
        docs = self.docs("__declspec(deprecated) void k_g(void); void k_f(int32_t a);")
        self.assertEqual(docs["go/k.go"].count("Deprecated: the C header says so."), 1)

    def test_words__of_a_file_of_contracts(self):
        """What C keeps, lends, frees and reports, and a lock."""
        header = """typedef struct k_plan *k_plan;
k_plan k_plan_make(int n, const double *in, double *out);
void k_plan_drop(k_plan plan);
void k_plan_show(k_plan plan, int *len, const float **out);
void k_plan_copy(k_plan plan, int *len, const float **out);
double *k_range(int n);
void k_release(double *memory);
int k_bound(int n);
void k_pack(const double *x, int n, double *out, int *written);
void k_some(double *out, int *written);
"""
        contracts = """handle k_plan freed k_plan_drop;
k_plan_make { n := n;  in: f64[n];  out: out f64[n];  keeps in in result;  keeps out in result;  lock planner }
k_plan_show { out: gives f32[len] lent until free }
k_plan_copy { out: gives f32[len] copied }
k_range { return: gives f64[n] freed k_release;  n >= 0 }
k_pack { x: f64[r];  n := r;  out: out f64[m <= hook(k_bound(r))];  m := *written }
k_some { out: out f64[m <= _];  m := *written }
"""
        wanted = (
            "array of float64 with shape (n,), contiguous; C keeps it as long as the plan",
            "array of float32 with shape (len,), contiguous; it is memory of plan, which it keeps open",
            "array of float32 with shape (len,), contiguous; it is a copy",
            "array of float64 with shape (n,), contiguous; k_release frees its memory",
            "array of float64 with shape (m,), contiguous; m is at most k_bound(...), as C reports",
            "array of float64 with shape (m,), contiguous; m is what C reports",
            "n follows from the other arguments; calls with the lock planner run one at a time",
        )
        for file, docs in self.docs(header, contracts).items():
            for words in wanted:
                with self.subTest(words, file=file):
                    self.assertIn(words, docs)

    def test_words__of_limits_are_of_symbols_not_of_calls(self):
        """`max(2, 8)` is a call, not the parameter max."""
        with tempfile.TemporaryDirectory() as name:
            header = Path(name) / "k.h"
            contract = "/** @contract n <= max(2, 8) */"
            header.write_text(f"#include <stdint.h>\n{contract}\nvoid k_f(int32_t n, int32_t max);\n")
            status, ir, said = bind(header, "--name", "k", "--ir")
        self.assertEqual(status, 0, said)
        n, most = json.loads(ir)["functions"][0]["params"]
        self.assertEqual((n.get("limits"), most.get("limits")), ("n <= max(2,8)", None))

    def test_words__of_limits(self):
        for limits, words in LIMITS.items():
            for file, docs in self.docs(f"/** @contract {limits} */\nvoid k_f(int32_t a);").items():
                with self.subTest(limits, file=file):
                    self.assertIn(words, docs)


if __name__ == "__main__":
    unittest.main()
