# SPDX-License-Identifier: Apache-2.0
"""The README's photo.png equals the demo's: test_picture.py PICTURE, written with --width 840 --small."""

import sys
from pathlib import Path

import numpy as np
from PIL import Image


def main():
    pictures = []
    for path in (Path(sys.argv[1]), Path(__file__).with_name("photo.png")):
        with Image.open(path) as picture:
            pictures.append(np.asarray(picture.convert("RGB")).astype(int))
    made, ours = pictures
    if made.shape != ours.shape:
        sys.exit(f"FAILED: the demo's picture has the shape {made.shape}, photo.png {ours.shape}")
    # Another palette or rasteriser moves levels by a few, another word a hundred pixels by many.
    far = (np.abs(made - ours).max(axis=2) > 48).mean()
    if far > 0.0001:
        sys.exit(f"FAILED: {far:.2%} of photo.png is not as the demo makes it: run demo.py --width 840 --small")
    print(f"photo.png is as the demo makes it; {far:.3%} of pixels differ")


main()
