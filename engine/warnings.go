package engine

import (
	"fmt"
	"slices"

	"github.com/scree-dem/scree/engine/contact"
	"github.com/scree-dem/scree/soa"
)

// warnings finds problems that do not stop a world but that users should know.
type warnings struct{ *World }

// warn adds the warnings of a step, each at most once per run.
func (w warnings) warn() {
	w.warnTight()
	w.warnThick()
	w.warnThrough(w.step + 1)
	w.warnSunk()
}

// lowest returns the lowest body that the workers have recorded, or contact.NoBody.
func lowest(work []workspace, noted func(*workspace) uint32) uint32 {
	lowest := contact.NoBody
	for i := range work {
		lowest = min(lowest, noted(&work[i]))
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
	for i := range w.space.ActiveRows {
		a, b := w.space.PiecesOf(i)
		size := smallerInner(w.space, a, b)
		depth := -w.Gap(i)
		if !(depth > deepShare*size) {
			continue
		}
		bodies := [2]soa.Body{w.space.Pieces.Body[a], w.space.Pieces.Body[b]}
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
		a, b := w.space.PiecesOf(d.contact)
		w.warnings = append(w.warnings, fmt.Sprintf("%s and %s start %.3g m inside each other, %.3g %% of the smaller one's inscribed radius",
			nameOfPiece(w.space, a), nameOfPiece(w.space, b), d.depth, 100*d.share))
	}
	if more := len(found) - maxWarnings; more > 0 {
		w.warnings = append(w.warnings, fmt.Sprintf("and %d more pairs that start inside each other", more))
	}
}

// warnTight warns, once per run, of a body whose active contacts together are too stiff or too
// damped for the step.
func (w warnings) warnTight() {
	lowest := lowest(w.work, func(ws *workspace) uint32 { return ws.tight })
	if w.warned&warnedTight != 0 || lowest == contact.NoBody {
		return
	}
	w.warned |= warnedTight
	m, contacts := (*watchStage)(&w.ctx).loadOn(int(lowest))
	// In a shorter step dt', each contact counts for at most dt'/dt of its present share.
	w.warnings = append(w.warnings, fmt.Sprintf(
		"step %d: time step %g s is too long for %s, whose %d active contacts are stable up to %.3g s; it may gain energy",
		w.step+1, w.ctx.dt, nameOf(&w.bodies, soa.Body(lowest)), contacts, w.ctx.dt*4/m.largest()))
}

// warnThick warns, once per run, of two bodies that have come too deep inside each other.
func (w warnings) warnThick() {
	if w.warned&warnedThick != 0 {
		return
	}
	first := w.firstPair(func(ws *workspace) deepPair { return ws.deep })
	if first.pair == contact.NoPair {
		return
	}
	w.warned |= warnedThick
	a, b := contact.PairOf(first.pair)
	w.warnings = append(w.warnings, fmt.Sprintf(
		"step %d: %s and %s overlap by a thickness of %.3g m, %.3g %% of the smaller one's inscribed radius; from %.0f %% on the force "+
			"is no longer that of rigid bodies: raise the stiffness, or shorten the time step",
		w.step+1, nameOfPiece(w.space, a), nameOfPiece(w.space, b), first.thickness, 100*first.share, 100*thickShare))
}

// firstPair returns the first of the pairs that the workers have recorded.
func (w warnings) firstPair(noted func(*workspace) deepPair) deepPair {
	first := deepPair{pair: contact.NoPair}
	for i := range w.work {
		if d := noted(&w.work[i]); d.pair < first.pair {
			first = d
		}
	}
	return first
}

// warnThrough warns, once per run, of two bodies that feel no force although their overlap is
// thick. step is that of the warning, 0 at the start.
func (w warnings) warnThrough(step int64) {
	first := w.firstPair(func(ws *workspace) deepPair { return ws.through })
	if w.warned&warnedThrough != 0 || first.pair == contact.NoPair {
		return
	}
	w.warned |= warnedThrough
	a, b := contact.PairOf(first.pair)
	w.warnings = append(w.warnings, fmt.Sprintf(
		"step %d: %s and %s overlap by a thickness of %.3g m, which hardly changes as they move: one goes through the other from side to side, "+
			"or lies inside it, and they feel almost no force", step, nameOfPiece(w.space, a), nameOfPiece(w.space, b), first.thickness))
}

// warnSunk warns, once per run, of a block that is so deep in a wall of facets that it may fall
// through.
func (w warnings) warnSunk() {
	first := w.space.Sunk()
	if w.warned&warnedSunk != 0 || first == contact.NoPair {
		return
	}
	w.warned |= warnedSunk
	block, facet := contact.PairOf(first)
	w.warnings = append(w.warnings, fmt.Sprintf(
		"step %d: %s is deeper in a wall of facets, %s, than half of its inscribed radius, or than the wall's middle: "+
			"what is deeper is not felt, and it may fall through",
		w.step+1, nameOfPiece(w.space, block), nameOfPiece(w.space, facet)))
}
