package inside

import (
	"fmt"
	"slices"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/geometry/inside/internal/ray"
	"github.com/scree-dem/scree/geometry/inside/internal/tri"
	"github.com/scree-dem/scree/geometry/inside/internal/winding"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/vec"
)

// Method names a way to answer. The zero value is Auto.
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

// closedOnly says whether the method needs a closed mesh.
func (m Method) closedOnly() bool { return m != Winding && m != WindingFast }

// locator is a method that has been set up for a surface.
type locator interface {
	// Range answers points: places and, if not nil, values, which have the length of points. It
	// allocates nothing and may be called from several goroutines.
	Range(points []vec.Vec3, places []tri.Place, values []float64)
	// Bytes is the memory that the method keeps.
	Bytes() int
}

// preparer is a locator that has work to do once for all points of a call of Locate.
type preparer interface {
	Prepare(points []vec.Vec3)
}

// setUp makes the locator of the options' method and reports the bound of its error.
func (s *Solid) setUp(surface *tri.Surface, o Options) (locator, error) {
	switch o.Method {
	case Ray:
		return ray.New(surface, o.Seed), nil
	case Winding:
		return winding.New(surface), nil
	}
	return nil, mark.Errorf(geometry.ErrValue, "method %q is not in this build", o.Method)
}

// checkMethod returns the method that a name asks for.
func checkMethod(m Method) (Method, error) {
	if m == "" {
		return Auto, nil
	}
	if !slices.Contains(Methods, m) {
		return "", mark.Errorf(geometry.ErrValue, "method is %q, expected one of %v", string(m), fmt.Sprint(Methods))
	}
	return m, nil
}
