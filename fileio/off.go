package fileio

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// decodeOFF reads an object file of the Geomview family: OFF, and with normals, colours or texture
// after the coordinates NOFF, COFF, STOFF and their combinations; those must be finite and are not
// used. The word may be left out and may share its line with the counts. 4OFF, nOFF and binary files
// are refused by name. A vertex or a face takes one line.
func (m *meshBuilder) decodeOFF(name string, content []byte) error {
	l := newLineReader(name, content)
	if !l.nextFilled() {
		return l.truncated("", "OFF")
	}
	counts, err := offHeader(l)
	if err != nil {
		return err
	}
	var n [2]int
	for i, what := range [2]string{"number of vertices", "number of faces"} {
		var field []byte
		field, counts = cutField(counts)
		var ok bool
		if n[i], ok = parseCount(field); !ok {
			return l.fault(what, field, "a whole number ≥ 0")
		}
	}
	// The number of edges may follow; programs write 0 for it.
	if field, rest := cutField(counts); len(field) > 0 {
		if _, ok := parseCount(field); !ok {
			return l.fault("number of edges", field, "a whole number ≥ 0")
		}
		if field, _ = cutField(rest); len(field) > 0 {
			return l.fault("header", field, "the end of the line after the numbers of vertices, faces and edges")
		}
	}
	nVerts, nFaces := n[0], n[1]
	// The shortest vertex is "0 0 0" and the end of the line, the shortest face "3 0 0 0".
	const vertexBytes, faceBytes = 6, 8
	held := len(l.rest) + 1
	if nVerts > held/vertexBytes || nFaces > held/faceBytes {
		return &InputError{File: name, Line: l.line, Value: fmt.Sprintf("%d %d", nVerts, nFaces), Err: ErrTruncated,
			Want: fmt.Sprintf("numbers of vertices and faces that %d bytes can hold", held-1)}
	}
	if err := m.announced(nVerts, 3*nFaces); err != nil {
		return err
	}
	for i := range nVerts {
		if err := m.offVertex(l, i, nVerts); err != nil {
			return err
		}
	}
	for i := range nFaces {
		if err := m.offFace(l, i, nFaces); err != nil {
			return err
		}
	}
	if l.nextFilled() {
		return l.fault("", l.text, fmt.Sprintf("the end of the file after %d vertices and %d faces", nVerts, nFaces))
	}
	return nil
}

// offHeader reads the word, if it is there, and returns the text with the counts.
func offHeader(l *lineReader) (counts []byte, err error) {
	word, rest := cutField(l.text)
	if _, ok := parseCount(word); ok {
		return l.text, nil
	}
	prefix, isOFF := strings.CutSuffix(string(word), "OFF")
	if !isOFF {
		return nil, l.fault("header", word, "OFF, COFF, NOFF, STOFF or the numbers of vertices and faces")
	}
	// The order is fixed: ST, C, N, then 4 and n, which change the number of coordinates.
	prefix = strings.TrimPrefix(prefix, "ST")
	prefix = strings.TrimPrefix(prefix, "C")
	prefix = strings.TrimPrefix(prefix, "N")
	if prefix != "" {
		return nil, l.fault("header", word, "vertices of three coordinates: OFF, COFF, NOFF or STOFF")
	}
	if second, _ := cutField(rest); bytes.EqualFold(second, []byte("BINARY")) {
		return nil, l.fault("header", second, "an ASCII file")
	} else if len(second) > 0 {
		return rest, nil
	}
	if !l.nextFilled() {
		return nil, l.truncated("header", "the numbers of vertices and faces")
	}
	return l.text, nil
}

func (m *meshBuilder) offVertex(l *lineReader, i, n int) error {
	item := "vertex " + strconv.Itoa(i)
	if !l.nextFilled() {
		return l.truncated(item, strconv.Itoa(n)+" vertices")
	}
	p, rest, err := l.point(item, l.text)
	if err != nil {
		return err
	}
	m.verts = append(m.verts, p)
	for {
		var field []byte
		if field, rest = cutField(rest); len(field) == 0 {
			return nil
		}
		if _, ok := parseFinite(field); !ok {
			return l.fault(item, field, wantFinite+" for a normal, a colour or a texture coordinate")
		}
	}
}

// offFace reads the corners of a face. A colour may follow, in any of four notations; it is skipped.
func (m *meshBuilder) offFace(l *lineReader, i, n int) error {
	item := "face " + strconv.Itoa(i)
	if !l.nextFilled() {
		return l.truncated(item, strconv.Itoa(n)+" faces")
	}
	field, rest := cutField(l.text)
	sides, ok := parseCount(field)
	if !ok || sides < 3 {
		return l.fault(item, field, "a number of corners ≥ 3")
	}
	for range sides {
		if field, rest = cutField(rest); len(field) == 0 {
			return l.fault(item, l.text, strconv.Itoa(sides)+" corners")
		}
		v, ok := parseCount(field)
		if !ok || v >= len(m.verts) {
			return l.fault(item, field, "a vertex from 0 to "+strconv.Itoa(len(m.verts)-1))
		}
		m.corners = append(m.corners, v)
	}
	m.endFace()
	return m.gathered(len(m.ends))
}
