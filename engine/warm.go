package engine

import (
	"github.com/scree-dem/scree/engine/narrow"
	"github.com/scree-dem/scree/internal/invariants"
	"github.com/scree-dem/scree/kernels"
	"github.com/scree-dem/scree/soa"
)

// provenBatch is the pairs of a tile whose facet is still proven, a batch for each kind, those of which two faces are, or a
// face and a few vertices, and for each expired pair of the tile its place in them.
type provenBatch struct {
	facets [6]kernels.Facets // by kind, from FaceVertex; those of corners are of pairs apart
	lowest [2]kernels.Lowest // FaceVertex and VertexFace
	faces  kernels.FaceFaces
	place  []place
}

// place is a row of the batch of a kind, or of one of the others, or NoFacet.
type place struct {
	kind soa.FacetKind
	row  uint32
}

// ofFaces is the kind of a place in the batch of two faces: none that a facet has. ofLowest is added to the kind of a face and
// a vertex for a place in the batches of a few vertices.
const (
	ofFaces  = soa.FacetKind(255)
	ofLowest = soa.FacetKind(64)
)

func (b *provenBatch) init() {
	for i := range b.facets {
		b.facets[i].Kind = soa.FaceVertex + soa.FacetKind(i)
	}
	for i := range b.lowest {
		b.lowest[i].Kind = soa.FaceVertex + soa.FacetKind(i)
	}
}

// grow makes room for a tile of n pairs.
func (b *provenBatch) grow(n int) {
	for i := range b.facets {
		b.facets[i].Resize(soa.Pad(n))
	}
	for i := range b.lowest {
		b.lowest[i].Resize(soa.Pad(n))
	}
	b.faces.Resize(soa.Pad(n))
	b.place = grow(b.place, n)
}

// solveProven answers those of a tile's expired pairs whose facet is proven by their motion budget (certificate
// C3), a batch for each kind of facet, for faces with a few vertices, and for two faces. takeProven hands the answers out.
func (c *contactStage) solveProven(expired []uint32, ws *workspace) {
	w, con, b := c.w, &c.w.contacts, &ws.proven
	var n [6]int
	var low [2]int
	faces := 0
	b.place = b.place[:len(expired)]
	for k, i := range expired {
		b.place[k] = place{}
		p, q := w.pairs.A[i], w.pairs.B[i]
		if !(w.pieceOdometer[p]+w.pieceOdometer[q] < con.Proven[i]) {
			continue
		}
		if cos := con.HeldCos[i]; cos != 0 {
			rot := &w.bodies.Rot
			if !narrow.Keeps(con.Held.At(int(i)), cos, rot.At(int(w.pieces.Body[p])), rot.At(int(w.pieces.Body[q]))) {
				continue
			}
		}
		if con.QuadA[i] != 0 {
			b.faces.Set(faces, w.pieces.Body[p], w.pieces.Body[q], con.QuadA[i], con.QuadB[i])
			b.place[k] = place{ofFaces, uint32(faces)}
			faces++
			continue
		}
		id := con.Facet[i]
		kind := id.Kind - soa.FaceVertex
		if of := con.Lowest[i]; !of.None() {
			b.lowest[kind].Set(low[kind], &w.shapes, w.pieces.Body[p], w.pieces.Body[q], w.pieces.Shape[p], w.pieces.Shape[q], id, of)
			b.place[k] = place{ofLowest + id.Kind, uint32(low[kind])}
			low[kind]++
			continue
		}
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
	for kind := range low {
		f := &b.lowest[kind]
		f.Solve(&w.shapes, &w.bodies, 0, f.Fill(low[kind]))
	}
	b.faces.Solve(&w.shapes, &w.bodies, 0, b.faces.Fill(faces))
}

// takeProven writes the answer of pair i, number k of the expired ones, to the workspace if its facet is proven. It
// says false where it is not, where the pair has come too close to call, or where it is too close to call which facet of
// two faces, or of a face and a few vertices, it is.
func (c *contactStage) takeProven(k, i int, ws *workspace) bool {
	w, ans := c.w, &ws.answer
	at := ws.proven.place[k]
	row := int(at.row)
	switch at.kind {
	case soa.NoFacet:
		return false
	case ofFaces:
		f := &ws.proven.faces
		if !f.Known(row) {
			return false
		}
		*ans = narrow.Answer{Gap: f.Gap[row], Normal: f.Normal.At(row), ArmA: f.ArmA.At(row), ArmB: f.ArmB.At(row),
			Facet: f.Facet(row, &w.shapes)}
	case ofLowest + soa.FaceVertex, ofLowest + soa.VertexFace:
		f := &ws.proven.lowest[at.kind-ofLowest-soa.FaceVertex]
		if !f.Known(row) {
			return false
		}
		*ans = narrow.Answer{Gap: f.Gap[row], Normal: f.Normal.At(row), ArmA: f.ArmA.At(row), ArmB: f.ArmB.At(row),
			Facet: f.Facet(row, w.contacts.Facet[i], w.contacts.Lowest[i])}
	default:
		f := &ws.proven.facets[at.kind-soa.FaceVertex]
		*ans = narrow.Answer{Gap: f.Gap[row], Normal: f.Normal.At(row), ArmA: f.ArmA.At(row), ArmB: f.ArmB.At(row),
			Facet: w.contacts.Facet[i]}
	}
	a, b := w.pairs.A[i], w.pairs.B[i]
	dx := w.bodies.Pos.At(int(w.pieces.Body[b])).Sub(w.bodies.Pos.At(int(w.pieces.Body[a])))
	va, vb := w.shapes.View(w.pieces.Shape[a]), w.shapes.View(w.pieces.Shape[b])
	if w.contacts.Apart[i] {
		if !narrow.ClearApart(ans.Gap, ws.law.Reach(), va, vb, dx) {
			return false
		}
		ans.Status = narrow.Separated
	} else if ans.Status = narrow.Penetrating; !narrow.Clear(ans.Gap, va.Radius, vb.Radius, dx) {
		return false
	}
	ans.Level, ans.Exact = narrow.LevelFeature, true
	ans.Grow(va.Round, vb.Round)
	w.contacts.Facet[i] = ans.Facet
	if invariants.Enabled {
		w.reprove(i, ans, ws.law.Reach(), ws)
	}
	return true
}
