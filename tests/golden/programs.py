# SPDX-License-Identifier: Apache-2.0
"""Tables of cases as a program of each language, which prints "NAME<tab>STATUS<tab>MESSAGE" for each.

A language is a class: `skip` says whether a case cannot be put in it, `case` gives the lines of one case, which go into
program.ENDING.in. The generator's own --ir describes the functions. A table or a case that says `results` wants
those of a call that succeeds in place of a message.
"""

import json
import keyword
import re
from pathlib import Path

HERE = Path(__file__).resolve().parent

DTYPES = {"bool": (6, 8), "bf16": (4, 16), "c64": (5, 64), "c128": (5, 128), "f8_e4m3fn": (10, 8), "f4_e2m1fn": (17, 4)}
KINDS = {"i": 0, "u": 1, "f": 2}
DEVICES = {"cpu": 1, "cuda": 2, "opencl": 4, "rocm": 10, "cuda_host": 3, "vulkan": 7}
FLAGS = {"read_only": 1, "padded": 4}


# How a program shows a result of each kind.
SHOWN_IN_C = {
    "integer": "show_integer(%s)",
    "enum": "show_integer(%s)",
    "real": "show_real(%s)",
    "char": "show_char(%s)",
    "bool": 'show_text(%s ? "true" : "false")',
    "complex": "show_complex(%s.re, %s.im)",
    "string": "show_text(%s)",
    "list of texts": "show_list(%s)",
    "tensor": "show_tensor(%s)",
    "given": "show_tensor(%s)",
    "handle": 'show_text("object")',
    "maybe handle": 'show_text(%s ? "object" : "absent")',
}
SHOWN_IN_RUST = {
    "char": "char::from(%s).to_string()",
    "enum": "%s.0.to_string()",
    "handle": '"object".to_string()',
    "maybe handle": '%s.map_or("absent", |_| "object").to_string()',
}


def quoted(text):
    return json.dumps(text, ensure_ascii=False)


def numbers(spec, slots, slot):
    """The numbers that tensors_make reads, of a spec such as "f32[4, 5] strides 1 4 read_only = 1 2 3"."""
    spec, _, elements = spec.partition("=")
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
    return " ".join([*map(str, row), *elements.split()])


def is_array(p):
    """A field that is an array of numbers."""
    return "items" in p and p["kind"] != "string"


def pascal(name):
    return "".join(word[:1].upper() + word[1:] for word in name.split("_"))


