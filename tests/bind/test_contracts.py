#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Files of contracts beside a header, pointers to elements, and arguments that the call computes: what is refused."""

import re
import unittest

from headers import HERE, LANGUAGES, Headers, bind, without_columns

SUM = "double k_sum(const double *x, int n);\n"


class Contracts(Headers):
    def with_contracts(self, header, contracts):
        """Exit status and text on stderr, for a header with a file of contracts."""
        path = self.write(contracts, "k.contracts")
        status, _, said = bind(self.write(header), "--name", "k", "--contracts", path, "--out", self.folder / "out")
        said = said.replace(str(self.folder) + "/", "").replace("dlferry-bind: ", "").strip()
        return status, without_columns(said)

    def refused_with(self, header, contracts, message):
        """The command refuses these contracts, and stderr begins so."""
        status, said = self.with_contracts(header, contracts)
        self.assertEqual((status, said[: len(message)]), (1, message))


class TestContracts(Contracts):
    def test_contracts__each_block_needs_a_function(self):
        self.refused_with(
            SUM, "k_sum { n := n; x: f64[n] }\nk_mean { }", "k.contracts:2: k_mean: the header has no such function"
        )
        self.refused_with(
            SUM, "k_sum { n := n; x: f64[n] }\n\nm_* { }", "k.contracts:3: m_*: the header has no such function"
        )

    def test_contracts__a_name_goes_before_a_pattern(self):
        header = SUM + "double k_sun(const double *x, int n);\n"
        self.assertEqual(self.with_contracts(header, "k_su* { n := n; x: f64[n] } k_sun { hide }"), (0, ""))
        twin = (self.folder / "out/k_dlferry.h").read_text()
        self.assertIn("k_sum_checked(dlf_arg x, double *result", twin)
        self.assertNotIn("k_sun", twin)

    def test_contracts__two_patterns_are_refused(self):
        self.refused_with(
            SUM,
            "k_* { hide }\n*_sum { hide }",
            "k.contracts:2: k_sum matches *_sum of this line and k_* of line 1: write a block of its own",
        )
        self.refused_with(SUM, "k_sum { hide }\nk_sum { }", "k.contracts:2: k_sum has a contract in line 1 already")

    def test_contracts__malformed_files(self):
        for text, message in (
            ("{", "k.contracts:1: expected the name of a function, which may hold `*` and `?`"),
            ("k_sum\n;", "k.contracts:2: k_sum: expected `{`"),
            ("\nk_sum { n := n", "k.contracts:2: k_sum: expected `}`, got the end of the file"),
            ("k_sum { hide; hide }", "k.contracts:1: k_sum: contract: expected `hide` once"),
            ("k_sum { rename a; rename c }", "k.contracts:1: k_sum: contract: expected one `rename`"),
            ("k_sum { rename 2a }", "k.contracts:1: k_sum: contract: `rename`: expected a name"),
        ):
            with self.subTest(text):
                self.refused_with(SUM, text, message)

    def test_contracts__errors_name_the_file_and_the_line(self):
        status, said = self.with_contracts(SUM, "# one\nk_sum {\n  n := 2 * m;  x: f64[n]\n}")
        self.assertEqual(status, 1)
        self.assertEqual(said, "k.contracts:3: sum: contract: n: nothing that is always there binds m")

    def test_contracts__a_hook_gets_what_computes_an_argument(self):
        header = "int k_most(int n);\nvoid k_pack(const double *x, int count, unsigned char *out);\n"
        contract = "k_pack { x: f64[n];  count := n;  out: out u8[hook(k_most(%s))] }"
        for argument in ("n", "count"):  # what computes count
            self.assertEqual(self.with_contracts(header, contract % argument), (0, ""))
            self.assertIn("k_most(", (self.folder / "out/k_dlferry.c").read_text())
        header = header.replace("int count", "int turned")
        contract = contract.replace("count := n", "turned := order(m) {rows: 0, columns: 1};  m: f64[_, _] strided")
        status, said = self.with_contracts(header.replace("*out", "*out, const double *m"), contract % "turned")
        self.assertEqual(status, 1)
        self.assertIn("hook(k_most(turned)): callers do not pass turned: write an expression in its place", said)

    def test_contracts__any_pointer_suits_a_hooks_pointer_to_const_void(self):
        header = "int k_check(const void *x, int n);\nvoid k_keep(unsigned char *chunk, int size);\n"
        contract = "k_check { hide }  k_keep { chunk: in u8[n];  size := n;  hook(k_check(chunk, n)) >= 0 }"
        self.assertEqual(self.with_contracts(header, contract), (0, ""))
        status, said = self.with_contracts(header.replace("const void *x", "const double *x"), contract)
        self.assertEqual(status, 1)
        self.assertIn("hook(k_check(chunk,n)): `chunk` does not suit the parameter x", said)

    def test_contracts__a_hook_gets_what_callers_always_pass(self):
        header = "#include <stdint.h>\nint k_ask(%s);\nvoid k_keep(%s, double *x);\n"
        for type, clause in (
            ("const char *a", "a: opt"),  # its C does not expect NULL
            ("const double *a", "a: opt f64[3]"),
            ("const double *a", "a: opt f64"),
            ("const double *a", "a: f64"),  # no place has it
        ):
            with self.subTest(clause):
                contract = f"k_ask {{ hide }}  k_keep {{ {clause};  x: out f64[hook(k_ask(a))] }}"
                status, said = self.with_contracts(header % (type, type), contract)
                self.assertEqual(status, 1)
                self.assertIn("hook(k_ask(a)): `a` does not suit the parameter a", said)
        contract = "k_ask { hide }  k_keep { a: out;  x: out f64[hook(k_ask(a))] }"
        status, said = self.with_contracts(header % ("int a", "int *a"), contract)
        self.assertEqual(status, 1)
        self.assertIn("hook(k_ask(a)): `a` does not suit the parameter a", said)
        contract = "k_keep { a: i32[n];  x: out f64[hook(last(a) -> *x)] }"
        status, said = self.with_contracts(header % ("int a", "const int *a"), contract)
        self.assertEqual(status, 1)
        self.assertIn("expected one array of integers", said)

    def test_contracts__a_hook_may_pass_no_pointer(self):
        header = "int k_list(int id, int *count, int *ids);\n"
        contract = "k_list { ids: out i32[m <= hook(k_list(%s) -> *count)];  m := *count;  return: status }"
        self.assertEqual(self.with_contracts(header, contract % "id, NULL"), (0, ""))
        self.assertIn("k_list(id, &dlf_extent, NULL)", (self.folder / "out/k_dlferry.c").read_text())
        status, said = self.with_contracts(header, contract % "NULL, NULL")
        self.assertEqual(status, 1)
        self.assertIn("list: id: nothing binds NULL, and the header has no such constant", said)

    def test_contracts__a_truth_is_always_the_same(self):
        header = "#include <stdbool.h>\nvoid k_take(int n, bool copy);\n"
        for truth in ("true", "false"):
            self.assertEqual(self.with_contracts(header, f"k_take {{ copy := {truth} }}"), (0, ""))
            self.assertIn(f"dlf_derived_copy = {truth};", (self.folder / "out/k_dlferry.c").read_text())
        status, said = self.with_contracts(header, "k_take { n := true }")
        self.assertEqual(status, 1)
        self.assertIn("take: n: nothing binds true, and the header has no such constant", said)

    def test_contracts__a_pointer_to_reals_may_be_complex(self):
        header = "void k_turn(double *z, const float *w, int n);\n"
        contract = "k_turn { z: inout %s[n];  w: %s[n];  n := n }"
        self.assertEqual(self.with_contracts(header, contract % ("c128", "c64")), (0, ""))
        status, said = self.with_contracts(header, contract % ("c64", "f32"))
        self.assertEqual((status, said), (1, "k.contracts:1: turn: z: the contract says c64, C says double"))

    def test_contracts__a_variable_of_the_header_is_passed(self):
        header = (
            "typedef struct k_kind { int size; } k_kind;\nextern const k_kind *k_linear, *const k_cubic;\n"
            "extern const float *k_table;\nstatic const k_kind *k_own;\n"
            "double k_fit(const k_kind *kind, int n);\n"
        )
        for name in ("k_linear", "k_cubic"):
            self.assertEqual(self.with_contracts(header, f"k_fit {{ kind := {name} }}"), (0, ""))
            self.assertIn(f"dlf_derived_kind = {name};", (self.folder / "out/k_dlferry.c").read_text())
        for name in ("k_table", "k_own", "k_other"):
            status, said = self.with_contracts(header, f"k_fit {{ kind := {name} }}")
            self.assertEqual(status, 1)
            self.assertIn(f"fit: kind: nothing binds {name}, and the header has no such constant", said)

    def test_contracts__a_variable_may_be_an_integer(self):
        header = (
            "extern long k_type_float, k_type_double;\nextern short k_short;\nint k_write(const void *x, long type);\n"
        )
        contract = "k_write { x: f32|f64[...];  type := dtype(x) {f32: k_type_float, f64: %s} }"
        self.assertEqual(self.with_contracts(header, contract % "k_type_double"), (0, ""))
        self.assertIn("? k_type_float : k_type_double", (self.folder / "out/k_dlferry.c").read_text())
        status, said = self.with_contracts(header, contract % "k_short")
        self.assertEqual(status, 1)
        self.assertIn("write: type: nothing binds k_short, and the header has no such constant", said)

    def test_contracts__null_goes_behind_any_pointer(self):
        header = "int k_shape(const unsigned long dims[], const unsigned long most[], int rank);\n"
        contract = "k_shape { dims: u64 *rank;  most := NULL }"
        self.assertEqual(self.with_contracts(header, contract), (0, ""))
        self.assertRegex((self.folder / "out/k_dlferry.c").read_text(), r"k_shape\([^;]*NULL[^;]*\)")

    def test_contracts__a_header_without_functions_of_its_own(self):
        header = self.write("#define K_ONE 1\n")
        status, _, said = bind(header, "--name", "k", "--new-contracts", self.folder / "guessed")
        self.assertEqual(status, 1)
        self.assertIn("k.h declares no function itself: name the file that it includes them from", said)
        status, _, said = bind(header, "--name", "k", "--explain", "k_one")
        self.assertEqual(status, 1)
        self.assertIn("k.h has no function k_one (those of the files that it includes are not read", said)

    def test_contracts__a_pointer_to_bytes_names_its_clause(self):
        ir, _ = self.read("void k_pack(unsigned char *out, int n);\nint k_one(int a);\n")
        self.assertIn("write it as a tensor in the contract, such as `out u8[n]`", ir["functions"][0]["unbound"])

    def test_contracts__a_number_behind_a_pointer_needs_a_block(self):
        header = SUM + "void k_rotate(float *p, float s);\n"
        self.assertEqual(self.with_contracts(header, "k_sum { n := n; x: f64[n] }")[0], 0)
        self.assertNotIn("k_rotate", (self.folder / "out/k_dlferry.h").read_text())
        self.assertEqual(self.with_contracts(header, "k_sum { hide } k_rotate { p: out }"), (0, ""))

    def test_contracts__what_a_function_lacks(self):
        status, said = self.with_contracts(SUM + "int k_one(int a);\n", "k_one { a > 0 }")
        self.assertEqual(status, 0)
        self.assertEqual(
            said,
            "k.h: 1 function needs a contract and has none in k.contracts: k_sum; --explain FUNCTION tells what one "
            "lacks",
        )
        status, out, _ = bind(self.write(SUM), "--name", "k", "--explain", "k_sum")
        self.assertIn("write `x: f64[n]` for a tensor, or `x: f64 *n` for a list of numbers", out)

    def test_contracts__an_array_of_arrays_is_not_called_void(self):
        for declared in ("const double x[2][3]", "double (*x)[3]"):
            said = self.read(f"double k_f({declared}); int k_one(int a);")[0]["functions"][0]["unbound"]
            self.assertEqual(said, "x: arrays of arrays are not bound")

    def test_contracts__a_clause_that_is_named_binds(self):
        for declared, clauses in (
            ("const double x[3]", ["x: f64[3]"]),
            ("const double x[3], int m", ["x: f64[3]"]),
            ("const double *x", ["x: f64[n]"]),
            ("int m, const double *x", ["x: f64[n]"]),
            ("const double *x, int m", ["x: f64[n]", "x: f64 *n"]),
            ("int n, const double *x", ["x: f64[n]", "x: f64 *n"]),
        ):
            with self.subTest(declared):
                header = f"double k_f({declared});"
                said = self.read(header)[0]["functions"][0]["unbound"].split("write ")[1]
                self.assertEqual(said.split("`")[1::2], clauses)
                for clause in clauses:
                    self.assertEqual(self.with_contracts(header, f"k_f {{ {clause} }}"), (0, ""))

    def test_contracts__guesses_do_nothing_until_they_are_confirmed(self):
        header = SUM + "void k_axpy(int n, double a, const double *x, int incx, double *y, int incy);\n"
        path = self.folder / "guessed"
        arguments = (self.write(header), "--name", "k", "--new-contracts", path)
        self.assertEqual(bind(*arguments), (0, "", ""))
        self.assertEqual(bind(*arguments)[0], 1)  # never over an existing file
        guesses = path.read_text()
        self.assertIn("k_sum {\n  ?x: f64[n]; # fair: names, types and order agree\n  ?n := n;  ?n > 0;\n}\n", guesses)
        self.assertIn("  ?y: inout f64[n] strided;  ?incy := stride(y) blas; # high: ", guesses)
        status, said = self.with_contracts(header, guesses)
        self.assertEqual(status, 1)
        self.assertIn("2 functions need a contract", said)
        status, said = self.with_contracts(header, guesses.replace("?", "", 2))
        self.assertEqual(status, 0, said)
        self.assertIn("k_sum_checked(dlf_arg x, double *result", (self.folder / "out/k_dlferry.h").read_text())

    def test_contracts__guesses_are_those_beside_a_file(self):
        declared = "int k_load(const char *path, unsigned long *out);\n"
        header = f"/** @param out how much was read\n *  @return 0 on success */\n{declared}"
        path = self.folder / "guessed"
        self.assertEqual(bind(self.write(header), "--name", "k", "--new-contracts", path), (0, "", ""))
        guesses = re.sub(r"; # high: .*", ";", path.read_text())
        self.assertIn("# out: a pointer to a number may be an array", guesses)
        self.assertIn("k_load {\n  ?out: out;\n  ?return: status;\n}\n", guesses)
        path.unlink()
        self.assertEqual(bind(self.write(declared), "--name", "k", "--new-contracts", path), (0, "", ""))
        self.assertNotIn("?", path.read_text())  # nothing but the types: it may be several

    def test_contracts__a_guess_for_each_kind_of_clause(self):
        header = """
            typedef void *k_pot_t;
            typedef enum k_order { K_ROW_MAJOR = 101, K_COL_MAJOR } k_order;
            typedef enum k_turn { K_NO_TRANS, K_TRANS } k_turn;
            #define K_FINE 0
            const char *k_last_error(void);
            int k_pot_make(k_pot_t *out);
            void k_pot_free(k_pot_t pot);
            /** @return 0 on success */
            int k_pot_look(k_pot_t pot, const float **out, int *len);
            int k_pot_peek(k_pot_t pot, const unsigned long **shape, unsigned long *dim, const double **out_result);
            int k_pot_fill(k_pot_t pot, const char *array_interface);
            int k_sgemm(k_order order, k_turn TransA, int M, int N, int K, const float *A, int lda,
                        const float *B, int ldb, float *C, int ldc);
            int k_dgemm(k_order order, k_turn TransA, int M, int N, int K, const double *A, int lda,
                        const double *B, int ldb, double *C, int ldc);
            int k_swap(short *x, int n);
            unsigned long k_packBound(unsigned long sourceLen);
            /** @return K_FINE on success, else a code */
            int k_pack2(unsigned char *dest, unsigned long *destLen, const unsigned char *source,
                        unsigned long sourceLen);
            int k_unpack(unsigned char *dest, unsigned long *destLen, const unsigned char *source,
                         unsigned long sourceLen);
            int k_store(int threads, unsigned long nbytes, const void *src, void *dest, unsigned long destsize);
        """
        path = self.folder / "guessed"
        self.assertEqual(bind(self.write(header), "--name", "k", "--new-contracts", path), (0, "", ""))
        guesses = re.sub(r" # (high|fair).*", "", path.read_text())
        for clause in (
            "?handle k_pot_t freed k_pot_free made k_pot_make;",
            "?family gemm { T in f32: k_sgemm | f64: k_dgemm }",
            "k_pot_look {\n  ?out: gives f32[len] copied;\n  ?return",
            "?out_result: gives f64[shape[dim]] copied;",
            "?array_interface: any[...] strided;  ?array_interface := array_interface(array_interface);",
            "?order := K_ROW_MAJOR;\n  ?TransA := order(A) {rows: K_NO_TRANS, columns: K_TRANS};",
            "?A: f32[M, K] strided;  ?lda := ld(A);",
            "?C: inout f32[M, N] strided;  ?ldc := ld(C);",
            "?return: status text k_last_error;",
            "k_swap {\n  ?x: inout i16[n];\n  ?n := n;  ?n > 0;\n}",
            "k_pack2 {\n  ?dest: out u8[written <= hook(k_packBound(sourceLen))];  ?written := *destLen;\n"
            "  ?source: u8[sourceLen];\n  ?sourceLen := sourceLen;  ?sourceLen > 0;\n"
            "  ?return: status text k_last_error;\n}",
            "k_unpack {\n  ?dest: out u8[written <= _];  ?written := *destLen;\n",
            "k_store {\n  ?src: any[...];  ?nbytes := bytes(src);\n"
            "  ?dest: inout any[...];  ?destsize := bytes(dest);\n}",
        ):
            with self.subTest(clause):
                self.assertIn(clause, guesses)
        status, said = self.with_contracts(header, guesses)
        self.assertIn("functions need a contract", said)
        status, out, _ = bind(self.write(header), "--name", "k", "--explain", "k_pot_look")
        self.assertTrue(
            re.sub(r" # (high|fair).*", "", out).endswith(
                ":\n\nhandle k_pot_t freed k_pot_free made k_pot_make;\nk_pot_look {\n  "
                "out: gives f32[len] copied;\n  return: status text k_last_error;\n}\n"
            ),
            out,
        )
        status, out, said = bind(self.write(header), "--name", "k", "--explain", "*_*l*k")
        self.assertEqual((status, said), (0, ""))
        self.assertIn("k_pot_look {", out)
        self.assertNotIn("k_swap {", out)

    def test_contracts__what_explain_says_binds_the_function(self):
        header = "typedef struct k_pot k_pot;\nk_pot *k_begin(int n);\nvoid k_close(k_pot *pot);\n"
        header += "int k_size(k_pot *pot);\n"
        status, out, _ = bind(self.write(header), "--name", "k", "--explain", "*")
        self.assertEqual(status, 0)
        self.assertEqual(self.with_contracts(header, out), (0, ""))
        self.assertIn("k_size_checked(k_pot *pot", (self.folder / "out/k_dlferry.h").read_text())

    def test_contracts__every_language_has_the_functions(self):
        pointers, out = HERE / "pointers.h", self.folder / "out"
        contracts = pointers.with_suffix(".contracts")
        status, _, said = bind(
            pointers,
            "--name",
            "pointers",
            "--prefix",
            "p_",
            "--contracts",
            contracts,
            "--lang",
            LANGUAGES,
            "--out",
            out,
        )
        self.assertEqual(status, 0, said)
        self.assertIn("1 function needs a contract and has none", said)
        for name, signature in (
            ("python/pointers/__init__.pyi", "def total(a: Array"),
            ("rust/src/lib.rs", "pub fn outer_sum("),
            ("go/pointers.go", "func Axpy("),
            ("julia/src/Pointers.jl", "walk"),
        ):
            with self.subTest(name):
                text = "".join(path.read_text() for path in (out / name).parent.iterdir() if path.is_file())
                self.assertIn(signature, text)
                self.assertNotIn("p_secret_checked", text)


