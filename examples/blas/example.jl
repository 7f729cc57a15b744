# SPDX-License-Identifier: Apache-2.0
# Multiply arrays of any order and step by BLAS, without a copy.
import Blas

show(what, numbers) = println(rpad(what, 21), " ", join(map(x -> string(Int(x)), numbers), " "))
rows(m) = vec(permutedims(m))

a, b = [1.0 2 3; 4 5 6], [1.0 2; 3 4; 5 6]
turn(m) = PermutedDimsArray(permutedims(m), (2, 1)) # the same matrix, with its rows next to each other
c = turn(zeros(2, 2))
Blas.dgemm!(c, turn(a), turn(b))
show("rows times rows", rows(c))
Blas.dgemm!(c, a, b) # Julia's own columns
show("columns times a turn", rows(c))
window = turn(zeros(2, 3))
Blas.dgemm!(view(window, :, 2:3), a, b)
show("into a window", rows(window))
x, y = [1.0, 2, 3], zeros(2)
Blas.dgemv!(y, a, x)
show("matrix times vector", y)
show("backwards", [Blas.ddot(view(x, 3:-1:1), x)])
show("backwards, both", [Blas.ddot(view(x, 3:-1:1), view(x, 3:-1:1))])
y = [3.0, 3]
Blas.daxpy!(y, 3.0, view([1.0, 0, 2], 1:2:3))
show("a step of two", y)
for wrong in (() -> Blas.dgemm!(c, a, b[1:2, :]), () -> Blas.ddot(Float32[1, 2, 3], x))
    try
        wrong()
    catch error
        println(error.msg)
    end
end
