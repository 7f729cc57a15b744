# SPDX-License-Identifier: Apache-2.0
"""C that makes the accepted calls of generated tests, each in a process of its own, with tensors that end at a page
that no function may touch: the library itself is not instrumented."""

import re

FRAME = r"""#define _GNU_SOURCE
#include "%s_dlferry.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* Zeros that end where a page begins that cannot be touched; before them lie other bytes. */
static void *guarded(size_t size) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE), room = (size / page + 2) * page;
  unsigned char *memory = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED || mprotect(memory + room - page, page, PROT_NONE)) _exit(98);
  memset(memory, 0x3D, room - page);
  memset(memory + room - page - size, 0, size);
  return memory + room - page - size;
}

/* A handle of the tensor, which no call frees: C may keep it. */
static dlf_tensor *owning(dlf_arg arg) {
  DLManagedTensorVersioned *owner = arg.tensor ? calloc(1, sizeof *owner) : NULL;
  dlf_tensor *handle = NULL;
  if (!owner) return NULL;
  owner->version = (DLPackVersion){DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION};
  owner->dl_tensor = *arg.tensor;
  (void)dlf_from_dlpack(owner, &handle, NULL);
  return handle;
}

static const char *name;
static void report(dlf_status status, const dlf_error *error) {
  printf("%%s\t%%s\t%%s\n", name, dlf_status_name((int32_t)status), status ? error->message : "");
}

%s
static const struct { const char *name; void (*make)(void); } calls[] = {
%s};

/* All calls, or those that the arguments name, with other extents too. */
static int asked(int argc, char **argv, const char *call) {
  for (int i = 1; i < argc; i++) {
    const size_t size = strlen(argv[i]);
    if (!strncmp(argv[i], call, size) && (!call[size] || call[size] == ',')) return 1;
  }
  return argc < 2;
}

int main(int argc, char **argv) {
  int bad = 0;
  %s
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
    int status = 0;
    if (!asked(argc, argv, calls[i].name)) continue;
    name = calls[i].name;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
      alarm(20);
      calls[i].make();
      fflush(NULL);
      _exit(0);
    }
    waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 1) printf("%%s\tENDED\n", name); /* the library's own exit(1) */
    else if (status) printf("%%s\tDIED\t%%d\n", name, status), bad++;
  }
  return bad != 0;
}
"""
CODES = {"i": "kDLInt", "u": "kDLUInt", "f": "kDLFloat", "c": "kDLComplex", "b": "kDLBool"}


class NotHere(Exception):
    """A call that this program does not make: of functions that take lists of tensors."""


def tensor(name, words):
    """Lines that make a tensor in the words of a case: "f64[2, 3] strides 1 2"."""
    letter, bits, shape = re.match(r"([a-z]+)(\d*)\[(.*?)\]", words).groups()
    bits = int(bits or 8)
    shape = [int(n) for n in shape.split(",") if n.strip()]
    found = re.search(r"strides ([\d ]+)", words)
    strides = [int(n) for n in found[1].split()] if found else []
    if not found:
        for i in range(len(shape)):
            strides.append(1)
            for n in shape[i + 1 :]:
                strides[i] *= max(n, 1)
    reach = 0 if 0 in shape else 1 + sum((n - 1) * s for n, s in zip(shape, strides, strict=True))
    device = "kDLCUDA" if words.endswith(" cuda") else "kDLCPU"
    numbers = ", ".join(map(str, shape)) or "0"
    steps = ", ".join(map(str, strides)) or "0"
    return [
        f"int64_t shape_{name}[] = {{{numbers}}}, strides_{name}[] = {{{steps}}};",
        f"DLTensor {name}_t = {{guarded({reach * bits // 8}), {{{device}, 0}}, {len(shape)}, "
        f"{{{CODES[letter[0]]}, {bits}, 1}}, shape_{name}, strides_{name}, 0}};",
        f"const dlf_arg {name} = {{&{name}_t, 0}};",
    ]


def extents_of(clause):
    """What stands for each axis: ["n", "3"] of "f64[n, 3]"."""
    found = re.search(r"\[(.*?)\]", clause)
    return [extent.strip() for extent in found[1].split(",")] if found else []


def symbols_in(clauses):
    """The names that are an extent alone, and the run of axes."""
    names = {name for clause in clauses for name in extents_of(clause)}
    return sorted(name for name in names if re.fullmatch(r"[A-Za-z_]\w*|\.\.\.", name))


