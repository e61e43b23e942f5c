package pairs

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/vec"
)

// TestOverlapsKnown compares volume and location of full and dual with closed forms, for both orders of
// the bodies, in three units, far from the origin, and with the whole pair turned.
func TestOverlapsKnown(t *testing.T) {
	x, z := vec.V(1, 0, 0), vec.V(0, 0, 1)
	quarter, h, half, edge := math.Pi/4, 0.1, math.Sqrt(3)/2, math.Sqrt2/2
	diagonal := vec.FromRotationVector(vec.V(1, -1, 0).Unit().Scale(math.Acos(1 / math.Sqrt(3))))
	crossed := vec.FromRotationVector(z.Scale(math.Pi / 2)).Mul(vec.FromRotationVector(x.Scale(quarter)))
	cube := func(unit float64) string { return fmt.Sprintf("box:%gx%[1]gx%[1]g", unit) }
	slab := func(unit float64) string { return cube(4 * unit) }
	tetra := func(unit float64) string { return fmt.Sprintf("tetra:%g", unit) }
	for _, c := range []struct {
		name   string
		a, b   func(unit float64) string
		pa, pb vec.Pose
		volume float64
		at     vec.Vec3
	}{
		{"V1 cubes", cube, cube, at(0, 0, 0), at(0.3, 0.2, 0.1), 0.504, vec.V(0.15, 0.1, 0.05)},
		{"V2 turned by 30°", cube, cube, at(0, 0, 0), turned(0, 0, 0.5, z, math.Pi/6), 0.5 * (math.Tan(math.Pi/12) + math.Tan(math.Pi/6)), vec.V(0, 0, 0.25)},
		{"V2 turned by 45°", cube, cube, at(0, 0, 0), turned(0, 0, 0.5, z, quarter), math.Tan(math.Pi / 8), vec.V(0, 0, 0.25)},
		// Corners of a cube of edge a/√2, whose other corners are those of the negative: the overlap is the
		// octahedron of the face centres, half of the tetrahedron a³/(6√2).
		{"V4 tetrahedra", tetra, tetra, at(0, 0, 0), turned(0, 0, 0, x, math.Pi/2), math.Sqrt2 / 24, vec.Vec3{}},
		{"V5 corner in a face", cube, slab, vec.Pose{Pos: vec.V(0, 0, half-h), Rot: diagonal}, at(0, 0, -2), half * h * h * h, vec.V(0, 0, -h/4)},
		{"V6 edge in a face", cube, slab, turned(0, 0, edge-h, x, quarter), at(0, 0, -2), h * h, vec.V(0, 0, -h/3)},
		{"V7 crossing edges", cube, cube, turned(0, 0, 2*edge-h, x, quarter), vec.Pose{Rot: crossed}, 2.0 / 3 * h * h * h, vec.V(0, 0, edge-h/2)},
	} {
		for _, in := range []struct {
			unit, far, tol float64
			turn           vec.Vec3 // of the whole pair, a rotation vector
		}{
			{1, 0, 1e-12, vec.Vec3{}}, {1e-6, 0, 1e-12, vec.Vec3{}}, {1e6, 0, 1e-12, vec.Vec3{}}, {1, 1e6, 1e-9, vec.Vec3{}}, // positions at 1e6 are 1e-10 from each other
			{1, 0, 1e-12, vec.V(0.3, -1.1, 0.7)}, {1e6, 0, 1e-12, vec.V(-2, 0.4, 0.9)},
		} {
			far, turn := vec.V(in.far, -in.far, in.far), vec.FromRotationVector(in.turn)
			place := func(p vec.Pose) vec.Pose {
				return vec.Pose{Pos: turn.Rotate(p.Pos.Scale(in.unit)).Add(far), Rot: turn.Mul(p.Rot)}
			}
			table := head + "\n" + row(c.a(in.unit), c.b(in.unit), place(c.pa), place(c.pb)) + row(c.b(in.unit), c.a(in.unit), place(c.pb), place(c.pa))
			for _, where := range []LocationChoice{Full, Dual} {
				o := defaults()
				o.Location = where
				rows, stats := run(t, table, o, shapesOf(t))
				for _, r := range rows {
					off, volume := r.at.Sub(far).Scale(1/in.unit).Sub(turn.Rotate(c.at)).Norm(), r.volume/(in.unit*in.unit*in.unit)
					if !(math.Abs(volume-c.volume) <= in.tol && off <= in.tol) || stats.NoOverlap > 0 {
						t.Errorf("%s, %v, in %g m from %g m, turned by %v, row %d: volume %.15g, off by %.3g, expected %.15g", c.name, where, in.unit, in.far, in.turn, r.row, volume, off, c.volume)
					}
				}
			}
		}
	}
}

// TestOverlapsAbsent: contacts without a common interior, and with balls, are located as reduced; other
// locations have no volume.
func TestOverlapsAbsent(t *testing.T) {
	cube := "box:1x1x1"
	table := head + "\n" + row(cube, cube, at(0, 0, 0), at(1, 0, 0)) + row(cube, "ball:0.5", at(0, 0, 0), at(0, 0, 0.9)) +
		row(cube, cube, at(0, 0, 0), at(2, 0, 0)) + row(cube, cube, at(0, 0, 0), at(0, 0, 0.9999999)) // the last is thinner than 1e-6 of the size
	reduced, _ := run(t, table, defaults(), shapesOf(t))
	for where, missing := range map[LocationChoice]int64{Reduced: 0, None: 0, Full: 1, Dual: 2} {
		o := defaults()
		o.Location = where
		rows, stats := run(t, table, o, shapesOf(t))
		if stats.NoOverlap != missing {
			t.Errorf("%v: %d contacts without an overlap, expected %d", where, stats.NoOverlap, missing)
		}
		for k, r := range rows {
			if (r.volume > 0) != (where == Full && k == 3) {
				t.Errorf("%v, row %d: volume %g", where, r.row, r.volume)
			}
			if where != None && r.at.Sub(reduced[k].at).Norm() > 1e-9 {
				t.Errorf("%v, row %d: at %v, reduced %v", where, r.row, r.at, reduced[k].at)
			}
		}
	}
}

