package surface

import (
	"math"

	"github.com/scree-dem/scree/internal/boxtree"
	"github.com/scree-dem/scree/overlap"
	"github.com/scree-dem/scree/vec"
)

// backCosine is the cosine of 30°. A facet behind another one counts as the other side of its wall
// if it is parallel to within this angle. A steeper facet, like a rib under a floor, ends no
// material.
// Smaller: ribs end the material. Larger: blocks act through tapered plates.
const backCosine = 0.8660254037844386

// limitDepths sets the DepthLimit of both sides of all facets of a wall: half the distance to the next
// nearly parallel facet behind it, searched for up to depth, m. Inside a closed part, only the
// facets of that part count; other parts end no material there.
//
// p made the material, and counts looks at facets that touch. insides is by part (see closedSides).
// first is the number of the wall's first part among all walls.
func limitDepths(facets []BackedFacet, p *backingMaker, depth float64, insides []int, first int) {
	boxes := make([]vec.Box, len(facets))
	for i := range facets {
		boxes[i] = boxAround(facets[i].Corners)
		facets[i].Side[0].DepthLimit, facets[i].Side[1].DepthLimit = math.Inf(1), math.Inf(1)
	}
	r := depthLimiter{seam: p.seam}
	tree := boxtree.New(boxes)
	for i := range facets {
		f := &facets[i]
		for k := range tree.Over(boxes[i].Enlarged(depth)) {
			if g := &facets[k]; i != k && math.Abs(f.Normal.Dot(g.Normal)) > backCosine {
				if p.touch(i, k) {
					p.looks.add(len(f.Side[0].Prisms) + len(f.Side[1].Prisms))
				}
				if p.looks.spent() {
					return
				}
				for side := range f.Side {
					if f.Part == g.Part || side != insides[f.Part-first] {
						r.behind(f, side, g)
					}
				}
			}
		}
	}
}

// depthLimiter is memory for the polygons that limitDepths cuts.
type depthLimiter struct {
	seam          float64 // m
	polygon, next []vec.Vec3
}

// behind reduces the DepthLimit of a side of f if facet g is behind it.
func (r *depthLimiter) behind(f *BackedFacet, side int, g *BackedFacet) {
	for k := range f.Side[side].Prisms {
		if d := r.distance(&f.Side[side].Prisms[k], g.Corners); d > r.seam {
			f.Side[side].DepthLimit = min(f.Side[side].DepthLimit, 0.5*d)
		}
	}
}

// notClosed is the entry of a part that encloses no volume.
const notClosed = -1

// closedSides returns, by part, the side that has the enclosed volume behind it. The entry is
// notClosed if the part has an open edge, or an edge with more than two facets.
func (m *facetMesh) closedSides(parts int) []int {
	volume, sides := make([]float64, parts), make([]int, parts)
	for i := range m.facets {
		f := &m.facets[i]
		for k := range f.loop {
			if _, ok := m.bend(i, k); !ok || len(m.half[m.keyOf(i, k)]) > 2 {
				sides[f.part] = notClosed
			}
		}
		// Relative to one corner, so that the position of the wall does not matter.
		volume[f.part] += float64(f.Area * f.outward(0).Dot(f.Middle.Sub(m.verts[0])))
	}
	for k, v := range volume {
		if sides[k] != notClosed && v < 0 {
			sides[k] = 1
		}
	}
	return sides
}

// distance returns the least depth of the part of a polygon that lies in a prism, m, or +Inf if
// there is no such part. A seam inside the prism's sides is left out, because neighbours are there.
func (r *depthLimiter) distance(p *overlap.Backing, corners []vec.Vec3) float64 {
	r.polygon = r.polygon[:0]
	deepest := math.Inf(-1)
	for _, x := range corners {
		x = x.Sub(p.Corner)
		r.polygon = append(r.polygon, x)
		deepest = max(deepest, -p.Normal.Dot(x))
	}
	if !(deepest > r.seam) {
		return math.Inf(1)
	}
	for k := range p.Sides {
		least := math.Inf(1)
		for _, x := range r.polygon {
			least = min(least, p.Sides[k].Normal.Dot(x))
		}
		if least > p.Sides[k].Offset-r.seam {
			return math.Inf(1)
		}
	}
	r.cut(p.Normal, 0)
	for k := range p.Sides {
		r.cut(p.Sides[k].Normal, p.Sides[k].Offset-r.seam)
	}
	least := math.Inf(1)
	for _, x := range r.polygon {
		least = min(least, -p.Normal.Dot(x))
	}
	return least
}

// cut removes the part of the polygon beyond the plane n·x = d.
func (r *depthLimiter) cut(n vec.Vec3, d float64) {
	r.next = r.next[:0]
	for k, x := range r.polygon {
		y := r.polygon[(k+1)%len(r.polygon)]
		hx, hy := n.Dot(x)-d, n.Dot(y)-d
		if hx <= 0 {
			r.next = append(r.next, x)
		}
		if (hx <= 0) != (hy <= 0) {
			r.next = append(r.next, x.AddScaled(hx/(hx-hy), y.Sub(x)))
		}
	}
	r.polygon, r.next = r.next, r.polygon
}
