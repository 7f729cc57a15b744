# SPDX-License-Identifier: Apache-2.0
"""Exchange arrays with real systems, in both directions, in every dtype and layout: peers.py --setup DIR [NAME ...]

Each system runs in a process of its own, in the environment that has it. A miss names whose fault it is. The exit
status is 1 if one is dlferry's, or if --table's rows for the same versions differ from what was found.
"""

import argparse
import concurrent.futures
import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import environments
import table
from systems import SYSTEMS

HERE = Path(__file__).parent
SECONDS = 180  # without a line, after which a cell counts as hanging; --silence sets it
PROGRESS = 20  # seconds between lines about a slow system


def start(python, *words):
    environment = dict(os.environ, TF_CPP_MIN_LOG_LEVEL="3", JAX_PLATFORMS="cpu", OMP_NUM_THREADS="1")
    command = [python, "-W", "ignore", HERE / "one_peer.py", *words, "--stuck", SECONDS * 0.8]
    return subprocess.Popen(
        [str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    )


def lines_of(process):
    """The rows that a process prints; it is ended if it falls silent."""
    lines = queue.Queue()

    def read():
        for line in process.stdout:
            lines.put(line)
        lines.put(None)

    threading.Thread(target=read, daemon=True).start()
    while True:
        try:
            line = lines.get(timeout=SECONDS)
        except queue.Empty:
            process.kill()
            return
        if line is None:
            return
        if line.startswith("{"):
            yield json.loads(line)


def ended(process, errors):
    """How a process ended, for people; empty when it ended well."""
    code = process.wait()
    if code == 0:
        return ""
    if code == -signal.SIGKILL:
        return f"hangs for {SECONDS:g} s"
    if code < 0:
        return f"crashes with {signal.Signals(-code).name}"
    last = [line for line in errors if line.strip()]
    return f"ends with status {code}: {last[-1].strip() if last else ''}"


def drain(stream):
    """The lines of a stream, read on a thread so that it never fills up."""
    lines = []
    threading.Thread(target=lambda: lines.extend(stream), daemon=True).start()
    return lines


def probe(python, key, number, how):
    """Whether a cell that ended the process does so without dlferry too."""
    process = start(python, key, "--probe", str(number))
    errors = drain(process.stderr)
    rows = list(lines_of(process))
    alone = ended(process, errors)
    if alone == how:
        return {"fault": "peer", "proof": f"given a capsule made by hand: {alone}"}
    return {"fault": "dlferry", "proof": rows[-1].get("probe") if rows else None}


def run(system, python, say, limit=float("inf")):
    """All rows of a system; a cell that ends the process is a row too, and the rest follows in another process."""
    result = {"key": system.key, "name": system.name, "rows": []}
    after, began = -1, time.monotonic()
    told, late, left_out = began, False, []
    while True:
        process = start(python, system.key, "--after", str(after), *left_out)
        errors, begun, live = drain(process.stderr), None, None
        for row in lines_of(process):
            now = time.monotonic()
            if now - began > limit and not late:
                late = True
                process.kill()
            if now - told > PROGRESS and "number" in row:
                told = now
                say(f"{system.name}: {row['number']} of {row['of']} cells in {now - began:.0f} s")
            if "not_run" in row or "version" in row:
                result.update(row)
            elif "begin" in row:
                begun = row["begin"]
            elif "end" in row:
                live = row["live"]
            else:
                begun = None
                result["rows"].append(row)
        how = ended(process, errors)
        if late:
            how = f"only {len(result['rows'])} cells in {limit:g} s"
        if not how or begun is None or late:
            break
        lines = errors if len(errors) <= 24 else [*errors[:12], "...", *errors[-12:]]
        where = "".join(f"\n    {line.rstrip()[:200]}" for line in lines)
        say(f"{system.name}: {begun['direction']} {begun['dtype']} {begun['layout']}: {how}{where}")
        if begun["number"] <= after:
            break  # it ends in the first use of each process
        result["rows"].append({**begun, "result": "crashes", "text": how, "instead": ""})
        result["rows"][-1].update(probe(python, system.key, begun["number"], how))
        part = begun["direction"], begun["layout"]
        if part in system.ends and result["rows"][-1]["fault"] == "peer":
            left_out += ["--left-out", *part, begun["dtype"]]
        after = begun["number"]
    if how:
        result["failed"] = how
    elif live:
        result["failed"] = f"{live} tensors are alive at the end"
    elif not result["rows"] and "not_run" not in result:
        result["failed"] = "no cell"
    say(f"{system.name}: {table.verdict(result)}, {time.monotonic() - began:.0f} s")
    return result


def collect(systems, setup, jobs, say, limit=float("inf")):
    """The results of all systems, in their order."""

    def one(system):
        try:
            if system.not_run:
                raise environments.Missing(system.not_run)
            return run(system, environments.python_of(system.environment, setup, say), say, limit)
        except environments.Missing as error:
            say(f"{system.name}: not run: {error}")
            return {"key": system.key, "name": system.name, "rows": [], "not_run": str(error)}

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(one, systems))


def main():
    global SECONDS
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="adapters; without any, those of the environment `main`")
    parser.add_argument("--all", action="store_true", help="every system, its environment set up where it is missing")
    parser.add_argument("--setup", type=Path, help="the folder that has the environments")
    parser.add_argument("--modules", type=Path, help="the folder that has the C++ modules for `main`")
    parser.add_argument("--table", type=Path, help="the checked-in table")
    parser.add_argument("--write", action="store_true", help="write the table's rows of these systems")
    parser.add_argument("--report", type=Path, help="a file for the summary")
    parser.add_argument("--json", type=Path, help="a file for all cells")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--silence", type=float, default=SECONDS, help="seconds, after which a cell counts as hanging")
    parser.add_argument("--limit", type=float, default=float("inf"), help="seconds, after which a system is given up")
    options = parser.parse_args()
    SECONDS = options.silence
    unknown = set(options.names) - {system.key for system in SYSTEMS}
    if unknown:
        parser.error(f"expected names of systems.py, got {', '.join(sorted(unknown))}")
    chosen = [s for s in SYSTEMS if s.key in options.names or options.all]
    chosen = chosen or [s for s in SYSTEMS if s.environment == "main"]
    if options.modules:
        paths = [str(options.modules), *filter(None, [os.environ.get("PYTHONPATH")])]
        os.environ["PYTHONPATH"] = os.pathsep.join(paths)
    results = collect(chosen, options.setup, options.jobs, lambda text: print(text, flush=True), options.limit)
    if options.json:
        options.json.write_text(json.dumps(results, indent=1) + "\n")
    problems = [problem for result in results for problem in table.problems(result)]
    if options.table and options.write:
        options.table.parent.mkdir(exist_ok=True)
        options.table.write_text(table.merge(table.read(options.table), results))
    elif options.table:
        problems += table.differences(table.read(options.table), results)
    if options.report:
        options.report.write_text(table.summary(results))
    print("\n".join(problems))
    print(f"peers: {len(results)} systems, {sum(len(r['rows']) for r in results)} cells, {len(problems)} problems")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
