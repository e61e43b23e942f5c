package geometry

import (
	"fmt"

	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/vec"
)

// hullMergeRel times the size of a point set, plus coordinateRel times its largest coordinate, is
// the tolerance within which facets of the hull are merged. It is above the rounding of float64 and
// below the detail that a model has. With a smaller tolerance, a box with rounded coordinates would
// have triangles as faces. With a larger one, fine detail would be lost.
const (
	hullMergeRel  = 1e-12
	coordinateRel = 0x1p-50
)

// FromPoints returns the convex hull of the points, m. Vertices keep the order of the points.
// Points inside the hull, on a face or on an edge, within MergeTol, are left out. Vertices move by
// up to MergeTol to make faces planar, as for FromMesh. Errors wrap ErrEmpty, ErrNotFinite,
// ErrValue, ErrTooLarge, and ErrFlat for points that all lie within 4·MergeTol of one plane.
func FromPoints(name string, pts []vec.Vec3) (*Polyhedron, error) {
	scale, err := checkPoints(name, pts)
	if err != nil {
		return nil, err
	}
	tol := scale.tolerance(hullMergeRel)
	if err := checkThickness(name, pts, tol); err != nil {
		return nil, err
	}
	m, err := newModel(name, pts, tol)
	if err != nil {
		return nil, err
	}
	return m.exact(nil)
}

// extent is the basis of tolerances: the largest side of a box and its largest coordinate, m.
type extent struct{ size, coordinate float64 }

func extentOf(b vec.Box) extent {
	return extent{b.Size().MaxAbs(), max(b.Min.MaxAbs(), b.Max.MaxAbs())}
}

func (e extent) tolerance(rel float64) float64 {
	return float64(rel*e.size) + float64(coordinateRel*e.coordinate)
}

// checkPoints rejects point sets that are too few, too large, too small or not finite, and returns
// their extent.
func checkPoints(name string, pts []vec.Vec3) (extent, error) {
	if len(pts) < 4 {
		return extent{}, mark.Errorf(ErrEmpty, "geometry: %s: %d vertices, expected at least 4", name, len(pts))
	}
	for k, v := range pts {
		if err := checkCoordinate(v); err != nil {
			return extent{}, fmt.Errorf("geometry: %s: vertex %d: %w", name, k, err)
		}
	}
	e := extentOf(vec.BoxAround(pts))
	if e.size < minSize {
		return extent{}, mark.Errorf(ErrFlat, "geometry: %s: size %g, expected at least %g", name, e.size, minSize)
	}
	return e, nil
}

// checkThickness rejects points that all lie within 4·tol of one line or plane. The plane passes
// through a large triangle of the points, which is found greedily from the first point.
func checkThickness(name string, pts []vec.Vec3, tol float64) error {
	farthest := func(measure func(v vec.Vec3) float64) (int, float64) {
		at, most := 0, 0.0
		for k, v := range pts {
			if m := measure(v); m > most {
				at, most = k, m
			}
		}
		return at, most
	}
	from := pts[0]
	a, _ := farthest(func(v vec.Vec3) float64 { return v.Sub(from).Norm() })
	b, _ := farthest(func(v vec.Vec3) float64 { return v.Sub(pts[a]).Norm() })
	axis := pts[b].Sub(pts[a]).Unit()
	c, width := farthest(func(v vec.Vec3) float64 { return v.Sub(pts[a]).Cross(axis).Norm() })
	if width <= 4*tol {
		return mark.Errorf(ErrFlat, "geometry: %s: all vertices lie within %.3g of the line through vertices %d and %d, expected more than %.3g",
			name, width, a, b, 4*tol)
	}
	normal := axis.Cross(pts[c].Sub(pts[a])).Unit()
	_, thickness := farthest(func(v vec.Vec3) float64 {
		h := normal.Dot(v.Sub(pts[a]))
		return max(h, -h)
	})
	if thickness <= 4*tol {
		return mark.Errorf(ErrFlat, "geometry: %s: all vertices lie within %.3g of the plane through vertices %d, %d and %d, expected more than %.3g",
			name, thickness, a, b, c, 4*tol)
	}
	return nil
}
