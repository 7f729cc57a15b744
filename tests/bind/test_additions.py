#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""--new-contracts beside a file of contracts: what is new is added to it, and the rest stays byte for byte."""

import unittest

from headers import Headers, bind

OLD = """typedef struct k_box k_box;
double k_sum(const double *x, int n);
double k_mean(const double *x, int n);
double k_max(const double *x, int n);
int k_plus(int a, int b);
"""
NEW = """double k_min(const double *x, int n);
k_box *k_box_new(int a);
int k_box_read(k_box *box);
void k_free_box(k_box *box);
int k_minus(int a, int b);
"""
OWN = b"""# mine\r
k_sum { x: f64[n];  n := n } # as the manual says, page 3
k_m?x { x: f64[n];  n := n }
  # k_mean { } # later"""


class TestAdditions(Headers):
    def add(self, header, path, to=None):
        status, out, said = bind(self.write(header), "--name", "k", "--contracts", path, "--new-contracts", to or path)
        self.assertEqual((out, said), ("", ""))
        return status

    def test_additions__the_file_stays_and_what_is_new_follows(self):
        path = self.write(OWN, "k.contracts")
        self.assertEqual(self.add(OLD + NEW, path), 0)
        text = path.read_bytes()
        self.assertTrue(text.startswith(OWN + b"\n\n# What k.h has beside the above.\n"))
        added = text[len(OWN) :].decode()
        self.assertIn("\nk_min {\n  ?x: f64[n];", added)
        self.assertIn("\n?handle k_box freed k_free_box made k_box_new;\n", added)
        for name in ("k_sum", "k_mean", "k_max", "k_plus", "k_minus"):
            self.assertNotIn(name, added)

    def test_additions__a_second_run_adds_nothing(self):
        path = self.write(OWN, "k.contracts")
        self.add(OLD + NEW, path)
        once = path.read_bytes()
        self.add(OLD + NEW, path)
        self.assertEqual(path.read_bytes(), once)
        self.add(OLD + NEW + "double k_norm(const double *x, int n);\n", path)
        self.assertTrue(path.read_bytes().startswith(once))
        self.assertIn(b"k_norm {", path.read_bytes()[len(once) :])

    def test_additions__a_file_with_all_stays(self):
        path = self.write(OWN, "k.contracts")
        self.assertEqual(self.add(OLD, path), 0)
        self.assertEqual(path.read_bytes(), OWN)

    def test_additions__another_file_gets_a_copy(self):
        path = self.write(OWN, "k.contracts")
        other = self.folder / "new.contracts"
        self.assertEqual(self.add(OLD + NEW, path, other), 0)
        self.assertEqual(path.read_bytes(), OWN)
        self.add(OLD + NEW, path)
        self.assertEqual(other.read_bytes(), path.read_bytes())
        status, _, said = bind(self.write(OLD + NEW), "--name", "k", "--contracts", path, "--new-contracts", other)
        self.assertEqual(status, 1)
        self.assertIn("cannot write", said)

    def test_additions__the_added_guesses_are_inert_until_confirmed(self):
        path = self.write(OWN, "k.contracts")
        self.add(OLD + NEW, path)
        header = self.write(OLD + NEW)
        status, out, said = bind(header, "--name", "k", "--contracts", path, "--coverage", "json")
        self.assertEqual((status, said), (0, ""))
        self.assertIn('"bound": 4,', out)
        path.write_bytes(OWN + path.read_bytes()[len(OWN) :].replace(b"?", b""))
        status, out, said = bind(header, "--name", "k", "--contracts", path, "--coverage", "json")
        self.assertEqual((status, said), (0, ""))
        self.assertIn('"bound": 7, "frees": 1,', out)

    def test_additions__a_mistake_in_the_file_stops_it(self):
        path = self.write("k_gone { a > 0 }\n", "k.contracts")
        status, _, said = bind(self.write(OLD), "--name", "k", "--contracts", path, "--new-contracts", path)
        self.assertEqual(status, 1)
        self.assertIn("k.contracts:1:1: k_gone: the header has no such function", said)
        self.assertEqual(path.read_text(), "k_gone { a > 0 }\n")


if __name__ == "__main__":
    unittest.main()
