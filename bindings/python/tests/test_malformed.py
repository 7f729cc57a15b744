# SPDX-License-Identifier: Apache-2.0
"""tests/cases/malformed.json: each malformed tensor's errors by import and check, and how often its deleter runs."""

import dlferry
import pytest
from conftest import CASES, capsule_name


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_import(case, malformed):
    before = malformed.deleted()
    capsule = malformed.capsule(case["malformed"], case.get("legacy", False))
    if case["status"] == "OK":
        t = dlferry.from_dlpack(capsule)
        assert repr(t)
        assert malformed.deleted() == before
        del t
    else:
        with pytest.raises(dlferry.Error) as caught:
            dlferry.from_dlpack(capsule)
        assert (caught.value.status.name, str(caught.value)) == (case["status"], case["message"])
    assert capsule_name(capsule).startswith("used_")
    assert malformed.deleted() == before + case["deleted"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_look(case, malformed):
    """Reading a capsule neither consumes nor crashes; the text names the caller instead of from_dlpack."""
    before = malformed.deleted()
    capsule = malformed.capsule(case["malformed"], case.get("legacy", False))
    for look in (dlferry.check, dlferry.describe, dlferry.format):
        if case["status"] == "OK":
            look(capsule)
        else:
            with pytest.raises(dlferry.Error) as caught:
                look(capsule)
            assert caught.value.status.name == case["status"]
    assert malformed.deleted() == before
    try:
        dlferry.from_dlpack(capsule)
    except dlferry.Error:
        pass
    assert malformed.deleted() == before + case["deleted"]
