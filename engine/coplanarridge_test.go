package engine

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/internal/require"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Flat parts of a wall that meet at an angle: ridges, valleys and corners.

// roof returns the two triangulated sides of a roof of slope s, whose ridge is the y axis; negative
// slopes make a valley.
func roof(n int, s float64) triangles {
	var out triangles
	for _, p := range gridFloor(n, 0.3, 8) {
		for _, side := range []float64{-1, 1} {
			var q []vec.Vec3
			for _, v := range p {
				x := 0.5 * (v.X + 1) // 0 to 1, distance from the ridge
				q = append(q, vec.V(side*x, v.Y, -s*x))
			}
			out = append(out, q)
		}
	}
	return out
}

// TestBallOverARidge rolls a ball over a ridge between two triangulated slopes. It must have one
// contact, with the force of its distance to the roof; no facet's edge acts separately. In a valley
// it has two contacts.
func TestBallOverARidge(t *testing.T) {
	require.Numbers(t)
	const k, r = 1e6, 0.1
	for _, slope := range []float64{0.02, 0.3, 1.5, -0.3, -1} {
		sides, c := roof(8, slope), 1/math.Sqrt(1+slope*slope)
		for i := range 67 {
			x := (float64(i) - 33) / 165
			p := vec.V(x, 0.3+0.1*x, -slope*math.Abs(x)+(r-1e-5)/c)
			// The distances to the two sides, and to the ridge if the projection lies beyond it.
			var want vec.Vec3
			n := 0
			for _, side := range []float64{-1, 1} {
				normal := vec.V(side*slope*c, 0, c)
				h := normal.Dot(vec.V(p.X, 0, p.Z))
				if foot := side * (p.X - h*normal.X); foot > 0 && h < r {
					want = want.AddScaled(k*(r-h), normal)
					n++
				}
			}
			if d := math.Hypot(p.X, p.Z); n == 0 && d < r {
				want, n = vec.V(p.X, 0, p.Z).Scale(k*(r-d)/d), 1
			}
			w := newWorld(t, Config{}, force.Linear{Kn: k})
			sides.wall(t, w, vec.IdentityPose, Motion{})
			addBody(t, w, BodySpec{Parts: one(addShape(t, w, ball(t, r)), 1000), Pose: vec.Pose{Pos: p, Rot: vec.Identity}})
			w.Measure()
			if got := activeContacts(w); got != n {
				t.Fatalf("slope %g, x = %g: %d contacts, expected %d", slope, x, got, n)
			}
			if f := w.bodies.Force.At(1); f.Sub(want).Norm() > 1e-7 {
				t.Fatalf("slope %g, x = %g: force %v, expected %v", slope, x, f, want)
			}
		}
	}
}

// TestInACorner checks that a ball and a block in the corner of a triangulated floor and two walls
// have a contact with each.
func TestInACorner(t *testing.T) {
	const k = 1e6
	var corner triangles
	for _, p := range gridFloor(6, 0.3, 9) {
		for axis := range 3 {
			var q []vec.Vec3
			for _, v := range p {
				x, y := 0.5*(v.X+1), 0.5*(v.Y+1)
				q = append(q, [3]vec.Vec3{vec.V(x, y, 0), vec.V(0, x, y), vec.V(y, 0, x)}[axis])
			}
			corner = append(corner, q)
		}
	}
	for _, shape := range []*soa.Template{ball(t, 0.1), box(t, 0.2, 0.2, 0.2)} {
		w := newWorld(t, Config{}, force.Linear{Kn: k})
		corner.wall(t, w, vec.IdentityPose, Motion{})
		addBody(t, w, BodySpec{Parts: one(addShape(t, w, shape), 1000), Pose: at(0.1-1e-4, 0.1-2e-4, 0.1-3e-4)})
		w.Measure()
		if n := activeContacts(w); n != 3 {
			t.Errorf("%v: %d contacts, expected three", shape.Kind, n)
		}
		if f, want := w.bodies.Force.At(1), vec.V(100, 200, 300); f.Sub(want).Norm() > 1e-6 {
			t.Errorf("%v: force %v, expected %v", shape.Kind, f, want)
		}
	}
}

