package scene

import (
	"fmt"
	"math"
	"slices"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// neverMeets reports whether no two pieces can ever meet. It is true only where that is certain:
// nothing touches at the start, all bodies fly alike and walls rest, so that the bodies keep their
// places beside each other, and no wall lies on their way. Cost: one pass over bodies and facets.
func (r *runner) neverMeets() bool {
	b, reach := r.w.Bodies(), r.s.law.Reach()
	way, v, g := vec.EmptyBox(), b.Vel.At(0), r.s.gravity
	if r.w.Measure().Active > 0 || r.s.moves() || r.s.hasSides() {
		return false
	}
	moving := r.b.moving()
	for i := range moving {
		if b.Vel.At(i) != v || moving > 1 && b.Spin.At(i) != (vec.Vec3{}) {
			return false
		}
		way = way.Union(vec.Box{Min: b.Pos.At(i), Max: b.Pos.At(i)}.Enlarged(b.Radius[i] + reach))
	}
	// Bodies go by s·v + t·g, with s and t ≥ 0.
	endless := func(v, g, least, most float64) (lo, hi float64) {
		if min(v, g) < 0 {
			least = math.Inf(-1)
		}
		if max(v, g) > 0 {
			most = math.Inf(1)
		}
		return least, most
	}
	way.Min.X, way.Max.X = endless(v.X, g.X, way.Min.X, way.Max.X)
	way.Min.Y, way.Max.Y = endless(v.Y, g.Y, way.Min.Y, way.Max.Y)
	way.Min.Z, way.Max.Z = endless(v.Z, g.Z, way.Min.Z, way.Max.Z)
	for i := range r.s.walls {
		if w := &r.s.walls[i]; w.plane {
			if n := w.pose.Rot.Rotate(vec.V(0, 0, 1)); n.Dot(v) < 0 || n.Dot(g) < 0 {
				return false
			}
			continue
		}
		if r.boxOf(soa.Body(moving+i), func(p vec.Vec3) vec.Vec3 { return p }).Overlaps(way) {
			return false
		}
	}
	return true
}

// boxOf returns the box around the corners of a wall of facets, in the axes to which a function brings them.
func (r *runner) boxOf(row soa.Body, toAxes func(vec.Vec3) vec.Vec3) vec.Box {
	b, pieces := r.w.Bodies(), r.w.Pieces()
	box, corners := vec.EmptyBox(), []vec.Vec3(nil)
	for p := b.FirstPiece[row]; p < b.FirstPiece[row+1]; p++ {
		pose := pieces.Pose(b, p)
		corners = r.w.Shapes().AppendCorners(corners[:0], pieces.Shape[p])
		for _, v := range corners {
			box = box.With(toAxes(pose.Point(v)))
		}
	}
	return box
}

// missed returns warnings about mesh walls that follow a load past all bodies: no body is on the way along the axis.
func (r *runner) missed() (texts []string) {
	b := r.w.Bodies()
	for i := range r.s.walls {
		axis := r.s.walls[i].course.axis()
		row, there := b.Row(r.b.walls[i])
		if axis == (vec.Vec3{}) || !there || r.s.walls[i].plane {
			continue
		}
		u := axis.Perpendicular()
		across := func(p vec.Vec3) vec.Vec3 { return vec.V(p.Dot(axis), p.Dot(u), p.Dot(axis.Cross(u))) }
		way := r.boxOf(row, across)
		way.Max.X = math.Inf(1)
		if !slices.ContainsFunc(r.b.rows(false), func(k soa.Body) bool {
			at := across(b.Pos.At(int(k)))
			return way.Overlaps(vec.Box{Min: at, Max: at}.Enlarged(b.Radius[k]))
		}) {
			texts = append(texts, r.s.at.fault(r.s.walls[i].key, fmt.Sprintf("follows a load along %v, and no body is on its way", axis)).Error())
		}
	}
	return texts
}
