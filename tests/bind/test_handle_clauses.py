#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`handle TYPE freed NAME made NAME;` in a file of contracts: which are refused, and what is left out without one."""

import re
import unittest

from headers import Headers, bind, without_columns

VOID = """typedef void *PotHandle;
int PotMake(int a, PotHandle *out);
int PotFree(PotHandle pot);
int PotSize(PotHandle pot);
"""


class TestHandles(Headers):
    def with_contracts(self, header, contracts, *options):
        """Exit status and text on stderr."""
        path = self.write(contracts, "k.contracts")
        given = ("--name", "k", "--contracts", path, "--out", self.folder / "out", *options)
        status, _, said = bind(self.write(header), *given)
        return status, without_columns(said.replace(str(self.folder) + "/", "").replace("dlferry-bind: ", "").strip())

    def test_handles__a_maker_that_may_get_one_of_its_own(self):
        header = self.write(
            "typedef struct k_link k_link; k_link *k_link_new(k_link *more); void k_link_free(k_link *);"
        )
        contracts = self.write("k_link_new { more: opt }", "k.contracts")
        words = (header, "--name", "k", "--contracts", contracts, "--lang", "rust", "--out", self.folder / "out")
        self.assertEqual(bind(*words)[0], 0)

    def test_handles__tests_make_an_object_as_their_golden_file_says(self):
        header = self.write(
            "typedef struct k_pot k_pot; k_pot *k_pot_open(const char *path, k_pot *like); k_pot *k_pot_new(int size);"
            " void k_pot_free(k_pot *); int k_pot_fill(k_pot *pot, int depth);"
            " typedef struct k_cup k_cup; k_cup *k_cup_new(void); void k_cup_free(k_cup *);"
            " int k_cup_fill(k_cup *cup, int depth);"
        )
        clauses = (
            "k_pot_open { like: opt } k_pot_new { } k_pot_fill { depth > 0 } k_cup_new { } k_cup_fill { depth > 0 }"
        )
        contracts = self.write(clauses, "k.contracts")
        out = self.folder / "out"
        self.assertEqual(bind(header, "--name", "k", "--contracts", contracts, "--lang", "rust", "--out", out)[0], 0)
        self.assertIn('\tpot="pot_new/accepted"', (out / "rust/tests/golden.txt").read_text())
        runner = (out / "rust/tests/contract.rs").read_text()
        self.assertIn('"pot_fill" => call.object("pot", |call| k::Pot::new(call.value("size"))', runner)
        self.assertIn('"cup_fill" => call.object("cup", |call| k::Cup::new()', runner)
        self.assertRegex(runner, r"#!\[allow\(.*unused_variables")

    def test_handles__a_part_of_what_lends_changes_no_lent_memory(self):
        header = "typedef struct k_pan k_pan; typedef struct k_lid k_lid; typedef struct k_nob k_nob;\n"
        header += "k_pan *k_pan_new(void); void k_pan_free(k_pan *pan); int64_t k_pan_size(const k_pan *pan);\n"
        header += "float *k_pan_look(k_pan *pan); k_lid *k_pan_lid(k_pan *pan); k_nob *k_lid_nob(k_lid *lid);\n"
        header += "void k_lid_grow(k_lid *lid); void k_nob_turn(k_nob *nob); int k_nob_size(const k_nob *nob);\n"
        clauses = "handle k_lid unowned;\nhandle k_nob unowned;\nk_pan_lid { return: borrows pan }\n"
        clauses += "k_pan_look { return: gives f32[hook(k_pan_size(pan))] lent until change }\n"
        clauses += "k_lid_nob { return: borrows lid }\n"
        contracts = self.write(clauses, "k.contracts")
        out = self.folder / "out"
        words = (self.write("#include <stdint.h>\n" + header), "--name", "k", "--contracts", contracts, "--out", out)
        self.assertEqual(bind(*words)[0], 0)
        twin = (out / "k_dlferry.c").read_text()
        for function, check in (
            ("pan_lid", 'dlferry_unlent("pan_lid: pan"'),
            ("lid_grow", 'dlferry_unlent_whole("lid_grow: lid"'),
            ("nob_turn", 'dlferry_unlent_whole("nob_turn: nob"'),
        ):
            with self.subTest(function):
                self.assertIn(check, twin)
        self.assertNotIn('"nob_size: nob", (void *)', twin)

    def test_handles__what_lends_changes_behind_a_lock_only(self):
        header = "typedef struct k_pan k_pan; k_pan *k_pan_new(void); void k_pan_free(k_pan *pan);\n"
        header += "int k_pan_size(const k_pan *pan); int k_pan_count(k_pan *pan); float *k_pan_look(k_pan *pan);\n"
        header += "const float *k_pan_read(const k_pan *pan); float k_pan_first(const k_pan *pan);\n"
        look = "k_pan_look { return: gives f32[hook(k_pan_size(pan))] lent until change%s }\n"
        read = "k_pan_read { return: gives f32[hook(k_pan_size(pan))] lent until change }\n"
        why = "it may lend tensors until it changes, so a change needs its lock: write `unchanged` if"
        needs = "`lent until change` needs the lock of its handle, which `threadsafe` does without"
        for clauses, said in (
            (look % "" + "k_pan_count { }", ""),
            (look % "" + "k_pan_count { threadsafe }", f"skipped k_pan_count: pan: {why}"),
            (look % "" + "k_pan_count { threadsafe;  unchanged }", ""),
            (look % "" + "k_pan_first { threadsafe }", ""),
            (look % ";  threadsafe", f"skipped k_pan_look: {needs}"),
            (look % ";  threadsafe;  unchanged", f"skipped k_pan_look: {needs}"),
        ):
            with self.subTest(clauses):
                status, text = self.with_contracts(header, clauses + read)
                self.assertEqual(status, 0)
                self.assertIn(said, text)
                self.assertEqual("skipped" in text, bool(said))
        self.with_contracts(header, look % "" + read)
        twin = (self.folder / "out/k_dlferry.c").read_text()
        self.assertIn('dlferry_unlent("pan_look: pan", (void *)(uintptr_t)pan, "pan", "lends anew, or write', twin)
        self.assertNotIn('dlferry_unlent("pan_read: pan"', twin)
        self.assertIn('dlferry_unlent("pan_count: pan"', twin)
        self.with_contracts(header, look % ";  unchanged" + read + "k_pan_count { unchanged }")
        self.assertNotIn('dlferry_unlent("', (self.folder / "out/k_dlferry.c").read_text())

    def test_takes__malformed(self):
        header = "typedef struct k_pan k_pan; k_pan *k_pan_new(void); void k_pan_free(k_pan *pan);\n"
        header += "typedef struct k_lid k_lid; k_lid *k_lid_new(void); void k_lid_free(k_lid *lid);\n"
        header += "typedef struct k_nob k_nob; k_nob *k_lid_nob(k_lid *lid);\n"
        header += "void k_pan_put(k_pan *pan, k_lid *lid, int n); void k_pan_see(k_pan *pan, const k_lid *lid);\n"
        header += "k_pan *k_pan_from(k_lid *lid); void k_pan_nob(k_pan *pan, k_nob *nob);\n"
        base = "handle k_nob unowned;\nk_lid_nob { return: borrows lid }\n"
        for clause, said in (
            ("k_pan_put { takes n in pan }", "pan_put: `takes n`: expected the name of an object"),
            ("k_pan_put { takes lid in n }", "`takes lid in n`: expected the name of a handle that callers pass"),
            ("k_pan_put { takes pan in pan }", "pan_put: `takes pan in pan`: expected two objects"),
            ("k_pan_put { takes lid in pan;  lid: opt }", "an object that callers always pass"),
            ("k_pan_see { takes lid in pan }", "`takes lid in pan`: expected a pointer that is not const"),
            ("k_pan_from { takes lid in result }", "`takes lid in result`: expected an object that is there"),
            ("k_pan_nob { takes nob in pan }", "expected an object that a function frees, got one that is `unowned`"),
        ):
            with self.subTest(clause):
                status, text = self.with_contracts(header, base + clause)
                self.assertEqual(status, 1)
                self.assertIn(said, text)
        said = "skipped k_pan_put: `takes lid` needs the lock of its objects, which `threadsafe` does without"
        self.assertIn(said, self.with_contracts(header, base + "k_pan_put { takes lid in pan;  threadsafe }")[1])

    def test_handles__behind_a_plain_pointer(self):
        header = "void *k_pan_new(int n); int k_pan_size(const void *it); void k_pan_drop(void **it);\n"
        header += "void *k_lid_new(void); int k_lid_put(void *it, void *pan); void k_lid_drop(void *lid);\n"
        pan = "handle void *it as k_pan for k_pan_* freed k_pan_drop made k_pan_new;\n"
        lid = "handle void *it as k_lid for k_lid_* freed k_lid_drop made k_lid_new;\n"
        status, text = self.with_contracts(header, pan + lid + "k_lid_put { pan := NULL }")
        self.assertEqual((status, text), (0, ""))
        twin = (self.folder / "out/k_dlferry.c").read_text()
        self.assertIn("k_pan_drop(&owned)", twin)
        self.assertIn("k_lid_drop(owned)", twin)
        both = "handle void *k_lid: `handle void *k_pan` has the same parameter of "
        for clause, said in (
            (pan.replace(" for k_pan_*", "") + lid, both),
            (pan.replace("*it", "*at"), "handle void *k_pan: no function has a parameter `void *at`"),
            (pan.replace("*it as k_pan", "* it as"), "handle void *for: expected "),
            (pan.replace("k_pan_*", ","), "handle void *k_pan: expected a function"),
            (pan.replace("k_pan_drop", "k_pan_end"), "handle void *k_pan: the header has no function k_pan_end"),
        ):
            with self.subTest(clause):
                status, text = self.with_contracts(header, clause)
                self.assertEqual(status, 1)
                self.assertIn(said, text)

    def test_handles__none_whose_freeing_function_is_hidden(self):
        header = "typedef struct k_pan k_pan;\nk_pan *k_pan_new(void);\nvoid k_pan_free(k_pan *pan);\n"
        header += "int k_one(int a);\n"
        self.assertEqual(self.with_contracts(header, "", "--lang", "python"), (0, ""))
        stub = self.folder / "out/python/k/__init__.pyi"
        self.assertIn("class Pan:", stub.read_text())
        self.assertEqual(self.with_contracts(header, "k_pan_* { hide }", "--lang", "python"), (0, ""))
        self.assertNotIn("Pan", stub.read_text())

    def test_handles__a_deprecated_maker_is_no_constructor_beside_another(self):
        old = "/** @deprecated Use k_pan_new. */\nk_pan *k_pan_make(double a);\n"
        header = "typedef struct k_pan k_pan;\n" + old + "%svoid k_pan_free(k_pan *pan);\n"
        stub = self.folder / "out/python/k/__init__.pyi"
        for new, given in (("k_pan *k_pan_new(int size);\n", "size: int"), ("", "a: float")):
            with self.subTest(new):
                self.assertEqual(self.with_contracts(header % new, "", "--lang", "python"), (0, ""))
                self.assertIn(f"def __new__(cls, {given})", stub.read_text())
                self.assertEqual("def make(" in stub.read_text(), bool(new))

    def test_handles__an_object_that_c_may_keep(self):
        header = "typedef struct k_pan k_pan;\nk_pan *k_pan_new(void);\nvoid k_pan_free(k_pan *pan);\n"
        asked = "C may keep lid after the call, as its name or comment says: write `keeps lid in pan` in its contract"
        for function in (
            "void k_pan_keep(k_pan *pan, k_pan *lid);",
            "/** Cover. It keeps a reference to lid. */\nvoid k_f(k_pan *pan, k_pan *lid);",
        ):
            with self.subTest(function):
                functions = self.read(header + function)[0]["functions"]
                self.assertIn(asked, functions[1]["unbound"])
        lids = "typedef struct k_lid k_lid; k_lid *k_lid_new(void); void k_lid_free(k_lid *lid);\n"
        for function, kept in (
            ("void k_pan_adopt(k_pan *pan, k_lid *lid);", True),
            ("void k_pan_own(k_pan *pan, k_pan *lid);", True),
            ("void k_pan_bind_lid(k_pan *pan, k_lid *lid);", False),  # most libraries copy what they bind, set or add
            ("void k_pan_add(k_pan *pan, k_lid *lid);", False),
            ("void k_pan_compare(k_pan *pan, k_lid *lid);", False),
        ):
            with self.subTest(function):
                said = self.read(header + lids + function)[0]["functions"][-1]["unbound"]
                self.assertEqual(asked in (said or ""), kept)
        functions = self.read(
            header + "/** The pan does not keep lid, so lid must outlive nothing. */\nvoid k_f(k_pan *pan, k_pan *lid);"
        )[0]["functions"]
        self.assertIsNone(functions[1]["unbound"])
        for block in ("k_pan_keep { }", "k_pan_keep { keeps lid in pan }"):
            said = self.with_contracts(
                header + "void k_pan_keep(k_pan *pan, k_pan *lid);", block, "--lang", "python", "--strict", "--no-tests"
            )
            self.assertEqual(said, (0, ""))

    def test_handles__a_place_that_is_null_makes_none(self):
        header = "typedef struct k_pan k_pan;\nk_pan *k_pan_new(void);\nvoid k_pan_free(k_pan *pan);\n"
        header += "void k_fry(k_pan *pan, k_pan **others);\n"
        self.assertEqual(self.with_contracts(header, "k_fry { others := NULL }", "--no-tests"), (0, ""))
        self.assertIn("k_fry_checked(k_pan *pan, dlf_error *error)", (self.folder / "out/k_dlferry.h").read_text())

    def test_handles__malformed(self):
        for text, message in (
            ("handle ;", "k.contracts:1: `handle`: expected the name of a type"),
            ("\nhandle X;", "k.contracts:2: handle X: expected `freed` or `init`, and a function, or `unowned`"),
            ("handle X freed ;", "k.contracts:1: handle X: expected a function"),
            ("handle X init ;", "k.contracts:1: handle X: expected a function"),
            ("handle X init f;", "k.contracts:1: handle X: expected `,` or `clear` and a function"),
            ("handle X init f, g freed h;", "k.contracts:1: handle X: expected `,` or `clear` and a function"),
            ("handle X init f clear;", "k.contracts:1: handle X: expected a function"),
            ("handle X init f clear g made h;", "k.contracts:1: handle X: expected `;`"),
            ("handle X freed f", "k.contracts:1: handle X: expected `made` or `;`"),
            ("handle X freed f made ;", "k.contracts:1: handle X: expected a function"),
            ("handle X freed f made a b;", "k.contracts:1: handle X: expected `,` or `;`"),
            (
                "handle X init f clear f;",
                "k.contracts:1: handle X: f cannot both make and end an object: expected two functions",
            ),
            ("handle X freed f; handle X freed f;", "k.contracts:1: handle X stands in line 1 already"),
            ("handle Pan freed PotFree;", "k.contracts:1: handle Pan: no function of the header has this type"),
            ("handle PotHandle freed PotGone;", "k.contracts:1: handle PotHandle: the header has no function PotGone"),
            (
                "handle PotHandle freed PotMake;",
                "k.contracts:1: handle PotHandle: expected `PotMake(PotHandle)`, got another function",
            ),
            (
                "handle PotHandle freed PotFree made PotGone;",
                "k.contracts:1: handle PotHandle: the header has no function PotGone",
            ),
            (
                "handle PotHandle freed PotFree;\nPotFree { a > 0 }",
                "k.contracts:2: PotFree: it frees PotHandle, so callers do not get it: expected no clause but `lock`",
            ),
        ):
            with self.subTest(text):
                status, said = self.with_contracts(VOID, text)
                self.assertEqual((status, said.split("\n")[0]), (1, message))

    def test_handles__a_freeing_function_has_no_clause_but_lock(self):
        file = "handle PotHandle freed PotFree;\nPotFree {{ {} }}"
        for clause in (
            "hide",
            "rename drop",
            "property",
            "method",
            "keeps pot in result",
            "pot: gives f32[1] copied",
            "return: value",
            "return: status",
            "lock a; method",
        ):
            with self.subTest(clause):
                status, said = self.with_contracts(VOID, file.format(clause))
                message = "it frees PotHandle, so callers do not get it: expected no clause but `lock`"
                self.assertEqual((status, said.split("\n")[0]), (1, f"k.contracts:2: PotFree: {message}"))
        for clause in ("lock a", "? method", ""):
            with self.subTest(clause):
                self.assertEqual(self.with_contracts(VOID, file.format(clause))[0], 0)

    def test_handles__the_comment_of_a_freeing_function(self):
        file = "handle PotHandle freed PotFree;"
        freeing = next(line for line in VOID.splitlines() if "PotFree(" in line)
        message = "PotFree: it frees PotHandle, so callers do not get it: expected no clause but `lock`"
        for clause in ("hide", "method", "a > 0", "lock a; keeps pot in result"):
            with self.subTest(clause):
                header = VOID.replace(freeing, f"/** Free it. @contract {clause} */\n{freeing}")
                status, said = self.with_contracts(header, file)
                self.assertEqual(status, 1)
                self.assertRegex(said.split("\n")[0], rf"k\.h:\d+(:\d+)?: {message}$")
        header = VOID.replace(freeing, f"/** Free it. @contract lock pots */\n{freeing}")
        self.assertEqual(self.with_contracts(header, file)[0], 0)
        self.assertIn('"pots"', (self.folder / "out/k_dlferry.c").read_text())

    def test_handles__one_object_is_not_freed_twice_in_a_call(self):
        header = "typedef struct k_d k_d;\nk_d *k_d_new(void);\nvoid k_d_free(k_d *d);\nint k_end(k_d *d, %sk_d *e);\n"
        for const, contract in (("", "takes d;  takes e"), ("", "takes d"), ("const ", "takes d")):
            with self.subTest(const + contract):
                self.assertEqual(self.with_contracts(header % const, f"k_end {{ {contract};  return: value }}")[0], 0)
                twin = (self.folder / "out/k_dlferry.c").read_text()
                self.assertIn("end: e: expected another d than d, got the same one", twin)

    def test_handles__what_the_freeing_function_takes_more(self):
        header = """typedef struct k_box k_box;
enum { K_MODE = 3 };
k_box *k_box_new(int a);
int k_box_value(const k_box *box);
"""
        for freeing, words, call in (
            ("void k_drop(k_box *box);", "(_)", "k_drop(owned)"),
            ("int k_drop(int mode, k_box **box);", "(K_MODE, _)", "k_drop(K_MODE, &owned)"),
            ("int k_drop(k_box *box, long a, int b);", "( _ , -1, 0 )", "k_drop(owned, -1, 0)"),
            ("void k_drop(k_box *box, void *more);", "(_, NULL)", "k_drop(owned, NULL)"),
            ("void k_drop(k_box *box, int *error);", "(_, error)", "k_drop(owned, &error)"),
            ("void k_drop(k_box *box, const char **error);", "(_, error)", "k_drop(owned, &error)"),
        ):
            with self.subTest(freeing):
                contracts = f"handle k_box freed k_drop{words} made k_box_new;"
                self.assertEqual(self.with_contracts(header + freeing, contracts), (0, ""))
                twin = (self.folder / "out/k_dlferry.c").read_text()
                self.assertIn(f"(void){call};", twin)
                self.assertEqual("error = (" in twin, "error" in words)
        for freeing, words, said in (
            ("void k_drop(k_box *box, int a);", "", "expected `k_drop(k_box *)`, got another function"),
            ("void k_drop(k_box *box, int a);", "()", "expected `_`, `error`, `NULL` or a constant"),
            ("void k_drop(k_box *box, int a);", "(_ 1)", "expected `,` or `)`"),
            ("void k_drop(k_box *box, int a);", "(_, 1", "expected `,` or `)`"),
            (
                "void k_drop(k_box *box, int a);",
                "(1, 1)",
                "expected `_`, which is the object, once among the arguments",
            ),
            ("void k_drop(k_box *box, int a);", "(_)", "expected as many arguments as k_drop has parameters, 2, got 1"),
            (
                "void k_drop(k_box *box, int a);",
                "(_, K_NONE)",
                "parameter 2 of k_drop: expected a number or a constant of the header, got `K_NONE`",
            ),
            ("void k_drop(k_box *box, int a);", "(1, _)", "parameter 1 of k_drop: expected `_`, the object, got `1`"),
            (
                "void k_drop(k_box *box, int *e);",
                "(_, 0)",
                "parameter 2 of k_drop: expected `error` or `NULL`, got `0`",
            ),
            (
                "void k_drop(k_box *box, int *e, int *more);",
                "(_, error, error)",
                "parameter 3 of k_drop: expected `error` or `NULL`, got `error`",
            ),
            (
                "void k_drop(k_box *box, char **e);",
                "(_, error)",
                "parameter 2 of k_drop: expected `NULL`, or `e` for the object it was made from, got `error`",
            ),
            (
                "void k_drop(k_box *box, struct k_more more);",
                "(_, NULL)",
                "parameter 2 of k_drop: expected another function, since no clause has a value of this type, "
                "got `NULL`",
            ),
        ):
            with self.subTest(freeing + words):
                contracts = f"handle k_box freed k_drop{words} made k_box_new;"
                status, text = self.with_contracts(header + "struct k_more { int a; };\n" + freeing, contracts)
                self.assertEqual((status, text.split("\n")[0]), (1, f"k.contracts:1: handle k_box: {said}"))

    def test_handles__the_owner_of_an_object(self):
        header = """typedef struct k_shop k_shop;
typedef struct k_box k_box;
k_shop *k_shop_new(void);
void k_shop_free(k_shop *shop);
k_box *k_box_new(k_shop *a, k_shop *shop);
k_box *k_box_copy(const k_box *box);
void k_drop(k_box *box, k_shop *shop, int mode);
"""
        file = "handle k_box freed k_drop(_, {}) made k_box_*;"
        self.assertEqual(self.with_contracts(header, file.format("shop, 0"))[0], 0)
        twin = (self.folder / "out/k_dlferry.c").read_text()
        self.assertIn("(void)k_drop(owned, owner, 0);", twin)
        self.assertIn("(void *)(uintptr_t)shop, dlferry_end_box)", twin)
        self.assertNotIn("k_box_copy_checked", twin)
        contracts = self.write(file.format("shop, 0"), "k.contracts")
        given = ("--name", "k", "--contracts", contracts, "--explain", "k_box_copy")
        self.assertIn("k_drop needs the k_shop that it was made from", bind(self.write(header), *given)[1])
        status, text = self.with_contracts(header, file.format("NULL, mode"))
        said = "k.contracts:1: handle k_box: expected another object, which a function frees"
        self.assertEqual((status, text.split("\n")[0]), (1, said))

    def test_handles__a_hook_that_writes_more_than_one_number(self):
        header = """typedef struct k_box k_box;
k_box *k_box_new(void);
void k_box_free(k_box *box);
int k_box_sizes(k_box *box, int *a, long *b);
int k_box_fill(k_box *box, const double *x);
"""
        file = "k_box_sizes { a: out;  b: out }\n"
        file += "k_box_fill { x: f64[m];  m == hook(k_box_sizes(box, _) -> *b);  return: status }"
        self.assertEqual(self.with_contracts(header, file)[0], 0)
        twin = (self.folder / "out/k_dlferry.c").read_text()
        self.assertRegex(twin, r"int (dlf_arg_\d) = 0;[^}]*k_box_sizes\(box, &\1, &dlf_extent\)")

    def test_handles__classes_of_one_type(self):
        header = """typedef struct k_box k_box;
k_box *k_cup_new(void);
k_box *k_pan_new(void);
void k_drop(k_box *box);
int k_cup_size(const k_box *box);
int k_pan_size(const k_box *box);
int k_size(const k_box *box);
"""
        cup = "handle k_box as k_cup for k_cup_* freed k_drop made k_cup_new;"
        pan = "handle k_box as k_pan for k_pan_* freed k_drop made k_pan_new;"
        self.assertEqual(self.with_contracts(header, f"{cup}\n{pan}", "--lang", "python")[0], 0)
        stub = (self.folder / "out/python/k/__init__.pyi").read_text()
        self.assertRegex(stub, r"(?s)class Cup.*def size")
        self.assertRegex(stub, r"(?s)class Pan.*def size")
        twin = (self.folder / "out/k_dlferry.c").read_text()
        self.assertEqual(len(set(re.findall(r"^void (\w+)\(k_box \*owned\) \{", twin, re.MULTILINE))), 2)
        self.assertNotIn("k_size_checked", twin)

    def test_handles__explain_says_what_the_freeing_function_takes(self):
        text = (
            "typedef struct k_box k_box;\nint k_value(k_box *box);\nvoid k_box_free(k_box *box, int a, int *error);\n"
        )
        status, out, _ = bind(self.write(text), "--name", "k", "--explain", "k_value")
        self.assertEqual(status, 0)
        self.assertIn("write `handle k_box freed k_box_free(_, 0, error);` in the file of contracts", out)

    def test_handles__in_memory_of_the_caller(self):
        header = """typedef struct k_pan { int a; } k_pan;
typedef struct k_pot k_pot;
typedef struct k_pan *k_lid;
int k_pan_init(k_pan *pan, int a);
int k_pan_init_like(const k_pan *like, k_pan *pan);
void k_pan_clear(k_pan *pan);
int k_pan_a(const k_pan *pan);
void k_pot_init(k_pot *pot);
void k_pot_clear(k_pot *pot);
void k_lid_init(k_lid lid);
"""
        handle = "handle k_pan init k_pan_init, k_pan_init_like clear k_pan_clear;\nk_pan_* { return: status }"
        handle += "k_pan_a { return: value }"
        self.assertEqual(self.with_contracts(header, handle, "--lang", "python")[0], 0)
        twin = (self.folder / "out/k_dlferry.c").read_text()
        self.assertIn("(void)k_pan_clear(owned);\n    free(owned);", twin)
        self.assertIn("like,\n      dlf_memory_pan);", twin)
        for clause, said in (
            (
                "k_pot init k_pot_init clear k_pot_clear",
                "handle k_pot: `init`: the header does not say what is in it, so its size is not known: write `freed` "
                "if a function makes and another frees it",
            ),
            (
                "k_lid init k_lid_init clear k_pan_clear",
                "handle k_lid: `init`: expected a struct, of which the call allocates the memory",
            ),
            (
                "k_pan init k_pan_a clear k_pan_clear",
                "handle k_pan: expected a function that takes `k_pan *` and makes it ready, got another one",
            ),
            (
                "k_pan init k_pan_init clear k_pan_init",
                "handle k_pan: k_pan_init cannot both make and end an object: expected two functions",
            ),
            ("k_pan init k_none clear k_pan_clear", "handle k_pan: the header has no function k_none"),
        ):
            with self.subTest(clause):
                status, text = self.with_contracts(header, f"handle {clause};")
                self.assertEqual((status, text.split("\n")[0]), (1, f"k.contracts:1: {said}"))

    def test_handles__explain_guesses_what_is_in_memory_of_the_caller(self):
        header = "typedef struct {{ int a; }} k_{0};\nint k_{0}_init(k_{0} *x);\nint k_{0}_a(k_{0} *x);\n"
        for more, said in (
            (
                "void k_pan_end(k_pan *x);",
                "write `handle k_pan init k_pan_init clear k_pan_end;` in the file of contracts",
            ),
            ("void k_pan_end(k_pan *x, int a);", "no clause tells what it points to"),
            ("void k_pan_end(const k_pan *x);", "no clause tells what it points to"),
            (
                "void k_pan_free(k_pan *x);\nk_pan *k_pan_new(void);",
                "write `handle k_pan freed k_pan_free made k_pan_new;` in the file of contracts",
            ),
        ):
            with self.subTest(more):
                text = self.write(header.format("pan") + more)
                self.assertIn(said, bind(text, "--name", "k", "--explain", "k_pan_a")[1])

    def test_handles__lists_of_objects(self):
        header = "typedef struct k_pan k_pan;\nk_pan *k_pan_new(int a);\nvoid k_pan_free(k_pan *pan);\n"
        said = (
            "pans: no clause tells how many objects it points to: write `NAME: in *n` for a list of n that C reads; "
            "one that C fills is not bound"
        )
        for parameters in (
            "k_pan **pans, int n",
            "int n, k_pan **pans",
            "k_pan *const *pans, int n",
            "const k_pan *const *pans, int n",
            "k_pan *pans[], int n",
        ):
            with self.subTest(parameters):
                text = self.write(header + f"int k_sum({parameters});\n")
                self.assertIn(said, bind(text, "--name", "k", "--explain", "k_sum")[1])
                file = self.write("k_sum { pans: in *n }", "k.contracts")
                told = bind(text, "--name", "k", "--contracts", file, "--explain", "k_sum")[1]
                self.assertIn("pans  read, list of objects k_pan: in *n", told)
        text = self.write("typedef void *k_pot;\nint k_sum(int n, const k_pot *pots);\nvoid k_end(k_pot pot);\n")
        file = self.write("handle k_pot freed k_end;", "k.contracts")
        told = bind(text, "--name", "k", "--contracts", file, "--explain", "k_sum")[1]
        self.assertIn(said.replace("pans", "pots"), told)

    def test_handles__a_type_that_is_none(self):
        header = "typedef double pot;\nvoid pot_free(pot a);\n"
        self.assertEqual(
            self.with_contracts(header, "handle pot freed pot_free;"),
            (1, "k.contracts:1: handle pot: expected a struct, or a typedef of a pointer or an integer"),
        )

    def test_handles__without_a_clause(self):
        status, out, _ = bind(self.write(VOID), "--name", "k", "--explain", "PotSize")
        self.assertEqual(status, 0)
        self.assertIn("write `handle PotHandle freed PotFree made PotMake;` in the file of contracts", out)

    def test_handles__a_function_that_is_not_named_returns_none(self):
        contracts = "handle PotHandle freed PotFree;\nPotMake { return: status }"
        self.assertEqual(self.with_contracts(VOID, contracts)[0], 0)
        self.assertIn("PotMake_checked(", (self.folder / "out/k_dlferry.h").read_text())
        other = VOID.replace("PotMake", "PotTake")
        status, said = self.with_contracts(other, contracts.replace("PotMake", "PotTake"))
        self.assertEqual(status, 0)
        self.assertIn("or one that a `handle ... made` names, may return a handle", said)
        contracts = "handle PotHandle freed PotFree made Pot*;\nPotTake { return: status }"
        self.assertEqual(self.with_contracts(other, contracts), (0, ""))

    def test_handles__a_code_beside_one_is_not_taken_for_a_value(self):
        header = "typedef enum k_code { K_OK, K_BAD } k_code;\n"
        header += "typedef struct k_pan k_pan;\nvoid k_pan_free(k_pan *p);\n"
        types = ("int", "int32_t", "k_code")
        header += "".join(f"{c} k_pan_open_{c}(k_pan **p);\n" for c in types)
        header += "int64_t k_pan_new(k_pan **p);\nvoid k_pan_make(k_pan **p);\n"
        ir, said = self.read(header)
        for c in types:
            self.assertIn(f"skipped k_pan_open_{c}: its result may be a code: expected a contract such as ", said)
            self.assertIn(f"`return: status`, or an empty one, `k_pan_open_{c} {{ }}`, for a value", said)
            out = bind(self.folder / "k.h", "--name", "k", "--explain", f"k_pan_open_{c}")[1]
            self.assertIn("no guess binds it", out)  # 1 may be success
        self.assertEqual([f["unbound"] for f in ir["functions"][len(types) :]], [None, None])
        contracts = "k_pan_open_int { return: status }\nk_pan_open_int32_t { }\nk_pan_open_k_code { return: status }"
        self.assertEqual(self.with_contracts(header, contracts), (0, ""))
        twin = (self.folder / "out/k_dlferry.h").read_text()
        self.assertIn("k_pan_open_int_checked(k_pan **p, dlf_error *error)", twin)
        self.assertIn("k_pan_open_int32_t_checked(k_pan **p, int32_t *result, dlf_error *error)", twin)
        self.assertIn("k_pan_open_k_code_checked(k_pan **p, dlf_error *error)", twin)

    def test_handles__a_function_called_handle(self):
        self.assertEqual(self.with_contracts("int handle(int a);\n", "handle { a > 0 }"), (0, ""))

    def test_gives__malformed(self):
        header = (
            VOID + "int PotLook(PotHandle pot, int *n, const float **out);\nvoid PotDrop(float *p, int a, int c);\n"
        )
        for clause, message in (
            ("out: gives", "PotLook: contract: `gives`: expected a dtype and extents"),
            ("out: gives f32[n", "PotLook: contract: `gives`: expected a dtype and extents"),
            (
                "out: gives f32[n] copied lent",
                "PotLook: contract: expected one of `copied`, `lent until free`, `lent until change` and "
                "`freed NAME` at the end",
            ),
            (
                "out: gives f32[n] lent until",
                "PotLook: contract: expected one of `copied`, `lent until free`, `lent until change` and "
                "`freed NAME` at the end",
            ),
            (
                "out: gives f32[n] freed",
                "PotLook: contract: expected `freed NAME` or `freed NAME(HANDLE)`",
            ),
            (
                "out: gives f32[n] freed f(pan)",
                "pot_look: out: `freed f(pan)`: expected a handle among the parameters",
            ),
            (
                "out: gives f32[n] freed PotDrop",
                "pot_look: `freed PotDrop`: expected a function that takes the memory",
            ),
            ("out: gives f64[n] copied", "pot_look: out: the contract says f64, C says float"),
            (
                "n: gives f32[3] copied",
                "pot_look: n: `gives` is for a pointer to a pointer to elements, or a returned pointer",
            ),
            (
                "return: gives f32[3] copied",
                "pot_look: return: `gives` is for a pointer to a pointer to elements, or a returned pointer",
            ),
            (
                "out: gives f32[_] copied",
                "pot_look: out: `gives`: expected one dtype, extents that C gives or arguments have, and no gaps",
            ),
            (
                "out: gives f32|f64[n] copied",
                "pot_look: out: `gives`: expected one dtype, extents that C gives or arguments have, and no gaps",
            ),
        ):
            with self.subTest(clause):
                contracts = "handle PotHandle freed PotFree;\nPotLook { return: status; " + clause + " }"
                status, said = self.with_contracts(header, contracts)
                self.assertEqual((status, said.split("\n")[0]), (1, f"k.contracts:2: {message}"))

    def test_keeps__malformed(self):
        header = VOID + "int PotFill(PotHandle pot, int n, const float *x, double a);\n"
        for clause, message in (
            ("keeps x", "PotFill: contract: `keeps`: expected `keeps NAME in result`, or the name of a handle"),
            ("keeps x in", "PotFill: contract: `keeps`: expected `keeps NAME in result`, or the name of a handle"),
            ("keeps x in result", "pot_fill: `keeps x in result`: expected a function that makes a handle"),
            ("keeps x in n", "pot_fill: `keeps x in n`: expected the name of a handle that callers pass"),
            ("keeps y in pot", "pot_fill: `keeps y`: expected the name of an integer, a tensor or an object"),
            ("lock a; lock b", "PotFill: contract: expected one `lock`"),
        ):
            with self.subTest(clause):
                contracts = (
                    "handle PotHandle freed PotFree;\nPotFill { return: status; n := n; x: f32[n]; " + clause + " }"
                )
                status, said = self.with_contracts(header, contracts)
                self.assertEqual((status, said.split("\n")[0]), (1, f"k.contracts:2: {message}"))

    def test_keeps__integers_of_two_types_may_be_equal(self):
        header = ""
        contracts = ""
        for name in ("k_a", "k_b"):
            header += f"typedef unsigned long {name};\n"
            header += f"int {name}_open(int n, {name} *out);\nvoid {name}_close({name} a);\n"
            contracts += f"handle {name} freed {name}_close made {name}_open;\n"
            contracts += f"{name}_open {{ keeps n in result; return: status }}\n"
        said = "b_open: k_a and k_b are integers, which may be equal: "
        said += "objects of one of them alone may keep or lend something"
        status, text = self.with_contracts(header, contracts)
        self.assertEqual((status, text.split("\n")[0]), (1, f"k.contracts:4: {said}"))
        self.assertEqual(
            self.with_contracts(header, contracts.replace("b_open { keeps n in result; ", "b_open { "))[0], 0
        )

    def test_handles__one_function_of_an_included_header_frees_several(self):
        self.write("void g_drop(void *object);\n", "g.h")
        header = """#include "g.h"
typedef struct k_pot k_pot;
typedef struct k_lid k_lid;
k_pot *k_pot_new(int size);
k_lid *k_lid_new(int size);
"""
        contracts = "handle k_pot freed g_drop made k_pot_new; handle k_lid freed g_drop made k_lid_new;"
        self.assertEqual(self.with_contracts(header, contracts, "--preprocess"), (0, ""))
        twin = (self.folder / "out/k_dlferry.h").read_text()
        self.assertIn("void k_pot_g_drop_checked(k_pot *owned);", twin)
        self.assertIn("void k_lid_g_drop_checked(k_lid *owned);", twin)

    def test_gives__functions_that_free_are_not_for_callers(self):
        header = "double *k_make(int n);\nvoid k_drop(double *p);\n"
        self.assertEqual(self.with_contracts(header, "k_make { return: gives f64[n] freed k_drop }"), (0, ""))
        twin = (self.folder / "out/k_dlferry.h").read_text()
        self.assertIn("k_make_checked(int n, DLManagedTensorVersioned **result", twin)
        self.assertNotIn("k_drop_checked", twin)


if __name__ == "__main__":
    unittest.main()
