package typing

import (
	"cmp"
	"slices"

	"github.com/scree-dem/scree/narrow/internal/proof"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Type tells which features of A and B meet, A's named first. A pair as a whole has one type, and
// so has each of its basic contacts. Basic contacts only use the first five types and e-e.
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

// Mirrored returns the type with A and B exchanged.
func (t Type) Mirrored() Type {
	for _, pair := range [...][2]Type{{TypeVertexEdge, TypeEdgeVertex}, {TypeVertexFace, TypeFaceVertex}, {TypeEdgeFace, TypeFaceEdge}} {
		switch t {
		case pair[0]:
			return pair[1]
		case pair[1]:
			return pair[0]
		}
	}
	return t
}

// Mode is the state that a law gave a basic contact in the last step. This package keeps the mode
// while the contact lasts, and itself only sets Open.
type Mode uint8

const (
	Open Mode = iota
	Stick
	Slide
)

// BasicContact is one of the contacts between two blocks. A host such as DDA puts a spring at each.
type BasicContact struct {
	Type Type
	Mode Mode
	// Features of A and B: the index of a vertex, edge or face in its shape, as Type tells.
	A, B uint16
	// Point, m, is the contact point on A relative to A's origin, world axes. The point on B is
	// Point + Distance·Normal. Normal is unit, from A to B, world axes.
	Point, Normal vec.Vec3
	Distance      float64 // m, along Normal; negative if penetrating
}

// ContactList is the persistent record of a pair: its contacts of this step and what the method
// stores for the next step. The zero value is a pair not seen before. A list belongs to one pair of
// shapes and one method until it is Reset. It must not be used by several goroutines at once.
type ContactList struct {
	Type  Type
	Basic []BasicContact
	Kept  ListMemory
}

// ListMemory is what a list stores for the next step.
type ListMemory struct {
	old []BasicContact // memory for the contacts of the last step
	// The vertices next to the contact plane, and the faces at the contact point.
	setA, setB     []uint16
	facesA, facesB []uint16
	Count          int // number of vertices in both sets; for the published search its n_v
	Staying        staying
	// Where an update starts: the facet of a pair that touched, or the axis of a pair that was
	// apart. Axis is in the frame of A, and Support is the support of A along it.
	Facet       soa.FacetID
	Penetrating bool        // the overlap is deeper than rounding
	Proof       proof.Proof // of two faces; zero if there is none
	Axis        vec.Vec3
	Support     float64
	sizes       [4]uint16 // of the shapes that the list belongs to
}

// Reset clears the list; only its memory is reused.
func (l *ContactList) Reset() {
	l.Type, l.Basic = NoType, l.Basic[:0]
	m := &l.Kept
	*m = ListMemory{old: m.old[:0], setA: m.setA[:0], setB: m.setB[:0], facesA: m.facesA[:0], facesB: m.facesB[:0],
		Staying: staying{b: m.Staying.b[:0], edges: m.Staying.edges[:0]}}
}

// BelongTo resets a list of another pair, as far as the sizes of its shapes reveal it. No index in
// the list is then out of range.
func (l *ContactList) BelongTo(a, b *soa.View) {
	sizes := [4]uint16{uint16(a.NVerts), uint16(a.NFaces), uint16(b.NVerts), uint16(b.NFaces)}
	if l.Kept.sizes != sizes {
		l.Reset()
		l.Kept.sizes = sizes
	}
}

// Renew empties a list that a method fills anew, and keeps the modes of the last step for Settle.
func (l *ContactList) Renew() {
	m := &l.Kept
	m.old, l.Basic = l.Basic, m.old[:0]
	sorted(m.old)
}

// Settle sorts the contacts. Contacts that existed in the last step get their modes back.
func (l *ContactList) Settle() {
	sorted(l.Basic)
	l.carryModes()
}

// sorted sorts contacts by type, A, B.
func sorted(list []BasicContact) {
	slices.SortFunc(list, func(c, d BasicContact) int {
		return cmp.Or(int(c.Type)-int(d.Type), int(c.A)-int(d.A), int(c.B)-int(d.B))
	})
}

// leave empties the list of a pair that is no longer in contact. It keeps where the next search
// starts.
func (l *ContactList) leave() {
	l.Type, l.Basic = NoType, l.Basic[:0]
	l.Kept.Count, l.Kept.Staying.Known = 0, false
}

// sameSets reports whether the features next to the contact plane are those of the last step, with
// a single face at the contact point on one side.
func (m *ListMemory) sameSets(y *ContactPlanes) bool {
	return (len(y.facesA) == 1 || len(y.facesB) == 1) && m.sameFeatures(y)
}

// remember stores the features next to the contact plane.
func (m *ListMemory) remember(y *ContactPlanes) {
	m.setA, m.setB = append(m.setA[:0], y.SetA...), append(m.setB[:0], y.SetB...)
	m.facesA, m.facesB = append(m.facesA[:0], y.facesA...), append(m.facesB[:0], y.facesB...)
	m.Count = len(y.SetA) + len(y.SetB)
}

// carryModes gives each contact the mode it had in the last step. Both lists are in the order of
// type, A, B.
func (l *ContactList) carryModes() {
	old := l.Kept.old
	for i := range l.Basic {
		c := &l.Basic[i]
		for len(old) > 0 && old[0].Before(c) {
			old = old[1:]
		}
		if len(old) > 0 && !c.Before(&old[0]) {
			c.Mode = old[0].Mode
		}
	}
}

// Before reports whether c comes before d in the order of the list: by type, A, B.
func (c *BasicContact) Before(d *BasicContact) bool {
	if c.Type != d.Type {
		return c.Type < d.Type
	}
	if c.A != d.A {
		return c.A < d.A
	}
	return c.B < d.B
}
