package fileio

import (
	"fmt"
	"os"

	"github.com/scree-dem/scree/internal/cpu"
)

// Upper estimates of the memory for a mesh while it is read, checked and made a body or a wall,
// bytes per vertex and per face corner. Measured with /usr/bin/time -v and GOGC=20: `scree shape
// info` takes 360 MB, without the program itself, for a sphere of 199 082 vertices and 398 160
// triangles, all on its hull. It takes 490 MB for 500 000 triangles without shared corners. The
// constants add a quarter for memory that the garbage collector has not yet freed. A triangle of an
// STL file counts as one vertex and no corners.
const (
	vertexMemory = 1200
	cornerMemory = 170
)

// meshShare is the share of the machine's memory that a mesh and the live heap may fill together.
// The rest is for memory that the garbage collector has not yet freed, and for address space
// between blocks, which counts against an address space limit.
const meshShare = 0.6

// A mesh that may need more than 1/largeShare of the memory is read alone.
const largeShare = 16

// memoryThere returns the memory of the machine. Tests replace it.
var memoryThere = cpu.Memory

// memoryLeft returns the number of bytes that a mesh may use.
func memoryLeft() (left uint64, known bool) {
	there := memoryThere()
	if there == 0 {
		return 0, false
	}
	share := uint64(float64(meshShare * float64(there)))
	return share - min(cpu.LiveHeap(), share), true
}

// TakesMuch reports whether a mesh file may need so much memory that such files should be read one
// after the other.
func TakesMuch(path string) bool {
	stat, err := os.Stat(path)
	// A triangle needs at least 50 bytes in a file.
	return err == nil && memoryThere() > 0 && uint64(stat.Size())/stlTriangleBytes*vertexMemory > memoryThere()/largeShare
}

// fits returns an error if a mesh with the given numbers of vertices and corners does not fit into the
// memory left. Of a mesh that is read only in part, which is "the first", otherwise "all".
func (m *meshBuilder) fits(which string, vertices, corners int) error {
	takes := uint64(m.size) + uint64(vertices)*vertexMemory + uint64(corners)*cornerMemory
	if !m.bounded || takes <= m.left {
		return nil
	}
	what := fmt.Sprintf("%d bytes", m.size)
	if vertices > 0 {
		what += fmt.Sprintf(" and %s %d vertices or triangles", which, vertices)
	}
	return &InputError{File: m.name, Want: fmt.Sprintf("a mesh that fits into the %.3g GB left of the %.3g GB of memory that there are: "+
		"%s take about %.3g GB", 1e-9*float64(m.left), 1e-9*float64(memoryThere()), what, 1e-9*float64(takes))}
}

// announced rejects counts of a header that do not fit into memory, before memory is allocated.
func (m *meshBuilder) announced(vertices, corners int) error { return m.fits("all", vertices, corners) }

// gathered is fits for the part of a text read so far, once every 4096 items.
func (m *meshBuilder) gathered(item, vertices int) error {
	if item%4096 != 0 {
		return nil
	}
	return m.fits("the first", vertices, len(m.corners))
}
