package bench

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/scree-dem/scree/internal/backends"
	"github.com/scree-dem/scree/overlap"
)

func smallLocation() LocationOptions {
	return LocationOptions{Shapes: []string{"tetra", "hull12"}, Seed: 7, Pairs: 32, Repeat: 2, Seconds: 1e-6}
}

// TestLocationAnswers: all ways and backends yield the same bits, with the accuracy of overlaps,
// and most overlaps are known by their features.
func TestLocationAnswers(t *testing.T) {
	sums := map[string]string{}
	for backend := range backends.Each(t) {
		o := smallLocation()
		var done, all int64
		rows, _, err := measure(t.Context(), &o, Env{Progress: func(now, of int64, _ string) { done, all = now, of }})
		if err != nil {
			t.Fatal(err)
		}
		want := int64(len(o.Shapes) * len(locationContacts) * len(locationWays))
		if done != want || all != want {
			t.Errorf("progress ended at %d of %d, expected %d", done, all, want)
		}
		if !slices.ContainsFunc(rows, func(r LocationRow) bool { return r.Case == "hull12/faces4/cold" }) {
			want -= int64(len(locationWays)) // no prism has four sides
		}
		if int64(len(rows)) != want {
			t.Errorf("%d rows, expected %d", len(rows), want)
		}
		for _, r := range rows {
			key := r.Shape + "/" + r.Contact
			if sameAs[r.Way] != nil {
				key += "/" + r.Way
			}
			if sums[key] == "" {
				sums[key] = r.Checksum
			}
			switch {
			case r.Wrong != 0 || r.Checksum != sums[key]:
				t.Errorf("%s: %d of %d overlaps have other bits, checksum %s, expected %s", r.Case, r.Wrong, r.Pairs, r.Checksum, sums[key])
			case (r.Exact > 0) != (r.Way == "cold") || !(r.Error < 1e-15):
				t.Errorf("%s: %d overlaps are off by %g", r.Case, r.Exact, r.Error)
			case r.Known < 0.9 && (r.Contact == "corner" || r.Contact == "crossing" || r.Shape == "tetra"):
				t.Errorf("%s: features know %g of the overlaps", r.Case, r.Known)
			case r.Known+r.Skeletons < 0.95:
				t.Errorf("%s: features know %g of the overlaps, skeletons %g", r.Case, r.Known, r.Skeletons)
			case !(r.NsPair > 0) || !(r.Best > 0) || r.Best > r.NsPair || r.Pairs != 32 || r.Backend != backend || r.Seed != 7:
				t.Errorf("%+v", r)
			}
		}
	}
	different := map[string]bool{}
	for _, sum := range sums {
		different[sum] = true
	}
	if len(different) != len(sums) {
		t.Errorf("checksums of the pools are %v, expected all different", sums)
	}
}

// TestLocationSeesWrong changes one bit of a result, which the study must count as wrong.
func TestLocationSeesWrong(t *testing.T) {
	set, err := newShapeSet("cube", 1)
	if err != nil {
		t.Fatal(err)
	}
	pool, err := touchingPool(set, 0, 8, 0)
	if err != nil {
		t.Fatal(err)
	}
	s := newLocationStudy(set, pool)
	s.pass("cold", func(i int, answer *overlap.Moments) { s.answers[i] = *answer })
	sum, wrong := s.compare(func(done func(int, *overlap.Moments)) { s.pass("lanes", done) }, nil)
	other, one := s.compare(func(done func(int, *overlap.Moments)) {
		s.pass("lanes", func(i int, answer *overlap.Moments) {
			if i == 5 {
				answer.Volume *= 1 + 0x1p-52
			}
			done(i, answer)
		})
	}, nil)
	if wrong != 0 || one != 1 || sum == other {
		t.Errorf("%d overlaps are wrong, of which one is spoilt %d; checksums %s and %s", wrong, one, sum, other)
	}
	for _, way := range []string{"cold", "warm", "lanes"} {
		if n := testing.AllocsPerRun(5, func() { s.pass(way, func(int, *overlap.Moments) {}) }); n != 0 {
			t.Errorf("%s: %g allocations a pass", way, n)
		}
	}
}

// TestLocationInterrupted: an interrupted study returns the complete rows.
func TestLocationInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	o := smallLocation()
	complete := int64(0)
	e := Env{Progress: func(done, _ int64, _ string) {
		if complete = done; done > 0 {
			cancel()
		}
	}}
	if rows, _, err := measure(ctx, &o, e); !errors.Is(err, context.Canceled) || len(rows) == 0 || int64(len(rows)) != complete {
		t.Errorf("interrupted: %d rows and %v", len(rows), err)
	}
}
