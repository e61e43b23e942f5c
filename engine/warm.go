package engine

import (
	"github.com/scree-dem/scree/engine/narrow"
	"github.com/scree-dem/scree/internal/invariants"
)

// provenPair is pair i as batches of proven features ask for it.
func (w *World) provenPair(i int) narrow.ProvenPair {
	a, b := w.pairs.A[i], w.pairs.B[i]
	return narrow.ProvenPair{
		BodyA: w.pieces.Body[a], BodyB: w.pieces.Body[b], ShapeA: w.pieces.Shape[a], ShapeB: w.pieces.Shape[b],
	}
}

// solveProven answers those of a tile's expired pairs whose features are proven by their motion budget. takeProven hands the
// answers out.
func (c *contactStage) solveProven(expired []uint32, ws *workspace) {
	w, con := c.w, &c.w.contacts
	ws.proven.Begin(len(expired))
	for k, i := range expired {
		a, b := w.pieceOdometer[w.pairs.A[i]], w.pieceOdometer[w.pairs.B[i]]
		ws.proven.Ask(k, int(i), con, &w.shapes, &w.bodies, w.provenPair(int(i)), a, b)
	}
	ws.proven.Solve(&w.shapes, &w.bodies)
}

// takeProven writes the answer of pair i, number k of the expired ones, to the workspace if its features are proven, and says
// whether they are.
func (c *contactStage) takeProven(k, i int, ws *workspace) bool {
	w, con := c.w, &c.w.contacts
	if !ws.proven.Take(k, i, con, &w.shapes, &w.bodies, w.provenPair(i), ws.needs.Reach, &ws.answer) {
		return false
	}
	con.Facet[i] = ws.answer.Facet
	if invariants.Enabled {
		w.reprove(i, &ws.answer, ws.needs.Reach, ws)
	}
	return true
}
