package overlap

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/internal/backends"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// heldStudy computes the prism of one pair of bodies, proven and held.
type heldStudy struct {
	batches   *TypedBatches
	bodies    *soa.Bodies
	poses     []float64
	a, b      *soa.View
	coplanars uint8 // of the last proof
}

// ask computes a prism at two poses, and returns its budget.
func (h *heldStudy) ask(pa, pb vec.Pose, p *soa.Prism, held bool, s *Moments) (budget float64, known bool) {
	for k, at := range [2]vec.Pose{pa, pb} {
		h.bodies.Pos.Set(k, at.Pos)
		h.bodies.Rot.Set(k, at.Rot)
	}
	var batch *TypedBatch
	if held {
		batch = h.batches.AddHeld(0, 0, 1, h.a, h.b, p, h.coplanars)
	} else if batch = h.batches.Add(0, 0, 1, h.a, h.b, min(h.bodies.Radius[0], h.bodies.Radius[1]), &Features{Prism: *p}); batch == nil {
		return 0, false
	}
	h.bodies.GatherPoses(0, 2, h.poses)
	batch.Solve()
	known = batch.At(0, s)
	if !held {
		budget, h.coplanars = batch.Budget(0)
	}
	batch.Clear()
	return budget, known
}

// mover moves a body such that its odometer advances by a given distance.
type mover struct {
	along, axis vec.Vec3 // unit: direction of the translation, and axis of the rotation
	turn        float64  // share of the odometer that the rotation uses
	radius      float64
}

// to returns the pose of the body after its odometer has advanced by the given distance.
func (m *mover) to(from vec.Pose, by float64) vec.Pose {
	for scale := 1.0; ; scale *= 0.999 {
		at := from
		at.Pos = from.Pos.AddScaled(scale*by*(1-m.turn), m.along)
		at.Rot = vec.FromRotationVector(m.axis.Scale(scale * by * m.turn / m.radius)).Mul(from.Rot)
		if asm.Advance(0, m.radius, from, at) <= by {
			return at
		}
	}
}

// TestHeldPrisms: while the odometers of two bodies advance by no more than the budget of a prism,
// the prism would be proven again, and the held prism has the same bits. Bodies move along the
// normals of all faces of both, at random, and rotate. This includes the motion of the lowest
// corner towards any other plane.
func TestHeldPrisms(t *testing.T) {
	arena := &soa.Shapes{}
	for _, of := range []*soa.Template{template(boxBody(1, 1, 1)), template(boxBody(1, 0.7, 0.5)), template(boxBody(0.2, 0.2, 0.05)), template(prismBody(6))} {
		if _, err := arena.Add(of); err != nil {
			t.Fatal(err)
		}
	}
	backends.Run(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(141, 142))
		clipper := NewClipper()
		h := &heldStudy{batches: NewTypedBatches(), bodies: &soa.Bodies{}}
		h.bodies.Resize(2)
		h.poses = h.bodies.PoseRows()
		h.batches.Begin(arena, h.poses)
		var kinds [9]int
		asked, narrowest := 0, math.Inf(1)
		for range 1000 {
			va, vb := arena.View(soa.Shape(r.IntN(arena.Len()))), arena.View(soa.Shape(r.IntN(arena.Len())))
			o := heldPair(r, clipper, va, vb)
			p := clipper.prism
			if h.a, h.b = va, vb; p.Sides == 0 {
				continue
			}
			h.bodies.Radius[0], h.bodies.Radius[1] = va.Radius, vb.Radius
			var was, proven, held Moments
			budget, known := h.ask(o.pa, o.pb, &p, false, &was)
			if !known || budget <= 0 {
				continue
			}
			kinds[p.Sides]++
			narrowest = min(narrowest, budget)
			var ways []vec.Vec3
			for k, v := range [2]*soa.View{va, vb} {
				at := [2]vec.Pose{o.pa, o.pb}[k]
				for f := range v.NFaces {
					n := at.Rot.Rotate(v.Normal(soa.Face(f)))
					ways = append(ways, n, n.Neg())
				}
			}
			for range 12 {
				ofA := r.Float64() // A's share of the odometers
				turn := [3]float64{0, r.Float64(), 1}[r.IntN(3)]
				way := ways[r.IntN(len(ways))]
				a := mover{way, direction(r), turn, va.Radius}
				b := mover{way.Neg(), direction(r), turn, vb.Radius}
				pa, pb := a.to(o.pa, budget*ofA), b.to(o.pb, budget*(1-ofA))
				asked++
				if _, ok := h.ask(pa, pb, &p, false, &proven); !ok {
					t.Fatalf("a prism of %d sides and thickness %g, with a budget of %g, is not proven after it", p.Sides, was.Thickness, budget)
				}
				if _, ok := h.ask(pa, pb, &p, true, &held); !ok || held != proven {
					t.Fatalf("a prism of %d sides is held %v: %+v, proven %+v", p.Sides, ok, held, proven)
				}
			}
		}
		t.Logf("%d motions, prisms by sides %v, the least budget %.2g", asked, kinds, narrowest)
		for sides, n := range kinds {
			if sides >= 3 && sides != 7 && n < 5 {
				t.Errorf("%d prisms of %d sides", n, sides)
			}
		}
	})
}

