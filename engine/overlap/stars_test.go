package overlap

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/internal/oracle"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// starArena has blocks whose vertices all have three edges, and rocks, which have few such
// vertices.
func starArena(t testing.TB) *soa.Shapes {
	t.Helper()
	r := rand.New(rand.NewPCG(91, 92))
	shapes := &soa.Shapes{}
	for _, b := range []oracle.Body{
		boxBody(1, 1, 1), boxBody(1, 1, 1), boxBody(1, 2, 0.5), boxBody(0.3, 0.4, 3), prismBody(3),
		oracle.Hull([]vec.Vec3{vec.V(1, 1, 1), vec.V(1, -1, -1), vec.V(-1, 1, -1), vec.V(-1, -1, 1)}),
		rockBody(r, 4), rockBody(r, 5), rockBody(r, 12),
	} {
		if _, err := shapes.Add(template(b)); err != nil {
			t.Fatal(err)
		}
	}
	return shapes
}

// starPair returns a corner on a face, crossing edges, or two slightly tilted faces, so that the
// plane may leave any star.
func starPair(r *rand.Rand, a, b *soa.View) pair {
	depth := math.Pow(10, -5+4.5*r.Float64())
	if r.IntN(3) > 0 {
		return featurePair(r, a, b, r.IntN(2) == 0, depth)
	}
	p := pair{a: a, b: b, gap: -depth, normal: direction(r), pa: vec.Pose{Rot: vec.Identity, Pos: direction(r)}}
	f, g := soa.Face(r.IntN(a.NFaces)), soa.Face(r.IntN(b.NFaces))
	p.pa.Rot = spin(r, a.Normal(f), p.normal)
	p.normal = p.pa.Rot.Rotate(a.Normal(f))
	lean := depth * 100 * (2*r.Float64() - 1)
	p.pb.Rot = about(direction(r), lean).Mul(spin(r, b.Normal(g), p.normal.Neg()))
	k := lowest(b, p.pb.Rot.RotateInv(p.normal.Neg()))
	p.armB = p.pb.Rot.Rotate(b.Vert(k))
	p.armA = p.pa.Rot.Rotate(onFacePoint(r, a, f))
	p.pb.Pos = p.pa.Pos.Add(p.armA).Sub(p.armB).AddScaled(-depth, p.normal)
	p.id = soa.FacetID{A: uint16(f), B: uint16(k), Kind: soa.FaceVertex}
	return p
}

// byStars reports whether stars finds the location.
func (p pair) byStars(c *Cutter) bool {
	c.poseA.set(p.pa.Rot, vec.Vec3{})
	c.poseB.set(p.pb.Rot, p.pb.Pos.Sub(p.pa.Pos))
	_, _, ok := c.stars(p.a, p.b, p.normal, p.gap, BallLocation(p.pa, p.pb, p.armA, p.armB), p.id)
	return ok
}

// TestStarsAgainstSlowSection: the section that stars finds is that of the whole bodies, by the
// oracle and by the general method.
func TestStarsAgainstSlowSection(t *testing.T) {
	shapes := starArena(t)
	r := rand.New(rand.NewPCG(95, 96))
	c := NewCutter()
	kinds := map[[2]int]int{} // counts by the numbers of vertices that the plane leaves of each body
	for range 6000 {
		p := starPair(r, shapes.View(soa.Shape(r.IntN(shapes.Len()))), shapes.View(soa.Shape(r.IntN(shapes.Len()))))
		if !p.byStars(c) {
			continue
		}
		location, area, _ := p.reduced(c)
		wide := c.Gyration()
		q := p
		q.id = soa.FacetID{}
		if q.byStars(c) {
			t.Fatal("stars without an id")
		}
		general, generalArea := q.must(t, c)
		// The faces that the plane cuts are tilted by about the depth, which amplifies the rounding
		// of the heights.
		tol := max(1e-12*max(1, p.condition()/100), 1e-15/-p.gap)
		nearVec(t, "location against the general way", location, general, tol)
		near(t, "area against the general way", area, generalArea, tol)
		near(t, "moments against the general way", worstMoment(wide, c.Gyration()), 0, tol)
		slow, slowArea, ok := p.slow()
		if !ok {
			t.Fatal("the slow section is empty")
		}
		nearVec(t, "location against the slow section", location, slow, tol)
		near(t, "area against the slow section", area, slowArea, tol)
		kinds[[2]int{left(p.a, p.pa, p.normal, p.gap), left(p.b, p.pb, p.normal.Neg(), p.gap)}]++
	}
	t.Log(kinds)
	// A corner meets no corner and no edge.
	for _, a := range []int{1, 2, 3, 4} {
		for _, b := range []int{1, 2, 3, 4} {
			if a*b > 2 && kinds[[2]int{a, b}]+kinds[[2]int{b, a}] == 0 {
				t.Errorf("no section of %d and %d vertices", a, b)
			}
		}
	}
}

// left returns the number of vertices above the plane.
func left(v *soa.View, at vec.Pose, out vec.Vec3, gap float64) int {
	n, best := 0, math.Inf(-1)
	for k := range v.NVerts {
		best = max(best, out.Dot(at.Rot.Rotate(v.Vert(soa.Vertex(k)))))
	}
	for k := range v.NVerts {
		if out.Dot(at.Rot.Rotate(v.Vert(soa.Vertex(k)))) > best-math.Abs(gap)/2 {
			n++
		}
	}
	return n
}
