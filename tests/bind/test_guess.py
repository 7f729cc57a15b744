#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""--new-contracts: what it guesses of a C library, and that the plain cases need no more than their marks removed."""

import json
import re
import unittest

from headers import Headers, bind

HEADER = """#include <stddef.h>
unsigned long squeezeBound(unsigned long sourceLen);
typedef unsigned char Bytef;
typedef unsigned long uLong;
/** @return 0 on success, a code of last_error otherwise */
int squeeze2(Bytef *dest, uLong *destLen, const Bytef *source, uLong sourceLen, int level);
int unsqueeze(Bytef *dest, uLong *destLen, const Bytef *source, uLong sourceLen);
int unsqueeze2(Bytef *dest, uLong *destLen, const Bytef *source, uLong *sourceLen);
typedef void *voidp;
int put(const void *data, unsigned size);
int get(voidp buf, unsigned len);
size_t fetch(voidp buf, size_t size, size_t nitems);
int at_eof(int file);
const char *last_error(int code);
typedef struct plan_s *plan;
plan plan_dft(int n, double *in, double *out);
void plan_execute(const plan p);
void destroy_plan(plan p);
void make_planner_thread_safe(void);
typedef struct lamp lamp;
lamp *lamp_new(void);
void lamp_free(lamp *l);
/** Return its power. */
double lamp_watts(const lamp *l);
double lamp_get_level(const lamp *l);
/** Names a lamp. It is not thread-safe. */
void lamp_announce(lamp *l);
int LAPACKE_gesv(int matrix_layout, int n, int nrhs, double *a, int lda, int *ipiv, double *b, int ldb);
#define LAPACK_ROW_MAJOR 101
#define LAPACK_COL_MAJOR 102
"""

BLOCKS = """squeeze2 {
  ?dest: out u8[written <= hook(squeezeBound(sourceLen))];  ?written := *destLen;
  ?source: u8[sourceLen];
  ?sourceLen := sourceLen;  ?sourceLen > 0;
  ?return: status text last_error;
}
unsqueeze {
  ?dest: out u8[written <= _];  ?written := *destLen;
  ?source: u8[sourceLen];
  ?sourceLen := sourceLen;  ?sourceLen > 0;
}
unsqueeze2 {
  ?hide;
}
put {
  ?data: any[...];  ?size := bytes(data);
}
get {
  ?buf: inout any[...];  ?len := bytes(buf);
}
plan_dft {
  ?in: inout f64[n];
  ?out: inout f64[n];
  ?n := n;  ?n > 0;
  ?keeps in in result;
  ?keeps out in result;
  ?lock k;
}
lamp_watts {
  ?property;
}
lamp_announce {
  ?lock k;
}
LAPACKE_gesv {
  ?matrix_layout := order(a, b) {rows: LAPACK_ROW_MAJOR, columns: LAPACK_COL_MAJOR};
  ?a: inout f64[n, n] strided;  ?lda := ld(a);
  ?ipiv: inout i32[n];
  ?b: inout f64[n, nrhs] strided;  ?ldb := ld(b);
  ?n := n;  ?n > 0;
  ?nrhs := nrhs;  ?nrhs > 0;
  ?return: status info;
}
"""
# Declarations of libraries of which an earlier guess was wrong; some read or wrote beyond an array.
WRONG = """
typedef int FLAC__bool;
typedef struct dec dec;
void dec_free(dec *it);
/** Sets a value. @return false if it is running, else true */
FLAC__bool dec_set_flag(dec *it, FLAC__bool value);
/** Decodes. @return Number of decoded samples, or a negative error code */
int dec_decode(dec *it, const unsigned char *data, int len, short *pcm, int frame_size);
int nc_get_var(int ncid, const long *countp, double *ip);
int umf_symbolic(int n_row, int n_col, const int *Ap, const int *Ai);
int search_exact(const void *dataset, size_t dataset_size, size_t dataset_stride, int dims);
void on_event(int kind, void *user_data, size_t len);
int image_load(unsigned char *image, int width, int height);
int search(int k, double *out_results);
int cv_step(void *cvode_mem, double t);
int add_frames(const float *src, size_t frames);
int multiple(dec **its, size_t size, double *out);
int chol_factor(double *mat, int n);
int mesh(int nface, const int *face);
int solve(dec *it, double *x, const double *y, int n);
int att_text(int id, const char *name, size_t len, const char *op);
int keep_memory(dec *it, const void *buf, size_t buf_size, bool copy);
int open_memory(const void *buf, size_t buf_size);
int report(int n, const double *x, const double control[LIMIT_OF_ANOTHER_HEADER]);
int dec_set_info(dec *it, const char *field, const void *data, unsigned long size, int type);
int put_as(const void *data, unsigned long size, int type);
dec *dec_init(dec *it);
dec *dec_current(int id);
"""
# An array whose length is not n, by its name or by the comment beside it.
LENGTHS = """int strong(int n, int Ap[], int Ai[], int Q[], int P[], int R[], int Work[]);
void symbolic(int n, const int Ap[], const int Ai[]);
int order(int n, int p[], int q[]);
double trace(int n, const double x[] /* size n+1 */);
double total(int n,
  const double x[],  // size nz
  const double y[]);
double area(
  /* size 4*n */
  const double x[], int n);
/** Take. @param size number of coordinates */
int sequence(const double *buf, unsigned size, int hasZ);
/** Sum. @param x of size 3n
 *  @param n a number */
double sum(const double x[], int n);
double norm(const double x[], /* n-by-n */ int n);
double first(const double *values, int nvalues); /* nothing */
void solve_l(int n, double X[], const int row_ptr[]);
"""

