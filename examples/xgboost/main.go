// SPDX-License-Identifier: Apache-2.0

// Train, save and load a model by XGBoost, and predict from arrays where they are.
package main

import (
	"fmt"
	"log"
	"os"

	"xgb"

	dlferry "github.com/dlferry/dlferry/bindings/go"
)

const (
	read    = `{"missing": NaN, "nthread": 1}`
	predict = `{"type": 0, "training": false, "iteration_begin": 0, "iteration_end": 0, "strict_shape": true,
	  "missing": NaN, "cache_id": 0}`
	count, features = 300, 4
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

func show(what string, predicted *dlferry.Tensor) {
	elements := must(dlferry.Look[float32](predicted))
	fmt.Printf("%-20s %.4f %.4f %.4f\n", what, elements.At(0, 0), elements.At(1, 0), elements.At(2, 0))
	done(predicted.Close())
}

func main() {
	folder := os.Args[1]
	x, y := samples()
	rows := dlferry.Of(x, count, features)
	train := must(xgb.DMatrixCreateFromDense(rows, read))
	done(train.SetInfo("label", dlferry.Of(y)))
	booster := must(xgb.BoosterCreate())
	for _, pair := range [][2]string{
		{"objective", "binary:logistic"}, {"max_depth", "3"}, {"nthread", "1"}, {"num_feature", "4"},
	} {
		done(booster.SetParam(pair[0], pair[1]))
	}
	for i := range int32(20) {
		done(booster.UpdateOneIter(i, train))
	}
	fmt.Printf("%d samples, %d features, %d rounds\n", must(train.NumRow()), must(train.NumCol()),
		must(booster.BoostedRounds()))
	predicted := must(booster.PredictInPlace(rows, predict))
	right, elements := 0, must(dlferry.Look[float32](predicted))
	for i := range y {
		if elements.At(i, 0) > 0.5 == (y[i] > 0.5) {
			right++
		}
	}
	fmt.Println(right, "right")
	show("in place", predicted)
	show("from a matrix", must(booster.Predict(train, predict)))
	thirds := dlferry.Of(x, count/3, features).Strided(0, 3*features, 1)
	show("from every third", must(booster.PredictInPlace(thirds, predict)))
	columns := make([]float32, len(x))
	for i := range count {
		for k := range features {
			columns[k*count+i] = x[i*features+k]
		}
	}
	turned := dlferry.Of(columns, count, features).Strided(0, 1, count)
	show("from columns", must(booster.PredictInPlace(turned, predict)))
	done(booster.SaveModel(folder + "/model.json"))
	other := must(xgb.BoosterCreate())
	done(other.LoadModel(folder + "/model.json"))
	show("loaded", must(other.PredictInPlace(rows, predict)))
	done(other.Close())
	_, err := xgb.DMatrixCreateFromDense(dlferry.Of(make([]uint8, len(x)), count, features), read)
	fmt.Println(err)
	_, err = xgb.DMatrixCreateFromDense(dlferry.Of(x[:features]), read)
	fmt.Println(err)
	_, err = other.BoostedRounds()
	fmt.Println(err)
	done(booster.Close())
	done(train.Close())
}
