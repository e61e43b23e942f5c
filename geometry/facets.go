package geometry

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/scree-dem/scree/geometry/hull"
	"github.com/scree-dem/scree/internal/halfedge"
	"github.com/scree-dem/scree/vec"
)

// coplanarRel times the size of a mesh is the tolerance of MergeFacets. It limits how far the
// vertices of merged facets may lie off their common plane, and how far dropped vertices may lie
// off the outline. Like mergeRel, it covers the error that single precision and six printed digits
// cause on a flat side.
// Smaller: flat sides of files stay many facets, and that many times as stiff. Larger: detail of
// 1e-6 vanishes.
const coplanarRel = 1e-6

// MergeFacets returns the facets of a wall: a mesh, open or closed, as planar convex polygons. It makes as
// few polygons as it can. It serves contact solvers that give each facet a spring of its own: a
// flat side must not become stiffer if it is divided more finely. Lengths and frame are those of
// the mesh.
//
// MergeFacets first cuts polygons of the mesh into triangles (see faceCutter). flat counts the
// triangles without an area, which are left out. Of several triangles with the same corners, in
// either orientation, only the first is used.
//
// Two facets belong together if they meet at an edge, lie on opposite sides of the edge, and lie
// within coplanarRel of one plane. Their orientation does not matter: each is turned like the facet
// of its region with the lowest index. A region of such facets that is convex becomes one polygon,
// however it is triangulated. Any other region is merged pair by pair while the union is convex
// (Hertel and Mehlhorn 1983, who remove diagonals of a polygon). Here edges may end inside the
// region, so their bound on the number of pieces does not hold. The longest edges are removed
// first, then edges by direction: in a grid, triangles become cells, cells rows, and rows
// rectangles. Vertices of a region of several facets move into its plane, by at most twice the
// tolerance. Vertices of a single facet keep their bits.
//
// The polygons are sorted by their lowest face, and start at their vertex of lowest index. Cost:
// sorting edges and outlines; the rest is linear, except for an edge at which n facets meet: each
// is compared with the others. If a mesh needs too many such comparisons, MergeFacets returns
// ErrTooLarge.
//
// Errors wrap ErrEmpty, ErrTruncated, ErrNotFinite and ErrValue; for a polygon that is no surface
// ErrFlat, ErrSelfIntersecting and ErrTooLarge. If all facets of a mesh are flat, there are
// none.
func MergeFacets(m *Mesh) (facets *WallFacets, flat int, err error) {
	g, flat, err := newFacetMerger(m)
	if err != nil {
		return nil, 0, err
	}
	for seed := range g.tris {
		if g.region[seed] < 0 {
			g.mergeFrom(seed)
		}
		if g.compared > g.most {
			return nil, 0, g.tooManyAtEdge(m.Name)
		}
	}
	slices.SortStableFunc(g.out, func(a, b mergedFacet) int { return cmp.Compare(a.first, b.first) })
	facets = newFacets(len(g.out))
	for _, f := range g.out {
		if err := facets.add(f.polygon); err != nil {
			return nil, 0, err
		}
	}
	return facets.closed(), flat, nil
}

// facetMerger is one run of MergeFacets. Half-edge 3t+i runs from corner i of triangle t to the
// next.
type facetMerger struct {
	verts  []vec.Vec3
	tris   [][3]int
	tol    float64         // m: the tolerance of coplanarRel
	round  float64         // m: how far rounding may move a point off a straight line
	around []int32         // half-edges by edge, ascending within an edge
	edge   []halfedge.Span // of each half-edge: the range of its edge in around
	region []int           // of each triangle: the lowest triangle of its region, or -1
	turned []bool          // of each triangle: whether it was turned to agree with its region
	strict []bool          // of each triangle: whether it was in a region that turned out to be curved
	link   []int           // of each half-edge: its opposite half-edge in the same region, or -1

	planeAt, planeN vec.Vec3  // of the current region
	x, y            []float64 // of each vertex of the current region: its coordinates in the plane
	pairs           *pairMerger
	out             []mergedFacet

	compared, most int // comparisons of triangles across an edge: so far, and the limit
}

