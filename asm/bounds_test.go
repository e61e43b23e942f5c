package asm

import (
	"slices"
	"testing"

	"github.com/scree-dem/scree/internal/backends"
)

// Machine code stops before it would access memory outside of the slices. The Go code after it then
// panics, as the Go loops do.
func TestBadIndicesPanic(t *testing.T) {
	points, words := make([]float64, 40), make([]uint32, 40)
	backends.Run(t, func(t *testing.T) {
		for _, at := range []int{0, 5, 17, 39} {
			for _, bad := range []uint32{41, 1 << 31, 1<<32 - 1} {
				ids := slices.Clone(words)
				ids[at] = bad
				for name, f := range map[string]func(){
					"first":        func() { OdometerSweep(ids, words, points, points, 0, 40, make([]uint32, 40)) },
					"second":       func() { OdometerSweep(words, ids, points, points, 0, 40, make([]uint32, 40)) },
					"no odometers": func() { OdometerSweep(words, words, points, nil, 0, 40, make([]uint32, 40)) },
					"pairs": func() {
						SupportPairs(points, points, points, ids, words, points, points, points, make([]uint32, 40), make([]float64, 40))
					},
					"boxes": func() { PosedBoxes(points, points, points, ids, words, newPoses(40), newBoxes(40)) },
				} {
					if panics(f) == "" {
						t.Errorf("%s: index %d at %d: no panic", name, bad, at)
					}
				}
			}
		}
	})
}
