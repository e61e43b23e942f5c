package narrow

import (
	"slices"

	"github.com/scree-dem/scree/kernels"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// ProvenBatch is the pairs of a list whose features are still proven by a motion budget (certificates C3 and C4), a
// batch for each kind of features, for faces with a few vertices, and for two faces. Of a list: Begin, Ask for each pair, Solve,
// Take for each pair.
type ProvenBatch struct {
	facets [6]kernels.Facets // by kind, from FaceVertex; those of corners are of pairs apart
	lowest [2]kernels.Lowest // FaceVertex and VertexFace
	faces  kernels.FaceFaces
	place  []provenPlace // of each pair of the list

	ofFacets [6]int // rows in use
	ofLowest [2]int
	ofFaces  int
}

// provenPlace is a row of the batch of a kind, or of one of the others, or NoFacet.
type provenPlace struct {
	kind soa.FacetKind
	row  uint32
}

// inFaces is the kind of a place in the batch of two faces: none that a facet has. inLowest is added to the kind of a face and a
// vertex for a place in the batches of a few vertices.
const (
	inFaces  = soa.FacetKind(255)
	inLowest = soa.FacetKind(64)
)

// ProvenPair is the bodies and shapes of a pair whose pieces have the poses of the bodies.
type ProvenPair struct {
	BodyA, BodyB   soa.Body
	ShapeA, ShapeB soa.Shape
}

// Resize makes room for a list of n pairs.
func (b *ProvenBatch) Resize(n int) {
	resizeFacets(&b.facets, n)
	for i := range b.lowest {
		b.lowest[i].Kind = soa.FaceVertex + soa.FacetKind(i)
		b.lowest[i].Resize(soa.Pad(n))
	}
	b.faces.Resize(soa.Pad(n))
	b.place = slices.Grow(b.place[:0], n)[:n]
}

// Begin takes a list of n pairs, no more than there is room for.
func (b *ProvenBatch) Begin(n int) {
	b.place = b.place[:n]
	clear(b.place)
	b.ofFacets, b.ofLowest, b.ofFaces = [6]int{}, [2]int{}, 0
}

// Ask asks for number k of the list, row i of the contacts, whose odometers, m, are at odoA and odoB. It is not answered where
// nothing is proven, neither by these nor by how the bodies lie to each other now.
func (b *ProvenBatch) Ask(
	k, i int, con *soa.Contacts, shapes *soa.Shapes, bodies *soa.Bodies, p ProvenPair, odoA, odoB float64,
) {
	if !(odoA+odoB < con.Proven[i]) {
		turn := 1 / min(bodies.Radius[p.BodyA], bodies.Radius[p.BodyB])
		motion, ok := rest(&con.Held[i], bodies.Pose(p.BodyA), bodies.Pose(p.BodyB), turn)
		if !ok {
			return
		}
		con.Proven[i] = Expiry(motion, 0, odoA, odoB, 0)
	}
	if con.QuadA[i] != 0 {
		b.faces.Set(b.ofFaces, p.BodyA, p.BodyB, con.QuadA[i], con.QuadB[i])
		b.place[k] = provenPlace{inFaces, uint32(b.ofFaces)}
		b.ofFaces++
		return
	}
	id := con.Facet[i]
	kind := id.Kind - soa.FaceVertex
	if of := con.Lowest[i]; !of.None() {
		row := b.ofLowest[kind]
		b.lowest[kind].Set(row, shapes, p.BodyA, p.BodyB, p.ShapeA, p.ShapeB, id, of)
		b.place[k] = provenPlace{inLowest + id.Kind, uint32(row)}
		b.ofLowest[kind]++
		return
	}
	sign := 1.0
	if con.Flip[i] {
		sign = -1
	}
	row := b.ofFacets[kind]
	b.facets[kind].Set(row, shapes, p.BodyA, p.BodyB, p.ShapeA, p.ShapeB, id, sign)
	b.place[k] = provenPlace{id.Kind, uint32(row)}
	b.ofFacets[kind]++
}

// Solve answers all that was asked.
func (b *ProvenBatch) Solve(shapes *soa.Shapes, bodies *soa.Bodies) {
	for kind, n := range b.ofFacets {
		f := &b.facets[kind]
		f.Solve(shapes, bodies, 0, f.Fill(n))
	}
	for kind, n := range b.ofLowest {
		f := &b.lowest[kind]
		f.Solve(shapes, bodies, 0, f.Fill(n))
	}
	b.faces.Solve(shapes, bodies, 0, b.faces.Fill(b.ofFaces))
}

// Take writes the answer of number k of the list, row i of the contacts, without an axis. It says false where there is none, where
// the pair has come too close to call, or where it is too close to call which facet of two faces, or of a face and a few
// vertices, it is.
func (b *ProvenBatch) Take(
	k, i int, con *soa.Contacts, shapes *soa.Shapes, bodies *soa.Bodies, p ProvenPair, reach float64, out *Answer,
) bool {
	at := b.place[k]
	row := int(at.row)
	switch at.kind {
	case soa.NoFacet:
		return false
	case inFaces:
		f := &b.faces
		if !f.Known(row) {
			return false
		}
		out.Gap, out.Normal, out.ArmA, out.ArmB = f.Gap[row], f.Normal.At(row), f.ArmA.At(row), f.ArmB.At(row)
		out.Facet = f.Facet(row, shapes)
	case inLowest + soa.FaceVertex, inLowest + soa.VertexFace:
		f := &b.lowest[at.kind-inLowest-soa.FaceVertex]
		if !f.Known(row) {
			return false
		}
		out.Gap, out.Normal, out.ArmA, out.ArmB = f.Gap[row], f.Normal.At(row), f.ArmA.At(row), f.ArmB.At(row)
		out.Facet = f.Facet(row, con.Facet[i], con.Lowest[i])
	default:
		f := &b.facets[at.kind-soa.FaceVertex]
		out.Gap, out.Normal, out.ArmA, out.ArmB = f.Gap[row], f.Normal.At(row), f.ArmA.At(row), f.ArmB.At(row)
		out.Facet = con.Facet[i]
	}
	dx := bodies.Pos.At(int(p.BodyB)).Sub(bodies.Pos.At(int(p.BodyA)))
	va, vb := shapes.View(p.ShapeA), shapes.View(p.ShapeB)
	if con.Apart[i] {
		if !ClearApart(out.Gap, reach, va, vb, dx) {
			return false
		}
		out.Status = Separated
	} else if out.Status = Penetrating; !Clear(out.Gap, va.Radius, vb.Radius, dx) {
		return false
	}
	out.Level, out.Exact, out.Axis, out.AxisSupport = LevelFeature, true, vec.Vec3{}, 0
	out.Grow(va.Round, vb.Round)
	return true
}

// Store writes a proof to row i of the contacts: until is the sum of the odometers up to which it holds, the orientations are those
// of the bodies now.
func (p *Proof) Store(con *soa.Contacts, i int, until float64, rotA, rotB vec.Quat) {
	con.Proven[i], con.Flip[i], con.Apart[i] = until, p.Flip, p.Apart
	con.QuadA[i], con.QuadB[i], con.Lowest[i] = p.QuadA, p.QuadB, p.Lowest
	if con.Held[i] = p.Hold; p.Hold.Motion > 0 {
		con.Held[i].Rot = rotA.Conj().Mul(rotB)
	}
}
