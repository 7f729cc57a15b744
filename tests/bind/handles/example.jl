# SPDX-License-Identifier: Apache-2.0
# Handles of every style: used, closed, closed again, used once closed.
using Handles

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
    counter, bag = Handles.CounterCreate(3), Handles.BagCreate(Float32[1, 2])
    println("counter ", Handles.CounterNext(counter), " ", Handles.CounterNext(counter), " bag ",
        Handles.BagCount(bag, counter))
    ticket, jar = Handles.ticket_create(5), Handles.jar_new(4)
    Handles.jar_set(jar, Handles.jar_value(jar) + 1)
    println("ticket ", Handles.ticket_number(ticket), " jar ", Handles.jar_value(jar))
    refused(Handles.CounterCreate, -1)
    refused(Handles.ticket_create, -1)
    foreach(close, (counter, counter, ticket, jar))
    refused(Handles.add, total, 1.0)
    refused(Handles.CounterNext, counter)
    refused(Handles.BagCount, bag, counter)
    refused(Handles.ticket_number, ticket)
    refused(Handles.jar_value, jar)
    close(bag)
    println("live ", Handles.live())
end

styles()
