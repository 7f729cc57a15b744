# SPDX-License-Identifier: Apache-2.0
# Write a tone as tone.wav, resample it from 44.1 to 48 kHz, write resampled.wav.
using DLFerry: rowmajor
using Printf
import Sr

function write_wav(path, rate, samples, scale)
    size = 2 * length(samples)
    open(path, "w") do file
        write(file, "RIFF", UInt32(36 + size), "WAVEfmt ", UInt32(16), UInt16(1), UInt16(2))
        write(file, UInt32(rate), UInt32(4 * rate), UInt16(4), UInt16(16), "data", UInt32(size))
        write(file, round.(Int16, samples .* scale))
    end
end

read_wav(path) = reshape(reinterpret(Int16, read(path)[45:end]), 2, :) ./ 32768.0f0

folder = ARGS[1]
tone = [0.5 * sin(2pi * frame * hertz / 44100) for hertz in (440, 880), frame in 0:4409]
write_wav(joinpath(folder, "tone.wav"), 44100, tone, 32767)

# Channels vary fastest in a WAV file: a column is a frame here, a row in other languages.
sound = read_wav(joinpath(folder, "tone.wav"))
resampled = Sr.resample(rowmajor(sound), 48000 / 44100)
write_wav(joinpath(folder, "resampled.wav"), 48000, permutedims(resampled), 32768)

println("in    ", size(sound, 2), " frames at 44100 Hz")
println("out   ", size(resampled, 1), " frames at 48000 Hz")
@printf("peak  %.3f\n", maximum(abs, resampled[201:end-200, :]))
println("draft ", size(Sr.resample(rowmajor(sound), 0.5; converter = Sr.LINEAR), 1), " frames")
try
    Sr.resample(rowmajor(sound), 0)
catch error
    println(error.msg)
end
