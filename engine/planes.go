package engine

import (
	"math"

	"github.com/scree-dem/scree/broad"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// PlaneTemplate returns the shape of an infinite wall: the half-space z ≤ 0 of its frame. Only
// walls may have this shape. Such a wall may move but not turn, because a turning plane would sweep
// over all bodies at once.
func PlaneTemplate() *soa.Template { return &soa.Template{Kind: soa.Plane, Name: "plane"} }

// PlanePose returns the pose of a plane through a point with a normal, which need not be unit. If
// the normal is zero or not finite, it returns a pose that AddWall rejects.
func PlanePose(point, normal vec.Vec3) vec.Pose {
	n := normal.Unit()
	if n == (vec.Vec3{}) {
		return vec.Pose{Pos: vec.V(math.NaN(), math.NaN(), math.NaN())}
	}
	u := n.Perpendicular()
	if n == (vec.Vec3{Z: 1}) {
		return vec.Pose{Pos: point, Rot: vec.Identity}
	}
	return vec.Pose{Pos: point, Rot: vec.Mat3{R0: u, R1: n.Cross(u), R2: n}.T().Quat()}
}

// planes pairs planes, which no cell could hold, with the pieces near them.
type planes struct {
	pieces []soa.Piece
	a, b   []soa.Piece // the pairs found, sorted by A, then B
}

func (w bodyAdder) checkPlane(id int, v *WallSpec) error {
	for i, p := range v.Parts {
		if w.shapes.Kind[p.Shape] == soa.Plane && v.Motion.Spin != (vec.Vec3{}) {
			return mark.Errorf(ErrBody, "engine: wall %d %q part %d is a plane that turns, expected one that only moves",
				id, v.Name, i)
		}
	}
	return nil
}

// planeRounding, times the distance of a piece from the plane's origin, covers the rounding of the
// piece's height over the plane. The height here rounds by 80 units of 2⁻⁵³, half of which come
// from the normal; the contact computation rounds by as much. With a smaller constant, a piece far
// from the plane's origin could touch the plane unnoticed.
const planeRounding = 0x1p-45

// addPlanePairs adds the candidate pairs with planes to those of the cells. A piece is a candidate
// if its cell extent reaches below the plane raised by the plane's own margin.
func (w *World) addPlanePairs() {
	q := &w.planes
	if len(q.pieces) == 0 {
		return
	}
	q.a, q.b = q.a[:0], q.b[:0]
	for _, p := range w.broad.Moving() {
		w.meetPlanes(p, func(plane soa.Piece) { q.a, q.b = append(q.a, p), append(q.b, plane) })
		if w.fresh.Len()+len(q.a) > w.maxPairs {
			w.tooManyPairs = true
			return
		}
	}
	w.mergePairs(q.a, q.b)
}

// meetPlanes calls f for each plane that is a candidate pair with piece p. The piece is A of the
// pair.
func (w *World) meetPlanes(p soa.Piece, f func(plane soa.Piece)) {
	kind := w.pieces.Kind[p]
	if kind != soa.Ball && kind != soa.Block || w.bodies.InvMass[w.pieces.Body[p]] == 0 {
		return
	}
	box := w.broad.CellExtent(p)
	for _, plane := range w.planes.pieces {
		pose := w.pieces.Pose(&w.bodies, plane)
		n := pose.Rot.Rotate(vec.Vec3{Z: 1})
		far := max(box.Min.Sub(pose.Pos).MaxAbs(), box.Max.Sub(pose.Pos).MaxAbs())
		if lowest(box, n, pose.Pos) <= w.broad.Margin(w.pieces.Body[plane])+float64(planeRounding*far) {
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
func (w *World) mergePairs(a, b []soa.Piece) {
	to := &w.fresh
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
