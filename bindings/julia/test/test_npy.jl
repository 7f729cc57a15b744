# SPDX-License-Identifier: Apache-2.0
@testset "a file holds what was saved" begin
    path = joinpath(mktempdir(), "a.npy")
    for x in (Float32[1 2; 3 4], [1 2; 3 4]', view(rand(4, 5), 1:2:4, :), fill(1.5), zeros(0, 3), [true, false],
              DLArray(DLFerry.create(Int8, 2, 3)), wrap([1.0im]))
        @test DLFerry.npy_save(path, x) === nothing
        t = DLFerry.npy_open(path)
        @test DLFerry.identical(t, x) && isreadonly(t)
    end
    t = DLFerry.npy_open(path)
    DLFerry.npy_save(path, [2.0im]) # another file of that name: the mapped one stays
    @test DLArray(t) == [1.0im] && DLArray(DLFerry.npy_open(path)) == [2.0im]
    @test thrown(() -> DLFerry.npy_open(path * ".none")).status === :FOREIGN
    @test thrown(() -> DLFerry.npy_save(joinpath(path, "b"), [1])).status === :FOREIGN
    @test thrown(() -> DLFerry.npy_open("a\0b")) isa ArgumentError
    @test thrown(() -> DLFerry.npy_save(path, "text")) isa ArgumentError
    write(path, "no such format")
    @test thrown(() -> DLFerry.npy_open(path)) isa ArgumentError
end
