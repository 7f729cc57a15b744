// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync/atomic"

	dlferry "github.com/dlferry/dlferry/bindings/go"
)

// server admits a request if it has a free slot, whose memory the request then uses, and lets few models run at once. No
// more memory is used than that of all slots.
type server struct {
	http.ServeMux
	config
	model           *model
	slots           chan *slot
	turns           chan struct{}
	served, refused atomic.Int64
	draining        atomic.Bool
}

// slot is the memory of one request at a time. The garbage collector does not scan it.
type slot struct {
	body, result []byte
	pixels       []float32 // only of the service that copies
}

func newServer(m *model, c config) *server {
	s := &server{config: c, model: m, slots: make(chan *slot, c.admit), turns: make(chan struct{}, c.run)}
	for range c.admit {
		s.slots <- new(slot)
	}
	s.HandleFunc("POST /run", s.run)
	s.HandleFunc("GET /healthz", s.health)
	return s
}

// wait returns when no request is being served any more, nor will be.
func (s *server) wait() {
	for range s.admit {
		<-s.slots
	}
}

func (s *server) health(w http.ResponseWriter, _ *http.Request) {
	state := "ok"
	w.Header().Set("Content-Type", "application/json")
	if s.draining.Load() { // a load balancer sends no more requests
		state = "draining"
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	json.NewEncoder(w).Encode(map[string]any{"state": state, "serving": s.admit - len(s.slots), "admit": s.admit,
		"served": s.served.Load(), "refused": s.refused.Load(), "live": dlferry.Live()})
}

func (s *server) run(w http.ResponseWriter, r *http.Request) {
	var own *slot
	select {
	case own = <-s.slots:
		defer func() { s.slots <- own }()
	default:
		s.refused.Add(1)
		w.Header().Set("Retry-After", "1")
		http.Error(w, fmt.Sprintf("expected fewer than %d requests at once", s.admit), http.StatusServiceUnavailable)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), s.timeout)
	defer cancel()
	result, shape, err := s.answer(ctx, own, r)
	if err != nil {
		status := statusOf(ctx, err)
		text := err.Error()
		if status == http.StatusInternalServerError { // not the client's business
			log.Printf("%s: %s", r.RemoteAddr, err)
			text = "internal error"
		}
		http.Error(w, text, status) // lost if the client has left
		return
	}
	own.result = result
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Length", strconv.Itoa(len(result)))
	w.Header().Set("Tensor-Dtype", "float32")
	w.Header().Set("Tensor-Shape", spell(shape))
	s.served.Add(1)
	w.Write(result)
}

// answer reads the image into the slot's memory, and runs the model there.
func (s *server) answer(ctx context.Context, own *slot, r *http.Request) ([]byte, []int, error) {
	dtype, shape, err := describe(r.Header)
	if err != nil {
		return nil, nil, badRequest{err}
	}
	if r.ContentLength < 0 {
		return nil, nil, errNoLength
	}
	if r.ContentLength > s.maxBytes {
		return nil, nil, &http.MaxBytesError{Limit: s.maxBytes}
	}
	own.body = sized(own.body, int(r.ContentLength))
	image := dlferry.Of(own.body, shape...).As(dtype)
	if err := s.model.contract.MatchInputs(image, nil); err != nil {
		return nil, nil, badRequest{err}
	}
	if rest := len(own.body) % dtype.Size(); rest != 0 {
		return nil, nil, badRequest{fmt.Errorf("body: expected whole elements of %s, got %d bytes", dtype, len(own.body))}
	}
	if _, err := io.ReadFull(r.Body, own.body); err != nil {
		return nil, nil, badRequest{fmt.Errorf("body: expected %d bytes, got %w", len(own.body), err)}
	}
	select {
	case s.turns <- struct{}{}:
		defer func() { <-s.turns }()
	case <-ctx.Done():
		return nil, nil, context.Cause(ctx)
	}
	if s.copies {
		return s.model.runCopying(ctx, own, shape)
	}
	return s.model.run(ctx, image, own.result)
}

type badRequest struct{ error }

func (e badRequest) Unwrap() error { return e.error }

var errNoLength = errors.New("Content-Length: expected the body's bytes, got none")

const statusClientLeft = 499 // as nginx logs it

func statusOf(ctx context.Context, err error) int {
	var tooLarge *http.MaxBytesError
	switch {
	case errors.Is(context.Cause(ctx), errStopped):
		return http.StatusServiceUnavailable
	case errors.Is(err, context.Canceled):
		return statusClientLeft
	case errors.Is(err, context.DeadlineExceeded):
		return http.StatusGatewayTimeout
	case errors.Is(err, os.ErrDeadlineExceeded): // of the connection
		return http.StatusRequestTimeout
	case errors.Is(err, errNoLength):
		return http.StatusLengthRequired
	case errors.As(err, &tooLarge):
		return http.StatusRequestEntityTooLarge
	case errors.As(err, &badRequest{}):
		return http.StatusBadRequest
	}
	return http.StatusInternalServerError
}

// describe reads what the body holds: `Tensor-Shape: 1,3,480,640`, `Tensor-Dtype: float32`, which is the default.
func describe(header http.Header) (dlferry.DType, []int, error) {
	dtype := dlferry.Float32
	if name := header.Get("Tensor-Dtype"); name != "" {
		var err error
		if dtype, err = dlferry.ParseDType(name); err != nil {
			return 0, nil, err
		}
	}
	shape := []int{}
	for _, word := range strings.Split(header.Get("Tensor-Shape"), ",") {
		extent, err := strconv.Atoi(strings.TrimSpace(word))
		if err != nil {
			return 0, nil, fmt.Errorf("Tensor-Shape: expected extents such as 1,3,480,640, got %q",
				header.Get("Tensor-Shape"))
		}
		shape = append(shape, extent)
	}
	return dtype, shape, nil
}

func spell(shape []int) string {
	words := make([]string, len(shape))
	for axis, extent := range shape {
		words[axis] = strconv.Itoa(extent)
	}
	return strings.Join(words, ",")
}
