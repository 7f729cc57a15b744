# SPDX-License-Identifier: Apache-2.0
"""Random headers that are in order, for test_random.py: functions of every kind of parameter, contracts over them,
names that mean something in some language or in the emitted code, docs with all that ends a comment or a string.
"""

import itertools
import re
from pathlib import Path

HEAD = """/* SPDX-License-Identifier: MIT */
/** @file
 *  @brief {summary} */
#ifndef K_H
#define K_H
#include <dlferry.h>
#ifdef __cplusplus
extern "C" {{
#endif
"""
FOOT = "#ifdef __cplusplus\n}\n#endif\n#endif\n"
# Keywords of contracts, which cannot be names there; `out` can.
GRAMMAR = (Path(__file__).parents[2] / "core/CONTRACTS.md").read_text(encoding="utf-8").partition("```ebnf")[2]
CONTRACT = set(re.findall(r'"([a-z]+)"', GRAMMAR.partition("```")[0])) - {"out"}
C_WORDS = set(
    "auto break case char const continue default do double else enum extern float for goto if inline int long register "
    "restrict return short signed sizeof static struct switch typedef union unsigned void volatile while asm bool true "
    "false NULL typeof linux unix error".split()
)
RESERVED = (
    "None True False self cls lambda def del with yield async await pass raise except finally is in as from global "
    "nonlocal print object type id len range str int_ list dict map close open name value mro fn impl match move "
    "mut ref dyn crate super trait where Self box func go chan defer select package interface var any nil string "
    "uint32 err iota copy append make cap init main begin end function module quote eval import include local let "
    "macro abstract primitive Base Core ccall nothing missing Tensor Real length size free malloc memcpy main_ "
    "String C unsafe runtime Option Some Ok Err Result Vec Box drop clone default into new_ x X _x x_ xX x1 x_1 A_B "
    "result aB __x i j k n m h w f g t test tests std core ndarray numpy torch os sys Arg Elements Close"
).split()
LITTER = [
    "plain words", "a\\b \\n \\0 \\", '"""', "'''", '"', "`code`", "``` rust", "```", "~~~", "* /", "*\u200b/", "/ *",
    "//", "#", "#{", "=#", "#=", "${x} $x $", "$(rm)", "%d %s %", "%}", "%{", "]]", "[x](y)", "[link]", "<b>&amp;",
    "é中文🚢", "\u202e\u202d\u2066", "\ufeff", "\u2028\u2029\u0085", "e.g. this", "i.e.", "Hm. And", "@p a", "@code",
    "@endcode", "@b", "@", "\\", "@note x", "@li item", "- item", "1. item", "    indented", "\tindented",
    "| a | b |", "::", "??/x", "+build linux", "go:build ignore", "export x", "# Heading", "===", "---", "nolint",
    "@param", "{{x}}", "{x}", "@return twice", "x" * 300, "long words " * 40, "\\x41 \\u0041 \\N{DASH} \\U00110000",
    ">>> doctest", "Args:", "@x", ";", "@deprecated", "?", "??)", "'", "\x7f\x01", "r#\"", "include <x.h>", "--",
    "'\\''", "\u00a0",
]  # fmt: skip
DTYPES = "f32 f64 f16 bf16 i8 i16 i32 i64 u8 u16 u32 u64 bool c64 c128 f8_e4m3fn f4_e2m1fn i4 f32_x4 u8_x3".split()
SCALARS = "int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t int long unsigned".split()
EXTENTS = ["{0}", "{0} + 1", "2 * {0}", "{0} / 2", "({0} + 3) /^ 4", "min({0}, {1})", "max({0} * 2, {1} + 1)"]
SMALL = {"double": "f64", "float": "f32", "int64_t": "i64", "int32_t": "i32", "uint8_t": "u8", "uint64_t": "u64"}


