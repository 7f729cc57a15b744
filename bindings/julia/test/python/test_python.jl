# SPDX-License-Identifier: Apache-2.0
# Tensors as Python objects, with a real Python in this process: test_python.jl [SECONDS], of stress. Exits with 77 if
# there is none.
using DLFerry, Test
include("../thrown.jl")
include("python.jl")

const missing_python = Python.start()
missing_python === nothing || (println("not run: ", missing_python); exit(77))

"Release what both collectors held back; return the number of tensors left."
function settle()
    for _ in 1:3
        GC.gc()
        Python.run("gc.collect()")
        yield()
    end
    return DLFerry.live()
end

"The Python object of a variable, for the time of a call."
function with_object(f, name)
    object = Python.get_object(name)
    try
        return f(object)
    finally
        Python.drop(object)
    end
end

@testset "from Python" begin
    Python.run("a = numpy.arange(6, dtype=numpy.float32).reshape(2, 3)")
    t = with_object(from_python, "a")
    A = DLArray(t)
    @test A == Float32[0 1 2; 3 4 5] && DLFerry.describe(t) == "float32[2, 3] cpu"
    A[2, 3] = 60
    @test Python.holds("a[1, 2] == 60")
    Python.run("del a; gc.collect()")
    @test A[2, 3] == 60 # the tensor keeps it
    close(A)
    close(t)
end

@testset "a copy, a device, read-only" begin
    Python.run("a = numpy.zeros(3); b = numpy.zeros(3); b.flags.writeable = False")
    with_object("a") do a
        t = from_python(a; copy = :always)
        DLArray(t)[1] = 1
        @test Python.holds("a[0] == 0") && DLFerry.device(from_python(a; device = "cpu")) == "cpu"
        @test thrown(() -> from_python(a; device = "cuda:0")) isa DLFerryError
        close(t)
    end
    @test isreadonly(with_object(from_python, "b"))
end

@testset "other objects, and exceptions" begin
    Python.run("""
        class Bad:
            def __dlpack__(self, **words): raise RuntimeError('no elements today')
            def __dlpack_device__(self): return (1, 0)
        a, b = 'text', Bad()
        """)
    refused = thrown(() -> with_object(from_python, "a"))
    @test refused isa ArgumentError
    @test refused.msg == "from_python: expected an array with __dlpack__ or a DLPack capsule, got str"
    raised = thrown(() -> with_object(from_python, "b"))
    @test raised.status === :FOREIGN && endswith(raised.msg, "which raised RuntimeError: no elements today")
    @test thrown(() -> from_python(C_NULL)) isa ArgumentError
end

# Each is a tensor or an error, keeps nothing, and leaves no exception behind. Its name tells which, by a plus.
@testset "hostile objects" begin
    source = read(joinpath(get(ENV, "DLFERRY_CASES", joinpath(@__DIR__, "..", "..", "..", "..", "tests", "cases")), "hostile.py"), String)
    names = [m[1] for m in eachmatch(r"^    \"([^\"]+)\": "m, source)]
    Python.run("import sys\n" * source)
    @test Python.holds("len(objects) == $(length(names))")
    "What an import throws, or nothing."
    failure(object, copy) = try
        t = from_python(object; copy = copy)
        startswith(DLFerry.describe(t), "float32[2, 3]") || error("expected float32[2, 3], got $t")
        close(t)
    catch e
        e
    end
    function try_one(name, object, copy)
        result = failure(object, copy)
        good = startswith(name, "+")
        @test (name, copy, result isa Union{DLFerryError,ArgumentError,DimensionMismatch,OverflowError}) == (name, copy, !good)
        @test result === nothing || !isempty(result.msg)
    end
    for name in names, copy in (:if_needed, :always, :never)
        Python.run("one, before = objects['$name'], sys.getrefcount(array)")
        with_object(object -> try_one(name, object, copy), "one")
        Python.run("one = kept = None; gc.collect()")
        @test (name, Python.holds("sys.getrefcount(array) == before and sys.exc_info() == (None, None, None)")) == (name, true)
    end
    # From several threads; what needs a whole stack or starts threads does not take part.
    several = filter(name -> name != "nested" && name != "+threads", names)
    objects = map(several) do name
        Python.run("one = objects['$name']")
        Python.get_object("one")
    end
    failures = Threads.Atomic{Int}(0)
    Threads.@threads for _ in 1:4
        for (name, object) in zip(several, objects)
            result = failure(object, :if_needed)
            (result === nothing) == startswith(name, "+") || Threads.atomic_add!(failures, 1)
        end
    end
    @test failures[] == 0
    Python.drop(objects...)
    Python.run("objects.clear(); one = kept = None")
end

@testset "to Python" begin
    M = Float64[1 2 3; 4 5 6]
    with_object("numpy") do numpy
        for x in (M, wrap(M), view(M, :, 1:2:3), M', DLArray(wrap(M)), rowmajor(M))
            object = to_python(x; like = numpy)
            Python.set_object("x", object)
            @test Python.holds("isinstance(x, numpy.ndarray) and x.shape == $(size(x)) and x.sum() == $(sum(DLArray(wrap(x))))")
            Python.drop(object)
        end
    end
    object = to_python(M) # for any consumer
    Python.set_object("x", object)
    Python.drop(object)
    Python.run("x = numpy.from_dlpack(x); x[0, 2] = 30")
    @test M[1, 3] == 30
    closed = wrap(M)
    close(closed)
    @test_throws ArgumentError to_python(closed)
    # Python keeps the array.
    function hand_over()
        object = to_python(fill(7.0, 1000))
        Python.set_object("x", object)
        Python.drop(object)
    end
    hand_over()
    GC.gc()
    [fill(-1.0, 1000) for _ in 1:2000]
    @test Python.holds("(numpy.from_dlpack(x) == 7).all()")
    Python.run("x = None")
end

include("stress.jl")
const seconds = parse(Float64, get(ARGS, 1, "3"))
# Threads that wait for each other forever end by a signal.
ccall(:alarm, Cuint, (Cuint,), 100 + round(Int, seconds))

@testset "the thread that holds the GIL collects while another waits for it: $name" for (name, wait) in (
    ("from_python", () -> (o = Python.get_object("numpy_array"); () -> (close(from_python(o)); Python.drop(o)))),
    ("to_python", () -> () -> Python.drop(to_python([1.0]))),
    ("close", () -> (t = with_object(from_python, "numpy_array"); () -> close(t))),
    ("a forgotten tensor", () -> (forget() = (with_object(from_python, "numpy_array"); nothing); forget(); settle)))
    Python.run("numpy_array = numpy.zeros(3)")
    go, held, waiting = wait(), Threads.Atomic{Int}(0), Threads.Atomic{Int}(0)
    Threads.nthreads() > 1 && Threads.@threads for k in 1:2
        if k == 1
            Python.with_gil() do
                held[] = 1
                while waiting[] == 0
                    GC.safepoint()
                end
                Libc.systemsleep(0.02) # now the other one is in C
                GC.gc()
            end
        else
            while held[] == 0
                GC.safepoint()
            end
            waiting[] = 1
            go()
        end
    end
    @test held[] == (Threads.nthreads() > 1)
end

@testset "stress" begin
    report = stress(seconds)
    println("stress: $(Threads.nthreads()) threads of Julia, 2 of Python, $seconds s: $report")
    @test all(>(0), report)
end

@testset "nothing leaked" begin
    Python.run("x = a = b = numpy_array = None")
    @test settle() == 0
end
