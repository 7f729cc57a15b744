# SPDX-License-Identifier: Apache-2.0
"""Turn bad_input.json into C: bad_input.py CASES HEADER OUT.

Reads the kernels' signatures and defaults from the header with expressions of its own, so that the C suite does not
rest on the generator that it tests.
"""

import json
import re
import sys
from pathlib import Path


def signatures(header):
    """Return {function: [(type, name, default)]} of the functions whose last parameter is a dlf_error."""
    found = {}
    for doc, name, parameters in re.findall(
        r"/\*\*((?:(?!\*/).)*)\*/\s*int (\w+)\(([^)]*), dlf_error \*error\);", header, re.S
    ):
        contract = ";".join(re.findall(r"@contract(.*)", doc))
        entries = []
        for parameter in parameters.split(","):
            kind, label = re.fullmatch(r"\s*(.*?)(\w+)", parameter, re.S).groups()
            default = re.search(rf"(?:^|;)\s*{label} = ([\w.]+)", contract)
            entries.append((kind.strip(), label, default and default.group(1)))
        found[name] = entries
    return found


def c_list(values):
    return "(const int64_t[]){" + ", ".join(f"INT64_C({v})" for v in values) + "}" if values else "NULL"


def c_scalar(value):
    return str(value).lower() if isinstance(value, bool) else repr(value)


def c_call(case, parameters):
    """The body of one case: its tensors, then the call on them."""
    lines, given, made, memory = [], [], [], []
    for kind, name, default in parameters:
        if "DLTensor" not in kind:
            value = case.get("scalars", {}).get(name)
            given.append(default if value is None else c_scalar(value))
        elif name not in case["tensors"]:
            lines.append(f"DLManagedTensorVersioned *{name} = NULL;")
            given.append(f"&{name}")
            made.append(name)
        else:
            t = case["tensors"][name]
            inside = f"&{t['alias_of']}" if "alias_of" in t else "NULL"
            lines.append(f"tensor {name};")
            lines.append(
                f'make(&{name}, "{t["dtype"]}", "{t.get("device", "cpu")}", {len(t["shape"])}, {c_list(t["shape"])}, '
                f"{c_list(t.get('strides'))}, {c_scalar(t.get('read_only', False))}, {inside}, "
                f"{t.get('offset', 0)}, {t.get('skew', 0)});"
            )
            given.append(f"arg(&{name})")
            memory.append(f"free({name}.memory);")
    twin = case["call"] + ("_new" if made else "_checked")
    text = json.dumps(case["message"], ensure_ascii=False)
    lines.append(f"const dlf_status status = {twin}({', '.join(given)}, &error);")
    lines.append(f'expect("{case["name"]}", status, &error, DLF_{case["status"]}, {text});')
    for name in made:
        lines.append(f'if (!status != !!{name}) printf("FAILED {case["name"]}: {name} and status\\n"), failures++;')
        lines.append(f"dlf_dlpack_release({name});")
    return [*lines, *memory, f'expect_released("{case["name"]}", before, 0);']


def main(cases, header, out):
    kernels = signatures(Path(header).read_text())
    chosen = [c for c in json.loads(Path(cases).read_text())["cases"] if "c" in c.get("only", ["c"])]
    lines = ["static int run_cases(void) {", "  dlf_error error;"]
    for case in chosen:
        lines.append("  {")
        if "malformed" in case:
            legacy = c_scalar(case.get("legacy", False))
            text = json.dumps(case["message"], ensure_ascii=False)
            lines.append(
                f'    import("{case["name"]}", "{case["malformed"]}", {legacy}, DLF_{case["status"]}, {text}, '
                f"{case['deleted']});"
            )
        else:
            lines.append("    const int64_t before = malformed_deleted();")
            lines += ["    " + line for line in c_call(case, kernels[case["call"]])]
        lines.append("  }")
    lines += [f"  return {len(chosen)};", "}", ""]
    Path(out).write_text("\n".join(lines))


if __name__ == "__main__":
    main(*sys.argv[1:])
