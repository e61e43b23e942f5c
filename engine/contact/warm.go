package contact

import (
	"github.com/scree-dem/scree/internal/invariants"
)

// solveProven answers the open pairs of the list whose features are proven within their motion
// budget. takeProven returns the answers.
func (c *contactStage) solveProven(ws *workspace) {
	sp, con := c.sp, &c.sp.Contacts
	ws.proven.Begin(len(ws.list))
	for k, i := range ws.list {
		if ws.overlapWork.at(k).what == proven {
			continue
		}
		a, b := sp.pieceOdometer[sp.Pairs.A[i]], sp.pieceOdometer[sp.Pairs.B[i]]
		ws.proven.Set(k, int(i), con, &sp.Shapes, sp.Bodies, &sp.described[i].ProvenPair, a, b)
	}
	ws.proven.Solve(&sp.Shapes, sp.Bodies)
}

// takeProven copies the answer of pair i, number k of the list, to ws.answer if its features are
// proven. It reports whether they are.
func (c *contactStage) takeProven(k, i int, ws *workspace) bool {
	sp, con := c.sp, &c.sp.Contacts
	if !ws.proven.Answer(k, i, con, &sp.Shapes, sp.Bodies, &sp.described[i].ProvenPair, ws.needs.Reach, &ws.answer) {
		return false
	}
	con.Facet[i] = ws.answer.Facet
	if invariants.Enabled {
		sp.reprove(i, &ws.answer, ws.needs.Reach, ws)
	}
	return true
}
