package soa

import (
	"math"

	"github.com/scree-dem/scree/vec"
)

const (
	// PairBytes is the size of a candidate pair, of which the odometer sweep reads the first 16 in every
	// step.
	PairBytes = 4 + 4 + 8 + 8*(3+1) + 4
	// ContactBytes is the size of one row of Contacts.
	ContactBytes = 4 + ProofBytes + 8*(3+1+3) + 11 + 8 + 1 + 1 + 1
	// ForceBytes is the size of one row of Forces, with three history values as force.Linear has.
	ForceBytes = 8 * (3 + 1 + 3 + 3 + 3 + 3 + 3 + 3 + 3 + 1)
	// ProofBytes is the part of ContactBytes that belongs to certificates: Facet, Proven, ProofRecord and
	// PoseBounds.
	ProofBytes = 8 + 8*(4+3+3+3) + 6 + 20
)

// ProofRecord records what is proven of a pair, in the form that the batches of proven features
// need, so that a step looks nothing up. See package narrow.
type ProofRecord struct {
	Rows  [4]uint32 // of a facet: its rows in the arena as in kernels.Facets; of two faces: their quads
	Kind  uint8     // which batch evaluates the pair; 0 for none
	Apart bool      // the pair is apart
	Sign  int8      // of two edges, as in kernels.Facets
}

// PoseBound is the relative pose of two bodies when features of them were proven, and how far the
// bodies may move from it before the proof expires. See package narrow.
type PoseBound struct {
	Rot    vec.Quat // from B's frame to A's
	A, B   vec.Vec3 // m, the same point in the frames of A and B
	Motion float64  // m; 0 for none
	Turn   float64  // rad, +Inf for no limit
	Lever  float64  // m
}

// Pairs is the list of candidate pairs: pieces of different bodies whose cell extents overlap. It
// is sorted by A, then B, apart from vacant rows. The kind of A does not come after the kind of B
// in the order ball, block, facet, plane. If both are of one kind, A is the lower piece. So each
// pair has one representation.
type Pairs struct {
	A, B []Piece // the two pieces; the kind of A does not come after that of B
	// Expiry is the sum of both bodies' odometers, m, up to which the pair is proven apart
	// (certificate C1). Expired means that the pair must be evaluated.
	Expiry []float64
	// Axis and AxisSupport are the witness of a pair that is apart (certificate C2): a unit axis from A to B
	// in the frame of piece A, and the support of A along it, m. A zero axis means none.
	Axis        Vec3s
	AxisSupport []float64
	// Row is the pair's row of Contacts, or NoRow. A pair has a row while it touches, or is so near that its
	// gap is known exactly.
	Row []uint32
}

// NoRow is the Row of a pair that has none, and the Pair of a row of contacts that is free.
const NoRow = math.MaxUint32

// Expired is the expiry of a pair that must be evaluated in this step.
var Expired = math.Inf(-1)

// Len returns the number of rows.
func (p *Pairs) Len() int { return len(p.A) }

// Vacant reports whether row i is vacant, which means that it has no pair and that A and B are
// equal. A contact space keeps vacant rows so that it can add and remove pairs without moving all others.
// A vacant row has no contact.
func (p *Pairs) Vacant(i int) bool { return p.A[i] == p.B[i] }

// Resize sets the number of pairs to n.
func (p *Pairs) Resize(n int) {
	p.A, p.B = Resize(p.A, n), Resize(p.B, n)
	p.Expiry, p.AxisSupport, p.Row = Resize(p.Expiry, n), Resize(p.AxisSupport, n), Resize(p.Row, n)
	p.Axis.Resize(n)
}

// DropAxis removes the axis of pair i. Most pairs that touch have none, so DropAxis writes only if there is
// one.
func (p *Pairs) DropAxis(i int) {
	if p.Axis.At(i) != (vec.Vec3{}) {
		p.Axis.Set(i, vec.Vec3{})
	}
}

// CarryRows sets what is known of the pairs at to at+n-1 from that of the pairs first to first+n-1 of from,
// which may be p itself, with overlapping rows.
func (p *Pairs) CarryRows(at int, from *Pairs, first, n int) {
	copyRows(p.Expiry, at, from.Expiry, first, n)
	p.Axis.copyRows(at, &from.Axis, first, n)
	copyRows(p.AxisSupport, at, from.AxisSupport, first, n)
	copyRows(p.Row, at, from.Row, first, n)
}

