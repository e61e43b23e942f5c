package engine

import (
	"math"

	"github.com/scree-dem/scree/engine/broad"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// PlaneTemplate is the shape of a wall without end: the half-space z ≤ 0 of its frame. Only walls may have
// it, and it may be moved but not turned: turning, it would sweep over everything at once.
func PlaneTemplate() *soa.Template { return &soa.Template{Kind: soa.Plane, Name: "plane"} }

// PlanePose returns the pose that puts a plane through a point with a normal, which need not be unit. A
// normal that is zero or not finite gives a pose that AddWall refuses.
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

// planes is what pairs planes, which no cell could hold, with everything that comes near one.
type planes struct {
	pieces []soa.Piece
	a, b   []soa.Piece // the pairs found, by A, then B
}

func (w newBody) checkPlane(id int, v *Wall) error {
	for i, p := range v.Parts {
		if w.shapes.Kind[p.Shape] == soa.Plane && v.Motion.Spin != (vec.Vec3{}) {
			return mark.Errorf(ErrBody, "engine: wall %d %q part %d is a plane that turns, expected one that only moves",
				id, v.Name, i)
		}
	}
	return nil
}

// planeRounding of the distance of a piece from the plane's origin covers the rounding of its height over the plane: here 80
// units of 2⁻⁵³, half of them of the normal, and as many where the pair is answered. Smaller, and a piece far from the plane's
// origin may touch it unseen.
const planeRounding = 0x1p-45

// addPlanePairs adds the candidate pairs of planes to those of the cells. A piece is a candidate when its cell extent
// reaches below the plane raised by the plane's own motion budget.
func (w *World) addPlanePairs() {
	q := &w.planes
	if len(q.pieces) == 0 {
		return
	}
	q.a, q.b = q.a[:0], q.b[:0]
	for _, p := range w.broad.Moving() {
		w.meetPlanes(p, func(plane soa.Piece) { q.a, q.b = append(q.a, p), append(q.b, plane) })
		if w.fresh.Len()+len(q.a) > w.most {
			w.crowded = true
			return
		}
	}
	w.mergePairs(q.a, q.b)
}

// meetPlanes calls f for each plane that is a candidate pair with a piece, which is then A.
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

// lowest returns how far a box's lowest corner along n lies over the plane through a point.
func lowest(b vec.Box, n, point vec.Vec3) float64 {
	lo, hi := b.Min.Sub(point), b.Max.Sub(point)
	return min(float64(n.X*lo.X), float64(n.X*hi.X)) + min(float64(n.Y*lo.Y), float64(n.Y*hi.Y)) +
		min(float64(n.Z*lo.Z), float64(n.Z*hi.Z))
}

// mergePairs puts sorted pairs among the sorted candidate pairs, from the back, in place.
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
