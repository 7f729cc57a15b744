# SPDX-License-Identifier: Apache-2.0
# Handles of every style: used, closed, closed again, used once closed.
using Handles, Printf

refused(call, given...) =
    try
        call(given...)
    catch error
        println(error.msg)
    end

function styles()
    total = Handles.begin_(1.5)
    Handles.add(total, 2.0)
    println("sum ", Handles.total(total))
    close(total)
    counter, bag = Handles.counter_create(3), Handles.bag_create(Float32[1, 2])
    println("counter ", Handles.counter_next(counter), " ", Handles.counter_next(counter), " bag ",
        Handles.bag_count(bag, counter))
    ticket, jar = Handles.ticket_create(5), Handles.jar_new(4)
    Handles.jar_set(jar, Handles.jar_value(jar) + 1)
    println("ticket ", Handles.ticket_number(ticket), " jar ", Handles.jar_value(jar))
    refused(Handles.counter_create, -1)
    refused(Handles.ticket_create, -1)
    foreach(close, (counter, counter, ticket, jar))
    refused(Handles.add, total, 1.0)
    refused(Handles.counter_next, counter)
    refused(Handles.bag_count, bag, counter)
    refused(Handles.ticket_number, ticket)
    refused(Handles.jar_value, jar)
    close(bag)
    println("live ", Handles.live())
end

function show_all(what, values)
    print(what)
    foreach(value -> @printf(" %g", value), ndims(values) == 2 ? permutedims(values) : values)
    println()
end

function gives()
    bag = Handles.bag_create(Float32[1, 2, 3, 4, 5, 6])
    copied, lent, halves = Handles.bag_values(bag), Handles.bag_show(bag), Handles.bag_halves(bag, 2)
    matrix, letters = Handles.bag_matrix(bag)
    pairs = Handles.bag_pairs(bag)
    close(bag)
    show_all("copied", copied)
    show_all("lent", lent)
    show_all("halves", halves)
    show_all("matrix", matrix)
    show_all("letters", letters)
    numbers = Handles.range(3)
    show_all("range", numbers)
    close(numbers)
    show_all("pairs", reinterpret(Float32, pairs))
    circle = Handles.circle(3)
    show_all("circle", reinterpret(Float64, circle))
    close(circle)
    println("alive ", Handles.live())
    refused(Handles.range, 13)
    foreach(how -> refused(Handles.wrong, how), (1, 2, 4, 5))
    empty = Handles.wrong(3)
    println("empty ", length(empty))
    refused(Handles.bag_values, bag)
    refused(Handles.bag_show, bag)
    foreach(close, (copied, lent, halves, matrix, letters, pairs, empty))
    println("live ", Handles.live())
end

function keeps()
    given, out = [1.0, 2.0], zeros(2)
    plan = Handles.plan_make(given, out)
    Handles.plan_run(plan)
    show_all("doubled", out)
    given[2] = 5
    Handles.plan_run(plan)
    show_all("doubled", out)
    Handles.plan_read(plan, [3.0, 4.0])
    GC.gc() # what C keeps stays where it is
    Handles.plan_run(plan)
    show_all("doubled", out)
    refused(Handles.plan_read, plan, [-1.0, 4.0])
    refused(Handles.plan_read, plan, zeros(Float32, 2))
    close(plan)
    refused(Handles.plan_make, zeros(13), zeros(13))
    refused(Handles.plan_make, zeros(2), zeros(3))
    refused(Handles.plan_run, plan)
    println("live ", Handles.live())
end

function keeps_objects()
    jar, other, bad = Handles.jar_new(1), Handles.jar_new(2), Handles.jar_new(-1)
    shelf, upper, lower = Handles.shelf_new(first = jar), Handles.shelf_new(), Handles.shelf_new(first = nothing)
    Handles.shelf_put(shelf, other)
    Handles.shelf_put(upper, other)
    Handles.shelf_stack(shelf, upper = upper)
    Handles.shelf_stack(shelf)
    Handles.shelf_stack(shelf, upper = upper)
    refused(Handles.shelf_put, shelf, bad)
    foreach(close, (jar, other, upper, bad))
    println("shelf ", Handles.shelf_sum(shelf), " furniture ", Handles.furniture())
    refused(Handles.shelf_put, shelf, jar)
    refused(() -> Handles.shelf_stack(shelf, upper = upper))
    Handles.shelf_stack(lower, upper = shelf)
    refused(() -> Handles.shelf_stack(shelf, upper = lower))
    close(shelf)
    close(lower)
    println("furniture ", Handles.furniture(), " read ", Handles.read_at_the_end())
end

# Make, use and close handles, while tensors that they lend outlive them in other tasks.
function make_and_free(outliving)
    for i = 1:100
        out = zeros(1)
        Handles.plan_make(Handles.plan_run, [Float64(i)], out)
        bag = Handles.bag_create(Float32[i, 2])
        put!(outliving, Handles.bag_show(bag))
        put!(outliving, Handles.bag_halves(bag, 1))
        close(bag)
        for _ = 1:2
            values = take!(outliving)
            out[1] == 2i && length(values) == 2 || error("$i: $out, $values")
            close(values)
        end
    end
end

function threads()
    outliving = Channel{Any}(16)
    foreach(wait, [Threads.@spawn(make_and_free(outliving)) for _ = 1:4])
    println("collisions ", Handles.collisions(), " live ", Handles.live())
end

styles()
gives()
keeps()
keeps_objects()
threads()
