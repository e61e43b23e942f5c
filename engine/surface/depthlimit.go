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

// limitDepths sets the DepthLimit of both sides of the facets of a flat piece, all: half the distance to
// the next nearly parallel facet behind it, searched for up to twice the depth that blocks feel. Inside
// a closed part, only the facets of that part count; other parts end no material there. looks counts
// looks at facets that touch.
func (p *backingMaker) limitDepths(flat *flatPiece, all []BackedFacet) {
	if p.tree == nil {
		p.boxes = make([]vec.Box, p.Len())
		var corners []vec.Vec3
		for k := range p.boxes {
			corners = p.Corners(corners[:0], k)
			p.boxes[k] = vec.BoxAround(corners)
		}
		p.tree = boxtree.New(p.boxes)
	}
	r := depthLimiter{seam: p.Seam()}
	for j, i := range flat.facets {
		f := &all[j]
		f.Side[0].DepthLimit, f.Side[1].DepthLimit = math.Inf(1), math.Inf(1)
		for k := range p.tree.Over(p.boxes[i].Enlarged(2 * p.depth)) {
			if i == k || !(math.Abs(f.Normal.Dot(p.Outward(k, 0))) > backCosine) {
				continue
			}
			if p.touch(i, k) {
				p.looks.add(len(f.Side[0].Prisms) + len(f.Side[1].Prisms))
			}
			if p.looks.spent() {
				return
			}
			r.corners = p.Corners(r.corners[:0], k)
			for side := range f.Side {
				if p.Part(i) == p.Part(k) || side != p.insides[p.Part(i)] {
					r.behind(f, side)
				}
			}
		}
	}
}

// depthLimiter is memory for the polygons that limitDepths cuts.
type depthLimiter struct {
	seam          float64 // m
	polygon, next []vec.Vec3
	corners       []vec.Vec3 // of the other facet
}

// behind reduces the DepthLimit of a side of f if the facet with the corners r.corners is behind it.
func (r *depthLimiter) behind(f *BackedFacet, side int) {
	for k := range f.Side[side].Prisms {
		if d := r.distance(&f.Side[side].Prisms[k], r.corners); d > r.seam {
			f.Side[side].DepthLimit = min(f.Side[side].DepthLimit, 0.5*d)
		}
	}
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
