package surface

import (
	"cmp"
	"math"
	"slices"

	"github.com/scree-dem/scree/vec"
)

// facetMesh is the facets of a wall with their connections. Corners within a seam of each other are
// one vertex. An edge with corners of other facets on it is a chain of edges between them. Frame:
// the wall's.
type facetMesh struct {
	seam   float64 // m, width of a gap that counts as none
	verts  []vec.Vec3
	facets []meshFacet
	half   map[[2]int32][]halfEdge // by keyOf; never ranged over
}

// meshFacet is a facet of a facetMesh. Its edges run around its own normal.
type meshFacet struct {
	WallFacet
	loop []int32 // vertices around it, including those on its edges
	edge []int   // by vertex of loop: the edge of the polygon that starts or continues there
	part int     // index of its connected part of the wall
	flip bool    // its normal points to side 1 of its part

	sliver bool // narrower than a seam: it is connected to no other facet
}

// halfEdge is the edge of a facet's loop from the vertex at index at to the next.
type halfEdge struct{ facet, at int }

// newFacetMesh determines how facets are connected. Cost: a few map look-ups for each corner; for
// each edge that matches no other from end to end, look-ups in proportion to its length.
func newFacetMesh(facets []WallFacet, seam float64) *facetMesh {
	m := &facetMesh{seam: seam, half: make(map[[2]int32][]halfEdge)}
	cells := make(map[[3]int64][]int32)
	for i := range facets {
		f := meshFacet{WallFacet: facets[i], part: -1}
		for k, x := range facets[i].Corners {
			if v := m.weld(x, cells); len(f.loop) == 0 || f.loop[len(f.loop)-1] != v && f.loop[0] != v {
				f.loop, f.edge = append(f.loop, v), append(f.edge, k)
			} else if len(f.loop) > 0 && f.loop[len(f.loop)-1] == v {
				f.edge[len(f.edge)-1] = k
			}
		}
		f.sliver = m.narrow(f.loop)
		m.facets = append(m.facets, f)
	}
	m.meet()
	if m.splitEdges() {
		clear(m.half)
		m.meet()
	}
	m.orient()
	return m
}

// narrow reports whether a polygon of vertices is narrower than a seam.
func (m *facetMesh) narrow(loop []int32) bool {
	if len(loop) < 3 {
		return true
	}
	longest, area := 0.0, vec.Vec3{}
	for k, v := range loop {
		x := m.verts[v].Sub(m.verts[loop[0]])
		longest = max(longest, x.Norm())
		area = area.Add(x.Cross(m.verts[loop[(k+1)%len(loop)]].Sub(m.verts[loop[0]])))
	}
	return area.Norm() <= float64(m.seam*longest)
}

// weld returns the vertex of corner x: the first within a seam of x, or a new one.
func (m *facetMesh) weld(x vec.Vec3, cells map[[3]int64][]int32) int32 {
	width, room := 4*m.seam, vec.V(m.seam, m.seam, m.seam)
	from, to := cellOf(x.Sub(room), width), cellOf(x.Add(room), width)
	for i := from[0]; i <= to[0]; i++ {
		for j := from[1]; j <= to[1]; j++ {
			for k := from[2]; k <= to[2]; k++ {
				for _, v := range cells[[3]int64{i, j, k}] {
					if m.verts[v].Sub(x).Norm2() <= float64(m.seam*m.seam) {
						return v
					}
				}
			}
		}
	}
	v := int32(len(m.verts))
	m.verts = append(m.verts, x)
	at := cellOf(x, width)
	cells[at] = append(cells[at], v)
	return v
}

// cellOf returns the cell of the given width, m, that contains a point.
func cellOf(x vec.Vec3, width float64) [3]int64 {
	return [3]int64{int64(math.Floor(x.X / width)), int64(math.Floor(x.Y / width)), int64(math.Floor(x.Z / width))}
}

