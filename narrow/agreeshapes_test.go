package narrow

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/narrow/internal/pair"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// agreeScales holds the sizes, m, of every shape of the agreement test.
var agreeScales = [...]float64{1e-6, 1e-3, 1, 1e3, 1e6}

// tier is a class of shapes by cost: most of the test uses pairs of small shapes, few pairs use
// huge ones.
type tier int

const (
	tierSmall  tier = iota // up to 12 edges
	tierMiddle             // up to 90
	tierLarge              // up to 378
	tierHuge               // 1530
	tierFacet
	tierBall
	tierPlane
	nTiers
)

// agreeShape is a shape of the agreement test at all scales.
type agreeShape struct {
	name  string
	tier  tier
	views [len(agreeScales)]*soa.View
}

// agreeShapes returns shapes of every kind, nearly degenerate ones included.
func agreeShapes(t testing.TB) (list []agreeShape) {
	add := func(name string, in tier, at func(k float64) (*soa.Template, error)) {
		s := agreeShape{name: name, tier: in}
		for i, k := range agreeScales {
			tpl, err := at(k)
			if err != nil {
				t.Fatalf("%s of %g m: %v", name, k, err)
			}
			s.views[i] = addTemplate(t, tpl)
		}
		list = append(list, s)
	}
	solid := func(name string, in tier, p *geometry.Polyhedron, err error) {
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		add(name, in, func(k float64) (*soa.Template, error) {
			q, err := p.Scaled(k)
			if err != nil {
				return nil, err
			}
			return q.Template(), nil
		})
	}
	hull := func(name string, in tier, p []vec.Vec3) {
		q, err := geometry.FromPoints(name, p)
		solid(name, in, q, err)
	}
	block := func(name string, x, y, z float64) { hull(name, tierSmall, boxPoints(x, y, z)) }
	hull("tetra", tierSmall, tetraPoints())
	block("cube", 1, 1, 1)
	block("brick", 1, 0.5, 0.25)
	block("needle", 1, 1e-3, 1e-3)
	block("plate", 1, 1, 1e-3)
	hull("hexahedron", tierSmall, hexahedronPoints())
	hull("spike", tierSmall, []vec.Vec3{{X: 0.05}, {X: -0.05, Y: 0.04}, {X: -0.04, Y: -0.05}, {Z: 1}, {X: 0.003, Y: 0.002, Z: -1}})
	hull("splinter", tierSmall, []vec.Vec3{{}, {X: 1}, {X: 0.5, Y: 1}, {X: 0.501, Y: 1, Z: 1e-4}})
	for _, rise := range []float64{1e-2, 1e-6} {
		hull(fmt.Sprint("wedge ", rise), tierSmall, []vec.Vec3{{}, {Y: 1}, {X: 1}, {X: 1, Y: 1}, {X: 1, Z: rise}, {X: 1, Y: 1, Z: rise}})
	}
	whole, err := geometry.Tetra(1.5)
	solid("tetra of 1.5", tierSmall, whole, err)
	below, above, err := whole.Cut(vec.V(0.3, 0.5, 0.8).Unit(), 0.1)
	solid("cut below", tierSmall, below, err)
	solid("cut above", tierSmall, above, err)
	prism, err := geometry.Prism(24, 0.5, 1)
	solid("prism of 24", tierMiddle, prism, err)
	hull("dome", tierMiddle, domePoints(1e-5))
	// Boxes as read from files in single precision: clean ones, and one whose rounding exceeds the
	// tolerance for merging faces.
	for _, c := range []struct {
		squares int
		off     float64
	}{{1, 0}, {2, 8}, {5, 20}} {
		turn, off := vec.FromRotationVector(vec.V(0.4, 0.2, 0.3)), vec.V(c.off, c.off, c.off)
		box, err := geometry.FromMesh(squareBoxMesh(c.squares, turn, off))
		solid(fmt.Sprintf("file of %d squares, %g off", c.squares, c.off), tierMiddle, box, err)
	}
	// Hulls with every facet kept, at each scale. The facets of the domes are at angles below the
	// tolerance for merging.
	fine := func(name string, in tier, p []vec.Vec3) {
		add(name, in, func(k float64) (*soa.Template, error) {
			scaled := make([]vec.Vec3, len(p))
			for i := range p {
				scaled[i] = p[i].Scale(k)
			}
			return exactHull(name, scaled)
		})
	}
	fine("coin 1e-12", tierLarge, coinPoints(12, 1, 1e-12))
	fine("coin 1e-9", tierLarge, coinPoints(24, 1, 1e-9))
	fine("crowned 1e-7", tierLarge, crownedPoints(5, 1e-7))
	fine("filleted", tierHuge, filletedPoints())
	for _, n := range []int{12, 20, 32, 64, 128, 512} {
		in := tierMiddle
		switch {
		case n == 512:
			in = tierHuge
		case n > 32:
			in = tierLarge
		}
		rock, err := geometry.Rock(uint64(n), n, 0.5)
		solid(fmt.Sprint("hull", n), in, rock, err)
	}
	facet := func(name string, corners ...vec.Vec3) {
		add(name, tierFacet, func(k float64) (*soa.Template, error) {
			var p []vec.Vec3
			for _, c := range corners {
				p = append(p, c.Scale(k))
			}
			return geometry.FacetPolygonTemplate(p)
		})
	}
	facet("facet", vec.V(0, 0, 0), vec.V(1, 0, 0), vec.V(0.3, 1, 0.1))
	facet("facet of 1e-3", vec.V(-0.5, 0, 0), vec.V(0.5, 0, 0), vec.V(0, 1e-3, 0))
	facet("facet of four", vec.V(0, 0, 0), vec.V(1, 0, 0), vec.V(1, 1, 0), vec.V(0, 1, 0))
	add("ball", tierBall, func(k float64) (*soa.Template, error) { return geometry.BallTemplate(0.5 * k) })
	plane := agreeShape{name: "plane", tier: tierPlane}
	for i := range plane.views {
		plane.views[i] = &soa.View{Kind: soa.Plane}
	}
	return append(list, plane)
}

