# SPDX-License-Identifier: Apache-2.0
"""Structs with public fields in a package: texts, and structs within them."""

import copy
import gc

import pytest


def test_part__is_a_window_on_the_whole(kinds):
    spot = kinds.Spot(name="home", at=kinds.Place(x=1))
    spot.at.x += 2
    assert spot == kinds.Spot(name="home", at=kinds.Place(x=3))
    assert repr(kinds.right_of(spot)) == "Spot(name='home', at=Place(x=4, y=0))"


def test_part__keeps_the_whole(kinds):
    at = kinds.Spot(at=kinds.Place(y=5)).at
    gc.collect()
    at.x = 7
    assert (at.x, at.y) == (7, 5)


def test_part__set_is_copied(kinds):
    place, spot = kinds.Place(x=1), kinds.Spot()
    spot.at = place
    place.x = 2
    assert spot.at.x == 1
    spot.at = spot.at
    with pytest.raises(TypeError, match=r"spot: at: expected a kinds\.Place, got int"):
        spot.at = 1


def test_copies__have_fields_of_their_own(kinds):
    spot = kinds.Spot(name="home", at=kinds.Place(x=1))
    for other in (copy.copy(spot), copy.deepcopy(spot), copy.copy(spot.at), kinds.right_of(spot)):
        part = getattr(other, "at", other)
        part.x = 9
        assert spot.at.x == 1
    assert copy.deepcopy(spot) == spot


def test_text__ends_within_its_memory(kinds):
    spot = kinds.Spot(name="a" * 7)
    for text, why in (("a" * 8, "spot: name: expected a text of at most 7 bytes, got 8"), ("a\0b", "NUL")):
        with pytest.raises(ValueError, match=why):
            spot.name = text
    assert spot.name == "a" * 7
    spot.name = "é"
    assert spot.name == "é"
    with pytest.raises(AttributeError, match="spot: name cannot be deleted"):
        del spot.name
