package engine

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/engine/force"
	"github.com/scree-dem/scree/engine/surface"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// TestRimsOfAnyRegion: whatever cells a floor has, and however they are cut, its rims are the cell sides with a cell on one
// side of them alone, which is to their left.
func TestRimsOfAnyRegion(t *testing.T) {
	const n = 7
	for seed := range uint64(40) {
		r := geometry.NewRand(seed)
		var full [n + 2][n + 2]bool
		var raw triangles
		for y := 1; y <= n; y++ {
			for x := 1; x <= n; x++ {
				if r.Float64() < 0.35 {
					continue
				}
				full[y][x] = true
				a, b := vec.V(float64(x), float64(y), 0), vec.V(float64(x+1), float64(y), 0)
				c, d := vec.V(float64(x+1), float64(y+1), 0), vec.V(float64(x), float64(y+1), 0)
				switch m := a.AddScaled(0.5+0.3*r.Float64(), c.Sub(a)); int(r.Float64() * 3) {
				case 0:
					raw = append(raw, []vec.Vec3{a, b, c, d})
				case 1:
					raw = append(raw, []vec.Vec3{a, c, b}, []vec.Vec3{a, c, d})
				default: // four about a point within
					raw = append(raw, []vec.Vec3{a, b, m}, []vec.Vec3{b, m, c}, []vec.Vec3{c, d, m}, []vec.Vec3{d, a, m})
				}
			}
		}
		length := 0.0
		for y := range n + 1 {
			for x := range n + 1 {
				if full[y][x] != full[y][x+1] {
					length++
				}
				if full[y][x] != full[y+1][x] {
					length++
				}
			}
		}
		// The same with triangles and rectangles over some of it once more.
		doubled := append(triangles{}, raw...)
		for y := 1; y <= n; y++ {
			for x := 1; x < n; x++ {
				to := x
				for most := x + 3; to < most && full[y][to]; to++ {
				}
				if to > x {
					a, b, c := vec.V(float64(x), float64(y), 0), vec.V(float64(to), float64(y), 0), vec.V(float64(to), float64(y+1), 0)
					doubled = append(doubled, []vec.Vec3{a, c, b}, []vec.Vec3{a, b, c, a.Add(c.Sub(b))})
				}
			}
		}
		turn := vec.FromRotationVector(vec.V(0.2, -0.5, 0.9))
		for name, f := range map[string]triangles{"raw": raw, "merged": raw.merged(t), "doubled": doubled} {
			if len(f) < 2 {
				continue
			}
			var facing [][]flat
			pose := vec.Pose{Pos: vec.V(2, 3, 4), Rot: turn}
			for _, p := range f {
				var q []vec.Vec3
				for _, v := range p {
					q = append(q, pose.Point(v))
				}
				facing = append(facing, outline(q, pose))
			}
			got := 0.0
			border, longest := shorter(foundRims(facing, 1e-5))
			for _, e := range border {
				if dx := math.Abs(e.b.x - e.a.x); dx > longest || dx > 1.0001*n/math.Sqrt(length/n) {
					t.Errorf("seed %d, %s: a rim of %g along x", seed, name, dx)
				}
				_, l := e.along(e.b)
				got += l
				for s := 0.01; s < l; s += 0.05 {
					p := flat{e.a.x + s/l*(e.b.x-e.a.x), e.a.y + s/l*(e.b.y-e.a.y)}
					nx, ny := -(e.b.y-e.a.y)/l, (e.b.x-e.a.x)/l
					in := full[int(p.y+0.004*ny)][int(p.x+0.004*nx)]
					out := full[int(p.y-0.004*ny)][int(p.x-0.004*nx)]
					if !in || out {
						t.Fatalf("seed %d, %s: rim %v at %v has the floor on its left %v, on its right %v", seed, name, e, p, in, out)
					}
				}
			}
			if math.Abs(got-length) > 1e-9*length {
				t.Errorf("seed %d, %s: rims of length %.12g, expected %g", seed, name, got, length)
			}
		}
	}
}

