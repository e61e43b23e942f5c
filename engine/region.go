package engine

import (
	"math"
	"slices"
	"strings"

	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/overlap"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Region is the part of space in which MeasureRegion, Stress and SolidFraction measure: a box, a ball,
// the room between six walls, or the box of the domain. The zero value has no volume, and they refuse it. In a domain with periodic sides bodies and
// contacts are where their images in the box are.
type Region struct {
	cell   bool     // the box of the domain
	box    vec.Box  // m, world
	centre vec.Vec3 // m, world
	radius float64  // m; 0 if it is no ball
	walls  []cellWall
}

// cellWall is a flat wall that bounds a region.
type cellWall struct {
	id            soa.ID
	normal, point vec.Vec3 // unit, into the region, and m, on the wall; frame of the wall's body
}

// BoxRegion returns the region of a box, m, world axes. Its sides belong to it. A planar world measures
// the rectangle, one metre thick. The error wraps ErrRegion if the box is not finite or has no volume.
func BoxRegion(box vec.Box) (Region, error) {
	if size := box.Size(); !box.Min.Finite() || !box.Max.Finite() || !(size.X > 0 && size.Y > 0 && size.Z > 0) {
		return Region{}, mark.Errorf(ErrRegion, "engine: the region is the box from %v to %v, expected a finite one with a volume", box.Min, box.Max)
	}
	return Region{box: box}, nil
}

// BallRegion returns the region of a ball, m, world axes. Its surface belongs to it. A planar world measures
// the disc, one metre thick. The error wraps ErrRegion if the ball is not finite or the radius is not positive.
func BallRegion(centre vec.Vec3, radius float64) (Region, error) {
	if !centre.Finite() || !(radius > 0 && radius <= math.MaxFloat64) {
		return Region{}, mark.Errorf(ErrRegion, "engine: the region is the ball of radius %g about %v, expected a finite one with a volume", radius, centre)
	}
	return Region{centre: centre, radius: radius}, nil
}

// DomainRegion returns the box of the domain of this world as a region, which follows it. Along a periodic axis it holds all
// bodies and contacts, those across the sides once. The error wraps ErrRegion if the world has no domain.
func (w *World) DomainRegion() (Region, error) {
	if w.cfg.Domain.Box == (vec.Box{}) {
		return Region{}, mark.Errorf(ErrRegion, "engine: the region is the box of the domain, and the world has none, expected Config.Domain")
	}
	return Region{cell: true}, nil
}

const (
	// oppositeTol is the largest sine of the angle between two walls that count as opposite. The volume
	// then errs by about as much.
	// Smaller: rounding of a wall's rotation is refused. Larger: the volume is that of another body.
	oppositeTol = 1e-6
	// cellWallTol times the radius of a wall is how far its facets may lie off their plane: that within which
	// package geometry flattens facets.
	// Smaller: meshes of single precision are refused. Larger: a bent wall counts as a plane.
	cellWallTol = 1e-6
	// leastSolidAngle is the least |det(n₁,n₂,n₃)| of the normals of three pairs of walls.
	// Smaller: three pairs that enclose nothing have a huge volume. Larger: oblique cells are refused.
	leastSolidAngle = 1e-3
)

// BetweenWalls returns the region between six walls of this world, which follows them. Each wall is one plane,
// or a mesh whose facets all lie in one plane. The walls are three pairs, in any order; those of a pair are
// parallel and face each other. The error wraps ErrRegion and names the wall that does not fit.
func (w *World) BetweenWalls(walls [6]soa.ID) (r Region, err error) {
	var found []cellWall
	for k, id := range walls {
		if slices.Contains(walls[:k], id) {
			return r, mark.Errorf(ErrRegion, "engine: the region is between %s twice, expected six walls", w.wallName(id))
		}
		v, err := w.cellWallOf(id)
		if err != nil {
			return r, err
		}
		found = append(found, v)
	}
	for len(found) > 0 {
		n, _ := w.wallPlane(&found[0])
		k := 1 + slices.IndexFunc(found[1:], func(v cellWall) bool {
			other, _ := w.wallPlane(&v)
			return n.Cross(other).Norm() <= oppositeTol
		})
		if k == 0 {
			return Region{}, mark.Errorf(ErrRegion, "engine: none of the other walls of the region is parallel to %s, expected three pairs of opposite walls", w.wallName(found[0].id))
		}
		one, other := found[0], found[k]
		w.faceOther(&one, &other)
		w.faceOther(&other, &one)
		r.walls = append(r.walls, one, other)
		found = slices.Delete(found, k, k+1)[1:]
	}
	return r, w.boundCell(&r, &presentRegion{})
}

// cellWallOf returns the plane of a wall that may bound a region.
func (w *World) cellWallOf(id soa.ID) (v cellWall, err error) {
	row, ok := w.bodies.Row(id)
	if !ok || w.bodies.Mass[row] != 0 {
		return v, mark.Errorf(ErrRegion, "engine: the region is between body %d, expected a wall", w.numberOf(id))
	}
	p, worst := &w.space.Pieces, 0.0
	first, end := w.bodies.FirstPiece[row], w.bodies.FirstPiece[row+1]
	v = cellWall{id, p.Local[first].Rot.Rotate(vec.Vec3{Z: 1}), p.Local[first].Pos}
	if w.hasPlane(row) && end-first == 1 {
		return v, nil
	}
	for k := first; k < end; k++ {
		kind, local := p.Kind[k], p.Local[k]
		if !kind.IsFlat() {
			return v, mark.Errorf(ErrRegion, "engine: the region is bounded by %s, a piece of which is a %v, expected one plane, or facets in one plane", w.wallName(id), kind)
		}
		view := w.space.Shapes.View(p.Shape[k])
		if k == first {
			v.normal, v.point = local.Rot.Rotate(view.Normal(0)), local.Point(view.Vert(0))
		}
		for i := range view.NVerts {
			worst = max(worst, math.Abs(v.normal.Dot(local.Point(view.Vert(soa.Vertex(i))).Sub(v.point))))
		}
	}
	if !(worst <= cellWallTol*w.bodies.Radius[row]) {
		return v, mark.Errorf(ErrRegion, "engine: the region is bounded by %s, whose facets lie up to %.3g m off the plane of the first, expected all in one plane", w.wallName(id), worst)
	}
	return v, nil
}

// faceOther turns the normal of a wall of facets, which have two sides, towards the opposite wall.
func (w *World) faceOther(v, other *cellWall) {
	row, _ := w.bodies.Row(v.id)
	n, p := w.wallPlane(v)
	if _, q := w.wallPlane(other); q.Sub(p).Dot(n) < 0 && !w.hasPlane(row) {
		v.normal = v.normal.Neg()
	}
}

// wallPlane returns the normal of a wall, into the region, and a point on it, m, now. World axes.
func (w *World) wallPlane(v *cellWall) (normal, point vec.Vec3) {
	row, _ := w.bodies.Row(v.id)
	pose := w.bodies.Pose(row)
	return pose.Rot.Rotate(v.normal), pose.Point(v.point)
}

// wallName returns the number and the name of a wall for messages.
func (w *World) wallName(id soa.ID) string {
	row, _ := w.bodies.Row(id)
	return strings.Replace(w.nameOf(row), "body", "wall", 1)
}

// presentRegion is a region at one instant.
type presentRegion struct {
	Region
	bounds [6]overlap.Bound // world frame
	sides  int              // number of bounds
	flat   bool             // it is no ball
	volume float64          // m³
}

// boundCell finds where a region is now.
func (w *World) boundCell(r *Region, c *presentRegion) error {
	*c = presentRegion{Region: *r}
	if r.cell {
		c.box = w.DomainBox()
	}
	size := c.box.Size()
	switch {
	case len(r.walls) > 0:
		return w.boundByWalls(c)
	case r.radius > 0 && w.cfg.Planar:
		c.volume = float64(math.Pi * r.radius * r.radius)
	case r.radius > 0:
		c.volume = ballVolume(r.radius)
	default:
		if w.cfg.Planar {
			size.Z = 1
		}
		c.flat = true
		for axis := range 3 {
			if axis == 2 && w.cfg.Planar || r.cell && w.cfg.Domain.Sides[axis] == Periodic {
				continue // without bounds
			}
			n := vec.Vec3{}
			setAlong(&n, axis, 1)
			c.bounds[c.sides], c.bounds[c.sides+1] = overlap.Bound{Normal: n.Neg(), Offset: -along(c.box.Min, axis)}, overlap.Bound{Normal: n, Offset: along(c.box.Max, axis)}
			c.sides += 2
		}
		c.volume = float64(size.X*size.Y) * size.Z
	}
	if !(c.volume > 0) || math.IsInf(c.volume, 0) {
		return mark.Errorf(ErrRegion, "engine: the region has the volume %g m³, expected a positive finite one", c.volume)
	}
	return nil
}

// boundByWalls is boundCell for a region between walls. Its volume is that of a parallelepiped: the product of
// the three distances over |det(n₁,n₂,n₃)|.
func (w *World) boundByWalls(c *presentRegion) error {
	c.flat, c.sides, c.volume = true, len(c.walls), 1
	var normals [3]vec.Vec3
	for k := range c.walls {
		v, other := &c.walls[k], &c.walls[k^1]
		if _, ok := w.bodies.Row(v.id); !ok {
			return mark.Errorf(ErrRegion, "engine: the wall %d, which bounds a region, was removed, expected it to stay", w.numberOf(v.id))
		}
		n, p := w.wallPlane(v)
		opposite, q := w.wallPlane(other)
		distance := q.Sub(p).Dot(n)
		if !(distance > 0) || !(n.Dot(opposite) < 0) || !(n.Cross(opposite).Norm() <= oppositeTol) {
			return mark.Errorf(ErrRegion, "engine: %s and %s bound a region, with normals %v and %v and the distance %.6g m along the first, expected them parallel, and each in front of the other",
				w.wallName(v.id), w.wallName(other.id), n, opposite, distance)
		}
		c.bounds[k] = overlap.Bound{Normal: n.Neg(), Offset: -n.Dot(p)}
		if k%2 == 0 {
			normals[k/2] = n
			c.volume *= distance
		}
	}
	det := math.Abs(normals[0].Dot(normals[1].Cross(normals[2])))
	if !(det >= leastSolidAngle) {
		return mark.Errorf(ErrRegion, "engine: the walls that bound a region have normals %v, %v and %v, expected three that span space", normals[0], normals[1], normals[2])
	}
	c.volume /= det
	return nil
}

// holds reports whether a point lies in the region or on its surface.
func (c *presentRegion) holds(p vec.Vec3) bool {
	if !c.flat {
		return p.Sub(c.centre).Norm2() <= float64(c.radius*c.radius)
	}
	for k := range c.sides {
		if c.bounds[k].Normal.Dot(p) > c.bounds[k].Offset {
			return false
		}
	}
	return true
}

// isBound reports whether a body is a wall that bounds the region.
func (r *Region) isBound(id soa.ID) bool {
	return slices.ContainsFunc(r.walls, func(v cellWall) bool { return v.id == id })
}

func ballVolume(r float64) float64 { return float64(4*math.Pi/3*r) * r * r }
