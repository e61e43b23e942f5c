package force

import (
	"testing"

	"github.com/scree-dem/scree/soa"
)

// TestOverlapRows: overlaps that are added and rows that others write have numbers of their own,
// whichever comes first and however often the columns grow; rows start full registers.
func TestOverlapRows(t *testing.T) {
	b := &Batch{}
	b.overlaps.clear()
	volumes := map[uint32]float64{0: 0}
	next := 1.0
	for round := range 40 {
		n := 1 + 5*round%32
		columns, first := b.OverlapRows(n, 32)
		if first%soa.Lanes != 0 || len(columns[0]) < first+32 {
			t.Fatalf("rows from %d of %d, expected a multiple of %d and room for 32", first, len(columns[0]), soa.Lanes)
		}
		for k := range n {
			for _, c := range columns {
				c[first+k] = next
			}
			volumes[uint32(first+k)] = next
			next++
		}
		at := b.AddOverlap(&Overlap{Volume: next, Variance: next})
		if _, taken := volumes[at]; taken {
			t.Fatalf("overlap %d is given twice", at)
		}
		volumes[at] = next
		next++
	}
	for at, want := range volumes {
		if o := b.overlaps.at(at); o.Volume != want || b.Variance(at) != want || o.VolumeTurn.Z != 0 && o.VolumeTurn.Z != want {
			t.Errorf("overlap %d is %+v, expected volume %g", at, o, want)
		}
	}
	// As many again take no memory.
	if n := testing.AllocsPerRun(5, func() {
		b.overlaps.clear()
		for range 40 {
			b.OverlapRows(16, 32)
			b.AddOverlap(&Overlap{})
		}
	}); n != 0 {
		t.Errorf("%g allocations, expected none", n)
	}
}
