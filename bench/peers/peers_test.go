package peers

import (
	"context"
	"errors"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/internal/require"
	"github.com/scree-dem/scree/vec"
)

// long runs all peers: compiling CGAL takes a quarter of a minute, and LAMMPS is large to install.
var long = flag.Bool("soak", false, "ask all peers")

// quickPeers are those that continuous integration installs.
var quickPeers = []string{"bullet-dbvt", "bullet-sap", "embree"}

func newBench(t *testing.T) *Bench {
	t.Helper()
	b, err := New()
	if err != nil {
		t.Fatal(err)
	}
	b.Fast = true
	t.Cleanup(b.Close)
	return b
}

// needs skips the test if a peer is missing, and fails it if the peer has failed.
func needs(t *testing.T, name, problem string) {
	t.Helper()
	require.Tool(t, !strings.HasPrefix(problem, "not installed"), name+" is "+problem)
	if problem != "" {
		t.Fatalf("%s %s", name, problem)
	}
}

// asked skips a slow peer, unless all peers are to run.
func asked(t *testing.T, name string) {
	t.Helper()
	if !*long && !slices.Contains(quickPeers, name) {
		t.Skip("takes long: make soak-peers asks it")
	}
}

// dyadic makes boxes of balls with numbers that float32 represents exactly, and their motion.
// Therefore all peers compare the same numbers.
func dyadic(n int) *Scenes {
	r := rand.New(rand.NewPCG(1, 2))
	s := &Scenes{Rounds: 2, Steps: 3}
	for range 2 {
		var boxes []vec.Box
		for range n {
			half := float64(1+r.IntN(8)) / 16
			at := vec.V(float64(r.IntN(512))/64, float64(r.IntN(512))/64, float64(r.IntN(512))/64)
			boxes = append(boxes, vec.Box{Min: at.Sub(vec.V(half, half, half)), Max: at.Add(vec.V(half, half, half))})
		}
		s.Boxes = append(s.Boxes, boxes)
	}
	for range n {
		s.Motion = append(s.Motion, vec.V(float64(r.IntN(3)-1)/64, float64(r.IntN(3)-1)/64, float64(r.IntN(3)-1)/64))
	}
	return s
}

// truth returns the pairs of boxes that share a point, or of the balls in them, by testing all.
func truth(boxes []vec.Box, balls bool) (pairs []PosedPair) {
	for i := range boxes {
		for j := i + 1; j < len(boxes); j++ {
			a, b := &boxes[i], &boxes[j]
			near := a.Min.X <= b.Max.X && b.Min.X <= a.Max.X && a.Min.Y <= b.Max.Y && b.Min.Y <= a.Max.Y && a.Min.Z <= b.Max.Z && b.Min.Z <= a.Max.Z
			if balls {
				x, r := Ball(a)
				y, s := Ball(b)
				near = x.Sub(y).Norm2() < (r+s)*(r+s)
			}
			if near {
				pairs = append(pairs, pairOf(uint32(i), uint32(j)))
			}
		}
	}
	return pairs
}

func TestBoxes(t *testing.T) {
	b, s := newBench(t), dyadic(300)
	first, moved := truth(s.Boxes[0], false), slices.Clone(s.Boxes[0])
	for i, v := range s.Motion {
		by := v.Scale(float64(s.Rounds * s.Steps))
		moved[i] = vec.Box{Min: moved[i].Min.Add(by), Max: moved[i].Max.Add(by)}
	}
	last := truth(moved, false)
	for _, name := range Boxes() {
		t.Run(name, func(t *testing.T) {
			asked(t, name)
			r, err := b.Boxes(context.Background(), name, s)
			if err != nil {
				t.Fatal(err)
			}
			needs(t, name, r.Problem)
			want := first
			if r.Balls {
				want = truth(s.Boxes[0], true)
			}
			if missing, extra := Differences(want, r.First); missing != 0 || extra != 0 && name != "bullet-sap" || len(want) < 50 {
				t.Errorf("%d pairs, expected %d: %d missing, %d of no boxes", len(r.First), len(want), missing, extra)
			}
			if len(r.Scratch) != 1 || !(r.Scratch.Least() > 0) || r.Version == "" {
				t.Errorf("%+v, expected a version and a time", r)
			}
			if r.Update == nil {
				return
			}
			if missing, extra := Differences(last, r.Last); missing != 0 || extra > len(last) || len(r.Update) != s.Rounds {
				t.Errorf("%d pairs after motion, expected %d: %d missing, %d of no boxes; times %v", len(r.Last), len(last), missing, extra, r.Update)
			}
		})
	}
	if _, err := b.Boxes(context.Background(), "tree", s); err == nil {
		t.Error("tree: no error, expected one that names the peers")
	}
}

