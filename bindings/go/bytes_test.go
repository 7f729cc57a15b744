// SPDX-License-Identifier: Apache-2.0

package dlferry

import (
	"bytes"
	"errors"
	"io"
	"testing"
)

func TestWithBytes_IsTheMemory(t *testing.T) {
	pixels := []uint16{1, 2, 3, 4, 5, 6}
	tensor := must(Wrap(pixels, 2, 3))
	defer tensor.Close()
	err := tensor.WithBytes(true, func(memory []byte) error {
		if len(memory) != 12 || memory[2] != 2 {
			t.Errorf("the memory is %v", memory)
		}
		_, err := io.ReadFull(bytes.NewReader([]byte{7, 0, 8, 1, 9, 0, 0, 0, 0, 0, 0, 0}), memory)
		return err
	})
	if err != nil || pixels[0] != 7 || pixels[1] != 256+8 {
		t.Errorf("the pixels are %v, %v", pixels, err)
	}
	if err := tensor.WithBytes(false, func([]byte) error { return io.EOF }); err != io.EOF {
		t.Errorf("expected the function's error, got %v", err)
	}
}

func TestWithBytes_StaysAliveInside(t *testing.T) {
	before := Live()
	tensor := must(Create(Float32, CPU, 100))
	err := tensor.WithBytes(true, func(memory []byte) error {
		tensor.Close()
		if Live() != before+1 {
			t.Error("released while its bytes are in use")
		}
		memory[399] = 1
		return nil
	})
	if err != nil || Live() != before {
		t.Errorf("%v, %d alive", err, Live()-before)
	}
}

func TestWithBytes_RefusesNoFunction(t *testing.T) {
	tensor := must(Create(Int8, CPU, 1))
	defer tensor.Close()
	for _, err := range []error{tensor.WithBytes(false, nil), tensor.WithSpan(false, nil)} {
		if !errors.Is(err, ErrInvalid) || err.Error() != "elements: expected a function, got nil" {
			t.Errorf("got %v", err)
		}
	}
}

func TestWithBytes_Refuses(t *testing.T) {
	closed := must(Create(Int8, CPU, 1))
	closed.Close()
	strided := must(Of([]int32{0, 1, 2, 3, 4, 5}, 3, 2).Strided(0, 1, 3).Wrap())
	defer strided.Close()
	readOnly := must(Of([]int8{1, 2}, 2).ReadOnly().Wrap())
	defer readOnly.Close()
	nibbles := must(Create(NewDType(0, 4, 1), CPU, 6))
	defer nibbles.Close()
	empty := must(Create(Complex128, CPU, 3, 0))
	defer empty.Close()
	for _, c := range []struct {
		tensor *Tensor
		write  bool
		status error
		text   string
	}{
		{nil, false, ErrInvalid, "elements: expected a tensor, got nil"},
		{closed, false, ErrInvalid, "elements: expected an open tensor, got a closed one"},
		{strided, false, ErrLayout, "elements: expected row-major elements, got shape [3, 2] with strides [1, 3]: pass a row-major copy"},
		{readOnly, true, ErrReadOnly, "elements: expected writable data, got read-only"},
		{readOnly, false, nil, ""},
		{nibbles, false, ErrUnsupported, "elements: expected elements of whole bytes, got int4"},
		{empty, true, nil, ""},
	} {
		called := false
		err := c.tensor.WithBytes(c.write, func(memory []byte) error {
			called = true
			return nil
		})
		if called != (c.status == nil) || !errors.Is(err, c.status) || err != nil && err.Error() != c.text {
			t.Errorf("expected %q, got %v", c.text, err)
		}
	}
}
