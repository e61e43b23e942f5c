package fileio

import (
	"regexp"
	"strconv"

	"github.com/scree-dem/scree/geometry"
)

// NumberedAs returns the error with the numbers of vertices and faces as the mesh file of this name
// has them. Package geometry counts them from 0, as OFF and PLY files do; OBJ files count both from 1.
// STL files have no numbers of vertices, and those of their facets go from 1. What it wraps stays.
func NumberedAs(name string, err error) error { return Numbered(name, nil, err) }

// Numbered is NumberedAs for an error about a mesh that was read from the file. It counts the facets of an STL file that
// are not in the mesh, because welding left nothing of them. The mesh may be nil.
func Numbered(name string, m *geometry.Mesh, err error) error {
	format, ok := formatOf(name)
	if err == nil || !ok {
		return err
	}
	switch format {
	case OBJ:
		return &numbered{error: err, places: allNumbers}
	case STLBinary:
		n := &numbered{error: err, places: faceNumbers}
		if m != nil {
			n.faces = m.Numbers
		}
		return n
	}
	return err
}

// The places of geometry's messages where numbers of a mesh stand: "vertex 3", "vertex 3 to 5",
// "vertices 1, 2 and 3", "faces 0 and 2", "among them 4" of faces. A count stands before its noun.
var (
	allNumbers  = regexp.MustCompile(`\b(?:vertex|vertices|face|faces|among them) \d+(?:(?:, | and | to )\d+\b)*`)
	faceNumbers = regexp.MustCompile(`\b(?:face|faces|among them) \d+(?:(?:, | and )\d+\b)*`)
	number      = regexp.MustCompile(`\d+`)
)

// numbered is an error whose text counts from 1.
type numbered struct {
	error
	places *regexp.Regexp
	faces  []int // geometry.Mesh.Numbers of the mesh, if all places are of faces
}

func (e *numbered) Error() string {
	return e.places.ReplaceAllStringFunc(e.error.Error(), func(place string) string {
		return number.ReplaceAllStringFunc(place, func(n string) string {
			i, err := strconv.Atoi(n)
			if err != nil {
				return n // Larger than any mesh.
			}
			if i < len(e.faces) {
				i = e.faces[i]
			}
			return strconv.Itoa(i + 1)
		})
	})
}

func (e *numbered) Unwrap() error { return e.error }
