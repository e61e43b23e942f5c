package broad_test

import (
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/broad"
	"github.com/scree-dem/scree/broad/multilevel"
	"github.com/scree-dem/scree/vec"
)

// TestNear checks that Near returns all rows that overlap a box, and few others. It varies the
// sizes of the rows and their density, up to hashed cells. The boxes include ones that are larger
// than the rows, and ones outside them.
func TestNear(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	point := func(side float64) vec.Vec3 { return vec.V(r.Float64(), r.Float64(), r.Float64()).Scale(side) }
	for _, c := range []struct {
		name        string
		side, ratio float64
	}{{"one size", 10, 1}, {"sizes 1 to 50", 20, 50}, {"hashed", 1e5, 1}, {"hashed, sizes 1 to 50", 1e5, 50}} {
		rows := broad.Rows{Most: broad.MaxPairs}
		for i := range 3000 {
			size := vec.V(1, 1, 1).Scale(0.5 / (1 + (c.ratio-1)*r.Float64()))
			at := point(c.side)
			if i%2 == 0 {
				at = vec.V(c.side/2, 0, c.side).Add(point(6)) // a cluster
			}
			rows.Box = append(rows.Box, vec.Box{Min: at.Sub(size), Max: at.Add(size)})
			rows.Name = append(rows.Name, uint64(i))
		}
		m, pairs := multilevel.New(), broad.PairList{}
		if err := m.Search(&rows, &pairs); err != nil {
			t.Fatal(err)
		}
		looked, hits, all := 0, 0, 0
		for k := range 500 {
			at, size := point(1.2*c.side).Sub(vec.V(0.1, 0.1, 0.1).Scale(c.side)), vec.V(1, 1, 1).Scale(0.5)
			if k%2 == 0 {
				at = vec.V(c.side/2, 0, c.side).Add(point(6))
			}
			if k%10 == 0 {
				size = point(4)
			}
			box := vec.Box{Min: at.Sub(size), Max: at.Add(size)}
			runs, ok := m.Near(&box, nil)
			if !ok {
				if k%10 != 0 {
					t.Fatalf("%s: box %v is refused", c.name, box)
				}
				// It is large, and so visits many hashed cells of the small rows.
				continue
			}
			near := map[uint32]bool{}
			for _, run := range runs {
				looked += len(run)
				for _, row := range run {
					near[row] = true
				}
			}
			for i := range rows.Box {
				if all++; rows.Box[i].Overlaps(box) {
					if hits++; !near[uint32(i)] {
						t.Fatalf("%s: row %d overlaps box %d and is not near", c.name, i, k)
					}
				}
			}
		}
		if t.Logf("%s: %d looked at, %d overlap, of %d", c.name, looked, hits, all); hits < 500 || 5*looked > all {
			t.Errorf("%s: %d looked at, %d overlap, of %d", c.name, looked, hits, all)
		}
		if _, ok := m.Near(&vec.Box{Max: vec.V(c.side, c.side, c.side)}, nil); ok && c.side == 1e5 {
			t.Errorf("%s: a box around all: %v", c.name, ok)
		}
	}
}
