package engine

import "github.com/scree-dem/scree/soa"

type poseStage stepContext

// gatherPoses copies all poses to rows of one cache line each, which the overlap kernels read.
// Reading a pose from seven columns would cost them three times as much. gatherPoses runs in every
// step, so that no row is outdated.
func (w *World) gatherPoses() {
	if !w.knownOverlaps {
		return
	}
	w.poseRows = soa.Resize(w.poseRows, soa.PoseSize*w.bodies.Len())
	w.pool.For(w.bodies.Len(), 0, (*poseStage)(&w.ctx))
}

// Range copies bodies lo to hi.
func (c *poseStage) Range(lo, hi, _ int) { c.w.bodies.GatherPoses(lo, hi, c.w.poseRows) }
