package overlap

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/internal/oracle"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// sweep moves B along path, from 0 to 1, and compares every result with the one without an id. Both
// the features and the general method must occur, and the location must not jump where they change.
func sweep(t *testing.T, p pair, path func(p *pair, s float64)) {
	t.Helper()
	const n = 400
	c := NewCutter()
	byFeatures := 0
	for i := range n + 1 {
		q := p
		path(&q, float64(i)/n)
		if _, _, ok := q.byFeatures(c); ok {
			byFeatures++
		}
		q.mustAgree(t, c)
	}
	if byFeatures == 0 || byFeatures == n+1 {
		t.Errorf("%d of %d answers by features: the sweep crosses no border", byFeatures, n+1)
	}
	t.Logf("%d of %d by features", byFeatures, n+1)
}

// TestBorders crosses each border between the feature methods and the general method. A corner
// slides off its face, sinks until its neighbours are below the plane, or tilts until an edge is
// parallel to the face. Two edges cross near an end, sink, or turn parallel.
func TestBorders(t *testing.T) {
	r := rand.New(rand.NewPCG(81, 82))
	shapes := []*soa.View{view(t, boxBody(1, 1, 1)), view(t, rockBody(r, 20))}
	c := NewCutter()
	for _, v := range shapes {
		for _, edges := range []bool{false, true} {
			for done := 0; done < 5; {
				p := featurePair(r, v, v, edges, 1e-3)
				if _, _, ok := p.byFeatures(c); !ok {
					continue
				}
				done++
				side := p.normal.Cross(direction(r)).Unit()
				sweep(t, p, func(q *pair, s float64) {
					q.pb.Pos = q.pb.Pos.AddScaled(3*s, side)
					q.armB = q.armB.AddScaled(-3*s, side)
				})
				sweep(t, p, func(q *pair, s float64) {
					d := math.Exp(s*9) * 1e-3
					q.pb.Pos, q.gap = q.pb.Pos.AddScaled(p.gap+d, q.normal.Neg()), -d
				})
			}
		}
	}
	// Crossed bars turn until they are parallel; their normal stays.
	bar := view(t, barBody(6, 1))
	ridge := func(z float64) uint16 {
		for e, h := range bar.Edge {
			if a, b := bar.Vert(bar.Tail[h]), bar.Vert(bar.Head(h)); a.Z == z && b.Z == z && a.X != b.X {
				return uint16(e)
			}
		}
		t.Fatal("no ridge")
		return 0
	}
	p := pair{a: bar, b: bar, pa: vec.IdentityPose, normal: vec.V(0, 0, 1), gap: -0.01, armA: vec.V(0, 0, 1), armB: vec.V(0, 0, -1),
		id: soa.FacetID{A: ridge(1), B: ridge(-1), Kind: soa.EdgeEdge}}
	sweep(t, p, func(q *pair, s float64) { q.pb = turned(about(vec.V(0, 0, 1), 90*math.Exp(-12*s)), 0, 0, 1.99) })
	// A cube on its corner tilts to its edge.
	cube, slab := view(t, boxBody(1, 1, 1)), view(t, boxBody(8, 8, 4))
	top := uint16(0)
	for f := range slab.NFaces {
		if slab.NZ[f] > 0.5 {
			top = uint16(f)
		}
	}
	p = pair{a: cube, b: slab, pb: at(0, 0, -2), normal: vec.V(0, 0, -1), gap: -1e-3, id: soa.FacetID{B: top, Kind: soa.VertexFace}}
	sweep(t, p, func(q *pair, s float64) {
		q.pa.Rot = about(vec.V(1, 0, 0), 35*math.Exp(-12*s)).Mul(about(vec.V(0, 1, 0), 45))
		q.id.A = uint16(lowest(cube, q.pa.Rot.RotateInv(vec.V(0, 0, -1))))
		q.armA = q.pa.Rot.Rotate(cube.Vert(soa.Vertex(q.id.A)))
		q.pa.Pos = vec.V(0, 0, -1e-3-q.armA.Z)
		q.armB = vec.V(q.armA.X, q.armA.Y, 2)
	})
}

