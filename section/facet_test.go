package section

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/scree-dem/scree/internal/oracle"
	"github.com/scree-dem/scree/vec"
)

// facetPair returns a cube 0.1 deep in a facet at z = 0, in the frame of a wall.
func facetPair(t testing.TB) pair {
	f := view(t, facetBody(vec.V(-3, -3, 0), vec.V(3, -3, 0), vec.V(0, 5, 0)))
	return pair{a: view(t, boxBody(1, 1, 1)), b: f, pa: at(0, 0, 0.4), pb: vec.IdentityPose, normal: vec.V(0, 0, -1), gap: -0.1,
		armA: vec.V(0, 0, -0.5), armB: vec.V(0, 0, 0)}
}

func TestFacetKnown(t *testing.T) {
	c := NewCutter()
	p := facetPair(t)
	loc, area := p.must(t, c)
	nearVec(t, "inside the facet", loc, vec.V(0, 0, -0.45), 1e-14)
	near(t, "area", area, 1, 1e-14)

	// Half of the cube is beyond the straight edge y = -3.
	p.pa.Pos = vec.V(0, -3, 0.4)
	p.armB = vec.V(0, -3, 0)
	loc, area = p.must(t, c)
	nearVec(t, "half over the edge", loc, vec.V(0, 0.25, -0.45), 1e-14)
	near(t, "area", area, 0.5, 1e-14)

	// The mirror image from below: the prism then is on the other side.
	p.pa.Pos, p.normal, p.armA = vec.V(0, -3, -0.4), vec.V(0, 0, 1), vec.V(0, 0, 0.5)
	loc, area = p.must(t, c)
	nearVec(t, "from below", loc, vec.V(0, 0.25, 0.45), 1e-14)
	near(t, "area", area, 0.5, 1e-14)

	// Moved sideways against the edge: the prism's side is as deep as the cube's diameter, √3,
	// below the facet, and reaches the cube's lower side at z = -0.5+0.1.
	p.pa.Pos, p.normal, p.gap = vec.V(0, -3.45, 0.1), vec.V(0, 1, 0), -0.05
	p.armA, p.armB = vec.V(0, 0.5, -0.1), vec.V(0, -3, 0)
	loc, area = p.must(t, c)
	nearVec(t, "sideways", loc, vec.V(0, 0.475, -0.1-0.2), 1e-14)
	near(t, "area", area, 0.4, 1e-14)

	// The normal still decides the side if the cube is more than half-way through.
	p.pa.Pos, p.normal, p.gap = vec.V(0, 0, -0.1), vec.V(0, 0, -1), -0.6
	p.armA, p.armB = vec.V(0, 0, -0.5), vec.V(0, 0, 0)
	loc, area = p.must(t, c)
	nearVec(t, "past the middle", loc, vec.V(0, 0, -0.2), 1e-14)
	near(t, "area", area, 1, 1e-14)
}

// TestFacetIsThickBlock: a block with the facet's outline and the other body's diameter in place of
// the wall yields the same location, in either order, at any place, and with the facet's vertices
// in either order.
func TestFacetIsThickBlock(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	c := NewCutter()
	met := 0
	for range 60 {
		rock := view(t, rockBody(r, 10))
		tri := [3]vec.Vec3{vec.V(2*r.Float64(), 0, 0), vec.V(-1, 1.5*r.Float64()+0.2, 0), vec.V(-1, -1.5*r.Float64()-0.2, 0)}
		if r.IntN(2) == 0 {
			tri[1], tri[2] = tri[2], tri[1]
		}
		// The position of the triangle in the frame of its wall must not matter.
		wall := vec.Pose{Pos: vec.V(30*r.Float64(), 20, -10), Rot: turn(r)}
		q := turn(r)
		var local, below [3]vec.Vec3
		for k, v := range tri {
			local[k] = wall.PointInv(q.Rotate(v))
			below[k] = wall.PointInv(q.Rotate(v.Add(vec.V(0, 0, -2*rock.Radius))))
		}
		facet := view(t, facetBody(local[0], local[1], local[2]))
		block := oracle.Hull(append(append([]vec.Vec3{}, local[:]...), below[:]...))
		_, centroid := block.Volume()
		thick := view(t, block.Moved(centroid.Neg()))
		thickPose := vec.Pose{Pos: wall.Point(centroid), Rot: wall.Rot}

		rockPose := vec.Pose{Pos: q.Rotate(vec.V(1.5*r.Float64()-0.75, 1.5*r.Float64()-0.75, 0.6+0.4*r.Float64())), Rot: turn(r)}
		g := solve(rock, rockPose, thick, thickPose)
		up := q.Rotate(vec.V(0, 0, 1))
		// Contacts with the block's boundary below the facet have no counterpart.
		if g.gap > 0.2 || g.normal.Dot(up) > -0.3 {
			continue
		}
		f := g
		f.b, f.pb = facet, wall
		f.armB = g.armB.Add(thickPose.Pos.Sub(wall.Pos))
		want, wantArea, okBlock := g.reduced(c)
		got, gotArea, ok := f.reduced(c)
		if ok != okBlock {
			t.Errorf("facet %v, block %v", ok, okBlock)
		}
		met++
		// Vertices in the wall's frame are 40 m from its origin, with rounding errors of 7e-15.
		nearVec(t, "facet against block", got, want, 1e-12)
		near(t, "area", gotArea, wantArea, 1e-12)

		back, _, _ := f.swapped().reduced(c)
		nearVec(t, "facet first", back.Add(wall.Pos), got.Add(rockPose.Pos), 1e-13)
	}
	if met < 20 {
		t.Errorf("only %d contacts", met)
	}
}

