package geometry

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/scree-dem/scree/geometry/hull"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/vec"
)

// coplanarRel times the size of a mesh is how far off their common plane the vertices of merged facets
// may lie, and how far off the outline those that are dropped from it: what single precision and six
// printed digits leave of a flat side, as for mergeRel.
const coplanarRel = 1e-6

// MergeFacets returns the facets of a mesh, open or closed, as planar convex polygons in no more
// pieces than it can help, for a contact solver that gives each facet a spring of its own: a flat
// side must not become stiffer by being cut finer. Polygons of the mesh are cut into triangles
// first (see faceCutter). flat counts the triangles without an area, which are left out; so is all
// but the first of triangles with the same corners, whichever way they turn. Lengths and frame are
// those of the mesh.
//
// Facets belong together where they meet at an edge, on opposite sides of it, within coplanarRel
// of one plane; which way they turn does not matter, they are turned like the one with the lowest
// index. A region of such facets that is convex is one polygon, however it is triangulated.
// Another is merged pair by pair while the union is convex (Hertel and Mehlhorn 1983 do so with
// the diagonals of a polygon; here edges may end inside the region, so that no bound on the number
// of pieces holds), the longest edges first and then direction by direction: grids become cells,
// cells rows, rows rectangles. Vertices of a region of several facets are moved into its plane, by
// twice the tolerance at most; those of a facet alone keep their bits.
//
// The polygons are sorted by their lowest face, and start at their vertex of lowest index. Cost:
// sorting the edges, the rest is linear but for outlines, which are sorted too, and for edges at
// which many facets meet: each of n looks at the others. ErrTooLarge refuses the mesh after a
// number of looks.
//
// Errors wrap ErrEmpty, ErrTruncated, ErrNotFinite and ErrValue; for a polygon that is no surface
// ErrFlat, ErrSelfIntersecting and ErrTooLarge. A mesh whose facets are all flat gives no
// polygons.
func MergeFacets(m *Mesh) (polygons [][]vec.Vec3, flat int, err error) {
	g, flat, err := newFacetMerger(m)
	if err != nil {
		return nil, 0, err
	}
	for seed := range g.tris {
		if g.region[seed] < 0 {
			g.mergeFrom(seed)
		}
		if g.looks > g.most {
			return nil, 0, g.tooManyAtEdge(m.Name)
		}
	}
	slices.SortStableFunc(g.out, func(a, b mergedFacet) int { return cmp.Compare(a.first, b.first) })
	for _, f := range g.out {
		polygons = append(polygons, f.polygon)
	}
	return polygons, flat, nil
}

// facetMerger is one run of MergeFacets. Half-edge 3t+i runs from corner i of triangle t to the next.
type facetMerger struct {
	verts  []vec.Vec3
	tris   [][3]int
	tol    float64 // m: coplanarRel
	round  float64 // m: what rounding makes of a straight line
	around []int   // triangles by edge, ascending within an edge
	edge   [][2]int
	region []int  // of each triangle the lowest of its region, or -1
	turned []bool // whether a triangle was turned to agree with its region
	strict []bool // whether a triangle has been in a region that turned out to be curved
	link   []int  // of each half-edge the one on the other side, in the same region, or -1

	planeAt, planeN vec.Vec3  // of the region in hand
	x, y            []float64 // of the vertices of the region in hand: in its plane
	pairs           *pairMerger
	out             []mergedFacet

	looks, most int // at triangles across an edge: so far, and how many there may be
}

type mergedFacet struct {
	first   int
	polygon []vec.Vec3
}

