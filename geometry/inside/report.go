package inside

import (
	"errors"
	"math"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/geometry/inside/internal/tri"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/vec"
)

// Report is what New found of a mesh, and what the method promises.
type Report struct {
	Method     Method // that New took
	Faces      int    // of the mesh
	Triangles  int    // with an area, of the faces
	Vertices   int    // distinct ones that faces use
	Welded     int    // vertices with the coordinates of an earlier one
	Collapsed  int    // faces left with fewer than three corners
	Degenerate int    // triangles without area
	Folded     int    // polygons whose projection cuts itself

	Components    int     // parts that no edge joins
	Cavities      int     // components turned inwards, of a closed mesh
	Turned        bool    // all faces turned inwards and were turned
	Empty         bool    // closed, but encloses no more volume than rounding shows: a sheet with two sides
	BoundaryEdges int     // edges with an odd number of faces: one where an open mesh ends
	Disordered    int     // edges that their faces pass the same way
	Open          error   // what keeps the mesh from being closed, and the first such edges; nil of a closed one
	Area, Volume  float64 // m², m³, of the triangles; the volume of an open mesh means nothing
	Box           vec.Box // m, of the triangles, in the mesh's frame

	Bound        float64 // of the error of the values away from the surface, beyond rounding; 0 for exact methods
	Degree       int     // of the expansions of method fmm
	Depth        int     // levels of its conversions
	Cells        int     // of method fmm: where points share an expansion
	Summed       int     // of these, cells whose bound does not separate 0 from 1: their points are summed exactly
	Bytes        int     // that the method keeps
	CheckSeconds float64 // time to check the mesh
	SetupSeconds float64 // time to set up the method
}

// Closed reports whether the mesh is closed and its faces turn the same way.
func (r *Report) Closed() bool { return r.BoundaryEdges == 0 && r.Disordered == 0 }

// check reads a mesh and reports what it is. Open meshes are refused where the method needs a
// closed one.
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
		p.Empty = size > leastSize && math.Abs(p.Volume) <= float64(volumeRounding*float64(len(r.Tris)+8))*float64(p.Area*size)
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

// volumeRounding, for each triangle and a few more, is the share of area times diagonal that the rounding of the sum reaches: a
// third of it is what a triangle of the area may add. Smaller: a sheet with two sides seems to have a volume. Larger: a thin plate seems empty.
const volumeRounding = 0x1p-53

// leastSize is the diagonal of a mesh above which volumes do not underflow: below, a body may have the volume 0.
const leastSize = 0x1p-300

// dirtyError is the error of a mesh that is open, or whose components lie in each other as no body does, with what
// still answers it.
type dirtyError struct{ error }

func (e dirtyError) Error() string {
	return e.error.Error() + " (methods winding and winding-fast take it as it is)"
}

func (e dirtyError) Unwrap() error { return e.error }

// Fault returns what is wrong with a mesh, for callers that have named it: an error of New without
// the mesh's name, and without the advice to choose another method.
func Fault(err error) error {
	if dirty := (dirtyError{}); errors.As(err, &dirty) {
		return dirty.error
	}
	if within := errors.Unwrap(err); within != nil {
		return within
	}
	return err
}

// orient turns a mesh that is inside out, and checks how its components lie in each other where the method needs a body.
func (s *Solid) orient(r *tri.Read, edges *tri.Edges) error {
	p := &s.Report
	if p.Volume < 0 {
		r.Turn()
		p.Turned, p.Volume = true, -p.Volume
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
