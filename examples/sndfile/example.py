# SPDX-License-Identifier: Apache-2.0
"""Write a sound as a FLAC file, read it back in blocks into one array, and ask libsndfile about it."""

import sys

import dlferry
import numpy as np
import sf

RATE, FRAMES, BLOCK = 44100, 4410, 1000
path = f"{sys.argv[1]}/tone.flac"
frame = np.arange(FRAMES)[:, None]
tone = (np.sin(2 * np.pi * frame * [440, 880] / RATE) * [0.5, 0.25]).astype(np.float32)

wanted = sf.Info(samplerate=RATE, channels=2, format=sf.FORMAT_FLAC | sf.FORMAT_PCM_16)
file, _ = sf.Sndfile.open(path, sf.SFM_WRITE, wanted)
with file:
    sf.set_string(file, sf.STR_TITLE, "Two tones")
    print(f"wrote  {sf.write(file, tone) // 2} frames of 2 channels")

file, info = sf.Sndfile.open(path, sf.SFM_READ, sf.Info())
title = sf.get_string(file, sf.STR_TITLE)
print(f"read   {info.frames} frames of {info.channels} channels at {info.samplerate} Hz: {title}")
room, far, at = np.empty((BLOCK, info.channels), np.float32), 0, 0
while got := sf.read(file, room) // info.channels:
    far = max(far, np.abs(room[:got] - tone[at : at + got]).max())
    at += got
print(f"       {at} of them in blocks of {BLOCK}, less than {np.ceil(far * 32768):g} of 32768 apart")

peaks = np.zeros(2)
sf.command(sf.SFC_CALC_NORM_MAX_ALL_CHANNELS, peaks, file)
print(f"peaks  {peaks[0]:.3f} {peaks[1]:.3f}")
words = np.empty((2, 2), np.int16)
print(f"seek   {sf.seek(file, 25)}: {sf.read(file, words)} items", *words.ravel())


def refused(call, *given):
    try:
        call(*given)
    except dlferry.Error as error:
        print(error)


refused(sf.Sndfile.open, path + ".no", sf.SFM_READ, sf.Info())
print(sf.strerror())
refused(sf.set_string, file, sf.STR_TITLE, "Another")
refused(sf.read, file, np.empty(2000, np.float32))
refused(sf.read, file, np.empty((2, 2), np.uint8))
file.close()
refused(sf.read, file, room)
