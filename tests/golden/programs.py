# SPDX-License-Identifier: Apache-2.0
"""The golden cases as a program of each language, which prints "NAME<tab>STATUS<tab>MESSAGE" for each.

A language is a class: `skip` says whether a case cannot be put in it, `case` gives the lines of one case, which go into
program.ENDING.in. The generator's own --ir describes the functions.
"""

import json
import re
from pathlib import Path

HERE = Path(__file__).resolve().parent

DTYPES = {"bool": (6, 8), "bf16": (4, 16), "c64": (5, 64), "c128": (5, 128), "f8_e4m3fn": (10, 8), "f4_e2m1fn": (17, 4)}
KINDS = {"i": 0, "u": 1, "f": 2}
DEVICES = {"cpu": 1, "cuda": 2, "opencl": 4, "rocm": 10, "cuda_host": 3, "vulkan": 7}
FLAGS = {"read_only": 1, "padded": 4}


def quoted(text):
    return json.dumps(text, ensure_ascii=False)


def numbers(spec, slots, slot):
    """The numbers that tensors_make reads, of a spec such as "f32[4, 5] strides 1 4 read_only"."""
    dtype, dims, rest = re.fullmatch(r"(\w+)\[([\d, ]*)\](.*)", spec).groups()
    base, lanes = re.fullmatch(r"(.+?)(?:_x(\d+))?", dtype).groups()
    code, bits = DTYPES.get(base) or (KINDS[base[0]], int(base[1:]))
    shape = [int(n) for n in dims.replace(",", " ").split()]
    strides = [1] * len(shape)
    for axis in range(len(shape) - 2, -1, -1):
        strides[axis] = strides[axis + 1] * max(shape[axis + 1], 1)
    device, index, flags, skew, alias, offset = 1, 0, 0, 0, -1, 0
    words = rest.split()
    while words:
        word = words.pop(0)
        if word == "strides":
            strides = [int(words.pop(0)) for _ in shape]
        elif word == "skew":
            skew = int(words.pop(0))
        elif word == "alias":
            alias = slots[words.pop(0)]
        elif word == "offset":
            offset = int(words.pop(0))
        elif word in FLAGS:
            flags |= FLAGS[word]
        else:
            name, _, index = word.partition(":")
            device, index = DEVICES[name], int(index or 0)
    row = [slot, code, bits, int(lanes or 1), device, index, flags, skew, alias, offset, len(shape), *shape, *strides]
    return " ".join(map(str, row))


def pascal(name):
    return "".join(word[:1].upper() + word[1:] for word in name.split("_"))


class Program:
    language = ending = ""
    indent = "    "

    def __init__(self, ir):
        self.functions = {f["short_name"]: f for f in ir["functions"]}
        self.short = {e["name"]: e["short_name"] for e in [*ir["enums"], *ir["handles"]]}

    def skip(self, case, f):
        return False

    def passed(self, case, f):
        """Parameters that a caller passes in this case, with their values; made outputs that it leaves out are not."""
        for p in f["params"]:
            given = p["name"] in case["args"]
            if not p.get("returned") and p["kind"] != "stream" and (given or not p.get("made")):
                yield p, case["args"].get(p["name"]), given

    def makes(self, case, f):
        return bool(f["new"]) and not any(p.get("made") and p["name"] in case["args"] for p in f["params"])

    def tensors(self, case, f):
        """(place, numbers) of each tensor of a case; lists have one a place p0, p1, ..."""
        slots, found = {}, []
        for p in f["params"]:
            value = case["args"].get(p["name"])
            if p["kind"] == "list" and value is not None:
                specs = [(f"{p['name']}{i}", spec) for i, spec in enumerate(value)]
            else:
                specs = [(p["name"], value)] if p["kind"] == "tensor" and value is not None else []
            for place, spec in specs:
                slots[place] = len(slots)
                found.append((place, numbers(spec, slots, slots[place])))
        return found

    def write(self, cases, library=""):
        lines, names = [], []
        for case in cases:
            f = self.functions[case["call"]]
            if self.language in case.get("only", [self.language]) and not self.skip(case, f):
                lines += self.case(case, f)
                names.append(case["name"])
        text = "\n".join(self.indent + line if line else line for line in lines)
        frame = (HERE / f"program.{self.ending}.in").read_text(encoding="utf-8")
        return frame.replace("@CASES@", text.strip("\n")).replace("@LIBRARY@", str(library)), names

    @staticmethod
    def number(value, real):
        if isinstance(value, str):  # nan, inf
            return value
        return repr(float(value)) if real else str(value)


