package contact

import (
	"github.com/scree-dem/scree/broad"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// planes pairs planes, which no cell could hold, with the pieces near them.
type planes struct {
	pieces []soa.Piece
	a, b   []soa.Piece // the pairs found, sorted by A, then B

	searched int // number of planes at the last search
}

// planeRounding, times the distance of a piece from the plane's origin, covers the rounding of the
// piece's height over the plane. The height here rounds by 80 units of 2⁻⁵³, half of which come
// from the normal; the contact computation rounds by as much. With a smaller constant, a piece far
// from the plane's origin could touch the plane unnoticed.
const planeRounding = 0x1p-45

// addPlanePairs adds the candidate pairs with planes to those of the cells. A piece is a candidate
// if its cell extent reaches below the plane raised by the plane's own margin.
func (sp *Space) addPlanePairs() {
	q := &sp.planes
	if len(q.pieces) == 0 {
		return
	}
	q.a, q.b = q.a[:0], q.b[:0]
	for _, p := range sp.broad.Moving() {
		sp.meetPlanes(p, func(plane soa.Piece) { q.a, q.b = append(q.a, p), append(q.b, plane) })
		if sp.rebuild.fresh.Len()+len(q.a) > sp.maxPairs {
			sp.tooManyPairs = true
			return
		}
	}
	sp.mergePairs(q.a, q.b)
}

// meetPlanes calls f for each plane that is a candidate pair with piece p. The piece is A of the
// pair.
func (sp *Space) meetPlanes(p soa.Piece, f func(plane soa.Piece)) {
	kind := sp.Pieces.Kind[p]
	if !kind.IsSolid() || sp.Bodies.InvMass[sp.Pieces.Body[p]] == 0 {
		return
	}
	box := sp.broad.CellExtent(p)
	for _, plane := range sp.planes.pieces {
		pose := sp.Pieces.Pose(sp.Bodies, plane)
		n := pose.Rot.Rotate(vec.Vec3{Z: 1})
		far := max(box.Min.Sub(pose.Pos).MaxAbs(), box.Max.Sub(pose.Pos).MaxAbs())
		if lowest(box, n, pose.Pos) <= sp.broad.Margin(sp.Pieces.Body[plane])+float64(planeRounding*far) {
			f(plane)
		}
	}
}

// lowest returns the height of a box's lowest corner along n over the plane through a point.
func lowest(b vec.Box, n, point vec.Vec3) float64 {
	lo, hi := b.Min.Sub(point), b.Max.Sub(point)
	return min(float64(n.X*lo.X), float64(n.X*hi.X)) + min(float64(n.Y*lo.Y), float64(n.Y*hi.Y)) +
		min(float64(n.Z*lo.Z), float64(n.Z*hi.Z))
}

// mergePairs merges sorted pairs into the sorted candidate pairs in place, from the back.
func (sp *Space) mergePairs(a, b []soa.Piece) {
	to := &sp.rebuild.fresh
	i, j := to.Len()-1, len(a)-1
	n := to.Len() + len(a)
	to.A, to.B = broad.Resize(to.A, n), broad.Resize(to.B, n)
	for k := n - 1; j >= 0; k-- {
		if i >= 0 && (to.A[i] > a[j] || to.A[i] == a[j] && to.B[i] > b[j]) {
			to.A[k], to.B[k] = to.A[i], to.B[i]
			i--
			continue
		}
		to.A[k], to.B[k] = a[j], b[j]
		j--
	}
}
