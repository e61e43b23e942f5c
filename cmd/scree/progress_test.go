package main

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/scree-dem/scree/internal/require"
)

// TestProgressLines: there is at most one line in tenthEvery. Warnings always appear, and with
// --quiet nothing else.
func TestProgressLines(t *testing.T) {
	for _, quiet := range []bool{false, true} {
		var errs bytes.Buffer
		a := &app{stderr: &errs, quiet: quiet}
		p := a.progress("steps")
		p.Start(1000)
		p.Step(1, "first")
		p.told = p.told.Add(-2 * tenthEvery)
		p.Step(50, "no tenth yet")
		p.Step(150, "a tenth")
		p.Step(350, "too soon")
		p.told = p.told.Add(-lineEvery)
		p.began = p.began.Add(-time.Hour)
		p.Step(360, "late")
		p.Warn("look")
		p.Done()
		want := "steps 150 of 1000, a tenth"
		lines := strings.Split(strings.TrimSpace(errs.String()), "\n")
		if quiet {
			if len(lines) != 1 || lines[0] != "scree: warning: look" {
				t.Errorf("quiet: %q", lines)
			}
			continue
		}
		if len(lines) != 3 || !strings.HasPrefix(lines[0], want) || lines[2] != "scree: warning: look" ||
			!strings.HasPrefix(lines[1], "steps 360 of 1000, late, about 1h46m") {
			t.Errorf("lines %q", lines)
		}
	}
}

// TestProgressOfRestart: what was done before a restart does not count for the pace.
func TestProgressOfRestart(t *testing.T) {
	var errs bytes.Buffer
	p := (&app{stderr: &errs}).progress("steps")
	p.Start(1000)
	p.Step(900, "")
	p.told, p.began = p.told.Add(-lineEvery), p.began.Add(-time.Hour)
	p.Step(950, "goes on")
	if want := "steps 950 of 1000, goes on, about 1h0m0s left\n"; errs.String() != want {
		t.Errorf("%q, expected %q", errs.String(), want)
	}
}

// TestProgressBar: the bar overwrites itself, fits the width of the terminal, and is removed at the
// end.
func TestProgressBar(t *testing.T) {
	var errs bytes.Buffer
	p := (&app{stderr: &errs}).progress("steps")
	p.Start(1000)
	p.wide = 60
	p.Step(10, "too soon after the start")
	if errs.Len() != 0 {
		t.Errorf("too soon: %q", errs.String())
	}
	for _, done := range []int64{500, 2000} {
		p.told = p.told.Add(-barEvery)
		p.Step(done, "42 active contacts, and more than the line takes")
	}
	p.Warn("look")
	p.Done()
	lines := strings.Split(errs.String(), "\r")
	if len(lines) != 5 || !strings.HasPrefix(lines[0], " 50 % [###############...............] 500 of 1000 steps") ||
		!strings.HasPrefix(lines[2], "100 % [##############################] 2000 of 1000") {
		t.Fatalf("%q", lines)
	}
	for _, line := range lines[:4] {
		if len(line) > 59 {
			t.Errorf("%d characters on a terminal of 60", len(line))
		}
	}
	if strings.TrimSpace(lines[1]+lines[3]) != "" || lines[4] != "scree: warning: look\n" {
		t.Errorf("%q", lines)
	}
}

// TestDumbTerminal: there is no bar if TERM=dumb.
func TestDumbTerminal(t *testing.T) {
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	require.Tool(t, err == nil && isTerminal(terminal), "needs a pseudo-terminal")
	defer terminal.Close()
	for term, want := range map[string]bool{"dumb": false, "xterm": true} {
		t.Setenv("TERM", term)
		if got := animates(terminal); got != want {
			t.Errorf("TERM=%s: animates %v, expected %v", term, got, want)
		}
	}
}
