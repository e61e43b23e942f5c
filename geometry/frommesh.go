package geometry

import (
	"fmt"
	"math"
	"slices"

	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/vec"
)

// weldRel and mergeRel times the size of a mesh are the tolerances for files. Coordinates in single
// precision or with six digits are off by up to 1e-7 of the size, and faces bend by a few times as
// much. With smaller tolerances, the two triangles of a rectangle in an STL file would remain two
// faces. With larger ones, details of a millionth of the size would be lost.
const (
	weldRel  = 1e-7
	mergeRel = 1e-6
)

// FromMesh builds a polyhedron from the surface of a convex body, or returns an error that explains
// why the mesh is not such a surface.
//
// Vertices within WeldTol of each other become one, with the coordinates of the first in the file;
// facets that collapse are dropped. The remaining surface must be closed, manifold, connected, of
// genus 0, consistently oriented, planar face by face, and convex. If it is inside out, all faces
// are flipped. Convex means: every vertex and every facet lies within MergeTol of the convex hull,
// and the facets cover the hull once. Vertices that no face uses are ignored.
//
// The result is the hull of the vertices. Facets within MergeTol of one plane become one face: its
// vertices move into a plane, by at most MergeTol (Moved is the largest distance, with that of
// welding), and vertices inside the face or along its edges are dropped. If a larger move were necessary, the facets stay
// and share a Label. Vertices keep the order of the file. Faces have the order of the first facet
// of the file in each.
//
// Cost: that of the hull, plus facets times faces for the test of convexity. Errors wrap ErrEmpty,
// ErrTruncated, ErrNotFinite, ErrValue, ErrFlat, ErrNotManifold, ErrNotClosed, ErrNotOriented,
// ErrNotConnected, ErrNotPlanar, ErrSelfIntersecting, ErrNotConvex and ErrTooLarge.
func FromMesh(m *Mesh) (*Polyhedron, error) {
	s, err := weldMesh(m)
	if err != nil {
		return nil, err
	}
	for _, check := range []func() error{s.checkEdges, s.checkVertices, s.checkConnected, s.checkPlanar} {
		if err := check(); err != nil {
			return nil, fmt.Errorf("geometry: mesh %q: %w", m.Name, err)
		}
	}
	model, err := newModel(fmt.Sprintf("mesh %q", m.Name), s.verts, s.mergeTol)
	if err != nil {
		return nil, err
	}
	h, err := model.polyhedron(model.hull, model.pts, nil, nil)
	if err != nil {
		return nil, err
	}
	first, err := s.checkConvex(h)
	if err != nil {
		return nil, fmt.Errorf("geometry: mesh %q: %w", m.Name, err)
	}
	p, err := model.exact(first)
	if err != nil {
		return nil, err
	}
	p.Name, p.WeldTol, p.Moved = m.Name, s.weldTol, p.Moved+s.moved
	single := func(x float64) bool { return float64(float32(x)) == x }
	p.single = !slices.ContainsFunc(m.Verts, func(v vec.Vec3) bool { return !single(v.X) || !single(v.Y) || !single(v.Z) })
	return p, nil
}

// checkConvex compares the surface with the hull h of its vertices. It returns for each face of h
// the first facet in it, or math.MaxInt if there is none.
func (s *weldedMesh) checkConvex(h *Polyhedron) (first []int, err error) {
	first = slices.Repeat([]int{math.MaxInt}, h.NFaces())
	volume, area := 0.0, 0.0
	middle := h.Mass.Centroid
	offsets := make([]float64, h.NFaces())
	for f, n := range h.Normals {
		offsets[f] = math.Inf(-1)
		for _, v := range h.Verts {
			offsets[f] = max(offsets[f], n.Dot(v.Sub(middle)))
		}
	}
	depth := func(v vec.Vec3) (face int, least float64) {
		v = v.Sub(middle)
		least = math.Inf(1)
		for f, n := range h.Normals {
			if d := offsets[f] - n.Dot(v); d < least {
				face, least = f, d
			}
		}
		return face, least
	}
	for k, v := range s.verts {
		if _, d := depth(v); d > s.mergeTol*depthRoom {
			return nil, s.notConvex(fmt.Sprintf("vertex %d lies %.3g inside the convex hull, tolerance %.3g", s.fileVert[k], d, s.mergeTol*depthRoom))
		}
	}
	for i, facet := range s.facets {
		// The distance to the nearest plane of the hull is a concave function. So three times its
		// value at the centre of a triangle bounds its value everywhere in the triangle.
		a := s.verts[facet[0]].Sub(middle)
		for j := 2; j < len(facet); j++ {
			b, c := s.verts[facet[j-1]].Sub(middle), s.verts[facet[j]].Sub(middle)
			centre := s.verts[facet[0]].AddScaled(1.0/3, b.Sub(a).Add(c.Sub(a)))
			face, d := depth(centre)
			if d > s.mergeTol*depthRoom {
				return nil, s.notConvex(fmt.Sprintf("face %d passes %.3g inside the convex hull, tolerance %.3g", s.fileFacet[i], d, s.mergeTol*depthRoom))
			}
			first[face] = min(first[face], i)
			volume += a.Dot(b.Cross(c))
			area += b.Sub(a).Cross(c.Sub(a)).Norm()
		}
	}
	volume, area = float64(volume/6), float64(area/2)
	// Facets that all lie on the hull and enclose its volume cover the hull. If their area is
	// larger, they fold back.
	want := h.area()
	if slack := float64(8*s.mergeTol*math.Sqrt(want)) + float64(1e-9*want); math.Abs(area-want) > slack*coverRoom {
		return nil, mark.Errorf(ErrSelfIntersecting, "its faces have the area %.9g, its convex hull %.9g, expected the same", area, want)
	}
	if slack := float64(8*s.mergeTol*want) + float64(1e-9*h.Mass.Volume); math.Abs(math.Abs(volume)-h.Mass.Volume) > slack {
		return nil, mark.Errorf(ErrSelfIntersecting, "it encloses the volume %.9g, its convex hull %.9g, expected the same", volume, h.Mass.Volume)
	}
	return first, nil
}

// depthRoom is how many tolerances deep under the hull a vertex of a face may lie. The hull's
// planes pass through the outermost of vertices that are spread by one tolerance, and merging may
// chain once.
// Smaller: rounded meshes are refused. Larger: dents pass as convex.
const depthRoom = 4

// coverRoom is the factor of the area tolerance. It covers slivers along the edges: sawteeth as
// high as one tolerance.
// Smaller: rounded meshes are refused.
const coverRoom = 16

// notConvex returns the error for a surface that is not its hull. If the surface intersects itself,
// the error names that as the cause.
func (s *weldedMesh) notConvex(what string) error {
	if a, b, ok := s.crossing(); ok {
		return mark.Errorf(ErrSelfIntersecting, "faces %d and %d cross: it cuts itself, expected faces that meet at edges and vertices only", s.fileFacet[a], s.fileFacet[b])
	}
	return mark.Errorf(ErrNotConvex, "%s: it is not convex, expected a body that is (`scree shape hull` makes any set of points convex)", what)
}
