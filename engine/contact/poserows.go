package contact

import "github.com/scree-dem/scree/soa"

type poseStage stage

// gatherPoses copies all poses to rows of one cache line each, which the overlap kernels read.
// Reading a pose from seven columns would cost them three times as much. gatherPoses runs in every
// step, so that no row is outdated.
func (sp *Space) gatherPoses() {
	if !sp.knownOverlaps {
		return
	}
	sp.poseRows = soa.Resize(sp.poseRows, soa.PoseSize*sp.Bodies.Len())
	sp.pool.For(sp.Bodies.Len(), 0, (*poseStage)(&sp.stage))
}

// Range copies bodies lo to hi.
func (c *poseStage) Range(lo, hi, _ int) { c.sp.Bodies.GatherPoses(lo, hi, c.sp.poseRows) }
