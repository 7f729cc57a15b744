# SPDX-License-Identifier: Apache-2.0
# Decode a photograph: the pixels stay where stb_image put them, and the array's release frees them.
import Si

file = read(ARGS[1])
width, height, channels = Si.size(file)
pixels = Si.decode(file)
gray = Si.decode(file; channels = 1)
println("size    ", height, " rows, ", width, " columns, ", channels, " channels")
println("pixels  ", join(size(pixels), "x"), ", sum ", sum(Int, pixels))
println("gray    ", join(size(gray), "x"), ", sum ", sum(Int, gray))
for attempt in (() -> Si.decode(file[101:end]), () -> Si.decode(file; channels = 5))
    try
        attempt()
    catch error
        println(error.msg)
    end
end
