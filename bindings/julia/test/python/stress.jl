# SPDX-License-Identifier: Apache-2.0
# Threads of Julia and of Python exchange arrays while both collect garbage. What could deadlock: a thread holds the GIL
# and waits for Julia's other threads, which its collection stops, and one of these waits for the GIL.

const python_side = """
    import queue, random, sys
    sys.setswitchinterval(1e-4) # threads take turns more often
    given = queue.Queue(64)
    state = {'stop': False, 'taken': 0}

    def make(_):
        return numpy.full((random.randrange(1, 40), 5), 2.0)

    def take(x):
        try:
            given.put_nowait(x)
        except queue.Full:
            pass

    def work():
        while not state['stop'] or not given.empty():
            try:
                x = given.get(timeout=0.01)
            except queue.Empty:
                continue
            a = numpy.from_dlpack(x)
            assert (a == 3).all()
            a[0] = 3
            state['taken'] += 1
            if state['taken'] % 50 == 0:
                cycle = [a]
                cycle.append(cycle)
            if state['taken'] % 500 == 0:
                gc.collect()

    workers = [threading.Thread(target=work) for _ in range(2)]
    for worker in workers:
        worker.start()
    """

function import_one(make, n)
    object = Python.apply(make, make)
    t = from_python(object)
    Python.drop(object)
    A = DLArray(t)
    n % 3 == 0 && close(t) # before the array, or not: then the collector finds it
    all(==(2.0), A) || error("expected twos, got $A")
    n % 2 == 0 && close(A)
    return nothing
end

function export_one(take, n)
    A = fill(3.0, rand(1:40), 5)
    object = n % 2 == 0 ? to_python(A) : to_python(wrap(A))
    result = Python.apply(take, object)
    Python.drop(object, result)
    return nothing
end

"Exchange for some seconds; returns how often each thing was done."
function stress(seconds)
    Python.run(python_side)
    make, take = Python.get_object("make"), Python.get_object("take")
    imports, exports, collections = (Threads.Atomic{Int}(0) for _ in 1:3)
    ends = time() + seconds
    Threads.@threads for thread in 1:Threads.nthreads()
        n = 0
        while time() < ends
            n += 1
            import_one(make, n)
            Threads.atomic_add!(imports, 1)
            export_one(take, n)
            Threads.atomic_add!(exports, 1)
            if n % 7 == 0
                Python.with_gil(() -> GC.gc(n % 700 == 0)) # the others may wait for the GIL
                Threads.atomic_add!(collections, 1)
            end
        end
    end
    Python.run("""
        state['stop'] = True
        for worker in workers:
            worker.join()
        taken = state['taken']
        """)
    Python.drop(make, take)
    taken = Python.holds("taken > 0") ? 1 : 0
    return (imports = imports[], exports = exports[], collections_with_gil = collections[], taken_by_python = taken)
end
