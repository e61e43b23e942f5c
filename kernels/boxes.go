package kernels

import (
	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// WorldBox writes the box of a piece of a shape at a pose, in m in the world frame. The box includes
// the rounding radius. The box of a ball is its centre, enlarged by its radius. Each side of the box
// errs by at most a few units in the last place of the shape's radius and of the position.
func WorldBox(v *soa.View, pose vec.Pose, out *vec.Box) {
	if v.Kind.IsRound() {
		*out = vec.Box{Min: pose.Pos, Max: pose.Pos}.Enlarged(v.Radius + v.Round)
		return
	}
	m := pose.Rot.Mat3()
	out.Min.X, out.Max.X = worldInterval(v, m.R0, pose.Pos.X)
	out.Min.Y, out.Max.Y = worldInterval(v, m.R1, pose.Pos.Y)
	out.Min.Z, out.Max.Z = worldInterval(v, m.R2, pose.Pos.Z)
	if v.Round != 0 {
		*out = out.Enlarged(v.Round)
	}
}

// worldInterval rounds as asm.PosedBoxes does, so WorldBox and WorldBoxes agree to the bit.
func worldInterval(v *soa.View, row vec.Vec3, pos float64) (lo, hi float64) {
	lo, hi, _, _ = Interval(v, row)
	return (lo + 0) + pos, (hi + 0) + pos
}

// blockRows is how many poses WorldBoxes turns into matrices at a time: two registers of the widest
// backend, on a stack frame that stays in the first-level cache.
const blockRows = 16

// poseBlock holds the queries of one call of asm.PosedBoxes.
type poseBlock struct {
	first, count [blockRows]uint32
	rot          [9][blockRows]float64
	pos          [3][blockRows]float64
}

func (b *poseBlock) set(j int, shapes *soa.Shapes, v *soa.View, pose vec.Pose) {
	b.first[j], b.count[j] = vertRange(v)
	m := pose.Rot.Mat3()
	b.rot[0][j], b.rot[1][j], b.rot[2][j] = m.R0.X, m.R0.Y, m.R0.Z
	b.rot[3][j], b.rot[4][j], b.rot[5][j] = m.R1.X, m.R1.Y, m.R1.Z
	b.rot[6][j], b.rot[7][j], b.rot[8][j] = m.R2.X, m.R2.Y, m.R2.Z
	b.pos[0][j], b.pos[1][j], b.pos[2][j] = pose.Pos.X, pose.Pos.Y, pose.Pos.Z
}

func (b *poseBlock) poses(n int) asm.BoxPoses {
	return asm.BoxPoses{
		XX: b.rot[0][:n], XY: b.rot[1][:n], XZ: b.rot[2][:n],
		YX: b.rot[3][:n], YY: b.rot[4][:n], YZ: b.rot[5][:n],
		ZX: b.rot[6][:n], ZY: b.rot[7][:n], ZZ: b.rot[8][:n],
		PX: b.pos[0][:n], PY: b.pos[1][:n], PZ: b.pos[2][:n],
	}
}

// place returns the position of pose j.
func (b *poseBlock) place(j int) vec.Vec3 {
	return vec.Vec3{X: b.pos[0][j], Y: b.pos[1][j], Z: b.pos[2][j]}
}

// WorldBoxes writes the boxes of the pieces lo ≤ p < hi to the same rows of out, with the bits of
// WorldBox, in m in the world frame.
//
//	out.Len() >= hi
func WorldBoxes(shapes *soa.Shapes, pieces *soa.Pieces, bodies *soa.Bodies, lo, hi int, out *soa.Boxes) {
	var block poseBlock
	verts := &shapes.Verts
	for from := lo; from < hi; from += blockRows {
		to := min(from+blockRows, hi)
		made := true
		for p := from; p < to; p++ {
			if made = made && shapes.IsMade(pieces.Shape[p]); made {
				block.set(p-from, shapes, shapes.View(pieces.Shape[p]), pieces.Pose(bodies, soa.Piece(p)))
			}
		}
		if !made {
			facetBoxes(shapes, pieces, bodies, from, to, out)
			continue
		}
		n := to - from
		poses, boxes := block.poses(n), columns(out, from, to)
		asm.PosedBoxes(verts.X, verts.Y, verts.Z, block.first[:n], block.count[:n], &poses, &boxes)
		for p := from; p < to; p++ {
			switch round := shapes.Round[pieces.Shape[p]]; {
			case pieces.Kind[p].IsRound():
				// PosedBoxes left an empty box, because a ball has no vertices.
				var box vec.Box
				WorldBox(shapes.View(pieces.Shape[p]), vec.Pose{Pos: block.place(p - from)}, &box)
				out.Set(p, box)
			case round != 0:
				out.Set(p, out.At(p).Enlarged(round))
			}
		}
	}
}

// facetBoxes is WorldBoxes for pieces some of which are facets without tables.
func facetBoxes(shapes *soa.Shapes, pieces *soa.Pieces, bodies *soa.Bodies, lo, hi int, out *soa.Boxes) {
	var few [8]vec.Vec3
	for p := lo; p < hi; p++ {
		pose, box := pieces.Pose(bodies, soa.Piece(p)), vec.EmptyBox()
		m := pose.Rot.Mat3()
		for _, v := range shapes.AppendCorners(few[:0], pieces.Shape[p]) {
			box = box.With(vec.Vec3{X: m.R0.Dot(v), Y: m.R1.Dot(v), Z: m.R2.Dot(v)})
		}
		zero := vec.Vec3{}
		box = vec.Box{Min: box.Min.Add(zero).Add(pose.Pos), Max: box.Max.Add(zero).Add(pose.Pos)} // as in worldInterval
		if round := shapes.Round[pieces.Shape[p]]; round != 0 {
			box = box.Enlarged(round)
		}
		out.Set(p, box)
	}
}

// columns returns the rows lo ≤ i < hi of boxes as the structure of package asm.
func columns(b *soa.Boxes, lo, hi int) asm.BoxColumns {
	return asm.BoxColumns{
		MinX: b.Min.X[lo:hi], MinY: b.Min.Y[lo:hi], MinZ: b.Min.Z[lo:hi],
		MaxX: b.Max.X[lo:hi], MaxY: b.Max.Y[lo:hi], MaxZ: b.Max.Z[lo:hi],
	}
}
