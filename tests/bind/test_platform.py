#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Twins where `long` or `size_t` has 32 bits: limits follow C's type, and pointers to such elements do not compile."""

import shutil
import subprocess
import unittest

from headers import HERE, Headers, bind

HEADER = """#include <stddef.h>
#include <stdint.h>
#include <dlferry.h>
/** @contract x: u64[n]; n := n */
double k_sum(const unsigned long *x, long n);
/** @contract y: out u64[m]; m := m; m == k */
void k_fill(uint64_t *y, uint64_t m, int64_t k);
/** @contract x: f64[n]; c := n * 1000000 */
double k_size(const DLTensor *x, size_t c);
/** @contract x: i64 *n */
double k_list(const long *x, size_t n);
/** @contract x: i64|f64[n]; x := array_interface(x) */
double k_shown(char const *x);
/** @contract x: any[...]; size := bytes(x) */
void k_bytes(const void *x, unsigned long long size);
"""
NARROW = "expected {} to have 64 bits: declare int64_t or uint64_t in the header"


class TestPlatform(Headers):
    def twin(self):
        status, _, said = bind(self.write(HEADER), "--name", "k", "--out", self.folder)
        self.assertEqual((status, said), (0, ""))
        return self.folder / "k_dlferry.c"

    def compile(self, *options):
        if not shutil.which("cc"):
            self.skipTest("needs cc")
        include = HERE.parent.parent / "core/include"
        warnings = ("-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror", "-fsyntax-only")
        done = subprocess.run(
            ["cc", *warnings, *options, f"-I{self.folder}", f"-I{include}", self.folder / "k_dlferry.c"],
            capture_output=True,
            text=True,
        )
        return done.returncode, done.stderr

    def test_platform__limits_are_those_of_c_s_type(self):
        text = self.twin().read_text()
        for line in (
            "if (dlf_derived_c < INT64_C(0) || (sizeof(size_t) < 8 && dlf_derived_c > INT64_C(4294967295)))",
            "INT64_C(0), sizeof(size_t) < 8 ? INT64_C(4294967295) : INT64_C(9223372036854775807), error);",
            "(sizeof(long) < 8 && dlf_derived_n > INT64_C(2147483647))",
            "if ((sizeof(size_t) < 8 && x_count > INT64_C(4294967295)))",
            "if (dlf_derived_m < INT64_C(0))\n",
            "if (dlf_derived_size < INT64_C(0))\n",
        ):
            with self.subTest(line):
                self.assertIn(line, text)

    def test_platform__elements_of_another_width_are_refused_by_the_compiler(self):
        text = self.twin().read_text()
        for where, c in (("sum: x", "unsigned long"), ("list: x", "long")):
            self.assertIn(f'_Static_assert(sizeof({c}) == 8, "{where}: {NARROW.format(c)}");\n', text)
        self.assertEqual(text.count("_Static_assert("), 2)

    def test_platform__the_twin_compiles_where_long_has_64_bits(self):
        self.twin()
        self.assertEqual(self.compile(), (0, ""))

    def test_platform__the_twin_says_what_is_wrong_where_long_has_32_bits(self):
        self.twin()
        (self.folder / "gnu").mkdir()
        (self.folder / "gnu/stubs-32.h").write_text("")  # all that glibc's headers lack without its 32-bit package
        multiarch = subprocess.run(["cc", "-print-multiarch"], capture_output=True, text=True).stdout.strip()
        options = ("-m32", f"-I/usr/include/{multiarch}", "-Wno-error")
        probe = self.folder / "probe.c"
        probe.write_text("#include <dlferry.h>\n")
        include = f"-I{HERE.parent.parent / 'core/include'}"
        tried = subprocess.run(
            ["cc", *options, "-fsyntax-only", f"-I{self.folder}", include, probe], capture_output=True
        )
        if tried.returncode:
            self.skipTest("the compiler has no headers for 32 bits")
        status, said = self.compile(*options)
        self.assertEqual((status, said.count("error:")), (1, 2), said)
        self.assertIn(f"sum: x: {NARROW.format('unsigned long')}", said)


if __name__ == "__main__":
    unittest.main()
