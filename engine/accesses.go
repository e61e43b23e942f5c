package engine

import (
	"github.com/scree-dem/scree/internal/access"
)

// Stages returns the parts of a step without a search for pairs, in order, with the memory that each reads and writes:
// that of the next step, if it finds all contacts as the last step left them. Walking changes nothing. Walls count as
// bodies. The list is valid until the next step.
func (w *World) Stages() []access.Work {
	bodies := w.bodies.Len()
	stages := []access.Work{{Name: "drift", N: bodies, Walk: (*kickDriftStage)(&w.ctx).walk, Run: w.kickDrift}}
	stages = append(stages, w.space.Stages((*contactReader)(&w.ctx).walk)...)
	stages = append(stages, access.Work{Name: "gather", N: bodies, Walk: (*gatherKickStage)(&w.ctx).walk, Run: w.gatherKick})
	if !w.cfg.NoLedger {
		costs := w.space.Costs()
		stages = append(stages, access.Work{Name: "ledger", N: len(costs), Costs: costs, Walk: (*accountStage)(&w.ctx).walk, Run: func() {
			w.pool.ForTasks(costs, (*accountStage)(&w.ctx))
		}})
	}
	return stages
}

// columnsOf returns the columns of bodies with the given names.
func (w *World) columnsOf(a *access.Walk, names ...string) (columns []*access.Declared) {
	all := access.Fields(a, "Bodies", &w.bodies)
	for _, name := range names {
		columns = append(columns, all[name])
	}
	return columns
}
