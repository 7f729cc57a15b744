# SPDX-License-Identifier: Apache-2.0
"""Handles of every style: used, closed, closed again, used once closed, and of the wrong class."""

from concurrent.futures import ThreadPoolExecutor

import dlferry
import handles
import numpy as np


def refused(call, *given):
    try:
        call(*given)
    except dlferry.Error as error:
        print(error)


def styles():
    with handles.Sum(1.5) as total:
        handles.add(total, 2.0)
        print("sum", handles.total(total))
    counter, bag = handles.Counter(3), handles.Bag(np.array([1, 2], np.float32))
    print("counter", counter.next(), counter.next(), "bag", bag.count(counter))
    ticket, jar = handles.Ticket(5), handles.Jar(4)
    jar.set(jar.value() + 1)
    print("ticket", ticket.number(), "jar", jar.value())
    refused(handles.Counter, -1)
    refused(handles.Ticket, -1)
    for handle in (counter, counter, ticket, jar):
        handle.close()
    refused(handles.add, total, 1.0)
    refused(counter.next)
    refused(bag.count, counter)
    refused(ticket.number)
    refused(jar.value)
    bag.close()
    print("live", handles.live())


def show(what, values):
    print(what, *(f"{value:g}" for value in np.asarray(values).ravel()))


def gives():
    bag = handles.Bag(np.array([1, 2, 3, 4, 5, 6], np.float32))
    copied, lent, halves, matrix, pairs = bag.values(), bag.show(), bag.halves(2), bag.matrix(), bag.pairs()
    bag.close()
    show("copied", copied)
    show("lent", lent)
    show("halves", halves)
    show("matrix", matrix[0])
    show("letters", matrix[1])
    show("range", handles.range(3))
    show("pairs", np.asarray(pairs).view(np.float32))
    show("circle", np.asarray(handles.circle(3)).view(float))
    print("alive", handles.live())
    refused(handles.range, 13)
    for how in (1, 2, 4, 5):
        refused(handles.wrong, how)
    print("empty", np.asarray(handles.wrong(3)).size)
    refused(bag.values)
    refused(bag.show)
    del copied, lent, halves, matrix, pairs
    print("live", handles.live())


def keeps():
    given, out = np.array([1.0, 2.0]), np.zeros(2)
    with handles.Plan(given, out) as plan:
        plan.run()
        show("doubled", out)
        given[1] = 5
        plan.run()
        show("doubled", out)
        plan.read(np.array([3.0, 4.0]))
        plan.run()
        show("doubled", out)
        refused(plan.read, np.array([-1.0, 4.0]))
        refused(plan.read, np.zeros(2, np.float32))
    refused(handles.Plan, np.zeros(13), np.zeros(13))
    refused(handles.Plan, np.zeros(2), np.zeros(3))
    refused(plan.run)
    print("live", handles.live())


def keeps_objects():
    jar, other, bad = handles.Jar(1), handles.Jar(2), handles.Jar(-1)
    shelf, upper, lower = handles.Shelf(jar), handles.Shelf(), handles.Shelf(None)
    shelf.put(other)
    upper.put(other)
    shelf.stack(upper)
    shelf.stack()
    shelf.stack(upper=upper)
    refused(shelf.put, bad)
    for it in (jar, other, upper, bad):
        it.close()
    print("shelf", shelf.sum(), "furniture", handles.furniture())
    refused(shelf.put, jar)
    refused(shelf.stack, upper)
    lower.stack(shelf)
    refused(shelf.stack, lower)
    shelf.close()
    lower.close()
    print("furniture", handles.furniture(), "read", handles.read_at_the_end())


def make_and_free(outliving):
    """Make, use and close handles, while tensors that they lend outlive them."""
    for i in range(100):
        given, out = np.full(4, i, np.float64), np.zeros(4)
        with handles.Plan(given, out) as plan:
            plan.run()
        bag = handles.Bag(np.array([i, 2], np.float32))
        outliving[i % 7] = bag.show(), bag.halves(1)
        bag.close()
        lent, _ = outliving[i % 7]  # maybe another thread's
        if out[3] != 2 * i or np.asarray(lent)[1] != 2:
            raise RuntimeError(f"{i}: {out}, {lent}")


def threads():
    outliving = {}
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(make_and_free, [outliving] * 4))
    outliving.clear()
    print("collisions", handles.collisions(), "live", handles.live())


styles()
gives()
keeps()
keeps_objects()
threads()
