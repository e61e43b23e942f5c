package bench

import (
	"math"
	"slices"
	"testing"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/internal/curve"
)

// restingRows returns, for each body of a pile in the order of its lines, the largest overlap and the number of contacts.
func restingRows(t *testing.T, s *fileio.Settled) (rows [][2]float64) {
	t.Helper()
	w, err := newPile(s, linearLaw(1e8), engine.Config{Workers: 1, NoLedger: true})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	w.Measure()
	rows = make([][2]float64, len(s.Bodies))
	for c := range w.ActiveContacts() {
		for _, i := range []int{int(c.A), int(c.B)} {
			if i < len(rows) {
				rows[i][0] = max(rows[i][0], -c.Gap)
				rows[i][1]++
			}
		}
	}
	return rows
}

// TestCopies: each copy has the contacts of the pile, with overlaps that differ by the rounding of its coordinates, and
// no contact with another copy. Each row keeps its line.
func TestCopies(t *testing.T) {
	s, err := fileio.ReadSettled("testdata/hulls200.txt.gz")
	if err != nil {
		t.Fatal(err)
	}
	if copies(s, 1) != s {
		t.Error("one copy is another scene")
	}
	const n = 7
	c := copies(s, n)
	one, all := restingRows(t, s), restingRows(t, c)
	if len(c.Static) != n*len(s.Static) || len(all) != n*len(one) {
		t.Fatalf("%d copies have %d bodies and %d boxes", n, len(all), len(c.Static))
	}
	for i, got := range all {
		far := math.Abs(c.Bodies[i].Pose.Pos.X) + math.Abs(c.Bodies[i].Pose.Pos.Y) + 10
		want := one[i%len(one)]
		if got[1] != want[1] || math.Abs(got[0]-want[0]) > 100*far*0x1p-53 {
			t.Errorf("body %d: overlap and contacts %v, expected %v", i, got, want)
		}
		if c.Lines.Bodies[i] != s.Lines.Bodies[i%len(one)] {
			t.Fatalf("body %d: line %d", i, c.Lines.Bodies[i])
		}
	}
	for _, size := range []float64{1e-9, 1, 1.001, 255.5, 256, 1e6 / 3} {
		d := spacing(size)
		share, _ := math.Frexp(d)
		if d < size || d > size*(1+1.0/128) || share*256 != math.Round(share*256) {
			t.Errorf("spacing of copies of size %g is %g", size, d)
		}
	}
}

// TestOrderedKeepsRows: an order has each body once, with its line, and leaves the scene as it was.
func TestOrderedKeepsRows(t *testing.T) {
	s, err := fileio.ReadSettled("testdata/hulls200.txt.gz")
	if err != nil {
		t.Fatal(err)
	}
	before := slices.Clone(s.Bodies)
	for _, name := range curve.Names {
		o := ordered(s, name)
		seen := map[int32]bool{}
		for k, line := range o.Lines.Bodies {
			i := slices.Index(s.Lines.Bodies, line)
			if o.Bodies[k] != s.Bodies[i] || seen[line] {
				t.Fatalf("%s: body %d has line %d, body %d has another pose", name, k, line, i)
			}
			seen[line] = true
		}
		if len(o.Bodies) != len(s.Bodies) || (name != curve.None) == slices.Equal(o.Bodies, s.Bodies) {
			t.Errorf("%s: %d bodies, or the order of the file", name, len(o.Bodies))
		}
	}
	if !slices.Equal(before, s.Bodies) {
		t.Error("the scene has changed")
	}
	if bare := ordered(&fileio.Settled{Bodies: s.Bodies}, curve.Hilbert); len(bare.Lines.Bodies) != 0 || len(bare.Bodies) != len(s.Bodies) {
		t.Errorf("without lines: %d lines of %d bodies", len(bare.Lines.Bodies), len(bare.Bodies))
	}
}
