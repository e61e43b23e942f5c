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

// model is the convex hull of points as somebody modelled it: facets within tol of one plane are one face.
//
// Coordinates of files are rounded, so such a face bends. Its plane is then no plane of the hull of the vertices, and
// what is within the face is in no list of features. exact makes of the model a polyhedron of planes: faces
// whose vertices lie in one plane to rounding.
type model struct {
	name  string
	base  vec.Vec3   // a point near the body, frame of the file; zero unless the body is far from the origin
	pts   []vec.Vec3 // m, less base: exact, since coordinates of one body are multiples of nearly one unit
	tol   float64    // m
	hull  *hull.Hull // of pts, merged within tol
	round float64    // m, what a face may bend by rounding
	level float64    // m, what a face may bend and be level
}

// farFromOrigin is the ratio of the largest coordinate to the size above which a body is treated in a frame of its own: up to
// there the rounding of its coordinates is that of its size.
const farFromOrigin = 1

// newModel builds the hull of points that are known to have one.
func newModel(name string, pts []vec.Vec3, tol float64) (*model, error) {
	m := &model{name: name, pts: pts, tol: tol}
	box := boxOf(pts)
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
	m.round, m.level = float64(hull.RoundingLevel*largest), float64(levelTol*size/2)
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

// polyhedron returns a hull of the points, some of which may have moved, in the frame of the file. of has for each face
// the face of the model that it is part of, or -1; nil if they are the same. Faces have the order of the first facets of
// the file in those of the model, or that of the hull if first is nil.
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

// inOrder returns what stands at the places in order.
func inOrder[T any](all []T, order []int) []T {
	out := make([]T, len(order))
	for to, from := range order {
		out[to] = all[from]
	}
	return out
}

// exact returns the polyhedron of the model whose faces are planar to rounding, in the order that polyhedron has them by
// the first facets of the file.
//
// Vertices move first, by as little as makes all faces planar. Where that is more than the tolerance, the faces there are
// released: their facets stay as the points say, and Label tells which belong together. Either way the result is the
// hull of its vertices with all its facets, for it is computed anew from the points that moved.
func (m *model) exact(first []int) (*Polyhedron, error) {
	if m.hull.Spread <= m.level {
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

// flattened returns the points with the vertices of the faces that are not released moved into planes. It returns nil
// after it released more faces: those that stay bent, and those of vertices that would move by more than the tolerance.
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
		s.run(m.level / 4)
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

// releaseFar releases the faces that are still bent after their vertices moved, and those with a vertex that moved by more than
// the tolerance. It reports whether there was any.
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

// rebuilt returns the hull of the vertices of the model where they moved to, and of all points near released faces. It
// asks to be called again after it released a face because a point that the model left out would end up farther outside
// than the tolerance.
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

// labels returns for each face of a hull the face of the model that it lies in, -1 for none: the one whose normal is
// nearest of those that have all its vertices within twice the tolerance.
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

// setLabels sets Label from numbers that faces share which are one, of which -1 is nobody's; to nil if no two share one.
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

// SplitFaces returns how many faces of the body as modelled are several here, for Label.
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

// bend returns how far the vertices of faces of one label lie from a plane, at worst, m: the height of their layer along the
// sum of the faces' area vectors.
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
