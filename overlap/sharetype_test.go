package overlap

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/internal/backends"
	"github.com/scree-dem/scree/internal/oracle"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// stepped returns an overlap a small step later: A has moved and rotated by up to a share of the
// depth.
func (o overlapping) stepped(r *rand.Rand, share float64) overlapping {
	by := share * o.depth
	o.pa.Pos = o.pa.Pos.AddScaled(by*r.Float64(), direction(r))
	o.pa.Rot = vec.FromRotationVector(direction(r).Scale(by / o.size * r.Float64())).Mul(o.pa.Rot)
	return o
}

// TestShareWarmIsCold leads bodies along random paths, including degenerate ones. With the features
// of the last step the overlap has the bits that it has without them, on every backend. Most
// overlaps must be known from these features.
func TestShareWarmIsCold(t *testing.T) {
	backends.Run(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(9, 9))
		warm := NewClipper()
		typed, prisms, held, steps := 0, 0, 0, 0
		overlaps(t, 250, 64, 10, func(o overlapping) {
			if r.IntN(4) == 0 {
				// Numbers with few digits make planes that meet in a point.
				o.pb.Pos = coarse(o.pb.Pos)
			}
			guess, told := Features{}, memory{}
			for range 8 {
				cold := NewClipper()
				want, ok := cold.Share(o.a, o.pa, o.b, o.pb, o.along)
				got := Moments{}
				okToo := warm.ShareNear(o.a, o.pa, o.b, o.pb, o.along, &guess, &got)
				if got != want || ok != okToo {
					t.Fatalf("supposing %+v: %+v, %v; without %+v, %v", guess, got, okToo, want, ok)
				}
				if okToo := cold.ShareNear(o.a, o.pa, o.b, o.pb, o.along, &told.features, &got); got != want || ok != okToo {
					t.Fatalf("supposing the skeleton %+v: %+v, %v; without %+v, %v", told.features, got, okToo, want, ok)
				}
				told.of(cold)
				if turned, _ := cold.Share(o.a, o.pa, o.b, o.pb, direction(r)); cold.Named() != (Features{}) && turned != want {
					t.Fatalf("asked with another direction: %+v; before %+v", turned, want)
				}
				steps++
				if cold.Named() != (Features{}) {
					typed++
				}
				if cold.prism.Sides > 0 {
					prisms++
				}
				if guess != (Features{}) && warm.Named() == guess {
					held++
				}
				guess = warm.Named()
				o = o.stepped(r, 0.05)
			}
		})
		t.Logf("of %d overlaps %d are of a type, %d of them prisms, and %d known from the step before", steps, typed, prisms, held)
		if typed < steps/3 || prisms < steps/20 || held < typed*3/4 {
			t.Errorf("of %d overlaps %d are of a type, and %d known from the step before", steps, typed, held)
		}
	})
}

// coarse rounds to a few digits.
func coarse(v vec.Vec3) vec.Vec3 {
	round := func(x float64) float64 { return math.Round(x*0x1p12) / 0x1p12 }
	return vec.V(round(v.X), round(v.Y), round(v.Z))
}

// lastShape returns the type of the last overlap.
func (c *Clipper) lastShape(a, b *soa.View) shape {
	return max(shapeOf(a, b, c.found), prismShape(a, b, &c.prism))
}

