// SPDX-License-Identifier: Apache-2.0

// Call each function of shapes.h well and badly.
package main

import (
	"fmt"
	"strings"

	dlferry "github.com/dlferry/dlferry/bindings/go"
	"shapes"
)

// show writes values alike in all languages.
func show(values ...any) string {
	var words []string
	for _, value := range values {
		switch value := value.(type) {
		case bool:
			words = append(words, map[bool]string{false: "no", true: "yes"}[value])
		case shapes.Phase:
			words = append(words, fmt.Sprint(int32(value)))
		case *dlferry.Tensor:
			words = append(words, elements(value))
		default:
			words = append(words, fmt.Sprint(value))
		}
	}
	return strings.Join(words, " ")
}

func elements(t *dlferry.Tensor) string {
	defer t.Close()
	return slice[float32](t) + slice[float64](t) + slice[int32](t) + slice[int8](t) + slice[uint8](t)
}

// slice writes the elements of one dtype, or nothing.
func slice[T dlferry.Element](t *dlferry.Tensor) (text string) {
	dlferry.With(t, func(e dlferry.Elements[T]) error {
		all, err := e.Slice()
		if err == nil {
			text = "[" + strings.TrimSpace(strings.Trim(fmt.Sprint(all), "[]")) + "]"
		}
		return err
	})
	return text
}

// tell prints the results of a call, or the error's text.
func tell(name string, results ...any) {
	last := len(results) - 1
	if err, ok := results[last].(error); ok {
		fmt.Printf("%-10s%v\n", name, err)
		return
	}
	fmt.Printf("%-10s%s\n", name, show(results[:last]...))
}

func main() {
	two := func(name string) func(a, b any, err error) {
		return func(a, b any, err error) { tell(name, a, b, err) }
	}
	two("next")(shapes.Next(1))
	two("next")(shapes.Next(0))
	step := func(a, b, c, d any, err error) { tell("step", a, b, c, d, err) }
	step(shapes.Step(shapes.StepOptions{By: dlferry.Ptr(int8(-3))}, 2, 0.5, true, shapes.Rest))
	step(shapes.Step(shapes.StepOptions{}, -11, 0.5, true, shapes.Rest))
	step(shapes.Step(shapes.StepOptions{}, 0, 0.5, true, shapes.Run))
	one := func(name string) func(a any, err error) { return func(a any, err error) { tell(name, a, err) } }
	numbers := make([]float64, 300*256)
	for i := range numbers {
		numbers[i] = float64(i)
	}
	one("trace")(shapes.Trace(dlferry.Of(numbers, 3, 2).Strided(0, 4, 1)))
	one("trace")(shapes.Trace(dlferry.Of(numbers, 300, 256)))
	short, long := []float32{1, 2}, []float32{10, 20, 30}
	one("add")(shapes.Add(dlferry.Of(short, 2), dlferry.Of(long, 3)))
	tell("add", shapes.AddInto(dlferry.Of(short, 2), dlferry.Of(long, 3), dlferry.Of(make([]float32, 2), 2)))

	x := dlferry.Of([]float32{-1, 2, 0, 4}, 4)
	one("keep")(shapes.Keep(x))
	one("keep")(shapes.KeepInto(x, dlferry.Of(make([]float32, 5), 5)))
	one("keep")(shapes.KeepInto(x, dlferry.Of(make([]float32, 2), 2)))
	i := dlferry.Of([]int32{5, 6, 0, 7, 1}, 5)
	room := func(n int) dlferry.Arg { return dlferry.Of(make([]int32, n), n) }
	pair := func(a, b *dlferry.Tensor, err error) { tell("find", a, b, err) }
	pair(shapes.Find(i, shapes.FindOptions{Least: dlferry.Ptr(int32(6))}))
	one("find")(shapes.FindInto(i, shapes.FindOptions{Least: dlferry.Ptr(int32(6))}, room(1), room(1)))
	pair(shapes.Find(i, shapes.FindOptions{Least: dlferry.Ptr(int32(5))}))
	one("find")(shapes.FindInto(i, shapes.FindOptions{}, room(256), room(256)))
	one("pack")(shapes.Pack(dlferry.Of([]uint8{1, 1, 1, 2}, 2, 2)))
	one("pack")(shapes.PackInto(dlferry.Of([]uint16{0x0101, 0x0201}, 2), dlferry.Of(make([]uint8, 8), 8)))
	one("unpack")(shapes.Unpack(dlferry.Of([]uint8{4, 7}, 2)))
	one("unpack")(shapes.Unpack(dlferry.Of([]uint8{3, 7}, 2)))
	one("unpack")(shapes.Unpack(dlferry.Of([]uint8{3}, 1)))
	one("down")(shapes.Down(3, room(5)))
	one("down")(shapes.Down(3, room(2)))
	one("down")(shapes.Down(99, room(4)))
	one("lie")(shapes.Lie(2))
	one("lie")(shapes.Lie(-1))
	one("lie")(shapes.LieInto(5, dlferry.Of(make([]float32, 4), 4)))
	one("lie")(shapes.LieWide(1<<64 - 1))
	table, _ := shapes.TableNew(3)
	wide, _ := shapes.TableNew(10)
	defer table.Close()
	defer wide.Close()
	one("weigh")(table.Weigh(dlferry.Of(numbers[1:7], 2, 3)))
	one("weigh")(table.Weigh(dlferry.Of(numbers[1:7], 3, 2)))
	one("weigh")(wide.Weigh(dlferry.Of(numbers[1:7], 2, 3)))
	one("repeat")(table.Repeat(1))
	one("repeat")(table.Repeat(64))
	one("weight")(table.Weight(2))
	one("weight")(table.Weight(3))
	one("weight")(table.Weight(-1))
	one("weight")(wide.Weight(2))
	five, _ := shapes.TableNew(5)
	defer five.Close()
	one("weigh row")(table.WeighRow(dlferry.Of(numbers[1:7], 6)))
	one("weigh row")(table.WeighRow(dlferry.Of(numbers[1:3], 2)))
	one("weigh row")(five.WeighRow(dlferry.Of(numbers[1:3], 2)))
}
