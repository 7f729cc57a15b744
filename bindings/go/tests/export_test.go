// SPDX-License-Identifier: Apache-2.0

package tests

import (
	"testing"

	dlferry "github.com/dlferry/dlferry/bindings/go"
	"github.com/dlferry/dlferry/bindings/go/tests/helper"
)

func TestExport_AsRequested(t *testing.T) {
	tensor := must(dlferry.Of([]float32{1, 2}).ReadOnly().Wrap())
	defer tensor.Close()
	read := func(options dlferry.ExportOptions) helper.Managed {
		managed := must(tensor.Export(options))
		defer dlferry.ReleaseDLPack(managed)
		return helper.Look(managed)
	}
	if got := read(dlferry.ExportOptions{}); got.Flags != 1 || got.Data != tensor.Data() {
		t.Errorf("got %+v", got)
	}
	if got := read(dlferry.ExportOptions{Copy: dlferry.CopyAlways}); got.Flags != 2 || got.Data == tensor.Data() {
		t.Errorf("got %+v", got)
	}
	if got := read(dlferry.ExportOptions{Device: dlferry.CPU, MaxVersion: dlferry.DLPackVersion{Major: 1}}); got.Flags != 1 {
		t.Errorf("got %+v", got)
	}
	old := must(dlferry.FromDLPackLegacy(must(tensor.Export(dlferry.ExportOptions{Legacy: true}))))
	defer old.Close()
	if old.Data() == tensor.Data() || old.DLPackVersion() != (dlferry.DLPackVersion{Minor: 8}) {
		t.Errorf("read-only data for a legacy consumer: %s", old.DescribeJSON())
	}
	stream := int64(1)
	for _, c := range []struct {
		options dlferry.ExportOptions
		status  dlferry.Status
		text    string
	}{
		{dlferry.ExportOptions{Legacy: true, Copy: dlferry.CopyNever}, dlferry.ErrReadOnly, ""},
		{dlferry.ExportOptions{Stream: &stream}, dlferry.ErrInvalid, "to_dlpack: expected stream None on cpu, got 1"},
		{dlferry.ExportOptions{Device: dlferry.Device{Type: dlferry.DeviceCUDA}}, dlferry.ErrDevice, ""},
		{dlferry.ExportOptions{MaxVersion: dlferry.DLPackVersion{Minor: 8}}, dlferry.ErrVersion, ""},
		{dlferry.ExportOptions{Copy: 3}, dlferry.ErrInvalid, ""},
	} {
		_, err := tensor.Export(c.options)
		fails(t, err, c.status, c.text)
	}
	if got := must(tensor.ExportDevice()); got != dlferry.CPU {
		t.Errorf("got %v", got)
	}
}

func TestCopy_Padded(t *testing.T) {
	tensor := must(dlferry.Of([]uint8{0x21, 0x43}, 4).As(dlferry.Float4E2M1FN).Wrap())
	defer tensor.Close()
	padded := must(tensor.CopyPadded())
	defer padded.Close()
	if padded.Flags()&4 == 0 || must(padded.ByteSize()) != 4 || !must(padded.Equal(tensor)) {
		t.Errorf("got %s", padded.Describe())
	}
}
