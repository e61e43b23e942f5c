package report

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/scree-dem/scree/internal/disk"
	"github.com/scree-dem/scree/internal/results"
)

// served starts a server, and returns it and a function that gets what lies below the address of the page.
func served(t *testing.T, dir string) (*Server, func(path string) (int, []byte)) {
	t.Helper()
	s, err := NewServer(dir, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- s.Serve(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return s, func(path string) (int, []byte) { return ask(t, "GET", s.Address()+path, nil) }
}

func ask(t *testing.T, method, address string, change func(r *http.Request)) (int, []byte) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(r)
	}
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close() // The body was read.
	text, err := io.ReadAll(a.Body)
	if err != nil {
		t.Fatal(err)
	}
	return a.StatusCode, text
}

// TestServer: a server sends the page, and the same data as a report has. It changes nothing in the folder.
func TestServer(t *testing.T) {
	dir := runOf(t)
	was := results.Read(t, dir)
	h, chunks := written(t, dir, Options{})
	_, get := served(t, dir)
	if status, text := get(""); status != http.StatusOK || !strings.Contains(string(text), string(dataMark)) {
		t.Errorf("the page has status %d and %d bytes", status, len(text))
	}
	if status, text := get("head"); status != http.StatusOK || !strings.Contains(string(text), h.Hash) || !strings.Contains(string(text), `"live":true`) {
		t.Errorf("the head has status %d: %s", status, text)
	}
	for name, want := range chunks {
		path := strings.Replace(strings.TrimSuffix(name, "-0"), "-", "/", 1)
		switch name {
		case "frame-0":
			path = "frame/0"
		case "forms":
			path = "forms/0"
		}
		status, data := get(path)
		if status != http.StatusOK {
			t.Fatalf("%s has status %d: %s", path, status, data)
		}
		got := readChunk(t, data)
		delete(got.meta, "body_names") // A report has them in its head.
		delete(got.meta, "wall_names")
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s differs from the report's", path)
		}
	}
	if _, data := get("forms/3?from=3"); len(readChunk(t, data).meta["forms"].([]any)) != 2 {
		t.Error("the forms from number 3 on are not 2")
	}
	for _, path := range []string{"frame/4", "frame/-1", "frame/x", "forms/9", "scene.toml", "../head"} {
		if status, _ := get(path); status != http.StatusNotFound {
			t.Errorf("%s has status %d", path, status)
		}
	}
	if now := results.Read(t, dir); !reflect.DeepEqual(now, was) {
		t.Error("the folder changed")
	}
}

// TestServerKeepsOut: without the secret, from another origin, by another name of the machine, and with another method there
// is no answer.
func TestServerKeepsOut(t *testing.T) {
	s, _ := served(t, runOf(t))
	page := s.Address()
	root := "http://" + s.listener.Addr().String() + "/"
	for name, c := range map[string]struct {
		method, address string
		change          func(r *http.Request)
		want            int
	}{
		"as a browser asks": {"GET", page + "head", func(r *http.Request) { r.Header.Set("Origin", strings.TrimSuffix(root, "/")) }, http.StatusOK},
		"no secret":         {"GET", root, nil, http.StatusNotFound},
		"another secret":    {"GET", root + strings.Repeat("A", 26) + "/head", nil, http.StatusNotFound},
		"another origin":    {"GET", page + "head", func(r *http.Request) { r.Header.Set("Origin", "http://example.org") }, http.StatusForbidden},
		"another name":      {"GET", page + "head", func(r *http.Request) { r.Host = "example.org" }, http.StatusForbidden},
		"write":             {"POST", page + "head", nil, http.StatusMethodNotAllowed},
	} {
		if status, text := ask(t, c.method, c.address, c.change); status != c.want || c.want != http.StatusOK && strings.Contains(string(text), "frames") {
			t.Errorf("%s: status %d, expected %d: %.80s", name, status, c.want, text)
		}
	}
	port := s.listener.Addr().(*net.TCPAddr).Port
	if _, err := NewServer(".", port, 1); err == nil || !strings.Contains(err.Error(), strconv.Itoa(port)) {
		t.Errorf("a port in use gives %v", err)
	}
}

// TestServerFollows: the head tells what the folder has by now.
func TestServerFollows(t *testing.T) {
	whole, dir := runOf(t), filepath.Join(t.TempDir(), "later")
	_, get := served(t, dir)
	step := func(want ...string) {
		t.Helper()
		_, text := get("head")
		for _, part := range want {
			if !strings.Contains(string(text), part) {
				t.Errorf("the head lacks %s: %.400s", part, text)
			}
		}
	}
	step("has not begun", `"done":false`, `"frames":[]`)
	if err := errors.Join(os.CopyFS(dir, os.DirFS(whole)), os.Remove(filepath.Join(dir, "summary.json"))); err != nil {
		t.Fatal(err)
	}
	step("the run was killed", `"state":"killed"`, `{"step":60`)
	lock, err := disk.NewLock(filepath.Join(dir, "run.lock"))
	if err != nil {
		t.Fatal(err)
	}
	step(`"state":"running"`, `"done":false`, `{"step":60`)
	lock.Release()
	text, err := os.ReadFile(filepath.Join(whole, "summary.json"))
	if err := errors.Join(err, os.WriteFile(filepath.Join(dir, "summary.json"), text, 0o666)); err != nil {
		t.Fatal(err)
	}
	step(`"done":true`)
}