class TestFamilies(Contracts):
    """One function for callers from several of C."""

    HEADER = "void k_sf(int n, float a, const float *x);\nvoid k_df(int n, double a, const double *x);\n"
    BLOCK = "k_*f { n := n;  x: T[n] }"

    def test_families__members_are_no_functions_of_callers(self):
        family = "family f { T in f32: k_sf | f64: k_df }"
        self.assertEqual(self.with_contracts(self.HEADER, f"{family} {self.BLOCK}"), (0, ""))
        twin = (self.folder / "out/k_dlferry.h").read_text()
        self.assertIn("k_f_checked(double a, dlf_arg x, dlf_error *error)", twin)
        self.assertNotIn("k_sf_checked", twin)

    def test_families__blocks_of_their_own_need_no_variable(self):
        family = "family f { T in f32: k_sf | f64: k_df } k_sf { n := n; x: f32[n] } k_df { n := n; x: f64[n] }"
        self.assertEqual(self.with_contracts(self.HEADER, family), (0, ""))
        self.assertIn("Contract: n := n; x: T[n]; T in f32|f64", (self.folder / "out/k_dlferry.h").read_text())

    def test_families__malformed(self):
        for text, message in (
            ("family f { }", "family f: expected `T in` and a dtype"),
            ("family f { T in }", "family f: expected a dtype"),
            ("family f { T in f32 k_sf }", "family f: expected `:`"),
            ("family f { T in f32: }", "family f: expected a function"),
            ("family f { T in f32: k_sf", "family f: expected `}`"),
            ("family f { T in f32: k_sf | f32: k_df }", "family f: expected each dtype and each function once"),
            ("family f { T in f32: k_sf } family f { T in f32: k_df }", "family f: expected each family once"),
            ("family f { T in f32: k_sf } family g { T in f32: k_sf }", "family g: k_sf is in another family"),
            ("family f { T in f32: k_sf | f64: k_no }", "family f: callers have no function k_no"),
            ("family sf { T in f32: k_sf | f64: k_df }", "family sf: the header has a function k_sf"),
        ):
            with self.subTest(text):
                status, said = self.with_contracts(self.HEADER, f"{text}\n{self.BLOCK}")
                self.assertEqual((status, message in said), (1, True), said)

    def test_families__members_agree(self):
        block = "k_*f { n := n;  x: T[n] }"
        for declared, message in (
            ("void k_df(int n, double b, const double *x);", "k_sf has a parameter a where k_df has b"),
            ("void k_df(int n, const double *x);", "k_sf and k_df differ in their number of parameters"),
            ("void k_df(int n, int a, const double *x);", "a differs between k_sf and k_df"),
            ("int k_df(int n, double a, const double *x);", "k_sf and k_df differ in what they return"),
        ):
            with self.subTest(declared):
                header = f"void k_sf(int n, float a, const float *x);\n{declared}\n"
                self.refused_with(
                    header, f"family f {{ T in f32: k_sf | f64: k_df }}\n{block}", f"k.contracts:1: family f: {message}"
                )

    def test_families__a_result_has_one_sign(self):
        blocks = "k_?_max { n := n;  x: T[n] } family max { T in i8: k_a_max | u8: k_b_max }"
        for result, message in (("uint8_t", "k_a_max and k_b_max differ in what they return"), ("int8_t", "")):
            with self.subTest(result):
                header = f"int8_t k_a_max(const int8_t *x, int n);\n{result} k_b_max(const uint8_t *x, int n);\n"
                status, said = self.with_contracts(header, blocks)
                self.assertEqual((status, message in said), (int(bool(message)), True), said)

    def test_contracts__a_family_knows_its_extents_before_the_call(self):
        header = "".join(f"long k_{x}(const {t} *x, long n, {t} *out);\n" for x, t in (("f", "float"), ("d", "double")))
        blocks = "".join(
            f"k_{x} {{ n := n; x: {t}[n]; out: out {t}[m <= n]; m := result }} "
            for x, t in (("f", "f32"), ("d", "f64"))
        )
        self.refused_with(
            header,
            blocks + "family keep { T in f32: k_f | f64: k_d }",
            "k.contracts:1: family keep: k_f reports how much it wrote",
        )


