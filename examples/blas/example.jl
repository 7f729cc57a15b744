# SPDX-License-Identifier: Apache-2.0
# Multiply and solve with arrays of any order, step and dtype by BLAS and LAPACK, without a copy.
import Blas

function text(x)
    y = round(Float64(x); digits = 6)
    return isinteger(y) ? string(Int(y)) : string(y)
end
show(what, numbers) = println(rpad(what, 21), " ", join(map(text, numbers), " "))
complex_text(z) = string(text(real(z)), imag(z) < 0 ? "" : "+", text(imag(z)), "i")
rows(m) = vec(permutedims(m))

a, b = [1.0 2 3; 4 5 6], [1.0 2; 3 4; 5 6]
turn(m) = PermutedDimsArray(permutedims(m), (2, 1)) # the same matrix, with its rows next to each other
c = turn(zeros(2, 2))
Blas.gemm!(c, turn(a), turn(b))
show("rows times rows", rows(c))
Blas.gemm!(c, a, b) # Julia's own columns
show("columns times a turn", rows(c))
window = turn(zeros(2, 3))
Blas.gemm!(view(window, :, 2:3), a, b)
show("into a window", rows(window))
columns = zeros(2, 2)
Blas.gemm!(columns, a, b)
show("into columns", rows(columns))
single = turn(zeros(Float32, 2, 2))
Blas.gemm!(single, Float32.(a), Float32.(b); alpha = 0.5)
show("halves in float32", rows(single))
x, y = [1.0, 2, 3], zeros(2)
Blas.gemv!(y, a, x)
show("matrix times vector", y)
show("backwards", [Blas.dot(view(x, 3:-1:1), x)])
show("backwards, both", [Blas.dot(view(x, 3:-1:1), view(x, 3:-1:1))])
y = [3.0, 3]
Blas.axpy!(y, 3.0, view([1.0, 0, 2], 1:2:3))
show("a step of two", y)

z, product = [2.0+0im 1im], turn(zeros(ComplexF64, 1, 1))
Blas.gemm!(product, z, reshape(z, 2, 1); alpha = im)
println(rpad("complex matrices", 21), " ", complex_text(product[1]))
println(rpad("complex vectors", 21), " ", complex_text(Blas.dotu(vec(z), vec(z))), " ",
        complex_text(Blas.dotc(vec(z), vec(z))))
show("lengths", [Blas.nrm2([3.0, 4]), Blas.nrm2(ComplexF32[3+4im])])

matrix, right = turn([0.0 2; 4 0]), turn(reshape([2.0, 8], 2, 1))
pivots = Blas.gesv!(matrix, right)
show("solved", right)
show("pivots", pivots)
function window_of(m)
    wide = zeros(eltype(m), size(m) .+ 2)
    wide[2:end-1, 2:end-1] = m
    return view(wide, 2:size(m, 1)+1, 2:size(m, 2)+1)
end
window_of_rows(m) = PermutedDimsArray(window_of(permutedims(m)), (2, 1))
layouts = ("rows" => turn, "columns" => copy, "a window" => window_of_rows, "its turn" => window_of)
for (name, T) in ("f32" => Float32, "f64" => Float64, "c64" => ComplexF32), (what, layout) in layouts
    local matrix, right = layout(T[0 2; 4 0]), layout(T[2 4; 8 4])
    Blas.gesv!(matrix, right)
    show("solved $name $what", real(rows(right)))
end
row = view([0.0 0 0; 2 4 6], 2:2, :)
Blas.gesv!(fill(2.0, 1, 1), row)
show("one row of columns", row)
for layout in (turn, copy)
    s, u, vt = Blas.gesdd!(layout(ComplexF32[3 0; 0 4; 0 0]))
    order = strides(u) == (1, 3) && strides(vt) == (1, 2) ? "columns" : strides(u) == (2, 1) == strides(vt) ? "rows" : ""
    println(rpad("singular values", 21), " ", join(map(text, s), " "), " ", order)
end
for wrong in (() -> Blas.gemm!(c, a, b[1:2, :]), () -> Blas.dot(Float32[1, 2, 3], x), () -> Blas.gemm!(c, Int32.(a), b),
              () -> Blas.gemm!(c, a, b; alpha = im), () -> Blas.gesv!(zeros(2, 2), ones(2, 1)),
              () -> Blas.gesv!(turn(ones(2, 2)), ones(2, 2)),
              () -> Blas.gesv!(PermutedDimsArray(view(ones(2, 2), :, 2:-1:1), (2, 1)), turn(ones(2, 2))))
    try
        wrong()
    catch error
        println(error.msg)
    end
end
