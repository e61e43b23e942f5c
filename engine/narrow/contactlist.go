package narrow

import "github.com/scree-dem/scree/vec"

// Type says which features of A and B meet, A's named first. A pair as a whole has one; so has each of its basic
// contacts, but of those only the first six and e-e occur.
type Type uint8

const (
	NoType           Type = iota // apart, or not a pair of blocks
	TypeVertexVertex             // v-v
	TypeVertexEdge               // v-e
	TypeVertexFace               // v-f
	TypeEdgeVertex               // e-v
	TypeFaceVertex               // f-v
	TypeEdgeEdge                 // e-e, crossing
	TypeEdgeParallel             // e-e-parallel
	TypeEdgeFace                 // e-f
	TypeFaceEdge                 // f-e
	TypeFaceFace                 // f-f
	NTypes
)

var typeNames = [NTypes]string{"", "v-v", "v-e", "v-f", "e-v", "f-v", "e-e", "e-e-parallel", "e-f", "f-e", "f-f"}

// String returns the type as in tables of pairs; empty for NoType.
func (t Type) String() string {
	if t >= NTypes {
		return "?"
	}
	return typeNames[t]
}

// Mode is what a law made of a basic contact in the last step. The methods here carry it along while the
// contact lasts and never set it but to Open.
type Mode uint8

const (
	Open Mode = iota
	Stick
	Slide
)

// BasicContact is one of the contacts that two blocks have: a host such as DDA puts a spring at each.
type BasicContact struct {
	Type Type
	Mode Mode
	// Features of A and B: the index of a vertex, edge or face in its shape, as Type says.
	A, B uint16
	// Point, m, is the contact point on A relative to A's origin, world axes; the one on B is Distance·Normal
	// farther. Normal is unit, from A to B, world axes.
	Point, Normal vec.Vec3
	Distance      float64 // m, along Normal; negative when penetrating
}

// ContactList is the persistent record of a pair: its contacts of this step and what the method keeps for the next.
// The zero value is a pair not seen before. Not for two goroutines at once.
type ContactList struct {
	Type  Type
	Basic []BasicContact
}

// Reset forgets everything but the memory.
func (l *ContactList) Reset() { *l = ContactList{Basic: l.Basic[:0]} }