func TestInside(t *testing.T) {
	b := newBench(t)
	cube := &geometry.Mesh{Faces: [][]int{
		{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5},
	}}
	for i := range 8 {
		cube.Verts = append(cube.Verts, vec.V(float64(i&1), float64(i>>1&1), float64(i>>2)))
	}
	r := rand.New(rand.NewPCG(3, 4))
	var points []vec.Vec3
	var want []byte
	for range 1000 {
		p := vec.V(2*r.Float64()-0.5, 2*r.Float64()-0.5, 2*r.Float64()-0.5)
		place := byte(0)
		if p.Sub(vec.V(0.5, 0.5, 0.5)).MaxAbs() < 0.5 {
			place = 1
		}
		points, want = append(points, p), append(want, place)
	}
	for _, name := range Inside() {
		t.Run(name, func(t *testing.T) {
			asked(t, name)
			got, err := b.Inside(context.Background(), name, points, cube, 2)
			if err != nil {
				t.Fatal(err)
			}
			needs(t, name, got.Problem)
			if !slices.Equal(got.Places, want) {
				t.Errorf("places differ from the cube's: %d of %d inside", strings.Count(string(got.Places), "\x01"), len(points))
			}
			if len(got.Setup) != 2 || len(got.Query) != 2 || got.Version == "" {
				t.Errorf("%d setups, %d queries, version %q, expected 2 of each and a version", len(got.Setup), len(got.Query), got.Version)
			}
		})
	}
	if _, err := b.Inside(context.Background(), "embree", points, &geometry.Mesh{Faces: [][]int{{0, 1, 2, 3}}}, 1); err == nil {
		t.Error("a face of four vertices: no error")
	}
}

// TestProblems: results name the problem of a peer that is missing, broken or interrupted.
func TestProblems(t *testing.T) {
	b, s := newBench(t), dyadic(10)
	none := &program{"bullet", "no/such/header.h", nil, "libnone-dev"}
	if o, _, err := b.run(context.Background(), none, "in"); err != nil || !strings.HasPrefix(o.problem, "not installed: apt-get install ") {
		t.Errorf("a library without headers: %+v, %v, expected what to install", o, err)
	}
	b.built[bullet] = &built{path: "/bin/false"}
	if r, err := b.Boxes(context.Background(), "bullet-dbvt", s); err != nil || !strings.HasPrefix(r.Problem, "failed: ") {
		t.Errorf("a program that fails: %+v, %v, expected a problem", r, err)
	}
	short := &built{path: filepath.Join(t.TempDir(), "short")}
	script := "#!/bin/sh\nfor out; do :; done\nprintf '\\001\\000\\000\\000\\000\\000\\000\\000' > \"$out\"\n"
	if err := os.WriteFile(short.path, []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	b.built[cgalBoxes], b.built[embree] = short, short
	if r, err := b.Boxes(context.Background(), "cgal", s); err != nil || r.Problem != endsEarly {
		t.Errorf("one pair that is not there: %+v, %v, expected a problem", r, err)
	}
	if r, err := b.Inside(context.Background(), "embree", make([]vec.Vec3, 9), &geometry.Mesh{}, 1); err != nil || r.Problem != endsEarly {
		t.Errorf("8 places of 9 points: %+v, %v, expected a problem", r, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := b.Boxes(ctx, "lammps", s); err != nil && !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v, expected context.Canceled", err)
	}
	t.Setenv("PATH", t.TempDir())
	t.Setenv("CXX", "")
	fresh := newBench(t)
	for _, name := range Boxes() {
		if r, err := fresh.Boxes(context.Background(), name, s); err != nil || !strings.HasPrefix(r.Problem, "not installed: apt-get install ") {
			t.Errorf("%s without a compiler and programs: %+v, %v, expected what to install", name, r, err)
		}
	}
}

func TestDifferences(t *testing.T) {
	if missing, extra := Differences([]PosedPair{1, 2, 5, 9}, []PosedPair{2, 3, 9, 10}); missing != 2 || extra != 2 {
		t.Errorf("%d missing, %d extra, expected 2 and 2", missing, extra)
	}
	times := Times{4, 1, 3, 2}
	if times.Least() != 1 || times.Median() != 2 || Times(nil).Median() != 0 {
		t.Errorf("least %g, median %g, expected 1 and 2", times.Least(), times.Median())
	}
}
