# SPDX-License-Identifier: Apache-2.0
"""A folder that core/release.cmake and others.py wrote: which of its folders others get, and the version in it."""

import re

FOLDERS = ("c", "python", "rust", "go", "julia", "debian")  # beside them is what made them


def version_of(release):
    """Read the version from the release's page."""
    return re.search(r"^# dlferry (\S+)$", (release / "README.md").read_text(encoding="utf-8"), re.M)[1]


def published(release):
    """Yield all files that others get."""
    for folder in FOLDERS:
        yield from (path for path in sorted((release / folder).rglob("*")) if path.is_file())
