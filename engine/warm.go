package engine

import (
	"github.com/scree-dem/scree/internal/invariants"
)

// solveProven answers the open pairs of the list whose features are proven within their motion
// budget. takeProven returns the answers.
func (c *contactStage) solveProven(ws *workspace) {
	w, con := c.w, &c.w.contacts
	ws.proven.Begin(len(ws.list))
	for k, i := range ws.list {
		if ws.overlapWork.at(k).what == proven {
			continue
		}
		a, b := w.pieceOdometer[w.pairs.A[i]], w.pieceOdometer[w.pairs.B[i]]
		ws.proven.Set(k, int(i), con, &w.shapes, &w.bodies, &w.described[i].ProvenPair, a, b)
	}
	ws.proven.Solve(&w.shapes, &w.bodies)
}

// takeProven copies the answer of pair i, number k of the list, to ws.answer if its features are
// proven. It reports whether they are.
func (c *contactStage) takeProven(k, i int, ws *workspace) bool {
	w, con := c.w, &c.w.contacts
	if !ws.proven.Answer(k, i, con, &w.shapes, &w.bodies, &w.described[i].ProvenPair, ws.needs.Reach, &ws.answer) {
		return false
	}
	con.Facet[i] = ws.answer.Facet
	if invariants.Enabled {
		w.reprove(i, &ws.answer, ws.needs.Reach, ws)
	}
	return true
}
