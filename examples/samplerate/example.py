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

room = numpy.empty((5000, 2), numpy.float32)
resampled = room[: sr.simple(sound, room, 48000 / 44100)]
with wave.open(str(folder / "resampled.wav"), "wb") as file:
    file.setparams((2, 2, 48000, 0, "NONE", ""))
    file.writeframes(numpy.clip(numpy.rint(resampled * 32768), -32768, 32767).astype("<i2").tobytes())

print(f"in    {sound.shape[0]} frames at 44100 Hz")
print(f"out   {resampled.shape[0]} frames at 48000 Hz")
print(f"peak  {numpy.abs(resampled[200:-200]).max():.3f}")
draft = numpy.empty((5000, 2), numpy.float32)
print(f"draft {sr.simple(sound, draft, 0.5, sr.LINEAR)} frames")

# As the sound arrives: a state keeps what it needs of the blocks before.
blocks, made = numpy.empty((5000, 2), numpy.float32), 0
with sr.State(2) as state:
    for at in range(0, 4410, 1000):
        block = sound[at : at + 1000]
        used, more = sr.process(state, block, blocks[made:], 48000 / 44100, int(at + 1000 >= 4410))
        assert used == len(block)
        made += more
    print(f"parts {made} frames, {numpy.abs(blocks[:made] - resampled).max():.3f} from the whole")

    def refused(call, *given):
        try:
            call(*given)
        except Exception as error:
            print(error)

    mono = numpy.zeros((4410, 1), numpy.float32)
    refused(sr.process, state, mono, mono.copy(), 2)
    refused(sr.simple, sound, room, 0)
    refused(sr.simple, sound, mono, 2)
    refused(sr.State, 0)
