package main

import (
	"bufio"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/scree-dem/scree/internal/require"
)

// TestReport: run --report and report write the same page, but for the times of the run.
func TestReport(t *testing.T) {
	path, dir := write(t, "scene.toml", small("")), t.TempDir()
	page := filepath.Join(dir, reportName)
	run := call("run", path, "-o", dir, "-q", "--steps", "100", "--report")
	run.wants(t, 0)
	was := read(t, page)
	again := call("report", dir)
	again.wants(t, 0)
	if !strings.Contains(run.out, "open "+page+" in a browser") || !strings.HasPrefix(again.out, page) {
		t.Errorf("the commands print %q and %q", run.out, again.out)
	}
	if read(t, page) != was || !strings.Contains(was, "id=\"scree-frame-2\"") || strings.Contains(was, "id=\"scree-frame-3\"") {
		t.Errorf("the pages have %d and %d bytes", len(was), len(read(t, page)))
	}
	call("report", dir, "--frames", "1").wants(t, 0)
	if strings.Contains(read(t, page), "id=\"scree-frame-1\"") {
		t.Error("the page has more than one frame")
	}
	empty := t.TempDir()
	call("report", empty).wantsOneLine(t, 2, empty, "expected the folder of a run")
	call("view", empty).wantsOneLine(t, 2, empty, "expected the folder of a run")
	call("report", dir, "--frames", "0").wantsOneLine(t, 2, "--frames is 0", "at least 1")
	call("view", dir, "--port", "65536").wantsOneLine(t, 2, "--port is 65536", "65535")
	call("view", dir, "--every-body", "0").wantsOneLine(t, 2, "--every-body is 0", "at least 1")
}

// viewed starts a command that serves a page, and returns it with the address of the page.
func viewed(t *testing.T, args ...string) (*exec.Cmd, string) {
	t.Helper()
	cmd := exec.Command(built(t), args...)
	errs, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() }) // It may have ended.
	line, err := bufio.NewReader(errs).ReadString('\n')
	address := regexp.MustCompile(`http://127\.0\.0\.1:\d+/\w{20,}/`).FindString(line)
	if err != nil || address == "" {
		t.Fatalf("the first line is %q, %v", line, err)
	}
	go io.Copy(io.Discard, errs) //nolint:errcheck // It ends with the command.
	return cmd, address
}

// TestView: a run that goes on is seen, with the bits of a run that nobody sees, until Ctrl-C.
func TestView(t *testing.T) {
	require.Tool(t, os.PathSeparator == '/', "needs signals")
	path, dir := write(t, "long.toml", small("", "history_every = 10")), filepath.Join(t.TempDir(), "out")
	cmd, address := viewed(t, "run", path, "-o", dir, "--view", "-q", "--steps", "100000000")
	get := func(name string) string {
		t.Helper()
		a, err := http.Get(address + name)
		if err != nil {
			t.Fatal(err)
		}
		defer a.Body.Close() // It is read whole.
		text, err := io.ReadAll(a.Body)
		if err != nil || a.StatusCode != http.StatusOK {
			t.Errorf("%s has status %d: %.80s, %v", name, a.StatusCode, text, err)
		}
		return string(text)
	}
	waitFor(t, filepath.Join(dir, "history.csv"), 20)
	if head := get("head"); !strings.Contains(head, `"done":false`) || !strings.Contains(head, `{"step":0,`) {
		t.Errorf("the head is %.300s", head)
	}
	for _, name := range []string{"", "frame/0", "forms/0", "history"} {
		get(name)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if status := statusAfter(t, cmd); status != statusInterrupted {
		t.Errorf("status %d", status)
	}
	s := decode[summaryJSON](t, read(t, dir, "summary.json"))

	cmd, address = viewed(t, "view", dir)
	if head := get("head"); !strings.Contains(head, `"done":true`) || !strings.Contains(head, s.StateHash) {
		t.Errorf("the head is %.300s", head)
	}
	at, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	call("view", dir, "--port", at.Port()).wantsOneLine(t, 2, "--port", at.Port())
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if status := statusAfter(t, cmd); status != 0 {
		t.Errorf("status %d", status)
	}
}
