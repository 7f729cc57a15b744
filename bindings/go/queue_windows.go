// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package dlferry

import (
	"os"
	"syscall"
)

// openSignal returns a number by which C wakes the goroutine, and a function that waits for that; false ends the wait. It
// is an event that one wait resets: writing to a pipe of Windows could block the thread that releases a slice.
func openSignal() (uintptr, func() bool, error) {
	event, _, err := syscall.NewLazyDLL("kernel32.dll").NewProc("CreateEventW").Call(0, 0, 0, 0)
	if event == 0 {
		return 0, nil, os.NewSyscallError("CreateEventW", err)
	}
	return event, func() bool {
		_, err := syscall.WaitForSingleObject(syscall.Handle(event), syscall.INFINITE)
		return err == nil
	}, nil
}