type mergedFacet struct {
	first   int
	polygon []vec.Vec3
}

// newFacetMerger checks the mesh, merges equal vertices, and cuts faces into triangles.
func newFacetMerger(m *Mesh) (g *facetMerger, flat int, err error) {
	if _, err := m.check(); err != nil {
		return nil, 0, err
	}
	g = &facetMerger{}
	box := vec.EmptyBox()
	to := make([]int, len(m.Verts)) // of each vertex of the file: its new number plus one; 0 if not yet met
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
	g.most = freeComparisons + comparisonsEach*n
	g.region, g.turned, g.strict, g.link = slices.Repeat([]int{-1}, n), make([]bool, n), make([]bool, n), slices.Repeat([]int{-1}, 3*n)
	g.x, g.y = make([]float64, len(g.verts)), make([]float64, len(g.verts))
	g.around, g.edge = halfedge.ByEdge(3*n, len(g.verts), func(h int32) (a, b int32) {
		t, i := h/3, h%3
		return int32(g.tris[t][i]), int32(g.tris[t][(i+1)%3])
	})
	return g, flat, nil
}

// turn reverses a triangle: half-edges 0 and 2 swap.
func (g *facetMerger) turn(t int) {
	v := &g.tris[t]
	v[1], v[2] = v[2], v[1]
	g.edge[3*t], g.edge[3*t+2] = g.edge[3*t+2], g.edge[3*t]
	g.turned[t] = !g.turned[t]
}

// mergeFrom finds the region of a triangle and emits its polygons.
func (g *facetMerger) mergeFrom(seed int) {
	members, ok := g.grow(seed, g.strict[seed])
	if !ok {
		// The plane has followed a curved surface. The fixed plane of the seed cannot. None of
		// these triangles tries a moving plane again, which keeps the cost linear.
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

// area returns twice the area of a triangle in the plane of its region, m².
func (g *facetMerger) area(t int) float64 {
	v := g.tris[t]
	return g.cross(v[0], v[1], v[2])
}

// grow collects the triangles that are connected with the seed and coplanar with it, breadth first,
// and links them. The plane is the mean plane of the collected triangles, weighted by area, because
// a single triangle may be too small to define the plane. If strict is set, the plane of the seed
// is used. ok is false if the plane has moved so far that not all vertices are near it.
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
	for i := 0; i < len(members) && g.compared <= g.most; i++ {
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

// linkAcross links half-edge j of triangle t with the first triangle across the edge that is
// coplanar. That triangle is added to the region if it is not yet a member. More than two triangles
// may meet at an edge, for example where a wall stands on a floor.
func (g *facetMerger) linkAcross(t, j, seed int, add func(t int)) {
	a, b := g.tris[t][j], g.tris[t][(j+1)%3]
	e := g.edge[3*t+j]
	for _, h := range g.around[e.From:e.To] {
		c := int(h / 3)
		if g.compared++; c == t || g.region[c] >= 0 && g.region[c] != seed {
			continue
		}
		at := slices.Index(g.tris[c][:], a)
		forwards := g.tris[c][(at+1)%3] == b // the same direction as in t, so c is turned the other way
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

// height returns how far vertex k lies above the plane of the region, m.
func (g *facetMerger) height(k int) float64 { return g.planeN.Dot(g.verts[k].Sub(g.planeAt)) }

// emit appends a polygon to out. If several is set, the region has several facets. The polygon then
// starts at its lowest vertex, and its vertices are projected onto the plane of the region.
func (g *facetMerger) emit(first int, corners []int, several bool) {
	lowest := 0
	if several {
		lowest = slices.Index(corners, slices.Min(corners))
	}
	polygon := make([]vec.Vec3, len(corners))
	for i := range corners {
		k := corners[(lowest+i)%len(corners)]
		polygon[i] = g.verts[k]
		if several {
			polygon[i] = polygon[i].AddScaled(-g.height(k), g.planeN)
		}
	}
	g.out = append(g.out, mergedFacet{first, polygon})
}