class C(Program):
    language = "c"
    ending = "c"

    def scalar(self, p, value):
        if p["kind"] == "string":
            return quoted(value)
        if p["kind"] == "bool":
            return str(value).lower()
        if p["kind"] == "real":
            return {"nan": "NAN", "inf": "INFINITY"}.get(value) or repr(float(value))
        return f"({p['c']}){value}" + ("u" if value > 2**63 else "")

    def default(self, p):
        value = p["default"]
        return value if p["kind"] == "enum" else self.scalar(p, value)

    def case(self, case, f):
        lines, places = ["{"], []
        for place, row in self.tensors(case, f):
            lines.append(f'  DLManagedTensorVersioned *{place} = tensors_make("{row}");')
            places.append(place)
        arguments, after = [], []
        for p in f["params"]:
            name, value = p["name"], case["args"].get(p["name"])
            if p["kind"] == "given" or (p["kind"] == "tensor" and p["made"] and self.makes(case, f)):
                lines.append(f"  DLManagedTensorVersioned *{name} = NULL;")
                arguments.append(f"&{name}")
                after.append(f"dlf_dlpack_release({name});")
            elif p["kind"] == "tensor":
                arguments.append(f"arg({name})" if value is not None else "(dlf_arg){NULL, 0}")
            elif p["kind"] == "list":
                items = ", ".join(f"arg({name}{i})" for i in range(len(value))) or "{NULL, 0}"
                lines.append(f"  const dlf_arg {name}[] = {{{items}}};")
                arguments += [name, str(len(value))]
            elif p["kind"] == "array":
                item = p["c"].replace("const ", "").rstrip("* ")
                lines.append(f"  const {item} {name}[] = {{{', '.join(map(str, value)) or '0'}}};")
                arguments += [name, str(len(value))]
            elif p["kind"] == "handle":
                lines.append(
                    f"  {p['c'].replace('const ', '')}{name} = {'open_store()' if value == 'open' else 'NULL'};"
                )
                arguments.append(name)
                after.append(f"golden_store_free_checked({name});")
            elif p.get("returned"):
                lines.append(f"  {p['c']} {name} = 0;")
                arguments.append(f"&{name}")
            else:
                arguments.append(self.default(p) if value is None else self.scalar(p, value))
        if f["returns"]["as"] == "value":
            lines.append(f"  {f['returns']['c']} returned = 0;")
            arguments.append("&returned")
            if f["returns"]["kind"] == "handle":
                after.append("golden_store_free_checked(returned);")
        function = f["new"] if self.makes(case, f) else f["checked"]
        lines.append(f"  const dlf_status status = {function}({', '.join([*arguments, '&error'])});")
        lines.append(f'  report("{case["name"]}", status, &error);')
        lines += [f"  {line}" for line in after]
        lines += [f"  tensors_delete({place});" for place in places]
        return [*lines, "}"]


class Python(Program):
    language = "python"
    ending = "py"

    def argument(self, p, value):
        if p["kind"] in ("tensor", "handle"):
            return p["name"]
        if p["kind"] == "list":
            return "[" + ", ".join(f"{p['name']}{i}" for i in range(len(value))) + "]"
        if p["kind"] == "real" and isinstance(value, str):
            return f'float("{value}")'
        return repr(value)

    def case(self, case, f):
        lines = [f"def case_{case['name']}():"]
        lines += [f'    {place} = tensor("{row}")' for place, row in self.tensors(case, f)]
        passed = [(p, value) for p, value, given in self.passed(case, f) if given]
        for p, value in passed:
            if p["kind"] == "handle":
                lines.append(f"    {p['name']} = golden.Store()")
                lines += [f"    {p['name']}.close()"] if value == "closed" else []
        words = [f"{p['name']}={self.argument(p, v)}" for p, v in passed]
        function = "golden." + f["short_name"]
        if f.get("method_of"):
            function = f"{passed[0][0]['name']}.{f['method']}"
            words = words[1:]
        elif f.get("creates"):
            function = "golden.Store"
        lines.append(f"    {function}({', '.join(words)})")
        return [*lines, "", f'run("{case["name"]}", case_{case["name"]})', ""]

    indent = ""


class Rust(Program):
    language = "rust"
    ending = "rs"

    def skip(self, case, f):  # its types do not let it come to that
        return "closed" in case["args"].values()

    def argument(self, p, value):
        kind, name = p["kind"], p["name"]
        if kind == "tensor":
            made = f"&mut {name}" if p["direction"] != "in" else f"&{name}"
            return made if not p["optional"] else f"Some({made})" if value is not None else "None"
        if kind == "handle":
            return f"&{name}"
        if kind == "list":
            return "&[" + ", ".join(f"{name}{i}" for i in range(len(value))) + "]" + ("" if value else " as &[Tensor]")
        if kind == "array":
            real = p["scalar"][0] == "f"
            return "&[" + ", ".join(self.number(v, real) for v in value) + "]"
        if kind == "string":
            return quoted(value)
        if kind == "enum":
            return f"golden::{pascal(self.short[p['enum']])}({value})"
        if kind == "bool":
            return str(value).lower()
        if isinstance(value, str):
            return f"{p['scalar']}::{'NAN' if value == 'nan' else 'INFINITY'}"
        return self.number(value, kind == "real")

    def case(self, case, f):
        lines = ["{"]
        lines += [f'    let mut {place} = tensor("{row}");' for place, row in self.tensors(case, f)]
        words, options = [], None
        for p, value, given in self.passed(case, f):
            if p["kind"] == "handle":
                lines.append(f"    let mut {p['name']} = golden::Store::create(1).unwrap();")
            if "default" in p:
                if options is None:
                    words.append("options")
                    options = []
                options += [f"{p['name']}: {self.argument(p, value)}"] if given else []
            else:
                words.append(self.argument(p, value))
        if options is not None:
            fields = "".join(f"{field}, " for field in options)
            type_ = f"golden::{pascal(f['short_name'])}Options"
            lines.append(f"    let options = {type_} {{ {fields}..Default::default() }};")
        name = f.get("method") or f["short_name"]
        function = f"golden::{name}" + ("" if self.makes(case, f) or not f["new"] else "_into")
        if f.get("method_of"):
            function = f"{words.pop(0)[1:]}.{name}"
        elif f.get("creates"):
            function = f"golden::Store::{name}"
        lines.append(f"    let result = {function}({', '.join(words)});")
        return [*lines, f'    report("{case["name"]}", result.outcome());', "}"]