// TestBlockOverARidge checks that a block flat over the common edge of two triangulated slopes has
// one contact, in the middle of the edge's part under the block. On a floor next to a slope, a
// block has one contact with the floor.
func TestBlockOverARidge(t *testing.T) {
	w := newWorld(t, Config{}, force.Linear{Kn: 1e6})
	roof(6, 0.5).wall(t, w, vec.IdentityPose, Motion{})
	addBody(t, w, BodySpec{Parts: one(addShape(t, w, box(t, 0.4, 0.4, 0.2)), 1000), Pose: at(0, 0.1, 0.1-1e-4)})
	w.Measure()
	if n := activeContacts(w); n != 1 {
		t.Errorf("%d contacts with a ridge, expected one", n)
	}
	if f, m := w.bodies.Force.At(1), w.bodies.Torque.At(1); f.Sub(vec.V(0, 0, 100)).Norm() > 1e-6 || m.Norm() > 1e-6 {
		t.Errorf("force %v and torque %v, expected 100 N upwards through the centre", f, m)
	}

	var step triangles
	for _, p := range gridFloor(6, 0.3, 9) {
		var q, r []vec.Vec3
		for _, v := range p {
			q = append(q, vec.V(v.X-1, v.Y, 0))
			r = append(r, vec.V(0, v.Y, v.X-1)) // slope down from the floor's edge
		}
		step = append(step, q, r)
	}
	for _, shift := range []float64{0, 1e-9, -0.03, 0.07} {
		w := newWorld(t, Config{}, force.Linear{Kn: 1e6})
		step.wall(t, w, vec.IdentityPose, Motion{})
		addBody(t, w, BodySpec{Parts: one(addShape(t, w, box(t, 0.4, 0.4, 0.2)), 1000), Pose: at(shift, 0.1, 0.1-1e-4)})
		w.Measure()
		if n, f := activeContacts(w), w.bodies.Force.At(1); n != 1 || f.Sub(vec.V(0, 0, 100)).Norm() > 1e-6 {
			t.Errorf("shift %g: %d contacts, force %v, expected one of 100 N upwards", shift, n, f)
		}
	}
}

// TestBlockLeansOverARim: a block that lies on the rim of a table of facets and leans outward by
// little is placed as on a block, however the facets are cut. The facets of the table's side do not
// count as material beyond the rim.
func TestBlockLeansOverARim(t *testing.T) {
	for _, lean := range []float64{1e-6, 1e-4, 3e-3} {
		for _, x := range []float64{-0.1, 0.05} {
			pose := vec.Pose{Pos: vec.V(x, 0.1, 0.1-1e-3), Rot: vec.FromRotationVector(vec.V(0, lean, 0)).Mul(vec.FromRotationVector(vec.V(0, 0, 0.4)))}
			place := func(table func(w *World)) (at vec.Vec3) {
				w := newWorld(t, Config{}, force.Linear{Kn: 1e6})
				table(w)
				addBody(t, w, BodySpec{Parts: one(addShape(t, w, box(t, 0.4, 0.4, 0.2)), 1000), Pose: pose})
				w.Measure()
				for c := range w.ActiveContacts() {
					at = c.Location
				}
				if n := activeContacts(w); n != 1 {
					t.Errorf("lean %g at %g: %d contacts, expected one", lean, x, n)
				}
				return at
			}
			want := place(func(w *World) {
				if _, err := w.AddWall(WallSpec{Parts: one(addShape(t, w, box(t, 2, 2, 2)), 0), Pose: at(-1, 0, -1)}); err != nil {
					t.Fatal(err)
				}
			})
			for n := 1; n < 4; n++ {
				var table triangles
				for _, p := range gridFloor(n, 0, 9) {
					var top, side []vec.Vec3
					for _, v := range p {
						top, side = append(top, vec.V(v.X-1, v.Y, 0)), append(side, vec.V(0, v.Y, v.X-1))
					}
					table = append(table, top, side)
				}
				if got := place(func(w *World) { table.wall(t, w, vec.IdentityPose, Motion{}) }); got.Sub(want).Norm() > 1e-7 {
					t.Errorf("lean %g at %g, cut in %d: at %v, expected %v", lean, x, n, got, want)
				}
			}
		}
	}
}

