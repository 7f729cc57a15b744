# SPDX-License-Identifier: Apache-2.0
# Compress a field as it lies in memory, transposed or not, and get it back within the tolerance.
import Zf

within(a, b) = all(abs.(a .- b) .<= 0.001) ? "yes" : "no"

# The same bytes as in the other languages: there the last index varies fastest, here the first.
field = [(x * y - z * z + x) / 64 for z in 0:31, y in 0:31, x in 0:31]
stream = Zf.stream_open()
Zf.stream_set_accuracy(stream, 0.001)
code = Zf.stream_encode(stream, PermutedDimsArray(field, (3, 2, 1)))
back = similar(field)
Zf.stream_decode!(PermutedDimsArray(back, (3, 2, 1)), stream, code)
println("field   ", sizeof(field), " bytes")
println("stream  ", length(code), " bytes")
println("within the tolerance: ", within(back, field))
# Strides of 8, 256 and 8192 bytes: zfp walks them itself.
Zf.stream_decode!(back, stream, Zf.stream_encode(stream, field))
println("turned, in place: ", within(back, field))
try
    Zf.stream_encode(stream, zeros(0, 3))
catch error
    println(error.msg)
end
close(stream)
