# SPDX-License-Identifier: Apache-2.0
# Values of every kind but tensors, in and out of C.
import Scalars, DLFerry

show(what, values...) = println(rpad(what, 12), " ", join(values, " "))
real_text(x) = x == round(x) ? string(Int(x)) : string(x)
number(z) = string(real_text(real(z)), imag(z) < 0 ? "" : "+", real_text(imag(z)), "i")
function refused(call)
    try
        call()
        println("not refused")
    catch e
        println(e.msg)
    end
end

show("times", number(Scalars.times(1 + 2im, 3 - 1im)))
show("timesf", number(Scalars.timesf(1im, 1f0im)))
show("real", number(Scalars.times(2, 1.5)))
x = [1.0 + 0im, 1im]
Scalars.scale!(x, 2im)
show("scale", number.(x)...)
y = [2f0 + 0im]
Scalars.scalef!(y)
show("default", number(y[1]))
show("total", number(Scalars.total(x)))
total, odd = Scalars.sum(x[1:1])
show("sum", number(total), Int(odd))
show("triangle", Scalars.triangle(), Scalars.triangle(; uplo = 'L', any = 'y'))
show("grade", Scalars.grade(60))
show("mean", Scalars.mean(view([1.0, 2, 3, 4], 4:-3:1)))
show("within", real_text(Scalars.within()), real_text(Scalars.within(; tolerance = 2, most = 3)))
show("greet", Scalars.greet(; name = "you"), Scalars.greet() === nothing ? "absent" : "present")
show("plan", Scalars.plan(), Scalars.plan(; sign = Scalars.BACKWARD, flags = Scalars.QUICK))
show("modes", Scalars.modes(), Scalars.modes(; modes = Scalars.TWO))
show("fixed", Scalars.fixed(ones(3)))
y = Float32[10, 20]
Scalars.axpy!(y, Float32[1, 2]; alpha = 2)
show("axpy", real_text.(y)...)
z = [0im + 0.0]
Scalars.axpy!(z, [1.0 + 0im]; alpha = im)
show("axpy", number(z[1]))
show("largest", real_text(Scalars.largest(y)), real_text(Scalars.largest([3.0, -4])))
lengths = Scalars.abs([3f0 + 4f0im])
show("abs", real_text(lengths[1]), lowercase(string(eltype(lengths))))
refused(() -> Scalars.triangle(; uplo = 'u'))
refused(() -> Scalars.check(1))
refused(() -> Scalars.count(1))
refused(() -> Scalars.solve(DLFerry.rowmajor([1.0 3; 2 0])))
refused(() -> Scalars.solve(DLFerry.rowmajor([1.0 3; 2 -1])))
refused(() -> Scalars.total(ones(2)))
refused(() -> Scalars.axpy!(copy(y), y; alpha = im))
refused(() -> Scalars.axpy!(y[1:1], Int32[1]))
