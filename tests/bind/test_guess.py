#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""--new-contracts: what it guesses of a C library, and that the plain cases need no more than their marks removed."""

import json
import unittest

from headers import Headers, bind

HEADER = """#include <stddef.h>
unsigned long squeezeBound(unsigned long sourceLen);
typedef unsigned char Bytef;
typedef unsigned long uLong;
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
double lamp_watts(const lamp *l);
double lamp_get_level(const lamp *l);
/** Names a lamp. It is not thread-safe. */
void lamp_announce(lamp *l);
int LAPACKE_gesv(int matrix_layout, int n, int nrhs, double *a, int lda, int *ipiv, double *b, int ldb);
"""

BLOCKS = """squeeze2 {
  ?dest: out u8[written <= hook(squeezeBound(sourceLen))];
  ?written := *destLen;
  ?source: u8[sourceLen];
  ?sourceLen := sourceLen;
  ?return: status text last_error;
}
unsqueeze {
  ?dest: out u8[written <= _];
  ?written := *destLen;
  ?source: u8[sourceLen];
  ?sourceLen := sourceLen;
  ?return: status text last_error;
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
fetch {
}
at_eof {
}
plan_dft {
  ?in: inout f64[n];
  ?out: out f64[n];
  ?n := n;
  ?keeps in in result;
  ?keeps out in result;
  ?lock k;
}
plan_execute {
}
destroy_plan {
}
lamp_watts {
  ?property;
}
lamp_get_level {
}
lamp_announce {
  ?lock k;
}
LAPACKE_gesv {
  ?matrix_layout := order(a, b) {rows: LAPACK_ROW_MAJOR, columns: LAPACK_COL_MAJOR};
  ?a: inout f64[n, n] strided;  ?lda := ld(a);
  ?ipiv: inout i32[n];
  ?b: inout f64[n, nrhs] strided;  ?ldb := ld(b);
  ?n := n;
  ?nrhs := nrhs;
  ?return: status info;
}
"""


class TestGuess(Headers):
    def guesses(self):
        path = self.folder / "guesses"
        status, _, said = bind(self.write(HEADER), "--name", "k", "--new-contracts", path)
        self.assertEqual(status, 0, said)
        return path.read_text()

    def bound(self, contracts):
        path = self.write(contracts, "k.contracts")
        header = HEADER + "#define LAPACK_ROW_MAJOR 101\n#define LAPACK_COL_MAJOR 102\n"
        status, out, said = bind(self.write(header), "--name", "k", "--contracts", path, "--ir")
        self.assertEqual(status, 0, said)
        return {f["name"]: f for f in json.loads(out)["functions"] if f["unbound"] is None}

    def test_guess__blocks(self):
        guesses = self.guesses()
        self.assertIn("\n?handle plan freed destroy_plan made plan_dft;\n", guesses)
        for block in BLOCKS.split("}\n")[:-1]:
            with self.subTest(block.split()[0]):
                self.assertIn(f"\n{block}}}\n", guesses)

    def test_guess__does_nothing_until_its_mark_is_removed(self):
        without = self.bound("")
        self.assertEqual(self.bound(self.guesses()).keys(), without.keys() | {"last_error"} & without.keys())
        self.assertNotIn("squeeze2", without)

    def test_guess__is_enough_for_the_plain_cases(self):
        functions = self.bound(self.guesses().replace("?", ""))
        for name in ("squeeze2", "unsqueeze", "put", "get", "plan_dft", "plan_execute", "LAPACKE_gesv"):
            self.assertIn(name, functions)
        self.assertNotIn("unsqueeze2", functions)  # its length of the input is C's to change
        self.assertNotIn("fetch", functions)
        self.assertEqual([p["name"] for p in functions["squeeze2"]["params"]], ["dest", "source", "level", "written"])
        self.assertEqual(functions["lamp_watts"]["property"], "watts")
        self.assertEqual(functions["plan_dft"]["creates"], "plan")


if __name__ == "__main__":
    unittest.main()
