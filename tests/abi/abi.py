# SPDX-License-Identifier: Apache-2.0
"""Compare our dlpack.h with the original inside the apache-tvm-ffi wheel, and compile dlferry.h beside every other.

python abi.py SOURCE_DIR C_COMPILER CXX_COMPILER
"""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE, CC, CXX = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
HERE = SOURCE / "tests/abi"
OURS = SOURCE / "core/include"
C11 = [CC, "-std=c11", "-x", "c"]
CXX17 = [CXX, "-std=c++17", "-x", "c++"]
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror"]
failures = []


def expect(condition, text):
    print(("ok      " if condition else "FAILED  ") + text)
    if not condition:
        failures.append(text)


def theirs():
    """The include folder of the wheel's dlpack.h; found without importing the package."""
    spec = importlib.util.find_spec("tvm_ffi")
    if spec is None:
        print("not run: apache-tvm-ffi is not installed")
        sys.exit(77)
    return Path(spec.submodule_search_locations[0]) / "include"


def run(command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True)


def probe(compiler, include, folder):
    binary = folder / "probe"
    built = run(
        [*compiler, "-Wall", "-Wextra", "-Werror", "-isystem", include, "-I", folder, HERE / "probe.c", "-o", binary]
    )
    if built.returncode:
        sys.exit(f"the probe does not compile against {include}:\n{built.stderr}")
    return run([binary]).stdout.splitlines()


def names_of(header):
    """Every enumerator, macro, type and field that a header declares, from its text without comments."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", header.read_text(encoding="utf-8"), flags=re.S)
    names = set(re.findall(r"\bkDL\w+", text)) | set(re.findall(r"#define\s+(\w+)", text))
    names |= set(re.findall(r"\}\s*(\w+)\s*;", text)) | set(re.findall(r"\(\s*\*\s*(\w+)\s*\)", text))
    return names | set(re.findall(r"\b(\w+)\s*;", text))


def compare_headers(folder):
    original = theirs()
    ours, wheel = OURS / "dlpack/dlpack.h", original / "dlpack/dlpack.h"
    expect(names_of(ours) == names_of(wheel), f"both declare the same {len(names_of(wheel))} names")
    for name in sorted(names_of(ours) ^ names_of(wheel)):
        print(f"        only in {'ours' if name in names_of(ours) else 'the original'}: {name}")
    values = {name for name in names_of(wheel) if name.startswith("kDL")}
    (folder / "values.inc").write_text("".join(f"VALUE({name});\n" for name in sorted(values)), encoding="utf-8")
    probed = values | set(re.findall(r"\w+", (HERE / "probe.c").read_text(encoding="utf-8")))
    # Spelled by the preprocessor alone: nothing to measure.
    unprobed = names_of(wheel) - probed - {"DLPACK_DLPACK_H_", "DLPACK_EXTERN_C", "DLPACK_DLL", "SetError"}
    expect(not unprobed, f"the probe leaves out no name ({', '.join(sorted(unprobed)) or 'none'})")
    for compiler, language in ((C11, "C11"), (CXX17, "C++17")):
        a, b = probe(compiler, OURS, folder), probe(compiler, original, folder)
        expect(a == b and len(a) > 80, f"{language}: {len(a)} sizes, offsets, values and constants are equal")
        for mine, other in zip(a, b, strict=False):
            if mine != other:
                print(f"        ours {mine!r}, the original {other!r}")


def header_with_table(own):
    """A header that calls itself 1.1 and has the exchange table of before 1.2, as a framework's fork has."""
    text = own.replace("DLPACK_MINOR_VERSION 3", "DLPACK_MINOR_VERSION 1")
    return re.sub(r"\bprev_api\b", "prev_version_api", text)


USE = """
#include <stdio.h>
int main(void) {
  const DLPackExchangeAPI *api = 0;
  DLDevice device = {kDLTrn, 0};
  DLDataType dtype = {(uint8_t)kDLFloat4_e2m1fn, 4, 1};
  dlf_arg arg = {0, DLPACK_FLAG_BITMASK_IS_COPIED | DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED};
  dlf_error error = {DLF_OK, ""};
  printf("%d %d %d %d %d %d\\n", (int)kDLMAIA, (int)device.device_type, dtype.code, (int)arg.flags, error.status,
         api == 0);
  return (int)sizeof(DLPackExchangeAPI) != 64;
}
"""


