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

const ratio = 48000.0 / 44100

func frames(samples []float32) dlferry.Arg { return dlferry.Of(samples, len(samples)/2, 2) }

func try[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

// inParts resamples blocks as they arrive: a state keeps what it needs of the blocks before.
func inParts(state *sr.State, sound, blocks []float32) (made int64) {
	for len(sound) > 0 {
		block := sound[:min(2000, len(sound))]
		sound = sound[len(block):]
		options := sr.ProcessOptions{}
		if len(sound) == 0 {
			options.EndOfInput = 1
		}
		rest := blocks[2*made:]
		used, more, err := sr.Process(state, frames(block), frames(rest), options, ratio)
		if err != nil || used != int64(len(block)/2) {
			log.Fatal(used, err)
		}
		made += more
	}
	return made
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
	input := frames(sound)
	room := make([]float32, 10000)
	made := try(sr.Simple(input, frames(room), ratio, sr.SimpleOptions{}))
	resampled := room[:2*made]
	if err := writeWav(filepath.Join(folder, "resampled.wav"), 48000, resampled, 32768); err != nil {
		log.Fatal(err)
	}
	var peak float64
	for _, x := range resampled[400 : len(resampled)-400] {
		peak = max(peak, math.Abs(float64(x)))
	}

	fmt.Printf("in    %d frames at 44100 Hz\n", len(sound)/2)
	fmt.Printf("out   %d frames at 48000 Hz\n", made)
	fmt.Printf("peak  %.3f\n", peak)
	draft := frames(make([]float32, 10000))
	fmt.Printf("draft %d frames\n", try(sr.Simple(input, draft, 0.5, sr.SimpleOptions{ConverterType: sr.Linear})))

	state := try(sr.New(sr.NewOptions{}, 2))
	defer state.Close()
	blocks := make([]float32, 10000)
	made = inParts(state, sound, blocks)
	var far float64
	for i, x := range resampled {
		far = max(far, math.Abs(float64(x-blocks[i])))
	}
	fmt.Printf("parts %d frames, %.3f from the whole\n", made, far)

	narrow := dlferry.Of(make([]float32, 4410), 4410, 1)
	_, _, err := sr.Process(state, narrow, dlferry.Of(make([]float32, 9), 9, 1), sr.ProcessOptions{}, 2)
	fmt.Println(err)
	_, err = sr.Simple(input, draft, 0, sr.SimpleOptions{})
	fmt.Println(err)
	_, err = sr.Simple(input, narrow, 2, sr.SimpleOptions{})
	fmt.Println(err)
	_, err = sr.New(sr.NewOptions{}, 0)
	fmt.Println(err)
}
