package engine

import "github.com/scree-dem/scree/soa"

type poseStage stepContext

// gatherPoses copies all poses to rows, one cache line each, which the kernels of overlaps look up: a pose in seven columns would
// cost them three times as much. It is done in each step, whatever moved: so no row is older than its columns.
func (w *World) gatherPoses() {
	if !w.shares {
		return
	}
	w.poseRows = soa.Resize(w.poseRows, soa.PoseSize*w.bodies.Len())
	w.pool.For(w.bodies.Len(), 0, (*poseStage)(&w.ctx))
}

// Range copies bodies lo to hi.
func (c *poseStage) Range(lo, hi, _ int) { c.w.bodies.GatherPoses(lo, hi, c.w.poseRows) }
