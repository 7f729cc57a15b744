#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Generated tests enter C only in functions with a contract that an author wrote or accepted for them."""

import json
import unittest

from headers import LANGUAGES, Headers, bind

DATASETS = """typedef struct m_db m_db;
int m_db_open(m_db **out, const char *path);
void m_db_close(m_db *it);
int m_db_dump_text(m_db *it, const char *file);
int m_db_rows(m_db *it);
int m_db_scale(m_db *it, double factor);
"""
EVERY = "every m_db_* { return: status; factor > 0 }\n"


class TestReviewed(Headers):
    def called(self, contracts, header=DATASETS):
        """The functions that accepted calls enter, and those that make their objects; all calls."""
        path = self.write(contracts, "k.contracts")
        status, out, said = bind(self.write(header), "--name", "m", "--contracts", path, "--cases")
        self.assertEqual(status, 0, said)
        cases = json.loads(out)["cases"]
        return {case["call"] for case in cases if case["status"] == "OK"}, {case["name"] for case in cases}

    def test_reviewed__every_is_no_contract_of_a_functions_own(self):
        self.assertEqual(self.called(EVERY), (set(), set()))
        self.assertEqual(self.called("m_db_* { return: status }"), (set(), set()))
        self.assertEqual(self.called(EVERY + "m_db_open { ?return: status }"), (set(), set()))

    def test_reviewed__a_block_is(self):
        called, all_calls = self.called(EVERY + "m_db_open { }")
        self.assertEqual(called, {"db_open"})
        refused = {"db_dump_text/it_closed", "db_rows/it_closed", "db_scale/it_closed", "db_scale/factor_limit"}
        self.assertEqual(all_calls - {"db_open/accepted"}, refused)  # before they enter C
        self.assertEqual(self.called(EVERY + "m_db_open { } m_db_rows { slow }")[0], {"db_open", "db_rows"})
        self.assertEqual(self.called(EVERY + "m_db_open { } m_db_sc* { factor = 1 }")[0], {"db_open", "db_scale"})

    def test_reviewed__a_comment_is(self):
        header = DATASETS.replace("int m_db_open", "/** @contract return: status */ int m_db_open")
        header = header.replace("int m_db_scale", "/** @contract factor < 9 */ int m_db_scale")
        self.assertEqual(self.called("", header)[0], {"db_open", "db_scale"})

    def test_reviewed__a_header_that_knows_us_makes_objects(self):
        header = DATASETS + "void m_db_fill(m_db *it, const DLTensor *x);"
        header = header.replace("int m_db_open(m_db **out", "m_db *m_db_open(").replace("m_db_open(, ", "m_db_open(")
        self.assertEqual(self.called("", header)[0], {"db_open"})

    def test_reviewed__tests_run_in_a_folder_of_their_own(self):
        path = self.write("m_db_open { return: status }", "k.contracts")
        out = self.folder / "out"
        header = self.write(DATASETS)
        bind(header, "--name", "m", "--contracts", path, "--lang", LANGUAGES, "--out", out)
        for name, words in (
            ("python/tests/test_contract.py", "tempfile.TemporaryDirectory()"),
            ("rust/tests/contract.rs", "Folder::enter()"),
            ("go/m_contract_test.go", "t.Chdir(t.TempDir())"),
            ("julia/test/runtests.jl", "cd(mktempdir())"),
        ):
            self.assertIn(words, (out / name).read_text())


if __name__ == "__main__":
    unittest.main()
