// SPDX-License-Identifier: Apache-2.0

//go:build cgo

// Package generated is the plumbing of packages that dlferry-bind writes. Programs do not need it.
//
// It is stable only between a generator and the module of the same version, without a promise beyond: a generated
// package requires the version that wrote it, or a later one of the same minor version.
package generated

import (
	"strconv"
	"strings"

	dlferry "github.com/dlferry/dlferry/bindings/go"
	"github.com/dlferry/dlferry/bindings/go/internal/plumb"
)

var hub = dlferry.Internal(plumb.Key{})

// Flat is an argument passed to C by value. It is valid until Done is called for the argument.
type Flat = plumb.Flat

// List is a list of arguments for C.
type List = plumb.List

// Flatten describes an argument to C until Done. The name, such as "blur: image", opens the error text.
//
// It fails with ErrInvalid for nil and a closed tensor, and like [dlferry.Array.Wrap].
func Flatten(name string, argument dlferry.Arg) (Flat, error) { return hub.Flatten(name, argument) }

// FlattenOptional is Flatten for a tensor that may be absent (nil).
func FlattenOptional(name string, argument dlferry.Arg) (Flat, error) {
	return hub.FlattenOptional(name, argument)
}

// Kept is an argument that C keeps after the call.
type Kept = plumb.Kept

// Keep makes a handle of an argument for C to keep; Go's memory is pinned until C releases it. It fails like
// [Flatten].
func Keep(name string, argument dlferry.Arg) (Kept, error) { return hub.Keep(name, argument) }

// Done ends the use of an argument begun by Flatten, and keeps it alive until then. A tensor closed meanwhile is
// released now.
func Done(argument dlferry.Arg) { hub.Done(argument) }

// FlattenList describes a list of arguments to C until its Close. It fails like [Flatten].
func FlattenList[A dlferry.Arg](name string, arguments []A) (List, error) {
	list := make([]dlferry.Arg, len(arguments))
	for i, argument := range arguments {
		list[i] = argument
	}
	return hub.FlattenList(name, list)
}

// Or returns the value of an option, or its default if it is nil.
func Or[T any](option *T, otherwise T) T {
	if option == nil {
		return otherwise
	}
	return *option
}

// Adopt makes the Tensor of a new C handle: a dlf_tensor *, which it takes, the DLTensor * that this lends, and its
// flags.
func Adopt(tensor, dl uintptr, flags uint64) *dlferry.Tensor { return hub.Adopt(tensor, dl, flags) }

// Failed makes the error of a C call from its result: 0 for success, else the address of a dlf_error, which it takes
// and frees, or only the status if there was no memory for one.
func Failed(address uintptr) error {
	if address == 0 { // small enough to be inlined
		return nil
	}
	return hub.Failure(address)
}

// Sure panics if a C call failed in which nothing can fail.
func Sure(address uintptr) {
	if address != 0 {
		panic(hub.Failure(address))
	}
}

// Text takes a text that C allocated.
func Text(owned uintptr) string { return hub.Text(owned) }

// OptionalText returns the text of C's copy, which it frees; nil for 0.
func OptionalText(owned uintptr) *string {
	if owned == 0 {
		return nil
	}
	text := hub.Text(owned)
	return &text
}

// TextList takes texts that C allocated, which end with NULL.
func TextList(owned uintptr) []string { return hub.TextList(owned) }

// SetTextField copies a text into a field of a C struct: without a NUL there if it does not fit or has one inside, which
// C refuses.
func SetTextField[Char ~int8 | ~uint8](field []Char, text string) {
	fits := len(text) < len(field) && strings.IndexByte(text, 0) < 0
	for i := range field {
		switch {
		case !fits:
			field[i] = 1
		case i < len(text):
			field[i] = Char(text[i])
		default:
			field[i] = 0
		}
	}
}

// TextOfField copies the text of such a field; U+FFFD replaces invalid UTF-8.
func TextOfField[Char ~int8 | ~uint8](field []Char) string {
	var text []byte
	for _, char := range field {
		if char == 0 {
			break
		}
		text = append(text, byte(char))
	}
	return strings.ToValidUTF8(string(text), "\uFFFD")
}

// TerminateOptional does the same as Terminate for a text that may be nil.
func TerminateOptional(room *[64]byte, name string, text *string) (*byte, error) {
	if text == nil {
		return nil, nil
	}
	return hub.Terminate(room, name, *text)
}

// TerminateList lends texts to C, one behind another, each with a NUL at its end. It fails like [Terminate].
func TerminateList(name string, texts []string) ([]byte, error) {
	size := 0
	for i, text := range texts {
		if strings.IndexByte(text, 0) >= 0 {
			_, err := hub.Terminate(new([64]byte), name+"["+strconv.Itoa(i)+"]", text)
			return nil, err
		}
		size += len(text) + 1
	}
	all := make([]byte, 0, size)
	for _, text := range texts {
		all = append(append(all, text...), 0)
	}
	return all, nil
}

// Terminate lends a text to C with a NUL at its end, in Go memory: in room, which may be on the stack, if it is short.
// The name opens the error text.
//
// It fails with ErrInvalid if the text contains a NUL, where C would end it.
func Terminate(room *[64]byte, name, text string) (*byte, error) {
	return hub.Terminate(room, name, text)
}
