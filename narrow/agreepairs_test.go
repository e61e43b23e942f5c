package narrow

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// agreePair is a pair of the agreement test: its poses now and a step before, and how it was drawn.
type agreePair struct {
	a, b   agreeBody
	pa, pb vec.Pose
	qa, qb vec.Pose // the step before
	place  agreePlace
	size   float64 // m, the larger bounding radius of the cores
	round  float64 // m, both rounding radii
	reach  float64
	views  [2]soa.View // the views of rounded copies of a and b
}

// agreeBody is a shape at one scale, and its row in the pool.
type agreeBody struct {
	view *soa.View
	name string
	row  int
}

// agreePlace is a kind of relative pose.
type agreePlace int

const (
	placeRandom   agreePlace = iota // random rotation, at a given gap
	placeFeatures                   // a vertex, edge or face on a vertex, edge or face
	placeAligned                    // same orientation, or a quarter turn of it; a vertex at the height and mostly the position of a vertex
	placeTilted                     // as placeAligned, plus a small rotation
	placeInside                     // origins coincide, or nearly
	nPlacements
)

var placeNames = [nPlacements]string{"random", "features", "aligned", "tilted", "inside"}

// agreePool draws the pairs.
type agreePool struct {
	shapes []agreeShape
	tiers  [nTiers][]int // shapes by tier
}

func newAgreePool(t testing.TB) *agreePool {
	g := &agreePool{shapes: agreeShapes(t)}
	for i, s := range g.shapes {
		g.tiers[s.tier] = append(g.tiers[s.tier], i)
	}
	return g
}

// shares is the number of pairs of each combination of tiers, per million. The second tier comes
// after the first in the order of kinds.
var shares = []struct {
	a, b   tier
	amount int
}{
	{tierSmall, tierMiddle, 70_000}, {tierMiddle, tierSmall, 20_000}, {tierMiddle, tierMiddle, 10_000},
	{tierSmall, tierLarge, 3000}, {tierMiddle, tierLarge, 600}, {tierLarge, tierLarge, 100},
	{tierHuge, tierSmall, 300}, {tierMiddle, tierHuge, 60}, {tierHuge, tierHuge, 6},
	{tierSmall, tierFacet, 60_000}, {tierMiddle, tierFacet, 10_000}, {tierLarge, tierFacet, 500}, {tierHuge, tierFacet, 50},
	{tierBall, tierSmall, 20_000}, {tierBall, tierMiddle, 10_000}, {tierBall, tierHuge, 500}, {tierBall, tierFacet, 10_000},
	{tierBall, tierBall, 5000}, {tierBall, tierPlane, 5000}, {tierSmall, tierPlane, 5000}, {tierMiddle, tierPlane, 5000},
}

// draw makes a pair that depends on r only.
func (g *agreePool) draw(r *rand.Rand, s *Search, p *agreePair) {
	from := [2]tier{tierSmall, tierSmall}
	u := r.IntN(1_000_000)
	for _, s := range shares {
		if u -= s.amount; u < 0 {
			from = [2]tier{s.a, s.b}
			break
		}
	}
	scale := [2]int{r.IntN(len(agreeScales)), 0}
	switch scale[1] = scale[0]; r.IntN(8) {
	case 0:
		scale[1] = r.IntN(len(agreeScales))
	case 1:
		scale[1] = max(scale[0]-1, 0)
	}
	for i, body := range []*agreeBody{&p.a, &p.b} {
		row := g.tiers[from[i]][r.IntN(len(g.tiers[from[i]]))]
		*body = agreeBody{g.shapes[row].views[scale[i]], g.shapes[row].name, row}
	}
	a, b := p.a.view, p.b.view
	p.size = max(a.Radius, b.Radius)
	p.place = agreePlace(r.IntN(int(nPlacements)))
	small := min(a.Radius, b.Radius)
	if b.Kind == soa.Plane {
		p.place, small = placeFeatures, p.size
	}
	if p.round = 0; r.IntN(8) == 0 {
		for i, body := range []*agreeBody{&p.a, &p.b} {
			if k := body.view.Kind; k == soa.Block || k == soa.Facet {
				p.views[i] = *body.view
				p.views[i].Round = small * []float64{0, 1e-9, 1e-3, 0.2}[r.IntN(4)]
				body.view = &p.views[i]
				p.round += p.views[i].Round
			}
		}
	}
	p.pa = vec.Pose{Rot: randomRot(r)}
	off := small * []float64{0, 0, 1e-15, -1e-15, 1e-13, -1e-13, 1e-11, -1e-11, 1e-9, -1e-9, 1e-7, -1e-7, 1e-4, -1e-4, 0.01, -0.01, -0.2, 0.3}[r.IntN(18)]
	if p.place != placeRandom && r.IntN(2) == 0 {
		off += p.round // of the cores
	}
	switch p.place {
	case placeRandom:
		placeAtRandom(r, s, p, off)
	case placeFeatures:
		placeOnFeatures(r, p, off)
	case placeInside:
		p.pb = vec.Pose{Rot: alike(r, p.pa.Rot), Pos: randomUnit(r).Scale(small * []float64{0, 0x1p-50, 1e-12, 1e-6, 0.1}[r.IntN(5)])}
	default:
		placeAlike(r, p, off)
	}
	if r.IntN(3) == 0 {
		far := randomUnit(r).Scale(math.Pow(10, 6*r.Float64()))
		p.pa.Pos, p.pb.Pos = p.pa.Pos.Add(far), p.pb.Pos.Add(far)
	}
	by := []float64{1e-12, 1e-8, 1e-4, 1e-2}[r.IntN(4)]
	p.qa, p.qb = stepped(r, p.pa, by, small), stepped(r, p.pb, by, small)
	p.reach = []float64{math.Inf(1), math.Inf(1), math.Inf(1), 0.05 * small, 0}[r.IntN(5)]
}

