package soa

import "github.com/scree-dem/scree/vec"

// Body is the index of a body, in the order of creation.
type Body uint32

// BodyBytes is the size of one row of the hot columns of Bodies.
const BodyBytes = 8 * (3 + 4 + 3 + 3 + 3 + 3 + 3 + 1 + 6 + 1 + 1)

// Bodies holds the columns of all bodies. Frame: world unless stated otherwise. The origin of the
// body frame is the centre of mass. If the body has one piece, the axes are those of the piece's
// shape.
type Bodies struct {
	// Hot columns, one row per body.
	Pos    Vec3s // m, centre of mass
	Rot    Quats // body frame to world frame
	Vel    Vec3s // m/s
	AngMom Vec3s // kg·m²/s, angular momentum about the centre of mass: the state of rotation
	Spin   Vec3s // rad/s, angular velocity: computed from AngMom and Rot
	Force  Vec3s // N, without gravity
	Torque Vec3s // N·m, about the centre of mass

	InvMass    []float64 // 1/kg; 0 for a body whose motion is prescribed
	InvInertia Sym3s     // 1/(kg·m²), body frame; 0 for a body whose motion is prescribed
	Odometer   []float64 // m, bound of the path of any point of the body since the start
	Radius     []float64 // m, of a ball about Pos that contains the body

	// Cold columns.
	Mass    []float64  // kg; 0 for a body whose motion is prescribed
	Inertia []vec.Sym3 // kg·m², body frame, about the centre of mass; 0 for a body whose motion is prescribed
	Centre  []vec.Vec3 // m, of mass, in the frame in which the parts of the body were given; 0 for a wall
	Name    []string   // for messages and results; may be empty
	// Pieces of body i: FirstPiece[i] ≤ p < FirstPiece[i+1]. It has one row more than there are
	// bodies.
	FirstPiece []Piece
}

// Len returns the number of bodies.
func (b *Bodies) Len() int { return len(b.InvMass) }

// Resize sets the number of bodies to n. Added rows are zero, except for Rot, which is the identity
// rotation.
func (b *Bodies) Resize(n int) {
	old := b.Len()
	for _, v := range [...]*Vec3s{&b.Pos, &b.Vel, &b.AngMom, &b.Spin, &b.Force, &b.Torque} {
		v.Resize(n)
	}
	for _, f := range [...]*[]float64{&b.InvMass, &b.Odometer, &b.Radius, &b.Mass} {
		*f = Resize(*f, n)
	}
	b.Rot.Resize(n)
	b.InvInertia.Resize(n)
	b.Inertia, b.Centre = Resize(b.Inertia, n), Resize(b.Centre, n)
	b.Name = Resize(b.Name, n)
	b.FirstPiece = Resize(b.FirstPiece, n+1)
	for i := old; i < n; i++ {
		b.Rot.W[i] = 1
	}
}

// Pose returns the pose of body i.
func (b *Bodies) Pose(i Body) vec.Pose { return vec.Pose{Pos: b.Pos.At(int(i)), Rot: b.Rot.At(int(i))} }
