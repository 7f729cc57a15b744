// SPDX-License-Identifier: Apache-2.0

// Search vectors with faiss, and compare what it finds with brute force.
package main

import (
	"fmt"
	"log"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"faiss"

	dlferry "github.com/dlferry/dlferry/bindings/go"
)

func check[T any](value T, err error) T {
	must(err)
	return value
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// Vectors of eight whole numbers from 0 to 255, the same in every language.
func vectors(count, seed int) []float32 {
	numbers := make([]float32, count*8)
	for i := range numbers {
		seed = (seed*1103515245 + 12345) % (1 << 31)
		numbers[i] = float32(seed >> 16 & 255)
	}
	return numbers
}

func show(what string, numbers ...any) {
	fmt.Printf("%-23s %s", what, fmt.Sprintln(numbers...))
}

func refused(err error) {
	text, _, _ := strings.Cut(err.Error(), " at ./")
	fmt.Println(text)
}

// Copy a tensor's elements and release it.
func take[T dlferry.Element](t *dlferry.Tensor) []T {
	defer t.Close()
	elements := check(dlferry.Look[T](t))
	return append([]T{}, check(elements.Slice())...)
}

func search(index *faiss.Index, x dlferry.Arg) ([]float32, []int64) {
	distances, labels, err := index.Search(x, 3)
	must(err)
	return take[float32](distances), take[int64](labels)
}

const count, asked = 640, 4

func main() {
	base, queries := vectors(count, 1), vectors(asked, 2)
	var squares [asked][count]float32
	var nearest [asked][]int
	for i := range squares {
		for j := range squares[i] {
			for k := 0; k < 8; k++ {
				d := queries[i*8+k] - base[j*8+k]
				squares[i][j] += d * d
			}
			nearest[i] = append(nearest[i], j)
		}
		sort.Slice(nearest[i], func(a, b int) bool { return squares[i][nearest[i][a]] < squares[i][nearest[i][b]] })
		nearest[i] = nearest[i][:3]
	}
	x := dlferry.Of(queries, asked, 8)
	differ := func(labels []int64) (wrong int) {
		for i, label := range labels {
			if int(label) != nearest[i/3][i%3] {
				wrong++
			}
		}
		return
	}

	index := check(faiss.IndexNew(8, "Flat", faiss.IndexNewOptions{}))
	defer index.Close()
	must(index.Add(dlferry.Of(base, count, 8)))
	show("vectors, numbers", check(index.Ntotal()), check(index.D()))
	distances, labels := search(index, x)
	for i := range nearest {
		show("nearest", labels[3*i], labels[3*i+1], labels[3*i+2])
	}
	show("wrong labels", differ(labels))
	wrong := 0
	for i, distance := range distances {
		if distance != squares[i/3][nearest[i/3][i%3]] {
			wrong++
		}
	}
	show("wrong distances", wrong)

	found := check(faiss.RangeSearchResultFromSearch(index, x, 25000))
	lent, within, far, err := found.All()
	must(err)
	must(found.Close()) // the tensors keep it
	lims, ids := take[uint64](lent), take[int64](within)
	must(far.Close())
	show("within 25000, limits", lims[0], lims[1], lims[2], lims[3], lims[4])
	wrong = 0
	for i := range squares {
		expected := map[int64]bool{}
		for j, d := range squares[i] {
			if d < 25000 {
				expected[int64(j)] = true
			}
		}
		row := ids[lims[i]:lims[i+1]]
		same := len(row) == len(expected)
		for _, id := range row {
			same = same && expected[id]
		}
		if !same {
			wrong++
		}
	}
	show("wrong rows", wrong)

	ivf := check(faiss.IndexNew(8, "IVF16,Flat", faiss.IndexNewOptions{}))
	defer ivf.Close()
	_, _, err = ivf.Search(x, 3)
	refused(err)
	refused(ivf.Add(dlferry.Of(base, count, 8)))
	must(ivf.Train(dlferry.Of(base, count, 8)))
	show("trained", check(ivf.IsTrained()))
	must(ivf.Add(dlferry.Of(base, count, 8)))
	space := check(faiss.ParameterSpaceNew())
	defer space.Close()
	for _, lists := range []int{1, 16} {
		must(space.SetIndexParameter(ivf, "nprobe", float64(lists)))
		_, labels = search(ivf, x)
		hits := 0
		for i, label := range labels {
			for _, id := range nearest[i/3] {
				if int(label) == id {
					hits++
				}
			}
		}
		show(fmt.Sprintf("found in %d of 16 lists", lists), map[bool]string{true: "all", false: "some"}[hits == 12])
	}

	file := filepath.Join(os.Args[1], "index")
	must(index.Write(file))
	read := check(faiss.IndexRead(file))
	defer read.Close()
	show("read from a file", check(read.Ntotal()))
	_, labels = search(read, x)
	show("wrong labels", differ(labels))

	_, _, err = index.Search(dlferry.Of(base[:count*7], count, 7), 3)
	refused(err)
	_, _, err = index.Search(x, 0)
	refused(err)
	_, _, err = index.Search(dlferry.Of(make([]float64, asked*8), asked, 8), 3)
	refused(err)
}
