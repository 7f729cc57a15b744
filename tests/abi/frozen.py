# SPDX-License-Identifier: Apache-2.0
"""Compare the library's ABI with dlferry.abi: frozen.py SOURCE CC CMAKE [ABIGAIL LIBRARIES] [--update]

libabigail reads the ABI from the debug information of the amalgamation: the functions that the library exports, and the
types of the public headers. A function added here uses all of these types, since some are only for int32_t fields or
for callers. The macros are compared with macros.txt. Any change fails. --update writes an intended one; core/README.md
has the ABI promise.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
DUMP = HERE / "dlferry.abi"
MACROS = HERE / "macros.txt"
# Types and functions only: nothing about the compiler, the machine or where the sources were.
FORM = """--drop-private-types --exported-interfaces-only --no-architecture --no-corpus-path --no-comp-dir-path
--no-show-locs --no-elf-needed --no-parameter-names""".split()
# A wider field, a new one, a removed function, a narrower result, another value of an enum behind int32_t fields or of
# a macro, a new field in a type for kernels: each must be detected. Private parts may change.
PLANTED = [
    ("  bool whole; ", "  int64_t whole; ", True),
    ("  int64_t align;", "  int64_t align, more;", True),
    ("int64_t dlf_live(void)", "static inline int64_t dlf_live_gone(void)", True),
    ("int64_t dlf_alignment(", "int32_t dlf_alignment(", True),
    ("DLF_USE_SHARED = 1,", "DLF_USE_SHARED = 3,", True),
    ("#define DLF_STREAM_NONE (-1)", "#define DLF_STREAM_NONE (-2)", True),
    ("typedef struct dlf_stream {", "typedef struct dlf_stream { int64_t more;", True),
    ("struct dlf_tensor {", "struct dlf_tensor { int64_t more;", False),
]


FIRST_LINE = "# SPDX-License-Identifier: Apache-2.0\n"


def fail(text):
    print(text)
    sys.exit(1)


def use_of_types(header):
    """A function that takes a pointer to each enum and structure of dlferry's, in C."""
    types = re.findall(r"^typedef (?:enum|struct) (dlf_\w+) \{", header, re.M)
    return f"DLF_API void dlf_every_type({', '.join(f'{name} *_{name}' for name in types)}) {{}}\n"


def macros(folder, compiler):
    """The macros of dlferry.h, but for the version, which every release changes."""
    listed = subprocess.run(
        [compiler, "-std=c11", "-dM", "-E", "dlferry.h"], cwd=folder, check=True, capture_output=True, text=True
    ).stdout
    found = re.findall(r"^#define (DLF_(?!API\b|VERSION_).*|DLPACK_FLAG_.*)$", listed, re.M)
    return "".join(f"{line}\n" for line in sorted(found))


def differing_macros(now):
    before, after = (set(text.splitlines()) for text in (MACROS.read_text(encoding="utf-8"), FIRST_LINE + now))
    gone, new = sorted(before - after), sorted(after - before)
    return "".join([*(f"macro gone: {line}\n" for line in gone), *(f"macro new: {line}\n" for line in new)])


def build(folder, source, compiler, change=None):
    """Compile the amalgamation as a library with debug information, with a text of it replaced."""
    for name in ("dlferry.h", "dlferry.c"):
        text = (source / name).read_text(encoding="utf-8")
        text = text.replace(*change) if change else text
        if name == "dlferry.c":
            text += use_of_types((folder / "dlferry.h").read_text(encoding="utf-8"))
        (folder / name).write_text(text, encoding="utf-8")
    flags = ["-std=c11", "-g", "-O0", "-fPIC", "-shared", "-fvisibility=hidden", "-w"]
    subprocess.run([compiler, *flags, "dlferry.c", "-o", "libdlferry.so", "-lm"], cwd=folder, check=True)
    return folder / "libdlferry.so"


def main():
    update = sys.argv[-1] == "--update"
    root, compiler, cmake, *places = sys.argv[1 : len(sys.argv) - update]
    environment = dict(os.environ)
    if places:
        environment["PATH"] = f"{places[0]}/usr/bin:{environment['PATH']}"
        environment["LD_LIBRARY_PATH"] = places[1]

    def run(tool, *words):
        path = shutil.which(tool, path=environment["PATH"])
        if not path or subprocess.run([path, "--version"], env=environment, capture_output=True).returncode:
            print(f"NOT RUN: needs {tool} of libabigail (Debian: abigail-tools), which does not run here")
            sys.exit(77)
        return subprocess.run([path, *map(str, words)], env=environment, capture_output=True, text=True)

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source, built = folder / "source", folder / "built"
        built.mkdir()
        amalgamate = [cmake, f"-DOUT={source}", "-P", Path(root) / "core/amalgamate.cmake"]
        subprocess.run(amalgamate, check=True)

        def differs(dump, change=None):
            """The result of abidiff for the library with a change; its own dump goes to a file."""
            library = build(built, source, compiler, change)
            made = run("abidw", *FORM, "--headers-dir", built, "--out-file", dump, library)
            if made.returncode:
                fail(made.stdout + made.stderr)
            compared = run("abidiff", "--no-architecture", DUMP, dump)
            said = compared.stdout + compared.stderr if compared.returncode else ""
            return said + differing_macros(macros(built, compiler))

        if update:
            DUMP.touch()
            differs(DUMP)
            MACROS.write_text(FIRST_LINE + macros(built, compiler), encoding="utf-8")
            print(f"{DUMP.name}: {len(DUMP.read_text().splitlines())} lines")
            return
        difference = differs(folder / "now.abi")
        if difference:
            fail(f"{difference}\nThe ABI has changed. If it is meant: python3 {sys.argv[0]} ... --update")
        for before, after, seen in PLANTED:
            if bool(differs(folder / "planted.abi", (before, after))) != seen:
                fail(f"expected this change {'' if seen else 'not '}to be seen: {before} became {after}")
    print(f"the ABI is that of {DUMP.name}; {len(PLANTED)} planted changes were judged rightly")


main()
