package overlap

import "github.com/scree-dem/scree/vec"

// Depth in a prism that begins at some of its sides, as at the facet's plane, is the least distance
// from all of these: it is 0 wherever a block may enter. The prism has a part for each of these
// planes, where that plane is the nearest. A part is a prism too, under its plane, and narrows with
// depth: its sides are the planes half-way to the others.

// UnderFacet is the part of a prism whose points are nearest to the facet's plane.
const UnderFacet = -1

// oneWay is the angle, rad, up to which two planes that depth begins at count as looking one way:
// the plane half-way between them would be rounding.
const oneWay = 0x1p-36

// InPart says, after Press has found a volume in a prism, whether all of that is in the part under
// the facet of the same prism, or of a narrower one.
func (p *Presser) InPart(of *Prism) bool {
	from := p.at.Add(p.top).Sub(of.Corner)
	for k := range of.Sides {
		if !of.Sides[k].Begins {
			continue
		}
		s := Between(of.Normal, of.Sides[k].Normal, of.Sides[k].Offset)
		d := s.Offset - s.Normal.Dot(from)
		for j := range p.parts.points {
			if s.Normal.Dot(p.parts.points[j].x) > d {
				return false
			}
		}
	}
	return true
}

// PressPart is Press for the part of a prism under side k, which is one that it begins at, or under
// the facet.
func (p *Presser) PressPart(of *Prism, k int, depth float64) (r Pressed, ok bool) {
	c := &p.part
	c.Corner, c.Normal, c.Level, c.Sides = of.Corner, of.Normal, vec.Vec3{}, c.Sides[:0]
	at := vec.Vec3{} // the part's corner, relative to the prism's
	if k != UnderFacet {
		s := &of.Sides[k]
		// The facet's plane and the side's meet there.
		u := s.Normal.AddScaled(-s.Normal.Dot(of.Normal), of.Normal)
		at = u.Scale(s.Offset / u.Norm2())
		c.Corner, c.Normal, c.Level = of.Corner.Add(at), s.Normal, of.Normal
		c.Sides = append(c.Sides, Between(s.Normal, of.Normal, 0))
	}
	for j := range of.Sides {
		s := of.Sides[j]
		s.Offset -= s.Normal.Dot(at)
		switch {
		case j == k:
			continue
		case s.Begins && s.Normal.Sub(c.Normal).Norm2() < float64(oneWay*oneWay):
			// Stretches of one edge. Of two planes in one direction the one farther in is nearer.
			if a, b := of.Sides[j].Offset, of.Sides[k].Offset; a < b || a == b && j < k {
				return r, false
			}
			continue
		case s.Begins:
			s = Between(c.Normal, s.Normal, s.Offset)
		case k != UnderFacet:
			s.Upright = false
		}
		c.Sides = append(c.Sides, s)
	}
	return p.Press(c, depth)
}

// Between returns the side of a part under the plane with normal n through its corner, where it
// ends half-way to another plane: its points are no farther from the first than from the other.
func Between(n, other vec.Vec3, offset float64) Side {
	to := other.Sub(n)
	size := to.Norm()
	return Side{Normal: to.Scale(1 / size), Offset: offset / size}
}