// meet lists the facets of each edge in m.half.
func (m *facetMesh) meet() {
	for f := range m.facets {
		if m.facets[f].sliver {
			continue
		}
		for k := range m.facets[f].loop {
			key := m.keyOf(f, k)
			m.half[key] = append(m.half[key], halfEdge{f, k})
		}
	}
}

// ends returns the vertices of edge k of the loop of facet f.
func (m *facetMesh) ends(f, k int) (a, b int32) {
	loop := m.facets[f].loop
	return loop[k], loop[(k+1)%len(loop)]
}

// keyOf returns the vertices of edge k of the loop of facet f, the lower first.
func (m *facetMesh) keyOf(f, k int) [2]int32 {
	a, b := m.ends(f, k)
	return [2]int32{min(a, b), max(a, b)}
}

// If more than two facets meet at an edge, straightOn and alikeBends select the two that are
// connected. straightOn is 1 plus the cosine of the largest bend between them: 60°, at which three
// facets may be evenly spaced. Two bends count as equal if their cosines differ by at most
// alikeBends, the rounding of normals of facets as small as a seam.
// Smaller straightOn: rounding may decide which two continue. Larger straightOn: continuing facets
// end at the edge. Smaller alikeBends: rounding decides which of two facets continues. Larger
// alikeBends: facets end where one continues.
const (
	straightOn = 1.5
	alikeBends = 0x1p-30
)

// folded is 1 plus the cosine of a bend. Below it two facets lie back to back on each other and are
// not connected.
// Smaller: the plane is rounding. Larger: blades of thin wedges have no inside.
const folded = 0x1p-20

// across returns the facet connected to facet f across edge k, and whether it runs along the edge
// in the opposite direction. It returns -1 if the wall ends or is folded at the edge. If more than
// two facets meet, two of them are connected if they bend by less than 60°, and by less than with
// any other facet. The others end there.
func (m *facetMesh) across(f, k int) (other int, opposite bool) {
	all := m.half[m.keyOf(f, k)]
	if m.facets[f].sliver || len(all) < 2 {
		return -1, false
	}
	least := folded
	if len(all) > 2 {
		least = straightOn
	}
	at, cosine := m.straightest(all, halfEdge{f, k})
	if at < 0 || !(1+cosine > least) {
		return -1, false
	}
	h := all[at]
	if back, _ := m.straightest(all, h); back < 0 || all[back] != (halfEdge{f, k}) {
		return -1, false
	}
	_, b := m.ends(f, k)
	c, _ := m.ends(h.facet, h.at)
	return h.facet, c == b
}

// straightest returns the index in all of the facet with the least bend relative to from, and the
// cosine of the bend. It returns -1 if two facets bend equally, or if a facet has the edge twice.
func (m *facetMesh) straightest(all []halfEdge, from halfEdge) (at int, cosine float64) {
	a, _ := m.ends(from.facet, from.at)
	at, cosine = -1, -2
	second := cosine
	for k, h := range all {
		if h == from {
			continue
		}
		if h.facet == from.facet {
			return -1, cosine
		}
		c := m.facets[from.facet].Normal.Dot(m.facets[h.facet].Normal)
		if start, _ := m.ends(h.facet, h.at); start == a {
			c = -c // both run the same way, so one of the normals is reversed
		}
		if c > cosine {
			at, cosine, second = k, c, cosine
		} else {
			second = max(second, c)
		}
	}
	if second > cosine-alikeBends {
		return -1, cosine
	}
	return at, cosine
}

