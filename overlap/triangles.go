package overlap

import (
	"math/bits"
	"slices"
)

// triangles is the surface of an overlap in the form that the kernels read: each face is a fan
// about its first corner. The faces of one body are chosen, those with fewer triangles. This
// suffices because derivatives with respect to the motion of one body are the opposite of those for
// the other.
type triangles struct {
	list   [][3]uint16 // corners, counter-clockwise seen from outside; triangles of chosen faces first
	chosen int         // number of triangles of chosen faces
	caps   bool        // whether the caps are chosen, and not the own faces

	// first is the common apex of the tetrahedra over which moments are summed. If possible, first
	// is a corner of no chosen face. Other faces at this corner would make flat tetrahedra, so
	// their triangles are not in the list.
	first uint16
}

// triangulate fills t with the triangles of a solid.
func (s *polyhedron) triangulate(t *triangles) {
	own, caps, from := 0, 0, 0
	for f, to := range s.end {
		if n := max(to-from-2, 0); s.isCap[f] {
			caps += n
		} else {
			own += n
		}
		from = to
	}
	t.list, t.caps = t.list[:0], caps < own
	var in uint64 // which of the first 64 corners the chosen faces have
	for loop := range s.faces(t.caps) {
		in |= t.fan(loop)
	}
	t.chosen, t.first = len(t.list), uint16(bits.TrailingZeros64(^in))
	if int(t.first) >= len(s.verts) {
		t.first = 0
	}
	for loop := range s.faces(!t.caps) {
		if !slices.Contains(loop, t.first) {
			t.fan(loop)
		}
	}
}

// faces yields the corners of each cap, the last cap first, or of each own face.
func (s *polyhedron) faces(caps bool) func(yield func(loop []uint16) bool) {
	return func(yield func([]uint16) bool) {
		for k := range s.end {
			f := k
			if caps {
				f = len(s.end) - 1 - k
			}
			if s.isCap[f] == caps && !yield(s.face(f)) {
				return
			}
		}
	}
}

// fan appends the triangles of a face. It returns which of the first 64 corners they have.
func (t *triangles) fan(loop []uint16) (in uint64) {
	if len(loop) < 3 {
		return 0
	}
	in = 1<<loop[0] | 1<<loop[1]
	for i, k := range loop[2:] {
		in |= 1 << k
		t.list = append(t.list, [3]uint16{loop[0], loop[i+1], k})
	}
	return in
}
