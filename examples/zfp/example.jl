# SPDX-License-Identifier: Apache-2.0
# Compress a field, get it back within the tolerance, then again from the bytes that a file would hold.
import Zf

# zfp wants the last index to vary fastest, in Julia the first does: the same bytes with the axes in reverse.
rowmajor(a) = PermutedDimsArray(a, (3, 2, 1))
within(a, b) = all(abs.(a .- b) .<= 0.001) ? "yes" : "no"
said(call) =
    try
        call()
    catch error
        println(error.msg)
    end

values = [(x * y - z * z + x) / 64 for z in 0:31, y in 0:31, x in 0:31]
back = similar(values)
stream = Zf.stream_open()
Zf.stream_set_accuracy(stream, 0.001)
field, other = Zf.field_from_3d(rowmajor(values)), Zf.field_from_3d(rowmajor(back))
code, size = Zf.stream_encode(stream, field)
Zf.stream_decode(stream, other, code)
println("field   ", sizeof(values), " bytes")
println("stream  ", size, " bytes of ", length(code))
println("within the tolerance: ", within(back, values))

stored = code[1:size]
said(() -> Zf.stream_decode(stream, other, stored))
fill!(back, 0)
Zf.stream_decode(stream, other, [stored; zeros(UInt8, Zf.stream_maximum_size(stream, other) - size)])
println("stored and padded: ", within(back, values))
said(() -> Zf.field_from_2d(zeros(0, 3)))
foreach(close, (field, other, stream))
