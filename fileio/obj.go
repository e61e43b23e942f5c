package fileio

import (
	"bytes"
	"fmt"
	"strconv"
)

// objIgnored are the statements of OBJ files that change no polygon: normals, texture, groups,
// materials, points, lines, smoothing and display.
var objIgnored = map[string]bool{
	"vn": true, "vt": true, "vp": true, "g": true, "o": true, "s": true, "mg": true,
	"usemtl": true, "mtllib": true, "usemap": true, "maplib": true, "p": true, "l": true,
	"bevel": true, "c_interp": true, "d_interp": true, "lod": true,
	"shadow_obj": true, "trace_obj": true,
}

// objReader is the state that OBJ statements share.
type objReader struct {
	*lineReader
	joined []byte // a statement put together from continued lines
	// The vertex of the highest number that a face named before it was defined, and where.
	ahead      int
	aheadLine  int
	aheadValue string
}

// decodeOBJ reads vertices and polygons. Numbers of vertices may be negative, counted back from
// the last, and may come before the vertex they name. Texture and normal numbers must be whole
// numbers and are not used. Behind the coordinates may stand a weight, a colour of three numbers,
// or both: they must be finite and are not used.
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

// nextStatement moves to the next line, without its comment, and joins it with those that it continues on by ending in a
// backslash.
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

// uncommented returns the line up to a '#', without blanks at its end.
func uncommented(line []byte) []byte {
	if i := bytes.IndexByte(line, '#'); i >= 0 {
		line = line[:i]
	}
	return bytes.TrimRight(line, " \t\v\f\r")
}

func (m *meshBuilder) objVertex(o *objReader) {
	item := "vertex " + strconv.Itoa(len(m.verts)+1)
	m.verts = append(m.verts, o.point(item))
	o.fail(m.gathered(len(m.verts)))
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
	o.fail(m.gathered(len(m.ends)))
}

// corner returns the index, from 0, of the vertex that v, v/vt, v//vn or v/vt/vn names.
func (o *objReader) corner(item string, field []byte, nVerts int) int {
	number, attributes, has := bytes.Cut(field, []byte{'/'})
	v, err := strconv.Atoi(string(number))
	ok := err == nil
	for slashes := 1; has; slashes++ {
		var attribute []byte
		attribute, attributes, has = bytes.Cut(attributes, []byte{'/'})
		// "1/" is written by some programs where there is no texture. Behind a second slash a
		// number has to stand.
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
