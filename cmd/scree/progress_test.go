package main

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// TestProgressLines has the lines of a log: no more than one in tenthEvery, warnings always, and nothing but
// those with --quiet.
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
