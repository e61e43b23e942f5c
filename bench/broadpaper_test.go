package bench

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/scree-dem/scree/vec"
)

// TestBroadPaper runs the smallest systems of all series. Every method finds the same pairs, energy
// is conserved, and each figure can be drawn.
func TestBroadPaper(t *testing.T) {
	defer func(all []int) { equalSides = all }(equalSides)
	equalSides = equalSides[:1]
	list, report, err := measure(t.Context(), &BroadPaperOptions{Series: []string{equalSeries}, Seed: 1, Workers: 1}, Env{})
	if err != nil {
		t.Fatal(err)
	}
	n := len(paperMethods)
	rows := broadPaperRows(list)
	if len(rows) != 2*n || len(report.Tables[1].Rows.([]BroadPaperFit)) > 0 {
		t.Fatalf("%d rows, %+v", len(rows), report.Tables)
	}
	for i, r := range rows {
		whole, counts := i >= n, strings.HasPrefix(r.Method, "l")
		if counts != (r.Ops > 0) || counts == r.Ops.missing() || (r.Method == "lll") == r.Swaps.missing() || math.Abs(float64(r.Ops-r.Swaps)-6) > 1e-9 {
			t.Errorf("%s: %g operations, expected some %t; %g swaps", r.Method, r.Ops, counts, r.Swaps)
		}
		block, steps := searchBlock, paperSteps
		if whole {
			block, steps = wholeBlock, wholeSteps
		}
		if !(r.NsStep > 0) || r.Block != block || r.Steps != steps || r.Searches != int64(steps) || !(r.Pairs > 0) || !(r.Start > 0) || r.Start != rows[0].Start {
			t.Errorf("%+v, expected %d steps with a search each", r, steps)
		}
		if r.Contacts > 0 != whole || r.Listing > 0 != whole || float64(r.Listing) >= r.NsStep || r.NsPair > 0 == whole || r.Energy < 1e-4 == whole {
			t.Errorf("%+v, expected contacts and a part of the step for the pairs in whole runs, or an energy error below 1e-4", r)
		}
	}
	for i, exponent := range []float64{1.8, 1.15, 1.15, 1.36, 1} {
		for _, row := range []BroadPaperRow{rows[i], rows[n+i]} {
			row.NsStep *= math.Pow(8, exponent-1)
			row.Bodies *= 8
			rows = append(rows, row)
		}
	}
	all := rows.fits()
	for k, block := range []string{searchBlock, wholeBlock} {
		for i, want := range []float64{1.8, 1.15, 1.15, 1.36, 1} {
			fits := all[2*(n*k+i):]
			byPairs := fits[1]
			if byPairs.What != "exponent by pairs" || byPairs.Block != block || math.Abs(float64(byPairs.Found)-want) > 1e-9 {
				t.Errorf("fit %+v, expected %g: as many pairs a ball", byPairs, want)
			}
			if f := fits[0]; math.Abs(float64(f.Found)-want) > 1e-9 || f.Block != block || f.Method != "multilevel" && f.Paper != fmt.Sprint(want) {
				t.Errorf("fit %+v, expected %g", f, want)
			}
		}
	}
	for _, f := range rows.figures([]snapshot{{name: "start", at: []vec.Vec3{{X: 1e-3, Y: 2e-3}}, radius: []float64{5e-4}}}) {
		var b bytes.Buffer
		if err := f.WriteSVG(&b); err != nil || !strings.Contains(b.String(), "<svg") {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
	one, _, err := measure(t.Context(), &BroadPaperOptions{Series: []string{equalSeries}, Methods: []string{wideCells}, Seed: 1, Workers: 1}, Env{})
	if err != nil || len(one) != 2 || one[0].Method != wideCells || one[0].Checksum != rows[0].Checksum || one[1].Checksum != rows[n].Checksum {
		t.Errorf("one method: %+v, error %v, expected the pairs and the state of all", one, err)
	}
}

// TestPaperSystems: numbers, densities and masses are those of Muth et al. 2007, and nothing
// overlaps at the start.
func TestPaperSystems(t *testing.T) {
	check := func(s *paperSystem, n int, density, within float64) {
		t.Helper()
		volume, box := 0.0, s.box.X*s.box.Y
		for _, r := range s.radius {
			if s.planar {
				volume += math.Pi * r * r
			} else {
				volume += 4 * math.Pi / 3 * r * r * r
			}
		}
		if !s.planar {
			box *= s.box.Z
		}
		if got := volume / box; len(s.at) != n || len(s.vel) != n || math.Abs(got-density) > within {
			t.Errorf("%s: %d bodies of density %.4f, expected %d of %g", s.series, len(s.at), got, n, density)
		}
		for i := range s.at[:min(n, 2000)] {
			for j := range i {
				if s.at[i].Sub(s.at[j]).Norm() < (s.radius[i]+s.radius[j])*(1-1e-12) {
					t.Fatalf("%s: bodies %d and %d of %d overlap", s.series, j, i, n)
				}
			}
		}
	}
	for i, n := range planarCounts[:3] {
		s, err := planarSystem(n, i, 1)
		if err != nil {
			t.Fatal(err)
		}
		check(s, n, 0.678, 0.002)
	}
	for _, side := range equalSides {
		s := equalSystem(side, 1)
		check(s, side*side*side, 0.197, 0.05)
		if m := s.density * 4 * math.Pi / 3 * math.Pow(s.radius[0], 3); math.Abs(m-5.236) > 1e-3 {
			t.Errorf("a ball has %g kg, expected 5.236", m)
		}
	}
	for i, n := range []int{1000, 4451, 14676, 32374, 65480} {
		check(fracturedSystem(i+1, fracturedBroken[i], 1), n, 0.1166, 1e-4)
	}
	check(pictureSystem(1), 300, 0.3, 0.1)
}
