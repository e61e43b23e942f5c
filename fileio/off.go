package fileio

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// decodeOFF reads an object file of the Geomview family: OFF, or NOFF, COFF, STOFF and their
// combinations, with normals, colours or texture coordinates after the coordinates. These must be
// finite and are ignored. The keyword may be absent, or on the line of the counts. 4OFF, nOFF and
// binary files are rejected by name. Each vertex and each face is on one line.
func (m *meshBuilder) decodeOFF(name string, content []byte) error {
	l := newLineReader(name, content)
	if !l.nextFilled() {
		l.truncated("", "OFF")
	}
	l.offWord()
	nVerts, nFaces := l.count("number of vertices", l.field()), l.count("number of faces", l.field())
	// The number of edges may follow. Many programs write 0.
	if field := l.field(); len(field) > 0 {
		l.count("number of edges", field)
	}
	if field := l.field(); len(field) > 0 {
		l.fault("header", field, "the end of the line after the numbers of vertices, faces and edges")
	}
	// The shortest vertex is "0 0 0" with a line end, the shortest face "3 0 0 0" with a line end.
	const vertexBytes, faceBytes = 6, 8
	held := len(l.rest) + 1
	if nVerts > held/vertexBytes || nFaces > held/faceBytes {
		l.fail(&InputError{File: name, Line: l.line, Value: fmt.Sprintf("%d %d", nVerts, nFaces), Err: ErrTruncated,
			Want: fmt.Sprintf("numbers of vertices and faces that %d bytes can hold", held-1)})
	}
	l.fail(m.announced(nVerts, 3*nFaces))
	for i := 0; i < nVerts && l.err == nil; i++ {
		m.offVertex(l, i, nVerts)
	}
	for i := 0; i < nFaces && l.err == nil; i++ {
		m.offFace(l, i, nFaces)
	}
	if l.nextFilled() {
		l.fault("", l.text, fmt.Sprintf("the end of the file after %d vertices and %d faces", nVerts, nFaces))
	}
	return l.err
}

// count returns the whole number ≥ 0 in a field.
func (l *lineReader) count(item string, field []byte) int {
	n, ok := parseCount(field)
	if !ok {
		l.fault(item, field, "a whole number ≥ 0")
	}
	return n
}

// offWord skips the keyword, if there is one, and moves to the counts after it.
func (l *lineReader) offWord() {
	word := l.field()
	if _, ok := parseCount(word); ok {
		l.left = l.text
		return
	}
	prefix, isOFF := strings.CutSuffix(string(word), "OFF")
	if !isOFF {
		l.fault("header", word, "OFF, COFF, NOFF, STOFF or the numbers of vertices and faces")
	}
	// The order of prefixes is fixed: ST, C, N, then 4 and n, which change the number of
	// coordinates.
	prefix = strings.TrimPrefix(prefix, "ST")
	prefix = strings.TrimPrefix(prefix, "C")
	prefix = strings.TrimPrefix(prefix, "N")
	if prefix != "" {
		l.fault("header", word, "vertices of three coordinates: OFF, COFF, NOFF or STOFF")
	}
	second, _ := cutField(l.left)
	if bytes.EqualFold(second, []byte("BINARY")) {
		l.fault("header", second, "an ASCII file")
	}
	if len(second) == 0 && !l.nextFilled() {
		l.truncated("header", "the numbers of vertices and faces")
	}
}

func (m *meshBuilder) offVertex(l *lineReader, i, n int) {
	item := "vertex " + strconv.Itoa(i)
	if !l.nextFilled() {
		l.truncated(item, strconv.Itoa(n)+" vertices")
	}
	m.verts = append(m.verts, l.point(item))
	l.unused(item, "a normal, a colour or a texture coordinate")
}

// offFace reads the corners of a face. It skips a colour after them, in any of four notations.
func (m *meshBuilder) offFace(l *lineReader, i, n int) {
	item := "face " + strconv.Itoa(i)
	if !l.nextFilled() {
		l.truncated(item, strconv.Itoa(n)+" faces")
	}
	field := l.field()
	sides, ok := parseCount(field)
	if !ok || sides < 3 {
		l.fault(item, field, "a number of corners ≥ 3")
	}
	for k := 0; k < sides && l.err == nil; k++ {
		field := l.field()
		v, ok := parseCount(field)
		switch {
		case len(field) == 0:
			l.fault(item, l.text, strconv.Itoa(sides)+" corners")
		case !ok || v >= len(m.verts):
			l.fault(item, field, "a vertex from 0 to "+strconv.Itoa(len(m.verts)-1))
		}
		m.corners = append(m.corners, v)
	}
	m.endFace()
	l.fail(m.gathered(len(m.ends), len(m.verts)))
}
