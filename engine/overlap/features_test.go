package overlap

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/internal/oracle"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// featureShapes returns blocks of many kinds: right angles, acute angles, thin blocks, corners of
// many edges.
func featureShapes(t testing.TB) []*soa.View {
	r := rand.New(rand.NewPCG(61, 62))
	tetra := oracle.Hull([]vec.Vec3{vec.V(1, 1, 1), vec.V(1, -1, -1), vec.V(-1, 1, -1), vec.V(-1, -1, 1)})
	return []*soa.View{
		view(t, boxBody(1, 1, 1)), view(t, boxBody(1, 2, 0.05)), view(t, tetra), view(t, barBody(6, 1)), view(t, prismBody(9)),
		view(t, rockBody(r, 8)), view(t, rockBody(r, 20)), view(t, rockBody(r, 20)), view(t, rockBody(r, 40)),
	}
}

// spin returns a random rotation that rotates from to to, both unit.
func spin(r *rand.Rand, from, to vec.Vec3) vec.Quat {
	c := from.Cross(to)
	q := vec.Quat{W: 1 + from.Dot(to), X: c.X, Y: c.Y, Z: c.Z}.Normalized()
	return vec.FromRotationVector(to.Scale(2 * math.Pi * r.Float64())).Mul(q)
}

// inCone returns a unit normal of edge e, between those of its two faces, and a point of the edge,
// in the frame of v.
func inCone(r *rand.Rand, v *soa.View, e int) (n, p vec.Vec3) {
	h := v.Edge[e]
	s := r.Float64()
	n = v.Normal(v.Face[h]).Scale(s).AddScaled(1-s, v.Normal(v.Face[v.Twin[h]])).Unit()
	tail := v.Vert(v.Tail[h])
	return n, tail.AddScaled(r.Float64(), v.Vert(v.Head(h)).Sub(tail))
}

// onFacePoint returns a random point of face f, in the frame of v.
func onFacePoint(r *rand.Rand, v *soa.View, f soa.Face) vec.Vec3 {
	var p vec.Vec3
	total := 0.0
	for _, k := range v.Tail[v.LoopFirst[f]:][:v.LoopLen[f]] {
		w := r.ExpFloat64()
		total += w
		p = p.AddScaled(w, v.Vert(k))
	}
	return p.Scale(1 / total)
}

// lowest returns the vertex furthest along n, in the frame of v.
func lowest(v *soa.View, n vec.Vec3) soa.Vertex {
	best, at := math.Inf(-1), 0
	for k := range v.NVerts {
		if h := n.Dot(v.Vert(soa.Vertex(k))); h > best {
			best, at = h, k
		}
	}
	return soa.Vertex(at)
}

// featurePair places random features of a and b on each other, with the given depth along their
// normal: two edges, or a corner of a and a face of b.
func featurePair(r *rand.Rand, a, b *soa.View, edges bool, depth float64) pair {
	p := pair{a: a, b: b, gap: -depth, normal: direction(r)}
	p.pa.Pos = vec.V(r.Float64(), r.Float64(), r.Float64())
	var la, lb vec.Vec3
	if edges {
		ea, eb := r.IntN(len(a.Edge)), r.IntN(len(b.Edge))
		var na, nb vec.Vec3
		na, la = inCone(r, a, ea)
		nb, lb = inCone(r, b, eb)
		p.pa.Rot, p.pb.Rot = spin(r, na, p.normal), spin(r, nb, p.normal.Neg())
		p.id = soa.FacetID{A: uint16(ea), B: uint16(eb), Kind: soa.EdgeEdge}
		// The edges' own normal: rounding has changed their directions.
		dir := func(v *soa.View, q vec.Quat, e int) vec.Vec3 {
			h := v.Edge[e]
			return q.Rotate(v.Vert(v.Head(h)).Sub(v.Vert(v.Tail[h])))
		}
		n := dir(a, p.pa.Rot, ea).Cross(dir(b, p.pb.Rot, eb)).Unit()
		if n.Dot(p.normal) < 0 {
			n = n.Neg()
		}
		p.normal = n
	} else {
		f := soa.Face(r.IntN(b.NFaces))
		p.pa.Rot = turn(r)
		k := lowest(a, p.pa.Rot.RotateInv(p.normal))
		la, lb = a.Vert(k), onFacePoint(r, b, f)
		p.pb.Rot = spin(r, b.Normal(f), p.normal.Neg())
		p.normal = p.pb.Rot.Rotate(b.Normal(f)).Neg()
		p.id = soa.FacetID{A: uint16(k), B: uint16(f), Kind: soa.VertexFace}
	}
	p.armA, p.armB = p.pa.Rot.Rotate(la), p.pb.Rot.Rotate(lb)
	p.pb.Pos = p.pa.Pos.Add(p.armA).Sub(p.armB).AddScaled(-depth, p.normal)
	return p
}

