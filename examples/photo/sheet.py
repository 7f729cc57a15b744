# SPDX-License-Identifier: Apache-2.0
"""The demo's contact sheet: one panel for each stage of the photograph, labelled with the runtime that made it."""

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import FancyBboxPatch, Rectangle
from PIL import Image

PAPER, INK, FAINT = "#12161d", "#eef1f5", "#8d98a8"
LANGUAGE = {
    "python": ("Python", "#ffd343"),
    "c": ("C", "#a8b9cc"),
    "rust": ("Rust", "#f28b5b"),
    "go": ("Go", "#5ec9e3"),
    "julia": ("Julia", "#c39bd3"),
}
COLUMNS = 3
PANEL, GAP, MARGIN, CAPTION, HEAD, FOOT = (5.12, 6.0), 0.42, 0.55, 0.78, 1.35, 0.75  # inches
DETAIL = (146, 226, 196, 276)  # rows and columns around the eyes, where blur and gradient show
ZOOMED = {"gray", "blur", "sobel"}


def _chip(figure, x, y, name, colour, size):
    """A rounded label; returns where it ends."""
    w, h = figure.get_size_inches()
    text = figure.text(x / w, y / h, name, color=PAPER, fontsize=size, fontweight="bold", va="center")
    box = text.get_window_extent(figure.canvas.get_renderer())
    wide, pad = box.width / figure.dpi, 0.12
    chip = FancyBboxPatch(
        ((x - pad) / w, (y - 0.17) / h),
        (wide + 2 * pad) / w,
        0.34 / h,
        boxstyle="round,pad=0,rounding_size=0.01",
        transform=figure.transFigure,
        facecolor=colour,
        edgecolor="none",
        mutation_aspect=w / h,
        zorder=0.5,
    )
    figure.add_artist(chip)
    return x + wide + pad


def _detail(axes, image, style):
    """A magnified square in the lower right corner, and a frame around its source."""
    top, bottom, left, right = DETAIL
    inset = axes.inset_axes((0.62, 0.02, 0.36, 0.36 * PANEL[0] / PANEL[1]))
    inset.imshow(image[top:bottom, left:right], interpolation="nearest", **style)
    inset.set(xticks=[], yticks=[])
    for side in inset.spines.values():
        side.set(color=INK, linewidth=1.2)
    axes.add_patch(Rectangle((left, top), right - left, bottom - top, fill=False, edgecolor=INK, linewidth=1.0))


def _reduce(path):
    """Rewrite a picture with a palette of the labels' colours, 32 grays and 112 of its vivid colours.

    A palette made from all pixels would be gray throughout, as five panels out of six are.
    """
    with Image.open(path) as picture:
        picture = picture.convert("RGB")
    pixels = np.asarray(picture)
    vivid = pixels[pixels.max(axis=2) > pixels.min(axis=2) + 20].reshape(1, -1, 3)
    colors = Image.fromarray(vivid).quantize(112).getpalette()[: 3 * 112]
    grays = [int(level) for level in np.linspace(0, 255, 32) for _ in "rgb"]
    labels = [int(c[i : i + 2], 16) for c in (PAPER, *(c for _, c in LANGUAGE.values())) for i in (1, 3, 5)]
    palette = Image.new("P", (1, 1))
    palette.putpalette(colors + grays + labels)
    picture.quantize(palette=palette, dither=Image.Dither.NONE).save(path, optimize=True)


def draw_sheet(panels, hops, path, width, small=False):
    """Write the sheet as PNG. panels: [(room, kernel, what, image)]; hops: as demo.py records them.

    small: with a palette, about a fifth of the size.
    """
    rows = -(-len(panels) // COLUMNS)
    wide = 2 * MARGIN + COLUMNS * PANEL[0] + (COLUMNS - 1) * GAP
    high = HEAD + FOOT + rows * (PANEL[1] + CAPTION)
    figure = plt.figure(figsize=(wide, high), dpi=width / wide, facecolor=PAPER)

    copies = sum(look.address != seen for _, _, _, look, seen, _ in hops)
    title = f"One photograph, five runtimes, {copies or 'no'} cop{'y' if copies < 2 else 'ies'}"
    figure.text(MARGIN / wide, 1 - 0.58 / high, title, color=INK, fontsize=30, fontweight="bold", va="center")
    under = (
        "C kernels over DLPack tensors, each called from another language in one process; the data stays where it is"
    )
    figure.text(MARGIN / wide, 1 - 1.04 / high, under, color=FAINT, fontsize=15, va="center")

    for i, (room, kernel, what, image) in enumerate(panels):
        row, column = divmod(i, COLUMNS)
        x = MARGIN + column * (PANEL[0] + GAP)
        y = high - HEAD - (row + 1) * (PANEL[1] + CAPTION) + CAPTION
        axes = figure.add_axes((x / wide, y / high, PANEL[0] / wide, PANEL[1] / high))
        # The gradient is steep in few places: without a ceiling the panel would be black.
        ceiling = 0.16 if kernel == "sobel" else 1.0
        style = {} if image.ndim == 3 else {"cmap": "gray", "vmin": 0, "vmax": ceiling}
        axes.imshow(image, interpolation="antialiased", **style)
        axes.set_axis_off()
        if kernel in ZOOMED:
            _detail(axes, image, style)
        label, colour = LANGUAGE[room]
        end = _chip(figure, x + 0.12, y - 0.34, label, colour, 15)
        name = figure.text((end + 0.14) / wide, (y - 0.34) / high, kernel, color=INK, fontsize=16, va="center")
        name.set_fontfamily("monospace")
        end += 0.14 + name.get_window_extent(figure.canvas.get_renderer()).width / figure.dpi
        figure.text((end + 0.2) / wide, (y - 0.34) / high, what, color=FAINT, fontsize=14, va="center")

    chain = "  →  ".join([LANGUAGE[hops[0][0]][0], *(LANGUAGE[hop[1]][0] for hop in hops)])
    foot = f"{chain}      {len(hops)} hops, {copies} copies"
    figure.text(MARGIN / wide, 0.4 / high, foot, color=INK, fontsize=15, va="center")
    figure.savefig(path, facecolor=PAPER)
    plt.close(figure)
    if small:
        _reduce(path)
