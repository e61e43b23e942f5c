package soa

import (
	"math"

	"github.com/scree-dem/scree/vec"
)

// A quad is a face with four corners, as needed for contacts between faces. A row of the table of
// quads has QuadSize numbers, at the offsets named below. Lengths are in m, shape frame:
//
//   - QuadNormal and QuadOffset: the plane.
//   - QuadU and QuadV: two axes that form a right-handed frame with the normal.
//   - QuadCorner: the corners in the order of their loop, beginning with the lowest index.
//   - QuadFlat: the coordinates of the corners along the two axes.
//   - QuadLength: the length of the side that begins at each corner.
//   - QuadVertex: the vertex index of each corner.
//   - QuadRadius: the shape's bounding radius.
//   - QuadFace: the index of the face.
const (
	QuadNormal = 0
	QuadOffset = 3
	QuadU      = 4
	QuadV      = 7
	QuadCorner = 10
	QuadFlat   = 22
	QuadLength = 30
	QuadVertex = 34
	QuadRadius = 38
	QuadFace   = 39
	QuadSize   = 40
)

// Quad is where the row of a quad starts in Shapes.Quads; 0 means none.
type Quad uint32

const (
	// quadCap is the least cap (Template.Caps) of a face with a quad. A smaller cap would be used
	// up by the tilt and the motion that a proof of two faces allows.
	quadCap = 0.25
	// QuadDrop, relative to the radius, is the least depth of all other vertices below the plane of
	// a quad. So none of them lies in the plane after rounding.
	// Smaller: as PairSpare.
	QuadDrop = 0x1p-16
	// quadSide, relative to the radius, is the least length of a side. The direction of a shorter
	// side would have a noticeable rounding error.
	// Smaller: witness points of slivers lose digits.
	quadSide = 0x1p-8
)

// addQuads adds the quads of the newest shape, if it is a block. addRims must come first.
func (s *Shapes) addQuads(t *Template, o offsets) {
	s.quadOfFace = Resize(s.quadOfFace, o.plane+Pad(o.nFaces))
	s.Quads = withNone(s.Quads, QuadSize)
	if !t.Kind.IsPolyhedron() || t.Caps == nil {
		return
	}
	for f, n := range t.Normals {
		lo, hi := t.LoopFirst[f], t.LoopFirst[f+1]
		if hi-lo != 4 || !(t.Caps[f] >= quadCap) || !t.standsOut(f) {
			continue
		}
		loop := t.Tail[lo:hi]
		first := 0
		for i, k := range loop {
			if k < loop[first] {
				first = i
			}
		}
		var row [QuadSize]float64
		var corners [4]vec.Vec3
		for i := range corners {
			k := loop[(first+i)%4]
			corners[i] = t.Verts[k]
			row[QuadVertex+i] = float64(k)
		}
		short := math.Inf(1)
		for i, c := range corners {
			row[QuadLength+i] = corners[(i+1)%4].Sub(c).Norm()
			short = min(short, row[QuadLength+i])
		}
		if !(short >= quadSide*t.Radius) {
			continue
		}
		along := corners[1].Sub(corners[0])
		u := along.AddScaled(-along.Dot(n), n).Unit()
		v := n.Cross(u).Unit()
		put(row[:], QuadNormal, n)
		row[QuadOffset] = t.Offsets[f]
		put(row[:], QuadU, u)
		put(row[:], QuadV, v)
		for i, c := range corners {
			put(row[:], QuadCorner+3*i, c)
			row[QuadFlat+2*i], row[QuadFlat+2*i+1] = u.Dot(c), v.Dot(c)
		}
		row[QuadRadius], row[QuadFace] = t.Radius, float64(f)
		var at int
		s.Quads, at = addRow(s.Quads, row[:])
		s.quadOfFace[o.plane+f] = Quad(at)
	}
}

// standsOut reports whether face f is planar and all other vertices lie at least QuadDrop below it.
func (t *Template) standsOut(f int) bool {
	level, below := float64(planarTol*t.Radius), float64(QuadDrop*t.Radius)
	loop := t.loop(f)
	on := 0
	for _, p := range t.Verts {
		switch drop := t.Offsets[f] - t.Normals[f].Dot(p); {
		case drop <= level:
			on++
		case !(drop >= below):
			return false
		}
	}
	if on != len(loop) {
		return false
	}
	for _, k := range loop {
		if !(t.Offsets[f]-t.Normals[f].Dot(t.Verts[k]) <= level) {
			return false
		}
	}
	return true
}