// alike returns the same orientation, a quarter turn of it, or a random one.
func alike(r *rand.Rand, q vec.Quat) vec.Quat {
	switch r.IntN(3) {
	case 0:
		return q
	case 1:
		return q.Mul(vec.FromRotationVector([]vec.Vec3{{X: 1}, {Y: 1}, {Z: 1}}[r.IntN(3)].Scale(math.Pi / 2 * float64(r.IntN(4)))))
	}
	return randomRot(r)
}

// stepped rotates a pose by up to an angle, and moves it by up to that angle times the size.
func stepped(r *rand.Rand, p vec.Pose, by, size float64) vec.Pose {
	p.Pos = p.Pos.AddScaled(by*size*r.Float64(), randomUnit(r))
	p.Rot = vec.FromRotationVector(randomUnit(r).Scale(by * r.Float64())).Mul(p.Rot).Normalized()
	return p
}

// placeAtRandom moves B along the normal that a search returns, to about the given gap.
func placeAtRandom(r *rand.Rand, s *Search, p *agreePair, want float64) {
	p.pb = vec.Pose{Rot: alike(r, p.pa.Rot), Pos: randomUnit(r).Scale(1.2 * r.Float64() * (p.a.view.Radius + p.b.view.Radius))}
	var out Answer
	for range 1 + r.IntN(2) {
		s.Resolve(p.a.view, p.pa, p.b.view, p.pb, math.Inf(1), &out)
		p.pb.Pos = p.pb.Pos.AddScaled(want-out.Gap, out.Normal)
	}
}

// placeOnFeatures puts a feature of B on a feature of A, at distance off. The rotation of B about
// the normal is random, or a multiple of an eighth of a turn.
func placeOnFeatures(r *rand.Rand, p *agreePair, off float64) {
	xa, na := pointOnFeature(r, p.a.view)
	xb, nb := pointOnFeature(r, p.b.view)
	if p.b.view.Kind == soa.Plane {
		xb = xb.Scale(p.size)
	}
	n := p.pa.Rot.Rotate(na)
	about := math.Pi / 4 * float64(r.IntN(8))
	if r.IntN(2) == 0 {
		about = 7 * r.Float64()
	}
	p.pb.Rot = vec.FromRotationVector(n.Scale(about)).Mul(onto(nb, n.Neg())).Normalized()
	p.pb.Pos = p.pa.Rot.Rotate(xa).Sub(p.pb.Rot.Rotate(xb)).AddScaled(off, n)
}

// onto returns a rotation from unit vector u to v.
func onto(u, v vec.Vec3) vec.Quat {
	if w := 1 + u.Dot(v); w > 1e-3 {
		c := u.Cross(v)
		return vec.Quat{W: w, X: c.X, Y: c.Y, Z: c.Z}.Normalized()
	}
	half := u.Perpendicular().Unit() // half a turn about it takes u to −u, which is close to v
	return onto(u.Neg(), v).Mul(vec.Quat{X: half.X, Y: half.Y, Z: half.Z})
}

// placeAlike puts a vertex of B on a vertex of A, at distance off along the normal of a face.
func placeAlike(r *rand.Rand, p *agreePair, off float64) {
	p.pb.Rot = alike(r, p.pa.Rot)
	n := randomUnit(r)
	var corner [2]vec.Vec3
	for i, v := range []*soa.View{p.a.view, p.b.view} {
		if v.Kind == soa.Ball {
			corner[i] = randomUnit(r).Scale(v.Radius)
			continue
		}
		corner[i] = v.Vert(soa.Vertex(r.IntN(v.NVerts)))
		n = v.Normal(soa.Face(r.IntN(v.NFaces)))
	}
	p.pb.Pos = p.pa.Rot.Rotate(corner[0]).Sub(p.pb.Rot.Rotate(corner[1])).AddScaled(off, p.pb.Rot.Rotate(n))
	if side := n.Perpendicular().Unit(); r.IntN(3) == 0 {
		p.pb.Pos = p.pb.Pos.AddScaled(r.Float64()*min(p.a.view.Radius, p.b.view.Radius), p.pb.Rot.Rotate(side))
	}
	if p.place == placeTilted {
		by := math.Pow(10, -1-16*r.Float64())
		p.pb.Rot = vec.FromRotationVector(randomUnit(r).Scale(by)).Mul(p.pb.Rot).Normalized()
	}
}
