package fileio

import (
	"bytes"
	"strconv"

	"github.com/scree-dem/scree/geometry"
)

// MeshPart is an object or a group of an OBJ file.
type MeshPart struct {
	Name string         // as in the file; its number from 1 if it has none
	Line int            // where it begins, from 1
	Mesh *geometry.Mesh // faces of the part; vertices, m, of the whole file
}

// objStart is an "o" or "g" statement.
type objStart struct {
	group bool
	name  string
	line  int
	face  int // the first face after it
}

// ReadParts reads an OBJ file like ReadMesh, and divides its faces: by objects, or by groups if fewer than two objects
// have faces. Groups of one name are one part. Faces before the first one are a part of their own. Parts are
// in the order of their first faces, share the vertices of the file, and number faces as the file does. Errors are
// those of ReadMesh; a file of another format is refused.
func ReadParts(path string) ([]MeshPart, error) {
	if f, ok := formatOf(path); !ok || f != OBJ {
		return nil, &InputError{File: path, Want: "an OBJ file: other formats have no objects and groups", Err: ErrUnknownFormat}
	}
	mesh, err := ReadMesh(path)
	if err != nil {
		return nil, err
	}
	starts, err := objStarts(path)
	if err != nil {
		return nil, err
	}
	parts := partsBy(mesh, starts, false)
	if len(parts) < 2 {
		parts = partsBy(mesh, starts, true)
	}
	return parts, nil
}

// objStarts reads the "o" and "g" statements of an OBJ file.
func objStarts(path string) (starts []objStart, err error) {
	file, size, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	defer file.Close() // The file is only read.
	content, err := readAll(file, size, maxMeshBytes)
	if err != nil {
		return nil, err
	}
	o, faces := &objReader{lineReader: newLineReader(path, content)}, 0
	for o.nextStatement() {
		switch keyword := string(o.field()); keyword {
		case "f", "fo":
			faces++
		case "o", "g":
			starts = append(starts, objStart{keyword == "g", string(bytes.TrimSpace(o.left)), o.line, faces})
		}
	}
	return starts, o.err
}

// partsBy divides a mesh by its objects, or by its groups.
func partsBy(m *geometry.Mesh, starts []objStart, groups bool) (parts []MeshPart) {
	of := map[string]int{}
	add := func(name string, line, from, to int) {
		if from == to {
			return
		}
		k, there := of[name]
		if !there || !groups { // An object begins anew; a group may go on.
			k = len(parts)
			of[name] = k
			shown := name
			if shown == "" {
				shown = strconv.Itoa(k + 1)
			}
			parts = append(parts, MeshPart{shown, max(line, 1), &geometry.Mesh{Name: shown, Verts: m.Verts, Numbers: []int{}}})
		}
		part := parts[k].Mesh
		for f := from; f < to; f++ {
			part.Faces, part.Numbers = append(part.Faces, m.Faces[f]), append(part.Numbers, f)
		}
	}
	name, line, from := "", 0, 0
	for _, s := range starts {
		if s.group == groups {
			add(name, line, from, s.face)
			name, line, from = s.name, s.line, s.face
		}
	}
	add(name, line, from, len(m.Faces))
	return parts
}
