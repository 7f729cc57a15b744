# SPDX-License-Identifier: Apache-2.0
"""Write a tone as tone.wav, resample it from 44.1 to 48 kHz, write resampled.wav."""

import sys
import wave
from pathlib import Path

import numpy
import sr

folder = Path(sys.argv[1])
frames = numpy.arange(4410)[:, None]
tone = 0.5 * numpy.sin(2 * numpy.pi * frames * [440, 880] / 44100)
with wave.open(str(folder / "tone.wav"), "wb") as file:
    file.setparams((2, 2, 44100, 0, "NONE", ""))
    file.writeframes(numpy.rint(tone * 32767).astype("<i2").tobytes())

with wave.open(str(folder / "tone.wav")) as file:
    samples = numpy.frombuffer(file.readframes(file.getnframes()), "<i2").reshape(-1, 2)
sound = (samples / 32768).astype(numpy.float32)

resampled = sr.resample(sound, 48000 / 44100)
with wave.open(str(folder / "resampled.wav"), "wb") as file:
    file.setparams((2, 2, 48000, 0, "NONE", ""))
    file.writeframes(numpy.clip(numpy.rint(resampled * 32768), -32768, 32767).astype("<i2").tobytes())

print(f"in    {sound.shape[0]} frames at 44100 Hz")
print(f"out   {resampled.shape[0]} frames at 48000 Hz")
print(f"peak  {numpy.abs(resampled[200:-200]).max():.3f}")
print(f"draft {sr.resample(sound, 0.5, converter=sr.LINEAR).shape[0]} frames")
try:
    sr.resample(sound, 0)
except ValueError as error:
    print(error)