// TestFeaturesMetamorphic swaps, moves and scales pairs of known features.
func TestFeaturesMetamorphic(t *testing.T) {
	shapes := featureShapes(t)
	r := rand.New(rand.NewPCG(83, 84))
	c := NewCutter()
	grid := func(v vec.Vec3) vec.Vec3 {
		return vec.V(math.Round(v.X*0x1p30), math.Round(v.Y*0x1p30), math.Round(v.Z*0x1p30)).Scale(0x1p-30)
	}
	for k := range 300 {
		p := featurePair(r, shapes[r.IntN(len(shapes))], shapes[r.IntN(len(shapes))], k%2 == 0, []float64{1e-4, 1e-3, 1e-2}[k%3])
		if p.condition() > 30 {
			continue
		}
		p.pa.Pos, p.pb.Pos = grid(p.pa.Pos), grid(p.pb.Pos)
		loc, area := p.must(t, c)
		wide := c.Gyration()

		back, areaBack := p.swapped().must(t, c)
		nearVec(t, "swapped", back.Add(p.pb.Pos), loc.Add(p.pa.Pos), 1e-13)
		near(t, "swapped area", areaBack, area, 1e-13)
		near(t, "swapped moments", worstMoment(wide, c.Gyration()), 0, 1e-13)

		far := p
		far.pa.Pos = far.pa.Pos.Add(vec.V(0x1p20, -0x1p20, 0x1p20))
		far.pb.Pos = far.pb.Pos.Add(vec.V(0x1p20, -0x1p20, 0x1p20))
		there, _ := far.must(t, c)
		nearVec(t, "a million away", there, loc, 0)
	}
	for _, s := range []float64{0x1p-300, 0x1p-40, 0x1p40, 0x1p300, 1e-6, 1e6} {
		tol := 1e-12
		if f, _ := math.Frexp(s); f == 0.5 {
			tol = 0
		}
		for k := range 40 {
			a, b := rockBody(r, 12), rockBody(r, 12)
			p := featurePair(r, view(t, a), view(t, b), k%2 == 0, 1e-3)
			p.pa.Pos, p.pb.Pos = vec.Vec3{}, p.pb.Pos.Sub(p.pa.Pos)
			q := p
			for _, m := range []*oracle.Body{&a, &b} {
				for i := range m.Verts {
					m.Verts[i] = m.Verts[i].Scale(s)
				}
			}
			q.a, q.b = view(t, a), view(t, b)
			q.a.Radius, q.b.Radius = p.a.Radius*s, p.b.Radius*s
			q.pb.Pos, q.gap, q.armA, q.armB = p.pb.Pos.Scale(s), p.gap*s, p.armA.Scale(s), p.armB.Scale(s)
			loc, _ := p.must(t, c)
			_, _, here := p.byFeatures(c)
			got, _ := q.must(t, c)
			wide := c.Gyration()
			_, _, there := q.byFeatures(c)
			nearVec(t, "location", got.Scale(1/s), loc, tol*max(1, p.condition()/100))
			if here != there {
				t.Errorf("scaled by %g: %v by features, before %v", s, there, here)
			}
			if !(wide.XX+wide.YY+wide.ZZ > 0) && s > 1e-100 {
				t.Errorf("scaled by %g: moments %v", s, wide)
			}
		}
	}
}

