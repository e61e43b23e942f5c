package surface

import "github.com/scree-dem/scree/vec"

// addTurns adds the other regions in which the ridges around a flat piece that is not convex end
// its material, at some corners: see addTurn.
func (p *backingMaker) addTurns(to []ridge, flat *flatPiece, side int, corners map[vec.Vec3]bool) []ridge {
	if flat.convex {
		return to
	}
	edges := p.borderOf(flat)
	ends := make(map[vec.Vec3][]int)
	for k := range edges {
		ends[edges[k].a] = append(ends[edges[k].a], k)
		ends[edges[k].b] = append(ends[edges[k].b], k)
	}
	for k := range edges {
		e := &edges[k]
		if e.onSide(side) >= -evenRate {
			continue
		}
		for _, at := range [2]vec.Vec3{e.a, e.b} {
			for _, j := range ends[at] {
				if corners[at] {
					to = p.addTurn(to, side, at, e, &edges[j])
				}
			}
		}
	}
	return to
}

// addTurn extends the plane of ridge e beside the edge next, which continues from e's end, if next
// lies wholly on the inner side of that plane. A convex piece ends in the same way. With an end
// perpendicular to the ridge instead, a block that comes over the ridge would be deep at once in
// the material beyond that end.
func (p *backingMaker) addTurn(to []ridge, side int, at vec.Vec3, e, next *facetEdge) []ridge {
	along, way := e.from(at).Neg(), next.from(at)
	n := p.Outward(e.facet, side)
	over := func(own bool) float64 { return e.outward.AddScaled(p.rateOf(e, side, own), n).Dot(way) }
	if along.Dot(way) > leastTurn && over(false) < -leastTurn && over(true) < -leastTurn {
		r := ridge{*e, []border{{at, e.outward}, {at, along.Neg()}, {at, next.outward}, {next.beyond(at), way}}}
		r.a, r.b = at, at
		to = append(to, r)
		p.looks.add(ridgeLooks)
	}
	return to
}