// hexahedronPoints returns the corners of a box with different sides and a smaller top.
func hexahedronPoints() []vec.Vec3 {
	p := boxPoints(1, 0.75, 0.5)
	for i := range p {
		if p[i].Z > 0 {
			p[i].X, p[i].Y = 0.75*p[i].X, 0.75*p[i].Y
		}
	}
	return p
}

// domePoints returns the points of a block whose top is a shallow dome of 12 facets around a flat
// middle.
func domePoints(bend float64) []vec.Vec3 {
	p := []vec.Vec3{{X: 1, Y: 1, Z: -1}, {X: -1, Y: 1, Z: -1}, {X: -1, Y: -1, Z: -1}, {X: 1, Y: -1, Z: -1}}
	for i := range 12 {
		sin, cos := math.Sincos(float64(i) * math.Pi / 6)
		p = append(p, vec.V(0.95*cos, 0.95*sin, -0.45*bend), vec.V(0.5*cos, 0.5*sin, 0))
	}
	return p
}

// pointOnFeature returns a point of a random vertex, edge or face of a shape, and a unit direction
// along which no point of the shape lies much farther out. Shape frame.
func pointOnFeature(r *rand.Rand, v *soa.View) (p, n vec.Vec3) {
	switch v.Kind {
	case soa.Plane:
		return vec.V(r.NormFloat64(), r.NormFloat64(), 0), vec.V(0, 0, 1)
	case soa.Ball:
		n = randomUnit(r)
		return n.Scale(v.Radius), n
	}
	f := soa.Face(r.IntN(v.NFaces))
	h := v.LoopFirst[f] + soa.HalfEdge(r.IntN(int(v.LoopLen[f])))
	p, n = v.Vert(v.Tail[h]), v.Normal(f)
	along := v.Vert(v.Head(h)).Sub(p)
	switch r.IntN(3) {
	case 0:
		for _, k := range pair.RingOf(v, uint16(v.Tail[h])) {
			n = n.Add(v.Normal(v.Face[k]))
		}
	case 1:
		p = p.AddScaled([]float64{0, 0.5, r.Float64()}[r.IntN(3)], along)
		n = n.Add(v.Normal(v.Face[v.Twin[h]]))
	case 2:
		across := v.Vert(v.Tail[v.Next(v.Next(h))]).Sub(p)
		u := r.Float64()
		p = p.AddScaled(u, along).AddScaled((1-u)*r.Float64(), across)
	}
	if n.Norm() < 0x1p-20 {
		n = v.Normal(f) // the two normals of a facet cancel
	}
	return p, n.Unit()
}