// TestRimsOfSlivers: facets narrower than a seam, at a rim or amid the sheet, leave the rims where they are; so does a part of the
// sheet that is as narrow. A slit that narrow is none, and nor is a lap.
func TestRimsOfSlivers(t *testing.T) {
	const seam = 1e-5
	quad := func(x0, y0, x1, y1 float64) []flat { return []flat{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}} }
	for _, h := range []float64{1e-9, 2e-7, 3e-6, 9e-6, 2e-5, 1e-3} {
		for _, c := range []struct {
			name     string
			polygons [][]flat
			rims     int
			length   float64
		}{
			{"rim", [][]flat{quad(0, 0, 4, h), quad(0, h, 3, 2), quad(3, h, 4, 2)}, 4, 12},
			{"rims", [][]flat{quad(0, 0, h, 2), quad(h, 0, 4-h, h), quad(4-h, 0, 4, 2), quad(h, h, 4-h, 2)}, 4, 12},
			{"fan", [][]flat{{{0, 0}, {4, 0}, {1, h}}, {{1, h}, {4, 0}, {4, 2}}, {{1, h}, {4, 2}, {0, 2}}, {{0, 2}, {0, 0}, {1, h}}}, 4, 12},
			{"amid", [][]flat{quad(0, 0, 4, 1), quad(0, 1, 2, 1+h), quad(2, 1, 4, 1+h), quad(0, 1+h, 4, 2)}, 4, 12},
			{"twice", [][]flat{quad(0, 0, 4, 2), quad(1, 0, 2, h), quad(1, 1, 2, 1+h), quad(0, 0, h, 1)}, 4, 12},
			{"narrow", [][]flat{quad(0, 0, 3, h), quad(3, 0, 4, h)}, 4, 8 + 2*h},
			{"lap", [][]flat{quad(0, 0, 4, 1+h), quad(0, 1, 3, 2), quad(3, 1, 4, 2)}, 4, 12},
			{"slit", [][]flat{quad(0, 0, 4, 1), quad(0, 1+h, 3, 2), quad(3, 1+h, 4, 2)}, 4, 12},
		} {
			slack := 1e-12
			switch {
			case c.name != "slit":
			case h > seam:
				c.rims, c.length = 8, 20-2*h
			case h > seam/16: // its mouths are open, and of no width
				c.rims, slack = 6, 2.1*h
			default:
				slack = 2.1 * h
			}
			got := foundRims(c.polygons, seam)
			length := 0.0
			for _, r := range got {
				length += away(r.a, r.b)
			}
			if len(got) != c.rims || math.Abs(length-c.length) > slack {
				t.Errorf("%s, %g: %d rims %v, %.12g m, expected %d, %g m", c.name, h, len(got), got, length, c.rims, c.length)
			}
		}
	}
}

// TestRimsInSinglePrecision: however a region is cut, its rims are those of its cells, to the rounding of a file of single
// precision, in which corners that lie on an edge lie beside it.
func TestRimsInSinglePrecision(t *testing.T) {
	const seam = 1.5 * surface.SeamRel
	for seed := range uint64(300) {
		r := geometry.NewRand(seed)
		names, cuts := randomQuads(r).cuts(r)
		find := func(name string, round func(x float64) float64) (out []rim, length float64) {
			var facing [][]flat
			for _, p := range cuts[name] {
				var q []vec.Vec3
				for _, v := range p {
					q = append(q, vec.V(round(v.X), round(v.Y), 0))
				}
				facing = append(facing, outline(q, vec.IdentityPose))
			}
			for _, e := range foundRims(facing, seam) {
				out, length = append(out, e), length+away(e.a, e.b)
			}
			return out, length
		}
		want, length := find("diagonal", func(x float64) float64 { return x })
		for _, name := range names {
			if got, l := find(name, func(x float64) float64 { return float64(float32(x)) }); len(got) != len(want) || math.Abs(l-length) > 4e-6 {
				t.Errorf("seed %d, %s: %d rims of %.9g m, expected %d of %.9g", seed, name, len(got), l, len(want), length)
			}
		}
	}
}