// heldPair returns two bodies with faces that meet, parallel or tilted.
func heldPair(r *rand.Rand, c *Clipper, a, b *soa.View) overlapping {
	n := direction(r)
	lean := math.Pow(10, -5+4.5*r.Float64())
	depth := math.Pow(10, -6+5*r.Float64()) * min(a.Radius, b.Radius)
	o := overlapping{a: a, b: b, along: n, depth: depth, size: a.Radius + b.Radius}
	f, g := soa.Face(r.IntN(a.NFaces)), soa.Face(r.IntN(b.NFaces))
	o.pa.Rot = spin(r, a.Normal(f), n)
	o.pb.Rot = vec.FromRotationVector(direction(r).Scale(lean)).Mul(spin(r, b.Normal(g), n.Neg()))
	at, on := o.pa.Rot.Rotate(onFacePoint(r, a, f)), o.pb.Rot.Rotate(onFacePoint(r, b, g))
	if r.IntN(2) == 0 { // in the middle of the other: up to eight sides
		at, on = n.Scale(a.D[f]), n.Scale(-b.D[g])
	}
	o.pb.Pos = at.Sub(on).AddScaled(-depth, n)
	c.Share(a, o.pa, b, o.pb, n)
	return o
}

// TestHeldCoplanarPrisms places bricks on bricks with coplanar sides. While the odometers advance
// by no more than the budget, a prism with its coplanar planes is known if and only if it would be
// proven again, and has the same bits. Bodies move within the planes, where the sides stay
// coplanar, or in any direction, where they mostly do not.
func TestHeldCoplanarPrisms(t *testing.T) {
	arena := &soa.Shapes{}
	for _, sides := range []vec.Vec3{{X: 1, Y: 0.5, Z: 0.5}, {X: 0.5, Y: 0.5, Z: 0.5}} {
		if _, err := arena.Add(template(boxBody(sides.X, sides.Y, sides.Z))); err != nil {
			t.Fatal(err)
		}
	}
	backends.Run(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(143, 144))
		clipper := NewClipper()
		h := &heldStudy{batches: NewTypedBatches(), bodies: &soa.Bodies{}}
		h.bodies.Resize(2)
		h.poses = h.bodies.PoseRows()
		h.batches.Begin(arena, h.poses)
		held, lost := 0, 0
		for range 600 {
			h.a, h.b = arena.View(0), arena.View(soa.Shape(r.IntN(2)))
			q := vec.Identity
			if r.IntN(2) == 0 {
				q = turn(r)
			}
			pa, pb := vec.Pose{Rot: q}, vec.Pose{Rot: q}
			pb.Pos = q.Rotate(vec.V(0.1+0.3*r.Float64(), 0, 0.5-math.Pow(10, -6+4*r.Float64())))
			if r.IntN(2) == 0 {
				h.a, h.b, pa, pb = h.b, h.a, pb, pa
			}
			h.bodies.Radius[0], h.bodies.Radius[1] = h.a.Radius, h.b.Radius
			clipper.Share(h.a, pa, h.b, pb, q.Rotate(vec.Vec3{Z: 1}))
			p := clipper.prism
			var proven, again Moments
			budget, known := 0.0, false
			if p.Sides > 0 {
				budget, known = h.ask(pa, pb, &p, false, &proven)
			}
			coplanars := h.coplanars
			if !known || budget <= 0 || coplanars == 0 {
				continue
			}
			for range 6 {
				way, spin := q.Rotate([]vec.Vec3{{X: 1}, {Z: 1}, {Z: -1}, direction(r)}[r.IntN(4)]), 0.0
				if r.IntN(4) == 0 {
					spin = math.Pow(10, -18*r.Float64())
				}
				a := mover{way, direction(r), spin, h.a.Radius}
				b := mover{way.Neg(), direction(r), spin, h.b.Radius}
				share := r.Float64()
				toA, toB := a.to(pa, budget*share), b.to(pb, budget*(1-share))
				h.coplanars = coplanars
				_, isHeld := h.ask(toA, toB, &p, true, &again)
				_, isProven := h.ask(toA, toB, &p, false, &proven)
				if isHeld != isProven || isHeld && again != proven {
					t.Fatalf("with coplanar planes %b and a budget of %g: held %v, %+v; proven %v, %+v", coplanars, budget, isHeld, again, isProven, proven)
				}
				if isHeld {
					held++
				} else {
					lost++
				}
			}
		}
		t.Logf("%d prisms with coplanar planes are held, %d are lost", held, lost)
		if held < 500 || lost < 100 {
			t.Errorf("%d prisms with coplanar planes are held, %d are lost", held, lost)
		}
	})
}
