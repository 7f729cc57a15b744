// SPDX-License-Identifier: Apache-2.0

//go:build cgo && unix

package dlferry

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// signalEnd is the end to which C writes: a file to which nothing in Go refers is closed.
var signalEnd *os.File

// openSignal returns a number by which C wakes the goroutine, and a function that waits for that; false ends the wait. It
// is a pipe, closed in programs that this process starts, whose write end does not block: a full one signals as well.
func openSignal() (uintptr, func() bool, error) {
	read, write, err := os.Pipe()
	if err != nil {
		return 0, nil, fmt.Errorf("pipe: %w", errors.Unwrap(err))
	}
	end := write.Fd() // which may have made it block
	if err := syscall.SetNonblock(int(end), true); err != nil {
		read.Close()
		write.Close()
		return 0, nil, fmt.Errorf("pipe: %w", err)
	}
	signalEnd = write
	var bytes [64]byte
	return end, func() bool {
		_, err := read.Read(bytes[:])
		return err == nil
	}, nil
}
