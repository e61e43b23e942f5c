package soa

import "testing"

// TestBytesOfColumns checks that each further shape of one kind adds the same number of bytes, and
// that the total is that of the columns.
func TestBytesOfColumns(t *testing.T) {
	var s Shapes
	add(t, &s, tetra(1))
	first := s.Bytes()
	add(t, &s, tetra(2))
	second := s.Bytes()
	add(t, &s, tetra(3))
	if third := s.Bytes(); third-second != second-first || second == first {
		t.Errorf("%d, %d, %d bytes", first, second, third)
	}
	// The stars alone: four vertices, four faces and six edges.
	if least := 14 * StarSize * 8; second-first < least || second-first > 10*least {
		t.Errorf("a tetrahedron takes %d bytes, its stars %d", second-first, least)
	}
}
