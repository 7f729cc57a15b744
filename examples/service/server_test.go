// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	dlferry "github.com/dlferry/dlferry/bindings/go"
)

// The folder that model.py wrote, and ONNX Runtime's shared library.
var models, library = os.Getenv("SERVICE_MODELS"), os.Getenv("DLFERRY_ONNXRUNTIME")

func TestMain(m *testing.M) {
	if models == "" || library == "" {
		fmt.Println("FAIL: SERVICE_MODELS must be the folder that model.py wrote, and DLFERRY_ONNXRUNTIME ONNX Runtime's library")
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// start runs the service until the test ends, or the returned function is called, which gives serve's error.
func start(t *testing.T, change func(*config)) (url string, stop func() error) {
	t.Helper()
	c := config{listen: "127.0.0.1:0", model: filepath.Join(models, "gray.onnx"), library: library, admit: 8, run: 2,
		maxBytes: 1 << 20, timeout: time.Minute, grace: time.Minute}
	if change != nil {
		change(&c)
	}
	ctx, cancel := context.WithCancel(context.Background())
	address, ended := make(chan net.Addr, 1), make(chan error, 1)
	go func() { ended <- serve(ctx, c, func(a net.Addr) { address <- a }) }()
	stop = sync.OnceValue(func() error {
		cancel()
		err := <-ended
		http.DefaultClient.CloseIdleConnections()
		if live := dlferry.Live(); live != 0 {
			t.Errorf("%d tensors are alive at the end", live)
		}
		return err
	})
	t.Cleanup(func() { stop() })
	select {
	case a := <-address:
		return "http://" + a.String(), stop
	case err := <-ended:
		ended <- err
		t.Fatal(err)
		return "", nil
	}
}

func post(url, shape string, body io.Reader, headers ...string) (int, http.Header, []byte, error) {
	request, err := http.NewRequest("POST", url+"/run", body)
	if err != nil {
		return 0, nil, nil, err
	}
	request.Header.Set("Tensor-Shape", shape)
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, nil, nil, err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	return response.StatusCode, response.Header, answer, err
}

func bytesOf(numbers []float32) []byte {
	b, _ := binary.Append(nil, binary.LittleEndian, numbers)
	return b
}

// isGray posts random images, and compares the answer with its definition.
func isGray(url string, n, h, w int) (status int, err error) {
	image := make([]float32, n*3*h*w)
	for i := range image {
		image[i] = rand.Float32()
	}
	status, header, answer, err := post(url, fmt.Sprintf("%d,3,%d,%d", n, h, w), bytes.NewReader(bytesOf(image)))
	if err != nil || status != 200 {
		return status, err
	}
	if shape := header.Get("Tensor-Shape"); shape != fmt.Sprintf("%d,1,%d,%d", n, h, w) || len(answer) != n*h*w*4 {
		return status, fmt.Errorf("the answer is %d bytes of shape %s", len(answer), shape)
	}
	for i := range n * h * w {
		red, place := i/(h*w)*3*h*w+i%(h*w), h*w
		want := 0.299*image[red] + 0.587*image[red+place] + 0.114*image[red+2*place]
		got := math.Float32frombits(binary.LittleEndian.Uint32(answer[4*i:]))
		if math.Abs(float64(got-want)) > 1e-5 {
			return status, fmt.Errorf("pixel %d: expected %v, got %v", i, want, got)
		}
	}
	return status, nil
}

func TestRun_GivesTheModelsResult(t *testing.T) {
	for _, copies := range []bool{false, true} {
		url, stop := start(t, func(c *config) { c.copies = copies })
		for _, shape := range [][3]int{{1, 4, 5}, {2, 30, 20}, {1, 1, 1}, {16, 8, 8}} {
			if status, err := isGray(url, shape[0], shape[1], shape[2]); status != 200 || err != nil {
				t.Errorf("copies %t: %v: %d, %v", copies, shape, status, err)
			}
		}
		if err := stop(); err != nil {
			t.Error(err)
		}
	}
}

func TestRun_Edges(t *testing.T) {
	url, _ := start(t, func(c *config) { c.model = filepath.Join(models, "edges.onnx") })
	image := make([]float32, 3*5*6) // black, and white from the third column on
	for i := range image {
		if i%6 >= 3 {
			image[i] = 1
		}
	}
	status, _, answer, err := post(url, "1,3,5,6", bytes.NewReader(bytesOf(image)))
	if status != 200 || err != nil {
		t.Fatalf("%d, %v: %s", status, err, answer)
	}
	for column, want := range []float32{0, 0, 4, 4, 0} {
		if got := math.Float32frombits(binary.LittleEndian.Uint32(answer[4*(2*6+column):])); math.Abs(float64(got-want)) > 1e-5 {
			t.Errorf("column %d: expected %v, got %v", column, want, got)
		}
	}
}

func TestRun_RefusesBadInput(t *testing.T) {
	url, _ := start(t, nil)
	for _, c := range []struct {
		shape, dtype string
		bytes        int
		status       int
		text         string
	}{
		{"1,3,4,6", "", 240, 400, "run: image: expected 72 elements for shape [1, 3, 4, 6], got 60"},
		{"1,3,4,5", "", 241, 400, "body: expected whole elements of float32, got 241 bytes"},
		{"1,4,3,5", "", 240, 400, "run: image[3] is 4, expected 3; got f32[1, 4, 3, 5], wanted f32[n, 3, h, w]"},
		{"3,4,5", "", 240, 400, "run: image: ndim is 3, expected 4; got f32[3, 4, 5], wanted f32[n, 3, h, w]"},
		{"1,3,4,5", "float64", 480, 400, "run: image: dtype is f64, expected f32; got f64[1, 3, 4, 5], wanted f32[n, 3, h, w]: cast converts"},
		{"1,3,4,5", "number", 240, 400, "dtype_parse: "},
		{"17,3,1,1", "", 204, 400, "run: image[n] is 17, wanted n in 1..16"},
		{"1,3,0,5", "", 0, 400, "run: image[h] is 0, wanted h in 1..8192"},
		{"1,3,-1,5", "", 0, 400, "run: image: expected extents of 0 or more, got -1 on axis 2 (from 0)"},
		{"1,3,4611686018427387904,4", "", 0, 400, "run: image: expected"},
		{"", "", 240, 400, `Tensor-Shape: expected extents such as 1,3,480,640, got ""`},
		{"1,3,4,x", "", 240, 400, `Tensor-Shape: expected extents such as 1,3,480,640, got "1,3,4,x"`},
		{"1,3,400,300", "", 1<<20 + 1, 413, "http: request body too large"},
	} {
		status, _, answer, err := post(url, c.shape, bytes.NewReader(make([]byte, c.bytes)), "Tensor-Dtype", c.dtype)
		if err != nil || status != c.status || !strings.HasPrefix(string(answer), c.text) {
			t.Errorf("%s %s: expected %d %s, got %d %s, %v", c.dtype, c.shape, c.status, c.text, status, answer, err)
		}
	}
	chunked := io.MultiReader(bytes.NewReader(make([]byte, 240))) // of a length that the client does not know
	if status, _, answer, err := post(url, "1,3,4,5", chunked); status != 411 || err != nil {
		t.Errorf("expected 411, got %d %s, %v", status, answer, err)
	}
	if response, err := http.Get(url + "/run"); err != nil || response.StatusCode != 405 {
		t.Errorf("expected 405, got %v, %v", response.Status, err)
	}
	if status, err := isGray(url, 1, 4, 5); status != 200 || err != nil {
		t.Errorf("then it does not serve: %d, %v", status, err)
	}
}

type health struct {
	State           string
	Serving         int
	Served, Refused int64
}

func healthOf(t *testing.T, url string) (int, health) {
	t.Helper()
	response, err := http.Get(url + "/healthz")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var h health
	if err := json.NewDecoder(response.Body).Decode(&h); err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, h
}

// until waits for what other goroutines bring about.
func until(t *testing.T, what string, true func() bool) {
	t.Helper()
	for range 3000 {
		if true() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("half a minute without: %s", what)
}

// begin sends half of a request; the test sends the rest.
func begin(t *testing.T, url string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	fmt.Fprintf(c, "POST /run HTTP/1.1\r\nHost: x\r\nTensor-Shape: 1,3,1,1\r\nContent-Length: 12\r\n\r\nhalf")
	return c
}

// slowly begins requests, which the service has admitted when it returns.
func slowly(t *testing.T, url string, count int) (begun []net.Conn) {
	t.Helper()
	for range count {
		begun = append(begun, begin(t, url))
	}
	until(t, "requests that are served", func() bool {
		_, h := healthOf(t, url)
		return h.Serving == count
	})
	return begun
}

func TestRun_RefusesWhenFull(t *testing.T) {
	url, _ := start(t, func(c *config) { c.admit = 2 })
	bodies := slowly(t, url, 2)
	status, header, answer, err := post(url, "1,3,1,1", bytes.NewReader(make([]byte, 12)))
	if status != 503 || err != nil || header.Get("Retry-After") == "" || string(answer) != "expected fewer than 2 requests at once\n" {
		t.Errorf("expected 503, got %d %s, %v", status, answer, err)
	}
	fmt.Fprint(bodies[0], "the rest")
	first := make([]byte, 12)
	if _, err := io.ReadFull(bodies[0], first); err != nil || string(first) != "HTTP/1.1 200" {
		t.Errorf("expected 200, got %q, %v", first, err)
	}
	until(t, "a free slot", func() bool {
		status, err := isGray(url, 1, 1, 1)
		return status == 200 && err == nil
	})
	if _, h := healthOf(t, url); h.Refused < 1 || h.Served < 2 || h.State != "ok" {
		t.Errorf("its health is %v", h)
	}
}

func isIdle(t *testing.T, url string) func() bool {
	return func() bool {
		_, h := healthOf(t, url)
		return h.Serving == 0
	}
}

// A client that leaves gives its slot back at once, while its body is read, while it waits and while the model runs.
func TestRun_ClientsLeave(t *testing.T) {
	url, _ := start(t, func(c *config) {
		c.admit, c.run, c.model, c.maxBytes = 4, 1, filepath.Join(models, "edges.onnx"), 1<<28
	})
	for _, c := range slowly(t, url, 4) {
		c.Close()
	}
	until(t, "free slots", isIdle(t, url))

	large := make([]byte, 3*2048*2048*4)
	for range 2 {
		c, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(c, "POST /run HTTP/1.1\r\nHost: x\r\nTensor-Shape: 1,3,2048,2048\r\nContent-Length: %d\r\n\r\n", len(large))
		if _, err := c.Write(large); err != nil {
			t.Fatal(err)
		}
		c.Close()
	}
	until(t, "free slots", isIdle(t, url))
	if _, h := healthOf(t, url); h.Served != 0 {
		t.Errorf("models have run to their end for %d clients that had left", h.Served)
	}
	if status, _, _, err := post(url, "1,3,1,1", bytes.NewReader(make([]byte, 12))); status != 200 || err != nil {
		t.Errorf("then it does not serve: %d, %v", status, err)
	}
}

func TestRun_TimesOut(t *testing.T) {
	url, stop := start(t, func(c *config) { c.timeout = -time.Second }) // over when it begins
	status, _, answer, err := post(url, "1,3,1,1", bytes.NewReader(make([]byte, 12)))
	if status != 504 || err != nil || !strings.HasSuffix(string(answer), "context deadline exceeded\n") {
		t.Errorf("expected 504, got %d %q, %v", status, answer, err)
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
	url, _ = start(t, func(c *config) { c.timeout = 0 }) // a second for the body
	stalled := begin(t, url)
	if answer, err := io.ReadAll(stalled); err != nil || !strings.HasPrefix(string(answer), "HTTP/1.1 408") {
		t.Errorf("expected 408, got %q, %v", answer, err)
	}
}

// Signals: the request that is being served is answered, then the service ends.
func TestServe_FinishesWhatItBegan(t *testing.T) {
	url, stop := start(t, nil)
	bodies := slowly(t, url, 1)
	ended := make(chan error)
	go func() { ended <- stop() }()
	until(t, "a closed listener", func() bool {
		c, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
		if err == nil {
			c.Close()
		}
		return err != nil
	})
	fmt.Fprint(bodies[0], "the rest")
	answer, err := io.ReadAll(bodies[0])
	if err != nil || !strings.HasPrefix(string(answer), "HTTP/1.1 200") {
		t.Errorf("expected 200, got %q, %v", answer, err)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestServe_EndsWhatDoesNotFinish(t *testing.T) {
	url, stop := start(t, func(c *config) { c.grace = 50 * time.Millisecond })
	slowly(t, url, 3)
	if err := stop(); err == nil || err.Error() != "requests were still being served after 50ms" {
		t.Errorf("it says %v", err)
	}
}

func TestServe_RefusesWrongFiles(t *testing.T) {
	for _, change := range []func(*config){
		func(c *config) { c.model = "no.onnx" },
		func(c *config) { c.library = "no.so" },
		func(c *config) { c.listen = "127.0.0.1:-1" },
	} {
		c := config{listen: "127.0.0.1:0", model: filepath.Join(models, "gray.onnx"), library: library, admit: 1, run: 1}
		change(&c)
		if err := serve(context.Background(), c, func(net.Addr) { t.Error("it serves") }); err == nil {
			t.Error("expected an error, got none")
		}
	}
}

// More clients than slots, images of all sizes: each is answered right, or refused.
func TestRun_UnderLoad(t *testing.T) {
	url, stop := start(t, func(c *config) { c.admit = 4 })
	var group sync.WaitGroup
	counts, errs := make([]map[int]int, 12), make([]error, 12)
	for i := range counts {
		group.Add(1)
		counts[i] = map[int]int{}
		go func() {
			defer group.Done()
			for range 40 {
				status, err := isGray(url, 1+rand.IntN(2), 1+rand.IntN(64), 1+rand.IntN(64))
				counts[i][status]++
				if err != nil || status != 200 && status != 503 {
					errs[i] = fmt.Errorf("%d: %w", status, err)
					return
				}
			}
		}()
	}
	group.Wait()
	served := 0
	for i, count := range counts {
		served += count[200]
		if errs[i] != nil {
			t.Error(errs[i])
		}
	}
	if _, h := healthOf(t, url); h.Served != int64(served) || served == 0 || h.Served+h.Refused != 480 {
		t.Errorf("%d were answered, and its health is %v", served, h)
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
}

func TestSpell(t *testing.T) {
	_, shape, err := describe(http.Header{"Tensor-Shape": {"1, 3," + strconv.Itoa(math.MaxInt)}})
	if got := spell(shape); err != nil || got != "1,3,"+strconv.Itoa(math.MaxInt) {
		t.Errorf("%s, %v", got, err)
	}
}
