// SPDX-License-Identifier: Apache-2.0

// Handles of every style: used, closed, closed again, used once closed.
package main

import (
	"fmt"
	"io"
	"log"

	"handles"

	dlferry "github.com/dlferry/dlferry/bindings/go"
)

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func done(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func styles() {
	total := must(handles.Begin(1.5))
	done(handles.Add(total, 2))
	fmt.Println("sum", must(handles.Total(total)))
	done(total.Close())
	counter, bag := must(handles.CounterCreate(3)), must(handles.BagCreate(dlferry.Of([]float32{1, 2}, 2)))
	fmt.Println("counter", must(counter.Next()), must(counter.Next()), "bag", must(bag.Count(counter)))
	ticket, jar := must(handles.TicketCreate(5)), must(handles.JarNew(4))
	done(jar.Set(must(jar.Value()) + 1))
	fmt.Println("ticket", must(ticket.Number()), "jar", must(jar.Value()))
	_, err := handles.CounterCreate(-1)
	fmt.Println(err)
	_, err = handles.TicketCreate(-1)
	fmt.Println(err)
	for _, handle := range []io.Closer{counter, counter, ticket, jar} {
		done(handle.Close())
	}
	fmt.Println(handles.Add(total, 1))
	_, err = counter.Next()
	fmt.Println(err)
	_, err = bag.Count(counter)
	fmt.Println(err)
	_, err = ticket.Number()
	fmt.Println(err)
	_, err = jar.Value()
	fmt.Println(err)
	done(bag.Close())
	fmt.Println("live", must(handles.Live()))
}

func main() {
	styles()
}