// TestFacetLeaningNormal: at the facet's edge the normal may tilt so far that the prism is nearer
// to the other body than the triangle. The deepest point is still the triangle's.
func TestFacetLeaningNormal(t *testing.T) {
	c := NewCutter()
	p := facetPair(t)
	s, co := vec.Sincos(0.1)
	n := vec.V(0, co, s)
	edge := vec.V(0, -3, 0)
	// A face of the cube with normal n lies 0.05 beyond the edge; its centre is 0.2 higher along
	// the face.
	p.normal, p.gap = n, -0.05
	p.pa = vec.Pose{Pos: edge.AddScaled(-0.45, n).AddScaled(0.2, vec.V(0, -s, co)), Rot: vec.FromRotationVector(vec.V(0.1, 0, 0))}
	p.armA, p.armB = edge.AddScaled(0.05, n).Sub(p.pa.Pos), edge
	loc, area := p.must(t, c)
	cube := oracle.FromView(p.a, p.pa, vec.Vec3{})
	var verts []vec.Vec3
	for _, v := range []vec.Vec3{vec.V(-3, -3, 0), vec.V(3, -3, 0), vec.V(0, 5, 0)} {
		verts = append(verts, v, v.Sub(vec.V(0, 0, math.Sqrt(3))))
	}
	wantArea, want, ok := oracle.Section(n, n.Dot(edge)+0.025, cube, oracle.Hull(verts))
	if !ok {
		t.Fatal("no section")
	}
	nearVec(t, "location", loc.Add(p.pa.Pos), want, 1e-13)
	near(t, "area", area, wantArea, 1e-13)
}

// TestWalkTurnsLeft: the walk returns sections counter-clockwise about the outward direction, also
// for prisms on either side of their facet. Therefore the hull need not correct them.
func TestWalkTurnsLeft(t *testing.T) {
	c := NewCutter()
	for _, z := range []float64{0.4, -0.4} {
		p := facetPair(t)
		p.normal = vec.V(0, 0, -math.Copysign(1, z))
		p.pa.Pos.Z, p.armA = z, vec.V(0, 0, -math.Copysign(0.5, z))
		p.must(t, c)
		c.u, c.w = axes(p.normal)
		c.poseA.set(p.pa.Rot, vec.Vec3{})
		c.poseB.set(p.pb.Rot, p.pb.Pos.Sub(p.pa.Pos))
		var a, b cutBody
		c.turn(&a, p.a, &c.poseA, vec.Vec3{}, p.normal)
		c.turn(&b, p.b, &c.poseB, vec.Vec3{}, p.normal.Neg())
		c.prismB.extrude(&b, &c.poseB, a.at, 2*p.a.Radius)
		sa, sb := c.section(nil, &a, p.gap, 1), c.section(nil, &b, p.gap, 1)
		slices.Reverse(sb)
		if !strictlyConvex(sa) || !strictlyConvex(sb) || len(sa) != 4 || len(sb) != 3 {
			t.Errorf("z = %g: sections %v and %v", z, sa, sb)
		}
	}
}

// TestFacetSlides: over the edge of a facet the location moves without a jump until the contact
// ends.
func TestFacetSlides(t *testing.T) {
	c := NewCutter()
	p := facetPair(t)
	for i := range 1000 {
		s := float64(i) * 1e-3 // distance of the centre beyond the edge, minus one half
		p.pa.Pos = vec.V(0, -2.5-s, 0.4)
		p.armA, p.armB = vec.V(0, 0.5, -0.5), vec.V(0, -2-s, 0)
		if p.pa.Pos.Y+0.5 < -3 {
			break
		}
		loc, area := p.must(t, c)
		near(t, "area", area, 1-s, 1e-13)
		near(t, "location", loc.Y, 0.5-(1-s)/2, 1e-13)
		if math.Abs(loc.X) > 1e-13 {
			t.Fatalf("location %v off the axis", loc)
		}
	}
}
