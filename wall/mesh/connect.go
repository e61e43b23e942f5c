package mesh

import (
	"cmp"
	"math"
	"slices"

	"github.com/scree-dem/scree/internal/halfedge"
	"github.com/scree-dem/scree/vec"
)

// Connect determines how the facets are connected. Cost: a hash look-up for each corner, and a sort
// of the edges; for each edge that matches no other from end to end, look-ups in proportion to its
// length.
func (m *WallMesh) Connect() {
	if m.first != nil {
		return
	}
	m.seam = max(float64(float64(0.5*SeamRel)*m.box.Max.Sub(m.box.Min).MaxAbs()), float64(roundedAt*m.extent))
	m.makeLoops(m.facets.Weld(m.seam))
	around, of := m.sortEdges()
	if m.splitEdges(around, of) {
		around, of = m.sortEdges()
	}
	m.link(around, of)
	m.orient()
	m.findFlat()
	m.findTouching()
}

// makeLoops makes the loops of vertices of all facets. vertex has the vertex of each corner.
func (m *WallMesh) makeLoops(vertex []int32, verts []vec.Vec3) {
	m.verts = verts
	n := m.Len()
	m.first, m.thin = append(make([]int32, 0, n+1), 0), make([]bool, n)
	m.loop, m.edge = make([]int32, 0, m.facets.NCorners()), make([]uint16, 0, m.facets.NCorners())
	for f := range n {
		at := len(m.loop)
		for k, c := range m.facets.Loop(f) {
			v, loop := vertex[c], m.loop[at:]
			if len(loop) == 0 || loop[len(loop)-1] != v && loop[0] != v {
				m.loop, m.edge = append(m.loop, v), append(m.edge, uint16(k))
			} else if loop[len(loop)-1] == v {
				m.edge[len(m.edge)-1] = uint16(k)
			}
		}
		m.first = append(m.first, int32(len(m.loop)))
		m.thin[f] = m.narrow(m.loop[at:])
	}
}

