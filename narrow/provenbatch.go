package narrow

import (
	"slices"

	"github.com/scree-dem/scree/kernels"
	"github.com/scree-dem/scree/narrow/internal/proof"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// ProvenBatch answers many pairs whose stored features are still within their motion budget
// (certificates C3 and C4). It has one batch for each kind of features, and one for pairs of faces.
// For a list of pairs call Begin, Set for each pair, Solve, and Answer for each pair.
type ProvenBatch struct {
	facets [6]kernels.FacetBatch // by kind, from FaceVertex on; kinds after EdgeEdge occur only in pairs apart
	faces  kernels.FaceFaces
	place  []provenPlace // one entry for each pair of the list

	ofFacets [6]int // rows in use
	ofFaces  int
}

// provenPlace is the row of a pair in a batch. kind is the Kind of its proof record, or 0 if the
// pair has no row.
type provenPlace struct {
	kind uint8
	row  uint32
}

// ProvenPair holds the bodies, poses and shapes of a pair.
type ProvenPair struct {
	BodyA, BodyB   soa.Body
	PoseA, PoseB   soa.PoseRow
	ShapeA, ShapeB soa.Shape
}

// Resize allocates space for a list of n pairs.
func (b *ProvenBatch) Resize(n int) {
	resizeFacets(&b.facets, n)
	b.faces.Resize(soa.Pad(n))
	b.place = slices.Grow(b.place[:0], n)[:n]
}

// Begin starts a list of n pairs, at most the number passed to Resize.
func (b *ProvenBatch) Begin(n int) {
	b.place = b.place[:n]
	clear(b.place)
	b.ofFacets, b.ofFaces = [6]int{}, 0
}

// Set adds the query of pair k of the list, which is row i of the contacts. odoA and odoB are the
// odometers of the two bodies, m, and slack bounds the rounding of the poses of pieces that have their own, m. If
// neither the odometers nor the relative pose prove the stored
// features, Set adds nothing and Answer returns false.
func (b *ProvenBatch) Set(
	k, i int, con *soa.Contacts, bodies *soa.Bodies, poses *soa.PoseColumns, p *ProvenPair, odoA, odoB, slack float64,
) {
	if !(odoA+odoB < con.Proven[i]) {
		turn := 1 / min(bodies.Radius[p.BodyA], bodies.Radius[p.BodyB])
		motion, ok := proof.MotionLeft(&con.PoseBounds[i], poses.At(p.PoseA), poses.At(p.PoseB), turn)
		if !ok {
			return
		}
		con.Proven[i] = Expiry(motion, 0, odoA, odoB, slack)
	}
	c := &con.ProofRecord[i]
	if c.Kind == proof.OfTwoFaces {
		b.faces.Set(b.ofFaces, p.PoseA, p.PoseB, c.Rows[0], c.Rows[1])
		b.place[k] = provenPlace{c.Kind, uint32(b.ofFaces)}
		b.ofFaces++
		return
	}
	at := c.Kind - uint8(soa.FaceVertex)
	row := b.ofFacets[at]
	b.facets[at].Put(row, p.PoseA, p.PoseB, c.Rows, float64(c.Sign))
	b.place[k] = provenPlace{c.Kind, uint32(row)}
	b.ofFacets[at]++
}

// Solve computes the answers of all queries.
func (b *ProvenBatch) Solve(shapes *soa.Shapes, poses *soa.PoseColumns) {
	for kind, n := range b.ofFacets {
		if n > 0 {
			f := &b.facets[kind]
			f.Solve(shapes, poses, 0, f.Fill(n))
		}
	}
	if n := b.ofFaces; n > 0 {
		b.faces.Solve(shapes, poses, 0, b.faces.Fill(n))
	}
}

// Answer writes the answer of pair k of the list, row i of the contacts, to out, without an axis. It
// returns false in three cases: the pair has no query; its gap is too close to a limit of the
// proof; or its answer is a facet of two faces and the kernel cannot tell which one. A grazing
// pair, whose gap is close to zero, is answered even if its gap exceeds reach.
func (b *ProvenBatch) Answer(
	k, i int, con *soa.Contacts, shapes *soa.Shapes, poses *soa.PoseColumns, p *ProvenPair, reach float64, out *Answer,
) bool {
	at := b.place[k]
	row := int(at.row)
	switch at.kind {
	case 0:
		return false
	case proof.OfTwoFaces:
		f := &b.faces
		if !f.Known(row) {
			return false
		}
		out.Gap, out.Normal, out.ArmA, out.ArmB = f.Gap[row], f.Normal.At(row), f.ArmA.At(row), f.ArmB.At(row)
		out.Facet = f.Facet(row, shapes)
	default:
		f := &b.facets[at.kind-uint8(soa.FaceVertex)]
		out.Gap, out.Normal, out.ArmA, out.ArmB = f.Gap[row], f.Normal.At(row), f.ArmA.At(row), f.ArmB.At(row)
		out.Facet = con.Facet[i]
	}
	ra, rb := shapes.Radius[p.ShapeA], shapes.Radius[p.ShapeB]
	if con.ProofRecord[i].Apart {
		dx := poses.Pos.At(int(p.PoseB)).Sub(poses.Pos.At(int(p.PoseA)))
		if !proof.ClearApart(out.Gap, reach, shapes.View(p.ShapeA), shapes.View(p.ShapeB), dx) {
			return false
		}
		out.Status = Separated
	} else if out.SetGap(out.Gap); !proof.Clear(out.Gap, at.kind == proof.OfTwoFaces, ra, rb) {
		return false
	}
	out.AnsweredBy, out.Exact, out.Axis, out.AxisSupport = ByFeature, true, vec.Vec3{}, 0
	if roundA, roundB := shapes.Round[p.ShapeA], shapes.Round[p.ShapeB]; roundA+roundB != 0 {
		out.Grow(roundA, roundB)
	}
	return true
}

// resizeFacets allocates space for n pairs in the batch of each kind.
func resizeFacets(batches *[6]kernels.FacetBatch, n int) {
	for i := range batches {
		batches[i].Kind = soa.FaceVertex + soa.FacetKind(i)
		batches[i].Resize(soa.Pad(n))
	}
}
