#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`handle TYPE unowned` and `return: borrows NAME`: what is refused, and what is left out and why."""

import json
import unittest

from headers import Headers, bind, without_columns

TREE = """typedef struct k_tree k_tree;
typedef struct k_leaf k_leaf;
k_tree *k_tree_new(int a);
void k_tree_free(k_tree *tree);
k_leaf *k_tree_get_leaf(const k_tree *tree, int i);
int k_tree_find(k_tree *tree, k_leaf **out);
int k_leaf_size(const k_leaf *leaf);
"""
LEAF = "handle k_leaf unowned;\n"


class TestBorrows(Headers):
    def with_contracts(self, header, contracts, *options):
        """Exit status and text on stderr."""
        path = self.write(contracts, "k.contracts")
        given = ("--name", "k", "--contracts", path, "--out", self.folder / "out", *options)
        status, _, said = bind(self.write(header), *given)
        return status, without_columns(said.replace(str(self.folder) + "/", "").replace("dlferry-bind: ", "").strip())

    def functions(self, header, contracts):
        path = self.write(contracts, "k.contracts")
        status, out, said = bind(self.write(header), "--name", "k", "--contracts", path, "--ir")
        self.assertEqual(status, 0, said)
        return {f["name"]: f for f in json.loads(out)["functions"]}

    def unbound(self, header, contracts, function):
        return self.functions(header, contracts)[function]["unbound"]

    def test_borrows__bound(self):
        contracts = LEAF + "k_tree_new { }\nk_tree_get_leaf { return: borrows tree }\n"
        contracts += "k_tree_find { out: borrows tree; return: status }"
        found = self.functions(TREE, contracts)
        self.assertEqual({f["unbound"] for f in found.values()}, {None})
        get = found["k_tree_get_leaf"]
        self.assertEqual((get["creates"], get["borrows"], get["owner"]), ("k_leaf", True, "tree"))
        self.assertEqual((get["method_of"], get["method"]), ("k_tree", "get_leaf"))
        status, said = self.with_contracts(TREE, contracts, "--lang", "python,rust,go,julia")
        self.assertEqual((status, said), (0, ""))
        twin = (self.folder / "out/k_dlferry.h").read_text()
        self.assertIn("k_tree_free_checked", twin)
        self.assertNotIn("k_leaf_free", twin)

    def test_borrows__in_comments(self):
        getter = "k_leaf *k_tree_get_leaf("
        header = TREE.replace(getter, f"/** Get. @contract handle k_leaf unowned; return: borrows tree */\n{getter}")
        found = self.functions(header, "k_tree_find { out: borrows tree; return: status }")
        self.assertEqual(found["k_tree_get_leaf"]["owner"], "tree")
        self.assertEqual(found["k_tree_find"]["owner"], "tree")

    def test_borrows__by_every(self):
        found = self.functions(TREE, LEAF + "every k_tree_* { return: borrows tree }")
        self.assertEqual(found["k_tree_get_leaf"]["owner"], "tree")
        self.assertIsNone(found["k_tree_new"].get("owner"))  # it has no parameter of that name

    def test_borrows__malformed(self):
        for clause, message in (
            ("return: borrows", "k_tree_get_leaf: contract: `borrows`: expected the name of a parameter"),
            ("return: borrows 3", "k_tree_get_leaf: contract: `borrows`: expected the name of a parameter"),
            ("return: borrows tree i", "k_tree_get_leaf: contract: `borrows`: expected the name of a parameter"),
            (
                "return: borrows twig",
                "tree_get_leaf: `return: borrows twig`: expected the name of an object that callers pass",
            ),
            (
                "return: borrows i",
                "tree_get_leaf: `return: borrows i`: expected the name of an object that callers pass",
            ),
            (
                "i: borrows tree",
                "tree_get_leaf: `i: borrows tree`: expected an object that C returns, or writes behind a pointer",
            ),
            ("return: borrows tree; return: borrows tree", "k_tree_get_leaf: contract: expected one `borrows`"),
        ):
            with self.subTest(clause):
                status, said = self.with_contracts(TREE, LEAF + "k_tree_get_leaf { " + clause + " }")
                self.assertEqual((status, said.split("\n")[0]), (1, f"k.contracts:2: {message}"))

    def test_borrows__left_out_without_a_clause(self):
        self.assertEqual(
            self.unbound(TREE, "", "k_leaf_size"),
            "leaf: `k_leaf`: a struct that no function of this header frees: if C frees it with another object, or "
            "never, write `handle k_leaf unowned;` in the file of contracts",
        )
        self.assertEqual(
            self.unbound(TREE, LEAF, "k_tree_get_leaf"),
            "its result: no function frees a `k_leaf`: write `return: borrows tree` if C frees it with that object, or "
            "name the function after `handle k_leaf unowned made` if C never frees it",
        )
        self.assertIn("write `out: borrows tree` if", self.unbound(TREE, LEAF, "k_tree_find"))
        other = TREE + "k_tree *k_tree_root(k_tree *tree);\n"
        self.assertIn(
            "or one that a `handle ... made` names, may return a handle: write `return: borrows tree` if C frees it "
            "with that object",
            self.unbound(other, LEAF, "k_tree_root"),
        )

    def test_borrows__a_maker_by_its_name_alone_is_none_of_an_unowned_type(self):
        header = TREE + "k_leaf *k_leaf_new(int a);\n"
        self.assertIn("no function frees a `k_leaf`", self.unbound(header, LEAF, "k_leaf_new"))
        self.assertIsNone(self.unbound(header, "handle k_leaf unowned made k_leaf_new;", "k_leaf_new"))

    def test_borrows__what_c_promises_not_to_change(self):
        header = TREE.replace("k_leaf *k_tree_get", "const k_leaf *k_tree_get")
        contracts = LEAF + "k_tree_get_leaf { return: borrows tree }"
        self.assertIsNone(self.unbound(header, contracts, "k_tree_get_leaf"))
        header += "void k_leaf_cut(k_leaf *leaf);\n"
        self.assertEqual(
            self.unbound(header, contracts, "k_tree_get_leaf"),
            "its result: C gives it to be read, but k_leaf_cut may change a k_leaf",
        )

    def test_borrows__what_is_never_freed_is_the_same_for_all_threads(self):
        header = TREE + "k_leaf *k_leaf_main(void);\nint k_leaf_cut(k_leaf *leaf);\n"
        contracts = "handle k_leaf unowned made k_leaf_main;\n"
        why = "leaf: C never frees it, so it may be the same one for all threads: write `threadsafe` if C allows that, "
        why += "or `lock NAME` for each function that takes one"
        found = self.functions(header, contracts)
        self.assertEqual((found["k_leaf_cut"]["unbound"], found["k_leaf_size"]["unbound"]), (why, why))
        found = self.functions(header, contracts + "k_leaf_* { lock leaves }")
        self.assertEqual((found["k_leaf_cut"]["unbound"], found["k_leaf_size"]["unbound"]), (None, None))
        found = self.functions(header, contracts + "every k_leaf_* { threadsafe }")
        self.assertEqual((found["k_leaf_cut"]["unbound"], found["k_leaf_size"]["unbound"]), (None, None))
        reading = header.replace("k_leaf_cut(k_leaf", "k_leaf_cut(const k_leaf")
        self.assertIsNone(self.unbound(reading, contracts, "k_leaf_cut"))

    def test_borrows__what_a_global_one_lends_is_global_too(self):
        header = TREE + "k_leaf *k_leaf_main(void);\ntypedef struct k_cell k_cell;\n"
        header += "k_cell *k_leaf_cell(const k_leaf *leaf);\nint k_cell_cut(k_cell *cell);\n"
        contracts = "handle k_leaf unowned made k_leaf_main;\nhandle k_cell unowned;\n"
        contracts += "k_leaf_cell { return: borrows leaf }\n"
        self.assertIn("cell: C never frees it", self.unbound(header, contracts, "k_cell_cut"))

    def test_borrows__no_tensor_waits_for_the_end_of_a_borrowed_one(self):
        header = TREE + "k_tree *k_tree_part(k_tree *tree);\nint k_tree_look(k_tree *tree, int *n, float **out);\n"
        contracts = "k_tree_part { return: borrows tree }\n"
        lends = "k_tree_look { out: gives f32[n] lent until free; return: status }\n"
        self.assertIsNone(self.unbound(header, contracts, "k_tree_part"))
        self.assertIn("a clause waits for the end of a k_tree", self.unbound(header, contracts + lends, "k_tree_part"))
        sized = header + "void k_tree_size(k_tree *tree, int n);\n"
        number = "k_tree_size { keeps n in tree }\n"
        self.assertIn("a clause waits for the end of a k_tree", self.unbound(sized, contracts + number, "k_tree_part"))
        header += "int k_leaf_look(k_leaf *leaf, int *n, float **out);\n"
        for clause, said in (
            (
                "out: gives f32[n] lent until free",
                "leaf_look: out: expected a handle that a function frees, got leaf, which is `unowned`",
            ),
        ):
            status, text = self.with_contracts(header, LEAF + "k_leaf_look { return: status; " + clause + " }")
            self.assertEqual((status, text.split("\n")[0]), (1, f"k.contracts:2: {said}"))
        header += "int k_leaf_hold(k_leaf *leaf, int n, const float *x);\n"
        contracts = LEAF + "k_leaf_hold { n := n; x: f32[n]; keeps x in leaf }"
        status, text = self.with_contracts(header, contracts)
        said = "leaf_hold: `keeps x in leaf`: expected a handle that a function frees, got one that is `unowned`"
        self.assertEqual((status, text.split("\n")[0]), (1, f"k.contracts:2: {said}"))

    def test_borrows__no_object_keeps_one_that_is_never_freed(self):
        header = TREE + "void k_tree_put(k_tree *tree, k_leaf *leaf);\n"
        status, text = self.with_contracts(header, LEAF + "k_tree_put { keeps leaf in tree }")
        said = "tree_put: `keeps leaf in tree`: expected an object that a function frees, got one that is `unowned`"
        self.assertEqual((status, text.split("\n")[0]), (1, f"k.contracts:2: {said}"))

    def test_borrows__one_object_twice_is_refused_where_c_may_lend_it_twice(self):
        header = (
            TREE + "void k_leaf_graft(k_leaf *to, k_leaf *from);\nbool k_leaf_same(const k_leaf *a, const k_leaf *b);\n"
        )
        header = "#include <stdbool.h>\n" + header
        contracts = LEAF + "k_tree_get_leaf { return: borrows tree }\n"
        self.assertEqual(self.with_contracts(header, contracts)[0], 0)
        twin = (self.folder / "out/k_dlferry.c").read_text()
        self.assertIn("if (from == to)", twin)
        self.assertIn("leaf_graft: from: expected another leaf than to, got the same one", twin)
        self.assertNotIn("if (b == a)", twin)
        self.with_contracts(header, contracts + "k_leaf_graft { threadsafe }")
        self.assertNotIn("if (from == to)", (self.folder / "out/k_dlferry.c").read_text())

    def test_borrows__explained(self):
        contracts = self.write(LEAF + "k_tree_get_leaf { return: borrows tree }", "k.contracts")
        header = self.write(TREE)
        out = bind(header, "--name", "k", "--contracts", contracts, "--explain", "k_tree_get_leaf")[1]
        self.assertIn("C frees the leaf with tree: callers get an object that keeps tree and shares its lock", out)

    def test_borrows__guessed_where_name_and_types_agree(self):
        def guessed(header):
            out = bind(self.write(header), "--name", "k", "--explain", "*")[1]
            return [line.strip() for line in out.splitlines() if "borrows" in line or line.startswith("handle")]

        good = ["handle k_leaf unowned;", "return: borrows tree; # fair: name and types agree"]
        getter = "k_leaf *k_tree_get_leaf(const k_tree *tree, int i)"
        self.assertIn(getter, TREE)
        self.assertEqual(guessed(TREE), good)
        self.assertEqual(guessed(TREE.replace(getter, "const " + getter)), good)
        self.assertEqual(guessed(TREE.replace(getter, "/** Get a leaf. */ " + getter)), good)
        for other in (
            "/** Get a leaf, which you free. */ " + getter,
            "/** Get a copy of a leaf. */ " + getter,
            getter.replace("get_leaf", "get_twig"),
            getter.replace("get_leaf", "leaf"),
            getter.replace("k_tree_get_leaf", "k_get_leaf"),
            getter.replace("const k_tree *tree", "int a"),
        ):
            with self.subTest(other):
                self.assertEqual(guessed(TREE.replace(getter, other)), [])

    def test_optional_objects__only_results(self):
        contracts = LEAF + "k_tree_get_leaf { return: borrows tree; return: opt }"
        found = self.functions(TREE, contracts)["k_tree_get_leaf"]
        self.assertEqual((found["owner"], found["returns"]["optional"]), ("tree", True))
        status, said = self.with_contracts(TREE, "k_tree_find { return: opt }")
        self.assertEqual(status, 0)  # its object is unbound
        status, said = self.with_contracts(TREE, LEAF + "k_leaf_size { return: opt }")
        message = "leaf_size: `return: opt` is for a text, a `const char *`, or an object"
        self.assertEqual((status, said.split("\n")[0]), (1, f"k.contracts:2: {message}"))


if __name__ == "__main__":
    unittest.main()
