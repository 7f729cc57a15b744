# SPDX-License-Identifier: Apache-2.0
"""docs/specification.md has a row for each sentence, and its tests exist."""

import ast
import re

import numpy_suite
from conftest import ROOT

HERE = ROOT / "bindings" / "python"
TABLE = (HERE / "docs" / "specification.md").read_text(encoding="utf-8")
# How many sentences each text has.
SENTENCES = {"D": 62, "V": 5, "F": 27, "I": 35, "P": 43, "X": 8}
DUTIES = {"producer", "consumer", "both", "none"}
VERSIONS = {"24, 25", "old, new", "old", "new", "draft"}


def rows():
    lines = [line for line in TABLE.splitlines() if re.match(r"\| [A-Z]\d+ \|", line)]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]


def test_table__has_a_row_for_each_sentence():
    wanted = [f"{letter}{number}" for letter, count in SENTENCES.items() for number in range(1, count + 1)]
    assert [row[0] for row in rows()] == wanted


def test_rows__are_whole():
    for name, version, sentence, duty, does, tests in rows():
        assert version in VERSIONS and duty in DUTIES and sentence, name
        assert "-" not in (does, tests) or duty == "none", name


def functions(path):
    return {node.name for node in ast.parse(path.read_text(encoding="utf-8")).body if isinstance(node, ast.FunctionDef)}


def test_tests__exist():
    named = {name for row in rows() for name in re.findall(r"`([\w:]+)`", row[5])}
    assert len(named) > 50
    for name in named:
        file, function = name.split("::")
        assert function in functions(HERE / "tests" / f"{file}.py"), name


def test_numpy_suite__names_rows():
    known = {row[0] for row in rows()}
    assert {row for *_, row in numpy_suite.EXCEPTIONS.values()} <= known