// narrow reports whether a polygon of vertices is narrower than a seam.
func (m *WallMesh) narrow(loop []int32) bool {
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

// Loop returns the vertices around facet f, including those on its edges.
func (m *WallMesh) Loop(f int) []int32 { return m.loop[m.first[f]:m.first[f+1]] }

// IsThin reports whether facet f is narrower than a seam. It is then connected to no other facet.
func (m *WallMesh) IsThin(f int) bool { return m.thin[f] }

// Edge returns the edge of the polygon of facet f that starts or continues at vertex k of its loop.
func (m *WallMesh) Edge(f, k int) int { return int(m.edge[int(m.first[f])+k]) }

// Ends returns the vertices of edge k of the loop of facet f.
func (m *WallMesh) Ends(f, k int) (a, b int32) {
	loop := m.Loop(f)
	return loop[k], loop[(k+1)%len(loop)]
}

// Vert returns the place of a vertex.
func (m *WallMesh) Vert(v int32) vec.Vec3 { return m.verts[v] }

// Seam returns the width of a gap that counts as none, m. It depends on the size of the wall, wherever
// the wall lies in its frame.
func (m *WallMesh) Seam() float64 { return m.seam }

// sortEdges returns the half-edges of all facets that are not thin, as halfedge.ByEdge does, and sets
// m.owner.
func (m *WallMesh) sortEdges() (around []int32, of []halfedge.Span) {
	m.owner = make([]int32, len(m.loop))
	for f := range m.Len() {
		for h := m.first[f]; h < m.first[f+1]; h++ {
			m.owner[h] = int32(f)
		}
	}
	return halfedge.ByEdge(len(m.loop), len(m.verts), func(h int32) (a, b int32) {
		f := m.owner[h]
		if m.thin[f] {
			return alone, alone
		}
		next := h + 1
		if next == m.first[f+1] {
			next = m.first[f]
		}
		return m.loop[h], m.loop[next]
	})
}

// halfEdge is the edge of a facet's loop from the vertex at index at to the next.
type halfEdge struct{ facet, at int }

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
// not connected. Smaller: the plane is rounding. Larger: blades of thin wedges have no inside.
const folded = 0x1p-20

// link sets the half-edge connected across each half-edge. A wall ends, or is folded, where there is
// none. If more than two facets meet, two of them are connected if they bend by less than 60°, and by
// less than with any other facet. The others end there.
func (m *WallMesh) link(around []int32, of []halfedge.Span) {
	m.next, m.crowded = make([]int32, len(m.loop)), make(map[int32]bool)
	for f := range m.Len() {
		for h := m.first[f]; h < m.first[f+1]; h++ {
			m.next[h] = alone
			s := of[h]
			if m.thin[f] || s.To-s.From < 2 {
				continue
			}
			m.next[h] = shared
			least := folded
			if s.To-s.From > 2 {
				least = straightOn
			}
			all := around[s.From:s.To]
			at, cosine := m.straightest(all, h)
			if at < 0 || !(1+cosine > least) {
				continue
			}
			if back, _ := m.straightest(all, all[at]); back >= 0 && all[back] == h {
				m.next[h] = all[at]
				if len(all) > 2 {
					m.crowded[h] = true
				}
			}
		}
	}
}

// straightest returns the index in all, the half-edges of one edge, of the facet with the least bend
// relative to half-edge from, and the cosine of the bend. It returns -1 if two facets bend equally, or
// if a facet has the edge twice.
func (m *WallMesh) straightest(all []int32, from int32) (at int, cosine float64) {
	own := int(m.owner[from])
	start, normal := m.loop[from], m.Normal(own)
	at, cosine = -1, -2
	second := cosine
	for k, h := range all {
		if h == from {
			continue
		}
		f := int(m.owner[h])
		if f == own {
			return -1, cosine
		}
		c := normal.Dot(m.Normal(f))
		if m.loop[h] == start {
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

// Across returns the facet connected to facet f across edge k of its loop, and whether it passes the
// edge in the opposite direction. It returns -1 if the wall ends or is folded at the edge.
func (m *WallMesh) Across(f, k int) (other int, opposite bool) {
	h := m.next[int(m.first[f])+k]
	if h < 0 {
		return -1, false
	}
	a, _ := m.Ends(f, k)
	return int(m.owner[h]), m.loop[h] != a
}

// Bend returns the normal of the facet across edge k of the loop of facet f, on side 0. ok is false if
// there is no such facet, or if the surface is not orientable there, like a Möbius strip.
func (m *WallMesh) Bend(f, k int) (normal vec.Vec3, ok bool) {
	g, opposite := m.Across(f, k)
	if g < 0 || (m.flip[f] == m.flip[g]) != opposite {
		return normal, false
	}
	return m.Outward(g, 0), true
}

// splitEdges inserts vertices that lie on edges of a single facet into the loop of that facet. It
// reports whether there are any.
func (m *WallMesh) splitEdges(around []int32, of []halfedge.Span) (split bool) {
	type open struct {
		halfEdge
		a, b int32
	}
	var edges []open
	length := 0.0
	for f := range m.Len() {
		for k := range m.Loop(f) {
			if s := of[int(m.first[f])+k]; !m.thin[f] && s.To-s.From == 1 {
				a, b := m.Ends(f, k)
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
	// By half-edge: the vertices on it.
	on := make(map[int32][]int32)
	added := 0
	for _, e := range edges {
		if v := m.onEdge(m.verts[e.a], m.verts[e.b], width, cells); len(v) > 0 {
			on[m.first[e.facet]+int32(e.at)] = v
			added += len(v)
		}
	}
	if added == 0 {
		return false
	}
	loop, edge, first := make([]int32, 0, len(m.loop)+added), make([]uint16, 0, len(m.loop)+added), make([]int32, 1, len(m.first))
	for f := range m.Len() {
		for h := m.first[f]; h < m.first[f+1]; h++ {
			loop, edge = append(loop, m.loop[h]), append(edge, m.edge[h])
			for _, v := range on[h] {
				loop, edge = append(loop, v), append(edge, m.edge[h])
			}
		}
		first = append(first, int32(len(loop)))
	}
	m.loop, m.edge, m.first = loop, edge, first
	return true
}

// cellOf returns the cell of the given width, m, that contains a point.
func cellOf(x vec.Vec3, width float64) [3]int64 {
	return [3]int64{int64(math.Floor(x.X / width)), int64(math.Floor(x.Y / width)), int64(math.Floor(x.Z / width))}
}

// onEdge returns the vertices within a seam of the interior of edge ab, in order along it. cells
// lists the vertices by cells of the given width.
func (m *WallMesh) onEdge(a, b vec.Vec3, width float64, cells map[[3]int64][]int32) (on []int32) {
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
func (m *WallMesh) orient() {
	n := m.Len()
	m.part, m.flip = slices.Repeat([]int32{-1}, n), make([]bool, n)
	var queue []int
	for first := range n {
		if m.part[first] >= 0 {
			continue
		}
		m.part[first] = int32(m.parts)
		queue = append(queue[:0], first)
		for i := 0; i < len(queue); i++ {
			f := queue[i]
			for k := range m.Loop(f) {
				if g, opposite := m.Across(f, k); g >= 0 && m.part[g] < 0 {
					m.part[g], m.flip[g] = int32(m.parts), m.flip[f] == opposite
					queue = append(queue, g)
				}
			}
		}
		m.parts++
	}
}

// Part returns the connected part of facet f, from 0 to below Parts.
func (m *WallMesh) Part(f int) int { return int(m.part[f]) }

// Parts returns the number of connected parts.
func (m *WallMesh) Parts() int { return m.parts }

// IsFlipped reports whether the normal of facet f points to side 1 of its part.
func (m *WallMesh) IsFlipped(f int) bool { return m.flip[f] }

// Outward returns the normal of facet f on a side of its part, away from the material there.
func (m *WallMesh) Outward(f, side int) vec.Vec3 {
	if m.flip[f] != (side == 1) {
		return m.Normal(f).Neg()
	}
	return m.Normal(f)
}

// NotClosed is the result of ClosedSides for a part that encloses no volume.
const NotClosed = -1

// ClosedSides returns, by part, the side that has the enclosed volume behind it, or NotClosed if the
// part has an open edge, or an edge with more than two facets.
func (m *WallMesh) ClosedSides() []int {
	volume, sides := make([]float64, m.parts), make([]int, m.parts)
	for f := range m.Len() {
		for k := range m.Loop(f) {
			if _, ok := m.Bend(f, k); !ok || m.crowded[m.first[f]+int32(k)] {
				sides[m.part[f]] = NotClosed
			}
		}
		// Relative to one corner, so that the position of the wall does not matter.
		middle, area := m.Middle(f)
		volume[m.part[f]] += float64(area * m.Outward(f, 0).Dot(middle.Sub(m.verts[0])))
	}
	for k, v := range volume {
		if sides[k] != NotClosed && v < 0 {
			sides[k] = 1
		}
	}
	return sides
}

// findFlat finds the flat pieces.
func (m *WallMesh) findFlat() {
	n := m.Len()
	m.flat = slices.Repeat([]int32{-1}, n)
	for first := range n {
		if m.flat[first] < 0 {
			m.eachOfPiece(first, func(f int) { m.flat[f] = int32(first) })
		}
	}
}

// Flat returns the first facet of the flat piece of facet f, which stands for the piece.
func (m *WallMesh) Flat(f int) int { return int(m.flat[f]) }

// Piece returns the facets of the flat piece that begins with facet first, in the order of their
// distance from it.
func (m *WallMesh) Piece(first int) (facets []int) {
	m.eachOfPiece(first, func(f int) { facets = append(facets, f) })
	return facets
}

// eachOfPiece calls found for the facets of the flat piece that begins with facet first.
func (m *WallMesh) eachOfPiece(first int, found func(f int)) {
	found(first)
	if m.Group(first) == 0 {
		return
	}
	seen := map[int]bool{first: true}
	queue := []int{first}
	for i := 0; i < len(queue); i++ {
		f := queue[i]
		for k := range m.Loop(f) {
			if g, _ := m.Across(f, k); g >= 0 && !seen[g] && m.Group(g) == m.Group(f) {
				seen[g] = true
				found(g)
				queue = append(queue, g)
			}
		}
	}
}

// findTouching lists the facets of each vertex.
func (m *WallMesh) findTouching() {
	m.touch = make([]int32, len(m.verts)+1)
	for _, v := range m.loop {
		m.touch[v+1]++
	}
	for v := range m.verts {
		m.touch[v+1] += m.touch[v]
	}
	m.touching = make([]int32, len(m.loop))
	at := slices.Clone(m.touch)
	for f := range m.Len() {
		for _, v := range m.Loop(f) {
			m.touching[at[v]] = int32(f)
			at[v]++
		}
	}
}

// Touching returns the facets that have a vertex, rising.
func (m *WallMesh) Touching(v int32) []int32 { return m.touching[m.touch[v]:m.touch[v+1]] }

// MostTouching returns the vertex with the most facets, and their number.
func (m *WallMesh) MostTouching() (v int32, most int) {
	for u := range m.verts {
		if n := int(m.touch[u+1] - m.touch[u]); n > most {
			v, most = int32(u), n
		}
	}
	return v, most
}
