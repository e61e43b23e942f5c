package soa

import (
	"math"

	"github.com/scree-dem/scree/vec"
)

const (
	// PairBytes is what every candidate pair costs every step: the odometer sweep reads it.
	PairBytes = 4 + 4 + 8
	// ContactBytes is the size of one row of Contacts, of which three values are history, as force.Linear has.
	ContactBytes = WitnessBytes + 8*(3+3+1+1+3+3+3+3+3+3+3+3+1) + 11 + 8 + 1 + 1 + 1
	// WitnessBytes is the part of it that certificates keep: Axis, AxisSupport, Facet, Proven, ProofRecord
	// and Held.
	WitnessBytes = 8*(3+1+1) + 8*(4+3+3+3) + 6 + 20
)

// ProofRecord is what is proven of a pair, as batches of proven features ask for it, so that a step looks nothing up: see package
// engine/narrow.
type ProofRecord struct {
	Rows  [4]uint32 // of a facet its rows in the arena, as kernels.Facets has them; of two faces their quads
	Way   uint8     // which batch answers; 0 for none
	Apart bool      // the pair is apart
	Sign  int8      // of two edges, as kernels.Facets has it
}

// PoseBound is how two bodies lay to each other when features of theirs were proven, and how far from that the proof reaches: see
// package engine/narrow.
type PoseBound struct {
	Rot    vec.Quat // from B's frame to A's
	A, B   vec.Vec3 // m, the same point in the frame of either
	Motion float64  // m; 0 for none
	Turn   float64  // rad, +Inf for no limit
	Lever  float64  // m
}

// Pairs is the list of candidate pairs: pieces of different bodies whose cell extents overlap.
// Sorted by A, then B, but for rows that are Vacant. The kind of A is not after the kind of B in the order ball, block, facet,
// plane, and of two pieces of one kind A is the lower: so a pair is written in one way only.
type Pairs struct {
	A, B []Piece // the two pieces; the kind of A is not after that of B
	// Expiry is the sum of both bodies' odometers, m, up to which the pair is proven apart
	// (certificate C1). Expired says it has to be looked at.
	Expiry []float64
}

// Expired is the expiry of a pair that must be looked at this step.
var Expired = math.Inf(-1)

// Len returns the number of rows.
func (p *Pairs) Len() int { return len(p.A) }

// Vacant reports whether row i holds no pair: then A and B are the same. A world has such rows, so that pairs may come and go
// without moving all others. The contact of one is not active.
func (p *Pairs) Vacant(i int) bool { return p.A[i] == p.B[i] }

// Resize sets the number of pairs to n.
func (p *Pairs) Resize(n int) {
	p.A, p.B = Resize(p.A, n), Resize(p.B, n)
	p.Expiry = Resize(p.Expiry, n)
}

// FacetKind says which features a facet of the Minkowski difference A ⊖ B is made of.
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

// FacetID names the pair of features that is the answer for a pair of pieces. The kinds after EdgeEdge occur
// only between pieces that are apart. The order of the kinds, then of A, then of B, breaks ties.
type FacetID struct {
	A, B uint16    // index of the face, edge or vertex in its shape
	Kind FacetKind // what A and B number
}

// Before is the order that breaks ties.
func (f FacetID) Before(g FacetID) bool {
	if f.Kind != g.Kind {
		return f.Kind < g.Kind
	}
	if f.A != g.A {
		return f.A < g.A
	}
	return f.B < g.B
}

// Contacts is the witness, the history and the last result of each candidate pair: one row a pair,
// in the order of Pairs. Frame: world, unless said.
type Contacts struct {
	// Witness of a pair that is apart (certificate C2): unit axis from A to B in the frame of piece A,
	// and the support of A along it, m. A zero axis is none.
	Axis        Vec3s
	AxisSupport []float64
	// History is what the law remembers of the contact, a column a value: how many, what they mean and in which unit is the
	// law's. Normal, unit, from A to B, is the contact normal that it belongs to. Both are zero when the pair is not active.
	History [][]float64
	Normal  Vec3s
	// Relief is the overlap, m, that the bodies had when the run began and that the law forgives them.
	Relief []float64

	// Result of this step for an active contact.
	Gap      []float64 // m; where the law reads the overlap of two blocks, minus its thickness
	Location Vec3s     // m
	Force    Vec3s     // N, on A; B feels the opposite
	TorqueA  Vec3s     // N·m, about the centre of A's body
	TorqueB  Vec3s     // N·m, about the centre of B's body
	Damping  Vec3s     // N, the part of Force that dashpots give
	Moment   Vec3s     // N·m, on A, of the dashpot spread over the section: part of TorqueA, and less of TorqueB
	Friction Vec3s     // N, the part of Force that friction gives
	// FrictionMoment is the moment on A, N·m, of friction about the location.
	FrictionMoment Vec3s
	Shear          []float64 // J, rise of the energy that the friction springs hold in this step
	Facet          []FacetID
	// Proven is the sum of both bodies' odometers, m, up to which Facet is the answer wherever the pair
	// overlaps (certificate C3), or where the proof is of a pair apart wherever it is apart (C4); 0 or Expired for none. ProofRecord says
	// what it is of.
	Proven      []float64
	ProofRecord []ProofRecord
	// Held is how the bodies lay to each other at the proof, by which it may hold when Proven is past.
	Held []PoseBound
	// Prism is what the overlap was when that was last cut, for laws that ask for it. It is a guess for the next step
	// and changes no bit of it.
	Prism []Prism
	// PrismHolds is the sum of both bodies' odometers, m, up to which the overlap is proven to be
	// Prism; 0 for none. It is no part of the state, either.
	PrismHolds []float64
	// PrismCoplanars names the planes of B that are those of faces of A, as overlap.Batch.Budget does, and that no budget holds. Nor is
	// this part of the state.
	PrismCoplanars []uint8
	Active         []bool
	AnsweredBy     []uint8 // certificate that answered, see narrow.AnsweredBy
}

// Len returns the number of rows.
func (c *Contacts) Len() int { return len(c.Active) }

// DropAxis takes the axis of row i. Most rows have none: they are read and not written.
func (c *Contacts) DropAxis(i int) {
	if c.Axis.At(i) != (vec.Vec3{}) {
		c.Axis.Set(i, vec.Vec3{})
	}
}

// Unprove ends what is proven of row i.
func (c *Contacts) Unprove(i int) {
	c.Proven[i], c.ProofRecord[i].Way, c.Held[i].Motion = Expired, 0, 0
}

// Resize sets the number of rows to n; rows added are zero.
func (c *Contacts) Resize(n int) {
	for _, v := range [...]*Vec3s{
		&c.Axis, &c.Normal, &c.Location, &c.Force, &c.TorqueA, &c.TorqueB, &c.Damping, &c.Moment, &c.Friction, &c.FrictionMoment,
	} {
		v.Resize(n)
	}
	for _, f := range [...]*[]float64{&c.AxisSupport, &c.Relief, &c.Gap, &c.Shear, &c.Proven, &c.PrismHolds} {
		*f = Resize(*f, n)
	}
	for k := range c.History {
		c.History[k] = Resize(c.History[k], n)
	}
	c.Facet, c.ProofRecord, c.Held = Resize(c.Facet, n), Resize(c.ProofRecord, n), Resize(c.Held, n)
	c.Prism, c.PrismCoplanars = Resize(c.Prism, n), Resize(c.PrismCoplanars, n)
	c.Active, c.AnsweredBy = Resize(c.Active, n), Resize(c.AnsweredBy, n)
}
