package contact

import (
	"slices"

	"github.com/scree-dem/scree/internal/access"
	"github.com/scree-dem/scree/soa"
)

// ownPoses holds the poses by piece, in a space in which some piece has a pose of its own in its body.
type ownPoses struct {
	soa.PoseColumns
	known int // the poses of the pieces below have been computed
	from  int // the first piece of the running pass
}

// posesByPiece reports whether kernels find poses by piece instead of by body.
func (sp *Space) posesByPiece() bool { return sp.poses == &sp.ownPoses.PoseColumns }

// choosePoses makes kernels find poses by piece if one of the pieces from first on has a pose of its own.
func (sp *Space) choosePoses(first soa.Piece) {
	if sp.posesByPiece() || !sp.cell.periodic && !slices.Contains(sp.Pieces.Offset[first:], true) {
		return
	}
	if sp.poses = &sp.ownPoses.PoseColumns; sp.rebuild.altered.ready {
		sp.pool.For(len(sp.tiles.costs), 1, (*describeStage)(&sp.stage))
	}
}

// poseRowOf returns where kernels find the pose of a piece.
func (sp *Space) poseRowOf(p soa.Piece) soa.PoseRow {
	if sp.posesByPiece() {
		return soa.PoseRow(p)
	}
	return soa.PoseRow(sp.Pieces.Body[p])
}

type ownPoseStage stage

type poseStage stage

// gatherPoses makes the poses that kernels read those of the present step. It runs in every step, before the odometers of
// pieces are gathered. Kernels of overlaps read poses from rows of one cache line each: reading one from seven columns
// would cost them three times as much.
func (sp *Space) gatherPoses() {
	if sp.posesByPiece() {
		sp.gatherOwnPoses()
	}
	if sp.knownOverlaps {
		sp.gatherPoseRows()
	}
}

// gatherPoseRows copies the poses to rows.
func (sp *Space) gatherPoseRows() {
	sp.poseRows = soa.Resize(sp.poseRows, soa.PoseSize*sp.poses.Len())
	sp.pool.For(sp.poses.Len(), 0, (*poseStage)(&sp.stage))
}

// gatherOwnPoses computes the poses of all pieces, except for those of walls that have not moved.
func (sp *Space) gatherOwnPoses() {
	of := &sp.ownPoses
	of.Resize(sp.Pieces.Len() + len(sp.cell.places))
	sp.eachMoved(of.known, func(lo, hi int) {
		if of.from = lo; lo < hi {
			sp.pool.For(hi-lo, 0, (*ownPoseStage)(&sp.stage))
		}
	})
	of.known = sp.Pieces.Len()
	if n := len(sp.cell.places); n > 0 {
		sp.pool.For(n, 0, (*placeStage)(&sp.stage))
	}
}

// Range computes the poses of the pieces lo to hi of the running pass.
func (c *ownPoseStage) Range(lo, hi, _ int) {
	to := &c.sp.ownPoses
	for i := to.from + lo; i < to.from+hi; i++ {
		pose := c.sp.Pieces.Pose(c.sp.Bodies, soa.Piece(i))
		to.Pos.Set(i, pose.Pos)
		to.Rot.Set(i, pose.Rot)
	}
}

// Range copies the poses lo to hi.
func (c *poseStage) Range(lo, hi, _ int) { c.sp.poses.GatherPoses(lo, hi, c.sp.poseRows) }

// walkPoses declares the accesses of poseStage.
func (sp *Space) walkPoses(w *access.Walk, lo, hi int) {
	poses, rows := access.Fields(w, "Poses", sp.poses), access.Of(w, "pose rows", sp.poseRows)
	for i := lo; i < hi; i++ {
		poses["Pos"].Read(i)
		poses["Rot"].Read(i)
		rows.WriteRows(soa.PoseSize*i, soa.PoseSize*i+7)
	}
}

// walkOwnPoses declares the accesses of ownPoseStage, of a world whose walls move.
func (sp *Space) walkOwnPoses(w *access.Walk, lo, hi int) {
	poses, pieces, bodies := access.Fields(w, "Poses", sp.poses), access.Fields(w, "Pieces", &sp.Pieces), access.Fields(w, "Bodies", sp.Bodies)
	access.Seldom(false, bodies["FirstPiece"], bodies["Odometer"], access.Of(w, "piece odometers", sp.pieceOdometer))
	for i := lo; i < hi; i++ {
		for _, name := range [...]string{"Body", "Offset", "Local"} {
			pieces[name].Read(i)
		}
		body := int(sp.Pieces.Body[i])
		bodies["Pos"].Read(body)
		bodies["Rot"].Read(body)
		poses["Pos"].Write(i)
		poses["Rot"].Write(i)
	}
}