// ClearRows makes pairs lo to hi-1 pairs of which nothing is known.
func (p *Pairs) ClearRows(lo, hi int) {
	for i := lo; i < hi; i++ {
		p.Expiry[i], p.AxisSupport[i], p.Row[i] = Expired, 0, NoRow
		p.Axis.Set(i, vec.Vec3{})
	}
}

// FacetKind tells which features make a facet of the Minkowski difference A ⊖ B.
type FacetKind uint8

const (
	NoFacet    FacetKind = iota // nothing known
	FaceVertex                  // face of A, vertex of B
	VertexFace                  // vertex of A, face of B
	EdgeEdge                    // edge of A, edge of B, crossing
	VertexVertex
	VertexEdge // vertex of A, edge of B
	EdgeVertex // edge of A, vertex of B
)

// FacetID names the feature pair that determines the result for a pair of pieces. The kinds after
// EdgeEdge occur only between pieces that are apart. Ties are broken by Kind, then A, then B.
type FacetID struct {
	A, B uint16    // index of the face, edge or vertex in its shape
	Kind FacetKind // which features A and B are
}

// Before reports whether f comes before g in the order that breaks ties.
func (f FacetID) Before(g FacetID) bool {
	if f.Kind != g.Kind {
		return f.Kind < g.Kind
	}
	if f.A != g.A {
		return f.A < g.A
	}
	return f.B < g.B
}

// Contacts holds the proofs and the last geometry of pairs that touch or nearly touch, one row for each. The
// order of rows has no meaning. Frame: world, unless stated otherwise. Forces has what laws store and
// compute.
type Contacts struct {
	Pair []uint32 // the pair of the row, or NoRow if the row is free
	// Normal, unit, from A to B, is that of the contact when its forces were last computed. The reader of
	// the contacts writes it. It is zero if the pair is not active.
	Normal Vec3s

	// Result of this step for an active contact.
	Gap      []float64 // m; minus the overlap's thickness if the law reads the overlap of two blocks
	Location Vec3s     // m
	Facet    []FacetID
	// Proven is the sum of both bodies' odometers, m, up to which Facet is proven, or 0 or Expired
	// for none. For a proof of a touching pair, Facet then determines the result as long as the
	// pair overlaps (certificate C3). For a proof of a pair that is apart, it does as long as the
	// pair is apart (C4). ProofRecord tells which proof it is.
	Proven      []float64
	ProofRecord []ProofRecord
	// PoseBounds holds the relative pose at the proof. With it, the proof may still be valid when
	// Proven is exceeded.
	PoseBounds []PoseBound
	// Prism is the overlap when it was last computed, for laws that ask for it. The next step uses
	// it as a guess, which does not change a bit of its result.
	Prism []Prism
	// PrismHolds is the sum of both bodies' odometers, m, up to which Prism is proven; 0 for none.
	// It is not part of the state.
	PrismHolds []float64
	// PrismCoplanars names the planes of B that coincide with faces of A, as overlap.TypedBatch.Budget
	// does. No budget covers them. It is not part of the state.
	PrismCoplanars []uint8
	Active         []bool
	AnsweredBy     []uint8 // certificate that gave the result, see narrow.AnsweredBy; ByFeature if a known overlap did
}

// Len returns the number of rows.
func (c *Contacts) Len() int { return len(c.Active) }

// Unprove removes the proof of row i.
func (c *Contacts) Unprove(i int) {
	c.Proven[i], c.ProofRecord[i].Kind, c.PoseBounds[i].Motion = Expired, 0, 0
}

// Resize sets the number of rows to n. Added rows are zero; the caller must free them.
func (c *Contacts) Resize(n int) {
	for _, v := range [...]*Vec3s{&c.Normal, &c.Location} {
		v.Resize(n)
	}
	for _, f := range [...]*[]float64{&c.Gap, &c.Proven, &c.PrismHolds} {
		*f = Resize(*f, n)
	}
	c.Facet, c.ProofRecord, c.PoseBounds = Resize(c.Facet, n), Resize(c.ProofRecord, n), Resize(c.PoseBounds, n)
	c.Prism, c.PrismCoplanars = Resize(c.Prism, n), Resize(c.PrismCoplanars, n)
	c.Pair, c.Active, c.AnsweredBy = Resize(c.Pair, n), Resize(c.Active, n), Resize(c.AnsweredBy, n)
}