class Program:
    language = ending = ""
    indent = "    "

    def __init__(self, ir, results=False):
        self.package = ir["name"]
        self.module = pascal(ir["name"])
        self.functions = {f["short_name"]: f for f in ir["functions"] if not f["unbound"]}
        self.short = {e["name"]: e["short_name"] for e in [*ir["enums"], *ir["structs"], *ir["handles"]]}
        self.structs = {s["name"]: s for s in ir["structs"]}
        self.flags = {e["name"] for e in ir["enums"] if e["flags"]}
        self.free = {h["name"]: h.get("checked") for h in ir["handles"]}
        made = [f for f in ir["functions"] if f.get("creates") and not f.get("borrows") and not f["unbound"]]
        made = [f for f in made if not f["returns"].get("optional")]
        self.makers = {f["creates"]: f["short_name"] for f in reversed(made)}
        self.all_results = self.results = results

    def skip(self, case, f):
        return False

    def passed(self, args, f):
        """Parameters that a caller passes, with their values; made outputs that it leaves out are not."""
        for p in f["params"]:
            given = p["name"] in args
            read = not p.get("returned") or p["direction"] == "inout"
            if read and p["kind"] != "stream" and (given or not p.get("made")):
                yield p, args.get(p["name"]), given

    @staticmethod
    def is_option(p):
        return "default" in p or (p.get("optional", False) and p["kind"] not in ("tensor", "handle"))

    def makes(self, args, f):
        return bool(f["new"]) and not any(p.get("made") and p["name"] in args for p in f["params"])

    def tensors(self, args, f, before, slots):
        """(place, numbers) of each tensor of a call; lists have one a place p0, p1, ..."""
        found = []
        for p in f["params"]:
            value = args.get(p["name"])
            if p["kind"] == "list" and value is not None:
                specs = [(f"{before}{p['name']}{i}", spec) for i, spec in enumerate(value)]
            else:
                specs = [(before + p["name"], value)] if p["kind"] == "tensor" and value is not None else []
            for place, spec in specs:
                slots[place] = len(slots)
                found.append((place, numbers(spec, slots, slots[place])))
        return found

    def made_by(self, p, value):
        """The call that makes a handle: its function, arguments, and whether the handle is closed."""
        if isinstance(value, str):
            return self.functions[self.makers[p["handle"]]], {}, value == "closed"
        return self.functions[value["make"]], value["args"], value.get("closed", False)

    @staticmethod
    def same(value):
        """The argument of the call itself that a call which makes another one gets too, or None."""
        return value.get("same") if isinstance(value, dict) else None

    def objects(self, p, value, place):
        """The objects of an argument, itself or the items of a list: the place and the value of each."""
        if p["kind"] == "array" and "handle" in p:
            return [(f"{place}{i}", item) for i, item in enumerate(value)]
        return [(place, value)] if p["kind"] == "handle" and value is not None else []

    # What a language writes for an object that another argument is too, for a new one, and to close it at once.
    object_lines = ("", "", "")

    def made_objects(self, p, value, place, slots):
        """Lines that make the objects of an argument, and what is to be closed after the call."""
        shared, new, shut = self.object_lines
        lines, close = [], []
        for at, one in self.objects(p, value, place):
            if self.same(one):
                lines.append(shared.format(at=at, same=self.same(one)))
                continue
            maker, its, closed = self.made_by(p, one)
            made, call, more = self.call(its, maker, f"{at}_", slots)
            lines += [*made, new.format(at=at, call=call)]
            lines += [shut.format(at=at)] if closed and shut else []
            close += [at, *more]
        return lines, close

    def frees(self, f):
        """The calls after which C frees what a function has made, with its place; none for what it has borrowed."""
        free = None if f.get("borrows") else self.free[f["creates"]]
        return [f"{free}(%s);"] if free else []

    def results_of(self, args, f):
        """A call's results, in order."""
        made = self.makes(args, f)
        results = [self.returned(f)] if f["returns"]["as"] == "value" else []
        for p in f["params"]:
            if (p.get("returned") and not (p.get("counts") and made)) or (p.get("made") and made):
                results.append(p)
        return results

    @staticmethod
    def returned(f):
        """What a function returns."""
        maybe = f["returns"]["kind"] == "handle" and f["returns"].get("optional")
        return {**f["returns"], "kind": "maybe handle" if maybe else f["returns"]["kind"]}

    def given_back(self, args, f):
        """Their kinds."""
        return [p["kind"] for p in self.results_of(args, f)]

    def written(self, args, f, slots):
        """The slots of the tensors that a call wrote to."""
        if not self.results:
            return []
        names = [p["name"] for p in f["params"] if p["kind"] == "tensor" and p["direction"] != "in"]
        return [slots[name] for name in names if name in slots]

    def write(self, cases, library=""):
        lines, names = [], []
        for case in cases:
            f = self.functions[case["call"]]
            self.results = self.all_results or case.get("results", False)
            if self.language in case.get("only", [self.language]) and not self.skip(case, f):
                lines += self.case(case, f)
                names.append(case["name"])
        text = "\n".join(self.indent + line if line else line for line in lines)
        frame = (HERE / f"program.{self.ending}.in").read_text(encoding="utf-8")
        words = {"CASES": text.strip("\n"), "LIBRARY": str(library), "PACKAGE": self.package, "MODULE": self.module}
        return re.sub(r"@(CASES|LIBRARY|PACKAGE|MODULE)@", lambda found: words[found[1]], frame), names

    def fields(self, p, value):
        """The fields of a struct argument that a case gives, with their values."""
        known = {field["name"]: field for field in self.structs[p["struct"]]["fields"]}
        return [(known[name], its) for name, its in value.items()]

    @staticmethod
    def item(field):
        """One item of an array as a field of its own."""
        return {key: value for key, value in field.items() if key != "items"}

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
            return "NULL" if value is None else quoted(value)
        if p["kind"] == "bool":
            return str(value).lower()
        if p["kind"] == "char":
            return f"'{value}'"
        if p["kind"] == "complex":
            return f"({p['c']}){{{float(value[0])!r}, {float(value[1])!r}}}"
        if p["kind"] == "real":
            return {"nan": "NAN", "inf": "INFINITY"}.get(value) or repr(float(value))
        return f"({p['c']}){value}" + ("u" if value > 2**63 else "")

    def default(self, p):
        if "default" not in p:  # it may be absent
            return "NULL"
        value = p["default"]
        return f"({p['c']})({value})" if p["kind"] == "enum" else self.scalar(p, value)

    def show(self, p, name):
        if p["kind"] == "struct":
            fields = self.structs[p["struct"]]["fields"]
            places = [place for field in fields for place in self.places(field, f"{name}.{field['name']}")]
            return " ".join(self.show(field, place) for field, place in places)
        text = SHOWN_IN_C["list of texts" if p.get("many") else p["kind"]]
        return f"{text % ((name,) * text.count('%s'))};"

    @staticmethod
    def places(field, name):
        """A field, or each item of an array, with where it is."""
        return [(field, f"{name}[{i}]") for i in range(field["items"])] if is_array(field) else [(field, name)]

    def struct(self, p, name, value):
        """Lines that make a struct."""
        layout = self.structs[p["struct"]]["layout"]
        return [f"{layout} {name};", f"{layout}_defaults(&{name});", *self.sets(p, name, value)]

    def sets(self, p, name, value):
        """Lines that set fields of a struct."""
        lines = []
        for field, its in self.fields(p, value):
            place = f"{name}.{field['name']}"
            if field["kind"] == "struct":
                lines += self.sets(field, place, its)
            elif field["kind"] == "string":
                size = min(len(its.encode()) + 1, field["items"])
                lines.append(f"memcpy({place}, {quoted(its)}, {size});")
            else:
                places = self.places(field, place)
                values = its if "items" in field else [its]
                lines += [f"{at} = {self.scalar(field, one)};" for (_, at), one in zip(places, values, strict=False)]
        return lines

    def call(self, args, f, before, slots, place=None):
        """Lines before the call, its arguments, lines that show the results, and lines after it. `place` is of the
        handle that the call makes for another one."""
        lines, words, shown, after, last = [], [], [], [], []
        handles = []
        for name, row in self.tensors(args, f, before, slots):
            lines.append(f'DLManagedTensorVersioned *{name} = tensors_make("{row}");')
            after.append(f"tensors_delete({name});")
        for p in f["params"]:
            name, value, kind = before + p["name"], args.get(p["name"]), p["kind"]
            if kind == "given" or (kind == "tensor" and p["made"] and self.makes(args, f)):
                lines.append(f"DLManagedTensorVersioned *{name} = NULL;")
                words.append(f"&{name}")
                shown.append(self.show(p, name))
                after.append(f"dlf_dlpack_release({name});")
            elif p.get("kept"):
                lines.append(f"dlf_tensor *kept_{name} = own(&{name});")
                words.append(f"kept_{name}")
                handles.append(f"dlf_release(kept_{name});")
            elif kind == "tensor":
                words.append(f"arg({name})" if value is not None else "(dlf_arg){NULL, 0}")
            elif kind == "list":
                items = ", ".join(f"arg({name}{i})" for i in range(len(value))) or "{NULL, 0}"
                lines.append(f"const dlf_arg {name}[] = {{{items}}};")
                words += [name, str(len(value))]
            elif kind == "array" and p.get("text"):
                lines.append(f"const char *const {name}[] = {{{', '.join(map(quoted, value)) or 'NULL'}}};")
                words += [name, str(len(value))]
            elif kind == "array" and "handle" in p:
                item = p["c"].removesuffix("const *")
                for at, one in self.objects(p, value, name):
                    lines.append(f"{item.replace('const ', '')} {at} = 0;")
                    made, later = self.handle(p, at, one, slots)
                    lines += made
                    handles += later
                items = ", ".join(at for at, _ in self.objects(p, value, name)) or "0"
                lines.append(f"{item}const {name}[] = {{{items}}};")
                words += [name, str(len(value))]
            elif kind == "array":
                item = p["c"].replace("const ", "").rstrip("* ")
                lines.append(f"const {item} {name}[] = {{{', '.join(map(str, value)) or '0'}}};")
                words += [name, str(len(value))]
            elif kind == "handle" and p.get("returned"):
                words.append(f"(void *)&{place}" if place else f"&{name}")
                lines += [] if place else [f"{p['c']} {name} = 0;"]
                shown.append(self.show(p, name))
                after += [] if place else [line % name for line in self.frees(f)]
            elif kind == "handle":
                lines.append(f"{p['c'].replace('const ', '')} {name} = 0;")
                made, later = self.handle(p, name, value, slots) if value is not None else ([], [])
                lines += made
                words.append(f"&{name}" if p.get("ended") else name)
                handles += later
            elif p.get("counts") and self.makes(args, f):
                continue
            elif kind == "struct":
                lines += self.struct(p, name, value or {})
                words.append(f"&{name}")
                shown += [self.show(p, name)] if p.get("returned") else []
            elif p.get("returned"):
                lines.append(f"{p['c']} {name} = {self.scalar(p, value) if value is not None else '{0}'};")
                (last if p.get("counts") else words).append(f"&{name}")
                shown.append(self.show(p, name))
                cast = "(const char *)" if p.get("many") else ""
                after += [f"{self.package}_dlferry_free_text({cast}{name});"] if kind == "string" else []
            elif p.get("optional") and kind != "string" and value is not None:
                item = p["c"].replace("const ", "").rstrip("* ")
                lines.append(f"const {item} {name} = {self.scalar({**p, 'c': item}, value)};")
                words.append(f"&{name}")
            else:
                words.append(self.default(p) if value is None else self.scalar(p, value))
        words += last
        kind = f["returns"]["kind"]
        if f["returns"]["as"] == "value" and kind == "given":
            lines.append(f"DLManagedTensorVersioned *{before}returned = NULL;")
            words.append(f"&{before}returned")
            shown.insert(0, self.show(f["returns"], f"{before}returned"))
            after.append(f"dlf_dlpack_release({before}returned);")
        elif f["returns"]["as"] == "value":
            result = place or f"{before}returned"
            lines += [] if place else [f"{f['returns']['c']} {result} = {{0}};"]
            words.append(f"(void *)&{result}" if place else f"&{result}")
            shown.insert(0, self.show(self.returned(f), result))
            if kind == "handle" and not place:
                after += [line % result for line in self.frees(f)]
        return lines, words, shown, [*after, *handles]

    def handle(self, p, name, value, slots):
        """The lines that make a handle, and those that free it later, with what it borrows from."""
        if self.same(value):
            return [f"{name} = {self.same(value)};"], []
        f, args, closed = self.made_by(p, value)
        if closed:
            return [], []
        lines, words, _, after = self.call(args, f, f"{name}_", slots, name)
        function = f["new"] if self.makes(args, f) else f["checked"]
        lines.append(f"{function}({', '.join([*words, 'NULL'])});")
        if f.get("borrows"):
            return lines, after
        return ["{", *lines, *after, "}"], [line % name for line in self.frees(f)]

    def case(self, case, f):
        slots = {}
        lines, words, shown, after = self.call(case["args"], f, "", slots)
        function = f["new"] if self.makes(case["args"], f) else f["checked"]
        lines.append(f"const dlf_status status = {function}({', '.join([*words, '&error'])});")
        shown += [f"show_text(tensors_text({slot}));" for slot in self.written(case["args"], f, slots)]
        lines += ["if (!status) {", *shown, "}"] if self.results and shown else []
        lines.append(f'report("{case["name"]}", status, &error);')
        return ["{", *(f"  {line}" for line in [*lines, *after]), "}"]


