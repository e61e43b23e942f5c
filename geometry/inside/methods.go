package inside

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/geometry/inside/internal/multipole"
	"github.com/scree-dem/scree/geometry/inside/internal/ray"
	"github.com/scree-dem/scree/geometry/inside/internal/treecode"
	"github.com/scree-dem/scree/geometry/inside/internal/tri"
	"github.com/scree-dem/scree/geometry/inside/internal/voxels"
	"github.com/scree-dem/scree/geometry/inside/internal/winding"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/vec"
)

// Method names a method that locates points. The zero value means Auto.
type Method string

const (
	Auto        Method = "auto"         // exact, for closed meshes: cells and exact crossings
	Ray         Method = "ray"          // exact, for closed meshes: crossings of a random ray with all triangles
	Winding     Method = "winding"      // solid angles of all triangles, to rounding; for open meshes too
	WindingFast Method = "winding-fast" // solid angles of near triangles, dipoles of far ones; for open meshes too
	FMM         Method = "fmm"          // the fast multipole method, within a bound, for closed meshes
)

// Methods lists all methods.
var Methods = []Method{Auto, Ray, Winding, WindingFast, FMM}

// Limits of the Options of method fmm.
const (
	MaxDegree = multipole.MaxDegree // of the expansions
	MaxDepth  = multipole.MaxDepth  // levels of conversions

	MaxSeparation = multipole.MaxSeparation
	MaxBox        = multipole.MaxBox // length of Options.Box and the mesh together, over that of the mesh
)

// DegreeOfTriangles, as Options.Degree, selects the least degree p with d^p ≥ √N for N triangles,
// at most MaxDegree: p ~ log N, as section 2.1.3 of Muth et al. has it.
const DegreeOfTriangles = multipole.DegreeOfTriangles

// TakesOpen reports whether the method also accepts open meshes, and closed meshes whose components
// lie inside each other in a way that no body has.
func (m Method) TakesOpen() bool { return m == Winding || m == WindingFast }

// byClusters reports whether points that lie close together share work.
func (m Method) byClusters() bool { return m == WindingFast || m == FMM }

// locator is a method that has been set up for a surface.
type locator interface {
	// Range locates at most chunkMany points. It writes places and, if values is not nil, values;
	// both have the length of points. Range allocates nothing and may be called from several
	// goroutines.
	Range(points []vec.Vec3, places []tri.Place, values []float64)
	// Bytes returns the memory that the method uses.
	Bytes() int
}

// setUp returns the locator of the method in o, and stores the bound of its error in the Report.
func (s *Solid) setUp(surface *tri.Surface, o Options) (locator, error) {
	switch o.Method {
	case Auto:
		return voxels.New(surface)
	case Ray:
		return ray.New(surface, o.Seed), nil
	case Winding:
		return winding.New(surface), nil
	case WindingFast:
		return treecode.New(surface, s.pool), nil
	case FMM:
		return s.setUpMultipole(surface, o)
	}
	return nil, mark.Errorf(geometry.ErrValue, "method %q is not in this build", o.Method)
}

// setUpMultipole checks the options of method fmm and sets up the method.
func (s *Solid) setUpMultipole(surface *tri.Surface, o Options) (locator, error) {
	p := multipole.Options{Degree: o.Degree, Leaf: o.Leaf, Points: o.Points, Separation: o.Separation, Box: o.Box, Never: o.Direct == "never"}
	switch o.Depth {
	case "", "well":
		p.Depth = multipole.WellChosen
	case "pre":
		p.Depth = multipole.PreChosen
	default:
		depth, err := strconv.Atoi(o.Depth)
		if err != nil || depth < 1 || depth > MaxDepth {
			return nil, mark.Errorf(geometry.ErrValue, "depth is %q, expected well, pre or a number from 1 to %d", o.Depth, MaxDepth)
		}
		p.Depth = depth
	}
	if o.Degree < 0 && o.Degree != DegreeOfTriangles || o.Degree > MaxDegree {
		return nil, mark.Errorf(geometry.ErrValue, "degree is %d, expected 1 to %d", o.Degree, MaxDegree)
	}
	if o.Leaf < 0 {
		return nil, mark.Errorf(geometry.ErrValue, "leaf is %d triangles, expected 1 or more", o.Leaf)
	}
	if o.Points < 0 {
		return nil, mark.Errorf(geometry.ErrValue, "number of points is %d, expected 0 or more", o.Points)
	}
	if d := o.Separation; d != 0 && !(d > 1 && d <= MaxSeparation) {
		return nil, mark.Errorf(geometry.ErrValue, "separation is %g, expected more than 1 and at most %g", d, MaxSeparation)
	}
	if o.Direct != "" && o.Direct != "auto" && o.Direct != "never" {
		return nil, mark.Errorf(geometry.ErrValue, "direct is %q, expected auto or never", o.Direct)
	}
	if err := s.checkBox(o.Box); err != nil {
		return nil, err
	}
	m, err := multipole.New(surface, p, s.pool)
	if err != nil {
		return nil, err
	}
	s.Report.Bound, s.Report.Degree = m.Bound, m.Degree
	s.Report.Depth, s.Report.Extra = m.Depth-m.Extra, m.Extra
	s.Report.Cells, s.Report.Summed, s.Report.Near = m.Cells, m.Summed, m.Near
	return m, nil
}

// checkBox checks the box of the evaluation tree.
func (s *Solid) checkBox(box vec.Box) error {
	if box == (vec.Box{}) {
		return nil
	}
	own := &s.Report.Box
	size, most := box.Size(), MaxBox*own.Size().MaxAbs()
	switch all := own.Union(box).Size().MaxAbs(); {
	case !box.Min.Finite() || !box.Max.Finite():
		return mark.Errorf(geometry.ErrNotFinite, "box is %v to %v, expected finite corners", box.Min, box.Max)
	case !(size.X > 0 && size.Y > 0 && size.Z > 0):
		return mark.Errorf(geometry.ErrValue, "box is %v to %v, which is empty: expected the lower corner first", box.Min, box.Max)
	case !(all <= most):
		return mark.Errorf(geometry.ErrValue, "box is %v to %v, %g long together with the mesh, expected at most %g, %g times the mesh", box.Min, box.Max, all, most, MaxBox)
	}
	return nil
}

// checkMethod returns the method of a name.
func checkMethod(m Method) (Method, error) {
	if m == "" {
		return Auto, nil
	}
	if !slices.Contains(Methods, m) {
		return "", mark.Errorf(geometry.ErrValue, "method is %q, expected one of %v", string(m), fmt.Sprint(Methods))
	}
	return m, nil
}
