//go:build !purego && !race

package asm

import (
	"slices"
	"testing"

	"github.com/scree-dem/scree/internal/cpu"
)

// Every arm64 processor has NEON, also if it is emulated. If NEON is not found, no test has run it.
func TestEveryBackendIsProven(t *testing.T) {
	if !slices.Contains(cpu.Available(), cpu.NEON) {
		t.Errorf("available: %v, want %s among them", cpu.Available(), cpu.NEON)
	}
}

func TestShortSets(t *testing.T) {
	checkShort(t, machineCode{supportNEON, intervalNEON, planeDistanceNEON})
}
