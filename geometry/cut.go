package geometry

import (
	"slices"

	"github.com/scree-dem/scree/geometry/hull"
	"github.com/scree-dem/scree/internal/disjoint"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// How close to the plane a vertex counts as on it, so that a cut through a vertex, an edge or a
// face makes no splinters: cutRel times the mean thickness (what is so left out is 3e-14 of the
// volume at most), plus roundRel times the size and coordinateRel times the largest coordinate (the
// rounding of vertices), plus twice the spread. With less, a plane that the caller computed through
// a vertex misses it by rounding.
const (
	cutRel   = 0x1p-46
	roundRel = 0x1p-51
)

// Cut parts the polyhedron by the plane n·v = d, in its frame; n need not be unit. below is where
// n·v < d. When one side is empty, or thinner than rounding, it is nil and the other is p itself.
//
// Faces are clipped along their half-edges (Sutherland & Hodgman 1974), never rebuilt: what is left
// of a face keeps its normal, both sides share the vertices on the plane to the bit, and volume,
// first and second moments of the sides add up to those of p: to 1e-13 of them for a body whose
// faces are planar, that is at least 1/100 as thick as long and that lies where its coordinates are
// not much larger than it is; else to Spread, 1e-15·size and 1e-15·|coordinate| per thickness.
// Vertices and faces keep their order; new vertices follow in the order of the edges they lie on,
// the new face is the last. Cost: linear in the half-edges. Errors: a plane that is none, and
// ErrTooLarge.
func (p *Polyhedron) Cut(n vec.Vec3, d float64) (below, above *Polyhedron, err error) {
	length := n.Norm()
	if !(length > 1e-140 && length < 1e140) || d-d != 0 {
		return nil, nil, mark.Errorf(ErrValue, "geometry: %s: plane (%g, %g, %g)·v = %g, expected a finite one",
			p.Name, n.X, n.Y, n.Z, d)
	}
	c := newCutter(p, n.Scale(1/length), d/length)
	if !slices.Contains(c.sign, -1) {
		return nil, p, nil
	}
	if !slices.Contains(c.sign, 1) {
		return p, nil, nil
	}
	c.cross()
	if below, err = c.side(-1); err != nil {
		return nil, nil, err
	}
	if above, err = c.side(1); err != nil {
		return nil, nil, err
	}
	switch {
	case below == nil && above == nil:
		return nil, nil, mark.Errorf(ErrBroken, "geometry: %s: cut by (%g, %g, %g)·v = %g: no side has a volume, expected one that has",
			p.Name, n.X, n.Y, n.Z, d)
	case below == nil:
		return nil, p, nil
	case above == nil:
		return p, nil, nil
	}
	return below, above, nil
}

// cutter is a polyhedron, a plane, and where they meet.
type cutter struct {
	p      *Polyhedron
	normal vec.Vec3
	height []vec.Twofold // of each vertex above the plane
	sign   []int8        // -1 below, 0 on, 1 above; the vertices added lie on the plane
	verts  []vec.Vec3
	cutAt  []int // by half-edge: the vertex added on it, or -1
	weld   float64
}

func newCutter(p *Polyhedron, n vec.Vec3, d float64) *cutter {
	c := &cutter{p: p, normal: n}
	tol := extentOf(p.Box()).tolerance(roundRel) + float64(cutRel*p.thickness()) + float64(2*p.Spread)
	c.weld = tol * 0x1p-4
	normal := vec.Difference(n, vec.Vec3{})
	for _, v := range p.Verts {
		// Twofold precision: a body far from the origin is cut where the plane is, not near there.
		h := vec.Difference(v, vec.Vec3{}).Dot(normal).Sub(vec.Twofold{Hi: d})
		c.height = append(c.height, h)
		switch f := h.Float(); {
		case f < -tol:
			c.sign = append(c.sign, -1)
		case f > tol:
			c.sign = append(c.sign, 1)
		default:
			c.sign = append(c.sign, 0)
		}
	}
	return c
}

// thickness returns twice the volume over the area: of a sheet its thickness.
func (p *Polyhedron) thickness() float64 { return 2 * p.Mass.Volume / p.area() }

// area returns the area of the faces, m².
func (p *Polyhedron) area() float64 {
	twice := 0.0
	for f := range p.Normals {
		twice += hull.AreaVector(p.Verts, p.Loop(f)).Norm()
	}
	return float64(twice / 2)
}

// cross adds a vertex on every edge that passes through the plane.
func (c *cutter) cross() {
	p := c.p
	c.verts = append([]vec.Vec3(nil), p.Verts...)
	c.cutAt = make([]int, len(p.Tail))
	for h, w := range p.Twin {
		if soa.HalfEdge(h) > w {
			continue
		}
		c.cutAt[h], c.cutAt[w] = -1, -1
		a, b := p.Tail[h], p.Tail[w]
		if c.sign[a]*c.sign[b] >= 0 {
			continue
		}
		// v = a + t(b-a), t = height(a)/(height(a)-height(b)), rounded once.
		t := c.height[a].Div(c.height[a].Sub(c.height[b]))
		along := vec.Difference(p.Verts[b], p.Verts[a])
		v := vec.Difference(p.Verts[a], vec.Vec3{}).Add(along.Scale(t)).Float()
		c.cutAt[h], c.cutAt[w] = len(c.verts), len(c.verts)
		c.verts = append(c.verts, v)
		c.sign = append(c.sign, 0)
	}
}

// side builds what lies on one side of the plane, or nil when that has no volume in float64.
func (c *cutter) side(keep int8) (*Polyhedron, error) {
	p := c.p
	var loops [][]int
	var normals []vec.Vec3
	for f := range p.Normals {
		if loop := c.clip(f, keep); len(loop) > 2 {
			loops = append(loops, loop)
			normals = append(normals, p.Normals[f])
		}
	}
	cap, ok := capOf(loops)
	if !ok {
		return nil, mark.Errorf(ErrBroken, "geometry: %s: cut by normal (%g, %g, %g): the section is not one polygon, expected one",
			p.Name, c.normal.X, c.normal.Y, c.normal.Z)
	}
	loops, normals = append(loops, cap), append(normals, c.normal.Scale(-float64(keep)))
	c.weldShort(loops)
	if loops, normals = dropStraight(withoutShort(loops, normals)); len(loops) < 4 {
		return nil, nil
	}
	verts := inOrder(c.verts, renumber(loops, len(c.verts)))
	q, err := assemble(p.Name, verts, loops, normals)
	if err != nil {
		return nil, err
	}
	q.WeldTol, q.MergeTol, q.Moved = p.WeldTol, p.MergeTol, p.Moved
	if !q.Mass.solid() {
		return nil, nil
	}
	return q, nil
}

// clip returns the part of a face on one side; nothing when the face has no vertex strictly there.
func (c *cutter) clip(f int, keep int8) []int {
	p := c.p
	var loop []int
	inside := false
	for h := p.LoopFirst[f]; h < p.LoopFirst[f+1]; h++ {
		if s := c.sign[p.Tail[h]]; s != -keep {
			loop = append(loop, int(p.Tail[h]))
			inside = inside || s == keep
		}
		if c.cutAt[h] >= 0 {
			loop = append(loop, c.cutAt[h])
		}
	}
	if !inside {
		return nil
	}
	return loop
}

// capOf returns the loop that closes the loops: their edges without a twin, backwards. ok is false
// when these are not one loop.
func capOf(loops [][]int) (loop []int, ok bool) {
	passed := make(map[edgeKey]bool)
	for _, e := range edges(loops) {
		passed[e] = true
	}
	next, open := make(map[int]int), 0
	for _, e := range edges(loops) {
		if passed[edgeKey{e.b, e.a}] {
			continue
		}
		if open++; open == 1 {
			loop = append(loop, e.b)
		}
		next[e.b] = e.a
	}
	if open < 3 || len(next) != open {
		return nil, false
	}
	for {
		k, there := next[loop[len(loop)-1]]
		if !there || k == loop[0] || len(loop) == open {
			return loop, there && k == loop[0] && len(loop) == open
		}
		loop = append(loop, k)
	}
}

// weldShort makes one of added vertices that follow each other in the section, the last loop, and are
// closer than rounding: where the plane passes a sharp vertex.
func (c *cutter) weldShort(loops [][]int) {
	one := disjoint.New[int](len(c.verts))
	section := loops[len(loops)-1]
	for i, a := range section {
		b := section[(i+1)%len(section)]
		if max(a, b) >= len(c.p.Verts) && c.verts[a].Sub(c.verts[b]).MaxAbs() <= c.weld {
			one.Join(a, b)
		}
	}
	for f, loop := range loops {
		loops[f] = renamed(loop, one.Lowest)
	}
}

// withoutShort drops the faces that have fewer than three vertices left.
func withoutShort(loops [][]int, normals []vec.Vec3) ([][]int, []vec.Vec3) {
	n := 0
	for f, loop := range loops {
		if len(loop) > 2 {
			loops[n], normals[n] = loop, normals[f]
			n++
		}
	}
	return loops[:n], normals[:n]
}

// dropStraight takes out the vertices that two faces alone share, until there are none, and the
// faces that have fewer than three left. They occur where the plane runs along a face within
// rounding, so that several vertices of that face count as on it: there the face and the section
// are one within rounding.
func dropStraight(loops [][]int, normals []vec.Vec3) ([][]int, []vec.Vec3) {
	for changed := true; changed; {
		changed = false
		faces := make(map[int]int)
		for _, loop := range loops {
			for _, k := range loop {
				faces[k]++
			}
		}
		for f, loop := range loops {
			loops[f] = slices.DeleteFunc(loop, func(k int) bool { return faces[k] <= 2 })
			changed = changed || len(loops[f]) < len(loop)
		}
		loops, normals = withoutShort(loops, normals)
	}
	return loops, normals
}
