package soa

import (
	"math"

	"github.com/scree-dem/scree/vec"
)

const (
	// PairBytes is the size of a candidate pair, which the odometer sweep reads in every step.
	PairBytes = 4 + 4 + 8
	// ContactBytes is the size of one row of Contacts.
	ContactBytes = WitnessBytes + 8*(3+1+3) + 11 + 8 + 1 + 1 + 1
	// ForceBytes is the size of one row of Forces, with three history values as force.Linear has.
	ForceBytes = 8 * (3 + 1 + 3 + 3 + 3 + 3 + 3 + 3 + 3 + 1)
	// WitnessBytes is the part of ContactBytes that belongs to certificates: Axis, AxisSupport,
	// Facet, Proven, ProofRecord and PoseBounds.
	WitnessBytes = 8*(3+1+1) + 8*(4+3+3+3) + 6 + 20
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
}

// Expired is the expiry of a pair that must be evaluated in this step.
var Expired = math.Inf(-1)

// Len returns the number of rows.
func (p *Pairs) Len() int { return len(p.A) }

// Vacant reports whether row i is vacant, which means that it has no pair and that A and B are
// equal. A contact space keeps vacant rows so that it can add and remove pairs without moving all others.
// The contact of a vacant row is not active.
func (p *Pairs) Vacant(i int) bool { return p.A[i] == p.B[i] }

// Resize sets the number of pairs to n.
func (p *Pairs) Resize(n int) {
	p.A, p.B = Resize(p.A, n), Resize(p.B, n)
	p.Expiry = Resize(p.Expiry, n)
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

// Contacts holds the witness and the last geometry of each candidate pair, one row per pair in the order
// of Pairs. Frame: world, unless stated otherwise. Forces has what laws store and compute.
type Contacts struct {
	// Witness of a pair that is apart (certificate C2): unit axis from A to B in the frame of piece
	// A, and the support of A along it, m. A zero axis means none.
	Axis        Vec3s
	AxisSupport []float64
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

// DropAxis removes the axis of row i. Most rows have none, so DropAxis writes only if there is one.
func (c *Contacts) DropAxis(i int) {
	if c.Axis.At(i) != (vec.Vec3{}) {
		c.Axis.Set(i, vec.Vec3{})
	}
}

// Unprove removes the proof of row i.
func (c *Contacts) Unprove(i int) {
	c.Proven[i], c.ProofRecord[i].Kind, c.PoseBounds[i].Motion = Expired, 0, 0
}

// Resize sets the number of rows to n. Added rows are zero.
func (c *Contacts) Resize(n int) {
	for _, v := range [...]*Vec3s{&c.Axis, &c.Normal, &c.Location} {
		v.Resize(n)
	}
	for _, f := range [...]*[]float64{&c.AxisSupport, &c.Gap, &c.Proven, &c.PrismHolds} {
		*f = Resize(*f, n)
	}
	c.Facet, c.ProofRecord, c.PoseBounds = Resize(c.Facet, n), Resize(c.ProofRecord, n), Resize(c.PoseBounds, n)
	c.Prism, c.PrismCoplanars = Resize(c.Prism, n), Resize(c.PrismCoplanars, n)
	c.Active, c.AnsweredBy = Resize(c.Active, n), Resize(c.AnsweredBy, n)
}
