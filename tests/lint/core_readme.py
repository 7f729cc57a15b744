# SPDX-License-Identifier: Apache-2.0
"""Compile and run the C in core/README.md, and measure the hub: core_readme.py CC LIBRARY CMAKE.

The blocks are pieces of a program; the rest of it, and the expected output, is here.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from files import ROOT

PROGRAM = """
#include <dlferry.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct heap {{ const char *begin, *end; void *streams[2]; }};

static int look(DLManagedTensorVersioned *managed) {{
{look}
  return 0;
}}

dlf_status register_heap(struct heap *heap, dlf_error *error);
{backend}

#define MUST(condition) do {{ if (!(condition)) return printf("%s\\n", #condition), 1; }} while (0)

int main(void) {{
  static float values[6];
  const int64_t shape[2] = {{2, 3}};
  const DLDevice cpu = {{kDLCPU, 0}}, shared = {{kDLOneAPI, 1}};
  dlf_tensor *t;
  DLManagedTensorVersioned *managed;
  void *stream;
  MUST(dlf_create((DLDataType){{kDLFloat, 32, 1}}, 2, shape, cpu, &t, NULL) == DLF_OK);
  MUST(dlf_to_dlpack(t, &managed, NULL) == DLF_OK);
  MUST(look(managed) == 0);
  MUST(dlf_to_dlpack(t, &managed, NULL) == DLF_OK);
  managed->dl_tensor.ndim = -1;
  MUST(look(managed) == 1);
  dlf_release(t);
  MUST(dlf_live() == 0);
  struct heap heap = {{(char *)values, (char *)(values + 6), {{NULL, values}}}};
  DLTensor plain = {{values + 2, shared, 0, {{kDLFloat, 32, 1}}, NULL, NULL, 0}};
  MUST(!dlf_is_reachable(&plain) && register_heap(&heap, NULL) == DLF_OK && dlf_is_reachable(&plain));
  MUST(dlf_exchange_api()->current_work_stream(kDLOneAPI, 1, &stream) == 0 && stream == values);
  return 0;
}}
"""
SAID = "2 elements, 3 apart\n3 elements, 1 apart\n"


EXCHANGE_CORE = ["-DDLF_NO_CONTRACT", "-DDLF_NO_FILES", "-DDLF_NO_PYOBJECT"]
TOLERANCE = 5  # KB: a change of the hub need not touch the pages


def kilobytes(compiler, source, *options):
    """Code and data of the amalgamated hub, compiled as the pages say."""
    made = source.with_suffix(".o")
    subprocess.run([compiler, "-std=c11", "-O2", *options, "-c", source, "-o", made], check=True)
    text, data, *_ = subprocess.check_output(["size", made], text=True).splitlines()[1].split()
    return (int(text) + int(data)) / 1000


def check_sizes(compiler, cmake, page):
    """Both pages tell both sizes by one measure. That is gcc 12's on x86-64; other compilers give others."""
    core, hub = (int(n) for n in re.search(r"has (\d+) KB of code and data.*?whole hub (\d+) KB", page, re.S).groups())
    short = re.search(r"header, (\d+) KB of code and data", (ROOT / "README.md").read_text(encoding="utf-8"))
    if int(short[1]) != core:
        sys.exit(f"README.md says {short[1]} KB, core/README.md {core} KB")
    asked = [subprocess.run([compiler, word], capture_output=True, text=True) for word in ("--version", "-dumpmachine")]
    version, machine = (done.stdout.partition("\n")[0] for done in asked)
    if not re.search(r"\b(gcc|cc)\b.* 12\.", version, re.I) or not machine.startswith("x86_64"):
        print(f"sizes are those of gcc 12 on x86-64, not measured with {version}, {machine}")
        return
    with tempfile.TemporaryDirectory() as folder:
        script = ROOT / "core/amalgamate.cmake"
        subprocess.run([cmake, f"-DOUT={folder}", "-P", script], check=True, capture_output=True)
        source = Path(folder, "dlferry.c")
        measured = [kilobytes(compiler, source, *EXCHANGE_CORE), kilobytes(compiler, source)]
    for said, size in zip((core, hub), measured, strict=True):
        if abs(said - size) > TOLERANCE:
            sys.exit(f"core/README.md says {said} KB, measured {size:.1f} KB")
    print("sizes: " + ", ".join(f"{size:.1f} KB" for size in measured))


def main():
    compiler, library, cmake = sys.argv[1:]
    page = (ROOT / "core/README.md").read_text(encoding="utf-8")
    check_sizes(compiler, cmake, page)
    blocks = re.findall(r"^```c\n(.*?)^```$", page, re.M | re.S)
    named = {}
    for name, word in {"look": "dlf_dltensor(", "backend": "dlf_backend_register("}.items():
        named[name] = next(block for block in blocks if word in block)
    if len(named) != len(blocks):
        sys.exit(f"core/README.md has {len(blocks)} blocks of C, of which {len(named)} are run")
    with tempfile.TemporaryDirectory() as folder:
        source, program = Path(folder, "readme.c"), Path(folder, "readme")
        source.write_text(PROGRAM.format(**named), encoding="utf-8")
        flags = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", f"-I{ROOT / 'core/include'}"]
        subprocess.run([compiler, *flags, source, library, "-o", program], check=True)
        done = subprocess.run([program], capture_output=True, text=True)
    if (done.returncode, done.stdout) != (0, SAID) or "expected ndim between 0 and 64, got -1" not in done.stderr:
        sys.exit(f"status {done.returncode}, said {done.stdout!r} and {done.stderr!r}")
    print(f"core/README.md: {len(blocks)} blocks run as they say")


main()
