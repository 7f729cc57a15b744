# SPDX-License-Identifier: Apache-2.0
# Transform arrays by FFTW: a plan keeps them, so it runs again on what they hold then.
using Fftw, Printf

word(x::Complex) = @sprintf("%g%+gi", real(x) + 0, imag(x) + 0) # no negative zero
word(x::Real) = @sprintf("%g", x)
show_all(what, values) = println(rpad(what, 9), " ", join(word.(values), " "))

refused(call, given...) =
    try
        call(given...)
    catch error
        println(error.msg)
    end

function plans()
    wrong = 0
    for _ = 1:50
        x, y = ones(ComplexF64, 64), zeros(ComplexF64, 64)
        Fftw.plan_dft_1d(Fftw.execute, x, y)
        wrong += y[1] != 64
    end
    return wrong
end

x, y = ComplexF64[1, 2, 3, 4], zeros(ComplexF64, 4)
plan = Fftw.plan_dft_1d(x, y)
Fftw.execute(plan)
show_all("c2c", y)
x[1] = 5
Fftw.execute(plan)
show_all("changed", y)
close(plan)

half, back = zeros(ComplexF64, 3), zeros(4)
Fftw.plan_dft_r2c_1d(Fftw.execute, [1.0, 2.0, 3.0, 4.0], half)
show_all("r2c", half)
Fftw.plan_dft_c2r_1d(Fftw.execute, half, back)
show_all("c2r", back)

single = zeros(ComplexF32, 4)
Fftw.fftwf_plan_dft_1d(Fftw.fftwf_execute, ComplexF32[1, 2, 3, 4], single)
show_all("single", single)

println("threads   200 plans, ", sum(fetch.([Threads.@spawn(plans()) for _ = 1:4])), " wrong")
refused(Fftw.plan_dft_1d, zeros(ComplexF64, 4), zeros(ComplexF64, 3))
refused(Fftw.plan_dft_1d, zeros(4), zeros(ComplexF64, 4))
refused(Fftw.execute, plan)