class TestPointers(Headers):
    def test_pointers__written_ones_say_so(self):
        text = "/** @contract x: f64[n]; n := n */\nvoid k_f(double *x, int n);"
        self.refused(
            text,
            "k.h:1: f: x: expected `in`, `out` or `inout` before the dtype, since C's pointer is not const",
        )
        text = "/** @contract x: out f64[n]; n := n */\nvoid k_f(const double *x, int n);"
        self.refused(text, "k.h:1: f: x: C's pointer is const, so it is not written")

    def test_pointers__elements_are_of_c_s_type(self):
        for declared, clause, message in (
            ("const double *x", "f32[n]", "the contract says f32, C says double"),
            ("const double *x", "f32|f64[n]", "the contract says several dtypes, C says double"),
            ("const uint8_t *x", "i8[n]", "the contract says i8, C says uint8_t"),
            ("const bool *x", "u8[n]", "the contract says u8, C says bool"),
            ("const char *x", "f32[n]", "the contract says f32, C says char"),
        ):
            with self.subTest(declared):
                text = f"#include <stdbool.h>\n/** @contract x: {clause}; n := n */\nvoid k_f({declared}, int n);"
                self.refused(text, f"k.h:2: f: x: {message}")


class TestDerived(Headers):
    def wrong(self, contract, message, declared="const double *x, const double *a, double s, int n, int lda"):
        text = f"/** @contract {contract} */\nvoid k_f({declared});"
        self.refused(text, f"k.h:1: f: contract: {message}")

    def test_derived__what_cannot_be_computed(self):
        both = "x: f64[n]; a: f64[n, k] strided; n := n; "
        for contract, message in (
            (both + "lda := ld(x)", "lda: expected a tensor with two axes"),
            (both + "lda := stride(a)", "lda: expected a tensor with one axis, or an axis"),
            (both + "lda := stride(a, 2)", "lda: expected an axis that the tensor has"),
            (both + "lda := n * m", "lda: nothing that is always there binds m"),
            (both + "lda := dtype(x) {f32: 1}", "lda: expected a value for each dtype of the tensor"),
            (both + "lda := s * 2", "lda: expected integers, got s"),
        ):
            with self.subTest(contract):
                self.wrong(contract, message)

    def test_derived__how_it_is_written(self):
        both = "x: f64[n]; a: f64[n, k] strided; n := n; "
        for contract, message in (
            ("s := ld(a)", "expected an expression for a real, got `ld(a)`"),
            (both + "n := k", "expected one clause for each number, got `k`"),
            (both + "lda := ld(y)", "expected the name of a tensor that the caller passes, got `y)`"),
            (
                both + "lda := order(a) {rows: 1}",
                "expected a value for `rows` and one for `columns`, got `}`",
            ),
            (both + "lda := order(a) {rows: 1, rows: 2}", "expected each case once, got `: 2}`"),
            (both + "lda := 1.5 * n", "expected integers before this, got the end"),
            (both + "z := 1", "expected the name of a parameter, got `z := 1`"),
            (both + "lda := n; lda = 2", "an argument that the call computes has no default, got the end"),
        ):
            with self.subTest(contract):
                self.wrong(contract, message)

    def test_derived__one_order_for_several_matrices(self):
        two = "a: f64[n, k] strided; b: f64[n, k] strided; x: f64[n]; n := n; "
        declared = "const double *a, const double *b, const double *x, int n, int order, int other"
        cases = "{rows: 1, columns: 2}"
        for contract, message in (
            (f"order := order(a, x) {cases}", "order: expected tensors with two axes"),
            (
                f"order := order(a, a) {cases}",
                "expected each matrix once, got `a) {rows: 1, columns: 2}`",
            ),
            (
                f"order := order(a, c) {cases}",
                "expected the name of a tensor that the caller passes, got `c) {rows: 1, columns: 2}`",
            ),
            (
                f"order := order(a, b) {cases}; other := order(a) {cases}",
                "other: expected each matrix in one order(), or in the same list",
            ),
            (
                "order := order(a, b) {same: 1}",
                "expected a value for `same` and one for `other`, got `}`",
            ),
            (
                "order := order(a) {same: 1, other: 2}",
                "expected `rows` or `columns`, got `same: 1, other: 2}`",
            ),
            (
                "order := order(a, b) {same: 1, columns: 2}",
                "expected `same` or `other`, got `columns: 2}`",
            ),
        ):
            with self.subTest(contract):
                self.wrong(two + contract, message, declared)
        said = f"order := order(a, b) {cases}; other := order(b, a) {{other: 1, same: 0}}"
        function = self.first(f"/** @contract {two}{said} */\nvoid k_f({declared});")
        self.assertTrue(function["contract"].endswith(said), function["contract"])

    def test_derived__constants_are_values_of_the_enum_or_of_the_header(self):
        for declared, value in (
            ("#define K_ONE 1", "K_ONE"),
            ("typedef enum k_e { K_TWO = 2 } k_e;", "K_TWO"),
            ("", "-3"),
            ("", "'A'"),
        ):
            text = f"{declared}\n/** @contract n := {value} */\nvoid k_f(int n, int a);"
            self.assertEqual(self.first(text)["c_params"][0]["derived"], value)
        text = "/** @contract n := K_ONE */\nvoid k_f(int n, int a);"
        self.refused(text, "k.h:1: f: n: nothing binds K_ONE, and the header has no such constant")
        text = "typedef enum k_e { K_A } k_e;\n/** @contract e := K_B */\nvoid k_f(k_e e, int a);"
        self.refused(text, "k.h:2: f: e: k_e has no enumerator K_B")

    def test_derived__names_of_extents_may_be_those_of_parameters(self):
        function = self.first("/** @contract x: f64[n]; n := n */\nvoid k_f(const double *x, int n);")
        self.assertEqual([p["name"] for p in function["params"]], ["x"])
        self.assertEqual(function["contract"], "x: f64[n]; n := n")
        self.assertEqual(function["c_params"][1]["derived"], "n")
        self.assertEqual(function["params"][0]["pointer"], "const double *")


if __name__ == "__main__":
    unittest.main()
