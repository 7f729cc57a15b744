#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The calls of generated tests: each C twin answers as the generator foretold, and every rule is broken.

test_cases.py DLFERRY_BIND CC HUB HEADER.h [-lLIBRARY ...]

Makes a C program of all cases of a header, whose kernels lie in a file of the same name, and compares status and text.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/golden"))
from programs import C, numbers  # noqa: E402

# Rules that no call can break: results, hooks and devices.
UNTESTED = {
    "si": {"decode: pixels: u8[h, w, c]"},
    "hard": {"ends: a in -128..127"},
    "golden": {
        "resample: out: f32[hook(golden_length)]",
        "take: out: f32[hook(golden_take_length)]",
        "give: out: f64[3]",
        "behind: out: f64[n]",
        "upwards: out: i64[hook(golden_first)]",
        "follow: out: device",
        "repeat: x: device",
        "repeat: copies: device",
    },
    "kinds": {
        "positive: out: T[_]",
        "unique: values: f64[k]",
        "unique: counts: i64[k]",
        "gift: out: f64[3]",
        "even: all, since each object of a call is made for it alone",
        "resample: out: f32[hook(kinds_resampled)] noalias",
    },
}
# There is no such tensor in CPU memory, or the search finds no call.
NOT_FOUND = {"golden": ["devices"], "hard": ["twelve", "nothing", "large", "axes", "device"]}
FRAME = """#include "%s_dlferry.h"
#include <stdio.h>
#include "tensors.h"

static dlf_arg arg(const DLManagedTensorVersioned *m) { return (dlf_arg){&m->dl_tensor, m->flags}; }

/* Make the hub's tensor of one, for a call that keeps it. */
static inline dlf_tensor *own(DLManagedTensorVersioned *m) {
  dlf_tensor *made = NULL;
  return dlf_from_dlpack(m, &made, NULL) ? NULL : made;
}

static void report(const char *name, dlf_status status, const dlf_error *error) {
  printf("%%s\\t%%s\\t%%s\\n", name, dlf_status_name((int32_t)status), status ? error->message : "");
}

int main(void) {
  dlf_error error = {0};
  (void)arg;
%s
  printf("live\\t%%lld\\t\\n", (long long)(tensors_live() + dlf_live()));
  return 0;
}
"""


class Cases:
    """C that makes each call. Owners of shared memory are made before their guests, handles by other cases' calls."""

    def __init__(self, ir, cases):
        self.functions = {f["short_name"]: f for f in ir["functions"]}
        self.free = {h["name"]: h["checked"] for h in ir["handles"]}
        self.scalar = C(ir).scalar
        self.makers = {}
        for case in reversed(cases):
            f = self.functions[case["call"]]
            if f.get("creates") and case["status"] == "OK":
                self.makers[f["creates"]] = case

    @staticmethod
    def tensors(case, f):
        specs = {}
        for p in f["params"]:
            value = case["args"].get(p["name"])
            if p["kind"] == "list" and value is not None:
                specs |= {f"{p['name']}{i}": spec for i, spec in enumerate(value)}
            elif p["kind"] == "tensor" and value is not None:
                specs[p["name"]] = value
        slots = {name: i for i, name in enumerate(specs)}
        for name in sorted(specs, key=lambda name: " alias " in specs[name]):
            words = specs[name].split()
            if "alias" in words and words[-1] not in slots:
                words[-1] += "0"  # a list's first
            if "align" in words:  # 256 here, always
                del words[words.index("align") : words.index("align") + 2]
            yield name, numbers(" ".join(words), slots, slots[name])

    def arguments(self, case, f):
        """Lines before the call, its arguments, and lines after it."""
        before, words, after = [], [], []
        for name, row in self.tensors(case, f):
            before.append(f'DLManagedTensorVersioned *{name} = tensors_make("{row}");')
            after.append(f"tensors_delete({name});")
        for p in f["params"]:
            name, kind, value = p["name"], p["kind"], case["args"].get(p["name"])
            if kind == "given" or (kind == "tensor" and p["made"] and case["make"]):
                before.append(f"DLManagedTensorVersioned *{name} = NULL;")
                words.append(f"&{name}")
                after.append(f"dlf_dlpack_release({name});")
            elif p.get("kept"):
                before.append(f"dlf_tensor *kept_{name} = own({name});")
                words.append(f"kept_{name}")
                after[after.index(f"tensors_delete({name});")] = f"dlf_release(kept_{name});"
            elif kind == "tensor":
                words.append(f"arg({name})" if value is not None else "(dlf_arg){NULL, 0}")
            elif kind == "list":
                items = ", ".join(f"arg({name}{i})" for i in range(len(value))) or "{NULL, 0}"
                before.append(f"const dlf_arg {name}[] = {{{items}}};")
                words += [name, str(len(value))]
            elif kind == "array":
                item = p["c"].replace("const ", "").rstrip("* ")
                before.append(f"const {item} {name}[] = {{{', '.join(map(str, value)) or '0'}}};")
                words += [name, str(len(value))]
            elif kind == "stream":
                words.append("(dlf_stream){NULL}")
            elif kind == "handle":
                before.append(f"{p['c'].replace('const ', '')}{name} = NULL;")
                words.append(f"&{name}" if p.get("returned") else name)
                after.append(f"{self.free[p['handle']]}({name});")
                if value and not value.endswith(" closed"):
                    before += self.handle(name, p["handle"])
            elif p.get("returned"):
                before.append(f"{p['c']} {name} = 0;")
                words.append(f"&{name}")
            else:
                words.append(self.scalar(p, value))
        if f["returns"]["as"] == "value":
            before.append(f"{f['returns']['c']} returned = 0;")
            words.append("&returned")
            after += [f"{self.free[f['creates']]}(returned);"] if f["returns"]["kind"] == "handle" else []
        return before, words, after

    def handle(self, place, handle):
        """The maker's result goes to `place`, a name that its own parameters may not hide."""
        case = self.makers[handle]
        f = self.functions[case["call"]]
        before, words, after = self.arguments(case, f)
        own = next((p["name"] for p in f["params"] if p["kind"] == "handle" and p.get("returned")), "returned")
        after = [line for line in after if line != f"{self.free[handle]}({own});"]
        call = f"{f['new'] if case['make'] else f['checked']}({', '.join([*words, 'NULL'])})"
        keep = f"void **const place_of_{place} = (void **)&{place};"
        return [keep, "{", *before, f"{call};", f"*place_of_{place} = {own};", *after, "}"]

    def case(self, case, f):
        before, words, after = self.arguments(case, f)
        call = f"{f['new'] if case['make'] else f['checked']}({', '.join([*words, '&error'])})"
        return ["{", *before, f'report("{case["name"]}", {call}, &error);', *after, "}"]