class Go(Program):
    language = "go"
    ending = "go"

    def argument(self, p, value):
        kind, name = p["kind"], p["name"]
        if kind in ("tensor", "handle"):
            return name if value is not None else "nil"
        if kind == "list":
            return "[]*dlferry.Tensor{" + ", ".join(f"{name}{i}" for i in range(len(value))) + "}"
        if kind == "array":
            item = {"f": "float", "i": "int", "u": "uint"}[p["scalar"][0]] + p["scalar"][1:]
            return f"[]{item}{{{', '.join(map(str, value))}}}"
        if kind == "string":
            return quoted(value)
        if kind == "enum":
            return f"golden.{pascal(self.short[p['enum']])}({value})"
        if kind == "bool":
            return str(value).lower()
        if isinstance(value, str):
            return "math.NaN()" if value == "nan" else "math.Inf(1)"
        return self.number(value, kind == "real")

    def case(self, case, f):
        lines = ["{"]
        close = []
        for place, row in self.tensors(case, f):
            lines.append(f'    {place} := tensor("{row}")')
            close.append(place)
        words, options = [], False
        name = pascal(f["short_name"])
        for p, value, given in self.passed(case, f):
            if p["kind"] == "handle":
                lines.append(f"    {p['name']} := openStore({str(value == 'open').lower()})")
                close.append(p["name"])
            if "default" in p:
                if not options:
                    lines.append(f"    options := golden.{name}Options{{}}")
                    words.append("options")
                    options = True
                if given:
                    lines.append(f"    set(&options.{pascal(p['name'])}, {self.argument(p, value)})")
            else:
                words.append(self.argument(p, value))
        function = f"golden.{name}" + ("" if self.makes(case, f) or not f["new"] else "Into")
        if f.get("method_of"):
            function = f"{words.pop(0)}.{pascal(f['method'])}"
        results = [f["returns"]["kind"]] if f["returns"]["as"] == "value" else []
        for p in f["params"]:
            if p.get("returned") or (p.get("made") and self.makes(case, f)):
                results.append(p["kind"])
        places = []
        for i, kind in enumerate(results):
            places.append(f"result{i}" if kind in ("tensor", "given", "handle") else "_")
            close += [places[-1]] if places[-1] != "_" else []
        lines.append(f"    {', '.join([*places, 'err'])} := {function}({', '.join(words)})")
        lines.append(f'    report("{case["name"]}", err)')
        return [*lines, *(f"    {place}.Close()" for place in close), "}"]


class Julia(Program):
    language = "julia"
    ending = "jl"

    def argument(self, p, value):
        kind, name = p["kind"], p["name"]
        if kind in ("tensor", "handle"):
            return name
        if kind == "list":
            return "DLFerry.Tensor[" + ", ".join(f"{name}{i}" for i in range(len(value))) + "]"
        if kind == "array":
            return {"f64": "Float64", "i64": "Int64"}[p["scalar"]] + "[" + ", ".join(map(str, value)) + "]"
        if kind == "string":
            return quoted(value).replace("$", "\\$")
        if kind == "enum" and self.short[p["enum"]] != "flags":
            return f"Golden.{pascal(self.short[p['enum']])}({value})"
        if kind == "bool":
            return str(value).lower()
        if isinstance(value, str):
            return {"nan": "NaN", "inf": "Inf"}[value]
        return self.number(value, kind == "real")

    def case(self, case, f):
        lines = [f'run("{case["name"]}") do']
        for place, row in self.tensors(case, f):
            lines.append(f'    {place} = tensor("{row}")')
        written, others, words = [], [], []
        for p, value, given in self.passed(case, f):
            if p["kind"] == "handle":
                lines.append(f"    {p['name']} = Golden.store_create()")
                lines += [f"    close({p['name']})"] if value == "closed" else []
            if "default" in p or p.get("optional"):
                words += [f"{p['name']} = {self.argument(p, value)}"] if given else []
            elif p["kind"] == "tensor" and p["direction"] != "in":
                written.append(p["name"])
            else:
                others.append(self.argument(p, value))
        name = f["short_name"] + ("!" if written else "")
        words = "; " + ", ".join(words) if words else ""
        return [*lines, f"    Golden.{name}({', '.join(written + others)}{words})", "end"]


LANGUAGES = {language.language: language for language in (C, Python, Rust, Go, Julia)}
