# SPDX-License-Identifier: Apache-2.0
"""The picture: speed over size for each form of strides, over the rank, and of casts, with memcpy as the limit."""

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot
from report import size_text
from rows import FORMS, SHOWN_RANK, casts

STYLES = {
    "dlferry": {"color": "tab:blue", "marker": "o", "linewidth": 2, "zorder": 3},
    "NumPy": {"color": "tab:orange", "marker": "s"},
    "torch": {"color": "tab:red", "marker": "^"},
    "JAX": {"color": "tab:green", "marker": "v"},
    "memcpy": {"color": "black", "linestyle": "--", "linewidth": 1},
}
LABELS = {"NumPy": "NumPy, ml_dtypes", "memcpy": "the limit: memcpy"}
ALIKE = {"ml_dtypes": "NumPy", "memcpy's rate": "memcpy"}


def peer_of(result):
    return ALIKE.get(result.peer, result.peer)


def speed(result):
    return result.bytes_moved / result.seconds / 1e9


def plot(panel, points):
    """points: (x, peer, speed)."""
    for peer, style in STYLES.items():
        line = sorted((x, y) for x, name, y in points if name == peer)
        if line:
            panel.plot(*zip(*line, strict=True), markersize=4, label=LABELS.get(peer, peer), **style)
    panel.set_yscale("log")
    panel.grid(alpha=0.3)


def panel_of_form(panel, form, results):
    shown = [result for result in results if result.form == form and result.rank == SHOWN_RANK]
    plot(panel, [(result.bytes_moved // 2, peer_of(result), speed(result)) for result in shown])
    panel.set_xscale("log", base=2)
    sizes = sorted({result.bytes_moved // 2 for result in shown})[::3]
    panel.set_xticks(sizes, [size_text(size) for size in sizes])
    panel.set_ylim(0.2, 500)
    panel.set_title(f"{form}, rank {SHOWN_RANK}", fontsize=10)


def panel_of_ranks(panel, form, results):
    of_form = [result for result in results if result.form == form]
    size = max((r.bytes_moved for r in of_form if r.bytes_moved <= 32 << 20), default=0)
    shown = [result for result in of_form if result.bytes_moved == size]
    plot(panel, [(result.rank, peer_of(result), speed(result)) for result in shown])
    panel.set_xlabel("rank")
    panel.set_title(f"{form}, {size_text(size // 2)}", fontsize=10)


def panel_of_casts(panel, title, rows, results):
    """rows: {name: the other dtype}."""
    names = list(rows)
    shown = [result for result in results if result.row in rows and result.threads == 1]
    plot(panel, [(names.index(result.row), peer_of(result), speed(result)) for result in shown])
    panel.set_xticks(range(len(names)), rows.values(), rotation=30, ha="right", fontsize=8)
    panel.set_title(title, fontsize=10)


def draw(results, file):
    figure = pyplot.figure(figsize=(13, 12), layout="constrained")
    grid = figure.add_gridspec(3, 4)
    forms = list(FORMS)
    for place, form in enumerate(forms):
        panel_of_form(figure.add_subplot(grid[divmod(place, 4)]), form, results)
    panel_of_ranks(figure.add_subplot(grid[divmod(len(forms), 4)]), "axes reversed", results)
    whole = [row for row in casts() if row.view == "x"]
    narrow = {row.name: row.to for row in whole if row.dtype == "float32"}
    widen = {row.name: row.dtype for row in whole if row.to == "float32"}
    panel_of_casts(figure.add_subplot(grid[2, :2]), "16 Mi elements of float32 to", narrow, results)
    panel_of_casts(figure.add_subplot(grid[2, 2:]), "to 16 Mi elements of float32 from", widen, results)
    for axes in figure.axes:
        if axes.get_subplotspec().is_first_col():
            axes.set_ylabel("GB/s, read and written")
    named = {}
    for axes in figure.axes:
        named.update(dict(zip(*axes.get_legend_handles_labels()[::-1], strict=True)))
    order = [LABELS.get(peer, peer) for peer in STYLES]
    labels, handles = zip(*sorted(named.items(), key=lambda pair: order.index(pair[0])), strict=True)
    figure.legend(handles, labels, loc="outside upper center", ncols=len(labels))
    figure.savefig(file, dpi=100, metadata={"Software": None})
    pyplot.close(figure)
