package surface

import "github.com/scree-dem/scree/vec"

// addTurns notes where else the ridges around a flat piece that is not convex end its material:
// see addTurn.
func (p *prismMaker) addTurns(flat *flatPiece, side int) {
	if flat.convex {
		return
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
				p.addTurn(side, at, e, &edges[j])
			}
		}
	}
}

// addTurn lets the plane of a ridge go on beside an edge that goes on from its end and lies wholly
// on the inner side of that plane, as it does beside a convex piece. With an end square to the
// ridge, a block that comes over the ridge would be deep at once in what is beyond that end.
func (p *prismMaker) addTurn(side int, at vec.Vec3, e, next *facetEdge) {
	along, way := e.from(at).Neg(), next.from(at)
	n := p.facets[e.facet].side()
	if side == 1 {
		n = n.Neg()
	}
	over := func(own bool) float64 { return e.outward.AddScaled(p.rateOf(e, side, own), n).Dot(way) }
	if along.Dot(way) > leastTurn && over(false) < -leastTurn && over(true) < -leastTurn {
		r := ridge{*e, []border{{at, e.outward}, {at, along.Neg()}, {at, next.outward}, {next.beyond(at), way}}}
		r.a, r.b = at, at
		p.ridges[side] = append(p.ridges[side], r)
	}
}
