# SPDX-License-Identifier: Apache-2.0
"""Compile and run the C in core/README.md: core_readme.py CC LIBRARY.

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


def main():
    compiler, library = sys.argv[1:]
    page = (ROOT / "core/README.md").read_text(encoding="utf-8")
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
