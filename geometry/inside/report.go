package inside

import (
	"errors"
	"math"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/geometry/inside/internal/tri"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/vec"
)

// Report has what New found out about a mesh, and the guarantees of the method.
type Report struct {
	Method     Method // the method that New selected
	Faces      int    // of the mesh
	Triangles  int    // of the faces; only those with an area
	Vertices   int    // distinct vertices that faces use
	Welded     int    // vertices with the coordinates of an earlier one
	Collapsed  int    // faces that have fewer than three corners left
	Degenerate int    // triangles without area
	Folded     int    // polygons whose projection intersects itself

	Components    int     // parts that no edge connects
	Cavities      int     // of a closed mesh: components oriented inwards
	Turned        bool    // all faces were oriented inwards and New reversed them
	Empty         bool    // closed, but the volume is within rounding of zero: a two-sided sheet
	BoundaryEdges int     // edges with an odd number of faces; an open mesh ends there
	Disordered    int     // edges that their faces pass in the same direction
	Open          error   // why the mesh is not closed, with the first such edges; nil if it is closed
	Area, Volume  float64 // m², m³, of the triangles; the volume of an open mesh has no meaning
	Box           vec.Box // m, of the triangles, in the mesh's frame

	Bound        float64 // of the error of the values away from the surface, beyond rounding; 0 for exact methods
	Degree       int     // of the expansions of method fmm
	Depth        int     // levels of conversions of method fmm, without Extra
	Extra        int     // levels at the top of the trees, for an evaluation box larger than the mesh
	Cells        int     // cells of method fmm that points may lie in; the points of a cell share an expansion
	Summed       int     // cells whose bound does not separate 0 from 1: their points are summed exactly
	Near         int     // cells that no cluster is far from: their points are summed exactly
	Bytes        int     // memory of the method
	CheckSeconds float64 // time to check the mesh
	SetupSeconds float64 // time to set up the method
}

// Closed reports whether the mesh is closed and its faces are oriented consistently.
func (r *Report) Closed() bool { return r.BoundaryEdges == 0 && r.Disordered == 0 }

// check reads a mesh and fills the Report. It rejects open meshes if the method needs a closed one.
func (s *Solid) check(m *geometry.Mesh) (*tri.Read, error) {
	r, err := tri.FromMesh(m)
	if err != nil {
		return nil, err
	}
	p := &s.Report
	p.Welded, p.Collapsed, p.Degenerate, p.Folded = r.Welded, r.Collapsed, r.Degenerate, r.Folded
	if r.Degenerate == len(r.Tris) {
		return nil, mark.Errorf(geometry.ErrFlat, "none of %d faces has an area, expected one or more", len(m.Faces))
	}
	edges := r.Edges()
	p.BoundaryEdges, p.Disordered, p.Components = edges.Boundary, edges.Disordered, edges.Components
	if err := edges.Err(r); err != nil && !p.Method.TakesOpen() {
		return nil, dirtyError{err}
	} else if err != nil {
		p.Open = err
	}
	p.Box = r.Box()
	p.Area, p.Volume = r.Measure(p.Box)
	if p.Closed() {
		size := p.Box.Size().Norm()
		p.Empty = size > leastSize && tri.WithinRounding(p.Volume, p.Area, size, len(r.Tris))
		if err := s.orient(r, edges); err != nil {
			return nil, err
		}
	}
	if r.Degenerate > 0 {
		r.DropDegenerate()
		p.Box = r.Box()
	}
	p.Triangles, p.Vertices = len(r.Tris), len(r.Verts)
	return r, nil
}

// leastSize is the diagonal above which volumes do not underflow. A smaller body may have the
// computed volume 0.
const leastSize = 0x1p-300

// dirtyError is the error of a mesh that is open, or whose components lie inside each other in a
// way that no body has. Its text names the methods that accept the mesh.
type dirtyError struct{ error }

func (e dirtyError) Error() string {
	return e.error.Error() + " (methods winding and winding-fast take it as it is)"
}

func (e dirtyError) Unwrap() error { return e.error }

// Fault returns the reason of an error of New, for callers that have named the mesh themselves:
// without the mesh's name, and without the advice to choose another method.
func Fault(err error) error {
	if dirty := (dirtyError{}); errors.As(err, &dirty) {
		return dirty.error
	}
	if within := errors.Unwrap(err); within != nil {
		return within
	}
	return err
}

// orient reverses a mesh that is inside out. If the method needs a body, orient also checks how the
// components lie inside each other.
func (s *Solid) orient(r *tri.Read, edges *tri.Edges) error {
	p := &s.Report
	if math.Signbit(p.Volume) {
		r.Turn()
		p.Turned, p.Volume = !p.Empty, -p.Volume // rounding decides the sign of an empty mesh
	}
	if p.Components == 1 {
		return nil
	}
	parts := r.Parts(edges)
	p.Cavities = parts.Inward()
	if err := parts.CheckNesting(r); err != nil && !p.Method.TakesOpen() {
		return dirtyError{err}
	}
	return nil
}
