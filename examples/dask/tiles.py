# SPDX-License-Identifier: Apache-2.0
"""Blur a photograph in 64 tiles on Dask's workers, and compare with one call in this process: tiles.py [--workers N]

A kernel in plain C runs inside Dask's tasks: photo.blur takes a dlferry.Tensor and gives one. Each tile carries a
border as wide as the kernel reaches, so that the tiles' middles are, bit for bit, the blur of the whole picture.

Exit status 0 if the two pictures are equal, else 1.
"""

import argparse
import sys
from pathlib import Path

import dlferry
import dlferry.dask
import numpy as np
import photo
from distributed import Client, LocalCluster, progress

SIGMA = 2.0
REACH = int(4 * SIGMA + 0.5)  # photo.c's radius


def load_photograph():
    """matplotlib's portrait of Grace Hopper (public domain), gray, as float32[h, w]."""
    from matplotlib import get_data_path
    from PIL import Image

    with Image.open(Path(get_data_path()) / "sample_data" / "grace_hopper.jpg") as photograph:
        return photo.gray(dlferry.from_dlpack(np.array(photograph.convert("RGB"))))


def cut(extent, parts, border):
    """For each part of an axis: where it begins, where it ends, and the same with the border."""
    ends = [extent * i // parts for i in range(parts + 1)]
    return [(a, b, max(a - border, 0), min(b + border, extent)) for a, b in zip(ends, ends[1:])]


def blur_tile(tile, top, left, height, width):
    """Run in a worker: blur a tile with its border, and give back the middle."""
    return photo.blur(tile, sigma=SIGMA)[top : top + height, left : left + width]


def blur_in_tiles(client, image, parts, border):
    """Map the kernel over parts x parts tiles, with a progress bar."""
    places, tiles = [], []
    for y, y_end, top, bottom in cut(image.shape[0], parts, border):
        for x, x_end, left, right in cut(image.shape[1], parts, border):
            places.append((y - top, x - left, y_end - y, x_end - x, y, x))
            tiles.append(image[top:bottom, left:right])
    futures = client.map(blur_tile, client.scatter(tiles), *[list(c) for c in zip(*places)][:4])
    progress(futures, notebook=False)
    whole = np.empty(image.shape, np.float32)
    for (_, _, height, width, y, x), part in zip(places, client.gather(futures)):
        whole[y : y + height, x : x + width] = part
    return whole


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--workers", type=int, default=2, help="processes (2)")
    arguments.add_argument("--parts", type=int, default=8, help="tiles along each axis (8)")
    arguments.add_argument("--border", type=int, default=REACH, help=f"pixels around each tile ({REACH})")
    options = arguments.parse_args()
    image = load_photograph()
    with (
        LocalCluster(n_workers=options.workers, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        dlferry.dask.register(client)
        tiled = blur_in_tiles(client, image, options.parts, options.border)
    at_once = photo.blur(image, sigma=SIGMA).numpy()
    different = np.count_nonzero(tiled != at_once)
    print(f"\n{options.parts**2} tiles on {options.workers} workers: {different} of {tiled.size} pixels differ")
    return int(different > 0)


if __name__ == "__main__":
    sys.exit(main())
