#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The command dlferry-bind: its options, and the files that it writes."""

import json
import re
import unittest

from headers import HERE, LANGUAGES, Headers, bind


class TestCommand(Headers):
    def test_command__says_its_version_and_how_to_use_it(self):
        status, out, _ = bind("--version")
        self.assertEqual(status, 0)
        self.assertRegex(out, r"^dlferry-bind \d+\.\d+\.\d+\n$")
        status, out, _ = bind("--help")
        self.assertEqual(status, 0)
        options = "name prefix lang out source include preprocess ignore-macro ir cases no-tests check strict version"
        for option in options.split():
            self.assertIn(f"--{option}", out)

    def test_command__a_wrong_command_ends_with_status_2(self):
        cases = {
            "": "expected a header",
            "a.h --name a --ir -I b": "-I and -D: expected --preprocess",
            "a.h --name a --ir --preprocess -D 1=2": "-D: expected NAME or NAME=VALUE on one line, got 1=2",
            "a.h -I": "expected a value after -I",
            "a.h -q": "unknown option -q",
            "a.h": "expected --name",
            "a.h --name A": "--name: expected small letters, digits and _, got A",
            "a.h --name a": "expected --out, --ir, --cases, --explain or --new-contracts",
            "a.h --name": "expected a value after --name",
            "a.h --nam3": "unknown option --nam3",
            "a.h --name a --out x --lang c": f"--lang: expected any of {LANGUAGES}, got c",
        }
        for arguments, message in cases.items():
            with self.subTest(arguments):
                self.assertEqual(
                    bind(*arguments.split()), (2, "", f"dlferry-bind: {message}; see dlferry-bind --help\n")
                )
        status, _, said = bind(self.folder / "none.h", "--name", "k", "--ir")
        self.assertEqual(status, 1)
        self.assertIn("none.h: No such file or directory", said)

    def test_command__check_finds_what_differs_and_writes_nothing(self):
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

    def test_command__tests_are_written_checked_and_left_out_when_asked(self):
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

    def test_command__golden_files_say_the_same_in_every_language(self):
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
                self.assertGreater(len(rows), len(cases) // 2, path)  # inexpressible cases are the smaller part

    def test_command__tests_make_handles_in_the_order_in_which_they_need_each_other(self):
        text = "".join(f"typedef struct k_{h} k_{h};\nvoid k_{h}_free(k_{h} *it);\n" for h in "abc")
        text += "int k_b_size(k_b *b);\nk_b *k_b_new(k_a *a);\nk_a *k_a_from(k_a *a);\n"
        text += "k_a *k_a_new(void);\nk_c *k_c_new(k_c *c);"
        status, out, said = bind(self.write(text), "--name", "k", "--cases")
        self.assertEqual((status, said), (0, "dlferry-bind: tests: c_new: no function makes a handle that it takes\n"))
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

    def test_command__line_1_says_how_the_file_was_made_wherever_it_was(self):
        header, source = self.write("int k_f(int x);"), self.write("int k_f(int x) { return x; }", "k.c")
        bind(header, "--name", "m", "--prefix", "k_", "--source", source, "--out", self.folder)
        line = (self.folder / "m_dlferry.c").read_text().splitlines()[0]
        self.assertRegex(line, r"^/\* Generated by dlferry-bind \S+ from k.h; do not edit.")
        self.assertIn("dlferry-bind k.h --name m --prefix k_ --source k.c", line)
        self.assertNotIn(str(self.folder), line)

    def test_command__the_headers_licence_is_that_of_what_is_made_from_it(self):
        for mark, text in [
            ("", "int k_f(int x);"),
            ("MIT OR Apache-2.0", "// SPDX-License-Identifier: MIT OR Apache-2.0\n"),
        ]:
            bind(self.write(text + "int k_g(int x);"), "--name", "k", "--out", self.folder)
            line = (self.folder / "k_dlferry.h").read_text().splitlines()[1]
            self.assertEqual(line == f"/* SPDX-License-Identifier: {mark} */", mark != "")


class TestPackages(Headers):
    def test_command__a_version_that_was_edited_stays(self):
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

    def test_command__c_includes_what_a_header_was_preprocessed_from(self):
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

    def test_command__go_vet_has_its_own_idea_of_some_methods(self):
        text = "typedef struct k_x k_x;\nk_x *k_x_new(void);\nvoid k_x_free(k_x *x);\n"
        names = ("seek", "scan", "format", "read_byte", "write_to", "marshal_json")
        text += "".join(f"int k_x_{name}(k_x *x, int a);\n" for name in names)
        self.assertEqual(bind(self.write(text), "--name", "k", "--lang", "go", "--out", self.folder)[0], 0)
        made = (self.folder / "go/k.go").read_text()
        self.assertEqual(
            re.findall(r"(?m)^func \(\w+ \*X\) (\w+)\(\w+ int32", made),
            ["Seek_", "Scan_", "Format_", "ReadByte_", "WriteTo_", "MarshalJson"],
        )


class TestSkips(Headers):
    def test_command__what_is_not_bound_is_said_once_and_fails_under_strict(self):
        text = "int k_f(void *p);\nint k_g(int x);\n"
        ir, said = self.read(text)
        self.assertEqual(said.count("skipped k_f: p: the type `void *` is not bound"), 1)
        self.assertEqual([f["unbound"] is None for f in ir["functions"]], [False, True])
        status, _, said = bind(self.write(text), "--name", "k", "--ir", "--strict")
        self.assertEqual(status, 1)
        self.assertIn("1 declarations are not bound, and --strict is given", said)


if __name__ == "__main__":
    unittest.main()
