package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCommittedNEON fails if a committed file is not what the programs print. What the files do is proven by the tests
// of asm on arm64, which know no difference between backends.
func TestCommittedNEON(t *testing.T) {
	for _, s := range neonSources {
		got, err := os.ReadFile(filepath.Join("..", s.name))
		if err != nil {
			t.Fatal(err)
		}
		want := neonText(s.programs()...)
		if string(got) != want {
			t.Errorf("asm/%s is not what is generated: run go generate", s.name)
		}
		for _, fused := range []string{"FMLA", "FMLS", "FMADD", "FMSUB"} {
			if strings.Contains(want, fused) {
				t.Errorf("asm/%s fuses: %s", s.name, fused)
			}
		}
	}
}
