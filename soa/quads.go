package soa

import (
	"math"

	"github.com/scree-dem/scree/vec"
)

// A quad is a face of four corners as flat contacts see it. A row of the table of quads is QuadSize numbers, from
// the places named below on, lengths in m, shape frame: the plane, two axes that make a right-handed frame with its
// normal, the corners in the order of their loop from the one with the lowest index on, the corners on the two axes, the
// lengths of the sides that begin at each, the corners' indices, the shape's bounding radius, and the face's index.
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

// Quad is where a quad's row starts in Shapes.Quads. 0 is none.
type Quad uint32

const (
	// quadCap is the least cap of a face that has a quad: less is used up by the tilt and the motion that a proof of two
	// faces allows.
	quadCap = 0.25
	// QuadDrop, in units of the radius, is how far below a quad's plane all other vertices lie at least, so that none of
	// them is level with it after rounding.
	QuadDrop = 0x1p-16
	// quadSide, in units of the radius, is the length of the shortest side: the rounding of a shorter one's direction
	// would matter.
	quadSide = 0x1p-8
)

// addQuads derives the quads of the newest shape, a block's, after its rims.
func (s *Shapes) addQuads(t *Template, o offsets) {
	s.quadOfFace = Resize(s.quadOfFace, o.plane+Pad(o.nFaces))
	s.Quads = withNone(s.Quads, QuadSize)
	if t.Kind != Block || t.Caps == nil {
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

// standsOut reports whether face f is level, and all other vertices lie well below it.
func (t *Template) standsOut(f int) bool {
	level, below := float64(rimLevel*t.Radius), float64(QuadDrop*t.Radius)
	loop := t.Tail[t.LoopFirst[f]:t.LoopFirst[f+1]]
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