// byFeatures returns the result from the features alone, if there is one.
func (p pair) byFeatures(c *Cutter) (location vec.Vec3, area float64, ok bool) {
	c.poseA.set(p.pa.Rot, vec.Vec3{})
	c.poseB.set(p.pb.Rot, p.pb.Pos.Sub(p.pa.Pos))
	return c.features(p.a, p.b, p.normal, p.gap, BallLocation(p.pa, p.pb, p.armA, p.armB), p.id)
}

// worstMoment returns the largest difference of the components.
func worstMoment(a, b vec.Sym3) float64 {
	return max(math.Abs(a.XX-b.XX), math.Abs(a.YY-b.YY), math.Abs(a.ZZ-b.ZZ),
		math.Abs(a.XY-b.XY), math.Abs(a.XZ-b.XZ), math.Abs(a.YZ-b.YZ))
}

// condition returns the factor by which rounding of the bodies' planes grows in the crossing of two
// edges: one over the sine of the angle between them, and over the least slope of a face next to
// them. It is 1 for a corner on a face.
func (p pair) condition() float64 {
	if p.id.Kind != soa.EdgeEdge {
		return 1
	}
	slope := 1.0
	var along [2]vec.Vec3
	for i, s := range []struct {
		v *soa.View
		q vec.Quat
		e uint16
	}{{p.a, p.pa.Rot, p.id.A}, {p.b, p.pb.Rot, p.id.B}} {
		h := s.v.Edge[s.e]
		for _, h := range []soa.HalfEdge{h, s.v.Twin[h]} {
			n := s.q.Rotate(s.v.Normal(s.v.Face[h]))
			slope = min(slope, n.Cross(p.normal).Norm())
		}
		along[i] = s.q.Rotate(s.v.Vert(s.v.Head(h)).Sub(s.v.Vert(s.v.Tail[h]))).Unit()
	}
	return 1 / (slope * along[0].Cross(along[1]).Norm())
}

// mustAgree checks that the id changes the result by rounding only.
func (p pair) mustAgree(t testing.TB, c *Cutter) {
	t.Helper()
	loc, area, ok := p.reduced(c)
	wide := c.Gyration()
	q := p
	q.id = soa.FacetID{}
	want, wantArea, wantOK := q.reduced(c)
	if ok != wantOK {
		t.Fatalf("with %v: %v, without: %v", p.id, ok, wantOK)
	}
	tol := 1e-12 * max(1, p.condition()/100)
	nearVec(t, "location with the id", loc, want, tol)
	near(t, "area with the id", area, wantArea, 1e-12)
	near(t, "moments with the id", worstMoment(wide, c.Gyration()), 0, 1e-12)
}

// TestFeaturesAgainstSlowSection: the section from features alone is that of the whole bodies, by
// the oracle and by the general method. Depths range from rounding to values at which features
// hardly ever succeed.
func TestFeaturesAgainstSlowSection(t *testing.T) {
	shapes := featureShapes(t)
	c := NewCutter()
	for _, edges := range []bool{false, true} {
		for i, depth := range []float64{1e-8, 1e-6, 1e-4, 1e-3, 1e-2, 0.05, 0.1, 0.3} {
			r := rand.New(rand.NewPCG(63, uint64(i)))
			const n = 1500
			answered := 0
			worst, worstArea, worstWide := 0.0, 0.0, 0.0
			for k := range n {
				p := featurePair(r, shapes[r.IntN(len(shapes))], shapes[r.IntN(len(shapes))], edges, depth)
				if k%2 == 1 {
					p = p.swapped()
				}
				loc, area, ok := p.byFeatures(c)
				if !ok {
					p.mustAgree(t, c)
					continue
				}
				answered++
				wide := c.Gyration()
				// A crossing may lose two digits within 1e-12; a worse condition loses more.
				tol := 1e-12 * max(1, p.condition()/100)
				slow, slowArea, okSlow := p.slow()
				if !okSlow {
					t.Fatalf("depth %g: the slow section is empty", depth)
				}
				nearVec(t, "location against the slow section", loc, slow, tol)
				near(t, "area against the slow section", area, slowArea, 1e-12)
				q := p
				q.id = soa.FacetID{}
				general, generalArea := q.must(t, c)
				nearVec(t, "location against the general way", loc, general, tol)
				near(t, "area against the general way", area, generalArea, 1e-12)
				worst, worstArea = max(worst, loc.Sub(general).Norm()), max(worstArea, math.Abs(area-generalArea))
				worstWide = max(worstWide, worstMoment(wide, c.Gyration()))
			}
			if worstWide > 1e-12 {
				t.Errorf("edges %v, depth %g: moments differ by %g", edges, depth, worstWide)
			}
			t.Logf("edges %v, depth %g: %d of %d by features; off by %.2g, area %.2g, moments %.2g",
				edges, depth, answered, n, worst, worstArea, worstWide)
			if depth < 1e-3 && answered < n/2 {
				t.Errorf("edges %v, depth %g: only %d of %d by features", edges, depth, answered, n)
			}
		}
	}
}
