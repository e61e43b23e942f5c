package soa

import "github.com/scree-dem/scree/vec"

const (
	// distinctTurn is the least sine of the angle between two planes of a distinct shape. It is far
	// above the rounding of a normal. So a point that is clear of a face's sides is clear of all
	// other planes.
	// Smaller: a remembered skeleton may differ in bits from joining. Larger: fewer skeletons.
	distinctTurn = 0x1p-14
	// distinctDepth, relative to the radius, is the least inner radius of a distinct shape, and the
	// least distance of its parallel faces.
	// Another value: as distinctTurn.
	distinctDepth = 0x1p-10
)

// isDistinct reports whether every point of a face that is near another plane is also near a side
// of the face. A point at distance t from the sides is at least t·distinctTurn or distinctDepth
// below each other plane.
func (t *Template) isDistinct() bool {
	if !t.Kind.IsPolyhedron() || len(t.Tail)*len(t.Normals) > maxClearanceWork || !(t.Inner >= float64(distinctDepth*t.Radius)) {
		return false
	}
	for f, n := range t.Normals {
		for g, m := range t.Normals[:f] {
			if n.Cross(m).Norm2() >= distinctTurn*distinctTurn {
				continue
			}
			if !(n.Dot(m) < 0 && t.apart(f, m, t.Offsets[g]) && t.apart(g, n, t.Offsets[f])) {
				return false
			}
		}
	}
	return true
}

// apart reports whether all of face f is at least distinctDepth below the plane m·x = d.
func (t *Template) apart(f int, m vec.Vec3, d float64) bool {
	for _, k := range t.loop(f) {
		if !(d-m.Dot(t.Verts[k]) >= float64(distinctDepth*t.Radius)) {
			return false
		}
	}
	return true
}