class Python(Program):
    language = "python"
    ending = "py"
    object_lines = ("{at} = {same}", "{at} = {call}", "{at}.close()")
    indent = ""

    @staticmethod
    def named(name):
        """A name as in the package, which is no keyword."""
        return name + "_" * keyword.iskeyword(name)

    def argument(self, p, value, before):
        if p["kind"] in ("tensor", "handle"):
            return self.named(before + p["name"])
        if p["kind"] == "list" or (p["kind"] == "array" and "handle" in p):
            return "[" + ", ".join(f"{before}{p['name']}{i}" for i in range(len(value))) + "]"
        if p["kind"] == "real" and isinstance(value, str):
            return f'float("{value}")'
        if p["kind"] == "struct":
            words = ", ".join(
                f"{field['name']}={self.argument(field, its, '')}" for field, its in self.fields(p, value)
            )
            return f"{self.package}.{pascal(self.short[p['struct']])}({words})"
        return repr(complex(*value) if p["kind"] == "complex" else value)

    def call(self, args, f, before, slots):
        lines = [f'{self.named(place)} = tensor("{row}")' for place, row in self.tensors(args, f, before, slots)]
        passed = [(p, value) for p, value, given in self.passed(args, f) if given]
        for p, value in passed:
            lines += self.made_objects(p, value, before + p["name"], slots)[0]
        words = [f"{self.named(p['name'])}={self.argument(p, v, before)}" for p, v in passed]
        function = f"{self.package}.{f['short_name']}"
        if f.get("property"):
            place = before + passed[0][0]["name"]
            value = "".join(self.argument(p, v, before) for p, v in passed[1:])
            called = f'setattr({place}, "{f["property"]}", {value})' if f.get("sets") else f"{place}.{f['property']}"
            return lines, called, []
        if f.get("method_of"):
            function = f"{before}{passed[0][0]['name']}.{f['method']}"
            words = words[1:]
        elif f.get("creates"):
            function = f"{self.package}.{pascal(self.short[f['creates']])}"
            if self.makers.get(f["creates"]) != f["short_name"]:
                function = f"{function}.{f['method']}"
        return lines, f"{function}({', '.join(words)})", []

    def case(self, case, f):
        slots = {}
        lines, call, _ = self.call(case["args"], f, "", slots)
        texts = [f"tensors_text({slot})" for slot in self.written(case["args"], f, slots)]
        if self.results and self.given_back(case["args"], f):
            texts.insert(0, "shown(result)")
            call = f"result = {call}"
        lines += [call, f'return " ".join([{", ".join(texts)}])']
        head = f"def case_{case['name']}():"
        return [head, *(f"    {line}" for line in lines), "", f'run("{case["name"]}", case_{case["name"]})', ""]