// newFacetMerger checks the mesh, makes one vertex of equal ones, and cuts faces into triangles.
func newFacetMerger(m *Mesh) (g *facetMerger, flat int, err error) {
	if len(m.Verts) == 0 || len(m.Faces) == 0 {
		return nil, 0, mark.Errorf(ErrEmpty, "geometry: mesh %q: %d vertices and %d faces, expected one or more of either", m.Name, len(m.Verts), len(m.Faces))
	}
	if _, _, err := m.Used(); err != nil {
		return nil, 0, fmt.Errorf("geometry: mesh %q: %w", m.Name, err)
	}
	g = &facetMerger{}
	box := vec.EmptyBox()
	to := make([]int, len(m.Verts)) // by vertex of the file, plus one; 0 for those not met
	equal := make(map[vec.Vec3]int, len(m.Verts))
	there := make(map[[3]int]bool)
	var cutter faceCutter
	var ring []int
	for f, face := range m.Faces {
		ring = ring[:0]
		for _, k := range face {
			if to[k] > 0 {
				ring = append(ring, to[k]-1)
				continue
			}
			v := m.Verts[k]
			if err := checkCoordinate(v); err != nil {
				return nil, 0, fmt.Errorf("geometry: mesh %q: face %d: vertex %d: %w", m.Name, f, k, err)
			}
			box = box.With(v)
			at, ok := equal[v]
			if !ok {
				at = len(g.verts)
				g.verts = append(g.verts, v)
				equal[v] = at
			}
			to[k] = at + 1
			ring = append(ring, at)
		}
		cutter.verts = g.verts
		triangles, err := cutter.cut(ring, face)
		if err != nil {
			return nil, 0, fmt.Errorf("geometry: mesh %q: face %d: %w", m.Name, f, err)
		}
		for _, t := range triangles {
			if isFlat(g.verts, t) {
				flat++
				continue
			}
			sorted := t
			slices.Sort(sorted[:])
			if there[sorted] {
				continue
			}
			there[sorted] = true
			g.tris = append(g.tris, t)
		}
	}
	e := extentOf(box)
	g.tol, g.round = e.tolerance(coplanarRel), e.tolerance(planeRel)
	n := len(g.tris)
	g.most = freeEdgeLooks + edgeLooksEach*n
	g.region, g.turned, g.strict, g.link = slices.Repeat([]int{-1}, n), make([]bool, n), make([]bool, n), slices.Repeat([]int{-1}, 3*n)
	g.x, g.y = make([]float64, len(g.verts)), make([]float64, len(g.verts))
	g.sortEdges()
	return g, flat, nil
}

// sortEdges fills around, and edge with the range in it that each half-edge has.
func (g *facetMerger) sortEdges() {
	type sided struct{ lo, hi, half int }
	all := make([]sided, 0, 3*len(g.tris))
	for t, v := range g.tris {
		for i := range 3 {
			a, b := v[i], v[(i+1)%3]
			all = append(all, sided{min(a, b), max(a, b), 3*t + i})
		}
	}
	slices.SortFunc(all, func(a, b sided) int {
		return cmp.Or(cmp.Compare(a.lo, b.lo), cmp.Compare(a.hi, b.hi), cmp.Compare(a.half, b.half))
	})
	g.around, g.edge = make([]int, len(all)), make([][2]int, len(all))
	for i := 0; i < len(all); {
		j := i
		for j < len(all) && all[j].lo == all[i].lo && all[j].hi == all[i].hi {
			g.around[j] = all[j].half / 3
			j++
		}
		for _, s := range all[i:j] {
			g.edge[s.half] = [2]int{i, j}
		}
		i = j
	}
}

// turn reverses a triangle: half-edge 0 becomes 2, and back.
func (g *facetMerger) turn(t int) {
	v := &g.tris[t]
	v[1], v[2] = v[2], v[1]
	g.edge[3*t], g.edge[3*t+2] = g.edge[3*t+2], g.edge[3*t]
	g.turned[t] = !g.turned[t]
}

// mergeFrom takes the region of a triangle and emits its polygons.
func (g *facetMerger) mergeFrom(seed int) {
	members, ok := g.grow(seed, g.strict[seed])
	if !ok {
		// The plane has followed a curve. With the plane of the seed, it cannot; and none of these
		// triangles needs to try again, which keeps the cost linear.
		for _, t := range members {
			g.strict[t], g.region[t] = true, -1
			if g.turned[t] {
				g.turn(t)
			}
			for i := range 3 {
				g.link[3*t+i] = -1
			}
		}
		members, _ = g.grow(seed, true)
	}
	if len(members) == 1 {
		g.emit(seed, g.tris[seed][:], false)
		return
	}
	u := g.planeN.Perpendicular()
	w := g.planeN.Cross(u)
	area := 0.0
	var rim []int
	for _, t := range members {
		for _, k := range g.tris[t] {
			d := g.verts[k].Sub(g.planeAt)
			g.x[k], g.y[k] = u.Dot(d), w.Dot(d)
		}
		area += g.area(t)
		for i, k := range g.tris[t] {
			if g.link[3*t+i] < 0 {
				rim = append(rim, k, g.tris[t][(i+1)%3])
			}
		}
	}
	if corners, ok := g.outline(rim, area); ok {
		g.emit(seed, corners, true)
		return
	}
	g.mergePairs(members)
}

