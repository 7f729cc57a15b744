# SPDX-License-Identifier: Apache-2.0
"""The C files compile for CPythons other than this one: by the limited API alone, and without the GIL."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import dlferry
import pytest
from conftest import ROOT

BINDING = ROOT / "bindings" / "python"
OWN = sorted((BINDING / "src" / "dlferry" / "c" / "python").glob("*.c"))
EXTENSION = sorted((BINDING / "extension").glob("*.c"))
WARNINGS = ["-Wall", "-Wextra", "-Wshadow", "-Wno-missing-field-initializers"]
COMPILER = shutil.which((os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()[0])


@pytest.fixture(scope="module")
def docs(tmp_path_factory):
    out = tmp_path_factory.mktemp("made")
    command = [sys.executable, BINDING / "extension" / "docs.py", ROOT / "core" / "include" / "dlferry.h", out]
    subprocess.run([str(word) for word in command], check=True)
    return out


def compile_all(files, docs, *options):
    """The compiler's errors and warnings about our own lines."""
    folders = [
        sysconfig.get_path("include"),
        ROOT / "core" / "include",
        BINDING / "src" / "dlferry" / "c",
        BINDING / "extension",
        docs,
    ]
    command = [
        COMPILER,
        "-std=c11",
        "-fsyntax-only",
        *WARNINGS,
        *options,
        *(f"-I{folder}" for folder in folders),
        *files,
    ]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    lines = [line for line in done.stderr.splitlines() if re.search(r"(error|warning):", line)]
    return [line for line in lines if str(BINDING) in line or " error:" in line], done.returncode


@pytest.mark.skipif(not COMPILER or sys.version_info < (3, 12), reason="needs a compiler and CPython 3.12's headers")
def test_limited_api__is_enough(docs):
    assert compile_all([*OWN, *EXTENSION], docs, "-DPy_LIMITED_API=0x030C0000") == ([], 0)


@pytest.mark.skipif(not COMPILER or sys.version_info < (3, 13), reason="needs a compiler and CPython 3.13's headers")
def test_without_the_gil(docs):
    assert compile_all([*OWN, *EXTENSION], docs, "-DPy_GIL_DISABLED=1") == ([], 0)


def test_limited_api__is_what_the_switch_means(docs, tmp_path):
    if not COMPILER:
        pytest.skip("needs a compiler")
    beyond = tmp_path / "beyond.c"
    beyond.write_text('#include "dlferry_python.h"\nconst char *name(PyTypeObject *t) { return t->tp_name; }\n')
    include = Path(dlferry.get_include())
    assert compile_all([beyond], docs, f"-I{include}") == ([], 0)
    assert compile_all([beyond], docs, f"-I{include}", "-DPy_LIMITED_API=0x030C0000")[1] != 0
