# SPDX-License-Identifier: Apache-2.0
"""NumPy's own test_dlpack.py, as numpy_suite.py runs it."""

import numpy_suite
import pytest


@pytest.mark.parametrize("role", numpy_suite.ROLES)
def test_numpy_suite__passes_but_for_the_listed_exceptions(role):
    result = numpy_suite.run(role)
    assert len(result["outcomes"]) > 60 and "skipped" not in result["outcomes"].values()
    assert numpy_suite.unexpected(result, role) == set()


def test_exceptions__are_at_most_three_and_in_the_docs():
    text = numpy_suite.TABLE.read_text(encoding="utf-8")
    assert len(numpy_suite.EXCEPTIONS) <= 3
    for name, (role, why, row) in numpy_suite.EXCEPTIONS.items():
        assert role in numpy_suite.ROLES
        assert f"| `{name.partition('::')[2]}` | {why} | {row} |" in text
