# SPDX-License-Identifier: Apache-2.0
"""Run tests under the address and undefined-behaviour sanitizers: sanitized.py SITE CC FLAGS pytest-argument...

SITE holds dlferry and photo, built with FLAGS by gcc or clang; packages that tests build get FLAGS too. Python and the
frameworks are not instrumented, so the sanitizers are loaded before them. A report of any error fails the run; a leak
does if our code allocated the memory, that is, if the first function of ours, Python's allocators left out, is in SITE
or in a package that a test has built. Other leaks are Python's and the frameworks' own.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

SITE, CC, FLAGS, *ARGUMENTS = sys.argv[1:]
# What lies between malloc and the code that asked for memory.
ALLOCATOR = re.compile(
    r" in (__interceptor_|_?_?PyObject_|_?PyMem_|gc_alloc|_PyType_AllocNoTrack|PyType_GenericAlloc|calloc|malloc)"
)
OURS = re.compile(
    r"/dlferry\.c:|/made/hub_wrap\.c:|/dlferry/c/|/bindings/python/|_python\.c:|_dlferry\.c:|/_[a-z]+\.[^/]*\.so"
)

# Each must be reported, or the reports of the tests mean nothing.
LEAKS = """
import ctypes, dlferry
leaked = dlferry.create("float32", [3])
ctypes.pythonapi.Py_IncRef(ctypes.py_object(leaked))
"""
FREES_TWICE = """
import dlferry, numpy as np, test_release
delete = test_release.take(dlferry.create("float32", [3]))
delete()
delete()
"""


def environment(folder):
    libraries = []
    for name in ("libasan.so", "libubsan.so"):
        path = subprocess.run([CC, f"-print-file-name={name}"], capture_output=True, text=True, check=True).stdout
        libraries.append(path.strip())
    # Compilers that tests run need no sanitizer, and are slow under one.
    compiler = folder / "cc"
    compiler.write_text(f'#!/bin/sh\nunset LD_PRELOAD\nexec {CC} "$@"\n', encoding="utf-8")
    compiler.chmod(0o755)
    logs = folder / "logs"
    logs.mkdir()
    # A leak alone must not change the status of a process; an error aborts it.
    common = f"abort_on_error=1:disable_coredump=1:log_path={logs}/"
    return logs, {
        **os.environ,
        "LD_PRELOAD": " ".join(libraries),
        "ASAN_OPTIONS": f"{common}asan:exitcode=0:detect_leaks=1:allocator_may_return_null=1:detect_odr_violation=0",
        "UBSAN_OPTIONS": f"{common}ubsan:print_stacktrace=1",
        "PYTHONMALLOC": "malloc",  # Python's own pools would hide what happens to its objects
        "PYTHONPATH": SITE,
        "CC": str(compiler),
        "CFLAGS": FLAGS,
    }


def our_leaks(text):
    found = []
    for block in text.split("\n\n"):
        if not re.match(r"(Direct|Indirect) leak of", block.strip()):
            continue
        frames = [line for line in block.splitlines() if re.match(r"\s+#\d+ ", line) and not ALLOCATOR.search(line)]
        if frames and OURS.search(frames[0]):
            found.append(block)
    return found


def run(command):
    """Returns the status, and all reports of the processes that count."""
    with tempfile.TemporaryDirectory() as name:
        logs, env = environment(Path(name))
        status = subprocess.run(command, env=env, check=False).returncode
        texts = [path.read_text(encoding="utf-8", errors="replace") for path in sorted(logs.iterdir())]
    errors = [text for text in texts if "ERROR: AddressSanitizer" in text or "runtime error:" in text]
    return status, errors + [leak for text in texts for leak in our_leaks(text)]


def main():
    for program, sign in ((LEAKS, "leak of"), (FREES_TWICE, "ERROR: AddressSanitizer")):
        _, reports = run([sys.executable, "-c", f"import sys; sys.path.insert(0, 'tests')\n{program}"])
        if not any(sign in report for report in reports):
            sys.exit(f"sanitized: expected a report with '{sign}' of the program\n{program}\ngot {reports}")
    status, reports = run([sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *ARGUMENTS])
    if reports:
        sys.exit("\n\n".join(reports) + f"\nsanitized: expected no error and no leak, got {len(reports)}")
    sys.exit(status)


main()
