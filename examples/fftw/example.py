# SPDX-License-Identifier: Apache-2.0
"""Transform arrays by FFTW: a plan keeps them, so it runs again on what they hold then."""

from concurrent.futures import ThreadPoolExecutor

import dlferry
import fftw
import numpy as np


def show(what, values):
    values = np.asarray(values) + 0  # no negative zero
    if np.iscomplexobj(values):
        words = [f"{v.real + 0:g}{v.imag + 0:+g}i" for v in values]
    else:
        words = [f"{v:g}" for v in values]
    print(f"{what:9}", *words)


def refused(call, *given):
    try:
        call(*given)
    except dlferry.Error as error:
        print(error)


def plans(_):
    """Make, use and free plans; how many were wrong."""
    wrong = 0
    for _ in range(50):
        x, y = np.ones(64, np.complex128), np.zeros(64, np.complex128)
        with fftw.Plan(x, y) as plan:
            fftw.execute(plan)
        wrong += y[0] != 64
    return wrong


x, y = np.array([1, 2, 3, 4], np.complex128), np.zeros(4, np.complex128)
plan = fftw.Plan(x, y)
fftw.execute(plan)
show("c2c", y)
x[0] = 5
fftw.execute(plan)
show("changed", y)
plan.close()

real, half, back = np.array([1.0, 2, 3, 4]), np.zeros(3, np.complex128), np.zeros(4)
with fftw.Plan.dft_r2c_1d(real, half) as forward:
    fftw.execute(forward)
show("r2c", half)
with fftw.Plan.dft_c2r_1d(half, back) as backward:
    fftw.execute(backward)
show("c2r", back)

x, z = np.array([1, 2, 3, 4], np.complex64), np.zeros(4, np.complex64)
with fftw.FftwfPlan(x, z) as single:
    fftw.fftwf_execute(single)
show("single", z)

with ThreadPoolExecutor(4) as pool:
    print("threads   200 plans,", sum(pool.map(plans, range(4))), "wrong")
refused(fftw.Plan, np.zeros(4, np.complex128), np.zeros(3, np.complex128))
refused(fftw.Plan, np.zeros(4), np.zeros(4, np.complex128))
refused(fftw.execute, plan)
