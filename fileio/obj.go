package fileio

import (
	"bytes"
	"fmt"
	"strconv"
)

// objIgnored are the statements of OBJ files that do not affect polygons: normals, textures,
// groups, materials, points, lines, smoothing and display.
var objIgnored = map[string]bool{
	"vn": true, "vt": true, "vp": true, "g": true, "o": true, "s": true, "mg": true,
	"usemtl": true, "mtllib": true, "usemap": true, "maplib": true, "p": true, "l": true,
	"bevel": true, "c_interp": true, "d_interp": true, "lod": true,
	"shadow_obj": true, "trace_obj": true,
}

// objReader is the state shared by OBJ statements.
type objReader struct {
	*lineReader
	joined []byte // current statement, if it was joined from continued lines
	// The largest vertex number that a face used before its definition, with line and text.
	ahead      int
	aheadLine  int
	aheadValue string
}

// decodeOBJ reads vertices and polygons. Vertex numbers may be negative, which counts back from the
// last vertex, and may precede the definition of the vertex. Texture and normal numbers must be
// whole numbers and are ignored. A weight, a colour of three numbers, or both may follow the
// coordinates; they must be finite and are ignored.
func (m *meshBuilder) decodeOBJ(name string, content []byte) error {
	o := &objReader{lineReader: newLineReader(name, content)}
	for o.nextStatement() {
		switch keyword := o.field(); string(keyword) {
		case "":
		case "v":
			m.objVertex(o)
		case "f", "fo":
			m.objFace(o)
		default:
			if !objIgnored[string(keyword)] {
				o.fault("", keyword, "a statement of OBJ polygon files, such as v, f, vn, vt, g, o or #")
			}
		}
	}
	if o.ahead > len(m.verts) {
		o.fail(&InputError{File: name, Line: o.aheadLine, Item: "face", Value: o.aheadValue,
			Want: fmt.Sprintf("a vertex from 1 to %d, all that the file defines", len(m.verts))})
	}
	return o.err
}

// nextStatement moves to the next line and removes its comment. A line that ends in a backslash is
// joined with the next one.
func (o *objReader) nextStatement() bool {
	if !o.next() {
		return false
	}
	o.left, o.joined = uncommented(o.text), o.joined[:0]
	for bytes.HasSuffix(o.left, []byte{'\\'}) {
		o.joined = append(append(o.joined, o.left[:len(o.left)-1]...), ' ')
		if !o.next() {
			o.truncated("", `a line after the "\" that announces one`)
		}
		o.left = uncommented(o.text)
	}
	if len(o.joined) > 0 {
		o.joined = append(o.joined, o.left...)
		o.left = o.joined
	}
	return o.err == nil
}

// uncommented returns the line up to a '#', without trailing blanks.
func uncommented(line []byte) []byte {
	if i := bytes.IndexByte(line, '#'); i >= 0 {
		line = line[:i]
	}
	return bytes.TrimRight(line, " \t\v\f\r")
}

func (m *meshBuilder) objVertex(o *objReader) {
	item := "vertex " + strconv.Itoa(len(m.verts)+1)
	m.verts = append(m.verts, o.point(item))
	o.fail(m.gathered(len(m.verts), len(m.verts)))
	if n := 3 + o.unused(item, "a weight or a colour"); n == 5 || n > 7 {
		o.fault(item, []byte(strconv.Itoa(n)+" numbers"), "3 coordinates, with a weight 4, with a colour 6, with both 7")
	}
}

func (m *meshBuilder) objFace(o *objReader) {
	first, item := len(m.corners), "face "+strconv.Itoa(len(m.ends)+1)
	for field := o.field(); len(field) > 0; field = o.field() {
		m.corners = append(m.corners, o.corner(item, field, len(m.verts)))
	}
	if n := len(m.corners) - first; n < 3 {
		o.fault(item, []byte(strconv.Itoa(n)+" vertices"), "at least 3")
	}
	m.endFace()
	o.fail(m.gathered(len(m.ends), len(m.verts)))
}

// corner returns the index, from 0, of the vertex in a corner v, v/vt, v//vn or v/vt/vn.
func (o *objReader) corner(item string, field []byte, nVerts int) int {
	number, attributes, has := bytes.Cut(field, []byte{'/'})
	v, err := strconv.Atoi(string(number))
	ok := err == nil
	for slashes := 1; has; slashes++ {
		var attribute []byte
		attribute, attributes, has = bytes.Cut(attributes, []byte{'/'})
		// Some programs write "1/" if there is no texture. After a second slash a number is
		// required.
		_, err := strconv.Atoi(string(attribute))
		ok = ok && slashes <= 2 && (err == nil || len(attribute) == 0 && slashes == 1)
	}
	switch {
	case !ok:
		o.fault(item, field, "a corner written v, v/vt, v//vn or v/vt/vn in whole numbers")
	case v == 0 || v < -nVerts:
		o.fault(item, field, fmt.Sprintf("a vertex from 1 on, or from -%d to -1", nVerts))
	case v < 0:
		return nVerts + v
	case v > nVerts && v > o.ahead:
		o.ahead, o.aheadLine, o.aheadValue = v, o.line, string(field)
	}
	return v - 1
}
