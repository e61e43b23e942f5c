package bench

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/internal/meet"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// narrowShapes are the names of the shapes, in ascending order of vertices. hullN is a set of rocks with N vertices.
var narrowShapes = []string{"tetra", "cube", "hexahedron", "hull12", "hull32", "hull64", "hull128", "hull512"}

// rocksInSet is the number of different rocks from which a study draws its pairs.
const rocksInSet = 8

// shapeSet is the set of shapes from which pairs are drawn. The mean distance of a shape's vertices
// from its centroid is 1 m, the size that regimes refer to.
type shapeSet struct {
	name   string
	shapes soa.Shapes
	verts  int // the largest number of vertices of a shape
}

// newShapeSet returns the set with the given name. Rocks depend on the seed.
func newShapeSet(name string, seed uint64) (*shapeSet, error) {
	s := &shapeSet{name: name}
	count, isHull := strings.CutPrefix(name, "hull")
	if !isHull {
		p, err := oneShape(name)
		return s, s.add(p, err)
	}
	n, err := strconv.Atoi(count)
	if err != nil {
		return nil, fmt.Errorf("bench: shape %q: %w", name, err)
	}
	for i := range uint64(rocksInSet) {
		p, err := geometry.Rock(seed*rocksInSet+i, n, 1)
		if err := s.add(p, err); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// oneShape returns the shape of a set with a single shape. The hexahedron is a box with three
// different sides, whose top is smaller than its bottom.
func oneShape(name string) (*geometry.Polyhedron, error) {
	switch name {
	case "tetra":
		return geometry.Tetra(1)
	case "cube":
		return geometry.Box(1, 1, 1)
	}
	var corners []vec.Vec3
	for i := range 8 {
		wide := 1.0
		if i>>2 == 1 {
			wide = 0.75
		}
		x, y, z := float64(i&1)-0.5, float64(i>>1&1)-0.5, float64(i>>2)
		corners = append(corners, vec.V(x*wide, 0.75*y*wide, 0.5*z))
	}
	return geometry.FromPoints(name, corners)
}

// add scales a shape to the size of the set and adds it.
func (s *shapeSet) add(p *geometry.Polyhedron, err error) error {
	if err == nil {
		mean := 0.0
		for _, v := range p.Verts {
			mean += v.Sub(p.Mass.Centroid).Norm()
		}
		p, err = p.Scaled(float64(len(p.Verts)) / mean)
	}
	if err == nil {
		_, err = s.shapes.Add(p.Template())
	}
	if err != nil {
		return fmt.Errorf("bench: shape %s: %w", s.name, err)
	}
	s.verts = max(s.verts, len(p.Verts))
	return nil
}

// draw returns one of the shapes at random.
func (s *shapeSet) draw(r *geometry.Rand) soa.Shape { return soa.Shape(below(r, s.shapes.Len())) }

// below returns a random number from 0 to n−1. n must be small compared with 2⁶⁴.
func below(r *geometry.Rand, n int) int { return int(r.Uint64() % uint64(n)) }

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

// regimeNames returns the names of the regimes.
func regimeNames() []string {
	return distinct(regimes, func(g *regime) string { return g.name })
}

// drawAgain is the number of draws before a pair that does not fit its regime is an error. A
// tetrahedron that is deep along one direction is often not deep along another.
const drawAgain = 200

// newPool draws n pairs of a regime. Shapes, rotations and directions are random; gaps are uniform
// over the range of the regime.
func newPool(s *shapeSet, g regime, n int, seed uint64) ([]blockPair, error) {
	r, search := geometry.NewRand(seed), narrow.NewSearch()
	return s.pairs(r, n, g.name, func(i int, p *blockPair) bool {
		if g.degenerate {
			p.placeDegenerate(r, i)
		} else if !p.placeAt(r, search, g.lo, g.hi) {
			return false
		}
		shift := r.Unit().Scale(10)
		p.pa.Pos, p.pb.Pos = p.pa.Pos.Add(shift), p.pb.Pos.Add(shift)
		return true
	})
}

// pairs draws n pairs of shapes until place accepts each; place sets the poses.
func (s *shapeSet) pairs(r *geometry.Rand, n int, what string, place func(i int, p *blockPair) bool) ([]blockPair, error) {
	pool := make([]blockPair, n)
	for i := range pool {
		for try, ok := 0, false; !ok; try++ {
			if try == drawAgain {
				return nil, fmt.Errorf("bench: no pair of %s is %s after %d draws: %w", s.name, what, drawAgain, errNoPair)
			}
			p := &pool[i]
			p.shapeA, p.shapeB = s.draw(r), s.draw(r)
			p.a, p.b = s.shapes.View(p.shapeA), s.shapes.View(p.shapeB)
			ok = place(i, p)
		}
	}
	return pool, nil
}

// errNoPair marks a regime or a contact that no pair of a set fits.
var errNoPair = errors.New("no such pair")

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

// sizes has, for each contact type, the sizes of the features of A and B: their dimensions plus
// one.
var sizes = [narrow.NTypes][2]int{
	narrow.TypeVertexVertex: {1, 1}, narrow.TypeVertexEdge: {1, 2}, narrow.TypeVertexFace: {1, 3},
	narrow.TypeEdgeVertex: {2, 1}, narrow.TypeFaceVertex: {3, 1}, narrow.TypeEdgeEdge: {2, 2}, narrow.TypeEdgeParallel: {2, 2},
	narrow.TypeEdgeFace: {2, 3}, narrow.TypeFaceEdge: {3, 2}, narrow.TypeFaceFace: {3, 3},
}

// placeTyped poses a pair so that it touches, up to rounding, in a contact of the given type, at
// random features. It returns a unit vector, world axes, along which B separates from A. The
// position of A is near the origin.
func placeTyped(r *geometry.Rand, want narrow.Type, p *blockPair) vec.Vec3 {
	fa := meet.Of(p.a, sizes[want][0], r.Uint64(), r.Range)
	fb := meet.Of(p.b, sizes[want][1], r.Uint64(), r.Range)
	spin := r.Range(0, 2*math.Pi)
	switch want {
	case narrow.TypeEdgeEdge:
		spin = r.Range(0.3, 1.5)
	case narrow.TypeEdgeParallel:
		spin = math.Pi * float64(below(r, 2))
	}
	pb := meet.Pose(fa, fb, spin)
	q := r.Rotation()
	p.pa = vec.Pose{Rot: q}
	p.pb = vec.Pose{Rot: q.Mul(pb.Rot).Normalized(), Pos: q.Rotate(pb.Pos)}
	return q.Rotate(fa.Out)
}

// coherentSteps is the number of steps that a coherent pool moves before it starts again with
// nothing known. A pair moves about a hundredth of its size in them.
const coherentSteps = 32

// mostMotion is the longest path of any point of a block in a step, m, for a size of 1 m. It holds
// for the motion relative to the other block and for the total motion.
const mostMotion = 1e-3

// motion is a pair that moves. Both blocks translate, and B slides along A and rotates about its
// point next to A. The poses of any step follow directly from those at the start.
type motion struct {
	start blockPair
	along vec.Vec3 // m per step, both blocks
	slide vec.Vec3 // m per step, B, orthogonal to the normal
	turn  vec.Vec3 // rad per step, B
	about vec.Vec3 // m, world axes, at the start: the point about which B rotates
}

// newMotions makes a motion for each pair of a pool, each with its own speed.
func newMotions(pool []blockPair, seed uint64) []motion {
	r := geometry.NewRand(^seed)
	search := narrow.NewSearch()
	var out narrow.Answer
	list := make([]motion, len(pool))
	for i := range pool {
		p := &pool[i]
		search.Resolve(p.a, p.pa, p.b, p.pb, 10, &out)
		speed := r.Range(0, mostMotion)
		slide := r.Unit()
		slide = slide.AddScaled(-slide.Dot(out.Normal), out.Normal)
		list[i] = motion{
			start: *p, about: p.pb.Pos.Add(out.ArmB),
			along: r.Unit().Scale(0.2 * speed),
			slide: slide.Scale(0.4 * speed),
			// No point of B is farther than twice B's radius from the point about which B rotates.
			turn: r.Unit().Scale(0.4 * speed / (2 * p.b.Radius)),
		}
	}
	return list
}

// at writes the poses after the given number of steps.
func (m *motion) at(step int, p *blockPair) {
	k := float64(step)
	q := vec.FromRotationVector(m.turn.Scale(k))
	p.pa.Pos = m.start.pa.Pos.AddScaled(k, m.along)
	arm := m.start.pb.Pos.Sub(m.about)
	p.pb.Rot = q.Mul(m.start.pb.Rot).Normalized()
	p.pb.Pos = m.about.Add(q.Rotate(arm)).AddScaled(k, m.along).AddScaled(k, m.slide)
}

// moveAll writes the poses of all pairs after the given number of steps.
func moveAll(list []motion, step int, pool []blockPair) {
	for i := range list {
		list[i].at(step, &pool[i])
	}
}
