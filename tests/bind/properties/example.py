# SPDX-License-Identifier: Apache-2.0
"""Properties from getters and setters: read, set, refused, of a closed object."""

import inspect
import warnings

import dlferry
import properties


def refused(lamp, name, *value):
    try:
        setattr(lamp, name, *value) if value else getattr(lamp, name)
    except dlferry.Error as error:
        print(error)


def use(lamp):
    print("level", lamp.level, "weight", lamp.weight)
    lamp.level = 60
    print("level", lamp.level, "weight", lamp.weight)
    lamp.mode = properties.Mode.EXACT
    print("mode", lamp.mode.value)
    print("owner", lamp.owner or "nobody")
    lamp.lit = True
    print("lit", int(lamp.lit), "owner", lamp.owner)
    lamp.name = "lantern"
    print("name", lamp.name, "hue", lamp.hue, "id", lamp.id)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        print("brightness", lamp.brightness)
    print("next", lamp.get_next(), "age", lamp.get_age(), "sum", lamp.get_sum(2), "seed", lamp.set_seed(5))


def refuse(lamp):
    refused(lamp, "level", 101)
    lamp.level = 13
    refused(lamp, "hue")
    lamp.name = "broken"
    refused(lamp, "lit", False)
    print("level", lamp.level)


def python_alone(lamp):
    """Python's own errors, and help."""
    for value in ("a", None, 1.5, 1 << 40):
        try:
            lamp.level = value
        except (TypeError, dlferry.Error) as error:
            if not str(error).startswith("lamp_set_level: level: expected"):
                raise
        else:
            raise SystemExit(f"level took {value!r}")
    for attempt in (lambda: setattr(lamp, "weight", 1.0), lambda: delattr(lamp, "level"), lambda: lamp.get_level):
        try:
            attempt()
        except AttributeError:
            continue
        raise SystemExit("expected an AttributeError")
    about = inspect.getdoc(properties.Lamp.level)
    for text in ("The brightness in percent.", "int, may be set: 0 <= level <= 100", "C: q_lamp_get_level, q_lamp_set"):
        if text not in about:
            raise SystemExit(about)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        lamp.brightness  # noqa: B018
    if str(caught[0].message) != "brightness is deprecated: Read `level`.":
        raise SystemExit(caught[0].message)


with properties.Lamp("lamp") as lamp:
    use(lamp)
    refuse(lamp)
    python_alone(lamp)
refused(lamp, "level")
refused(lamp, "level", 1)
refused(lamp, "owner")
print("live", properties.live())
