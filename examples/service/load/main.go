// SPDX-License-Identifier: Apache-2.0

// Command load sends requests to the service from a number of connections, each of which waits for an answer before it
// sends the next request, and prints one line of JSON: how many requests a second, and how long they took.
//
//	load -url http://127.0.0.1:8080/run -shape 1,3,256,256 -connections 4 -duration 2s
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

type results struct {
	Shape     string  `json:"shape"`
	Bytes     int     `json:"bytes"` // of a request
	Requests  int     `json:"requests"`
	PerSecond float64 `json:"per_second"`
	P50       float64 `json:"p50_ms"`
	P90       float64 `json:"p90_ms"`
	P99       float64 `json:"p99_ms"`
	Refused   int     `json:"refused"` // 503: not counted above
}

type load struct {
	url, shape string
	body       []byte
	client     *http.Client
	least      int64
	begin, end time.Time
	measured   atomic.Int64
}

func main() {
	url := flag.String("url", "http://127.0.0.1:8080/run", "where the service answers")
	shape := flag.String("shape", "1,3,256,256", "of the float32 tensor in each request")
	connections := flag.Int("connections", 4, "requests at once")
	warmUp := flag.Duration("warm-up", 500*time.Millisecond, "not measured")
	duration := flag.Duration("duration", 2*time.Second, "measured, or up to ten times as long for the least number")
	least := flag.Int64("least", 20, "the least `number` of requests")
	flag.Parse()
	r, err := measure(*url, *shape, *connections, *warmUp, *duration, *least)
	if err != nil {
		fmt.Fprintln(os.Stderr, "load:", err)
		os.Exit(1)
	}
	json.NewEncoder(os.Stdout).Encode(r)
}

func measure(url, shape string, connections int, warmUp, duration time.Duration, least int64) (results, error) {
	size := 4
	for _, word := range strings.Split(shape, ",") {
		extent, err := strconv.Atoi(word)
		if err != nil || extent < 1 {
			return results{}, fmt.Errorf("expected extents such as 1,3,256,256, got %q", shape)
		}
		size *= extent
	}
	transport := &http.Transport{MaxIdleConnsPerHost: connections, DisableCompression: true}
	defer transport.CloseIdleConnections()
	begin := time.Now().Add(warmUp)
	l := load{url: url, shape: shape, body: make([]byte, size), least: least, begin: begin, end: begin.Add(duration),
		client: &http.Client{Transport: transport, Timeout: time.Minute}}

	var group sync.WaitGroup
	workers := make([]worker, connections)
	for i := range workers {
		group.Add(1)
		go func() {
			defer group.Done()
			workers[i].err = l.repeat(&workers[i])
		}()
	}
	group.Wait()
	return l.results(workers)
}

// worker is what one connection has measured.
type worker struct {
	times   []time.Duration
	last    time.Time // when the last of them ended
	refused int
	err     error
}

// repeat sends requests until the end. Those that begin in the warm-up are not measured.
func (l *load) repeat(w *worker) error {
	buffer := make([]byte, len(l.body))
	for {
		start := time.Now()
		status, err := l.send(buffer)
		now := time.Now()
		if err != nil {
			return err
		}
		if now.After(l.end) && (l.measured.Load() >= l.least || now.After(l.end.Add(9*l.end.Sub(l.begin)))) {
			return nil
		}
		if status == http.StatusServiceUnavailable {
			w.refused++
		} else if start.After(l.begin) {
			w.times, w.last = append(w.times, now.Sub(start)), now
			l.measured.Add(1)
		}
	}
}

func (l *load) results(workers []worker) (results, error) {
	r := results{Shape: l.shape, Bytes: len(l.body)}
	var all []time.Duration
	last := l.begin
	for _, w := range workers {
		if w.err != nil {
			return r, w.err
		}
		all = append(all, w.times...)
		r.Refused += w.refused
		if w.last.After(last) {
			last = w.last
		}
	}
	if len(all) == 0 {
		return r, errors.New("no request was answered in time")
	}
	slices.Sort(all)
	r.Requests, r.PerSecond = len(all), float64(len(all))/last.Sub(l.begin).Seconds()
	r.P50, r.P90, r.P99 = percentile(all, 50), percentile(all, 90), percentile(all, 99)
	return r, nil
}

func (l *load) send(buffer []byte) (int, error) {
	request, err := http.NewRequest("POST", l.url, bytes.NewReader(l.body))
	if err != nil {
		return 0, err
	}
	request.Header.Set("Tensor-Shape", l.shape)
	response, err := l.client.Do(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	count := 0
	for err == nil && count < len(buffer) { // one large read at a time: little work for the client
		var n int
		n, err = response.Body.Read(buffer[count:])
		count += n
	}
	if err != nil && err != io.EOF {
		return 0, err
	}
	if response.StatusCode != http.StatusOK && response.StatusCode != http.StatusServiceUnavailable {
		return 0, fmt.Errorf("expected 200, got %s: %s", response.Status, buffer[:count])
	}
	return response.StatusCode, nil
}

// percentile is the time that this many of a hundred requests did not exceed, in milliseconds.
func percentile(sorted []time.Duration, percent int) float64 {
	return sorted[min(len(sorted)*percent/100, len(sorted)-1)].Seconds() * 1000
}
