package bench

import (
	"errors"
	"math"
	"slices"
	"strings"
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

// TestStepOnCopies: copies have as many candidates and contacts as the pile each, in any order, and the row has what they
// are.
func TestStepOnCopies(t *testing.T) {
	s, err := fileio.ReadSettled("testdata/cubes125.txt.gz")
	if err != nil {
		t.Fatal(err)
	}
	run := func(o StepOptions) StepRow {
		o.Steps, o.warmUp, o.Skin, o.Tables = 1, 1, 1e-3, true
		rows, report, err := measure(t.Context(), &o, files(s, nil))
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for _, table := range report.Tables[1].Rows.([]TableRow) {
			sum += table.BytesBody
		}
		if r := rows[0]; !(r.HeapBody > 1000) || sum > 1.2*r.HeapBody || r.Copies > 1 && sum < 0.8*r.HeapBody || !(r.SetUp > 1) {
			t.Errorf("%.0f bytes of heap a body, %.0f by tables; set up in %g µs a body", r.HeapBody, sum, r.SetUp)
		}
		return rows[0]
	}
	path := []string{"x"}
	one := run(StepOptions{Settled: path, Order: curve.None})
	for _, order := range curve.Names {
		many := run(StepOptions{Settled: path, Copies: 40, Order: order})
		if many.Copies != 40 || many.Order != order || many.Bodies != 5000 || many.Walls != 200 || many.TouchingFirst != 40*one.TouchingFirst {
			t.Errorf("row %+v, expected 40 × %+v", many, one)
		}
	}
}

// TestCopiesErrors: copies that are none, too many, or too many for the memory are an error before any is made.
func TestCopiesErrors(t *testing.T) {
	s := cubes(0.499)
	for _, c := range []struct {
		copies int
		want   string
	}{
		{-1, "--copies is -1, expected 1 to 10000000"},
		{1e7 + 1, "--copies is 10000001, expected 1 to 10000000"},
	} {
		if _, err := stepOn(t.Context(), s, StepOptions{Copies: c.copies}); !errors.Is(err, ErrOption) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%d copies: %v, expected %q", c.copies, err, c.want)
		}
	}
	if _, err := stepOn(t.Context(), s, StepOptions{Order: "peano"}); err == nil || !strings.Contains(err.Error(), `--order is "peano", expected one of none, random`) {
		t.Errorf("an unknown order: %v", err)
	}
	apart, heap := engine.Memory(8000 * 100)
	for _, c := range []struct {
		bodies  int
		machine uint64
		want    string
	}{
		{8000, 0, ""},
		{8000, heap, ""},
		{8000, heap - 1, ""},
		{8000, apart - 1, "--copies is 100: copies of f.txt have 800000 bodies, which take at least 0.992 GB"},
		{200_000, 0, "--copies is 100: copies of f.txt have 20000000 bodies, expected at most 16777216"},
	} {
		warned := ""
		err := copiesFit(&Env{Warn: func(text string) { warned += text }}, "f.txt", 100, c.bodies, c.machine)
		if mayNot := c.machine == heap-1; mayNot != strings.Contains(warned, "may take 3.27 GB as a heap") {
			t.Errorf("%d bodies in %d bytes: warned %q", c.bodies, c.machine, warned)
		}
		if (err == nil) != (c.want == "") || err != nil && (!errors.Is(err, ErrOption) || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%d bodies in %d bytes: %v, expected %q", c.bodies, c.machine, err, c.want)
		}
	}
}
