# SPDX-License-Identifier: Apache-2.0
"""What was found, as Markdown: a row for each system, its layouts, and each miss with the one at fault."""

import re

from cells import DTYPES, LAYOUTS
from systems import SYSTEMS

TITLE = """\
# Peers

Arrays of each system come to dlferry by `dlferry.from_dlpack` and go back by the system's own function, in every dtype
and layout that both know. A cell is *shared* if the address, dtype, shape, values and flags are the same on both sides,
nothing is released too early, and each deleter runs once. After a miss the same exchange runs with a producer or
consumer made by hand from the specification in dlferry's place: if that misses too, the system is at fault.

`cmake --workflow --preset peers-all` runs all of them and fails for a fault of dlferry's. `cmake --build --preset
peers-all --target peers_write` writes this file. `tests/peers` has the adapters; a row that was not run says why.
"""
HEADS = {
    "Systems": ["system", "version", "Python", "from it: shared", "to it: shared", "at fault"],
    "Layouts": ["system", "direction", *LAYOUTS],
    "Misses": ["system", "direction", "dtypes", "layouts", "what happens", "shown by", "at fault", "instead"],
}
LEGENDS = {
    "Systems": "Cells that are shared, of those that the system can form.",
    "Layouts": "Dtypes that are shared in each layout; `-` means that the system has no such arrays.",
    "Misses": "The last column says what works instead.",
}
DIRECTIONS = {"from": "from it", "to": "to it"}


def formed(rows):
    return [row for row in rows if row["result"] != "none"]


def shared(rows):
    return [row for row in rows if row["result"] == "same"]


def part(rows):
    some, all_ = len(shared(rows)), len(formed(rows))
    return "-" if not all_ else str(all_) if some == all_ else f"{some} of {all_}"


def verdict(result):
    """One line on a system."""
    if "not_run" in result:
        return f"not run: {result['not_run']}"
    if "failed" in result:
        return result["failed"]
    ways = [part([row for row in result["rows"] if row["direction"] == way]) for way in DIRECTIONS]
    return f"{result['version']}: {ways[0]} from it, {ways[1]} to it"


def problems(result):
    """What must not be: a fault of dlferry's, or a system that gave out."""
    if "failed" in result:
        yield f"{result['name']}: {result['failed']}"
    for row in result["rows"]:
        if row.get("fault") == "dlferry":
            way = DIRECTIONS[row["direction"]]
            yield f"{result['name']} {way}: {row['dtype']} {row['layout']}: dlferry is at fault: {row['text']}"
    for way, text in DIRECTIONS.items():
        rows = [row for row in result["rows"] if row["direction"] == way]
        if rows and not any(row["result"] in ("same", "copied") for row in rows):
            yield f"{result['name']} {text}: no cell works"


def python_of(result):
    return ".".join(result["python"].split(".")[:2])


def faults(result):
    found = {result["name"] if row["fault"] == "peer" else "dlferry" for row in result["rows"] if "fault" in row}
    return ", ".join(sorted(found)) or "-"


def listed(names, every, all_of_them):
    """Names in their usual order, or the shorter list of those left out."""
    names, others = ([name for name in every if (name in names) == given] for given in (True, False))
    if len(names) < 4:
        return ", ".join(names)
    if not others:
        return all_of_them
    return f"{all_of_them} but " + ", ".join(others) if len(others) < len(names) / 2 else ", ".join(names)


def dtypes_of(rows, same_way):
    """The dtypes of these rows; of those below a byte and the others, all that the system has are named together."""
    texts = []
    for below, word in ((False, "every dtype"), (True, "every one below a byte")):
        kind = [name for name, (_, bits) in DTYPES.items() if (bits < 8) == below]
        every = [name for name in kind if any(row["dtype"] == name for row in same_way)]
        names = {row["dtype"] for row in rows} & set(kind)
        texts += [listed(names, every, word)] if names else []
    return ", ".join(texts)


def layouts_of(rows, same_way):
    dtypes = {row["dtype"] for row in rows}
    every = [name for name in LAYOUTS if any(row["layout"] == name and row["dtype"] in dtypes for row in same_way)]
    return listed({row["layout"] for row in rows}, every, "every layout")


