#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Texts behind pointers, as results and in buffers: what is emitted, explained and refused."""

import unittest

from headers import Headers, bind

FREE = "void k_free(void *p);\n"


class TestTexts(Headers):
    def twin(self, header, contracts):
        (self.folder / "k.contracts").write_text(contracts)
        command = ["--name", "k", "--contracts", "k.contracts", "--lang", "python,rust,go,julia", "--out", "out"]
        status, _, said = bind(self.write(header), *command, "--no-tests", cwd=self.folder)
        self.assertEqual((status, said), (0, ""))
        return (self.folder / "out/k_dlferry.c").read_text()

    def refused_by(self, header, contracts):
        (self.folder / "k.contracts").write_text(contracts)
        status, _, said = bind(self.write(header), "--name", "k", "--contracts", "k.contracts", "--ir", cwd=self.folder)
        self.assertEqual(status, 1, said)
        return said.split("\n")[0].split(": ", 2)[2]

    def test_texts__one_that_is_freed_is_freed_on_each_way_out(self):
        header = FREE + "int k_f(char **out, char **why);"
        twin = self.twin(header, "k_f { return: status text *why freed k_free; out: out text freed k_free }")
        body = twin[twin.index("dlf_status k_f_checked") :]
        failed = body[body.index("if (dlf_code != 0)") : body.index("return dlf_failure")]
        self.assertEqual(failed.count("k_free("), 2)
        self.assertLess(failed.index("dlferry_failed("), failed.rindex("k_free("))
        self.assertEqual(body[body.index("return dlf_failure") :].count("k_free("), 2)
        self.assertNotIn("k_free_checked", twin)

    def test_texts__go_imports_what_it_uses(self):
        self.twin(FREE + "void k_f(char **out);", "k_f { out: out text freed k_free }")
        self.assertNotIn('"unsafe"', (self.folder / "out/go/k.go").read_text())
        self.twin("int k_f(const char **names, int n);", "k_f { names: text *n }")
        self.assertIn('"unsafe"', (self.folder / "out/go/k.go").read_text())

    def test_texts__beside_a_callback_that_is_null(self):
        header = FREE + "int k_exec(const char *sql, int (*callback)(void *, int), void *context, char **errmsg);"
        clauses = "return: status text *errmsg freed k_free; callback := NULL; context := NULL"
        twin = self.twin(header, f"k_exec {{ {clauses} }}")
        self.assertIn("sql,\n      NULL,\n      NULL,\n      &dlf_text_errmsg)", twin)

    def test_texts__a_lock_of_the_freeing_function(self):
        header = FREE + "void k_f(char **out);"
        twin = self.twin(header, "k_f { out: out text freed k_free }\nk_free { lock k }")
        self.assertIn('dlf_lock_enter("k");\n    (void)k_free(', twin)
        twin = self.twin(header, "k_f { out: out text freed k_free; lock k }\nk_free { lock k }")
        self.assertEqual(twin.count("dlf_lock_enter"), 1)
        self.assertEqual(
            self.refused_by(header, "k_f { out: out text freed k_free; lock other }\nk_free { lock k }"),
            "f: `freed k_free`: it takes the lock k inside the lock other: expected one lock for both",
        )

    def test_texts__a_call_that_is_made_again_gives_nothing_else(self):
        said = (
            "f: buf: `grown` calls C again, so C must give nothing else that is freed, and return nothing, the length "
            "or a status: write `text[m <= n]` with a size"
        )
        for declared, more in (
            ("int k_f(char *buf, int *n, char **more);", "more: out text freed k_free"),
            ("int k_f(char *buf, int *n, char **more);", "return: status text *more freed k_free"),
            ("double k_f(char *buf, int *n);", "slow"),
        ):
            with self.subTest(declared):
                contracts = f"k_f {{ buf: out text[m] grown; m := *n; {more} }}"
                self.assertEqual(self.refused_by(FREE + declared, contracts), said)

    def test_texts__clauses_for_other_types(self):
        for declared, clause, said in (
            ("int k_f(const char *a);", "a: out text", "`out text` is for a pointer to a `char *` that is not const"),
            ("int k_f(char *const *a);", "a: out text", "`out text` is for a pointer to a `char *` that is not const"),
            ("int k_f(const char *a);", "a: out text[4]", "`out text[...]` is for a `char *` that is not const"),
            ("int k_f(char *a, int n);", "a: text[n]", "`text[...]` is for a `const char *`"),
            (
                "int k_f(int **a, int n);",
                "a: text *n",
                "`text *` is for a `const char *const *`, or a `char **` that C only reads",
            ),
            ("int k_f(int a);", "b: out text", "`out text` is for a pointer to a `char *` that is not const"),
            ("int k_f(int a);", "return: text", "`return: text` is for a function that returns a `char *`"),
            ("char *k_f(char *a);", "a: out text[m <= 4]; m := result", "m := result: expected a function that"),
            ("int k_f(char *a, double n);", "a: out text[n]", "`text[n]`: expected an integer"),
        ):
            with self.subTest(clause):
                self.assertIn(said, self.refused_by(declared, f"k_f {{ {clause} }}"))

    def test_texts__no_less_memory_than_an_array_that_c_declares(self):
        said = "f: a: C declares 4 bytes, which it may write: expected `text[4]` or a larger number"
        header = "#define K_FEW 3\nint k_f(char a[4], int n, int *got);"
        for clauses in (
            "a: out text[3]",
            "a: out text[K_FEW]",
            "a: out text[n]",
            "a: out text[m <= n] grown; m := result",
            "a: out text[m] grown; m := *got",
        ):
            with self.subTest(clauses=clauses):
                self.assertEqual(self.refused_by(header, f"k_f {{ {clauses} }}"), said)
        self.twin("int k_f(char a[4]);", "k_f { a: out text[4] }")
        self.twin("int k_f(int n, char a[n]);", "k_f { a: out text[n] }")

    def test_texts__of_a_failure_is_read_before_an_object_that_may_hold_it_is_freed(self):
        header = "typedef struct k_s { char why[9]; } k_s;\nint k_go(k_s *s, const char **why);\nvoid k_end(k_s *s);"
        twin = self.twin(header, "handle k_s init k_go clear k_end;\nk_go { return: status text *why }")
        failed = twin[twin.index("if (dlf_code != 0)") :]
        self.assertLess(failed.index("dlferry_failed("), failed.index("free(dlf_memory_s)"))

    def test_texts__a_size_that_fits_in_one_byte(self):
        twin = self.twin("int k_f(char *a, signed char n);", "k_f { a: out text[m <= n] grown; m := result }")
        self.assertIn("dlferry_open_buffer(&dlf_text_a, (uint64_t)INT64_C(127))", twin)

    def test_texts__one_text_for_each_parameter(self):
        for header, clauses, said in (
            ("void k_f(const char *a, const char *b, int n);", "a: text[n]; b: text[n]", "n"),
            ("void k_f(char *a, char *b, int *n);", "a: out text[m] grown; m := *n; b: out text[k <= 9]; k := *n", "n"),
            ("int k_f(char **a);", "return: status text *a; a: out text", "a"),
        ):
            with self.subTest(clauses=clauses):
                wanted = f"f: {said}: expected one text that it belongs to, got two"
                self.assertEqual(self.refused_by(header, f"k_f {{ {clauses} }}"), wanted)
        refused = self.refused_by("char *k_f(void);", "k_f { return: text; return: text }")
        self.assertEqual(refused, "f: `return: text`: expected it once")

    def test_texts__clauses_that_end_too_soon(self):
        words = "a: out text [ m <= n ] grown".split()
        for end in range(4, len(words)):
            with self.subTest(end):
                clause = " ".join(words[:end])
                self.assertIn("expected `", self.refused_by("int k_f(char *a, int n);", f"k_f {{ {clause} }}"))
        for clause in (
            "a: out text[]",
            "a: out text[n",
            "a: out text]",
            "a: out text[m <= ]",
            "a: out text[n] grown 1",
        ):
            with self.subTest(clause):
                self.assertIn("expected `", self.refused_by("int k_f(char *a, int n);", f"k_f {{ {clause} }}"))
        for clause in ("return: text freed", "return: status text *", "return: opt text 1", "return: text text"):
            with self.subTest(clause):
                self.assertIn("expected `", self.refused_by("char *k_f(int n);", f"k_f {{ {clause} }}"))

    def test_texts__a_number_beside_one_of_a_fixed_size(self):
        header = "int k_f(char *buf, unsigned long n, int k);\nint k_g(char *buf, int k);\nint k_h(int k, char buf[4]);"
        said = "f: buf: C may take n, which stands beside it, for its size, and nothing keeps that at 4 or below"
        for more in ("", "; n := 5", "; n <= 5", "; n in 1..5", "; n >= 1"):
            with self.subTest(more):
                self.assertIn(said, self.refused_by(header, f"k_f {{ buf: out text[4]{more} }}"))
        for more in ("n := 4", "n <= 4", "n < 5", "n in 1..4", "n == 4"):
            with self.subTest(more):
                self.twin(header, f"k_f {{ buf: out text[4]; {more} }}\nk_g {{ hide }}\nk_h {{ hide }}")
        refused = self.refused_by(header, "k_g { buf: out text[4] }")
        self.assertTrue(refused.endswith("`k := 4` or `k <= 4`, or any limit above it if it is no size"), refused)
        self.twin(header, "k_g { buf: out text[4]; k <= 99 }\nk_h { buf: out text[4] }\nk_f { hide }")

    def test_texts__a_word_that_is_a_type_variable_stays_one(self):
        twin = self.twin("int k_f(void *a, int n);", "k_f { a: out text[n]; n := n; text in f32|f64 }")
        self.assertIn("first(a.tensor)", twin)

    def test_texts__what_would_bind_one(self):
        for declared, said in (
            (
                "int k_f(const char *const *a, int n);",
                "a: no clause tells what it points to: write `a: text *n` for a list of n texts that C reads",
            ),
            (
                "int k_f(char **a);",
                "a: no clause tells what it points to: write `a: out text` for a text that C keeps, `a: out text freed "
                "f` for one that f frees, or `return: status text *a` if it explains a failure",
            ),
            (
                "int k_f(char *a, int n);",
                "a: no clause tells what it points to: write `a: out text[n]` for a text that C writes, or `a: inout "
                "u8[n]` for a tensor",
            ),
            (
                "int k_f(const char **a, int n);",
                "a: no clause tells what it points to: write `a: out text` for a text that C keeps, `a: out text freed "
                "f` for one that f frees, `a: text *n` for a list of n that C reads, or `return: status text *a` if it "
                "explains a failure",
            ),
            (
                "char *k_f(int a);",
                "its result: the type `char *` is not bound: write `return: text` for a text that C keeps, or "
                "`return: text freed f` for one that f frees",
            ),
        ):
            with self.subTest(declared):
                self.assertEqual(self.first(declared)["unbound"], said)

    def test_texts__a_guess_where_the_comment_names_what_frees_it(self):
        header = FREE + "/** Name it. The text must be freed with `k_free`. */ const char *k_name(int a);\n"
        header += "/** Name it, or return NULL. Free it by k_free(). */ char *k_maybe(int a);\n"
        header += "/** Write a report, which k_free() frees. */ void k_report(char **report);\n"
        header += "/** Name it. Do not free it. */ char *k_kept(int a);\n"
        header += "/** Name it by k_freely(). */ char *k_other(int a);\n"
        status, _, said = bind(self.write(header), "--name", "k", "--new-contracts", "new", cwd=self.folder)
        self.assertEqual(status, 0, said)
        new = (self.folder / "new").read_text()
        for block in (
            "k_name {\n  ?return: text freed k_free; # high: the comment names what frees it\n}",
            "k_maybe {\n  ?return: opt text freed k_free; # high: the comment names what frees it\n}",
            "k_report {\n  ?report: out opt text freed k_free; # high: the comment names what frees it\n}",
        ):
            self.assertIn(block, new)
        self.assertEqual(new.count("?"), new.count("?return") + new.count("?report"))
        self.assertEqual(new.count("text freed k_free;"), 3)

    def test_texts__explain_says_where_each_comes_from(self):
        header = FREE + "int k_f(char **out, const char **kept, const char *in, int len, char **why);\n"
        header += "int k_g(char *buf, int n);\nint k_h(char *buf, int n);"
        (self.folder / "k.contracts").write_text(
            "k_f { out: out text freed k_free; kept: out text; in: text[len]; return: status text *why }\n"
            "k_g { buf: out text[m <= n] grown; m := result }\nk_h { buf: out text[n]; return: status; n = 9 }"
        )
        for function, lines in (
            (
                "k_f",
                [
                    "int k_f(char **out, const char **kept, const char *in, int len, char **why)",
                    "out   returned, text; copied, then k_free frees it",
                    "kept  returned, text; copied, since C keeps it",
                    "in    read, text; C gets its length",
                    "len   the length of in",
                    "why   why C failed; copied, since C keeps it",
                ],
            ),
            (
                "k_g",
                [
                    "int k_g(char *buf, int n)",
                    "buf  returned, text; C fills memory that grows until it fits",
                    "n    the size of the memory for buf",
                ],
            ),
            ("k_h", ["buf  returned, text; C fills memory of n bytes"]),
        ):
            command = ["--name", "k", "--contracts", "k.contracts", "--explain", function]
            status, out, _ = bind(self.write(header), *command, cwd=self.folder)
            self.assertEqual(status, 0)
            for line in lines:
                self.assertIn(f"  {line}\n", out)


if __name__ == "__main__":
    unittest.main()
