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
	for o.next() {
		statement, err := o.statement()
		if err != nil {
			return err
		}
		keyword, rest := cutField(statement)
		switch {
		case len(keyword) == 0:
		case string(keyword) == "v":
			err = m.objVertex(o, rest)
		case string(keyword) == "f" || string(keyword) == "fo":
			err = m.objFace(o, rest)
		case objIgnored[string(keyword)]:
		default:
			err = o.fault("", keyword, "a statement of OBJ polygon files, such as v, f, vn, vt, g, o or #")
		}
		if err != nil {
			return err
		}
	}
	if o.ahead > len(m.verts) {
		return &InputError{File: name, Line: o.aheadLine, Item: "face", Value: o.aheadValue,
			Want: fmt.Sprintf("a vertex from 1 to %d, all that the file defines", len(m.verts))}
	}
	return nil
}

// statement returns the current line without its comment, joined with those that it continues on by
// ending in a backslash.
func (o *objReader) statement() ([]byte, error) {
	text := uncommented(o.text)
	if !bytes.HasSuffix(text, []byte{'\\'}) {
		return text, nil
	}
	o.joined = o.joined[:0]
	for bytes.HasSuffix(text, []byte{'\\'}) {
		o.joined = append(append(o.joined, text[:len(text)-1]...), ' ')
		if !o.next() {
			return nil, o.truncated("", `a line after the "\" that announces one`)
		}
		text = uncommented(o.text)
	}
	o.joined = append(o.joined, text...)
	return o.joined, nil
}

// uncommented returns the line up to a '#', without blanks at its end.
func uncommented(line []byte) []byte {
	if i := bytes.IndexByte(line, '#'); i >= 0 {
		line = line[:i]
	}
	return bytes.TrimRight(line, " \t\v\f\r")
}

func (m *meshBuilder) objVertex(o *objReader, rest []byte) error {
	item := "vertex " + strconv.Itoa(len(m.verts)+1)
	p, rest, err := o.point(item, rest)
	if err != nil {
		return err
	}
	m.verts = append(m.verts, p)
	if err := m.gathered(len(m.verts)); err != nil {
		return err
	}
	for n := 3; ; n++ {
		var field []byte
		if field, rest = cutField(rest); len(field) == 0 {
			if n == 5 || n > 7 {
				return o.fault(item, []byte(strconv.Itoa(n)+" numbers"), "3 coordinates, with a weight 4, with a colour 6, with both 7")
			}
			return nil
		}
		if _, ok := parseFinite(field); !ok {
			return o.fault(item, field, wantFinite+" for a weight or a colour")
		}
	}
}

func (m *meshBuilder) objFace(o *objReader, rest []byte) error {
	first := len(m.corners)
	for {
		var field []byte
		if field, rest = cutField(rest); len(field) == 0 {
			break
		}
		corner, err := o.corner(field, len(m.verts), len(m.ends)+1)
		if err != nil {
			return err
		}
		m.corners = append(m.corners, corner)
	}
	if n := len(m.corners) - first; n < 3 {
		return o.fault("face "+strconv.Itoa(len(m.ends)+1), []byte(strconv.Itoa(n)+" vertices"), "at least 3")
	}
	m.endFace()
	return m.gathered(len(m.ends))
}

// corner returns the index, from 0, of the vertex that v, v/vt, v//vn or v/vt/vn names.
func (o *objReader) corner(field []byte, nVerts, face int) (int, error) {
	const want = "a corner written v, v/vt, v//vn or v/vt/vn in whole numbers"
	number, attributes, has := bytes.Cut(field, []byte{'/'})
	v, err := strconv.Atoi(string(number))
	if err != nil {
		return 0, o.fault("face "+strconv.Itoa(face), field, want)
	}
	for slashes := 1; has; slashes++ {
		var attribute []byte
		attribute, attributes, has = bytes.Cut(attributes, []byte{'/'})
		if slashes > 2 {
			return 0, o.fault("face "+strconv.Itoa(face), field, want)
		}
		// "1/" is written by some programs where there is no texture. Behind a second slash a
		// number has to stand.
		if _, err := strconv.Atoi(string(attribute)); err != nil && (len(attribute) > 0 || slashes == 2) {
			return 0, o.fault("face "+strconv.Itoa(face), field, want)
		}
	}
	switch {
	case v == 0 || v < -nVerts:
		return 0, o.fault("face "+strconv.Itoa(face), field,
			fmt.Sprintf("a vertex from 1 on, or from -%d to -1", nVerts))
	case v < 0:
		return nVerts + v, nil
	case v > nVerts && v > o.ahead:
		o.ahead, o.aheadLine, o.aheadValue = v, o.line, string(field)
	}
	return v - 1, nil
}
