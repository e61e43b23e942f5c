package engine

import (
	"fmt"
	"slices"

	"github.com/scree-dem/scree/soa"
)

// warnings finds problems that do not stop a world but that users should know.
type warnings struct{ *World }

// warn adds the warnings of a step, each at most once per run.
func (w warnings) warn() {
	w.warnTight()
	w.warnThick()
	w.warnSunk()
}

// lowest returns the lowest body that the workers have recorded, or noFault.
func (w *World) lowest(noted func(*workspace) uint32) uint32 {
	lowest := noFault
	for i := range w.work {
		lowest = min(lowest, noted(&w.work[i]))
	}
	return lowest
}

// warnDeep names the pairs of bodies that start deep inside each other. Each pair is named once,
// with its deepest contact, in the order of the pairs' first contacts.
func (w warnings) warnDeep() {
	type deep struct {
		contact int
		depth   float64 // m
		share   float64
	}
	var found []deep
	at := map[[2]soa.Body]int{}
	for i, active := range w.contacts.Active {
		if !active {
			continue
		}
		a, b := w.pairs.A[i], w.pairs.B[i]
		size := w.smallerInner(a, b)
		depth := -w.Gap(i)
		if !(depth > deepShare*size) {
			continue
		}
		bodies := [2]soa.Body{w.pieces.Body[a], w.pieces.Body[b]}
		slices.Sort(bodies[:]) // The pieces of a pair are ordered by kind, so either body may come first.
		k, known := at[bodies]
		if !known {
			k, at[bodies] = len(found), len(found)
			found = append(found, deep{i, depth, depth / size})
		}
		if depth > found[k].depth {
			found[k] = deep{i, depth, depth / size}
		}
	}
	for _, d := range found[:min(len(found), maxWarnings)] {
		w.warnings = append(w.warnings, fmt.Sprintf("%s and %s start %.3g m inside each other, %.3g %% of the smaller one's inscribed radius",
			w.nameOf(w.pairs.A[d.contact]), w.nameOf(w.pairs.B[d.contact]), d.depth, 100*d.share))
	}
	if more := len(found) - maxWarnings; more > 0 {
		w.warnings = append(w.warnings, fmt.Sprintf("and %d more pairs that start inside each other", more))
	}
}

// warnTight warns, once per run, of a body whose active contacts together are too stiff or too
// damped for the step.
func (w warnings) warnTight() {
	lowest := w.lowest(func(ws *workspace) uint32 { return ws.tight })
	if w.warned || lowest == noFault {
		return
	}
	w.warned = true
	m, contacts := (*watchStage)(&w.ctx).demandOn(int(lowest))
	// In a shorter step dt', each contact counts for at most dt'/dt of its present share.
	w.warnings = append(w.warnings, fmt.Sprintf(
		"step %d: time step %g s is too long for %s, whose %d active contacts are stable up to %.3g s; it may gain energy",
		w.step+1, w.ctx.dt, w.nameOfBody(soa.Body(lowest)), contacts, w.ctx.dt*4/m.largest()))
}

// warnThick warns, once per run, of two bodies that have come too deep inside each other.
func (w warnings) warnThick() {
	if w.warnedDeep {
		return
	}
	first := deepPair{pair: afterAll}
	for i := range w.work {
		if d := w.work[i].deep; d.pair < first.pair {
			first = d
		}
	}
	if first.pair == afterAll {
		return
	}
	w.warnedDeep = true
	a, b := pairOf(first.pair)
	w.warnings = append(w.warnings, fmt.Sprintf(
		"step %d: %s and %s overlap by a thickness of %.3g m, %.3g %% of the smaller one's inscribed radius; from %.0f %% on the force "+
			"is no longer that of rigid bodies: raise the stiffness, or shorten the time step",
		w.step+1, w.nameOf(a), w.nameOf(b), first.thickness, 100*first.share, 100*thickShare))
}

// warnSunk warns of a block that is so deep in a wall of facets that it may fall through. It warns
// once for each World value; a restored world may warn again.
func (w warnings) warnSunk() {
	lowest := w.lowest(func(ws *workspace) uint32 { return ws.sunk })
	if w.toldSunk || lowest == noFault {
		return
	}
	w.toldSunk = true
	w.warnings = append(w.warnings, fmt.Sprintf(
		"step %d: %s is deeper in a wall of facets than half of its inscribed radius, or than the wall's middle: "+
			"what is deeper is not felt, and it may fall through",
		w.step+1, w.nameOfBody(soa.Body(lowest))))
}
