package force

import (
	"errors"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/scree-dem/scree/soa"
)

// TestTableIsTheSquare compares tables of few and of many materials with a square array of laws.
func TestTableIsTheSquare(t *testing.T) {
	for _, n := range []int{1, 2, 7, denseMaterials, denseMaterials + 1} {
		base := Linear{Kn: 1, Kt: 1, ByRestitution: true, Restitution: 0.5}
		table, err := NewTable(n, base)
		if err != nil {
			t.Fatal(err)
		}
		square := make([]float64, n*n)
		for i := range square {
			square[i] = base.Kn
		}
		r := rand.New(rand.NewPCG(uint64(n), 1))
		for k := range 3 * n {
			a, b := r.IntN(n), r.IntN(min(n, 1+n/2))
			l := base
			l.Kn, l.Interaction = float64(k+2), float64(k)
			if err := table.Set(soa.Material(a), soa.Material(b), l); err != nil {
				t.Fatal(err)
			}
			square[a*n+b], square[b*n+a] = l.Kn, l.Kn
		}
		reach := 0.0
		for a := range n {
			for b := range n {
				kn := square[a*n+b]
				law := table.At(soa.Material(a), soa.Material(b)).(*Linear)
				if law.Kn != kn {
					t.Fatalf("of %d materials the pair %d, %d has stiffness %g, expected %g", n, a, b, law.Kn, kn)
				}
				reach = max(reach, law.Needs().Reach)
			}
		}
		if table.Reach() != reach {
			t.Errorf("of %d materials the reach is %g, expected %g", n, table.Reach(), reach)
		}
	}
}

// TestTableOfMostMaterials bounds the memory of a table with the largest number of materials, for
// which an array of all pairs would take 350 GB.
func TestTableOfMostMaterials(t *testing.T) {
	const n, named = MaxMaterials, 1000
	l := Linear{Kn: 1}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	table, err := NewTable(n, l)
	if err != nil {
		t.Fatal(err)
	}
	for k := range named {
		if err := table.Set(soa.Material(k), soa.Material(n-1-k), l); err != nil {
			t.Fatal(err)
		}
	}
	runtime.ReadMemStats(&after)
	if got, most := after.TotalAlloc-before.TotalAlloc, uint64(n+2048*named); got > most {
		t.Errorf("a table of %d materials and %d named pairs took %d bytes, expected %d at most", n, named, got, most)
	}
}

// noLaw is parameters that return neither a law nor an error.
type noLaw struct{}

func (noLaw) Law() (Law, error) { return nil, nil }

// TestNoLaw passes parameters without a law.
func TestNoLaw(t *testing.T) {
	for _, p := range []Parameters{nil, noLaw{}} {
		if _, err := NewTable(1, p); !errors.Is(err, ErrLaw) {
			t.Errorf("%T: error %v, expected ErrLaw", p, err)
		}
	}
}
