// SPDX-License-Identifier: Apache-2.0

// Write a sound as a FLAC file, read it back in blocks into one slice, and ask libsndfile about it.
package main

import (
	"fmt"
	"log"
	"math"
	"os"
	"path/filepath"

	dlferry "github.com/dlferry/dlferry/bindings/go"
	"sf"
)

const (
	rate   = 44100
	frames = 4410
	block  = 1000
)

func try[T any](value T, err error) T {
	done(err)
	return value
}

func done(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func stereo[T float32 | int16 | uint8](samples []T) dlferry.Arg {
	return dlferry.Of(samples, len(samples)/2, 2)
}

func open(path string, mode int32, wanted sf.Info) (*sf.Sndfile, sf.Info) {
	file, info, err := sf.Open(path, mode, wanted)
	done(err)
	return file, info
}

// apart reads all in blocks and returns how many frames there are, and how far from the tone.
func apart(file *sf.Sndfile, tone []float32) (at int, far float64) {
	room := make([]float32, 2*block)
	for {
		got := int(try(sf.Read(file, stereo(room))))
		if got == 0 {
			return at / 2, far
		}
		for i, x := range room[:got] {
			far = max(far, math.Abs(float64(x-tone[at+i])))
		}
		at += got
	}
}

func main() {
	path := filepath.Join(os.Args[1], "tone.flac")
	tone := make([]float32, 2*frames)
	for i := range frames {
		angle := 2 * math.Pi * float64(i) / rate
		tone[2*i], tone[2*i+1] = float32(0.5*math.Sin(440*angle)), float32(0.25*math.Sin(880*angle))
	}

	wanted := sf.InfoDefaults()
	wanted.Samplerate, wanted.Channels, wanted.Format = rate, 2, sf.FormatFlac|sf.FormatPcm16
	file, _ := open(path, sf.SfmWrite, wanted)
	done(sf.SetString(file, sf.StrTitle, "Two tones"))
	fmt.Printf("wrote  %d frames of 2 channels\n", try(sf.Write(file, stereo(tone)))/2)
	done(file.Close())

	file, info := open(path, sf.SfmRead, sf.InfoDefaults())
	title := try(sf.GetString(file, sf.StrTitle))
	fmt.Printf("read   %d frames of %d channels at %d Hz: %s\n", info.Frames, info.Channels, info.Samplerate, *title)
	at, far := apart(file, tone)
	fmt.Printf("       %d of them in blocks of %d, less than %g of 32768 apart\n", at, block, math.Ceil(far*32768))

	peaks := make([]float64, 2)
	try(sf.Command(file, sf.SfcCalcNormMaxAllChannels, dlferry.Of(peaks, 2)))
	fmt.Printf("peaks  %.3f %.3f\n", peaks[0], peaks[1])
	words := make([]int16, 4)
	place := try(sf.Seek(file, 25, sf.SeekOptions{}))
	fmt.Printf("seek   %d: %d items", place, try(sf.Read(file, stereo(words))))
	fmt.Println("", words[0], words[1], words[2], words[3])

	_, _, err := sf.Open(path+".no", sf.SfmRead, sf.InfoDefaults())
	fmt.Println(err)
	fmt.Println(try(sf.Strerror(nil)))
	fmt.Println(sf.SetString(file, sf.StrTitle, "Another"))
	_, err = sf.Read(file, dlferry.Of(make([]float32, 2000), 2000))
	fmt.Println(err)
	_, err = sf.Read(file, stereo(make([]uint8, 4)))
	fmt.Println(err)
	done(file.Close())
	_, err = sf.Read(file, stereo(words))
	fmt.Println(err)
}