def run(*command, folder=None):
    done = subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"FAILED: {' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done


def main():
    bind, cc, hub, header = sys.argv[1], sys.argv[2], Path(sys.argv[3]).resolve(), Path(sys.argv[4]).resolve()
    name, problems = header.stem, []
    command = [bind, header.name, "--name", name]
    ir = json.loads(run(*command, "--ir", folder=header.parent).stdout)
    told = run(*command, "--cases", folder=header.parent)
    said = json.loads(told.stdout)
    cases = said["cases"]
    expected = "".join(f"dlferry-bind: tests: {f}: no accepted call found\n" for f in NOT_FOUND.get(name, []))
    if told.stderr != expected:
        problems.append(f"expected on stderr {expected!r}, got {told.stderr!r}")
    unfound = {f"{f}: all, since no accepted call was found" for f in NOT_FOUND.get(name, [])}
    for rule in UNTESTED.get(name, set()) ^ unfound ^ set(said["untested"]):
        problems.append(f"rules that no case breaks: {rule}")
    with tempfile.TemporaryDirectory() as out:
        run(*command, "--out", out, folder=header.parent)
        program = Cases(ir, cases)
        lines = [line for case in cases for line in program.case(case, program.functions[case["call"]])]
        (Path(out) / "cases.c").write_text(FRAME % (name, "\n".join("  " + line for line in lines)))
        flags = [
            "-std=c11",
            "-g",
            "-O1",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-Wno-unused-parameter",
            "-Wno-format-truncation",
        ]
        golden, include = ROOT / "tests/golden", ROOT / "core/include"
        folders = [f"-I{folder}" for folder in (out, header.parent, golden, include)]
        sources = ["cases.c", golden / "tensors.c", header.with_suffix(".c"), f"{name}_dlferry.c", hub]
        run(cc, *flags, *folders, *sources, "-o", "cases", *sys.argv[5:], "-lm", "-lpthread", folder=out)
        rows = [line.split("\t") for line in run(Path(out) / "cases").stdout.splitlines()]
    heard = {row[0]: (row[1], row[2]) for row in rows}
    if heard.pop("live")[0] != "0":
        problems.append("tensors are left alive")
    refused = 0
    for case in cases:
        status, text = heard.get(case["name"], ("nothing", ""))
        if case["status"] == "OK":  # the kernel itself may refuse zeros
            refused += status != "OK"
            hooks = "wanted a length of 0 or more" in text or "hook(" in text
            good = status != "nothing" and ("wanted " not in text or hooks)
        else:
            good = (status, text) == (case["status"], case["text"])
        if not good:
            problems.append(f"{case['name']}: expected {case['status']}: {case['text']}\n  got {status}: {text}")
    if len({case["name"] for case in cases}) != len(cases):
        problems.append("two cases of one name")
    print("\n".join(problems))
    accepted = sum(case["status"] == "OK" for case in cases)
    print(
        f"cases: {name}: {len(cases)} calls of {len({case['call'] for case in cases})} functions, {accepted} accepted "
        f"({refused} of them refused by the kernel), {len(said['untested'])} rules untested, {len(problems)} problems"
    )
    sys.exit(bool(problems))


main()