def template(text):
    """A message without what differs from dtype to dtype."""
    names = "|".join(sorted(DTYPES, key=len, reverse=True))
    return re.sub(rf"{names}|\w*\d+\w*|[kc]\w+|\[[^]]*\]", "_", text)


def escaped(text):
    return text.replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*").replace("_", "\\_") if text else "-"


def proof(row):
    shown, _, text = row.get("proof", "").partition(": ")
    return f"{shown}: the same" if text == row["text"] else row.get("proof")


def misses(result):
    groups = {}
    for row in result["rows"]:
        if "fault" in row:
            key = (row["direction"], row["result"], row["fault"], row["instead"], template(row["text"]))
            groups.setdefault(key, []).append(row)
    for (way, _, fault, instead, _), rows in groups.items():
        same_way = [row for row in formed(result["rows"]) if row["direction"] == way]
        yield [
            DIRECTIONS[way],
            dtypes_of(rows, same_way),
            layouts_of(rows, same_way),
            escaped(rows[0]["text"]),
            escaped(proof(rows[0])),
            result["name"] if fault == "peer" else "dlferry",
            escaped(instead),
        ]


def lines_of(result):
    """A system's rows of each table."""
    name, rows = result["name"], result["rows"]
    if "not_run" in result:
        return {"Systems": [[name, f"not run: {result['not_run']}", "-", "-", "-", "-"]], "Layouts": [], "Misses": []}
    ways = {way: [row for row in rows if row["direction"] == way] for way in DIRECTIONS}
    parts = [part(rows) for rows in ways.values()]
    layouts = []
    for way, some in ways.items():
        layouts.append([name, DIRECTIONS[way], *(part([r for r in some if r["layout"] == at]) for at in LAYOUTS)])
    return {
        "Systems": [[name, result["version"], python_of(result), *parts, faults(result)]],
        "Layouts": layouts,
        "Misses": [[name, *line] for line in misses(result)],
    }


def read(path):
    """The rows of a written table: of each heading, of each system."""
    tables, heading = {name: {} for name in HEADS}, None
    for line in path.read_text().split("\n") if path.exists() else []:
        if line.startswith("## "):
            heading = line[3:]
        elif line.startswith("| ") and heading in HEADS:
            cells = [cell.replace("\x00", "\\|") for cell in line.replace("\\|", "\x00")[2:-2].split(" | ")]
            if cells != HEADS[heading]:
                tables[heading].setdefault(cells[0], []).append(cells)
    return tables


def line(cells):
    return "| " + " | ".join(cells) + " |"


def merge(tables, results):
    """The document, the rows of these results written again."""
    for result in results:
        seen = tables["Systems"].get(result["name"]) and "not run: " not in tables["Systems"][result["name"]][0][1]
        on_gpu = any(system.environment == "gpu" and system.name == result["name"] for system in SYSTEMS)
        not_run = result.get("not_run", "")
        if seen and (not_run.startswith("needs hardware") or (on_gpu and not_run)):
            continue  # what was found on a machine that has it stays
        for heading, rows in lines_of(result).items():
            tables[heading][result["name"]] = rows
    text = TITLE
    for heading, head in HEADS.items():
        rows = [row for system in SYSTEMS for row in tables[heading].get(system.name, [])]
        body = [line(head), "|" + "---|" * len(head), *map(line, rows)]
        text += f"\n## {heading}\n\n{LEGENDS[heading]}\n\n" + "\n".join(body) + "\n"
    return text


def differences(tables, results):
    """Rows for the same versions that are not what was found."""
    for result in results:
        rows = lines_of(result)
        before = tables["Systems"].get(result["name"], [[]])
        if "not_run" in result or before[0][:3] != rows["Systems"][0][:3]:
            continue
        for heading in HEADS:
            if tables[heading].get(result["name"], []) != rows[heading]:
                yield f"{result['name']}: the table {heading} differs: write it again with the target peers_write"


def summary(results):
    """The table Systems as text, for the report after the tests."""
    rows = [HEADS["Systems"]] + [lines_of(result)["Systems"][0] for result in results]
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows) + "\n"
