package soa

import "github.com/scree-dem/scree/vec"

// Piece is the index of a piece. The pieces of a body are contiguous.
type Piece uint32

// Material is the index of a material.
type Material uint16

// Pieces holds the columns of all pieces. Two pieces have at most one contact with each other.
type Pieces struct {
	Body     []Body     // the body of the piece
	Kind     []Kind     // kind of its shape
	Shape    []Shape    // row of Shapes
	Material []Material // row and column of the law's table
	// Offset tells whether the piece has its own pose in its body. If not, its frame is the body's,
	// and Local is the identity.
	Offset []bool
	Local  []vec.Pose // piece frame to body frame; cold if Offset is false
	Extent Boxes      // m, world: the tight box at the last rebuild of the candidate pairs
}

// Len returns the number of pieces.
func (p *Pieces) Len() int { return len(p.Body) }

// Add appends a piece and returns its index.
func (p *Pieces) Add(b Body, kind Kind, shape Shape, m Material, local vec.Pose) Piece {
	p.Body = append(p.Body, b)
	p.Kind = append(p.Kind, kind)
	p.Shape = append(p.Shape, shape)
	p.Material = append(p.Material, m)
	p.Offset = append(p.Offset, local != vec.IdentityPose)
	p.Local = append(p.Local, local)
	p.Extent.Resize(len(p.Body))
	return Piece(len(p.Body) - 1)
}

// Truncate keeps the first n pieces and removes the others.
func (p *Pieces) Truncate(n int) {
	p.Body, p.Kind, p.Shape, p.Material = p.Body[:n], p.Kind[:n], p.Shape[:n], p.Material[:n]
	p.Offset, p.Local = p.Offset[:n], p.Local[:n]
	p.Extent.Resize(n)
}

// Pose returns the pose of piece i in the world.
func (p *Pieces) Pose(bodies *Bodies, i Piece) vec.Pose {
	pose := bodies.Pose(p.Body[i])
	if p.Offset[i] {
		return pose.Mul(p.Local[i])
	}
	return pose
}

// Pos returns the position of Pose.
func (p *Pieces) Pos(bodies *Bodies, i Piece) vec.Vec3 {
	if p.Offset[i] {
		return p.Pose(bodies, i).Pos
	}
	return bodies.Pos.At(int(p.Body[i]))
}
