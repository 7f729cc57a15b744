#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The output of --coverage: each function of a header counts once, and each that is left out has a reason."""

import json
import unittest

from headers import HERE, Headers, bind

HEADER = """typedef struct k_box k_box;
typedef struct k_db k_db;
typedef union { int a; } k_odd;
k_box *k_box_new(int a);
int k_box_value(const k_box *box);
void k_box_free(k_box *box);
int k_plus(int a, int b);
int k_odd_one(k_odd odd);
int k_odd_two(int a, k_odd other);
int k_many(const char *format, ...);
k_db *k_db_open(int a);
int k_db_size(k_db *db);
void k_db_finish(k_db *db);
double k_hidden(double a);
"""


class TestCoverage(Headers):
    def coverage(self, *options, header=HEADER):
        status, out, said = bind(self.write(header), "--name", "k", *options, "--coverage", "json")
        self.assertEqual((status, said), (0, ""))
        return json.loads(out)

    def test_coverage__counts_each_function_once(self):
        contracts = self.write("k_hidden { hide }\n", "k.contracts")
        told = self.coverage("--contracts", contracts)
        self.assertEqual(told["functions"], HEADER.count(");"))
        kinds = {key: told[key] for key in ("bound", "frees", "guessed", "hidden", "left_out")}
        self.assertEqual(kinds, {"bound": 3, "frees": 1, "guessed": 0, "hidden": 1, "left_out": 6})
        self.assertEqual(sum(kinds.values()), told["functions"])

    def test_coverage__each_reason_has_its_functions_the_most_frequent_first(self):
        reasons = self.coverage()["reasons"]
        self.assertEqual([len(reason["functions"]) for reason in reasons], [3, 2, 1])
        self.assertEqual(reasons[0]["functions"], ["k_db_open", "k_db_size", "k_db_finish"])
        self.assertEqual(reasons[1]["why"], "the type `k_odd` is not bound")
        self.assertEqual(reasons[1]["functions"], ["k_odd_one", "k_odd_two"])
        self.assertEqual(reasons[2]["functions"], ["k_many"])

    def test_coverage__functions_that_a_guess_binds(self):
        header = HEADER.replace("k_db_finish", "k_free_db")
        told = self.coverage(header=header)
        self.assertEqual((told["guessed"], told["left_out"]), (3, 3))
        path = self.folder / "k.contracts"
        bind(self.write(header), "--name", "k", "--new-contracts", path)
        path.write_text(path.read_text().replace("?", ""))
        accepted = self.coverage("--contracts", path, header=header)
        self.assertEqual(accepted["bound"] + accepted["frees"], told["bound"] + told["frees"] + told["guessed"])

    def test_coverage__members_of_a_family_count_and_the_family_does_not(self):
        header = HERE.parent / "clauses/clauses.h"
        status, out, _ = bind(header, "--name", "clauses", "--contracts", header.with_suffix(".contracts"), "--ir")
        self.assertEqual(status, 0)
        functions = json.loads(out)["functions"]
        status, out, _ = bind(
            header, "--name", "clauses", "--contracts", header.with_suffix(".contracts"), "--coverage", "json"
        )
        told = json.loads(out)
        self.assertEqual(status, 0)
        families = {f["member_of"] for f in functions if "member_of" in f}
        self.assertTrue(families and families <= {f["name"] for f in functions})
        self.assertEqual(told["bound"] + told["left_out"] + told["guessed"], len(functions) - len(families))

    def test_coverage__the_table(self):
        header = HEADER + "".join(f"int k_odd_{i}(k_odd a);\n" for i in range(4))
        status, out, said = bind(self.write(header), "--name", "k", "--coverage", "table")
        self.assertEqual((status, said), (0, ""))
        self.assertEqual(out.split("\n")[0], "k.h: 15 functions")
        self.assertIn("     4   27 %  bound\n     1    7 %  called by an object's end\n", out)
        why = "     6  the type `k_odd` is not bound: no clause binds that: call it in C of your own, "
        self.assertIn(why, out)
        self.assertIn(":\n        k_odd_one, k_odd_two, k_odd_0, k_odd_1 and 2 more\n", out)
        self.assertNotIn("the only reason", out)

    def test_coverage__a_function_stands_under_each_of_its_reasons(self):
        header = HEADER + "k_odd k_both(int (*call)(int), k_odd odd, double *x, int n, ...);\n"
        told = self.coverage(header=header)
        reasons = {reason["why"]: reason for reason in told["reasons"]}
        self.assertEqual(told["left_out"], 7)
        whys = [why for why, reason in reasons.items() if "k_both" in reason["functions"]]
        self.assertEqual(len(whys), 4, whys)
        odd = reasons["the type `k_odd` is not bound"]
        self.assertEqual((odd["functions"], odd["alone"]), (["k_odd_one", "k_odd_two", "k_both"], 2))
        pointer = reasons["pointers to functions are not bound"]
        self.assertEqual((pointer["functions"], pointer["alone"]), (["k_both"], 0))
        _, out, _ = bind(self.write(header), "--name", "k", "--coverage", "table")
        self.assertIn("(the only reason for 2):\n        k_odd_one, k_odd_two, k_both\n", out)

    def test_coverage__each_reason_says_what_to_write(self):
        for reason in self.coverage()["reasons"]:
            said = reason["why"] + reason["advice"]
            self.assertRegex(said, "write|hide|rename", reason["why"])

    def test_coverage__an_open_file_is_no_struct_to_fill_in(self):
        told = self.coverage(header=HEADER + "typedef struct k_io { char *at; } FILE;\nint k_print(FILE *to);\n")
        reasons = {reason["why"]: reason["functions"] for reason in told["reasons"]}
        why = next(reason for reason in reasons if "open the `FILE`" in reason)
        self.assertIn('write `to: file "rb"`', why)
        self.assertEqual(reasons[why], ["k_print"])

    def test_coverage__another_format_is_refused(self):
        status, _, said = bind(self.write(HEADER), "--name", "k", "--coverage", "xml")
        self.assertEqual(status, 2)
        self.assertIn("--coverage: expected table or json, got xml", said)


if __name__ == "__main__":
    unittest.main()
