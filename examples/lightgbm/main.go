// SPDX-License-Identifier: Apache-2.0

// Train, save and load a model by LightGBM, and predict from arrays where they are.
package main

import (
	"fmt"
	"log"
	"os"
	"strings"

	"lgb"

	dlferry "github.com/dlferry/dlferry/bindings/go"
)

const (
	parameters          = "objective=binary num_leaves=7 min_data_in_leaf=5 num_threads=1 deterministic=true verbosity=-1"
	normal, all, splits = 0, -1, 0
	count, features     = 300, 4
)

// samples are numbers from 0 to 1 of a fixed formula, and a label for each row.
func samples() (x, y []float32) {
	x, y = make([]float32, count*features), make([]float32, count)
	state := uint64(1)
	for i := range x {
		state = (state*1103515245 + 12345) % (1 << 31)
		x[i] = float32(state>>15) / 65536
	}
	for i := range y {
		if row := x[i*features:]; row[0]+row[1]*row[2] > 0.75 {
			y[i] = 1
		}
	}
	return x, y
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func done(err error) { must(0, err) }

func show(what string, numbers []float64) {
	fmt.Printf("%-20s", what)
	for _, number := range numbers {
		fmt.Printf(" %.4f", number)
	}
	fmt.Println()
}

// first reads the first numbers of a tensor, and closes it.
func first(tensor *dlferry.Tensor, err error) []float64 {
	elements := must(dlferry.Look[float64](must(tensor, err)))
	numbers := []float64{}
	for i := range min(3, tensor.Shape()[0]) {
		numbers = append(numbers, elements.At(i))
	}
	done(tensor.Close())
	return numbers
}

// trees is the text of a model without the parameters that follow.
func trees(booster *lgb.Booster) string {
	text, _, _ := strings.Cut(must(booster.SaveModelToString(0, all, splits)), "parameters")
	return text
}

func truth(value bool) string {
	if value {
		return "True"
	}
	return "False"
}

func main() {
	x, y := samples()
	rows := dlferry.Of(x, count, features)
	train := must(lgb.DatasetCreateFromMat(rows, parameters, nil))
	done(train.SetField("label", dlferry.Of(y, count)))
	fmt.Printf("%d samples, %d features\n", must(train.GetNumData()), must(train.GetNumFeature()))
	booster := must(lgb.BoosterCreate(train, parameters))
	done(train.Close()) // the booster keeps it
	for range 20 {
		must(booster.UpdateOneIter())
	}
	out := make([]float64, count)
	must(booster.PredictForMatInto(rows, normal, 0, all, "", dlferry.Of(out, count)))
	right := 0
	for i := range y {
		if out[i] > 0.5 == (y[i] > 0.5) {
			right++
		}
	}
	fmt.Printf("%d rounds, %d right\n", must(booster.GetCurrentIteration()), right)
	show("predicted", first(booster.PredictForMat(rows, normal, 0, all, "")))
	show("into an array", out[:3])
	show("one row", first(booster.PredictForMatSingleRow(dlferry.Of(x[:features], features), normal, 0, all, "")))
	show("splits", first(booster.FeatureImportance(all, splits)))
	done(booster.SaveModel(0, all, splits, os.Args[1]+"/model.txt"))
	_, other, err := lgb.BoosterCreateFromModelfile(os.Args[1] + "/model.txt")
	done(err)
	show("loaded", first(other.PredictForMat(rows, normal, 0, all, "")))
	fmt.Println("the same text       ", truth(trees(other) == trees(booster)))
	done(other.Close())
	_, err = lgb.DatasetCreateFromMat(dlferry.Of(make([]uint8, len(x)), count, features), parameters, nil)
	fmt.Println(err)
	turned := dlferry.Of(x, features, count).Strided(0, 1, features)
	_, err = booster.PredictForMat(turned, normal, 0, all, "")
	fmt.Println(err)
	_, err = booster.PredictForMat(dlferry.Of(x[:2*count], count, 2), normal, 0, all, "")
	fmt.Println(err)
	_, err = other.GetCurrentIteration()
	fmt.Println(err)
	_, err = train.GetNumData()
	fmt.Println(err)
	done(booster.Close())
}
