package engine

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/scree-dem/scree/broad"
	"github.com/scree-dem/scree/broad/lc"
	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/vec"
)

// TestSearchesMakeOneRun checks that a run has the same hashes with every search, with walls that
// start and stop, on any number of workers.
func TestSearchesMakeOneRun(t *testing.T) {
	const dt, parts, each = 2e-4, 4, 100
	run := func(search string, workers int) (hashes []uint64, pairs int) {
		w := gates(t, workers, false)
		cfg := Config{Search: search, Searcher: lc.New(lc.Options{Cell: 1.5})} // used for searchOwn only
		w.space.Internals().SetBroad(broad.Config{Reach: w.law.Reach(), Search: cfg.search(), SearchIfUnmixed: search == searchAuto})
		for range parts {
			steps(t, w, each, dt)
			hashes = append(hashes, w.Hash())
			pairs += w.space.Candidates()
		}
		return hashes, pairs
	}
	want, wantPairs := run(searchCells, 1)
	for _, search := range append(Searches(), searchOwn) {
		for _, workers := range []int{1, 2} {
			got, pairs := run(search, workers)
			for i := range want {
				if got[i] != want[i] || pairs != wantPairs {
					t.Fatalf("%s on %d workers: hash at step %d is %016x with %d pairs in all, expected %016x with %d",
						search, workers, each*(i+1), got[i], pairs, want[i], wantPairs)
				}
			}
		}
	}
	law, err := force.NewTable(1, force.Linear{Kn: 1e5})
	if err != nil {
		t.Fatal(err)
	}
	cfg := Config{Law: law, Search: "vl", Searcher: lc.New(lc.Options{})}
	if _, err := New(cfg); !errors.Is(err, ErrConfig) {
		t.Errorf("a search and a searcher: %v, expected ErrConfig", err)
	}
	cfg = Config{Law: law, Search: "tree"}
	if _, err := New(cfg); !errors.Is(err, ErrConfig) {
		t.Errorf("search tree: %v, expected ErrConfig", err)
	}
}

// BenchmarkRebuild repeatedly finds the pairs of a heap of cubes, with carry-over and tiles. Bodies
// are numbered at random, and each moves by a thousandth of its side between two rebuilds.
func BenchmarkRebuild(b *testing.B) {
	for _, search := range []string{"cells", "multilevel"} {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("search=%s/workers=%d", search, workers), func(b *testing.B) {
				w := newWorld(b, Config{Workers: workers, Search: search, Skin: 0.02}, force.Linear{Kn: 1e4})
				cube := addShape(b, w, box(b, 1, 1, 1))
				const side = 40
				const n = side * side * side
				r := rand.New(rand.NewPCG(5, 5))
				near := func(size float64) vec.Vec3 {
					return vec.V(r.Float64()-0.5, r.Float64()-0.5, r.Float64()-0.5).Scale(size)
				}
				for _, i := range r.Perm(n) {
					pose := at(1.05*float64(i%side), 1.05*float64(i/side%side), 1.05*float64(i/side/side))
					pose.Pos = pose.Pos.Add(near(0.1))
					addBody(b, w, BodySpec{Parts: one(cube, 1000), Pose: pose})
				}
				if err := w.Fault(); err != nil {
					b.Fatal(err)
				}
				w.begin()
				for b.Loop() {
					b.StopTimer()
					for i := range n {
						w.bodies.Pos.Set(i, w.bodies.Pos.At(i).Add(near(2e-3)))
					}
					b.StartTimer()
					w.space.Internals().Search()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/body")
				b.ReportMetric(float64(w.space.Candidates())/n, "pairs/body")
			})
		}
	}
}

// TestSearchIsChosen checks the choice of "auto": the grid for bodies of one kind, the cell spaces
// beside a moving wall. It is made at rebuilds from what moves, is the same on any number of
// workers, and gives the hashes of either search.
func TestSearchIsChosen(t *testing.T) {
	const dt, parts, each = 2e-4, 3, 250
	run := func(search string, workers int) (chosen []string, hashes []uint64) {
		w := newWorld(t, Config{Gravity: down, Workers: workers, Search: search, Skin: 0.004}, force.Linear{Kn: 1e5, Kt: 8e4, Mu: 0.4, ByRestitution: true, Restitution: 0.3})
		bumpy(t, w, 8, at(0, 0, 0), Motion{Velocity: vec.V(0, 0, 0.2), From: each * dt, To: 2 * each * dt})
		s := addShape(t, w, rock(t, 3, 14, 0.1))
		for i := range 20 {
			addBody(t, w, BodySpec{Parts: one(s, 2600), Vel: vec.V(0, 0, -1), Pose: at(-0.6+0.3*float64(i%5), -0.45+0.3*float64(i/5), 0.5)})
		}
		if got := w.Search(); got != "" {
			t.Errorf("search %q before the first step, expected none", got)
		}
		for range parts {
			steps(t, w, each, dt)
			chosen = append(chosen, w.Search())
			hashes = append(hashes, w.Hash())
		}
		return chosen, hashes
	}
	_, want := run(searchCells, 1)
	for _, c := range []struct {
		search  string
		workers int
		chosen  []string
	}{
		{"", 1, []string{searchGrid, searchCells, searchGrid}},
		{searchAuto, 2, []string{searchGrid, searchCells, searchGrid}},
		{searchGrid, 1, []string{searchGrid, searchGrid, searchGrid}},
		{"vl", 1, []string{"vl", "vl", "vl"}},
	} {
		if chosen, got := run(c.search, c.workers); !slices.Equal(chosen, c.chosen) || !slices.Equal(got, want) {
			t.Errorf("%q on %d workers: searches %v, expected %v; hashes %x, expected %x", c.search, c.workers, chosen, c.chosen, got, want)
		}
	}
}

// TestSearcher: a world finds its pairs with the method of the configuration, and names it.
func TestSearcher(t *testing.T) {
	law, err := force.NewTable(1, force.Linear{Kn: 1e5})
	if err != nil {
		t.Fatal(err)
	}
	method := lc.New(lc.Options{})
	w, err := New(Config{Law: law, Searcher: method})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	ball, err := geometry.BallTemplate(0.5)
	if err != nil {
		t.Fatal(err)
	}
	shape, err := w.AddShape(ball)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []float64{0, 0.99, 40} {
		if _, err := w.AddBody(BodySpec{Parts: []Part{{Shape: shape, Density: 1000}}, Pose: vec.Pose{Pos: vec.V(x, 0, 0), Rot: vec.Identity}}); err != nil {
			t.Fatal(err)
		}
	}
	steps(t, w, 1, 1e-5)
	if w.Candidates() != 1 || method.Checked != 1 || w.Search() != searchOwn {
		t.Errorf("%d candidate pairs, %d pairs compared by the searcher, search %q", w.Candidates(), method.Checked, w.Search())
	}
}
