# SPDX-License-Identifier: Apache-2.0
"""Read the file of this example's programs by PyPI's soundfile: peer.py FOLDER"""

import sys

import numpy as np
import soundfile

frame = np.arange(4410)[:, None]
tone = np.sin(2 * np.pi * frame * [440, 880] / 44100) * [0.5, 0.25]
with soundfile.SoundFile(f"{sys.argv[1]}/tone.flac") as file:
    assert (file.format, file.subtype, file.samplerate, file.title) == ("FLAC", "PCM_16", 44100, "Two tones"), file
    far = np.abs(file.read() - tone).max() * 32768
print(f"soundfile reads the same: at most {far:.2f} of 32768 apart")
assert far <= 1, far
