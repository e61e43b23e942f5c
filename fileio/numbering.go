package fileio

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/scree-dem/scree/geometry"
)

// NumberedAs returns err with the vertices and faces in its text numbered as in the mesh file name.
// Package geometry counts from 0, as OFF and PLY do. OBJ files count vertices and faces from 1. STL
// files have no vertex numbers, and count facets from 1. The returned error wraps err.
func NumberedAs(name string, err error) error { return Numbered(name, nil, err) }

// Numbered is NumberedAs for an error about a mesh that was read from the file. Facets of an STL
// file that welding removed count, too. The mesh may be nil.
func Numbered(name string, m *geometry.Mesh, err error) error {
	format, ok := formatOf(name)
	if err == nil || !ok {
		return err
	}
	n := &numbered{error: err, places: meshFormats[format].numbers}
	if n.places == nil {
		return err
	}
	if m != nil {
		n.faces = m.Numbers
	}
	return n
}

// Patterns of numbers in the messages of package geometry: "vertex 3", "vertex 3 to 5", "vertices
// 1, 2 and 3", "faces 0 and 2", and "among them 4" for faces. A count comes before its noun, so it
// does not match.
var (
	allNumbers  = regexp.MustCompile(`\b(?:vertex|vertices|face|faces|among them) \d+(?:(?:, | and | to )\d+\b)*`)
	faceNumbers = regexp.MustCompile(`\b(?:face|faces|among them) \d+(?:(?:, | and )\d+\b)*`)
	number      = regexp.MustCompile(`\d+`)
)

// numbered is an error whose text counts from 1.
type numbered struct {
	error
	places *regexp.Regexp
	faces  []int // geometry.Mesh.Numbers of the mesh
}

func (e *numbered) Error() string {
	return e.places.ReplaceAllStringFunc(e.error.Error(), func(place string) string {
		return number.ReplaceAllStringFunc(place, func(n string) string {
			i, err := strconv.Atoi(n)
			if err != nil {
				return n // Larger than any mesh.
			}
			if i < len(e.faces) && !strings.HasPrefix(place, "vert") {
				i = e.faces[i]
			}
			return strconv.Itoa(i + 1)
		})
	})
}

func (e *numbered) Unwrap() error { return e.error }
