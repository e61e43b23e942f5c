package broad_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/scree-dem/scree/broad"
	"github.com/scree-dem/scree/vec"
)

var long = flag.Bool("soak", false, "compare all configurations and frames")

// soak returns the number of cases of a test: few by default, fewer with -short, all with -soak.
func soak(few, all int) int {
	if *long {
		return all
	}
	if testing.Short() {
		return few / 4
	}
	return few
}

// TestFrames compares all methods with truth over frames of motion. Rows jump, are added, are
// removed and are reordered.
func TestFrames(t *testing.T) {
	for _, m := range methods {
		t.Run(m.name, func(t *testing.T) {
			for seed := range uint64(5) {
				frames(t, m.make(), seed)
			}
		})
	}
}

func frames(t *testing.T, m broad.Method, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 77))
	s := configuration(1000 + seed)
	for s.Len() < 40 {
		s = configuration(r.Uint64())
	}
	named := s.ID != nil
	last := uint32(10_000)
	f, found := broad.NewFinder(m), &broad.Found{}
	for frame := range soak(40, 1000) {
		step := []float64{0.001, 0.02, 0.5}[r.IntN(3)]
		for i := range s.Len() {
			by := vec.V(r.Float64()-0.5, r.Float64()-0.5, r.Float64()-0.5).Scale(step)
			if r.IntN(200) == 0 {
				by = by.Scale(100)
			}
			if s.Box != nil {
				s.Box[i] = vec.Box{Min: s.Box[i].Min.Add(by), Max: s.Box[i].Max.Add(by)}
			} else {
				s.Centre[i] = s.Centre[i].Add(by)
			}
		}
		// Remove some rows and add others with new names; sometimes shuffle them.
		if named && frame%7 == 3 {
			k := r.IntN(s.Len())
			last++
			if s.ID[k] = last; s.Box != nil {
				s.Box[k] = s.Box[r.IntN(s.Len())]
			} else {
				s.Centre[k] = s.Centre[r.IntN(s.Len())]
			}
		}
		if named && frame%11 == 5 {
			i, j := r.IntN(s.Len()), r.IntN(s.Len())
			s.ID[i], s.ID[j] = s.ID[j], s.ID[i]
			if s.Box != nil {
				s.Box[i], s.Box[j] = s.Box[j], s.Box[i]
			} else {
				s.Centre[i], s.Centre[j] = s.Centre[j], s.Centre[i]
				s.Radius[i], s.Radius[j] = s.Radius[j], s.Radius[i]
			}
		}
		if frame%13 == 8 && s.Len() > 20 {
			s.Box, s.ID = cut(s.Box), cut(s.ID)
			s.Centre, s.Radius = cut(s.Centre), cut(s.Radius)
		}
		if frame%13 == 12 {
			s.Box, s.Centre, s.Radius = twice(s.Box), twice(s.Centre), twice(s.Radius)
			if last++; named {
				s.ID = append(s.ID, last)
			}
		}
		if err := f.Find(s, found); err != nil {
			t.Fatal(err)
		}
		compare(t, fmt.Sprintf("seed %d, frame %d", seed, frame), found, truth(s))
	}
}

func cut[T any](s []T) []T { return s[:max(0, len(s)-1)] }

// twice returns s with its first element appended again.
func twice[T any](s []T) []T {
	if len(s) == 0 {
		return s
	}
	return append(slices.Clip(s), s[0])
}