class Rust(Program):
    language = "rust"
    ending = "rs"
    object_lines = ("let {at} = &{same};", "let mut {at} = {call}.outcome().unwrap();", "")

    def skip(self, case, f):  # its types do not let it come to that
        values = [v for value in case["args"].values() for v in (value if isinstance(value, list) else [value])]
        return any(v == "closed" or (isinstance(v, dict) and v.get("closed")) for v in values)

    def argument(self, p, value, before):
        kind, name = p["kind"], before + p["name"]
        if kind == "tensor" and p.get("kept"):
            return name
        if kind == "tensor":
            made = f"&mut {name}" if p["direction"] != "in" else f"&{name}"
            return made if not p["optional"] else f"Some({made})" if value is not None else "None"
        if kind == "handle":
            made = f"&{name}" if p["c"].startswith("const ") else f"&mut {name}"
            made = name if p.get("ended") else made
            return made if not p.get("optional") else f"Some({made})" if value is not None else "None"
        if kind == "list":
            return "&[" + ", ".join(f"{name}{i}" for i in range(len(value))) + "]" + ("" if value else " as &[Tensor]")
        if kind == "array" and p.get("text"):
            return "&[" + ", ".join(map(quoted, value)) + "]" + ("" if value else " as &[&str]")
        if kind == "array" and "handle" in p:
            mut = "" if p["c"].startswith("const ") else "mut "
            return f"&{mut}[" + ", ".join(f"&{mut}{name}{i}" for i in range(len(value))) + "]"
        if kind == "array":
            real = p["scalar"][0] == "f"
            return "&[" + ", ".join(self.number(v, real) for v in value) + "]"
        if is_array(p):
            return "[" + ", ".join(self.argument(self.item(p), one, "") for one in value) + "]"
        if kind == "struct":
            fields = "".join(f"{field['name']}: {self.field(field, its)}, " for field, its in self.fields(p, value))
            return f"&{self.package}::{pascal(self.short[p['struct']])} {{ {fields}..Default::default() }}"
        if kind == "string":
            text = re.sub(r"\\u(\w{4})", r"\\u{\1}", quoted(value))
            return f"Some({text})" if p.get("optional") else text
        if kind == "enum":
            return f"{self.package}::{pascal(self.short[p['enum']])}({value})"
        if kind == "bool":
            return str(value).lower()
        if kind == "char":
            return f"b'{value}'"
        if kind == "complex":
            return f"dlferry::Complex::new({float(value[0])!r}, {float(value[1])!r})"
        if isinstance(value, str):
            return f"{p['scalar']}::{'NAN' if value == 'nan' else 'INFINITY'}"
        number = self.number(value, kind == "real")
        return f"Some({number})" if p.get("optional") else number

    def field(self, p, value):
        text = self.argument(p, value, "").removeprefix("&")
        return f"{text}.to_string()" if p["kind"] == "string" else text

    def show(self, p, name):
        if p["kind"] == "struct":
            return ", ".join(
                self.show(field, f"{name}.{field['name']}") for field in self.structs[p["struct"]]["fields"]
            )
        if is_array(p):
            return f'{name}.map(|item| item.to_string()).join(" ")'
        text = SHOWN_IN_RUST.get(p["kind"], "%s.shown()")
        return text % name if "%s" in text else text

    def call(self, args, f, before, slots):
        lines = [f'let mut {place} = tensor("{row}");' for place, row in self.tensors(args, f, before, slots)]
        words, options = [], None
        for p, value, given in self.passed(args, f):
            lines += self.made_objects(p, value, before + p["name"], slots)[0]
            if self.is_option(p):
                if options is None:
                    words.append(f"{before}options")
                    options = []
                options += [f"{p['name']}: {self.argument(p, value, before)}"] if given else []
            else:
                words.append(self.argument(p, value, before))
        if options is not None:
            fields = "".join(f"{field}, " for field in options)
            type_ = f"{self.package}::{pascal(f['short_name'])}Options"
            lines.append(f"let {before}options = {type_} {{ {fields}..Default::default() }};")
        name = f.get("method") or f["short_name"]
        name += "" if self.makes(args, f) or not f["new"] else "_into"
        function = f"{self.package}::{name}"
        if f.get("method_of"):
            function = f"{words.pop(0).removeprefix('&').removeprefix('mut ')}.{name}"
        elif f.get("creates"):
            function = f"{self.package}::{pascal(self.short[f['creates']])}::{name}"
        return lines, f"{function}({', '.join(words)})", []

    def case(self, case, f):
        slots = {}
        lines, call, _ = self.call(case["args"], f, "", slots)
        lines.append(f"let result = {call};")
        kinds = self.given_back(case["args"], f)
        places = [("_r" if kind.endswith("handle") else "r") + str(i) for i, kind in enumerate(kinds)]
        texts = [self.show(p, name) for p, name in zip(self.results_of(case["args"], f), places, strict=True)]
        texts += [f"text_of({slot})" for slot in self.written(case["args"], f, slots)]
        place = "_" if not self.results or not kinds else places[0] if len(places) == 1 else f"({', '.join(places)})"
        text = f'[{", ".join(texts)}].join(" ")' if self.results and texts else "String::new()"
        lines.append(f'report("{case["name"]}", result.outcome().map(|{place}| {text}));')
        return ["{", *(f"    {line}" for line in lines), "}"]


