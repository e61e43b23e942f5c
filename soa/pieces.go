package soa

import (
	"slices"

	"github.com/scree-dem/scree/vec"
)

// Piece is the row of a piece. The pieces of a body are contiguous. Rows close up when bodies have been
// removed, so results and files name a piece by its Number.
type Piece uint32

// Number names a piece. Numbers count pieces from the start of the run, from 0, and are never used again.
type Number uint64

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
	Number []Number   // rising; cold

	next Number // of the next piece
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
	p.Number = append(p.Number, p.next)
	p.next++
	p.Extent.Resize(len(p.Body))
	return Piece(len(p.Body) - 1)
}

// Reserve makes room for n more pieces.
func (p *Pieces) Reserve(n int) {
	p.Body, p.Kind, p.Shape, p.Material = slices.Grow(p.Body, n), slices.Grow(p.Kind, n), slices.Grow(p.Shape, n), slices.Grow(p.Material, n)
	p.Offset, p.Local, p.Number = slices.Grow(p.Offset, n), slices.Grow(p.Local, n), slices.Grow(p.Number, n)
	rows := p.Len()
	p.Extent.Resize(rows + n)
	p.Extent.Resize(rows)
}

// NextNumber returns the number of the next piece.
func (p *Pieces) NextNumber() Number { return p.next }

// SkipTo makes n the next number, if it is not smaller than the next number now.
func (p *Pieces) SkipTo(n Number) { p.next = max(p.next, n) }

// Truncate keeps the first n pieces and removes the others, whose numbers are given again.
func (p *Pieces) Truncate(n int) {
	if n < p.Len() {
		p.next = p.Number[n]
	}
	p.Number = p.Number[:n]
	p.Body, p.Kind, p.Shape, p.Material = p.Body[:n], p.Kind[:n], p.Shape[:n], p.Material[:n]
	p.Offset, p.Local = p.Offset[:n], p.Local[:n]
	p.Extent.Resize(n)
}

// Keep keeps the rows kept, in rising order, and drops the others. bodyRow has the new row of each body.
func (p *Pieces) Keep(kept, bodyRow []uint32) {
	p.Body, p.Kind, p.Shape, p.Material = Keep(p.Body, kept), Keep(p.Kind, kept), Keep(p.Shape, kept), Keep(p.Material, kept)
	p.Offset, p.Local, p.Number = Keep(p.Offset, kept), Keep(p.Local, kept), Keep(p.Number, kept)
	p.Extent.Min.Keep(kept)
	p.Extent.Max.Keep(kept)
	for i, b := range p.Body {
		p.Body[i] = Body(bodyRow[b])
	}
}

// Row returns the row of a piece, and false if there is no such piece.
func (p *Pieces) Row(n Number) (row Piece, ok bool) {
	i, ok := rowOf(p.Number, n)
	return Piece(i), ok
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
