// SPDX-License-Identifier: Apache-2.0

// Write a tone as tone.wav, resample it from 44.1 to 48 kHz, write resampled.wav.
package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"log"
	"math"
	"os"
	"path/filepath"

	dlferry "github.com/dlferry/dlferry/bindings/go"
	"sr"
)

func writeWav(path string, rate uint32, samples []float32, scale float64) error {
	var b bytes.Buffer
	size := uint32(2 * len(samples))
	b.WriteString("RIFF")
	binary.Write(&b, binary.LittleEndian, 36+size)
	b.WriteString("WAVEfmt \x10\x00\x00\x00\x01\x00\x02\x00")
	binary.Write(&b, binary.LittleEndian, []uint32{rate, 4 * rate})
	b.WriteString("\x04\x00\x10\x00data")
	binary.Write(&b, binary.LittleEndian, size)
	for _, x := range samples {
		binary.Write(&b, binary.LittleEndian, int16(math.RoundToEven(float64(x)*scale)))
	}
	return os.WriteFile(path, b.Bytes(), 0o644)
}

func readWav(path string) ([]float32, error) {
	file, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	samples := make([]float32, (len(file)-44)/2)
	for i := range samples {
		samples[i] = float32(int16(binary.LittleEndian.Uint16(file[44+2*i:]))) / 32768
	}
	return samples, nil
}

func try[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func main() {
	folder := os.Args[1]
	var tone []float32
	for frame := range 4410 {
		for _, hertz := range []float64{440, 880} {
			tone = append(tone, float32(0.5*math.Sin(2*math.Pi*float64(frame)*hertz/44100)))
		}
	}
	if err := writeWav(filepath.Join(folder, "tone.wav"), 44100, tone, 32767); err != nil {
		log.Fatal(err)
	}

	sound := try(readWav(filepath.Join(folder, "tone.wav")))
	input := dlferry.Of(sound, len(sound)/2, 2)
	resampled := try(sr.Resample(input, 48000.0/44100, sr.ResampleOptions{}))
	defer resampled.Close()
	var peak float64
	err := dlferry.With(resampled, func(e dlferry.Elements[float32]) error {
		samples, err := e.Slice()
		if err != nil {
			return err
		}
		for _, x := range samples[400 : len(samples)-400] {
			peak = max(peak, math.Abs(float64(x)))
		}
		return writeWav(filepath.Join(folder, "resampled.wav"), 48000, samples, 32768)
	})
	if err != nil {
		log.Fatal(err)
	}

	fmt.Printf("in    %d frames at 44100 Hz\n", len(sound)/2)
	fmt.Printf("out   %d frames at 48000 Hz\n", resampled.Shape()[0])
	fmt.Printf("peak  %.3f\n", peak)
	draft := try(sr.Resample(input, 0.5, sr.ResampleOptions{Converter: sr.Linear}))
	defer draft.Close()
	fmt.Printf("draft %d frames\n", draft.Shape()[0])
	if _, err := sr.Resample(input, 0, sr.ResampleOptions{}); err != nil {
		fmt.Println(err)
	}
}