class Go(Program):
    language = "go"
    ending = "go"
    object_lines = ("{at} := {same}", "{at} := must({call})", "{at}.Close()")

    def argument(self, p, value, before):
        kind, name = p["kind"], before + p["name"]
        if kind in ("tensor", "handle"):
            return name if value is not None else "nil"
        if kind == "list":
            return "[]*dlferry.Tensor{" + ", ".join(f"{name}{i}" for i in range(len(value))) + "}"
        if kind == "array" and p.get("text"):
            return f"[]string{{{', '.join(map(quoted, value))}}}"
        if kind == "array" and "handle" in p:
            items = ", ".join(f"{name}{i}" for i in range(len(value)))
            return f"[]*{self.package}.{pascal(self.short[p['handle']])}{{{items}}}"
        if kind == "array":
            item = {"f": "float", "i": "int", "u": "uint"}[p["scalar"][0]] + p["scalar"][1:]
            return f"[]{item}{{{', '.join(map(str, value))}}}"
        if is_array(p):
            item = {"f": "float", "i": "int", "u": "uint"}[p["scalar"][0]] + p["scalar"][1:]
            return f"[{p['items']}]{item}{{{', '.join(map(str, value))}}}"
        if kind == "struct":
            return self.struct(p, value)
        if kind == "string":
            return quoted(value)
        if kind == "enum":
            return f"{self.package}.{pascal(self.short[p['enum']])}({value})"
        if kind == "bool":
            return str(value).lower()
        if kind == "char":
            return f"byte('{value}')"
        if kind == "complex":
            return f"complex({float(value[0])!r}, {float(value[1])!r})"
        if isinstance(value, str):
            return "math.NaN()" if value == "nan" else "math.Inf(1)"
        return self.number(value, kind == "real")

    def struct(self, p, value):
        """A function that changes the defaults."""
        name = f"{self.package}.{pascal(self.short[p['struct']])}"
        sets = "".join(
            f"s.{pascal(field['name'])} = {self.argument(field, its, '')}; " for field, its in self.fields(p, value)
        )
        return f"func() {name} {{ s := {name}Defaults(); {sets}return s }}()"

    def call(self, args, f, before, slots):
        """Lines before the call, the call, and what is to be closed after it."""
        lines, close = [], []
        for place, row in self.tensors(args, f, before, slots):
            lines.append(f'{place} := tensor("{row}")')
            close.append(place)
        words, options = [], None
        name = pascal(f["short_name"])
        for p, value, given in self.passed(args, f):
            place = before + p["name"]
            made, more = self.made_objects(p, value, place, slots)
            lines += made
            close += more
            if self.is_option(p):
                if options is None:
                    options = f"{before}options"
                    lines.append(f"{options} := {self.package}.{name}Options{{}}")
                    words.append(options)
                if given:
                    lines.append(f"set(&{options}.{pascal(p['name'])}, {self.argument(p, value, before)})")
            else:
                words.append(self.argument(p, value, before))
        into = "" if self.makes(args, f) or not f["new"] else "Into"
        function = f"{self.package}.{name}{into}"
        if f.get("method_of"):
            function = f"{words.pop(0)}.{pascal(f['method'])}{into}"
        return lines, f"{function}({', '.join(words)})", close

    def case(self, case, f):
        slots = {}
        lines, call, close = self.call(case["args"], f, "", slots)
        kinds = self.given_back(case["args"], f)
        places, texts = [], []
        for i, kind in enumerate(kinds):
            owned = kind in ("tensor", "given", "handle", "maybe handle")
            places.append(f"result{i}" if owned or self.results else "_")
            close += [places[-1]] if owned else []
            shown = {
                "char": f"string(rune(result{i}))",
                "handle": '"object"',
                "maybe handle": f"object(result{i} != nil)",
            }
            texts.append(shown.get(kind, f"result{i}"))
        texts += [f"textOf({slot})" for slot in self.written(case["args"], f, slots)]
        sure = f.get("sure") and all(p["kind"] != "handle" for p in f["params"])
        places += [] if sure else ["err"]
        named = any(place != "_" for place in places)
        lines.append(f"{', '.join(places)} {':=' if named else '='} {call}" if places else call)
        error = "nil" if sure else "err"
        lines.append(f"report({', '.join([quoted(case['name']), error, *(texts if self.results else [])])})")
        return ["{", *(f"    {line}" for line in [*lines, *(f"{place}.Close()" for place in close)]), "}"]


