package soa

import (
	"slices"

	"github.com/scree-dem/scree/vec"
)

// Body is the row of a body. Rows are in the order of creation. They close up when bodies have been removed,
// so results and files name a body by its ID.
type Body uint32

// ID names a body. IDs count bodies and walls from the start of the run, from 0, and are never used again.
type ID uint64

// BodyBytes is the size of one row of the hot columns of Bodies.
const BodyBytes = 8 * (3 + 4 + 3 + 3 + 3 + 3 + 3 + 1 + 6 + 1 + 1)

// Bodies holds the columns of all bodies. Frame: world unless stated otherwise. The origin of the
// body frame is the centre of mass. If the body has one piece, the axes are those of the piece's
// shape.
type Bodies struct {
	// Hot columns, one row per body.
	PoseColumns       // of the centres of mass
	Vel         Vec3s // m/s
	AngMom      Vec3s // kg·m²/s, angular momentum about the centre of mass: the state of rotation
	Spin        Vec3s // rad/s, angular velocity: computed from AngMom and Rot
	Force       Vec3s // N, without gravity
	Torque      Vec3s // N·m, about the centre of mass

	InvMass    []float64 // 1/kg; 0 for a body whose motion is prescribed
	InvInertia Sym3s     // 1/(kg·m²), body frame; 0 for a body whose motion is prescribed
	Odometer   []float64 // m, bound of the path of any point of the body since the start
	Radius     []float64 // m, of a ball about Pos that contains the body

	// Cold columns.
	Mass    []float64  // kg; 0 for a body whose motion is prescribed
	Inertia []vec.Sym3 // kg·m², body frame, about the centre of mass; 0 for a body whose motion is prescribed
	Centre  []vec.Vec3 // m, of mass, in the frame in which the parts of the body were given; 0 for a wall
	Name    []string   // for messages and results; may be empty
	ID      []ID       // rising
	Gone    []bool     // the body was removed; its row has no pieces that meet others, and closes up later
	// Pieces of body i: FirstPiece[i] ≤ p < FirstPiece[i+1]. It has one row more than there are
	// bodies.
	FirstPiece []Piece

	next ID // of the next body
}

// Len returns the number of bodies.
func (b *Bodies) Len() int { return len(b.InvMass) }

// Resize sets the number of bodies to n. Added rows are zero, except for ID, and for Rot, which is the
// identity rotation. The ids of dropped rows are given again.
func (b *Bodies) Resize(n int) {
	old := b.Len()
	if n < old {
		b.next = b.ID[n]
	}
	for _, v := range [...]*Vec3s{&b.Pos, &b.Vel, &b.AngMom, &b.Spin, &b.Force, &b.Torque} {
		v.Resize(n)
	}
	for _, f := range [...]*[]float64{&b.InvMass, &b.Odometer, &b.Radius, &b.Mass} {
		*f = Resize(*f, n)
	}
	b.Rot.Resize(n)
	b.InvInertia.Resize(n)
	b.Inertia, b.Centre = Resize(b.Inertia, n), Resize(b.Centre, n)
	b.Name, b.ID, b.Gone = Resize(b.Name, n), Resize(b.ID, n), Resize(b.Gone, n)
	b.FirstPiece = Resize(b.FirstPiece, n+1)
	for i := old; i < n; i++ {
		b.Rot.W[i], b.ID[i] = 1, b.next
		b.next++
	}
}

// NextID returns the id of the next body.
func (b *Bodies) NextID() ID { return b.next }

// SkipTo makes id the next one, if it is not smaller than the next id now.
func (b *Bodies) SkipTo(id ID) { b.next = max(b.next, id) }

// Count returns the number of bodies: the rows that are not Gone.
func (b *Bodies) Count() (n int) {
	for _, gone := range b.Gone {
		if !gone {
			n++
		}
	}
	return n
}

// Row returns the row of a body, and false if there is no such body, or if it was removed.
func (b *Bodies) Row(id ID) (row Body, found bool) {
	i, ok := rowOf(b.ID, id)
	if !ok || b.Gone[i] {
		return 0, false
	}
	return Body(i), true
}

// rowOf finds a name in a rising column of names. As long as no rows have closed up, a name is its own row.
func rowOf[T ~uint64](names []T, name T) (row int, ok bool) {
	if name < T(len(names)) && names[name] == name {
		return int(name), true
	}
	return slices.BinarySearch(names, name)
}

// Keep keeps the rows kept, in rising order, and drops the others. pieceRow has the new row of each piece.
func (b *Bodies) Keep(kept, pieceRow []uint32) {
	for _, v := range [...]*Vec3s{&b.Pos, &b.Vel, &b.AngMom, &b.Spin, &b.Force, &b.Torque} {
		v.Keep(kept)
	}
	for _, f := range [...]*[]float64{&b.Rot.W, &b.Rot.X, &b.Rot.Y, &b.Rot.Z, &b.InvMass, &b.Odometer, &b.Radius, &b.Mass,
		&b.InvInertia.XX, &b.InvInertia.YY, &b.InvInertia.ZZ, &b.InvInertia.XY, &b.InvInertia.XZ, &b.InvInertia.YZ} {
		*f = Keep(*f, kept)
	}
	b.Inertia, b.Centre, b.Name = Keep(b.Inertia, kept), Keep(b.Centre, kept), Keep(b.Name, kept)
	b.ID, b.Gone = Keep(b.ID, kept), Keep(b.Gone, kept)
	all := pieceRow[b.FirstPiece[len(b.FirstPiece)-1]]
	for k, i := range kept {
		b.FirstPiece[k] = Piece(pieceRow[b.FirstPiece[i]])
	}
	b.FirstPiece = b.FirstPiece[:len(kept)+1]
	b.FirstPiece[len(kept)] = Piece(all)
}

// Pose returns the pose of body i.
func (b *Bodies) Pose(i Body) vec.Pose { return b.At(PoseRow(i)) }