// TestSheetsAreFound: facets of one plane and material are one sheet, whichever way they turn and whether or not they are
// connected; those off the plane, of another material, or alone are not.
func TestSheetsAreFound(t *testing.T) {
	law, err := force.NewTable(2, force.Linear{Kn: 1})
	if err != nil {
		t.Fatal(err)
	}
	w, err := New(Config{Law: law})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	turn := vec.FromRotationVector(vec.V(0.4, 0.2, -0.7))
	p := func(x, y, z float64) vec.Vec3 { return turn.Rotate(vec.V(x, y, z)).Add(vec.V(5, 6, 7)) }
	var parts []Part
	for _, f := range []struct {
		a, b, c  vec.Vec3
		material soa.Material
	}{
		{p(0, 0, 0), p(1, 0, 0), p(0, 1, 0), 0},
		{p(1, 0, 0), p(0, 1, 0), p(1, 1, 0), 0},             // turned over
		{p(7, 7, 0), p(8, 7, 0), p(7, 8, 0), 0},             // far away
		{p(0, 0, 1), p(1, 0, 1), p(0, 1, 1), 0},             // parallel
		{p(0, 0, 0), p(1, 0, 0), p(0, 0, 1), 0},             // upright
		{p(2, 0, 0), p(3, 0, 0), p(2, 1, 0), 1},             // of another material
		{p(4, 0, 0), p(5, 0, 0), p(4, 1, 1e-6), 0},          // off the plane
		{p(0, 0, 2), p(1, 0, 2), p(0, 1, 2), 0},             // two more of one plane
		{p(0.5, 0.5, 2), p(2, 0.5, 2), p(0.5, 2.1, 2), 0},   //
		{p(9, 0, 0), p(9.001, 0, 0), p(9, 0.001, 1e-15), 0}, // small
	} {
		parts = append(parts, Part{Shape: addShape(t, w, facet(t, f.a, f.b, f.c)), Material: f.material})
	}
	addWall(t, w, Wall{Parts: parts, Pose: at(1, 2, 3)})
	addWall(t, w, Wall{Parts: parts[:1], Pose: at(1, 2, 3)})
	want := []uint32{1, 1, 1, 0, 0, 0, 0, 2, 2, 1}
	for i, s := range want {
		// Which sheet comes first depends on the largest facet.
		if got := w.sheets.sheetOf(soa.Piece(i)); (got == 0) != (s == 0) || s != 0 && (got == w.sheets.sheetOf(0)) != (s == 1) {
			t.Errorf("facet %d is in sheet %d, the first in %d", i, got, w.sheets.sheetOf(0))
		}
	}
	if len(w.sheets.all) != 2 || w.sheets.several(1) || !w.sheets.several(0) {
		t.Errorf("%d sheets, of several facets: %v", len(w.sheets.all), w.sheets.many)
	}
}

// TestSheetLedger: what a sheet does to energies is what a plane does: histories that go from facet to facet lose nothing.
func TestSheetLedger(t *testing.T) {
	run := func(f triangles) Measure {
		w := newWorld(t, Config{Gravity: down}, force.Linear{Kn: 1e6, Kt: 8e5, Mu: 0.3, ByRestitution: true, Restitution: 0.5})
		if f == nil {
			planeWall(t, w, vec.IdentityPose, Motion{})
		} else {
			f.wall(t, w, vec.IdentityPose, Motion{})
		}
		addBody(t, w, Body{Parts: one(addShape(t, w, box(t, 0.4, 0.3, 0.1)), 1000), Pose: at(-0.31, 0.17, 0.06), Vel: vec.V(1.4, 0.4, 0)})
		addBody(t, w, Body{Parts: one(addShape(t, w, ball(t, 0.1)), 1000), Pose: at(-0.31, -0.57, 0.11), Vel: vec.V(1.9, 0.4, 0)})
		steps(t, w, 3000, 1e-4)
		return w.Measure()
	}
	want := run(nil)
	for _, f := range []triangles{gridFloor(15, 0, 1), gridFloor(15, 0.4, 2), brickFloor(11)} {
		got := run(f)
		for i, d := range []float64{got.Ledger.Elastic - want.Ledger.Elastic, got.Ledger.Shear - want.Ledger.Shear,
			got.Ledger.Damping - want.Ledger.Damping, got.Ledger.Friction - want.Ledger.Friction, got.LeftOver - want.LeftOver,
			got.Ledger.LawExcess - want.Ledger.LawExcess} {
			if !(math.Abs(d) < 1e-9*want.Ledger.Friction) {
				t.Errorf("%d facets: entry %d of the account is %g J off", len(f), i, d)
			}
		}
	}
	if want.Ledger.Friction < 0.1 {
		t.Errorf("friction took %g J, expected bodies that slide", want.Ledger.Friction)
	}
}

// rimWorkOf returns the bounds for polygons that are a wall.
func rimWorkOf(polygons [][]flat) *rimWork {
	edges := 0
	for _, p := range polygons {
		edges += len(p)
	}
	return newRimWork(edges)
}

// foundRims returns the rims of polygons that are not too tangled.
func foundRims(polygons [][]flat, seam float64) []rim {
	work := rimWorkOf(polygons)
	rims := rimsOf(polygons, seam, work)
	if work.tangle != "" {
		panic(work.tangle)
	}
	return rims
}
