#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Properties from getters and setters: which names and clauses make them, and what is refused."""

import unittest

from headers import HERE, LANGUAGES, Headers, bind

LAMP = "#include <stdint.h>\ntypedef struct k_lamp k_lamp;\nk_lamp *k_lamp_new(void);\nvoid k_lamp_free(k_lamp *a);\n"
TAKES = (
    "expected a method that takes its object alone and returns a number or a text, or takes one beside it and returns "
    "nothing"
)


class TestProperties(Headers):
    def properties(self, functions, contracts=""):
        """The properties of a class with these functions: {C's name: (property, sets)}."""
        path = self.write(contracts, "k.contracts")
        ir, _ = self.read(LAMP + functions, "--contracts", path)
        return {f["name"][7:]: (f["property"], "sets" in f) for f in ir["functions"] if "property" in f}

    def test_properties__from_names(self):
        for functions, wanted in (
            ("int k_lamp_get_level(const k_lamp *a);", {"get_level": ("level", False)}),
            ("double k_lamp_getLevel(const k_lamp *a);", {"getLevel": ("level", False)}),
            ("const char *k_lamp_get_name(const k_lamp *a);", {"get_name": ("name", False)}),
            ("int k_lamp_get_level(k_lamp *a);", {}),  # it may change the object
            ("int k_lamp_level(const k_lamp *a);", {}),  # it may be a verb
            ("void k_lamp_set_level(k_lamp *a, int level);", {}),
            (
                "int k_lamp_get_level(k_lamp *a); void k_lamp_set_level(k_lamp *a, int level);",
                {"get_level": ("level", False), "set_level": ("level", True)},
            ),
            (
                "void k_lamp_set_level(k_lamp *a, int64_t level); int k_lamp_level(const k_lamp *a);",
                {"level": ("level", False), "set_level": ("level", True)},
            ),
            ("int k_lamp_level(k_lamp *a); void k_lamp_set_level(k_lamp *a, double level);", {}),  # of another kind
            (
                "int k_lamp_get_level(const k_lamp *a); int k_lamp_set_level(k_lamp *a, int b);",
                {"get_level": ("level", False)},
            ),
            ("int k_lamp_get_level(const k_lamp *a); void k_lamp_level(k_lamp *a, int b);", {}),  # a clash
            ("int k_lamp_get_close(const k_lamp *a);", {}),
            ("k_lamp *k_lamp_new_copy(const k_lamp *a); int k_lamp_get_2(const k_lamp *a);", {}),
            ("int k_lamp_get_level(const k_lamp *a, int unit);", {}),
            ("int k_lamp_get_level(int unit);", {}),
        ):
            with self.subTest(functions):
                self.assertEqual(self.properties(functions), wanted)

    def test_properties__from_clauses(self):
        functions = "int k_lamp_level(k_lamp *a);\nint k_lamp_put(k_lamp *a, int level);\n"
        functions += "int k_lamp_get_age(const k_lamp *a);\n"
        for contracts, wanted in (
            ("k_lamp_get_age { method }", {}),
            ("k_lamp_get_age { slow }", {}),
            ("k_lamp_get_age { lock lamps }", {}),
            ("k_lamp_get_age { property years }", {"get_age": ("years", False)}),
            ("k_lamp_level { property } k_lamp_get_age { method }", {"level": ("level", False)}),
            (
                "k_lamp_level { property } k_lamp_put { return: status; property level } k_lamp_get_age { method }",
                {"level": ("level", False), "put": ("level", True)},
            ),
            ("every k_lamp_get_* { method }", {}),
        ):
            with self.subTest(contracts):
                self.assertEqual(self.properties(functions, contracts), wanted)

    def test_properties__refused(self):
        functions = (
            "int k_lamp_level(k_lamp *a);\nint k_lamp_get_level(k_lamp *a);\nvoid k_lamp_put(k_lamp *a, int level);\n"
            "int k_lamp_add(k_lamp *a, int b);\nint k_one(int a);\n"
        )
        for contracts, message in (
            ("k_lamp_put { property }", "lamp_put: `property`: expected a function that reads the property beside it"),
            ("k_lamp_put { property 2a }", "k_lamp_put: contract: `property`: expected a name"),
            ("k_lamp_add { property }", f"lamp_add: `property`: {TAKES}"),
            ("k_one { property }", f"one: `property`: {TAKES}"),
            ("k_lamp_level { property; method }", "contract: expected one of `method` and `property`, once"),
            (
                "k_lamp_get_level { property }",
                "lamp_get_level: `property`: another function of the class is called level already: write "
                "`property NAME`",
            ),
            (
                "k_lamp_level { property close }",
                "lamp_level: `property`: a method of the class is called close already: write `property NAME`",
            ),
        ):
            with self.subTest(contracts):
                path = self.write(contracts, "k.contracts")
                status, _, said = bind(
                    self.write(LAMP + functions), "--name", "k", "--contracts", path, "--out", self.folder
                )
                self.assertEqual(status, 1)
                self.assertIn(message, said)

    def test_properties__explain_shows_them(self):
        folder = HERE / "properties"
        options = ("--name", "properties", "--prefix", "q_", "--explain", "lamp_set_level")
        told = bind(folder / "properties.h", *options)[1]
        shown = "sets the property level|@level.setter|lamp.level = level|pub fn set_level(|SetLevel("
        for line in shown.split("|"):
            self.assertIn(line, told)

    def test_properties__a_class_may_have_functions_called_like_builtins(self):
        header = LAMP + "int k_lamp_get_int(const k_lamp *a);\nint k_lamp_get_property(const k_lamp *a);\n"
        header += "int k_lamp_get_end(const k_lamp *a);\nint k_lamp_get_class(const k_lamp *a);\n"
        out = self.folder / "out"
        self.assertEqual(bind(self.write(header), "--name", "k", "--lang", LANGUAGES, "--out", out)[0], 0)
        stub = (out / "python/k/__init__.pyi").read_text()
        self.assertIn("from builtins import int as _int\nfrom builtins import property as _property\n", stub)
        self.assertIn("    @_property\n    def class_(self) -> _int: ...\n", stub)
        self.assertIn("name === :end_ && return", (out / "julia/src/K.jl").read_text())


if __name__ == "__main__":
    unittest.main()