// splitEdges inserts vertices that lie on edges of a single facet into the loop of that facet. It
// reports whether there are any.
func (m *facetMesh) splitEdges() (split bool) {
	type open struct {
		halfEdge
		a, b int32
	}
	var edges []open
	length := 0.0
	for f := range m.facets {
		for k := range m.facets[f].loop {
			if !m.facets[f].sliver && len(m.half[m.keyOf(f, k)]) == 1 {
				a, b := m.ends(f, k)
				edges = append(edges, open{halfEdge{f, k}, a, b})
				length += m.verts[a].Sub(m.verts[b]).Norm()
			}
		}
	}
	if len(edges) == 0 {
		return false
	}
	width := max(length/float64(len(edges)), 8*m.seam)
	cells, seen := make(map[[3]int64][]int32), make(map[int32]bool)
	for _, e := range edges {
		for _, v := range [2]int32{e.a, e.b} {
			if at := cellOf(m.verts[v], width); !seen[v] {
				seen[v] = true
				cells[at] = append(cells[at], v)
			}
		}
	}
	// Insert from the last edge of a facet to its first, so that the indices of earlier edges stay
	// valid.
	for n := len(edges) - 1; n >= 0; n-- {
		e := &edges[n]
		on := m.onEdge(m.verts[e.a], m.verts[e.b], width, cells)
		split = split || len(on) > 0
		f := &m.facets[e.facet]
		f.loop = slices.Insert(f.loop, e.at+1, on...)
		f.edge = slices.Insert(f.edge, e.at+1, slices.Repeat([]int{f.edge[e.at]}, len(on))...)
	}
	return split
}

// onEdge returns the vertices within a seam of the interior of edge ab, in order along it. cells
// lists the vertices by cells of the given width.
func (m *facetMesh) onEdge(a, b vec.Vec3, width float64, cells map[[3]int64][]int32) (on []int32) {
	type place struct {
		v int32
		t float64
	}
	var found []place
	d := b.Sub(a)
	length := d.Norm()
	samples := int(math.Ceil(length / width))
	for s := 0; s <= samples; s++ {
		at := a.AddScaled(float64(s)/float64(max(samples, 1)), d)
		for i := range 27 {
			step := vec.V(float64(i%3-1), float64(i/3%3-1), float64(i/9-1))
			for _, v := range cells[cellOf(at.AddScaled(width, step), width)] {
				x := m.verts[v].Sub(a)
				t := x.Dot(d) / length
				if t > m.seam && t < length-m.seam && x.AddScaled(-t/length, d).Norm2() <= float64(m.seam*m.seam) {
					found = append(found, place{v, t})
				}
			}
		}
	}
	slices.SortStableFunc(found, func(p, q place) int { return cmp.Or(cmp.Compare(p.t, q.t), cmp.Compare(p.v, q.v)) })
	for _, p := range found {
		on = append(on, p.v)
	}
	return slices.Compact(on)
}

// orient finds the connected parts of the wall, and orients the facets of each part like its first
// facet.
func (m *facetMesh) orient() {
	parts := 0
	var queue []int
	for first := range m.facets {
		if m.facets[first].part >= 0 {
			continue
		}
		m.facets[first].part = parts
		for queue = append(queue[:0], first); len(queue) > 0; {
			at := queue[0]
			f := &m.facets[at]
			queue = queue[1:]
			for k := range f.loop {
				if g, opposite := m.across(at, k); g >= 0 && m.facets[g].part < 0 {
					m.facets[g].part, m.facets[g].flip = parts, f.flip == opposite
					queue = append(queue, g)
				}
			}
		}
		parts++
	}
}

// outward returns the normal of the facet on a side of its part, away from the material there.
func (f *meshFacet) outward(side int) vec.Vec3 {
	if f.flip != (side == 1) {
		return f.Normal.Neg()
	}
	return f.Normal
}

// bend returns the normal of the facet across edge k of facet f, on the same side. ok is false if
// there is no such facet, or if the surface is not orientable there, like a Möbius strip.
func (m *facetMesh) bend(f, k int) (normal vec.Vec3, ok bool) {
	g, opposite := m.across(f, k)
	if g < 0 || (m.facets[f].flip == m.facets[g].flip) != opposite {
		return normal, false
	}
	return m.facets[g].outward(0), true
}