class Header:
    """A header with some functions, each with its own declarations."""

    def __init__(self, rng, words):
        self.rng, self.words, self.taken, self.parts = rng, words, set(), []

    def name(self, taken=None):
        """A word that nothing else has, also where languages fold cases."""
        taken = self.taken if taken is None else taken
        for tries in itertools.count():
            word = self.rng.choice(self.words if self.rng.random() < 0.5 else RESERVED)
            if tries > 40:
                word += str(self.rng.randrange(1000))
            key = word.replace("_", "").lower()
            if key and not key[0].isdigit() and key not in taken and word not in C_WORDS | CONTRACT:
                taken.add(key)
                return word

    def litter(self, most):
        lines = [" ".join(self.rng.sample(LITTER, self.rng.randrange(1, 4))) for _ in range(self.rng.randrange(most))]
        return [line.replace("*/", "* /") for line in lines]

    def comment(self, tags, contract=()):
        """A doc comment in one of the styles."""
        lines = ["Do it.", *self.litter(5), *tags, *(f"@contract {';  '.join(contract)}" for _ in contract[:1])]
        if self.rng.random() < 0.3:
            return "".join(f"/// {line}".rstrip("\\ ") + "\n" for line in lines)
        return "/** " + "\n *  ".join(lines) + " */\n"

    def enum(self):
        name, taken = self.name(), set()
        values = [self.name(taken) for _ in range(self.rng.randrange(1, 5))]
        numbers = self.rng.choice([[-1, 0, 1, 7], [1, 2, 4, 8], [0, 2**31 - 1, 5, 6], [2**32 - 1, 0, 3, 9]])
        start = f"K_{name}_" if self.rng.random() < 0.5 else f"K_{name}_".upper()
        rows = [f"{start}{v} = {n}{'u' * (n > 2**31)}" for v, n in zip(values, numbers)]
        tail = f" /**< {' '.join(self.litter(3)) or 'it'} */"
        text = self.comment([]) + f"typedef enum k_{name} {{\n  " + ",\n  ".join(rows) + tail + f"\n}} k_{name};\n"
        return f"k_{name}", [row.split(" ")[0] for row in rows], text

    def handle(self):
        name = self.name()
        text = (
            f"typedef struct k_{name} k_{name};\nvoid k_{name}_free(k_{name} *it);\nk_{name} *k_{name}_new(double a);\n"
        )
        code = f"struct k_{name} {{ int a; }};\nvoid k_{name}_free(k_{name} *it) {{ free(it); }}\n"
        code += f"k_{name} *k_{name}_new(double a) {{ (void)a; return malloc(sizeof(k_{name})); }}\n"
        return f"k_{name}", text, code