// area returns twice the area of a triangle in the plane of its region.
func (g *facetMerger) area(t int) float64 {
	v := g.tris[t]
	return g.cross(v[0], v[1], v[2])
}

// grow collects the triangles that are connected with the seed and coplanar with it, breadth first, and
// links them. The plane is that of what has been collected, weighted by area: each triangle alone may
// be too small to know it. strict keeps the plane of the seed. ok is false where the plane has moved so
// that not all vertices are near it.
func (g *facetMerger) grow(seed int, strict bool) (members []int, ok bool) {
	from := g.verts[g.tris[seed][0]]
	var weight float64
	var area, middle vec.Vec3
	add := func(t int) {
		g.region[t] = seed
		members = append(members, t)
		if strict && t != seed {
			return
		}
		v := g.tris[t]
		a := hull.AreaVector(g.verts, v[:])
		m := a.Norm()
		sum := g.verts[v[0]].Sub(from).Add(g.verts[v[1]].Sub(from)).Add(g.verts[v[2]].Sub(from))
		area, middle, weight = area.Add(a), middle.AddScaled(m, sum), weight+m
		g.planeN = area.Unit()
		g.planeAt = from.Add(middle.Scale(1 / (3 * weight)))
	}
	add(seed)
	for i := 0; i < len(members) && g.looks <= g.most; i++ {
		t := members[i]
		for j := range 3 {
			if g.link[3*t+j] < 0 {
				g.linkAcross(t, j, seed, add)
			}
		}
	}
	for _, t := range members {
		for _, k := range g.tris[t] {
			if !(math.Abs(g.height(k)) <= float64(2*g.tol)) {
				return members, false
			}
		}
	}
	return members, true
}

// linkAcross links half-edge j of triangle t with the first triangle beyond it that is coplanar, which is
// added to the region unless it is there. More than two triangles may meet at an edge, as where a wall
// stands on a floor.
func (g *facetMerger) linkAcross(t, j, seed int, add func(t int)) {
	a, b := g.tris[t][j], g.tris[t][(j+1)%3]
	e := g.edge[3*t+j]
	for _, c := range g.around[e[0]:e[1]] {
		if g.looks++; c == t || g.region[c] >= 0 && g.region[c] != seed {
			continue
		}
		at := slices.Index(g.tris[c][:], a)
		forwards := g.tris[c][(at+1)%3] == b // as in t, so c is turned the other way
		apex := g.tris[c][(at+1)%3]
		if forwards {
			apex = g.tris[c][(at+2)%3]
		}
		along := g.verts[a].Sub(g.verts[b])
		beyond := g.planeN.Dot(along.Cross(g.verts[apex].Sub(g.verts[b]))) / along.Norm()
		if !(math.Abs(g.height(apex)) <= g.tol && beyond >= -g.tol) {
			continue
		}
		if g.region[c] < 0 {
			if forwards {
				g.turn(c)
			}
			add(c)
		} else if forwards {
			continue
		}
		back := 3*c + slices.Index(g.tris[c][:], b)
		if g.link[back] < 0 {
			g.link[3*t+j], g.link[back] = back, 3*t+j
			return
		}
	}
}

// height returns how far a vertex lies above the plane of the region, m.
func (g *facetMerger) height(k int) float64 { return g.planeN.Dot(g.verts[k].Sub(g.planeAt)) }

// emit writes a polygon, into the plane of the region where it is of several facets.
func (g *facetMerger) emit(first int, corners []int, level bool) {
	lowest := 0
	if level {
		lowest = slices.Index(corners, slices.Min(corners))
	}
	polygon := make([]vec.Vec3, len(corners))
	for i := range corners {
		k := corners[(lowest+i)%len(corners)]
		polygon[i] = g.verts[k]
		if level {
			polygon[i] = polygon[i].AddScaled(-g.height(k), g.planeN)
		}
	}
	g.out = append(g.out, mergedFacet{first, polygon})
}
