#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Names with another meaning in a language, and their replacements."""

import unittest

from headers import Headers, bind


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

    def test_names__no_name_hides_what_python_needs(self):
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
        self.assertIn('"it\'s ?\\?/"', (self.folder / "python/k_python.c").read_text())  # "??/" is a backslash to C11

    def test_names__a_package_of_julia_has_another_name_than_its_types(self):
        text = "typedef struct k_k k_k; k_k *k_k_open(void); void k_k_free(k_k *it);"
        self.assertEqual(bind(self.write(text), "--name", "k", "--lang", "julia", "--out", self.folder)[0], 0)
        self.assertIn("module LibK\n", (self.folder / "julia/src/LibK.jl").read_text())
        self.assertIn('name = "LibK"\n', (self.folder / "julia/Project.toml").read_text())
        self.assertIn("using LibK", (self.folder / "julia/README.md").read_text())

    def test_names__what_julia_means_something_by_is_no_name_of_a_parameter(self):
        text = "int k_f(int ccall, int where, int begin);"
        self.assertEqual(bind(self.write(text), "--name", "k", "--lang", "julia", "--out", self.folder)[0], 0)
        self.assertIn("f(ccall_::Integer, where_::Integer, begin_::", (self.folder / "julia/src/K.jl").read_text())

    def test_names__two_streams_are_the_same_one(self):
        text = "#include <dlferry.h>\nvoid k_f(dlf_stream a, const DLTensor *x, dlf_stream b);"
        self.assertEqual(bind(self.write(text), "--name", "k", "--lang", "python", "--out", self.folder)[0], 0)
        made = (self.folder / "python/k_python.c").read_text()
        for line in (" roles[] = {", "dlf_stream stream;", "k_f_checked(stream, t[0].c, stream, "):
            self.assertEqual(made.count(line), 1, line)

    def test_names__godoc_is_as_gofmt_wants_it(self):
        doc = "/** F.\n * ''x'' and ``y``.\n *\n * ---\n * @code\n * g();\n * @endcode */\nvoid k_f(int x);"
        bind(self.write(doc), "--name", "k", "--lang", "go", "--out", self.folder)
        self.assertIn('// F: F.\n//\n// "x" and "y".\n//\n// g();\n//\n', (self.folder / "go/k.go").read_text())

    def test_names__texts_and_axes_may_have_the_names_that_twins_need(self):
        declarations = (
            "int k_log(char *error);\nint k_size(const char *error, int n);\n"
            "int k_list(const char *const *error, int n);\n"
            "int k_axes(const float *error, const size_t *i, int k_axes_rank);\n"
            "typedef struct k_s { const float *error; int n; } k_s;\nint k_sum(const k_s *of);\n"
        )
        contracts = (
            "k_log { error: in text }\nk_size { error: text[n] }\nk_list { error: text *n }\n"
            "k_sum { of: fields; error: f32[n]; n := n }\n"
            "k_axes { error: f32[n, 2]; i := strides(error); k_axes_rank := rank(error) }\n"
        )
        given = ["--contracts", self.write(contracts, "k.contracts")]
        status, _, said = bind(self.write(declarations), "--name", "k", "--out", self.folder, *given)
        self.assertEqual((status, said), (0, ""))
        twin = (self.folder / "k_dlferry.c").read_text()
        for passed in (
            "(char *)(uintptr_t)dlf_named_error",
            "(const char *)dlf_named_error",
            "(const char *const *)(uintptr_t)dlf_named_error",
            "(int)strlen(dlf_named_error)",
            "dlf_struct_of.error = (const float *)dlferry_first(dlf_named_error.tensor);",
            "(int)dlf_named_error.tensor->ndim",
            "dlf_i < dlf_named_error.tensor->ndim",
        ):
            self.assertIn(passed, twin)

    def settled(self, text, *options):
        out = self.folder / "out"
        status, _, said = bind(
            self.write(text), "--name", "k", "--lang", "python,rust,go,julia", "--out", out, *options
        )
        return (
            status,
            said.replace("dlferry-bind: ", ""),
            sorted(path.name for path in out.iterdir()) if out.exists() else [],
        )

    def test_names__one_clash_leaves_out_one_function(self):
        for text, said in (
            (
                "int hz1(int a);\nint hz_1(int a);\nint k_f(int a);",
                "k.h:2: skipped hz_1: hz1 and hz_1 would both be called Hz1 in Go: write `hz_1 { rename NAME }` in a "
                "file of contracts\n",
            ),
            (
                "int k_g(int hz1, int hz_1);\nint k_f(int a);",
                "k.h:1: skipped k_g: k_g: hz1 and k_g: hz_1 would both be called hz1 in Go: give one of them "
                "another name in the header\n",
            ),
            (
                "int k_g(int n, int N);\nint k_f(int a);",
                "k.h:1: skipped k_g: k_g: n and k_g: N would both be called n in Rust: give one of them another "
                "name in the header\n",
            ),
            (
                "enum k_e { K_HZ1, K_HZ_1 };\nint k_f(enum k_e a);",
                "k.h:1: K_HZ_1 is called KHz1 in Go, since K_HZ1 is called Hz1\n",
            ),
        ):
            with self.subTest(text):
                status, lines, made = self.settled(text)
                self.assertEqual((status, lines), (0, said))
                self.assertIn("julia", made)
                self.assertIn("fn f(", (self.folder / "out/rust/src/lib.rs").read_text())

    def test_names__a_type_keeps_its_prefix_beside_another_of_its_name(self):
        text = (
            "enum aa_type { AA_X };\nenum bb_type { BB_Y };\ntypedef struct cc_type cc_type;\n"
            "cc_type *cc_type_new(void);\n"
            "void cc_type_free(cc_type *it);\nint aa_f(enum aa_type x);\nint bb_g(enum bb_type y, const cc_type *it);\n"
        )
        status, said, _ = self.settled(text, "--strict", "--prefix", "aa_,bb_,cc_")
        self.assertEqual(status, 0, said)
        self.assertEqual(
            said.replace(str(self.folder) + "/", ""),
            "k.h:2: enum bb_type is called BbType, since enum aa_type is called Type\n"
            "k.h:3: struct cc_type is called CcType, since enum aa_type is called Type\n",
        )
        rust = (self.folder / "out/rust/src/lib.rs").read_text()
        for line in ("pub struct BbType(", "pub struct CcType", "pub fn f(x: Type)", "y: BbType"):
            with self.subTest(line):
                self.assertIn(line, rust)
        status, said, _ = self.settled("enum k_f { K_A };\nenum F { K_B };\nint k_a(int a);")
        self.assertEqual(status, 0)
        self.assertIn("k.h:2: enum F is called FEnum, since enum k_f is called F\n", said)

    def test_names__nothing_is_written_where_a_clash_is_an_error(self):
        status, said, made = self.settled("int k_g(int n, int N);\nint k_f(int a);", "--strict")
        self.assertEqual((status, made), (1, []))
        self.assertIn("1 declarations are not bound, and --strict is given\n", said)

    def test_names__what_is_no_name_without_the_prefix_keeps_it(self):
        status, said, _ = self.settled("enum k_rate { K_1, K_2 };\nint k_3(enum k_rate rate);\nint k_(int a);")
        self.assertEqual((status, said), (0, ""))
        self.assertIn("pub fn k_3(", (self.folder / "out/rust/src/lib.rs").read_text())
        self.assertIn("def k_(a: int)", (self.folder / "out/python/k/__init__.pyi").read_text())

    def test_names__an_enum_that_only_an_int_parameter_uses_is_there_in_every_language(self):
        status, said, _ = self.settled("enum k_mode { K_FAST = 1, K_SLOW = 5 };\nint k_run(int mode);", "--strict")
        self.assertEqual((status, said), (0, ""))
        for path, text in (
            ("python/k/__init__.py", "SLOW = 5"),
            ("python/k/__init__.pyi", "SLOW = 5"),
            ("rust/src/lib.rs", "SLOW: Mode = Mode(5)"),
            ("go/k.go", "Slow Mode = 5"),
            ("julia/src/K.jl", "SLOW = 5"),
        ):
            self.assertIn(text, (self.folder / "out" / path).read_text())


if __name__ == "__main__":
    unittest.main()
