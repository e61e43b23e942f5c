package overlap

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/internal/backends"
	"github.com/scree-dem/scree/internal/oracle"
	"github.com/scree-dem/scree/kernels"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// crownArena has blocks all of whose vertices have three edges, and rocks, which have few such.
func crownArena(t testing.TB) *soa.Shapes {
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

// crownPair is a corner on a face, edges that cross, or two faces that lean a little, by which a plane leaves
// any crown.
func crownPair(r *rand.Rand, a, b *soa.View) pair {
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

// located is pairs in a batch.
func located(pairs []pair, crowns [][2]soa.Crown) (*soa.Bodies, *kernels.Locations) {
	n := len(pairs)
	bodies, l := &soa.Bodies{}, &kernels.Locations{}
	bodies.Resize(2 * n)
	l.Resize(soa.Pad(n))
	for i, p := range pairs {
		a, b := soa.Body(2*i), soa.Body(2*i+1)
		bodies.Pos.Set(int(a), p.pa.Pos)
		bodies.Rot.Set(int(a), p.pa.Rot)
		bodies.Pos.Set(int(b), p.pb.Pos)
		bodies.Rot.Set(int(b), p.pb.Rot)
		l.Set(i, a, b, crowns[i][0], crowns[i][1], p.gap, &p.normal, &p.armA, &p.armB)
	}
	return bodies, l
}

// TestLocationsAreReduced: a row of the batch is what Reduced gives, to the bit. With the crowns of Reduced all but few
// rows are answered, which those are does not depend on the backend, and crowns of any kind answer nothing else.
func TestLocationsAreReduced(t *testing.T) {
	const n = 16384
	shapes := crownArena(t)
	r := rand.New(rand.NewPCG(93, 94))
	c := NewCutter()
	var pairs []pair
	var crowns, wrong [][2]soa.Crown
	var at []vec.Vec3
	var wide []vec.Sym3
	byCrowns := 0
	for range n {
		p := crownPair(r, shapes.View(soa.Shape(r.IntN(shapes.Len()))), shapes.View(soa.Shape(r.IntN(shapes.Len()))))
		if r.IntN(2) == 0 {
			p = p.swapped()
		}
		location, _, _ := p.reduced(c)
		k, l := c.Crowns()
		if k != 0 {
			byCrowns++
		}
		pairs, crowns = append(pairs, p), append(crowns, [2]soa.Crown{k, l})
		at, wide = append(at, location), append(wide, c.Gyration())
		// A neighbour in the table, of the same shape as a rule.
		near := func(k soa.Crown) soa.Crown {
			return soa.Crown(max(0, min(int(k)+(r.IntN(3)-1)*soa.CrownSize, len(shapes.Crowns)-soa.CrownSize)))
		}
		wrong = append(wrong, [2]soa.Crown{near(k), near(l)})
	}
	t.Logf("%d of %d by crowns", byCrowns, n)
	if byCrowns < n/3 {
		t.Errorf("%d of %d by crowns", byCrowns, n)
	}
	var known []bool // by the first backend
	backends.Run(t, func(t *testing.T) {
		for _, hint := range [][][2]soa.Crown{crowns, wrong} {
			bodies, l := located(pairs, hint)
			l.Solve(shapes, bodies, 0, l.Fill(n))
			answered := 0
			for i := range pairs {
				if !l.Known(i) {
					continue
				}
				answered++
				if crowns[i][0] == 0 || l.At(i) != at[i] || l.Width(i) != wide[i] {
					t.Fatalf("pair %d, %v: location %v, width %v, want %v, %v", i, pairs[i].id, l.At(i), l.Width(i), at[i], wide[i])
				}
			}
			t.Logf("%d rows answered", answered)
			if &hint[0] != &crowns[0] {
				continue
			}
			if answered < byCrowns*95/100 {
				t.Errorf("%d of %d rows answered", answered, byCrowns)
			}
			if known == nil {
				for i := range pairs {
					known = append(known, l.Known(i))
				}
			}
			for i := range pairs {
				if known[i] != l.Known(i) {
					t.Fatalf("pair %d: known %v, by another backend %v", i, l.Known(i), known[i])
				}
			}
		}
	})
}

// TestCrownsAgainstSlowSection: what crowns answer is the section of the whole bodies, by the oracle and by the
// general way.
func TestCrownsAgainstSlowSection(t *testing.T) {
	shapes := crownArena(t)
	r := rand.New(rand.NewPCG(95, 96))
	c := NewCutter()
	kinds := map[[2]int]int{} // how many vertices the plane leaves of each body
	for range 6000 {
		p := crownPair(r, shapes.View(soa.Shape(r.IntN(shapes.Len()))), shapes.View(soa.Shape(r.IntN(shapes.Len()))))
		location, area, _ := p.reduced(c)
		wide := c.Gyration()
		if k, _ := c.Crowns(); k == 0 {
			continue
		}
		q := p
		q.id = soa.FacetID{}
		general, generalArea := q.must(t, c)
		if k, _ := c.Crowns(); k != 0 {
			t.Fatal("crowns without an id")
		}
		// Faces that the plane cuts lean by about the depth, over which rounding of the heights grows.
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
	// A corner meets no corner, nor an edge.
	for _, a := range []int{1, 2, 3, 4} {
		for _, b := range []int{1, 2, 3, 4} {
			if a*b > 2 && kinds[[2]int{a, b}]+kinds[[2]int{b, a}] == 0 {
				t.Errorf("no section of %d and %d vertices", a, b)
			}
		}
	}
}

// left counts the vertices above the plane.
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

// BenchmarkLocations finds the locations of as many pairs of cubes as a tile has; checksum is their sum.
func BenchmarkLocations(b *testing.B) {
	const n = 512
	shapes := crownArena(b)
	cube := shapes.View(0)
	for _, kind := range []string{"corner", "crossing", "faces"} {
		r := rand.New(rand.NewPCG(97, 98))
		c := NewCutter()
		var pairs []pair
		var crowns [][2]soa.Crown
		for len(pairs) < n {
			p := featurePair(r, cube, cube, kind == "crossing", 1e-3)
			if kind == "faces" {
				p = facesPair(r, cube)
			}
			p.reduced(c)
			if k, l := c.Crowns(); k != 0 {
				pairs, crowns = append(pairs, p), append(crowns, [2]soa.Crown{k, l})
			}
		}
		bodies, l := located(pairs, crowns)
		for backend := range backends.Each(b) {
			b.Run(fmt.Sprintf("kind=%s/backend=%s", kind, backend), func(b *testing.B) {
				for b.Loop() {
					l.Solve(shapes, bodies, 0, n)
				}
				sum := 0.0
				for i := range n {
					if l.Known(i) {
						sum += l.At(i).X + l.Width(i).XX
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/pair")
				b.ReportMetric(sum, "checksum")
			})
		}
	}
}