// TestOverlapsOfTracks: a dual hull is used again while it holds, which changes answers by rounding at
// most. Rounded blocks act where their cores do, moved together by both radii.
func TestOverlapsOfTracks(t *testing.T) {
	tracked, alone := trackHead, head+"\n"
	for k := range 40 {
		s := 0.002 * float64(k)
		tracked += row("box:1x1x1", "octa:1", at(0, 0, 0), at(0.1+s, 0.05-s, 0.93), 1)
		alone += row("box:1x1x1", "octa:1", at(0, 0, 0), at(0.1+s, 0.05-s, 0.93))
	}
	o := defaults()
	o.Location = Dual
	warm, stats := run(t, tracked, o, shapesOf(t))
	cold, _ := run(t, alone, o, shapesOf(t))
	for k := range warm {
		if off := warm[k].at.Sub(cold[k].at).Norm(); off > 1e-13 || math.Abs(warm[k].volume-cold[k].volume) > 1e-14 {
			t.Errorf("row %d: on a track %v, alone %v", k+1, warm[k].at, cold[k].at)
		}
	}
	if stats.Reused < 20 {
		t.Errorf("%d of 40 hulls are used again", stats.Reused)
	}
	for _, where := range []LocationChoice{Full, Dual} {
		o.Location = where
		rounded, _ := run(t, roundsHead+row("box:1x1x1", "octa:1", at(0, 0, 0), at(0.1, 0.05, 1.21), 0.01, 0.03), o, shapesOf(t))
		core, _ := run(t, head+"\n"+row("box:1x1x1", "octa:1", at(0, 0, 0), at(0.1, 0.05, 1.17)), o, shapesOf(t))
		if off := rounded[0].at.Sub(vec.V(0, 0, 0.02)).Sub(core[0].at).Norm(); !(rounded[0].gap < 0) || off > 1e-14 {
			t.Errorf("%v: gap %g, at %v, the cores at %v", where, rounded[0].gap, rounded[0].at, core[0].at)
		}
	}
}

// TestOverlapsWithFacets: a facet counts as a block behind it. A cube stands on a triangle, and half beyond its
// border. PFC's middle of a facet changes no answer, and no other method takes it.
func TestOverlapsWithFacets(t *testing.T) {
	dir := folder(t, map[string]string{
		"facet.obj": "v 0 0 0\nv 4 0 0\nv 0 4 0\nf 1 2 3\n", "narrow.obj": "v 0 0 0\nv 1 0 0\nv 0.5 0 0\nf 1 2 3\n",
	})
	shapes := shapesOf(t, filepath.Join(dir, "facet.obj"))
	cube := "box:1x1x1"
	table := head + "\n" + row(cube, "facet", at(1, 1, 0.49), at(0, 0, 0)) + row("facet", cube, at(0, 0, 0), at(0, 1, 0.49)) +
		row("facet", cube, at(0, 0, 0), at(1, 1, -0.49)) + row("facet", "ball:0.5", at(0, 0, 0), at(1, 1, 0.49))
	want := []vec.Vec3{{X: 1, Y: 1, Z: -0.005}, {X: 0.25, Y: 1, Z: -0.005}, {X: 1, Y: 1, Z: 0.005}, {X: 1, Y: 1, Z: -0.005}}
	for _, where := range []LocationChoice{Full, Dual} {
		o := defaults()
		o.Location = where
		rows, stats := run(t, table, o, shapes)
		for k, r := range rows {
			volume := []float64{0.01, 0.005, 0.01, 0}[k]
			if r.at.Sub(want[k]).Norm() > 1e-12 || math.Abs(r.volume-volume) > 1e-14 || stats.NoOverlap > 0 {
				t.Errorf("%v, row %d: volume %.15g at %v, expected %g at %v", where, r.row, r.volume, r.at, volume, want[k])
			}
		}
	}

	r := rand.New(rand.NewPCG(4, 4))
	random := head + "\n" + row("facet", "facet", at(0, 0, 0), at(0, 0, 0))
	for range 2000 {
		random += row("facet", fmt.Sprintf("rock:%d,12,0.5", r.IntN(20)), at(0, 0, 0), vec.Pose{
			Pos: vec.V(4*r.Float64()-1, 4*r.Float64()-1, 1.2*r.Float64()-0.6),
			Rot: vec.FromRotationVector(randomUnit(r).Scale(3)),
		})
	}
	o := defaults()
	o.Method = narrow.GJKEPA
	plain, _ := run(t, random, o, shapes)
	o.FacetCentre = true
	centred, _ := run(t, random, o, shapes)
	for k := range plain {
		if plain[k] != centred[k] {
			t.Errorf("without the middle\n%+v\nwith it\n%+v", plain[k], centred[k])
		}
	}
	if plain[0].status != failed || !strings.Contains(plain[0].message, "both bodies are facets") {
		t.Errorf("two facets: %+v", plain[0])
	}
	if _, err := LoadShapes([]string{filepath.Join(dir, "narrow.obj")}); err == nil || !strings.Contains(err.Error(), "narrow.obj") {
		t.Errorf("a facet without area: %v", err)
	}
	o.Method = narrow.SAT
	if _, err := Run(t.Context(), strings.NewReader(random), "t.csv", shapes, nil, o); !errors.Is(err, ErrOption) {
		t.Errorf("the middle with sat: %v", err)
	}
}
