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
	// The rows of its features alone: four vertices and four planes.
	if least := 8 * FeatureSize * 8; second-first < least || second-first > 40*least {
		t.Errorf("a tetrahedron takes %d bytes, its features %d", second-first, least)
	}
}
