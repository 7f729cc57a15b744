// SPDX-License-Identifier: Apache-2.0

// Package arrow joins dlferry's tensors and the arrays and tensors of Apache Arrow, both ways and without a copy.
// Programs that also import Arrow's own package of that name give this one another, such as dlarrow.
//
// [FromArray] and [FromTensor] make a [*dlferry.Tensor], which is read-only, since Arrow's data never changes. [ToArray]
// and [ToTensor] make Arrow's objects on a tensor's memory, which must not change while they are used.
//
// # Lifetimes
//
// Each result keeps the memory, exactly once: a tensor retains Arrow's data, and releases it after its last user is
// gone, perhaps in another language; Arrow's object keeps the tensor until its last Release. So you may close or release
// the argument at once. Arrow's objects must be released, since the garbage collector does not see what they keep:
// [dlferry.Live] counts forgotten ones.
//
// # Errors
//
// Errors are of type [*dlferry.Error]. Nothing is copied to fit.
package arrow

import (
	"fmt"

	dlferry "github.com/dlferry/dlferry/bindings/go"
)

func errorf(status dlferry.Status, format string, values ...any) error {
	return &dlferry.Error{Status: status, Message: fmt.Sprintf(format, values...)}
}
