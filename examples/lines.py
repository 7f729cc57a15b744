# SPDX-License-Identifier: Apache-2.0
"""Count the lines, blank ones left out, that somebody wrote for an example and that were generated, for its README.

python lines.py BIND            rewrite the tables
python lines.py BIND --check    exit with status 1 when one of them is out of date
"""

import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
EXAMPLES = {"samplerate": "sr", "zfp": "zf", "stb": "si"}
LANGUAGES = ("python", "rust", "go", "julia")
BEGIN, END = "<!-- lines: examples/lines.py -->\n", "<!-- end -->\n"


def count(paths):
    return sum(1 for path in paths for line in path.read_text(encoding="utf-8").splitlines() if line.strip())


def table(bind, folder, name):
    own = [folder / f"{name}.h", folder / f"{name}.c"]
    rows = [f"| `{path.name}`, written | {count([path])} |" for path in own]
    if max(count([path]) for path in own) > 60:
        sys.exit(f"{folder.name}: a shim of more than 60 lines")
    with tempfile.TemporaryDirectory() as out:
        command = [
            bind,
            own[0].name,
            "--name",
            name,
            "--source",
            own[1].name,
            "--lang",
            ",".join(LANGUAGES),
            "--out",
            out,
        ]
        subprocess.run(command, cwd=folder, check=True)
        root = Path(out)
        checked = {f"{name}_dlferry.h", f"{name}_dlferry.c"}
        rows.append(f"| checked C, generated | {count(root / path for path in sorted(checked))} |")
        skip = checked | {path.name for path in own} | {"dlferry.h", "dlferry_go.h", "dlpack.h"}  # copies
        for language in LANGUAGES:
            files = [p for p in (root / language).rglob("*") if p.is_file() and p.name not in skip]
            rows.append(f"| {language.capitalize()} package, generated | {count(files)} |")
    return "\n".join(["| | lines |", "|---|---|", *rows]) + "\n"


def main():
    bind, check = str(Path(sys.argv[1]).resolve()), "--check" in sys.argv
    stale = []
    for example, name in EXAMPLES.items():
        path = HERE / example / "README.md"
        text = path.read_text(encoding="utf-8")
        before, _, rest = text.partition(BEGIN)
        _, _, after = rest.partition(END)
        fresh = before + BEGIN + "\n" + table(bind, HERE / example, name) + "\n" + END + after
        if fresh == text:
            continue
        stale.append(str(path))
        if not check:
            path.write_text(fresh, encoding="utf-8")
    if check and stale:
        sys.exit(f"out of date, run examples/lines.py: {', '.join(stale)}")


main()