class Julia(Program):
    language = "julia"
    ending = "jl"
    object_lines = ("{at} = {same}", "{at} = {call}", "close({at})")

    def argument(self, p, value, before):
        kind, name = p["kind"], before + p["name"]
        if kind in ("tensor", "handle"):
            return name
        if kind == "list":
            return "DLFerry.Tensor[" + ", ".join(f"{name}{i}" for i in range(len(value))) + "]"
        if kind == "array" and p.get("text"):
            return f"String[{', '.join(map(quoted, value))}]"
        if kind == "array" and "handle" in p:
            return f"[{', '.join(f'{name}{i}' for i in range(len(value)))}]"
        if kind == "array":
            item = {"f64": "Float64", "i32": "Int32", "i64": "Int64"}[p["scalar"]]
            return item + "[" + ", ".join(map(str, value)) + "]"
        if is_array(p):
            return "[" + ", ".join(map(str, value)) + "]"
        if kind == "struct":
            words = ", ".join(
                f"{field['name']} = {self.argument(field, its, '')}" for field, its in self.fields(p, value)
            )
            return f"{self.module}.{pascal(self.short[p['struct']])}(; {words})"
        if kind == "string":
            return quoted(value).replace("$", "\\$")
        if kind == "enum" and p["enum"] not in self.flags:
            return f"{self.module}.{pascal(self.short[p['enum']])}({value})"
        if kind == "bool":
            return str(value).lower()
        if kind == "char":
            return f"'{value}'"
        if kind == "complex":
            return f"complex({float(value[0])!r}, {float(value[1])!r})"
        if isinstance(value, str):
            return {"nan": "NaN", "inf": "Inf"}[value]
        return self.number(value, kind == "real")

    def call(self, args, f, before, slots):
        """Lines before the call, the call, and what is to be closed after it."""
        lines = [f'{place} = tensor("{row}")' for place, row in self.tensors(args, f, before, slots)]
        written, others, words, close = [], [], [], []
        for p, value, given in self.passed(args, f):
            place = before + p["name"]
            made, more = self.made_objects(p, value, place, slots)
            lines += made
            close += more
            if "default" in p or p.get("optional"):
                words += [f"{p['name']} = {self.argument(p, value, before)}"] if given else []
            elif p["kind"] == "tensor" and p["direction"] != "in" and not p.get("kept"):
                written.append(place)
            else:
                others.append(self.argument(p, value, before))
        name = f["short_name"] + ("_" if f["short_name"] == "begin" else "") + ("!" if written else "")
        words = "; " + ", ".join(words) if words else ""
        return lines, f"{self.module}.{name}({', '.join(written + others)}{words})", close

    def case(self, case, f):
        slots = {}
        lines, call, close = self.call(case["args"], f, "", slots)
        kinds = self.given_back(case["args"], f)
        texts = [f"text_of({slot})" for slot in self.written(case["args"], f, slots)]
        if self.results and kinds:
            texts.insert(0, "shown(result)")
            call = f"result = {call}"
            close += ["result"] if kinds in (["handle"], ["maybe handle"]) else []
        lines += [call, f'text = join(String[{", ".join(texts)}], " ")']
        lines += [f"close({place})" for place in close if place != "result" or self.results] + ["text"]
        if "maybe handle" in kinds:
            lines = [line.replace("close(result)", "result === nothing || close(result)") for line in lines]
        if case["call"] == "live":
            lines.insert(0, "settle()")
        return [f'run("{case["name"]}") do', *(f"    {line}" for line in lines), "end"]


LANGUAGES = {language.language: language for language in (C, Python, Rust, Go, Julia)}