// FuzzBallOnWall compares a ball's contact with the triangulated surface of a rock, as a wall, to
// its contact with the rock itself. There must be one contact, at a face, an edge or a corner.
func FuzzBallOnWall(f *testing.F) {
	f.Add(uint64(1), uint8(0))
	f.Add(uint64(5), uint8(7))
	f.Add(uint64(9), uint8(200))
	f.Fuzz(func(t *testing.T, seed uint64, size uint8) {
		r := geometry.NewRand(seed)
		shape := rock(t, seed%50, 4+int(size%40), 0.3)
		if size%5 == 0 {
			shape = box(t, 0.4, 0.3, 0.2)
		}
		var surface triangles
		for k := range shape.Normals {
			var loop []vec.Vec3
			for _, v := range shape.Tail[shape.LoopFirst[k]:shape.LoopFirst[k+1]] {
				loop = append(loop, shape.Verts[v])
			}
			// A fan around an inner point, with sides cut in two.
			var middle vec.Vec3
			for _, v := range loop {
				middle = middle.AddScaled(1/float64(len(loop)), v)
			}
			for i, v := range loop {
				next := loop[(i+1)%len(loop)]
				half := v.AddScaled(0.5, next.Sub(v))
				surface = append(surface, []vec.Vec3{v, half, middle}, []vec.Vec3{half, next, middle})
			}
		}
		const radius = 0.1
		pose := vec.Pose{Pos: vec.V(1, 2, 3), Rot: r.Rotation()}
		// Over a vertex, an edge or a face, or nearly so, just touching or deep.
		k := int(r.Float64() * float64(len(surface)))
		p := surface[k][int(r.Float64()*3)]
		if r.Float64() < 0.7 {
			p = p.AddScaled(r.Float64(), surface[k][int(r.Float64()*3)].Sub(p))
		}
		p = p.AddScaled(math.Pow(10, -1-10*r.Float64()), r.Unit())
		// A ball deep inside a thin rock also touches the rock's back, through its front.
		out := p.Unit()
		for _, n := range shape.Normals {
			if d := n.Dot(p); d > 0 && n.Dot(out) > 0.5 {
				out = out.Add(n.Scale(r.Float64()))
			}
		}
		p = p.AddScaled(radius*(0.97+0.05*r.Float64()), out.Unit())
		run := func(asFacets bool) []seen {
			w := newWorld(t, Config{}, force.Linear{Kn: 1e6})
			if asFacets {
				surface.wall(t, w, pose, Motion{})
			} else {
				solid := *shape
				solid.Origin = vec.Vec3{}
				addWall(t, w, WallSpec{Pose: pose, Parts: []Part{{Shape: addShape(t, w, &solid)}}})
			}
			addBody(t, w, BodySpec{Parts: one(addShape(t, w, ball(t, radius)), 1000), Pose: vec.Pose{Pos: pose.Point(p), Rot: vec.Identity}})
			w.Measure()
			return contactsOf(w)
		}
		got, want := run(true), run(false)
		if len(want) == 1 && math.Abs(want[0].gap) < 1e-12 || len(want) == 0 && len(got) == 1 && got[0].gap > -1e-12 {
			return // the order of distances is within rounding
		}
		if len(got) != len(want) {
			t.Fatalf("ball at %v: contacts %v, with the rock %v", p, got, want)
		}
		// Points 1e-8 apart, the square root of rounding, may be equally near.
		if len(got) == 1 && (math.Abs(got[0].gap-want[0].gap) > 1e-11 || got[0].at.Sub(want[0].at).Norm() > 1e-8) {
			t.Errorf("ball at %v: contact %v, with the rock %v", p, got[0], want[0])
		}
	})
}