def compile_dlferry(folder):
    """dlferry.h alone, with another header first and with the original last; the system's under -isystem."""
    headers = {"1.0": (HERE / "dlpack_1_0.h").read_text(encoding="utf-8")}
    own = (OURS / "dlpack/dlpack.h").read_text(encoding="utf-8")
    headers["1.1 with the table"] = header_with_table(own)
    headers["1.2"] = own.replace("DLPACK_MINOR_VERSION 3", "DLPACK_MINOR_VERSION 2")
    headers["1.9"] = own.replace("DLPACK_MINOR_VERSION 3", "DLPACK_MINOR_VERSION 9")
    headers["1.3 of the wheel"] = (theirs() / "dlpack/dlpack.h").read_text(encoding="utf-8")
    bare = folder / "bare"  # dlferry.h without our dlpack.h, so that the other one is the only one
    bare.mkdir()
    shutil.copy(OURS / "dlferry.h", bare)
    shutil.copytree(OURS / "dlferry", bare / "dlferry")
    single = folder / "single"
    run(["cmake", f"-DOUT={single}", "-P", SOURCE / "core/amalgamate.cmake"])
    arrangements = []
    for form, include in (("dlferry.h", OURS), ("amalgamated dlferry.h", single)):
        arrangements.append((f"{form} alone", ["dlferry.h"], ["-I", include]))
        arrangements.append((f"{form} twice", ["dlferry.h", "dlferry.h"], ["-I", include]))
    for version, text in headers.items():
        other = folder / f"v{version.split()[0]}-{len(arrangements)}"
        (other / "dlpack").mkdir(parents=True)
        (other / "dlpack/dlpack.h").write_text(text, encoding="utf-8")
        for form, include in (("dlferry.h", bare), ("amalgamated dlferry.h", single)):
            places = ["-I", include, "-isystem", other]
            arrangements.append((f"{form} after {version}", ["dlpack/dlpack.h", "dlferry.h"], places))
            arrangements.append((f"{form} before {version}", ["dlferry.h", "dlpack/dlpack.h"], places))
    for compiler, language, suffix in ((C11, "C11", "c"), (CXX17, "C++17", "cpp")):
        for title, includes, places in arrangements:
            program = folder / f"use.{suffix}"
            program.write_text("".join(f"#include <{name}>\n" for name in includes) + USE, encoding="utf-8")
            built = run([*compiler, *STRICT, *places, program, "-o", folder / "use"])
            good = built.returncode == 0 and run([folder / "use"]).stdout == "17 18 17 6 0 1\n"
            expect(good, f"{language}: {title}")
            if not good:
                print(built.stderr)
    wrong = folder / "major"
    (wrong / "dlpack").mkdir(parents=True)
    text = own.replace("DLPACK_MAJOR_VERSION 1", "DLPACK_MAJOR_VERSION 2")
    (wrong / "dlpack/dlpack.h").write_text(text, encoding="utf-8")
    program = folder / "use.c"
    program.write_text("#include <dlferry.h>\n" + USE, encoding="utf-8")
    refused = run([*C11, "-I", bare, "-isystem", wrong, program, "-o", folder / "use"])
    expect(refused.returncode != 0 and "major version 1" in refused.stderr, "a dlpack.h of major version 2 is refused")


def read_table_of_1_1(folder):
    """A framework's table, declared by such a header before dlferry.h, is found and used; the hub compiles too."""
    fork, bare, single = folder / "fork", folder / "bare", folder / "single"
    (fork / "dlpack").mkdir(parents=True)
    own = (OURS / "dlpack/dlpack.h").read_text(encoding="utf-8")
    (fork / "dlpack/dlpack.h").write_text(header_with_table(own), encoding="utf-8")
    for source in sorted((SOURCE / "core/hub/exchange").glob("exchange*.c")):
        built = run([*C11, *STRICT, "-fsyntax-only", "-I", bare, "-I", SOURCE / "core", "-isystem", fork, source])
        expect(built.returncode == 0, f"{source.name} against 1.1 with the table")
        print(built.stderr, end="")
    hub = folder / "hub.o"
    built = run([*C11, "-c", single / "dlferry.c", "-I", single, "-o", hub])
    expect(built.returncode == 0, "the hub in one file")
    print(built.stderr, end="")
    for compiler, language in ((C11, "C11"), (CXX17, "C++17")):
        program = folder / f"table-{language}"
        sources = [HERE / "table_1_1.c", "-x", "none", hub]
        built = run([*compiler, *STRICT, "-I", bare, "-isystem", fork, *sources, "-lm", "-o", program])
        said = run([program]).stdout if built.returncode == 0 else built.stderr
        expect(said == "found lent imported\n", f"{language}: a table of 1.1 is read")
        if said != "found lent imported\n":
            print(said)


def compile_style_of_0_8(folder):
    """Sources for DLPack 0.8 compile with our dlpack.h; dlferry.h refuses that version's own header by name."""
    old_macros = ["-DOLD_MACROS", "-DDLPACK_VERSION=80", "-DDLPACK_ABI_VERSION=1"]
    for compiler, language in ((C11, "C11"), (CXX17, "C++17")):
        for title, options in (("", []), (", old macros given", old_macros), (", dlferry.h too", ["-DWITH_DLFERRY"])):
            built = run([*compiler, *STRICT, *options, "-I", OURS, HERE / "style_0_8.c", "-o", folder / "style"])
            said = run([folder / "style"]).stdout if built.returncode == 0 else built.stderr
            expect(said == "1.0 or later 15 1\n", f"{language}: the style of 0.8{title}")
            if built.returncode:
                print(said)
        old, bare = folder / f"v0.8-{language}", folder / "bare"
        (old / "dlpack").mkdir(parents=True)
        text = (HERE / "dlpack_1_0.h").read_text(encoding="utf-8")
        text = text.replace("DLPACK_MAJOR_VERSION 1", "DLPACK_VERSION 80")
        text = text.replace("DLPACK_MINOR_VERSION 0", "DLPACK_ABI_VERSION 1")
        (old / "dlpack/dlpack.h").write_text(text, encoding="utf-8")
        built = run([*compiler, *STRICT, "-I", old, HERE / "style_0_8.c", "-o", folder / "style"])
        expect(
            built.returncode == 0 and run([folder / "style"]).stdout == "0.8 15 1\n",
            f"{language}: the same source against a header of 0.8",
        )
        refused = run(
            [*compiler, "-DWITH_DLFERRY", "-I", bare, "-isystem", old, HERE / "style_0_8.c", "-o", folder / "style"]
        )
        expect(
            refused.returncode != 0 and "needs a dlpack.h of major version 1" in refused.stderr,
            f"{language}: dlferry.h after a header of 0.8 is refused",
        )


def main():
    os.environ.update(LC_ALL="C")
    with tempfile.TemporaryDirectory() as name:
        compare_headers(Path(name))
        compile_dlferry(Path(name))
        read_table_of_1_1(Path(name))
        compile_style_of_0_8(Path(name))
    if failures:
        sys.exit(f"{len(failures)} failed")


main()
