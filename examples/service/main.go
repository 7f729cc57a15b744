// SPDX-License-Identifier: Apache-2.0

// Command service runs an ONNX model over HTTP. The bytes of a request are read into the memory that the model reads,
// and those of the answer are sent from the memory that it writes.
//
//	service -model gray.onnx -library libonnxruntime.so.1.24.4
//	curl -H 'Tensor-Shape: 1,3,480,640' --data-binary @image.raw localhost:8080/run >gray.raw
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"

	dlferry "github.com/dlferry/dlferry/bindings/go"
)

type config struct {
	listen, model, library string
	admit, run             int
	maxBytes               int64
	timeout, grace         time.Duration
	copies                 bool
}

func main() {
	var c config
	flag.StringVar(&c.listen, "listen", "127.0.0.1:8080", "the `address`; port 0 chooses one")
	flag.StringVar(&c.model, "model", "gray.onnx", "the model's `file`")
	flag.StringVar(&c.library, "library", "libonnxruntime.so.1.24.4", "ONNX Runtime's shared `library`")
	flag.IntVar(&c.admit, "admit", 32, "requests served at once; others get 503")
	flag.IntVar(&c.run, "run", runtime.NumCPU(), "models that run at once; other requests wait")
	flag.Int64Var(&c.maxBytes, "max-bytes", 64<<20, "the longest body")
	flag.DurationVar(&c.timeout, "timeout", 10*time.Second, "for one request")
	flag.DurationVar(&c.grace, "grace", 10*time.Second, "for the requests being served when a signal ends the service")
	flag.BoolVar(&c.copies, "copy", false, "decode and encode, as without dlferry, to compare")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	err := serve(ctx, c, func(address net.Addr) { fmt.Printf("listening on %s\n", address) })
	live := dlferry.Live()
	fmt.Printf("live tensors: %d\n", live)
	if err != nil {
		fmt.Fprintln(os.Stderr, "service:", err)
	}
	if err != nil || live != 0 {
		os.Exit(1)
	}
}

var errStopped = errors.New("the service has stopped")

// serve answers requests until ctx ends, then those that it has begun, for at most c.grace. It calls ready when clients
// may connect.
func serve(ctx context.Context, c config, ready func(net.Addr)) error {
	m, err := openModel(c.library, c.model)
	if err != nil {
		return err
	}
	defer m.close()
	s := newServer(m, c)

	// The requests' contexts outlive ctx: they end with the grace.
	requests, end := context.WithCancelCause(context.Background())
	defer end(nil)
	h := &http.Server{
		Handler:           s,
		BaseContext:       func(net.Listener) context.Context { return requests },
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       c.timeout + time.Second,     // the request's own timeout comes first, and has a text
		WriteTimeout:      2*c.timeout + 5*time.Second, // then as long again for a slow reader
		IdleTimeout:       time.Minute,
		MaxHeaderBytes:    16 << 10,
	}
	listener, err := net.Listen("tcp", c.listen)
	if err != nil {
		return err
	}
	failed := make(chan error, 1)
	go func() { failed <- h.Serve(listener) }()
	ready(listener.Addr())

	select {
	case err = <-failed:
	case <-ctx.Done():
		s.draining.Store(true)
		deadline, cancel := context.WithTimeout(context.Background(), c.grace)
		defer cancel()
		err = h.Shutdown(deadline)
	}
	if err != nil { // some requests are still there: end them
		end(errStopped)
		h.Close()
	}
	s.wait()
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("requests were still being served after %s", c.grace)
	}
	return err
}
