package bench

import (
	"context"
	"fmt"
	"math"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// blockPair is two blocks at their poses. The views are those of an arena that does not grow any
// more.
type blockPair struct {
	a, b   *soa.View
	pa, pb vec.Pose
	// Rows in the arena.
	shapeA, shapeB soa.Shape
}

// size returns the size of the larger block, m.
func (p *blockPair) size() float64 { return max(p.a.Radius, p.b.Radius) }

// regime is the relative position of the pairs of a pool. Gaps are in m; the size of all shapes of
// the study is 1 m.
type regime struct {
	name       string
	lo, hi     float64 // range of the gaps
	degenerate bool
	coherent   bool    // the pairs move, and are computed step after step
	reach      float64 // of a coherent regime: the gap up to which gaps are computed
}

var regimes = []regime{
	{name: "apart", lo: 0, hi: 0.1},
	{name: "touching", lo: -0.01, hi: 0},
	{name: "deep", lo: -0.2, hi: -0.05},
	{name: "degenerate", degenerate: true},
	{name: "coherent-apart", lo: 0, hi: 0.1, coherent: true},
	{name: "coherent-touching", lo: -0.01, hi: 0, coherent: true},
	{name: "coherent-near", lo: 0, hi: 0.01, coherent: true, reach: 0.02},
}

// NarrowRegimes returns the names of the regimes of the narrow study.
func NarrowRegimes() []string {
	return distinct(regimes, func(g *regime) string { return g.name })
}

// drawAgain is the number of draws before a pair that does not fit its regime is an error. A
// tetrahedron that is deep along one direction is often not deep along another.
const drawAgain = 200

// newPool draws n pairs of a regime. Shapes, rotations and directions are random; gaps are uniform
// over the range of the regime.
func newPool(ctx context.Context, s *shapeSet, g regime, n int, seed uint64) ([]blockPair, error) {
	r := geometry.NewRand(seed)
	search := narrow.NewSearch()
	pool := make([]blockPair, n)
	for i := range pool {
		if i%64 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		p := &pool[i]
		ok := false
		for try := 0; try < drawAgain && !ok; try++ {
			p.shapeA, p.shapeB = s.draw(r), s.draw(r)
			p.a, p.b = s.shapes.View(p.shapeA), s.shapes.View(p.shapeB)
			if ok = g.degenerate; ok {
				p.placeDegenerate(r, i)
			} else {
				ok = p.placeAt(r, search, g.lo, g.hi)
			}
		}
		if !ok {
			return nil, fmt.Errorf("bench: no pair of %s is %s after %d draws", s.name, g.name, drawAgain)
		}
		shift := r.Unit().Scale(10)
		p.pa.Pos, p.pb.Pos = p.pa.Pos.Add(shift), p.pb.Pos.Add(shift)
	}
	return pool, nil
}

// placeAt rotates both blocks at random, and places B on a random line from A's centre, as if B had
// moved in along this line. The gap is drawn uniformly between lo and hi. placeAt returns false if
// there is no such position.
func (p *blockPair) placeAt(r *geometry.Rand, s *narrow.Search, lo, hi float64) bool {
	p.pa, p.pb = vec.Pose{Rot: r.Rotation()}, vec.Pose{Rot: r.Rotation()}
	dir, want := r.Unit(), r.Range(lo, hi)
	near, far := 0.0, p.a.Radius+p.b.Radius+max(hi, 0)
	var out narrow.Answer
	for range 50 {
		at := float64(0.5 * (near + far))
		p.pb.Pos = dir.Scale(at)
		s.Resolve(p.a, p.pa, p.b, p.pb, math.Inf(1), &out)
		// The gap changes by at most the distance that B moves.
		if step := want - out.Gap; step > 0 {
			near = at + step
		} else {
			far = at + step
		}
		if far-near < 1e-12 {
			break
		}
	}
	return out.Gap > lo && out.Gap < hi && math.Abs(out.Gap-want) < 1e-9
}

// degenerateTypes are the contact types in a degenerate pool, which also has equal orientations.
var degenerateTypes = []narrow.Type{
	narrow.TypeVertexVertex, narrow.TypeEdgeEdge, narrow.TypeEdgeParallel, narrow.TypeVertexEdge, narrow.TypeFaceEdge, narrow.TypeFaceFace,
}

// placeDegenerate makes pair i of a degenerate pool. Every second pair has equally oriented blocks
// with a face of one on or in the other. The other pairs touch with features of degenerateTypes.
// Both kinds are exact, nearly exact, or overlapping.
func (p *blockPair) placeDegenerate(r *geometry.Rand, i int) {
	off := [...]float64{0, -1e-13, 1e-13, -1e-3}[i/2%4]
	if i%2 == 0 {
		// Equal orientation: B is a copy of A, moved along the normal of a face by the width of the
		// Minkowski difference in this direction.
		p.b, p.shapeB = p.a, p.shapeA
		p.pa = vec.Pose{Rot: r.Rotation()}
		p.pb = p.pa
		f := soa.Face(below(r, p.a.NFaces))
		n := p.a.Normal(f)
		low := math.Inf(1)
		for k := range p.b.NVerts {
			low = min(low, n.Dot(p.b.Vert(soa.Vertex(k))))
		}
		side := n.Perpendicular().Scale(r.Range(0, 0.2))
		p.pb.Pos = p.pa.Rot.Rotate(n.Scale(p.a.D[f] - low + off).Add(side))
		return
	}
	n := placeTyped(r, degenerateTypes[i/8%len(degenerateTypes)], p)
	p.pb.Pos = p.pb.Pos.AddScaled(off, n)
}
