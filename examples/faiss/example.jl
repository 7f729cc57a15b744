# SPDX-License-Identifier: Apache-2.0
# Search vectors with faiss, and compare what it finds with brute force.
import Faiss

# Vectors of eight whole numbers from 0 to 255, the same in every language; the columns here are rows to C.
function vectors(count, seed)
    numbers = zeros(Float32, 8, count)
    for i in eachindex(numbers)
        seed = (seed * 1103515245 + 12345) % 2^31
        numbers[i] = seed >> 16 & 255
    end
    return PermutedDimsArray(numbers, (2, 1))
end

show(what, numbers...) = println(rpad(what, 23), " ", join(numbers, " "))

function refused(call)
    try
        call()
    catch error
        println(split(error.msg, " at ./")[1])
    end
end

base, queries = vectors(640, 1), vectors(4, 2)
squares = [sum(abs2, queries[i, :] - base[j, :]) for i in 1:4, j in 1:640]
nearest = permutedims(hcat([sortperm(squares[i, :])[1:3] .- 1 for i in 1:4]...))

index = Faiss.index_new(8, "Flat")
Faiss.index_add(index, base)
show("vectors, numbers", Faiss.index_ntotal(index), Faiss.index_d(index))
distances, labels = Faiss.index_search(index, queries, 3)
for i in 1:4
    show("nearest", labels[i, :]...)
end
show("wrong labels", count(labels .!= nearest))
show("wrong distances", count([distances[i, k] != squares[i, nearest[i, k]+1] for i in 1:4, k in 1:3]))

lims, labels, distances = Faiss.range_search_result_all(Faiss.range_search_result_from_search(index, queries, 25000))
show("within 25000, limits", map(Int, lims)...)
near(i) = Set(j - 1 for j in 1:640 if squares[i, j] < 25000)
show("wrong rows", count(i -> Set(labels[lims[i]+1:lims[i+1]]) != near(i), 1:4))

ivf = Faiss.index_new(8, "IVF16,Flat")
refused(() -> Faiss.index_search(ivf, queries, 3))
refused(() -> Faiss.index_add(ivf, base))
Faiss.index_train(ivf, base)
show("trained", Faiss.index_is_trained(ivf))
Faiss.index_add(ivf, base)
space = Faiss.parameter_space_new()
for lists in (1, 16)
    Faiss.parameter_space_set_index_parameter(space, ivf, "nprobe", lists)
    found = Faiss.index_search(ivf, queries, 3)[2]
    hits = sum(length(intersect(found[i, :], nearest[i, :])) for i in 1:4)
    show("found in $lists of 16 lists", hits == 12 ? "all" : hits > 0 ? "some" : "none")
end

file = joinpath(ARGS[1], "index")
Faiss.index_write(index, file)
read = Faiss.index_read(file)
show("read from a file", Faiss.index_ntotal(read))
show("wrong labels", count(Faiss.index_search(read, queries, 3)[2] .!= nearest))

seven = PermutedDimsArray(permutedims(base[:, 1:7]), (2, 1))
refused(() -> Faiss.index_search(index, seven, 3))
refused(() -> Faiss.index_search(index, queries, 0))
refused(() -> Faiss.index_search(index, PermutedDimsArray(Float64.(parent(queries)), (2, 1)), 3))
