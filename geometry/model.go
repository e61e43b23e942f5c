package geometry

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/scree-dem/scree/geometry/hull"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// model is the convex hull of points as it was modelled: facets within tol of one plane are one
// face.
//
// Files contain rounded coordinates, so such a face bends. Its plane is then not a plane of the
// hull of the vertices, and the hull has edges inside the face that the model does not list. exact
// turns the model into a polyhedron whose faces are planar: the vertices of each face lie in one
// plane to rounding.
type model struct {
	name   string
	base   vec.Vec3   // a point near the body, frame of the file; zero unless the body is far from the origin
	pts    []vec.Vec3 // m, relative to base; exact, because the coordinates of a body are multiples of nearly one unit
	tol    float64    // m
	hull   *hull.Hull // of pts, merged within tol
	round  float64    // m, the bend of a face that rounding alone explains
	planar float64    // m, the largest bend at which a face counts as planar
}

// farFromOrigin is the ratio of largest coordinate to size above which a body gets a frame of its
// own. Below it, the rounding of the coordinates is that of the size.
// Larger: faces bend by more than rounding.
const farFromOrigin = 1

// newModel builds the hull of points, merged within tol, m. The caller has checked the points with
// checkPoints and checkThickness.
func newModel(name string, pts []vec.Vec3, tol float64) (*model, error) {
	m := &model{name: name, pts: pts, tol: tol}
	box := vec.BoxAround(pts)
	size := box.Size().MaxAbs()
	if max(box.Min.MaxAbs(), box.Max.MaxAbs()) > farFromOrigin*size {
		m.base = box.Center()
		m.pts = make([]vec.Vec3, len(pts))
		for k, v := range pts {
			m.pts[k] = v.Sub(m.base)
		}
	}
	largest := 0.0
	for _, v := range m.pts {
		largest = max(largest, v.MaxAbs())
	}
	m.round, m.planar = float64(hull.RoundingLevel*largest), float64(planarTol*size/2)
	h, err := hull.Compute(m.pts, hull.Options{Merge: tol / size})
	switch {
	case errors.Is(err, hull.ErrCoincident), errors.Is(err, hull.ErrCollinear), errors.Is(err, hull.ErrCoplanar):
		return nil, mark.Errorf(ErrFlat, "geometry: %s: %w", name, err)
	case errors.Is(err, hull.ErrTooLong):
		return nil, mark.Errorf(ErrTooLarge, "geometry: %s: %w", name, err)
	case err != nil:
		return nil, fmt.Errorf("geometry: %s: %w", name, err)
	}
	m.hull = h
	return m, nil
}

// polyhedron returns the hull h of points pts in the frame of the file. Some points may have moved.
// of[f] is the face of the model that contains face f of h, or -1; of is nil if h has the faces of
// the model. first[g] is the first facet of the file in face g of the model. The faces of the
// result are sorted by first; if first is nil, they have the order of h.
func (m *model) polyhedron(h *hull.Hull, pts []vec.Vec3, of, first []int) (*Polyhedron, error) {
	local := inOrder(pts, h.Verts)
	verts := make([]vec.Vec3, len(local))
	for k, v := range local {
		verts[k] = v.Add(m.base)
	}
	order := make([]int, len(h.Faces))
	for f := range order {
		order[f] = f
	}
	if first != nil {
		key := func(f int) int {
			if of == nil {
				return first[f]
			} else if of[f] < 0 {
				return math.MaxInt
			}
			return first[of[f]]
		}
		slices.SortStableFunc(order, func(f, g int) int { return cmp.Compare(key(f), key(g)) })
	}
	p, err := assemble(m.name, verts, inOrder(h.Faces, order), inOrder(h.Normals, order))
	if err != nil {
		return nil, err
	}
	if m.base != (vec.Vec3{}) {
		shift := m.base.Sub(p.Mass.Centroid)
		for k, v := range local {
			local[k] = v.Add(shift)
		}
		p.local = local
	}
	p.MergeTol = m.tol
	if !p.Mass.solid() {
		return nil, mark.Errorf(ErrFlat, "geometry: %s: volume %.3g of a body %.3g long, expected one whose moments of inertia are above rounding",
			m.name, p.Mass.Volume, p.Box().Size().MaxAbs())
	}
	if of != nil {
		p.setLabels(inOrder(of, order))
	}
	return p, nil
}