# Objects that would be freed twice, or whose memory is not theirs: makers that no guess names.
MAKERS = """#include <stddef.h>
typedef struct pot pot;
typedef struct lid lid;
typedef struct box box;
void free_pot(pot *it);
void free_lid(lid *it);
void free_box(box *it);
lid *make_lid(int size);
box *make_box(int size);
pot *make_pot(int size);
pot *initPot(void *buffer, size_t size);
pot *createStaticPot(unsigned char *memory, size_t size);
/** Make one. @param it the lid, ownership passes to the pot */
pot *create_covered(lid *it);
pot *create_covered_r(int context, lid *it);
/** Make one in the memory of a box. */
pot *alloc_from_box(box *it, int offset);
/** Copy. The caller retains ownership of the lid. */
pot *create_beside(lid *it);
"""
STEPS = """typedef struct hash hash;
hash *create_hash(void);
void free_hash(hash *it);
int hash_update(hash *it, const void *input, unsigned long length);
"""


class TestGuess(Headers):
    def guesses(self, header=HEADER):
        path = self.folder / "guesses"
        path.unlink(missing_ok=True)
        status, _, said = bind(self.write(header), "--name", "k", "--new-contracts", path)
        self.assertEqual(status, 0, said)
        return path.read_text()

    def bound(self, contracts, header=HEADER):
        path = self.write(contracts, "k.contracts")
        status, out, said = bind(self.write(header), "--name", "k", "--contracts", path, "--ir")
        self.assertEqual(status, 0, said)
        return {f["name"]: f for f in json.loads(out)["functions"] if f["unbound"] is None}

    def test_guess__blocks(self):
        guesses = re.sub(r" # (high|fair).*", "", self.guesses())
        self.assertIn("\n?handle plan freed destroy_plan made plan_dft;\n", guesses)
        for block in BLOCKS.split("}\n")[:-1]:
            with self.subTest(block.split()[0]):
                self.assertIn(f"\n{block}}}\n", guesses)
        for name in ("fetch", "at_eof", "plan_execute", "lamp_get_level"):  # nothing to say, or nothing sure
            self.assertIn(f"\n# {name} {{ }} #", guesses)

    def test_guess__each_clause_says_how_sure_it_is(self):
        for line in self.guesses().splitlines():
            if line.startswith("  ?") and not re.fullmatch(r"  \?(\w+) := \1;  \?\1 > 0;", line):
                self.assertRegex(line, r"; # (high|fair): \w")

    def test_guess__one_struct_behind_a_pointer(self):
        header = """typedef struct k_oid { unsigned char id[20]; } k_oid;
int k_cmp(const k_oid *a, const k_oid *b);
/** @param[out] into it */
int k_parse(k_oid *into, const char *text);
int k_all(const k_oid *ids, int n);
int k_sort(const k_oid *list, int n);
int k_change(k_oid *oid);
"""
        guesses = re.sub(r" # (high|fair).*", "", self.guesses(header))
        self.assertIn("k_cmp {\n  ?a: in;\n  ?b: in;\n}", guesses)
        self.assertIn("k_parse {\n  ?into: out;\n}", guesses)
        for name in ("all", "sort", "change"):
            self.assertIn(f"\n# k_{name} {{ }} #", guesses)
        bound = self.bound("k_cmp { a: in; b: in }\nk_parse { into: out }", header)
        self.assertEqual(sorted(bound), ["k_cmp", "k_parse"])

    def test_guess__nothing_where_something_is_open(self):
        guesses = self.guesses(f"#include <stddef.h>\n#include <stdbool.h>\n{WRONG}")
        self.assertNotIn("?", guesses.split("\n\n", 1)[1])

    def test_guess__no_other_length(self):
        for declared in LENGTHS.split(";\n")[:-1]:
            with self.subTest(declared):
                guesses = self.guesses(f"{declared};")
                self.assertEqual("?" in guesses.split("\n\n", 1)[1], "nvalues" in declared, guesses)

    def test_guess__comments_that_agree(self):
        for said in ("size n", "size n, not modified", "x [0..n-1]", "size is given by n", "of length n", "the input"):
            with self.subTest(said):
                guesses = self.guesses(f"double total(const double x[], /* {said} */ int n);")
                self.assertIn("?x: f64[n];", guesses)

    def test_guess__no_empty_arrays(self):
        header = """double max(const double data[], int stride, int n);
            double dot(int n, const double *x, int incx, const double *y, int incy);
            double total(const double *data, int n /* may be 0 */);
            double mean(const double x[], int n);
            double spread(int n, const double x[n]);
        """
        guesses = self.guesses(header)
        self.assertEqual(guesses.count("?n := n;  ?n > 0;\n"), 4, guesses)
        self.assertEqual(guesses.count("?n := n;\n"), 1, guesses)
        self.assertEqual(len(self.bound(re.sub(r"(^|  )\?", r"\1", guesses, flags=re.M), header)), 5)

    def test_guess__no_maker_that_keeps_an_argument(self):
        self.assertIn("\n?handle pot freed free_pot made make_pot, create_beside;\n", self.guesses(MAKERS))

    def test_guess__no_object_that_another_function_starts(self):
        self.assertIn("?handle hash freed free_hash made create_hash;", self.guesses(STEPS))
        self.assertNotIn("?", self.guesses(f"{STEPS}int hash_reset(hash *it, int seed);").split("\n\n", 1)[1])

    def test_guess__nothing_that_c_may_keep(self):
        pot = "typedef struct pot pot; void pot_free(pot *it);"
        for declared in (
            "int pot_refPrefix(pot *it, const void *prefix, unsigned long prefixSize);",
            "int pot_reset_withSecret(pot *it, const void *secret, unsigned long secretSize);",
            "/** Feed. The buffer is referenced. */ int pot_feed(pot *it, const void *src, unsigned long srcSize);",
            "/** Feed. @param src must outlive it */ int pot_feed(pot *it, const void *src, unsigned long srcSize);",
        ):
            with self.subTest(declared):
                self.assertNotIn("?", self.guesses(f"{pot}\n{declared}").split("\n\n", 1)[1])

    def test_guess__nothing_that_the_declaration_contradicts(self):
        for declared in (
            "int PredictFromCuda(int it, const float **out_result, unsigned long *out_len);",
            "void sort_char(char *data, unsigned long stride, unsigned long n);",
            "typedef enum s { S_OK, S_ERROR, S_SUSPENDED } s; s feed(int a);",
            "typedef enum s { S_OK, S_ERR, S_TRY_AGAIN } s; s feed(int a);",
        ):
            with self.subTest(declared):
                self.assertNotIn("?", self.guesses(declared).split("\n\n", 1)[1])
        said = "/** Set. @param[in] image the file\n @param[in] size its size */\n"
        guesses = self.guesses(f"{said}int put_image(void *image, unsigned long imageLen);")
        self.assertIn("?image: in any[...];", guesses)

    def test_guess__no_array_beside_a_place_in_it(self):
        for place in ("i", "index", "pos", "lo", "first_idx", "offset"):
            for declared in (f"const double *x, int n, int {place}", f"const double *x, int xlen, int {place}"):
                with self.subTest(declared):
                    guesses = self.guesses(f"double last({declared});")
                    self.assertNotIn("?", guesses.split("\n\n", 1)[1])
        for place in ("double f", "double trim", "float quantile"):
            declared = f"double last({place}, const double x[], int stride, int n);"
            self.assertNotIn("?", self.guesses(declared).split("\n\n", 1)[1])
        self.assertIn("?x: f64[n];", self.guesses("double total(const double *x, int n, int flags);"))

    def test_guess__declared_lengths(self):
        header = """enum { EIGHT = 8 };
            typedef double vec3[3];
            #define K_FOUR 4
            int seal(const unsigned char key[16], unsigned char tag[static EIGHT * 2]);
            double dot(const vec3 a, const vec3 b);
            void turn(const vec3 a, vec3 out, const double q[K_FOUR]);
            double mean(int n, const double x[n]);
        """
        guesses = re.sub(r" # (high|fair).*", "", self.guesses(header))
        for clause in ("key: u8[16]", "tag: inout u8[16]", "a: f64[3]", "out: out f64[3]", "q: f64[4]", "x: f64[n]"):
            self.assertIn(f"?{clause};", guesses)
        self.assertEqual(self.bound(guesses.replace("?", ""), header).keys(), {"seal", "dot", "turn", "mean"})

    def test_guess__objects_that_may_be_absent(self):
        header = """typedef struct pot pot;
            pot *pot_new(int a);
            void pot_free(pot *x);
            /** Sum.
             *  @param more another one, may be NULL
             *  @param most must not be NULL
             *  @param count how many */
            int pot_sum(const pot *x, pot *more, pot *most, int count);
            /** @param x may be NULL */
            int pot_one(pot *x);
        """
        guesses = self.guesses(header)
        self.assertEqual(re.findall(r"\?(\w+: opt); # (high: .*)", guesses), [
            ("more: opt", "high: the comment says that it may be NULL"),
        ])  # fmt: skip
        self.assertTrue(self.bound(guesses.replace("?", ""), header)["pot_sum"]["params"][1]["optional"])

    def test_guess__does_nothing_until_its_mark_is_removed(self):
        without = self.bound("")
        self.assertEqual(self.bound(self.guesses()).keys(), without.keys())
        self.assertNotIn("squeeze2", without)

    def test_guess__none_is_refused_and_each_binds_its_function(self):
        for header in (HEADER, f"#include <stddef.h>\n#include <stdbool.h>\n{WRONG}"):
            guesses = self.guesses(header)
            functions = self.bound(re.sub(r"(^|  )\?", r"\1", guesses, flags=re.M), header)
            for name in re.findall(r"^(\w+) \{$", guesses, re.M):
                self.assertTrue(name in functions or name == "unsqueeze2", name)  # which is hidden
        functions = self.bound(self.guesses().replace("?", ""))
        self.assertEqual([p["name"] for p in functions["squeeze2"]["params"]], ["dest", "source", "level", "written"])
        self.assertEqual(functions["lamp_watts"]["property"], "watts")
        self.assertEqual(functions["plan_dft"]["creates"], "plan")


if __name__ == "__main__":
    unittest.main()