def small(clause, words, extent, symbols):
    """A tensor's words with this extent where the clause has one of the symbols: "f64[2]" for "f64[n]" as "f64[0]"."""
    shape = extents_of(clause)
    given = extents_of(words)
    if shape == ["..."] and "..." in symbols:
        return re.sub(r"\[.*?\]", f"[{extent}]", words, count=1)
    if len(shape) != len(given):
        return words
    pairs = zip(shape, given, strict=True)
    extents = [str(extent) if name in symbols else number for name, number in pairs]
    return re.sub(r"\[.*?\]", f"[{', '.join(extents)}]", words, count=1)


class Calls:
    def __init__(self, ir, cases):
        self.functions = {f["short_name"]: f for f in ir["functions"] if not f.get("member_of")}
        self.free = {h["name"]: h.get("checked") for h in ir["handles"]}
        self.makers, self.shared = {}, 0
        while self.find_maker(cases):
            pass

    def objects(self, case):
        """The kinds of object that a call takes."""
        params = self.functions[case["call"]]["params"]
        return [p["handle"] for p in params if p.get("handle") and not p.get("returned")]

    def needs(self, case):
        """What a call needs: a file, which is not there, and how many objects."""
        file = any(p.get("text") == "file" for p in self.functions[case["call"]]["params"])
        return file, len(self.objects(case))

    def find_maker(self, cases):
        """Note the case that needs least and makes an object of a kind that has no maker yet, from objects that have
        one."""
        for case in sorted(cases, key=self.needs):
            made = self.functions[case["call"]].get("creates")
            known = self.makers.keys() >= set(self.objects(case))
            if made and made not in self.makers and case["status"] == "OK" and known:
                self.makers[made] = case
                return True
        return False

    def scalar(self, p, value):
        if p.get("text") == "file":
            return '"/dev/null"'
        if p["kind"] == "string":
            return "NULL" if value is None else '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
        if p["kind"] == "bool":
            return str(value).lower()
        if p["kind"] == "char":
            return f"'{value}'"
        if p["kind"] == "complex":
            return f"({p['c']}){{{value[0]}, {value[1]}}}"
        return f"({p['c']}){value}"

    def end(self, handle, name):
        """Lines that end an object: none if C does."""
        return [f"{self.free[handle]}({name});"] if self.free[handle] else []

    def arguments(self, case, f, given=()):
        """Lines before the call, its arguments, and lines after it. `given` has objects that stand already, by kind."""
        before, words, after, there = [], [], [], dict(given)
        for p in f["params"]:
            name, kind, value = p["name"] + "_", p["kind"], case["args"].get(p["name"])
            if kind == "list":
                raise NotHere
            if kind == "tensor" and p["made"] and case["make"]:
                before.append(f"DLManagedTensorVersioned *{name} = NULL;")
                words.append(f"&{name}")
                after.append(f"dlf_dlpack_release({name});")
            elif kind == "tensor":
                before += tensor(name, value) if value is not None else [f"const dlf_arg {name} = {{NULL, 0}};"]
                words.append(f"owning({name})" if p.get("kept") else name)
            elif kind == "given":
                before.append(f"DLManagedTensorVersioned *{name} = NULL;")
                words.append(f"&{name}")
                after.append(f"dlf_dlpack_release({name});")
            elif kind == "struct":
                before += [f"{p['c']} {name};", f"{p['c']}_defaults(&{name});"]
                words.append(f"&{name}")
            elif kind == "array" and p.get("text") == "list":
                texts = ", ".join(f'"{text}"' for text in value) or "NULL"
                before.append(f"const char *const {name}[] = {{{texts}}};")
                words += [name, str(len(value))]
            elif kind == "array" and p.get("handle"):
                lines, ends = self.list_of_one(name, p, there)
                before += lines
                words += [name, f"sizeof {name} / sizeof *{name}"]
                after += ends
            elif kind == "array":
                item = p["c"].replace("const ", "").rstrip("* ")
                before.append(f"const {item} {name}[] = {{{', '.join(map(str, value)) or '0'}}};")
                words += [name, str(len(value))]
            elif kind == "handle" and p.get("returned"):
                before.append(f"{p['c']} {name} = 0;")
                words.append(f"&{name}")
                after += self.end(p["handle"], name)
            elif kind == "handle" and p["handle"] in given and not p.get("ended"):
                words.append(given[p["handle"]])
            elif kind == "handle":
                before.append(f"{p['c'].replace('const ', '')} {name} = 0;")
                before += self.handle(name, p["handle"], there)
                before.append(f'if (!{name}) {{ printf(""); return; }}')
                if not p.get("ended"):
                    before.append(self.share(p, name, there))
                words.append(f"&{name}" if p.get("ended") else name)
                after += self.end(p["handle"], name)
            elif p.get("counts") and case["make"]:
                continue
            elif p.get("returned"):
                before.append(f"{p['c']} {name} = {self.scalar(p, value) if value is not None else 0};")
                words.append(f"&{name}")
            elif p.get("optional") and kind != "string":
                words.append("NULL")
            else:
                words.append(self.scalar(p, value))
        if f["returns"]["as"] == "value":
            before.append(f"{f['returns']['c']} returned_ = {{0}};")
            words.append("&returned_")
            after += self.end(f["creates"], "returned_") if f["returns"]["kind"] == "handle" else []
        return before, words, after

    def share(self, p, name, there):
        """A line that lets what is made after this object be made from it: two may need the same owner."""
        self.shared += 1
        there.setdefault(p["handle"], f"shared_{self.shared}")
        return f"{p['c'].replace('const ', '')} const shared_{self.shared} = {name};"

    def handle(self, place, handle, there):
        """Lines that make the object of a call, from objects that are there, and leave it in `place`."""
        if handle not in self.makers:
            raise NotHere
        self.shared += 1
        pointer = f"place_{self.shared}"  # a name that no argument of the maker hides
        lines = [f"void **const {pointer} = (void **)&{place};"]
        for case in self.with_small([self.makers[handle]]):  # until the contract accepts one
            lines += [f"if (!{place}) {{", *self.maker_call(case, handle, pointer, there), "}"]
        return lines

    def maker_call(self, case, handle, pointer, there):
        f = self.functions[case["call"]]
        before, words, after = self.arguments(case, f, there)
        own = next((p["name"] + "_" for p in f["params"] if p["kind"] == "handle" and p.get("returned")), "returned_")
        after = [line for line in after if line not in self.end(handle, own)]
        call = f"{f['new'] if case['make'] else f['checked']}({', '.join([*words, 'NULL'])})"
        return [*before, f"{call};", f"*{pointer} = (void *){own};", *after]

    def list_of_one(self, name, p, there):
        """Lines that make a list of one object, and those that end the object."""
        item = re.sub(r"(\s*const)?\s*\*$", "", p["c"])
        plain = item.replace("const ", "")
        made = [f"{plain} {name}item = 0;", *self.handle(f"{name}item", p["handle"], there)]
        made += [f'if (!{name}item) {{ printf(""); return; }}', f"{item} const {name}[] = {{{name}item}};"]
        return made, self.end(p["handle"], f"{name}item")

    def with_small(self, cases):
        """Each case, and the same with the smallest extents, also of one symbol alone where a condition looks at more;
        the contract refuses those that it does not accept."""
        for case in cases:
            yield case
            f = self.functions[case["call"]]
            tensors = [p for p in f["params"] if p["kind"] == "tensor" and p["contract"]]
            symbols = symbols_in(p["contract"] for p in tensors)
            chosen = [(0, symbols), (1, symbols)]
            if "hook(" in f["contract"] and len(symbols) > 1:
                chosen += [(0, [symbol]) for symbol in symbols]
            for extent, some in chosen:
                args = dict(case["args"])
                for p in tensors:
                    if args.get(p["name"]):
                        args[p["name"]] = small(p["contract"], args[p["name"]], extent, some)
                if args != case["args"]:
                    yield {**case, "name": f"{case['name']}, {', '.join(some)} = {extent}", "args": args}

    def write(self, cases, library, begin=""):
        """The program, and how many calls it makes and leaves out."""
        bodies, rows, left = [], [], 0
        for i, case in enumerate(self.with_small(cases)):
            f = self.functions[case["call"]]
            try:
                before, words, after = self.arguments(case, f)
            except NotHere:
                left += 1
                continue
            call = f"{f['new'] if case['make'] else f['checked']}({', '.join([*words, '&error'])})"
            lines = ["dlf_error error = {0};", *before, f"report({call}, &error);", *after]
            bodies += [f"static void call_{i}(void) {{", *("  " + line for line in lines), "}", ""]
            rows.append(f'  {{"{case["name"]}", call_{i}}},\n')
        return FRAME % (library, "\n".join(bodies), "".join(rows), begin), len(rows), left
