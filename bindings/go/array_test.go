// SPDX-License-Identifier: Apache-2.0

package dlferry

import (
	"math"
	"math/rand/v2"
	"testing"
)

// C accepts all that Go accepts by itself: arrays near the edge of their slice, and any others.
func TestArray_TheQuickYesIsCs(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	pick := func(numbers ...int) int { return numbers[random.IntN(len(numbers))] }
	number := func() int {
		return pick(0, 1, 1, 2, 3, 5, 8, random.IntN(20), -1, -2, -random.IntN(20), 1<<31-1, 1<<31, -1<<31, 1<<32, 1<<62,
			math.MaxInt, math.MinInt)
	}
	dtypes := []DType{Float32, Bool, Complex128, Float4E2M1FN, Float6E2M3FN, NewDType(1, 8, 4), NewDType(2, 0, 1),
		NewDType(2, 32, 0), NewDType(1, 1, 3), NewDType(17, 8, 1), NewDType(99, 24, 1), NewDType(0, 255, 65535)}
	slice, yes, no, both := make([]uint16, 60), 0, 0, 0
	for range 400000 {
		shape := make([]int, pick(0, 1, 1, 2, 2, 3, 65))
		for i := range shape {
			shape[i] = max(number(), pick(0, 0, 0, math.MinInt))
		}
		if random.IntN(8) == 0 {
			shape = nil
		}
		a := Of(slice[:random.IntN(len(slice)+1)], shape...)
		if random.IntN(3) == 0 {
			a = a.As(dtypes[random.IntN(len(dtypes))])
		}
		if random.IntN(2) == 0 {
			strides := make([]int, max(len(a.extents())+pick(0, 0, 0, 0, 0, 1, -1), 0))
			for i := range strides {
				strides[i] = number()
			}
			a = a.Strided(number(), strides...)
		}
		err := a.checkWindow("window")
		switch {
		case a.fits() && err != nil && a.as != NewDType(17, 8, 1): // a dtype that C refuses when it is used
			t.Fatalf("yes to %+v, to which C says %v", *a, err)
		case a.fits():
			yes++
		case err == nil:
			both++
		default:
			no++
		}
		if err == nil {
			if f := a.flat(); f.Data == nil {
				t.Fatalf("no address for %+v", *a)
			}
			tensor, err := a.Wrap()
			if err != nil && !(a.as == NewDType(17, 8, 1)) {
				t.Fatalf("wrap refuses %+v: %v", *a, err)
			}
			tensor.Close()
		}
	}
	if yes < 1000 || no < 1000 || both < 10 {
		t.Errorf("%d are plain, %d refused, %d others", yes, no, both)
	}
}
