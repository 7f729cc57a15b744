# SPDX-License-Identifier: Apache-2.0
# Compress bytes with zlib's own functions, get them back, and read zlib's refusals.
import Zl

data = UInt8.((0:99999) .% 251)
packed = Zl.compress(data)
println("packed   ", length(data), " bytes into less than ", length(packed) ÷ 1000 + 1, " thousand")

room = zeros(UInt8, 200000)
size = Zl.uncompress!(room, packed)
crc(bytes) = string(Zl.crc32(bytes); base = 16, pad = 8)
println("unpacked ", size, " bytes, crc32 ", crc(room[1:size]), ", before ", crc(data))
println("in parts ", Zl.adler32(data[501:end]; adler = Zl.adler32(data[1:500])), ", whole ", Zl.adler32(data))

# Write bytes in four parts into a gzip file, and return them as they are read, 30000 at a time.
function through_file(path, data)
    file = Zl.gzopen(path, "wb")
    foreach(part -> Zl.gzwrite(file, part), Iterators.partition(data, length(data) ÷ 4))
    close(file)
    file, part, back = Zl.gzopen(path, "rb"), zeros(UInt8, 30000), UInt8[]
    while (more = Zl.gzread!(part, file)) > 0
        append!(back, part[1:more])
    end
    close(file)
    return back
end

path = joinpath(ARGS[1], "data.gz")
back = through_file(path, data)
println("file     4 parts of ", length(data) ÷ 4, " bytes, read ", length(back), ", ", Int(back != data), " wrong")

for call in (
    () -> Zl.uncompress!(room[1:9], packed),
    () -> Zl.uncompress!(room, data),
    () -> Zl.compress(data; level = Zl.BEST_COMPRESSION + 1),
    () -> Zl.compress(zeros(3)),
    () -> Zl.gzopen(path * ".no", "rb"),
)
    try
        call()
    catch error
        println(error.msg)
    end
end