class Function:
    """One function: its declaration and contract, and a kernel that does nothing."""

    def __init__(self, header):
        self.h, self.rng = header, header.rng
        self.before, self.code, self.clauses, self.rules, self.params, self.taken = [], [], [], [], [], set()
        self.symbols, self.tensors, self.gives = [], [], False
        self.symbol_words = [header.name(self.taken) for _ in range(3)]
        for make in self.rng.choices(self.KINDS, k=self.rng.randrange(1, 7)):
            make(self, header.name(self.taken))
        for make in self.rng.choices(self.LAST, k=self.rng.randrange(0, 3)):
            make(self, header.name(self.taken))
        self.finish(header.name())

    def types(self):
        pick = self.rng.random()
        if pick < 0.2:
            return "any"
        if pick < 0.5:
            return "TT"
        return "|".join(self.rng.sample(DTYPES, self.rng.randrange(1, 4)))

    def dims(self, new=True):
        dims = []
        for _ in range(self.rng.randrange(4)):
            kind, known = self.rng.random(), self.symbols and self.rng.choice(self.symbols)
            if new and kind < 0.5:
                dims.append(self.rng.choice(self.symbol_words))
                self.symbols.append(dims[-1])
            elif known and kind < 0.8:
                form = self.rng.choice(EXTENTS)
                dims.append(form.format(known, self.rng.choice(self.symbols)))
            elif new and kind < 0.9:
                dims.append("_")
            else:
                dims.append(str(self.rng.randrange(1, 5)))
        if new and self.rng.random() < 0.1:
            dims.insert(0, "...")
        return f"[{', '.join(dims)}]"

    def properties(self):
        layout = self.rng.choice(["", "", " strided", " rows", " dense", " fortran", " samelayout"])
        device = self.rng.choice(["", "", " cpu|cuda", " cpu", " samedevice", " anydevice"])
        return layout + self.rng.choice(["", "", " noalias"]) + self.rng.choice(["", "", " align 64"]) + device

    def tensor(self, name):
        self.params.append(f"const DLTensor *{name}")
        if self.rng.random() < 0.9:
            self.clauses.append(f"{name}: {self.types()}{self.dims()}{self.properties()}")
            self.tensors.append(name)

    def inout(self, name):
        self.params.append(f"DLTensor *{name}")
        like = f"like {self.rng.choice(self.tensors)}" if self.tensors and self.rng.random() < 0.5 else None
        self.clauses.append(f"{name}: inout {like or 'f32' + self.dims(False)} strided")

    def optional(self, name):
        self.params.append(f"const DLTensor *{name}")
        self.clauses.append(f"{name}: opt f64{self.dims(False)}")

    def scalar(self, name):
        c = self.rng.choice([*SCALARS, "double", "float"])
        self.params.append(f"{c} {name}")
        real = c in ("double", "float")
        limits = [f"{name} > 0", f"{name} <= 100", f"{name} != 3", f"{name} in 0..99"]
        self.rules += self.rng.sample(limits + [f"{name} % 7"] * (not real), self.rng.randrange(3))
        if self.rng.random() < 0.3:
            self.rules.append(f"{name} = {self.rng.choice(['1.5', '1e-3', '2']) if real else '7'}")
        if not real and self.rng.random() < 0.4:
            self.symbols.append(name)

    def truth(self, name):
        self.params.append(f"bool {name}")
        self.rules += [f"{name} = true"] * (self.rng.random() < 0.5)

    def text(self, name):
        self.params.append(f"const char *{name}")
        word = self.rng.choice(["", "it's", "%s {x} #{y} `z`", "a;b", "*", "//", "#", "??/"])
        self.rules += [f'{name} = "{word}"'] * (self.rng.random() < 0.5)

    def choice(self, name):
        enum, values, text = self.h.enum()
        self.before.append(text)
        self.params.append(f"{enum} {name}")
        self.rules += [f"{name} = {self.rng.choice(values)}"] * (self.rng.random() < 0.5)

    def several(self, name):
        count = self.h.name(self.taken)
        if self.rng.random() < 0.5:
            self.params += [f"const DLTensor *const *{name}", f"int32_t {count}"]
            self.clauses.append(f"{name}: {self.types()}{self.dims()} *{count}")
        else:
            c, dtype = self.rng.choice(list(SMALL.items()))
            self.params += [f"const {c} *{name}", f"int64_t {count}"]
            self.clauses.append(f"{name}: {dtype} *{count}")

    def object(self, name):
        handle, text, code = self.h.handle()
        self.before.append(text)
        self.code.append(code)
        self.params.append(f"{self.rng.choice(['', 'const '])}{handle} *{name}")

    def matrices(self, name):
        """Matrices behind pointers, in one order that C is told; or one beside another."""
        names = [name, *(self.h.name(self.taken) for _ in range(self.rng.randrange(1, 3)))]
        order, m, n = (self.h.name(self.taken) for _ in range(3))
        down, across = self.rng.sample(self.symbol_words, 2)
        self.params += [f"int {order}", f"int {m}", f"int64_t {n}"]
        if self.rng.random() < 0.7:
            self.clauses.append(f"{order} := order({', '.join(names)}) {{rows: 'R', columns: 2}}")
        else:
            self.clauses.append(f"{order} := order({', '.join(names[:2])}) {{same: 0, other: -1}}")
        for i, each in enumerate(names):
            use = self.rng.choice(["in", "inout", "out"]) if i else "in"
            distance = self.h.name(self.taken)
            self.params += [f"{'const ' if use == 'in' else ''}double *{each}", f"long {distance}"]
            self.clauses += [f"{each}: {use} f64[{down}, {across}] strided", f"{distance} := ld({each})"]
        self.clauses += [f"{m} := {down}", f"{n} := {across}"]
        self.symbols += [down, across]
        self.tensors.append(name)

    def vector(self, name):
        length, step = self.h.name(self.taken), self.h.name(self.taken)
        symbol = self.rng.choice(self.symbol_words)
        self.params += [f"const float *{name}", f"int {length}", f"int {step}"]
        blas = self.rng.choice(["", " blas"])
        self.clauses += [f"{name}: f32[{symbol}] strided", f"{length} := {symbol}", f"{step} := stride({name}){blas}"]
        self.symbols.append(symbol)
        self.tensors.append(name)

    def elements(self, name):
        kind, size, twice = (self.h.name(self.taken) for _ in range(3))
        symbol = self.rng.choice(self.symbol_words)
        self.params += [f"int {kind}", f"const void *{name}", f"size_t {size}", f"double {twice}"]
        self.clauses += [f"{name}: i16|f32[{symbol}]", f"{kind} := dtype({name}) {{f32: 7, i16: 'x'}}"]
        self.clauses += [f"{size} := {self.rng.choice([f'bytes({name})', f'min({symbol}, 5) * 2'])}"]
        self.clauses.append(f"{twice} := {symbol} * 1.5")
        self.symbols.append(symbol)
        self.tensors.append(name)

    def letter(self, name):
        self.params.append(f"char {name}")
        self.rules += [f"{name} in 'U'|'L'"] * (self.rng.random() < 0.6)
        self.rules += [f"{name} = 'U'"] * (self.rng.random() < 0.5)

    def pair(self, name):
        self.params.append(f"{self.rng.choice(['double', 'float'])} _Complex {name}")
        self.rules += [f"{name} = {self.rng.choice(['(0.5, -1)', '2', '1.5'])}"] * (self.rng.random() < 0.5)

    def behind(self, name):
        c, clause = self.rng.choice(
            [("const void *", "c64"), ("const double *", "opt f64"), ("const long *", "i64"), ("const char *", "opt")]
        )
        self.params.append(f"{c}{name}")
        self.clauses.append(f"{name}: {clause}")

    def changed(self, name):
        self.params.append(f"{self.rng.choice(['int32_t', 'uint64_t', 'double', 'bool'])} *{name}")
        self.clauses.append(f"{name}: inout")

    def cut(self, name):
        """An output of which C reports how much it wrote."""
        written, count = self.h.name(self.taken), self.h.name(self.taken)
        most = self.rng.choice([*self.symbols, "4"])
        self.params += [f"float *{name}", f"{self.rng.choice(['size_t', 'int'])} *{written}"]
        self.clauses += [f"{name}: out f32[{count} <= {self.rng.choice([most, f'min({most}, 9)'])}]"]
        self.clauses.append(f"{count} := *{written}")

    def stream(self, name):
        self.params.append(f"dlf_stream {name}")

    def out(self, name):
        self.params.append(f"DLTensor *{name}")
        if self.tensors and self.rng.random() < 0.4:
            self.clauses.append(f"{name}: like {self.rng.choice(self.tensors)}{self.rng.choice(['', ' noalias'])}")
        else:
            self.clauses.append(f"{name}: f32{self.dims(False)}{self.rng.choice(['', ' noalias', ' fortran'])}")

    def given(self, name):
        self.params.append(f"DLManagedTensorVersioned **{name}")
        self.clauses.append(f"{name}: f32[_]")
        self.gives = True

    def number(self, name):
        c = self.rng.choice(["double", "float", "int64_t", "int32_t", "uint32_t", "bool"])
        self.params.append(f"{c} *{name}")
        self.clauses.append(f"{name}: out")

    KINDS = (
        *[tensor] * 4, *[scalar] * 3, inout, optional, truth, text, choice, several, several, object, stream,
        *[matrices] * 2, vector, elements, letter, pair, behind, changed,
    )  # fmt: skip
    LAST = (out, out, out, given, number, cut)

    def finish(self, name):
        result = self.rng.choice(
            ["int", "int", "int", "dlf_status", "void", "double", "int64_t", "bool", "const char *"]
        )
        if self.gives or result == "int":
            result = "int"
            self.params.append("dlf_error *error")
        names = [p.split(" ")[-1].lstrip("*") for p in self.params]
        tags = [f"@param {n} {' '.join(self.h.litter(3)) or 'it'}" for n in names if self.rng.random() < 0.5]
        tags += [f"@return {' '.join(self.h.litter(3)) or 'it'}"] * (self.rng.random() < 0.4)
        self.rules += [self.rng.choice(["slow", "fast", "threadsafe"])] * (self.rng.random() < 0.2)
        if result == "const char *" and self.rng.random() < 0.5:
            self.rules.append("return: opt")
        if result == "int64_t" and self.rng.random() < 0.5:
            self.rules.append('return: status ok 0 text "it is wrong"')
        if any("TT" in clause for clause in self.clauses):
            self.rules.append(f"TT in {self.rng.choice(['any', '|'.join(self.rng.sample(DTYPES, 3))])}")
        text = self.h.comment(tags, [*self.clauses, *self.rules])
        declared = f"{result}{' ' * (result[-1] != '*')}k_{name}({', '.join(self.params) or 'void'})"
        self.text = "".join(self.before) + f"{text}{declared};\n\n"
        body = {"void": "", "const char *": 'return "";'}.get(result, f"return {int(self.gives)};")
        self.code = "".join(self.code) + f"{declared} {{ {' '.join(f'(void){n};' for n in names)} {body} }}\n"
