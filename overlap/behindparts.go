package overlap

import "github.com/scree-dem/scree/vec"

// A prism may begin at some of its sides as well as at the facet's plane. Depth then is the least
// distance from all these planes, so it is 0 wherever a block may enter. The prism is divided into
// parts, one for each of these planes: the points that are nearest to the plane. A part is a prism
// under its plane that narrows with depth, because its sides are the bisecting planes to the other
// planes.

// UnderFacet names the part of a prism whose points are nearest to the facet's plane.
const UnderFacet = -1

// oneWay is the largest angle, rad, between two planes that count as parallel: the bisecting plane
// of nearly parallel planes would be rounding.
// Smaller: material may count twice. Larger: material counts by the nearer plane at one place only.
const oneWay = 0x1p-36

// InPart reports whether all of the volume that the last Overlap found is in the part under the
// facet. of must be the prism of that Overlap, or a narrower one.
func (p *BackingClipper) InPart(of *Backing) bool {
	from := p.at.Add(p.top).Sub(of.Corner)
	for k := range of.Sides {
		if !of.Sides[k].IsEntry {
			continue
		}
		s := BisectingSide(of.Normal, of.Sides[k].Normal, of.Sides[k].Offset)
		d := s.Offset - s.Normal.Dot(from)
		for j := range p.parts.points {
			if s.Normal.Dot(p.parts.points[j].x) > d {
				return false
			}
		}
	}
	return true
}

// OverlapPart is Overlap for one part of a prism: under side k, which must be one that the prism begins
// at, or under the facet if k is UnderFacet.
func (p *BackingClipper) OverlapPart(of *Backing, k int, depth float64) (r BackingOverlap, ok bool) {
	c := &p.part
	c.Corner, c.Normal, c.LimitNormal, c.Sides = of.Corner, of.Normal, vec.Vec3{}, c.Sides[:0]
	at := vec.Vec3{} // the part's corner, relative to the prism's
	if k != UnderFacet {
		s := &of.Sides[k]
		// A point where the facet's plane meets the plane of the side.
		u := s.Normal.AddScaled(-s.Normal.Dot(of.Normal), of.Normal)
		at = u.Scale(s.Offset / u.Norm2())
		c.Corner, c.Normal, c.LimitNormal = of.Corner.Add(at), s.Normal, of.Normal
		c.Sides = append(c.Sides, BisectingSide(s.Normal, of.Normal, 0))
	}
	for j := range of.Sides {
		s := of.Sides[j]
		s.Offset -= s.Normal.Dot(at)
		switch {
		case j == k:
			continue
		case s.IsEntry && s.Normal.Sub(c.Normal).Norm2() < float64(oneWay*oneWay):
			// Both sides belong to the same straight edge. Of two parallel planes, the one farther
			// in is nearer.
			if a, b := of.Sides[j].Offset, of.Sides[k].Offset; a < b || a == b && j < k {
				return r, false
			}
			continue
		case s.IsEntry:
			s = BisectingSide(c.Normal, s.Normal, s.Offset)
		case k != UnderFacet:
			s.Orthogonal = false
		}
		c.Sides = append(c.Sides, s)
	}
	return p.Overlap(c, depth)
}

// BisectingSide returns the side of a part under the plane with normal n through its corner. The side is
// the bisecting plane to another plane with the given normal and offset: inside, points are no
// farther from the first plane than from the other.
func BisectingSide(n, other vec.Vec3, offset float64) HalfSpace {
	to := other.Sub(n)
	size := to.Norm()
	return HalfSpace{Normal: to.Scale(1 / size), Offset: offset / size}
}