// TestFeaturesOfWalls: a corner, an edge and a face on a facet, anywhere over the facet's boundary,
// and on an infinite plane have the same location with an id and without.
func TestFeaturesOfWalls(t *testing.T) {
	shapes := featureShapes(t)
	r := rand.New(rand.NewPCG(85, 86))
	c := NewCutter()
	n, answered := 2000, 0
	for k := range n {
		v := shapes[r.IntN(len(shapes))]
		tri := [3]vec.Vec3{vec.V(2*r.Float64(), 0.1, 0), vec.V(-1, 1.5*r.Float64()+0.2, 0), vec.V(-1, -1.5*r.Float64()-0.2, 0)}
		wall := vec.Pose{Pos: vec.V(3*r.Float64(), 2, -1), Rot: turn(r)}
		q := turn(r)
		p := pair{a: v, b: view(t, facetBody(wall.PointInv(q.Rotate(tri[0])), wall.PointInv(q.Rotate(tri[1])), wall.PointInv(q.Rotate(tri[2])))), pb: wall}
		f := r.IntN(2)
		p.normal = wall.Rot.Rotate(p.b.Normal(soa.Face(f))).Neg()
		p.pa.Rot = turn(r)
		if k%4 == 0 {
			p.pa.Rot = spin(r, v.Normal(soa.Face(r.IntN(v.NFaces))), p.normal)
		}
		tip := lowest(v, p.pa.Rot.RotateInv(p.normal))
		p.id = soa.FacetID{A: uint16(tip), B: uint16(f), Kind: soa.VertexFace}
		p.armA, p.gap = p.pa.Rot.Rotate(v.Vert(tip)), -math.Pow(10, -1-4*r.Float64())
		foot := q.Rotate(vec.V(r.Float64()-0.5, r.Float64()-0.5, 0))
		p.armB = foot.Sub(wall.Pos)
		p.pa.Pos = foot.Sub(p.armA).AddScaled(-p.gap, p.normal)
		if _, _, ok := p.byFeatures(c); ok {
			answered++
		}
		p.mustAgree(t, c)

		mid := p.armA.AddScaled(0.5*p.gap, p.normal)
		loc, area, ok := c.OnPlane(v, p.pa, p.normal, p.gap, mid, p.id)
		wide := c.Gyration()
		want, wantArea, wantOK := c.OnPlane(v, p.pa, p.normal, p.gap, mid, soa.FacetID{})
		if ok != wantOK {
			t.Fatalf("on a plane: %v, without the id %v", ok, wantOK)
		}
		nearVec(t, "on a plane", loc, want, 1e-12)
		near(t, "area on a plane", area, wantArea, 1e-12)
		near(t, "moments on a plane", worstMoment(wide, c.Gyration()), 0, 1e-12)
	}
	t.Logf("%d of %d on facets by features", answered, n)
	if answered < n/4 || answered > n*9/10 {
		t.Errorf("%d of %d on facets by features", answered, n)
	}
}

// FuzzFeatures: any id, right or wrong, changes the result by rounding at most.
func FuzzFeatures(f *testing.F) {
	shapes := featureShapes(f)
	f.Add(uint64(1), true, 1e-3, uint16(0), uint16(0), uint8(0))
	f.Add(uint64(2), false, 1e-3, uint16(0), uint16(0), uint8(0))
	f.Add(uint64(3), true, 1e-8, uint16(1), uint16(2), uint8(3))
	f.Add(uint64(4), false, 0.2, uint16(3), uint16(7), uint8(2))
	f.Add(uint64(5), false, 1e-12, uint16(3), uint16(7), uint8(1))
	f.Add(uint64(6), true, 3.0, uint16(500), uint16(70), uint8(4))
	f.Fuzz(func(t *testing.T, seed uint64, edges bool, depth float64, a, b uint16, kind uint8) {
		if !(math.Abs(depth) < 10) {
			return
		}
		r := rand.New(rand.NewPCG(seed, 6))
		p := featurePair(r, shapes[r.IntN(len(shapes))], shapes[r.IntN(len(shapes))], edges, depth)
		// Near parallel edges and parallel faces the result has few correct digits; see condition.
		if p.condition() > 1e3 || math.Abs(depth) < 1e-9 {
			return
		}
		c := NewCutter()
		p.mustAgree(t, c)
		if seed%2 == 0 {
			p = p.swapped()
		}
		q := p
		q.id = soa.FacetID{A: a, B: b, Kind: soa.FacetKind(kind)}
		loc, area, ok := q.reduced(c)
		want, wantArea, wantOK := p.reduced(c)
		if ok != wantOK {
			t.Fatalf("with %v: %v, with %v: %v", q.id, ok, p.id, wantOK)
		}
		nearVec(t, "location with any id", loc, want, 1e-12*max(1, p.condition()/100))
		near(t, "area with any id", area, wantArea, 1e-12)
	})
}

func TestFeaturesNoAllocation(t *testing.T) {
	r := rand.New(rand.NewPCG(87, 88))
	shapes := featureShapes(t)
	c := NewCutter()
	var pairs []pair
	for k := range 200 {
		pairs = append(pairs, featurePair(r, shapes[r.IntN(len(shapes))], shapes[r.IntN(len(shapes))], k%2 == 0, 1e-3*float64(1+k%50)))
	}
	all := func() {
		for i := range pairs {
			pairs[i].reduced(c)
			c.Gyration()
		}
	}
	all()
	if n := testing.AllocsPerRun(5, all); n != 0 {
		t.Errorf("%g allocations a round", n)
	}
}