// inOrder returns the elements of all at the indices in order.
func inOrder[T any](all []T, order []int) []T {
	out := make([]T, len(order))
	for to, from := range order {
		out[to] = all[from]
	}
	return out
}

// exact returns the polyhedron of the model, with faces that are planar to rounding. Its faces are
// ordered by the first facet of the file in each, as for polyhedron.
//
// exact first moves vertices as little as possible to make all faces planar. If a face needs a
// larger move than the tolerance, exact releases the face: its facets stay where the points put
// them, and Label tells which facets belong together. In either case the result is the hull of its
// vertices with all its facets, because exact recomputes the hull from the moved points.
func (m *model) exact(first []int) (*Polyhedron, error) {
	if m.hull.Spread <= m.planar && m.hull.Dent <= m.round {
		return m.polyhedron(m.hull, m.pts, nil, first)
	}
	released := make([]bool, len(m.hull.Faces))
	for {
		pts := m.flattened(released)
		if pts == nil {
			continue
		}
		p, again, err := m.rebuilt(pts, released, first)
		if err != nil || !again {
			return p, err
		}
	}
}

// flattened returns the points after moving vertices so that all faces not yet released are planar.
// It returns nil if it released more faces: faces that remain bent, and faces with a vertex that
// would move by more than the tolerance.
func (m *model) flattened(released []bool) []vec.Vec3 {
	verts := inOrder(m.pts, m.hull.Verts)
	var loops [][]int
	for f, loop := range m.hull.Faces {
		if !released[f] {
			loops = append(loops, loop)
		}
	}
	moved, ok := cleanBox(verts, loops, m.tol)
	if !ok {
		s := newFlattener(verts, loops)
		s.run(m.planar / 4)
		if moved = s.pts; m.releaseFar(verts, moved, released) {
			return nil
		}
	}
	pts := append([]vec.Vec3(nil), m.pts...)
	for k, i := range m.hull.Verts {
		pts[i] = moved[k]
	}
	return pts
}

// releaseFar releases the faces that are still bent after their vertices moved, and the faces with
// a vertex that moved by more than the tolerance. It reports whether it released any.
func (m *model) releaseFar(from, to []vec.Vec3, released []bool) (any bool) {
	for f, loop := range m.hull.Faces {
		if released[f] || len(loop) < 4 {
			continue
		}
		bad := false
		for _, k := range loop {
			bad = bad || !(to[k].Sub(from[k]).Norm() <= m.tol)
		}
		if face := newFlatFace(loop); bad || !(face.measure(to) <= m.round) {
			released[f], any = true, true
		}
	}
	return any
}

// rebuilt returns the hull of the model's vertices, where they moved to, and of all points near
// released faces. A point that the model left out may lie outside the new hull by more than the
// tolerance. Then rebuilt releases the face nearest to the point and returns again = true. The
// caller must then repeat.
func (m *model) rebuilt(pts []vec.Vec3, released []bool, first []int) (p *Polyhedron, again bool, err error) {
	const dropped, back, vertex = 0, 1, 2
	role := make([]int, len(pts))
	for _, i := range m.hull.Verts {
		role[i] = vertex
	}
	for i, v := range m.pts {
		if role[i] == vertex {
			continue
		}
		for f, n := range m.hull.Normals {
			if released[f] && m.hull.Offsets[f]-n.Dot(v) <= 2*m.tol {
				role[i] = back
				break
			}
		}
	}
	var used []int
	var kept []vec.Vec3
	for i, r := range role {
		if r != dropped {
			used = append(used, i)
			kept = append(kept, pts[i])
		}
	}
	h, err := hull.Compute(kept, hull.Options{})
	if err != nil {
		return nil, false, fmt.Errorf("geometry: %s: %w", m.name, err)
	}
	for k, i := range h.Verts {
		h.Verts[k] = used[i]
	}
	verts, moved := inOrder(pts, h.Verts), 0.0
	for _, i := range m.hull.Verts {
		moved = max(moved, pts[i].Sub(m.pts[i]).Norm())
	}
	for i, v := range m.pts {
		if role[i] != dropped {
			continue
		}
		_, out := nearest(verts, h.Normals, h.Offsets, func(f int) []int { return h.Faces[f] }, v)
		if math.IsInf(out, 1) {
			continue
		}
		if moved = max(moved, out); out <= m.tol {
			continue
		}
		face, least := -1, math.Inf(1)
		for f, n := range m.hull.Normals {
			if d := math.Abs(m.hull.Offsets[f] - n.Dot(v)); !released[f] && d < least {
				face, least = f, d
			}
		}
		if face >= 0 {
			released[face], again = true, true
		}
	}
	if again {
		return nil, true, nil
	}
	if p, err = m.polyhedron(h, pts, m.labels(h, pts), first); err != nil {
		return nil, false, err
	}
	p.Moved = moved
	return p, false, nil
}

