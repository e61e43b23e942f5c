package bench

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/vec"
)

// smallSystems returns the smallest system of each series.
func smallSystems(t *testing.T) []*paperSystem {
	t.Helper()
	planar, err := planarSystem(planarCounts[0], 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	equal := equalSystem(6, 1)
	// A corner of the fractured series: 27 balls, two of which are broken into eight.
	fractured := fracturedSystem(1, 0, 1)
	var at, vel []vec.Vec3
	var radius []float64
	for i, p := range fractured.at {
		if max(p.X, p.Y, p.Z) > 0.099 {
			continue
		}
		parts := 1
		if len(at)%14 == 3 {
			parts = 2
		}
		for j := range parts * parts * parts {
			part := 0.033 / float64(parts)
			offset := vec.V(float64(j%parts)+0.5, float64(j/parts%parts)+0.5, float64(j/parts/parts)+0.5).Scale(part)
			at = append(at, p.Sub(vec.V(0.0165, 0.0165, 0.0165)).Add(offset))
			radius, vel = append(radius, 0.01/float64(parts)), append(vel, fractured.vel[i])
		}
	}
	fractured.at, fractured.radius, fractured.vel, fractured.box = at, radius, vel, vec.V(0.099, 0.099, 0.099)
	all := []*paperSystem{planar, equal, fractured}
	for _, s := range all {
		s.every = 1
	}
	return all
}

// TestWholeRuns runs a small system of each series. When the balls have collided, a test of all pairs
// at each step finds that each ball has overlapped another one. All whole runs, with a search in each
// step or in each fourth, end in the state of a world that keeps its own skins.
func TestWholeRuns(t *testing.T) {
	for _, s := range smallSystems(t) {
		t.Run(s.series, func(t *testing.T) {
			o := &BroadPaperOptions{Workers: 1}
			n := len(s.at)
			w, err := s.world(engine.Config{Workers: 2, Search: "multilevel"})
			if err != nil {
				t.Fatal(err)
			}
			defer w.Close()
			if err := inPart(t, func(e *Env) { o.collide(e, w, s) }); err != nil {
				t.Fatal(err)
			}
			again, err := s.world(engine.Config{Workers: 1, Search: "brute"})
			if err != nil {
				t.Fatal(err)
			}
			defer again.Close()
			touched, half := make([]bool, n), -1
			dt := o.untimed(again, s)
			for again.Time() < w.Time() {
				if err := makeSteps(t.Context(), again, 1, dt); err != nil {
					t.Fatal(err)
				}
				for i := range n {
					for j := range i {
						reach := s.radius[i] + s.radius[j]
						if again.Bodies().Pos.At(i).Sub(again.Bodies().Pos.At(j)).Norm2() < reach*reach {
							touched[i], touched[j] = true, true
						}
					}
				}
				if half < 0 && again.Time() > w.Time()/2 {
					half = slices.Index(touched, false)
				}
			}
			if i := slices.Index(touched, false); i >= 0 || half < 0 {
				t.Errorf("ball %d has touched none; after half the time ball %d, expected some ball", i, half)
			}
			if got, want := w.Hash(), again.Hash(); got != want {
				t.Errorf("the balls collide in state %016x, expected %016x as with brute force", got, want)
			}

			state := w.State()
			if err := makeSteps(t.Context(), w, wholeSteps+1, s.dt); err != nil {
				t.Fatal(err)
			}
			want := fmt.Sprintf("%016x", w.Hash())
			for _, every := range []int{1, 4} {
				s.every = every
				var rows []BroadPaperRow
				err := inPart(t, func(e *Env) { rows = o.wholeRows(e, s, paperMethods, state, 0) })
				if err != nil {
					t.Fatal(err)
				}
				if err := (&plan[BroadPaperRow]{same: samePaper}).compare(rows); err != nil {
					t.Error(err)
				}
				for _, r := range rows {
					// Balls that collide become faster and use up their skins earlier.
					most := int64(wholeSteps * 2 / every)
					if r.Checksum != want || r.Searches < int64(wholeSteps/every)-1 || r.Searches > most || every == 1 && r.Searches != wholeSteps {
						t.Errorf("%s, every %d: state %s, expected %s; %d searches of %d steps", r.Method, every, r.Checksum, want, r.Searches, r.Steps)
					}
				}
			}
		})
	}
}

// TestWholeRunsDiffer: whole runs that end in different states are an error that names both methods.
func TestWholeRunsDiffer(t *testing.T) {
	rows := []BroadPaperRow{{Method: "lc", Checksum: "1"}, {Method: "lll", Checksum: "1"}, {Method: "vl", Checksum: "2"}}
	for i := range rows {
		rows[i].Series, rows[i].Block, rows[i].Bodies = equalSeries, wholeBlock, 8
	}
	p := &plan[BroadPaperRow]{same: samePaper}
	want := "bench: 3d, 8 bodies, whole: checksum 2 with vl, expected 1 as with lc"
	if err := p.compare(rows); err == nil || err.Error() != want {
		t.Errorf("two states: %v, expected %s", err, want)
	}
	if err := p.compare(rows[:2]); err != nil {
		t.Errorf("one state: %v", err)
	}
}

// TestBallsThatNeverMeet: collide ends with an error that counts the balls which have met no other.
func TestBallsThatNeverMeet(t *testing.T) {
	s := smallSystems(t)[1]
	clear(s.vel)
	s.long = 0.01
	w, err := s.world(engine.Config{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	err = inPart(t, func(e *Env) { (&BroadPaperOptions{}).collide(e, w, s) })
	if err == nil || !strings.Contains(err.Error(), "216 of 216 bodies have touched no other") {
		t.Errorf("balls at rest: %v", err)
	}
}

// TestCrossing: the fit finds where the times of two methods are equal, or names the faster method.
func TestCrossing(t *testing.T) {
	for _, test := range []struct {
		times [3]float64 // of lc at R/r 1, 2, 3; lll takes 8
		want  []float64
		note  string
	}{
		{[3]float64{4, 16, 32}, []float64{1.5}, "-"}, // 8 is the geometric mean of 4 and 16
		{[3]float64{4, 16, 4}, []float64{1.5, 2.5}, "-"},
		{[3]float64{9, 16, 32}, nil, "none: lll is faster from R/r 1 to 3"},
		{[3]float64{1, 2, 7}, nil, "none: lc is faster from R/r 1 to 3"},
	} {
		var r broadPaperRows
		for k, ns := range test.times {
			for _, row := range []BroadPaperRow{{Method: "lc", NsStep: ns}, {Method: "lll", NsStep: 8}} {
				row.Series, row.Block, row.Ratio = fracturedSeries, wholeBlock, float64(k+1)
				r = append(r, row)
			}
		}
		fits := r.crossings(wholeBlock, "lc", "lll")
		fits = append(fits, r.crossings(searchBlock, "lc", "lll")...) // has no rows
		fits = append(fits, r.crossings(wholeBlock, wideCells, "lll")...)
		if test.want == nil {
			if len(fits) != 1 || !fits[0].Found.missing() || fits[0].Note != test.note {
				t.Errorf("%v: %+v, expected %q", test.times, fits, test.note)
			}
			continue
		}
		if len(fits) != len(test.want) {
			t.Fatalf("%v: %+v, expected crossings at %g", test.times, fits, test.want)
		}
		for k, f := range fits {
			if math.Abs(float64(f.Found)-test.want[k]) > 1e-12 || f.Note != test.note || f.Block != wholeBlock {
				t.Errorf("%v: %+v, expected a crossing at %g", test.times, f, test.want[k])
			}
		}
	}
}
