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
room = zeros(Float32, 2, 5000)
resampled = room[:, 1:Sr.simple!(rowmajor(room), rowmajor(sound), 48000 / 44100)]
write_wav(joinpath(folder, "resampled.wav"), 48000, resampled, 32768)

println("in    ", size(sound, 2), " frames at 44100 Hz")
println("out   ", size(resampled, 2), " frames at 48000 Hz")
@printf("peak  %.3f\n", maximum(abs, resampled[:, 201:end-200]))
draft = zeros(Float32, 2, 5000)
println("draft ", Sr.simple!(rowmajor(draft), rowmajor(sound), 0.5; converter_type = Sr.LINEAR), " frames")

# As the sound arrives: a state keeps what it needs of the blocks before.
function in_parts(state, sound, blocks)
    made = 0
    for at = 1:1000:4410
        block = sound[:, at:min(at + 999, 4410)]
        rest = rowmajor(view(blocks, :, made+1:size(blocks, 2)))
        used, more = Sr.process!(rest, state, rowmajor(block), 48000 / 44100; end_of_input = at + 1000 > 4410)
        @assert used == size(block, 2)
        made += more
    end
    return made
end

refused(call, given...) =
    try
        call(given...)
    catch error
        println(error.msg)
    end

state, blocks = Sr.new(2), zeros(Float32, 2, 5000)
made = in_parts(state, sound, blocks)
@printf("parts %d frames, %.3f from the whole\n", made, maximum(abs, blocks[:, 1:made] - resampled))
refused(Sr.process!, rowmajor(zeros(Float32, 1, 9)), state, rowmajor(sound[1:1, :]), 2)
refused(Sr.simple!, rowmajor(room), rowmajor(sound), 0)
refused(Sr.simple!, rowmajor(zeros(Float32, 1, 4410)), rowmajor(sound), 2)
refused(Sr.new, 0)
close(state)
