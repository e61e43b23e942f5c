//go:build unix

package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestVerifyInterrupt interrupts the program in a long case: what has ended is shown.
func TestVerifyInterrupt(t *testing.T) {
	dir := t.TempDir()
	cmd, out, errs := start(t, "verify", "V1", "V32b", "-o", dir, "--workers", "1")
	waitFor(t, filepath.Join(dir, "V32b", "run-1", "history.csv"), 2)
	r := interrupted(t, cmd, out, errs)
	r.wants(t, statusInterrupted, "1 of 2 cases have ended")
	if page := read(t, dir, "verify.html"); !strings.Contains(page, "interrupted: 1 of 2 cases have ended") {
		t.Error("verify.html does not say that cases are missing")
	}
	if !strings.Contains(r.out, "V1         pass") || !strings.Contains(read(t, dir, "verify.csv"), "V1,") {
		t.Errorf("standard output:\n%s", r.out)
	}
}
