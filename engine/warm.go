package engine

import (
	"github.com/scree-dem/scree/engine/narrow"
	"github.com/scree-dem/scree/internal/invariants"
	"github.com/scree-dem/scree/kernels"
	"github.com/scree-dem/scree/soa"
)

// provenBatch is the pairs of a tile whose facet is still proven, a batch for each kind, and for each expired pair
// of the tile its place in them.
type provenBatch struct {
	facets [3]kernels.Facets // by kind, from FaceVertex
	place  []place
}

// place is a row of the batch of a kind, or NoFacet.
type place struct {
	kind soa.FacetKind
	row  uint32
}

func (b *provenBatch) init() {
	for i := range b.facets {
		b.facets[i].Kind = soa.FaceVertex + soa.FacetKind(i)
	}
}

// grow makes room for a tile of n pairs.
func (b *provenBatch) grow(n int) {
	for i := range b.facets {
		b.facets[i].Resize(soa.Pad(n))
	}
	b.place = grow(b.place, n)
}

// solveProven answers those of a tile's expired pairs whose facet is proven by their motion budget (certificate
// C3), a batch for each kind of facet. takeProven hands the answers out.
func (c *contactStage) solveProven(expired []uint32, ws *workspace) {
	w, con, b := c.w, &c.w.contacts, &ws.proven
	var n [3]int
	b.place = b.place[:len(expired)]
	for k, i := range expired {
		b.place[k] = place{}
		p, q := w.pairs.A[i], w.pairs.B[i]
		if !(w.pieceOdometer[p]+w.pieceOdometer[q] < con.Proven[i]) {
			continue
		}
		id := con.Facet[i]
		kind := id.Kind - soa.FaceVertex
		sign := 1.0
		if con.Flip[i] {
			sign = -1
		}
		b.facets[kind].Set(n[kind], &w.shapes, w.pieces.Body[p], w.pieces.Body[q],
			w.pieces.Shape[p], w.pieces.Shape[q], id, sign)
		b.place[k] = place{id.Kind, uint32(n[kind])}
		n[kind]++
	}
	for kind := range n {
		f := &b.facets[kind]
		f.Solve(&w.shapes, &w.bodies, 0, f.Fill(n[kind]))
	}
}

// takeProven writes the answer of pair i, number k of the expired ones, to the workspace if its facet is proven. It
// says false where it is not, or where the pair has come too close to call.
func (c *contactStage) takeProven(k, i int, ws *workspace) bool {
	at := ws.proven.place[k]
	if at.kind == soa.NoFacet {
		return false
	}
	f, row := &ws.proven.facets[at.kind-soa.FaceVertex], int(at.row)
	gap := f.Gap[row]
	w := c.w
	a, b := w.pairs.A[i], w.pairs.B[i]
	dx := w.bodies.Pos.At(int(w.pieces.Body[b])).Sub(w.bodies.Pos.At(int(w.pieces.Body[a])))
	if !narrow.Clear(gap, w.shapes.Radius[w.pieces.Shape[a]], w.shapes.Radius[w.pieces.Shape[b]], dx) {
		return false
	}
	ans := &ws.answer
	*ans = narrow.Answer{
		Status: narrow.Penetrating, Level: narrow.LevelFeature, Exact: true, Gap: gap, Normal: f.Normal.At(row),
		ArmA: f.ArmA.At(row), ArmB: f.ArmB.At(row), Facet: w.contacts.Facet[i],
	}
	if invariants.Enabled {
		w.reprove(i, ans, ws.law.Reach(), ws)
	}
	return true
}
