# SPDX-License-Identifier: Apache-2.0
"""The output of --ir follows core/bind/ir/ir.schema.json, and the schema allows no more than that.

test_schema.py DLFERRY_BIND; needs jsonschema.
"""

import copy
import json
import subprocess
import sys
import unittest
from pathlib import Path

import jsonschema

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BIND = str(Path(sys.argv.pop(1)).resolve())
NAMES = "all kinds odd pointers handles scalars structs shapes/shapes".split()
HEADERS = [ROOT / "examples/photo/photo.h", ROOT / "tests/clauses/clauses.h", HERE / "properties/properties.h"]
HEADERS += [HERE / f"{name}.h" for name in NAMES]
SCHEMA = json.loads((ROOT / "core/bind/ir/ir.schema.json").read_text())
CHECK = jsonschema.Draft202012Validator(SCHEMA)


def read(header):
    command = [BIND, header, "--name", header.stem, "--ir"]
    if header.with_suffix(".contracts").exists():
        command += ["--contracts", header.with_suffix(".contracts")]
    return json.loads(subprocess.run(command, capture_output=True, check=True, timeout=120).stdout)


def objects(value):
    """Every object inside, itself too."""
    if isinstance(value, dict):
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from objects(inner)


class TestSchema(unittest.TestCase):
    def setUp(self):
        self.all = {header.name: read(header) for header in HEADERS}

    def test_schema__is_one(self):
        jsonschema.Draft202012Validator.check_schema(SCHEMA)

    def test_schema__what_is_printed_is_valid(self):
        for name, ir in self.all.items():
            self.assertEqual([f"{name}{e.json_path}: {e.message}" for e in CHECK.iter_errors(ir)], [])

    def test_schema__nothing_may_be_missing_or_be_added(self):
        optional = {"returned", "limits", "default", "c_params", "hooks", "method_of", "creates", "count_of"}
        optional |= {"threadsafe", "unchanged", "speed", "pointer", "derived", "gives", "extent", "deprecated"}
        optional |= {"counts", "place", "taken", "holder", "made_from", "ended", "many"}
        optional |= {"defaults", "hides", "field_of", "spread", "items"}
        optional |= {"array_interface", "behind", "family", "info", "kept", "message", "property", "sets", "sure"}
        optional |= {"kept_object", "borrows", "owner", "freed"}
        seen = set()
        for ir, key in ((ir, key) for ir in self.all.values() for key in ("enums", "structs", "handles", "functions")):
            for part in ir[key]:
                small = {**ir, "enums": [], "structs": [], "handles": [], "functions": [], key: [part]}
                for i, one in enumerate(objects(small)):
                    shape = (frozenset(one), one.get("kind"), part.get("unbound") is None)
                    if shape not in seen:
                        seen.add(shape)
                        self.take_each(small, i, optional, part.get("unbound") is None)

    def take_each(self, ir, i, optional, bound):
        one = list(objects(ir))[i]
        for key in one:
            changed = copy.deepcopy(ir)
            del list(objects(changed))[i][key]
            free = key in optional or (key == "contract" and one.get("kind") not in (None, "tensor"))
            free |= key == "handle" and not bound
            free |= key == "optional" and one["kind"] != "tensor"
            free |= key == "text" and one.get("as") != "status"
            free |= key == "from" and "text" not in one
            free &= {"creates": "borrows", "borrows": "owner"}.get(key) not in one
            free |= key == "method" and not one.keys() & {"method_of", "creates"}
            self.assertEqual(CHECK.is_valid(changed), free, f"{key} taken from {one}")
        changed = copy.deepcopy(ir)
        list(objects(changed))[i]["unheard_of"] = 1
        self.assertFalse(CHECK.is_valid(changed), one)

    def test_schema__knows_nothing_that_is_never_printed(self):
        keys = {key for ir in self.all.values() for one in objects(ir) for key in one}
        kinds = {one["kind"] for ir in self.all.values() for one in objects(ir) if "kind" in one}
        said = set(SCHEMA["properties"])
        for part in SCHEMA["$defs"].values():
            said |= set(part.get("properties", {}))
        self.assertEqual(said, keys)
        self.assertEqual(set(SCHEMA["$defs"]["typed"]["properties"]["kind"]["enum"]), kinds)

    def test_schema__names_that_are_pointed_at_exist(self):
        for name, ir in self.all.items():
            enums, handles = ({one["name"] for one in ir[key]} for key in ("enums", "handles"))
            names = {f["name"] for f in ir["functions"]}
            for f in ir["functions"]:
                params = {p["name"]: p for p in f["params"]}
                for one in objects(f):
                    self.assertIn(one.get("handle"), handles | {None}, name)
                    self.assertIn(one.get("enum"), enums | {None}, name)
                    if "count_of" in one:
                        self.assertIn(params[one["count_of"]]["kind"], ("list", "array"), name)
                self.assertIn(f.get("member_of"), names | {None}, name)
                self.assertLessEqual({member["name"] for member in f.get("family", [])}, names, name)
                for hook in f.get("hooks", []):
                    self.assertTrue(all(hook["args"]), name)
                self.assertLessEqual({f.get("method_of"), f.get("creates")}, handles | {None}, name)


if __name__ == "__main__":
    unittest.main()