// roundingMove times the size is how far importing may move a vertex without a warning. For files in
// single precision it is times the largest coordinate, the rounding of which importing undoes.
// Smaller: warnings of rounding. Larger: larger errors of depths are silent.
const roundingMove = 0x1p-23

// MoveWarning returns a warning about the vertices that FromMesh moved, or "" if they moved by no more
// than the rounding of files.
func (p *Polyhedron) MoveWarning() string {
	e := extentOf(vec.BoxAround(p.Verts))
	scale := e.size
	if p.single {
		scale = max(scale, e.coordinate)
	}
	if p.Moved <= float64(roundingMove*scale) {
		return ""
	}
	return fmt.Sprintf("vertices that nearly coincide or are nearly coplanar moved by up to %.3g m: depths may be off by as much", p.Moved)
}

// labels returns for each face of a hull the face of the model that contains it, or -1. A model's
// face contains it if all its vertices lie within twice the tolerance of the model's plane; the
// face with the nearest normal is taken.
func (m *model) labels(h *hull.Hull, pts []vec.Vec3) []int {
	label := make([]int, len(h.Faces))
	for f, loop := range h.Faces {
		label[f] = -1
		most := 0.5
		for g, n := range m.hull.Normals {
			c := n.Dot(h.Normals[f])
			if c <= most {
				continue
			}
			in := true
			for _, k := range loop {
				in = in && math.Abs(m.hull.Offsets[g]-n.Dot(pts[h.Verts[k]])) <= 2*m.tol
			}
			if in {
				label[f], most = g, c
			}
		}
	}
	return label
}

// setLabels sets Label from the numbers in of: faces with the same number are a group, and a face
// with -1 is a group by itself. Label is nil if no two faces share a number.
func (p *Polyhedron) setLabels(of []int) {
	largest := make(map[int]int)
	p.Label = make([]soa.Face, len(of))
	size := make([]float64, len(of))
	shared := false
	for f, g := range of {
		p.Label[f] = soa.Face(f)
		if g < 0 {
			continue
		}
		size[f] = hull.AreaVector(p.Verts, p.Loop(f)).Norm()
		most, ok := largest[g]
		shared = shared || ok
		if !ok || size[f] > size[most] {
			largest[g] = f
		}
	}
	if !shared {
		p.Label = nil
		return
	}
	for f, g := range of {
		if g >= 0 {
			p.Label[f] = soa.Face(largest[g])
		}
	}
}

// SplitFaces returns how many faces of the modelled body consist of several faces here, by Label.
func (p *Polyhedron) SplitFaces() int {
	members := make([]int, p.NFaces())
	split := 0
	for _, g := range p.Label {
		if members[g]++; members[g] == 2 {
			split++
		}
	}
	return split
}

// bend returns the largest bend, m, of a group of faces with the same label: the spread of its
// vertices along the sum of the faces' area vectors.
func (p *Polyhedron) bend(t *soa.Template) float64 {
	if p.Label == nil {
		return 0
	}
	area := make([]vec.Vec3, len(t.Normals))
	for f, g := range p.Label {
		area[g] = area[g].Add(hull.AreaVector(t.Verts, p.Loop(f)))
	}
	low, high := make([]float64, len(t.Normals)), make([]float64, len(t.Normals))
	for f := range low {
		low[f], high[f] = math.Inf(1), math.Inf(-1)
	}
	most := 0.0
	for f, g := range p.Label {
		n := area[g].Unit()
		for _, k := range p.Loop(f) {
			h := n.Dot(t.Verts[k])
			low[g], high[g] = min(low[g], h), max(high[g], h)
		}
		most = max(most, high[g]-low[g])
	}
	return most
}
