package narrow

import (
	"slices"

	"github.com/scree-dem/scree/engine/narrow/internal/proof"
	"github.com/scree-dem/scree/kernels"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// ProvenBatch is the pairs of a list whose features are still proven by a motion budget (certificates C3 and C4), a
// batch for each kind of features, and for two faces. Of a list: Begin, Ask for each pair, Solve,
// Take for each pair.
type ProvenBatch struct {
	facets [6]kernels.Facets // by kind, from FaceVertex; those of corners are of pairs apart
	faces  kernels.FaceFaces
	place  []provenPlace // of each pair of the list

	ofFacets [6]int // rows in use
	ofFaces  int
}

// provenPlace is a row of a batch: way is that of the proof, 0 for none.
type provenPlace struct {
	way uint8
	row uint32
}

// ProvenPair is the bodies and shapes of a pair whose pieces have the poses of the bodies.
type ProvenPair struct {
	BodyA, BodyB   soa.Body
	ShapeA, ShapeB soa.Shape
}

// Resize makes room for a list of n pairs.
func (b *ProvenBatch) Resize(n int) {
	resizeFacets(&b.facets, n)
	b.faces.Resize(soa.Pad(n))
	b.place = slices.Grow(b.place[:0], n)[:n]
}

// Begin takes a list of n pairs, no more than there is room for.
func (b *ProvenBatch) Begin(n int) {
	b.place = b.place[:n]
	clear(b.place)
	b.ofFacets, b.ofFaces = [6]int{}, 0
}

// Ask asks for number k of the list, row i of the contacts, whose odometers, m, are at odoA and odoB. It is not answered where
// nothing is proven, neither by these nor by how the bodies lie to each other now.
func (b *ProvenBatch) Ask(
	k, i int, con *soa.Contacts, shapes *soa.Shapes, bodies *soa.Bodies, p *ProvenPair, odoA, odoB float64,
) {
	if !(odoA+odoB < con.Proven[i]) {
		turn := 1 / min(bodies.Radius[p.BodyA], bodies.Radius[p.BodyB])
		motion, ok := proof.MotionLeft(&con.Held[i], bodies.Pose(p.BodyA), bodies.Pose(p.BodyB), turn)
		if !ok {
			return
		}
		con.Proven[i] = Expiry(motion, 0, odoA, odoB, 0)
	}
	c := &con.ProofRecord[i]
	if c.Way == proof.InFaces {
		b.faces.Set(b.ofFaces, p.BodyA, p.BodyB, c.Rows[0], c.Rows[1])
		b.place[k] = provenPlace{c.Way, uint32(b.ofFaces)}
		b.ofFaces++
		return
	}
	at := c.Way - uint8(soa.FaceVertex)
	row := b.ofFacets[at]
	b.facets[at].Put(row, p.BodyA, p.BodyB, c.Rows, float64(c.Sign))
	b.place[k] = provenPlace{c.Way, uint32(row)}
	b.ofFacets[at]++
}

// Solve answers all that was asked.
func (b *ProvenBatch) Solve(shapes *soa.Shapes, bodies *soa.Bodies) {
	for kind, n := range b.ofFacets {
		if n > 0 {
			f := &b.facets[kind]
			f.Solve(shapes, bodies, 0, f.Fill(n))
		}
	}
	if n := b.ofFaces; n > 0 {
		b.faces.Solve(shapes, bodies, 0, b.faces.Fill(n))
	}
}

// Take writes the answer of number k of the list, row i of the contacts, without an axis. It returns false where there is none, where
// the pair has come too close to call, or where it is too close to call which facet of two faces it is. Bodies that graze it
// answers beyond their reach as well.
func (b *ProvenBatch) Take(
	k, i int, con *soa.Contacts, shapes *soa.Shapes, bodies *soa.Bodies, p *ProvenPair, reach float64, out *Answer,
) bool {
	at := b.place[k]
	row := int(at.row)
	switch at.way {
	case 0:
		return false
	case proof.InFaces:
		f := &b.faces
		if !f.Known(row) {
			return false
		}
		out.Gap, out.Normal, out.ArmA, out.ArmB = f.Gap[row], f.Normal.At(row), f.ArmA.At(row), f.ArmB.At(row)
		out.Facet = f.Facet(row, shapes)
	default:
		f := &b.facets[at.way-uint8(soa.FaceVertex)]
		out.Gap, out.Normal, out.ArmA, out.ArmB = f.Gap[row], f.Normal.At(row), f.ArmA.At(row), f.ArmB.At(row)
		out.Facet = con.Facet[i]
	}
	ra, rb := shapes.Radius[p.ShapeA], shapes.Radius[p.ShapeB]
	if con.ProofRecord[i].Apart {
		dx := bodies.Pos.At(int(p.BodyB)).Sub(bodies.Pos.At(int(p.BodyA)))
		if !proof.ClearApart(out.Gap, reach, shapes.View(p.ShapeA), shapes.View(p.ShapeB), dx) {
			return false
		}
		out.Status = Separated
	} else if out.SetGap(out.Gap); !Clear(out.Gap, at.way == proof.InFaces, ra, rb) {
		return false
	}
	out.AnsweredBy, out.Exact, out.Axis, out.AxisSupport = ByFeature, true, vec.Vec3{}, 0
	if roundA, roundB := shapes.Round[p.ShapeA], shapes.Round[p.ShapeB]; roundA+roundB != 0 {
		out.Grow(roundA, roundB)
	}
	return true
}
