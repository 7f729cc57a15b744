# SPDX-License-Identifier: Apache-2.0
"""The Conan package of the C archive: created static and shared, tested by another project, and made twice.

conan.py CONAN RELEASE VERSION WORK. Nothing is fetched. Conan names each package by a hash of its files, the revision,
so the same revision means the same bytes.
"""

import json
import os
import shutil
import sys
import tarfile
from pathlib import Path

from command import run

CONAN, RELEASE, VERSION = sys.argv[1:4]
WORK = Path(sys.argv[4])


def create(home, source, shared):
    """The revisions of the recipe and the package, and its files."""
    env = {**os.environ, "CONAN_HOME": str(home)}
    if not home.exists():
        run(CONAN, "profile", "detect", env=env)
    options = ("--no-remote", "--format=json", "-o", f"dlferry/*:shared={shared}")
    made = json.loads(run(CONAN, "create", source / "core/packaging/conan", *options, env=env))
    (node,) = (node for node in made["graph"]["nodes"].values() if node["name"] == "dlferry")
    folder = Path(node["package_folder"])
    files = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir())
    return node["rrev"], node["prev"], files


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    revisions = []
    for name in ("one", "another folder"):
        with tarfile.open(Path(RELEASE, "c", f"dlferry-{VERSION}.tar.gz")) as archive:
            archive.extractall(WORK / name)
        source = WORK / name / f"dlferry-{VERSION}"
        made = {shared: create(WORK / name / "home", source, shared) for shared in (False, True)}
        for shared, (_, _, files) in made.items():
            libraries = [file for file in files if Path(file).name.startswith("libdlferry")]
            assert libraries, files
            assert all((".so" in file) == shared for file in libraries), libraries
        revisions.append({shared: revision[:2] for shared, revision in made.items()})
        print(f"ok  conan create, static and shared: {name}", flush=True)
    assert revisions[0] == revisions[1], revisions
    print(f"ok  made twice: {revisions[0]}")


main()
