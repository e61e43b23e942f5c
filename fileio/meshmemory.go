package fileio

import (
	"fmt"
	"os"

	"github.com/scree-dem/scree/internal/cpu"
)

// What a mesh takes at most while it is read, checked and made a body or a wall, bytes. Measured
// with /usr/bin/time -v and GOGC=20: of a sphere of 199 082 vertices and 398 160 triangles, all on
// its hull, `scree shape info` takes 360 MB beside the program, of 500 000 triangles that share no
// corner 490 MB. A quarter more is for what the collector has not freed. A triangle of an STL file
// counts as a vertex and no corners.
const (
	vertexMemory = 1200
	cornerMemory = 170
)

// meshShare is the part of the memory that a mesh may fill with what the program holds already.
// The rest is for what the collector has not freed yet, and for addresses between blocks, which
// count against a limit of addresses.
const meshShare = 0.6

// largeShare: a mesh that may fill more than one part in so many of the memory is read alone.
const largeShare = 16

// memoryThere returns what there is; tests set it.
var memoryThere = cpu.Memory

// memoryLeft returns how many bytes a mesh may take.
func memoryLeft() (left uint64, known bool) {
	there := memoryThere()
	if there == 0 {
		return 0, false
	}
	share := uint64(float64(meshShare * float64(there)))
	return share - min(cpu.LiveHeap(), share), true
}

// TakesMuch reports whether a mesh file may take so much memory that several such should be read one
// after the other.
func TakesMuch(path string) bool {
	stat, err := os.Stat(path)
	// A triangle has 50 bytes at least.
	return err == nil && memoryThere() > 0 && uint64(stat.Size())/stlTriangleBytes*vertexMemory > memoryThere()/largeShare
}

// tooMuch returns an error if a file of size bytes, and as many vertices and corners of it, do not
// fit into the memory that is left. What was read of them says how many there are: "all", or "the
// first" where the rest is not known.
func tooMuch(name, which string, size int64, vertices, corners int, left uint64) error {
	takes := uint64(size) + uint64(vertices)*vertexMemory + uint64(corners)*cornerMemory
	if takes <= left {
		return nil
	}
	what := fmt.Sprintf("%d bytes", size)
	if vertices > 0 {
		what += fmt.Sprintf(" and %s %d vertices or triangles", which, vertices)
	}
	return &InputError{File: name, Want: fmt.Sprintf("a mesh that fits into the %.3g GB left of the %.3g GB of memory that there are: "+
		"%s take about %.3g GB", 1e-9*float64(left), 1e-9*float64(memoryThere()), what, 1e-9*float64(takes))}
}

// announced refuses counts of a header that do not fit into memory, before there is any for them.
func (m *meshBuilder) announced(vertices, corners int) error {
	if !m.bounded {
		return nil
	}
	return tooMuch(m.name, "all", m.size, vertices, corners, m.left)
}

// gathered refuses what was read so far where it does not fit, as a text goes on. It looks once in
// 4096 faces or vertices.
func (m *meshBuilder) gathered(item int) error {
	if !m.bounded || item%4096 != 0 {
		return nil
	}
	return tooMuch(m.name, "the first", m.size, len(m.verts), len(m.corners), m.left)
}
