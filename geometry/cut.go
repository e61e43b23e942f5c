package geometry

import (
	"slices"

	"github.com/scree-dem/scree/geometry/hull"
	"github.com/scree-dem/scree/internal/disjoint"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// A vertex counts as on the plane if its distance from the plane is at most a tolerance. The
// tolerance is cutRel times the mean thickness of the body, roundRel times its size, coordinateRel
// times its largest coordinate, and twice its spread, added. Then a cut through a vertex, an edge
// or a face makes no splinters. The first term drops at most 3e-14 of the volume; the next two
// cover the rounding of vertices. With a smaller tolerance, a plane that the caller computed
// through a vertex would miss the vertex by rounding.
const (
	cutRel   = 0x1p-46
	roundRel = 0x1p-51
)

// Cut divides the polyhedron by the plane n·v = d, given in the frame of p. n need not be unit.
// below is the part with n·v < d, above the part with n·v > d. If one side is empty, or thinner
// than rounding, Cut returns nil for that side and p itself for the other.
//
// Cut clips the faces along their half-edges (Sutherland & Hodgman 1974) and never rebuilds them.
// So clipped faces keep their normals, and both sides share the vertices on the plane bit by bit.
// Volume, first and second moments of the two sides add up to the values of p. The relative error
// of the sum is 1e-13 for a body with planar faces that is at least 1/100 as thick as long. Its
// coordinates must not be much larger than its size. Otherwise the error is that of Spread,
// 1e-15·size and 1e-15·|coordinate|, each divided by the thickness.
//
// Vertices and faces keep their order, and faces that share a Label still share one. New vertices follow in the order of the edges they lie on,
// and the new face is the last one. The cost is linear in the number of half-edges. Errors wrap
// ErrValue for a plane that is not finite, is more than 1e308 from the origin, or has a normal near zero; ErrTooLarge for a side with
// too many vertices or half-edges; and ErrBroken if the section is not one polygon, or neither side
// has a volume.
func (p *Polyhedron) Cut(n vec.Vec3, d float64) (below, above *Polyhedron, err error) {
	length := n.Norm()
	offset := d / length
	if !(length > 1e-140 && length < 1e140) || offset-offset != 0 {
		return nil, nil, mark.Errorf(ErrValue, "geometry: %s: plane (%g, %g, %g)·v = %g, expected a finite one",
			p.Name, n.X, n.Y, n.Z, d)
	}
	c := newCutter(p, n.Scale(1/length), offset)
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

// cutter holds a polyhedron, a plane, and their intersection.
type cutter struct {
	p      *Polyhedron
	normal vec.Vec3
	height []vec.Twofold // of each vertex above the plane, m
	sign   []int8        // of each vertex: -1 below, 0 on, 1 above the plane; the added vertices lie on the plane
	verts  []vec.Vec3
	cutAt  []int   // of each half-edge: the vertex added on it, or -1
	weld   float64 // m, the distance within which two added vertices become one
}

func newCutter(p *Polyhedron, n vec.Vec3, d float64) *cutter {
	c := &cutter{p: p, normal: n}
	tol := extentOf(p.Box()).tolerance(roundRel) + float64(cutRel*p.thickness()) + float64(2*p.Spread)
	c.weld = tol * 0x1p-4
	normal := vec.Difference(n, vec.Vec3{})
	for _, v := range p.Verts {
		// Heights in twofold precision: a body far from the origin is cut at the plane itself.
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

// thickness returns twice the volume over the area. For a thin plate this is its thickness.
func (p *Polyhedron) thickness() float64 { return 2 * p.Mass.Volume / p.area() }

// area returns the area of the faces, m².
func (p *Polyhedron) area() float64 {
	twice := 0.0
	for f := range p.Normals {
		twice += hull.AreaVector(p.Verts, p.Loop(f)).Norm()
	}
	return float64(twice / 2)
}

// cross adds a vertex on every edge that crosses the plane.
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
		// v = a + t(b-a) with t = height(a)/(height(a)-height(b)), rounded once.
		t := c.height[a].Div(c.height[a].Sub(c.height[b]))
		along := vec.Difference(p.Verts[b], p.Verts[a])
		v := vec.Difference(p.Verts[a], vec.Vec3{}).Add(along.Scale(t)).Float()
		c.cutAt[h], c.cutAt[w] = len(c.verts), len(c.verts)
		c.verts = append(c.verts, v)
		c.sign = append(c.sign, 0)
	}
}

// side builds the part of the body on one side of the plane: keep is -1 for below, 1 for above. It
// returns nil if the part has no volume in float64.
func (c *cutter) side(keep int8) (*Polyhedron, error) {
	p := c.p
	var loops [][]int
	var from []int // of each loop: the face of p that it was clipped from; -1 for the section
	for f := range p.Normals {
		if loop := c.clip(f, keep); len(loop) > 2 {
			loops = append(loops, loop)
			from = append(from, f)
		}
	}
	cap, ok := capOf(loops)
	if !ok {
		return nil, mark.Errorf(ErrBroken, "geometry: %s: cut by normal (%g, %g, %g): the section is not one polygon, expected one",
			p.Name, c.normal.X, c.normal.Y, c.normal.Z)
	}
	loops, from = append(loops, cap), append(from, -1)
	c.weldShort(loops)
	if loops, from = dropStraight(withoutShort(loops, from)); len(loops) < 4 {
		return nil, nil
	}
	normals, labels := make([]vec.Vec3, len(from)), make([]int, len(from))
	for i, f := range from {
		normals[i], labels[i] = c.normal.Scale(-float64(keep)), -1
		if f >= 0 {
			normals[i] = p.Normals[f]
			if p.Label != nil {
				labels[i] = int(p.Label[f])
			}
		}
	}
	verts := inOrder(c.verts, renumber(loops, len(c.verts)))
	q, err := assemble(p.Name, verts, loops, normals)
	if err != nil {
		return nil, err
	}
	q.WeldTol, q.MergeTol, q.Moved, q.single = p.WeldTol, p.MergeTol, p.Moved, p.single
	if !q.Mass.solid() {
		return nil, nil
	}
	q.setLabels(labels)
	return q, nil
}

// clip returns the part of face f on the side keep. It returns nil if no vertex of the face lies
// strictly on that side.
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

// capOf returns the loop that closes the loops: the edges without a twin, backwards. ok is false if
// these edges do not form one loop.
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

// weldShort welds added vertices that are neighbours in the section (the last loop) and closer than
// rounding. Such vertices occur if the plane passes close to a sharp vertex.
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

// withoutShort drops the faces that have fewer than three vertices.
func withoutShort(loops [][]int, from []int) ([][]int, []int) {
	n := 0
	for f, loop := range loops {
		if len(loop) > 2 {
			loops[n], from[n] = loop, from[f]
			n++
		}
	}
	return loops[:n], from[:n]
}

// dropStraight removes the vertices that only two faces share, and then the faces with fewer than
// three vertices. It repeats both until no such vertex remains. Such vertices occur if the plane
// runs along a face within rounding, so that several vertices of the face count as on the plane.
// The face and the section are then equal within rounding.
func dropStraight(loops [][]int, from []int) ([][]int, []int) {
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
		loops, from = withoutShort(loops, from)
	}
	return loops, from
}
