# SPDX-License-Identifier: Apache-2.0
"""Targets named in the Markdown files exist: links and their headings, paths in backticks, presets, tests of ctest.

links.py [CTEST BUILD_FOLDER]: with these also ctest commands in the text, which must find a test.
"""

import json
import re
import subprocess
import sys

from files import ROOT, every

FENCE = re.compile(r"^( *)```.*?^\1```$", re.M | re.S)
CODE = re.compile(r"`[^`\n]+`")
LINK = re.compile(r"\]\(([^)\s]+)\)")
PATH = re.compile(r"`((?:core|bindings|examples|tests|\.ci)/[\w.*/-]+)`")
PRESET = re.compile(r"(cmake --workflow|cmake --build|ctest) --preset ([\w-]+)")
CTEST = re.compile(r"ctest (?:--preset \w+ )?-([LR]) (\w+)")
KINDS = {"cmake --workflow": "workflowPresets", "cmake --build": "buildPresets", "ctest": "testPresets"}


def anchors(text):
    """The names that GitHub gives to headings; of two that are alike the second ends in -1."""
    found = set()
    for heading in re.findall(r"^#+ (.*)$", FENCE.sub("", text), re.M):
        words = re.sub(r"\]\([^)]*\)", "", heading).strip().lower()
        name = fresh = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
        number = 0
        while fresh in found:
            number += 1
            fresh = f"{name}-{number}"
        found.add(fresh)
    return found


def links(path, text):
    for target in LINK.findall(CODE.sub("", FENCE.sub("", text))):
        if re.match(r"https?://|@ref$|crate::", target):  # Documenter and rustdoc find, and check, their own
            continue
        place, _, anchor = target.partition("#")
        file = (path.parent / place).resolve() if place else path
        if not (file.is_relative_to(ROOT) and file.exists()):
            yield f"no such file: {target}"
        elif anchor and (file.suffix != ".md" or anchor not in anchors(file.read_text(encoding="utf-8"))):
            yield f"no such heading: {target}"


def names(text, presets, tests):
    for name in PATH.findall(text):
        if "LANGUAGE" not in name and not any(ROOT.glob(name.rstrip("/"))):
            yield f"no such file: {name}"
    for command, name in PRESET.findall(text):
        if name not in presets[KINDS[command]]:
            yield f"no such preset: {command} --preset {name}"
    for option, name in CTEST.findall(text) if tests else ():
        if not any(re.search(name, known) for known in tests[option]):
            yield f"no test by that: ctest -{option} {name}"


def known(ctest, folder):
    """Names (R) and labels (L) of all tests."""
    done = subprocess.run([ctest, "--test-dir", folder, "--show-only=json-v1"], stdout=subprocess.PIPE, check=True)
    found = {"R": set(), "L": set()}
    for test in json.loads(done.stdout)["tests"]:
        found["R"].add(test["name"])
        for item in test.get("properties", []):
            if item["name"] == "LABELS":
                found["L"].update(item["value"])
    return found


def main():
    presets = json.loads((ROOT / "CMakePresets.json").read_text(encoding="utf-8"))
    presets = {kind: {preset["name"] for preset in presets[kind]} for kind in KINDS.values()}
    tests = known(*sys.argv[1:]) if len(sys.argv) > 1 else None
    found, count = [], 0
    for path in every():
        if path.suffix == ".md":
            count += 1
            text = path.read_text(encoding="utf-8")
            here = path.relative_to(ROOT).as_posix()
            found += [f"{here}: {what}" for check in (links(path, text), names(text, presets, tests)) for what in check]
    print("\n".join(found))
    print(f"links: {count} files, {len(found)} problems")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
