# SPDX-License-Identifier: Apache-2.0
"""For parity.py: which homes of C functions have an example that runs as a test.

A home has one if its own documentation holds it, or if an example of the language uses its name. The examples are, in
Python, those of documented.py's table and of docstrings (test_docstrings.py runs them); in Rust the fenced code of doc
comments (doctests), in Go the functions Example... with an Output, in Julia the code with `# =>` in docstrings
(test_package.jl runs it).
"""

import ast
import re

from files import ROOT, sources

NAMED = re.compile(r"\bdlf_\w+")


def read(folder, suffix, tests=False):
    for path in sources(suffix):
        if ROOT / "bindings" / folder in path.parents:
            inside = re.search(r"(^|/)tests?(/|$)|_test\.", path.relative_to(ROOT).as_posix())
            if bool(inside) == tests:
                yield path.read_text(encoding="utf-8")


def python():
    """{C function: whether one of its homes has an example}."""
    folder = ROOT / "bindings/python"
    written = ast.parse((folder / "extension/documented.py").read_text(encoding="utf-8"))
    tables = {node.targets[0].id: node.value for node in written.body if isinstance(node, ast.Assign)}
    shown = {key.value for key in tables.pop("EXAMPLES").keys}
    found = {}
    for table in tables.values():
        for key, value in zip(table.keys, table.values, strict=True) if isinstance(table, ast.Dict) else ():
            texts = [x.value for x in ast.walk(value) if isinstance(x, ast.Constant) and isinstance(x.value, str)]
            for text in texts:
                for name in NAMED.findall(text) if re.fullmatch(r"dlf_\w+(, dlf_\w+)*", text) else ():
                    found[name] = found.get(name, False) or bool({key.value, f"Tensor.{key.value}"} & shown)
    for text in read("python/src", ".py"):
        for doc in re.findall(r'"""(.*?)"""', text, re.S):
            for line in re.findall(r"C: (dlf_.*)", doc):
                found |= {name: ">>>" in doc or found.get(name, False) for name in NAMED.findall(line)}
    return found


def by_name(homes, examples):
    """From (C functions, name in the language, has an example of its own) and the text of all examples."""
    found = {}
    for functions, name, own in homes:
        has = own or (name is not None and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", examples) is not None)
        for function in functions:
            found[function] = found.get(function, False) or has
    return found


RUST_BLOCK = re.compile(r"(?:^[ \t]*(?://[/!]|#!?\[).*\n)+(?:^[ \t]*(.*)\n)?", re.M)
RUST_ITEM = re.compile(r"\b(?:fn|struct|enum|trait|type|mod)\s+(\w+)")


def rust():
    homes, examples = [], []
    for text in read("rust/dlferry/src", ".rs"):
        for block in RUST_BLOCK.finditer(text):
            doc = "\n".join(re.findall(r"//[/!] ?(.*)", block[0]))
            fences = re.findall(r"^```([^\n]*)\n(.*?)^```", doc, re.M | re.S)
            code = [body for kind, body in fences if not re.search("ignore|no_run|text", kind)]
            examples += code
            item = RUST_ITEM.search(block[1] or "")
            functions = re.findall(r"doc\(alias = \"(dlf_\w+)", block[0])
            homes.append((functions, item and item[1], bool(code)))
    return by_name(homes, "\n".join(examples))


def go():
    examples = []
    for text in read("go", ".go", tests=True):
        for name, body in re.findall(r"^func Example(\w*)\(\) \{\n(.*?)^\}", text, re.M | re.S):
            if re.search(r"// (Unordered o|O)utput:", body):
                examples += [name.replace("_", " "), body]
    homes = []
    item = r"((?:^//.*\n)+)^(?:func (?:\([^)]*\) )?|type |const |var )(\w+)"
    for text in read("go", ".go"):
        for doc, name in re.findall(item, text, re.M):
            functions = [name for line in re.findall(r"// C: (.*)", doc) for name in NAMED.findall(line)]
            homes.append((functions, name, False))
    return by_name(homes, "\n".join(examples))


def julia():
    homes, examples = [], []
    for text in read("julia/src", ".jl"):
        for doc in re.findall(r'^"""\n(.*?)^"""', text, re.M | re.S):
            code = [body for body in re.findall(r"^```julia\n(.*?)^```", doc, re.M | re.S) if "# =>" in body]
            examples += code
            name = re.match(r"\s*(?:\w+\.)*(\w+!?)", doc)
            functions = [name for line in re.findall(r"^C: (.*)", doc, re.M) for name in NAMED.findall(line)]
            homes.append((functions, name and name[1], bool(code)))
    return by_name(homes, "\n".join(examples))


FINDERS = {"python": python, "rust": rust, "go": go, "julia": julia}
