#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""--preprocess: headers after the compiler's own preprocessor; and several headers for one package."""

import json
import os
import subprocess
import unittest

from headers import BIND, ENVIRONMENT, LANGUAGES, Headers, bind

DECLARED = """
#include <stdio.h>
#include "types.h"
#define K_LIMIT 7
#define K_LIST(X, T) \\
  X T K(sum)(const T *x, k_int n); \\
  /** Tell the limit. */ X k_int K(limit)(void);
#define K(name) k_##name
K_LIST(extern, double)
#ifdef K_MORE
/** Add one. */
k_int k_more(k_int x /**< a number */);
#endif
"""


class TestPreprocess(Headers):
    def read_preprocessed(self, text, *options):
        self.write("typedef int k_int; int k_elsewhere(void);\n", "types.h")
        return self.read(text, "--preprocess", *options)[0]

    def test_preprocess__macros_declare_functions(self):
        ir = self.read_preprocessed(DECLARED)
        self.assertEqual([f["name"] for f in ir["functions"]], ["k_sum", "k_limit"])
        self.assertEqual([f["line"] for f in ir["functions"]], [9, 9])
        limit = ir["functions"][1]
        self.assertEqual(limit["summary"], "Tell the limit.")

    def test_preprocess__definitions_folders_and_docs(self):
        (self.folder / "deep").mkdir()
        self.write("typedef long k_int;\n", "deep/types.h")
        header = self.write(DECLARED.replace('"types.h"', "<types.h>"))
        words = (header, "--name", "k", "--preprocess", "--explain", "k_more", "-D", "K_MORE=1")
        status, out, said = bind(*words, "-I", self.folder / "deep")
        self.assertEqual((status, said.count("types.h")), (0, 0), said)
        self.assertIn("Add one.", out)
        self.assertIn("integer i64", out)
        status, _, said = bind(*words, "-I" + str(self.folder / "none"))
        self.assertEqual(status, 1)
        self.assertRegex(said, r"types.h(?s:.)*--preprocess: \S+ -E refuses \S+k.h; its errors are above")

    def test_preprocess__constants_of_the_header_are_known(self):
        contracts = self.write("k_level { level := K_LEVEL; a: i32[n]; n := n }", "k.contracts")
        header = self.write('#include "types.h"\n#define K_LEVEL 3\nvoid k_level(int level, const int *a, int n);\n')
        self.write("#define K_OTHER 3\n", "types.h")
        words = (header, "--name", "k", "--preprocess", "--contracts", contracts, "--out", self.folder / "out")
        self.assertEqual(bind(*words)[::2], (0, ""))
        self.assertIn("K_LEVEL", (self.folder / "out/k_dlferry.c").read_text())
        first = (self.folder / "out/k_dlferry.h").read_text().partition("\n")[0]
        self.assertIn("Command: dlferry-bind k.h --name k --contracts k.contracts --preprocess */", first)

    def test_preprocess__enums_of_included_files_that_are_used(self):
        self.write("enum k_kind { K_A, K_B }; enum k_part { K_C = 2 }; enum k_idle { K_D };\n", "types.h")
        text = '#include "types.h"\nstruct k_plan { enum k_part part; };\nint k_run(enum k_kind kind);\n'
        ir, said = self.read(text + "void k_go(struct k_plan plan);\n", "--preprocess")
        self.assertEqual([e["name"] for e in ir["enums"]], ["k_kind", "k_part"])
        self.assertEqual([f["name"] for f in ir["functions"]], ["k_run", "k_go"], said)

    def test_preprocess__the_compiler_gets_words_and_no_shell(self):
        header = self.write("int k_f(int x);\n", "-o$(touch pwned);'`\".h")
        words = ("--name", "k", "--ir", "--preprocess", "-I", "$(touch pwned)", "-D", "K_X='; touch pwned'")
        done = subprocess.run([BIND, "--", header.name], cwd=self.folder, capture_output=True)
        self.assertEqual(done.returncode, 2)
        done = subprocess.run([BIND, *words, "--", header.name], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn('"k_f"', done.stdout)
        self.assertEqual([path.name for path in self.folder.iterdir()], [header.name])

    def test_preprocess__a_compiler_that_is_missing(self):
        header = self.write("int k_f(int x);\n")
        missing = "cannot run no-such-cc: No such file or directory; set CC to a C compiler"
        for compiler, status, message in (
            ("no-such-cc -m64", 1, f"--preprocess: {missing}"),
            ("false", 1, f"--preprocess: false -E refuses {header}; its errors are above"),
            (" ", 0, ""),
        ):
            with self.subTest(compiler):
                done = subprocess.run(
                    [BIND, header, "--name", "k", "--preprocess", "--ir"],
                    env={**os.environ, **ENVIRONMENT, "CC": compiler},
                    capture_output=True,
                    text=True,
                )
                self.assertEqual((done.returncode, done.stderr), (status, message and f"dlferry-bind: {message}\n"))

    def test_preprocess__several_headers(self):
        first = self.write("typedef enum k_mode { K_A, K_B } k_mode;\n/** One. */\nint k_single(k_mode m);\n", "one.h")
        second = self.write('#include "./one.h"\nint k_pair(k_mode m, int x;\n', "two.h")
        for options in ((), ("--preprocess",)):
            with self.subTest(options):
                second.write_text('#include "./one.h"\nint k_pair(k_mode m, int x;\n')
                if options:  # C itself refuses an enum that is declared twice
                    first.write_text("#pragma once\n" + first.read_text())
                status, _, said = bind(first, second, "--name", "k", "--ir", *options)
                self.assertEqual(status, 1)
                self.assertIn("two.h:2: ", said)
                second.write_text('#include "./one.h"\nint k_pair(k_mode m, int x);\n')
                status, _, said = bind(first, second, "--name", "k", "--out", self.folder / "out", *options)
                self.assertEqual((status, said), (0, ""))
                twin = (self.folder / "out/k_dlferry.h").read_text()
                self.assertIn('#include "one.h"\n#include "two.h"\n', twin)
                self.assertIn("from one.h, two.h;", twin)
        status, _, said = bind(first, first, "--name", "k", "--ir")
        self.assertEqual(status, 1)
        self.assertIn("expected headers with different names, got one.h twice", said)

    def test_preprocess__a_submodule_of_julia_beside_a_type_that_is_a_word_of_julia(self):
        tensor = self.write("typedef struct k_tensor k_tensor;\nvoid k_tensor_free(k_tensor *it);\n", "k_tensor.h")
        more = self.write('#include "k_tensor.h"\nk_tensor *k_tensor_new(void);\n', "k_more.h")
        out = self.folder / "out"
        self.assertEqual(bind(tensor, more, "--name", "k", "--lang", "julia", "--out", out)[0], 0)
        self.assertIn("module Tensor__\nusing ..K: Tensor_\nend", (out / "julia/src/K.jl").read_text())

    def test_preprocess__a_submodule_for_each_header(self):
        pot = "typedef struct k_pot k_pot;\nk_pot *k_pot_new(void);\nvoid k_pot_free(k_pot *pot);\n"
        pot += "/** @deprecated Buy one. */ void k_bake(int size);\n"
        pot = self.write(pot, "k_pot.h")
        sums = self.write(
            '#include "k_pot.h"\ntypedef enum k_mode { K_A, K_B } k_mode;\nint k_mix(k_pot *pot, k_mode mode);\n',
            "Sums_c.h",
        )
        out = self.folder / "out"
        words = (pot, sums, "--name", "k", "--lang", LANGUAGES, "--out", out)
        self.assertEqual(bind(*words)[::2], (0, ""))
        self.assertIn("from . import (\n    Mode,\n    mix,\n)", (out / "python/k/sums.py").read_text())
        self.assertIn("from . import (\n    Pot,\n    bake,\n)", (out / "python/k/pot.py").read_text())
        rust = (out / "rust/src/lib.rs").read_text()
        self.assertIn("pub mod sums {\n    pub use super::Mode;\n    pub use super::mix;\n}", rust)
        self.assertIn("#[allow(deprecated)]\npub mod pot {\n    pub use super::Pot;\n    pub use super::bake;\n}", rust)
        julia = (out / "julia/src/K.jl").read_text()
        self.assertIn("module Sums\nusing ..K: Mode, A, B, mix\nend", julia)
        self.assertIn("module Pot_\nusing ..K: Pot, pot_new, bake\nend", julia)
        ir = json.loads(bind(pot, sums, "--name", "k", "--ir")[1])
        self.assertEqual([h["module"] for h in ir["headers"]], ["pot", "sums"])
        self.assertEqual([f["header"] for f in ir["functions"]], [0, 0, 1])

    def test_preprocess__names_that_clash_say_what_to_write(self):
        one = self.write("int k_one(int a);\n", "a.h")
        for name, declared, message in (
            ("A_c.h", "int k_two(int a);", ":1: its submodule is called a_h, since that of a.h is called a\n"),
            (
                "k_one.h",
                "int k_two(int a);",
                ":1: its submodule is called one_h, since k_one is called one: write `k_one { rename NAME }` in a file "
                "of contracts\n",
            ),
        ):
            with self.subTest(name):
                header = self.write(declared, name)
                status, ir, said = bind(one, header, "--name", "k", "--ir")
                self.assertEqual(status, 0)
                self.assertIn(message, said)
                self.assertTrue(json.loads(ir)["headers"][1]["module"].endswith("_h"))
                out = self.folder / f"out_{name}"
                self.assertEqual(bind(one, header, "--name", "k", "--lang", LANGUAGES, "--out", out)[0], 0)
                self.assertTrue((out / "julia/src/K.jl").exists())
        _, _, said = bind(one, self.write("int K_One(int a);", "b.h"), "--name", "k", "--out", self.folder / "out")
        self.assertIn(
            "k_one is called one without the prefix already: write `K_One { rename NAME }` in a file of contracts", said
        )


unittest.main()
