//go:build unix

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
)

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
