# SPDX-License-Identifier: Apache-2.0
"""Measure the service beside the same one that copies: measure.py SERVICE LOAD LIBRARY MODELS OUT [--quick | --readme]

The two services take turns, round by round, on the same requests. OUT gets measured.json and requests.png. With
--readme the picture and the table of README.md beside this file are replaced. --quick tries all of it in a second.
"""

import atexit
import json
import re
import signal
import statistics
import subprocess
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot

HERE = Path(__file__).resolve().parent
LABELS = {"view": "in place", "copy": "copies"}
TABLE = re.compile(r"(<!-- measure\.py writes this -->\n).*?(<!-- to here -->)", re.S)


class Service:
    """A service on a port of its own. It must end with no tensor alive."""

    def __init__(self, program, *arguments):
        words = [program, "-listen", "127.0.0.1:0", *arguments]
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        atexit.register(self.process.kill)  # if a later step fails
        line = self.process.stdout.readline()
        if not line.startswith("listening on "):
            sys.exit(f"measure: the service did not start: {' '.join(words)}")
        self.url = f"http://{line.split()[-1]}/run"

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        rest = self.process.communicate(timeout=60)[0]
        if self.process.returncode or rest != "live tensors: 0\n":
            sys.exit(f"measure: the service ended with {self.process.returncode}: {rest}")


def round_of(load, service, side, seconds):
    arguments = ["-url", service.url, "-shape", f"1,3,{side},{side}", "-connections", "4"]
    arguments += ["-warm-up", f"{seconds / 4}s", "-duration", f"{seconds}s"]
    done = subprocess.run([load, *arguments], stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout)


def measure(service, load, library, models, sides, rounds, seconds):
    measured = []
    for model in ("gray", "edges"):
        arguments = ["-library", library, "-model", f"{models}/{model}.onnx"]
        services = {"view": Service(service, *arguments), "copy": Service(service, *arguments, "-copy")}
        for side in sides:
            found = {mode: [] for mode in services}
            for number in range(rounds):
                order = list(services) if number % 2 == 0 else list(services)[::-1]
                for mode in order:
                    found[mode].append(round_of(load, services[mode], side, seconds))
            measured.append({"model": model, "side": side, **found})
            print(row(measured[-1]), flush=True)
        for each in services.values():
            each.stop()
    return measured


def median(point, mode, key):
    return statistics.median(result[key] for result in point[mode])


def ratio(point):
    """Of requests per second, round by round."""
    pairs = zip(point["view"], point["copy"], strict=True)
    return statistics.median(view["per_second"] / copy["per_second"] for view, copy in pairs)


def size(side):
    count = 12 * side * side
    return f"{count / 1024**2:g} MiB" if count >= 1024**2 else f"{count / 1024:g} KiB"


def row(point):
    cells = [f"`{point['model']}`", f"{point['side']} x {point['side']}", size(point["side"])]
    for mode in LABELS:
        cells.append(f"{median(point, mode, 'per_second'):,.0f}")
    cells.append(f"{ratio(point):.2f}")
    for key in ("p50_ms", "p99_ms"):
        cells.append(" / ".join(f"{median(point, mode, key):.3g}" for mode in LABELS))
    return f"| {' | '.join(cells)} |"


def table(measured):
    head = "| model | image | request | in place, requests/s | copies, requests/s | ratio | p50, ms | p99, ms |"
    return "\n".join([head, "|---|---|---|---|---|---|---|---|", *map(row, measured)])


def draw(measured, file):
    figure, panels = pyplot.subplots(1, 2, figsize=(9, 3.6), sharey=True, layout="constrained")
    for panel, model in zip(panels, ("gray", "edges"), strict=True):
        points = [point for point in measured if point["model"] == model]
        places = range(len(points))
        for mode, colour, marker in (("view", "tab:blue", "o"), ("copy", "tab:orange", "s")):
            middle = [median(point, mode, "per_second") for point in points]
            all_rounds = [[result["per_second"] for result in point[mode]] for point in points]
            low = [value - min(rounds) for value, rounds in zip(middle, all_rounds, strict=True)]
            high = [max(rounds) - value for value, rounds in zip(middle, all_rounds, strict=True)]
            panel.errorbar(places, middle, (low, high), color=colour, marker=marker, capsize=3, label=LABELS[mode])
        for place, point in zip(places, points, strict=True):
            top = max(result["per_second"] for result in point["view"])
            panel.annotate(f"{ratio(point):.2f}x", (place, top), (0, 6), textcoords="offset points", ha="center")
        panel.set_title(f"{model}.onnx")
        panel.set_xticks(list(places), [size(point["side"]) for point in points])
        panel.set_xlabel("size of a request")
        panel.grid(alpha=0.3)
        panel.margins(x=0.12, y=0.15)
    panels[0].set_yscale("log")
    panels[0].set_ylabel("requests per second")
    panels[0].legend()
    figure.savefig(file, dpi=120, metadata={"Software": None})


def publish(measured):
    draw(measured, HERE / "requests.png")
    page = (HERE / "README.md").read_text(encoding="utf-8")
    page, count = TABLE.subn(lambda found: f"{found[1]}\n{table(measured)}\n\n{found[2]}", page)
    if count != 1:
        sys.exit("measure: README.md has no place for the table")
    (HERE / "README.md").write_text(page, encoding="utf-8")


def main():
    service, load, library, models, out = sys.argv[1:6]
    quick = sys.argv[6:] == ["--quick"]
    sides, rounds, seconds = ((32, 64), 1, 0.1) if quick else ((64, 128, 256, 512, 1024), 15, 0.4)
    measured = measure(service, load, library, models, sides, rounds, seconds)
    out = Path(out)
    out.mkdir(parents=True, exist_ok=True)
    (out / "measured.json").write_text(json.dumps(measured, indent=1) + "\n", encoding="utf-8")
    draw(measured, out / "requests.png")
    if sys.argv[6:] == ["--readme"]:
        publish(measured)


if __name__ == "__main__":
    main()
