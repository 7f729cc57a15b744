# SPDX-License-Identifier: Apache-2.0
# Write a sound as a FLAC file, read it back in blocks into one array, and ask libsndfile about it.
using DLFerry: rowmajor
using Printf
import Sf

const RATE, FRAMES, BLOCK = 44100, 4410, 1000

refused(call, given...) =
    try
        call(given...)
    catch error
        println(error.msg)
    end

# A column is a frame here, a row in other languages: the same bytes.
function apart(file, tone)
    room, far, at = zeros(Float32, 2, BLOCK), 0.0f0, 0
    while (got = Sf.read!(rowmajor(room), file) ÷ 2) > 0
        far = max(far, maximum(abs, room[:, 1:got] - tone[:, at+1:at+got]))
        at += got
    end
    return at, far
end

path = joinpath(ARGS[1], "tone.flac")
tone = Float32[height * sin(2pi * frame * hertz / RATE) for (hertz, height) in ((440, 0.5), (880, 0.25)), frame in 0:FRAMES-1]
wanted = Sf.Info(samplerate = RATE, channels = 2, format = Sf.FORMAT_FLAC | Sf.FORMAT_PCM_16)
file, _ = Sf.open(path, Sf.SFM_WRITE, wanted)
Sf.set_string(file, Sf.STR_TITLE, "Two tones")
println("wrote  ", Sf.write(file, rowmajor(tone)) ÷ 2, " frames of 2 channels")
close(file)

file, info = Sf.open(path, Sf.SFM_READ, Sf.Info())
print("read   ", info.frames, " frames of ", info.channels, " channels at ", info.samplerate, " Hz: ")
println(Sf.get_string(file, Sf.STR_TITLE))
at, far = apart(file, tone)
println("       $at of them in blocks of $BLOCK, less than ", ceil(Int, far * 32768), " of 32768 apart")

peaks = zeros(2)
Sf.command!(peaks, Sf.SFC_CALC_NORM_MAX_ALL_CHANNELS; sndfile = file)
@printf("peaks  %.3f %.3f\n", peaks...)
words = zeros(Int16, 2, 2)
print("seek   ", Sf.seek(file, 25), ": ", Sf.read!(rowmajor(words), file), " items ")
println(join(words, " "))

refused(Sf.open, path * ".no", Sf.SFM_READ, Sf.Info())
println(Sf.strerror())
refused(Sf.set_string, file, Sf.STR_TITLE, "Another")
refused(Sf.read!, zeros(Float32, 2000), file)
refused(Sf.read!, rowmajor(zeros(UInt8, 2, 2)), file)
close(file)
refused(Sf.read!, rowmajor(words), file)
