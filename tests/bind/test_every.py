#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`every PATTERN { ... }`: clauses beside those of a function's own block, and `handle` in a comment."""

import unittest

from headers import Headers, bind, without_columns

POTS = """#include <stdint.h>
typedef void *PotHandle;
int PotMake(int a, PotHandle *out);
int PotFree(PotHandle pot);
int PotSize(PotHandle pot, int *size);
int PotFill(PotHandle pot, int size);
int PotCount(PotHandle pot);
void PotStir(PotHandle pot);
int64_t PotDepth(PotHandle pot);
const char *PotError(void);
"""
HANDLE = "handle PotHandle freed PotFree made PotMake;\n"


class Every(Headers):
    def functions(self, contracts, header=POTS):
        path = self.write(contracts, "k.contracts")
        ir, _ = self.read(header, "--contracts", path, "--prefix", "Pot")
        return {f["name"]: f for f in ir["functions"]}

    def refused_with(self, contracts, message, header=POTS):
        path = self.write(contracts, "k.contracts")
        status, _, said = bind(self.write(header), "--name", "k", "--contracts", path, "--ir", cwd=self.folder)
        self.assertEqual(status, 1)
        self.assertIn(message, without_columns(said))


class TestEvery(Every):
    def test_every__goes_beside_a_functions_own_block(self):
        every = "every Pot* { return: status text PotError; size: out; size > 0 }\n"
        functions = self.functions(HANDLE + every + "PotFill { slow }\nPotCount { return: value }\n")
        self.assertEqual({f["unbound"] for f in functions.values()}, {None})
        returns = {name: f["returns"]["as"] for name, f in functions.items()}
        self.assertEqual(
            returns,
            {
                "PotMake": "status",
                "PotSize": "status",
                "PotFill": "status",
                "PotCount": "value",
                "PotStir": "void",
                "PotDepth": "value",  # no int
                "PotError": "value",
            },
        )
        contract = "size > 0; slow; return: status ok 0 text PotError"
        self.assertEqual((functions["PotFill"]["contract"], functions["PotFill"]["speed"]), (contract, "slow"))
        self.assertEqual(functions["PotSize"]["returns"]["text"], "PotError")

    def test_every__keeps_objects(self):
        header = "typedef struct k_pan k_pan;\nk_pan *k_pan_new(void);\nvoid k_pan_free(k_pan *pan);\n"
        header += "void k_put(k_pan *pan, k_pan *on);\nint k_burn(k_pan *pan, int on);\nint k_lit(k_pan *on);\n"
        functions = self.functions("every k_* { keeps on in pan }", header)
        self.assertEqual(
            [f["name"] for f in functions.values() if any(p.get("kept_object") for p in f["params"])], ["k_put"]
        )

    def test_every__gives_way_to_the_functions_own_clauses(self):
        every = "every Pot* { return: status; size > 0; size = 3 }\n"
        own = "PotFill { return: status ok 1; size < 9 }\nPotSize { size: out }\n"
        functions = self.functions(HANDLE + every + own)
        self.assertEqual(functions["PotFill"]["returns"]["ok"], 1)
        self.assertEqual(functions["PotFill"]["contract"], "size < 9; size = 3; return: status ok 1")

    def test_every__is_for_a_lock_too_also_of_what_frees(self):
        path = self.write(HANDLE + "every Pot* { return: status; lock pots }\nPotSize { size: out }\n", "k.contracts")
        out = self.folder / "out"
        self.assertEqual(bind(self.write(POTS), "--name", "k", "--contracts", path, "--out", out)[0], 0)
        twin = (out / "k_dlferry.c").read_text()
        self.assertEqual(twin.count('dlf_lock_enter("pots")'), 7)
        self.assertEqual(twin.count('dlferry_end_Pot, "pots")'), 1)

    def test_every__refused(self):
        self.refused_with("every Jar* { slow }", "k.contracts:1: Jar*: the header has no such function")
        self.refused_with("every { slow }", "k.contracts:1: every: the header has no such function")
        self.refused_with("every Pot* { slow }\nevery Pot* { fast }", "k.contracts:2: Pot* has a contract in line 1")
        self.refused_with("every *\n", "k.contracts:2: *: expected `{`")
        self.refused_with(HANDLE + "every PotS* { slow }\nevery *Stir { fast }", "k.contracts:3: pot_stir: contract:")

    def test_every__a_guess_does_nothing(self):
        functions = self.functions(HANDLE + "?every Pot* { hide }\nPotMake { return: status }\n")
        self.assertIn("PotStir", functions)

    def test_handles__in_a_comment(self):
        contract = "/** @contract handle PotHandle freed PotFree made PotMake;  return: status */\n"
        header = POTS.replace("int PotMake(", f"{contract}int PotMake(")
        header = header.replace("int PotSize(", "/** @contract size: out */ int PotSize(")
        ir, _ = self.read(header)
        self.assertEqual([h["name"] for h in ir["handles"]], ["PotHandle"])
        self.assertEqual(ir["functions"][0]["creates"], "PotHandle")
        self.refused(
            header.replace("made PotMake", "made Jar"), "k.h:3: handle PotHandle: the header has no function Jar"
        )
        self.refused_with(HANDLE, "handle PotHandle stands in line", header)


class TestSuits(Every):
    def test_every__a_clause_may_begin_with_a_parenthesis(self):
        header = "int k_f(int n);\nint k_g(int m);\n"
        for clause in ("(n + 1) > 0", "2 * n > 0", "min(n, 3) > 0"):
            with self.subTest(clause):
                functions = self.functions(f"every * {{ {clause} }}\nk_f {{ slow }}\nk_g {{ fast }}\n", header)
                self.assertIn("> 0", functions["k_f"]["contract"])
                self.assertEqual(functions["k_g"]["contract"], "fast")

    def test_every__a_clause_that_suits_nothing_is_refused(self):
        for clause in ("slwo", "return status", "retrun: status", "nothing > 0", "keeps none in result", "N := n"):
            with self.subTest(clause):
                self.refused_with(
                    f"{HANDLE}every Pot* {{ size: out;\n  return: status; {clause} }}\n",
                    f"every Pot*: `{clause}` suits none of its functions: expected a clause for a parameter of one, "
                    "`return: ...`, or one of the words slow, fast, threadsafe, unchanged, lock NAME, hide, method, "
                    "property\n",
                )

    def test_every__a_clause_that_functions_have_themselves_suits_them(self):
        functions = self.functions(HANDLE + "every Pot* { return: status }\nPotSize { return: status; size: out }\n")
        self.assertEqual(functions["PotSize"]["returns"]["as"], "status")

    def test_every__a_guess_does_nothing(self):
        self.functions(HANDLE + "every Pot* { ?slwo; return: status }\n")


if __name__ == "__main__":
    unittest.main()