// TestShareTypesAgree compares overlaps computed by formulas with the measured polyhedra that
// clipping makes. They include wedges between nearly parallel faces, whose edges two planes do not
// determine.
func TestShareTypesAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 11))
	c := NewClipper()
	var types [nShapes]int
	wedges, worst := 0, 0.0
	check := func(o overlapping) {
		s, _ := c.Share(o.a, o.pa, o.b, o.pb, o.along)
		of := c.lastShape(o.a, o.b)
		if types[of]++; of == clipped {
			return
		}
		if c.prism.Sides == 3 && o.depth < 1e-5 {
			wedges++
		}
		c.frame = frame{turn: vec.Identity, sign: 1, arm: 2 * o.size} // with A and B swapped, if required
		m := Moments{}
		ok := c.Measure(&m)
		// For a unit stiffness: energy, force, moment; and the volume.
		for k, e := range [4]float64{
			6 * (s.Variance - m.Variance), 6 * (s.VarianceGradient.Norm() - m.VarianceGradient.Norm()) * o.size,
			6 * (s.VarianceTurn.Norm() - m.VarianceTurn.Norm()), (s.Volume - m.Volume) / o.size,
		} {
			e = math.Abs(e) / (o.size * o.size)
			if worst = max(worst, e); !ok || !(e < 2e-14) {
				t.Fatalf("type %d, %g deep: error %d is %g: %+v, measured %v, %+v", of, o.depth, k, e, s, ok, m)
			}
		}
	}
	overlaps(t, 400, 64, 12, check)
	cube, brick := view(t, boxBody(1, 1, 1)), view(t, boxBody(1, 0.7, 0.5))
	for k := range 200 {
		v := []*soa.View{cube, brick}[k%2]
		pa, pb, normal := facesPair(r, v)
		check(overlapping{a: v, b: v, pa: pa, pb: pb, along: normal, depth: 1e-3, size: 2 * v.Radius})
	}
	for range 2000 {
		q := turn(r)
		tilt := vec.FromRotationVector(direction(r).Scale(math.Pow(10, -8+4*r.Float64())))
		along := q.Rotate(vec.V(0.4*r.Float64(), 0.4*r.Float64(), 1).Unit())
		check(meet(c, cube, brick, q, tilt.Mul(q), along, math.Pow(10, -7+2*r.Float64())))
	}
	t.Logf("by type %v, %d thin wedges, worst error %.2g of stiffness and size", types, wedges, worst)
	for of, n := range types[:held4] { // Share names no held types
		if n < 10 {
			t.Errorf("%d overlaps are of type %d", n, of)
		}
	}
	if wedges < 100 {
		t.Errorf("%d thin wedges", wedges)
	}
}

// TestShareOfBluntCorners places the tip of a pyramid of many sides into a face of a cube, with
// random directions. If the planes of the pyramid cut the cube, rounding makes a cluster of corners
// and slivers of faces at the tip.
func TestShareOfBluntCorners(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 12))
	tip, cube := view(t, pyramidBody(mostEdges, 0.4)), view(t, boxBody(3, 3, 3))
	apex := soa.FacetID{A: uint16(lowest(tip, vec.V(0, 0, 1))), B: uint16(0), Kind: soa.VertexFace}
	c, clusters := NewClipper(), 0
	for range 3000 {
		var s Moments
		// Face 0 of the cube meets the tip, slightly rotated.
		n := direction(r)
		pa := vec.Pose{Rot: vec.FromRotationVector(direction(r).Scale(0.15 * r.Float64())).Mul(spin(r, vec.V(0, 0, 1), n))}
		pb := vec.Pose{Rot: spin(r, cube.Normal(0), n.Neg())}
		pb.Pos = pa.Rot.Rotate(vec.V(0, 0, 0.4)).AddScaled(1.5-0.1*r.Float64(), n)
		if !c.ShareNear(tip, pa, cube, pb, n, &Features{Facet: apex}, &s) || c.found != apex {
			t.Fatal("the tip is not in the face")
		}
		o := overlapping{a: tip, b: cube, pa: pa, pb: pb, along: direction(r)}
		u, ok := c.cutOnly(o)
		if !ok || u != s {
			t.Fatalf("cut along another direction %v, %+v, expected %+v", c.faces, u, s)
		}
		if len(c.body.end) > mostEdges+1 || len(c.body.verts) > mostEdges+1 {
			clusters++
		}
	}
	if clusters < 100 {
		t.Errorf("%d tips came out as clusters", clusters)
	}
}

// pyramidBody returns a regular polygon between two tips.
func pyramidBody(n int, height float64) oracle.ConvexBody {
	points := []vec.Vec3{{Z: height}, {Z: -height}}
	for k := range n {
		sin, cos := vec.Sincos(2 * math.Pi * float64(k) / float64(n))
		points = append(points, vec.V(cos, sin, 0))
	}
	return oracle.Hull(points)
}
