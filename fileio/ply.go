package fileio

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strconv"

	"github.com/scree-dem/scree/vec"
)

// plyReader reads the rows of elements, as text or as binary numbers. After an error it returns
// zeros.
type plyReader struct {
	lineReader // the header and, for ASCII files, the rows
	ascii      bool
	order      binary.ByteOrder
	elements   []plyElement
	named      map[string]bool // names of the elements
	read       []byte          // ASCII: the last word read
	total      int             // size of the file, bytes
}

// decodePLY reads x, y, z of the element vertex, and the list vertex_indices (or vertex_index) of
// the element face. It skips all other elements and properties.
func (m *meshBuilder) decodePLY(name string, content []byte) error {
	p := &plyReader{lineReader: lineReader{file: name, rest: content, end: '\n'}, total: len(content)}
	if err := p.header(); err != nil {
		return err
	}
	nVerts, hasVertex := 0, false
	for i := range p.elements {
		e := &p.elements[i]
		switch e.name {
		case "vertex":
			nVerts, hasVertex = e.count, true
		case "tristrips":
			p.fault("", []byte("element tristrips"), "faces as lists of vertex_indices: strips are not read")
		}
	}
	if !hasVertex {
		p.fault("header", nil, "an element vertex")
	}
	m.holds(p, int64(len(content)))
	for i := 0; i < len(p.elements) && p.err == nil; i++ {
		e := &p.elements[i]
		switch e.name {
		case "vertex":
			m.plyVertices(p, e)
		case "face":
			m.plyFaces(p, e, nVerts)
		default:
			p.skipElement(e)
		}
	}
	p.atEnd()
	return p.err
}

// faultAt reports an error at the current line of an ASCII file or the current byte of a binary
// file.
func (p *plyReader) faultAt(item, value, want string, cause error) {
	e := &InputError{File: p.file, Item: item, Value: value, Want: want, Err: cause}
	if p.ascii {
		e.Line = p.line
	} else {
		e.Byte = int64(p.total - len(p.rest))
	}
	p.fail(e)
}

// row returns the name of row i in messages.
func (e *plyElement) row(i int) string { return e.name + " " + strconv.Itoa(i) }

// lengthOf returns the name of a list length in messages.
func (e *plyElement) lengthOf(q *plyProperty, i int) string {
	return e.row(i) + ", length of " + q.name
}

// number reads the next number. float64 represents all whole numbers of the types exactly.
func (p *plyReader) number(t plyType, e *plyElement, row int) float64 {
	if p.ascii {
		return p.numberASCII(t, e, row)
	}
	b := p.take(t.bytes, e, row)
	if b == nil {
		return 0
	}
	var bits uint64
	switch t.bytes {
	case 1:
		bits = uint64(b[0])
	case 2:
		bits = uint64(p.order.Uint16(b))
	case 4:
		bits = uint64(p.order.Uint32(b))
	default:
		bits = p.order.Uint64(b)
	}
	switch {
	case t.float && t.bytes == 4:
		return float64(math.Float32frombits(uint32(bits)))
	case t.float:
		return math.Float64frombits(bits)
	case t.signed:
		unused := 64 - 8*t.bytes
		return float64(int64(bits<<unused) >> unused)
	}
	return float64(bits)
}

// take returns the next n bytes of a binary file, or nil if fewer are left.
func (p *plyReader) take(n int, e *plyElement, row int) []byte {
	if len(p.rest) < n {
		p.faultAt(e.row(row), "", strconv.Itoa(e.count)+" rows", ErrTruncated)
		return nil
	}
	b := p.rest[:n]
	p.rest = p.rest[n:]
	return b
}

func (p *plyReader) numberASCII(t plyType, e *plyElement, row int) float64 {
	p.read = p.wordOf(e, row)
	if t.float {
		x, err := parseFloat(p.read)
		if err != nil && !math.IsInf(x, 0) {
			p.fault(e.row(row), p.read, "a number")
		}
		return x
	}
	n, err := strconv.ParseInt(string(p.read), 10, 64)
	bits := 8 * t.bytes
	lo, hi := int64(0), int64(1)<<bits-1
	if t.signed {
		lo, hi = -(int64(1) << (bits - 1)), int64(1)<<(bits-1)-1
	}
	if err != nil || n < lo || n > hi {
		p.fault(e.row(row), p.read, fmt.Sprintf("a whole number from %d to %d", lo, hi))
	}
	return float64(n)
}

// wordOf returns the next word of an ASCII file. The end of the file is an error.
func (p *plyReader) wordOf(e *plyElement, row int) []byte {
	word := p.word()
	if len(word) == 0 {
		p.truncated(e.row(row), strconv.Itoa(e.count)+" rows")
	}
	return word
}

// listLength reads the number of entries of a list. It rejects a number that the rest of the file
// cannot hold.
func (p *plyReader) listLength(q *plyProperty, e *plyElement, row int) int {
	n := p.number(q.length, e, row)
	held := float64(len(p.rest) / q.value.bytes)
	if p.ascii {
		held = float64((len(p.left) + len(p.rest) + 1) / 2)
	}
	switch {
	case n < 0:
		p.faultAt(e.lengthOf(q, row), strconv.FormatFloat(n, 'f', -1, 64), "a whole number ≥ 0", nil)
	case n > held:
		p.faultAt(e.lengthOf(q, row), strconv.FormatFloat(n, 'f', -1, 64),
			fmt.Sprintf("no more than the %.0f numbers that are left", held), ErrTruncated)
	}
	if p.err != nil {
		return 0
	}
	return int(n)
}

func (p *plyReader) skipElement(e *plyElement) {
	if len(e.properties) == 0 {
		return // Rows without properties use no bytes, so any count is allowed.
	}
	for row := 0; row < e.count && p.err == nil; row++ {
		p.skip(e.properties, e, row)
	}
}

// skip skips properties of a row.
func (p *plyReader) skip(properties []plyProperty, e *plyElement, row int) {
	for i := range properties {
		q, n := &properties[i], 1
		if q.list {
			n = p.listLength(q, e, row)
		}
		if !p.ascii {
			p.take(n*q.value.bytes, e, row)
			continue
		}
		for k := 0; k < n && p.err == nil; k++ {
			p.wordOf(e, row)
		}
	}
}

func (m *meshBuilder) plyVertices(p *plyReader, e *plyElement) {
	axis := make([]int, len(e.properties)) // by property: 1 + its axis, or 0
	for i, name := range [3]string{"x", "y", "z"} {
		at := e.property(name)
		if at < 0 || e.properties[at].list {
			p.faultAt("element vertex", "", "a property "+name+" that is a number", nil)
			return
		}
		axis[at] = i + 1
	}
	m.verts = make([]vec.Vec3, 0, e.count)
	for row := 0; row < e.count && p.err == nil; row++ {
		var c [3]float64
		for i := range e.properties {
			if axis[i] == 0 {
				p.skip(e.properties[i:i+1], e, row)
				continue
			}
			x := p.number(e.properties[i].value, e, row)
			if !isFinite(x) {
				value := strconv.FormatFloat(x, 'g', -1, 64)
				if p.ascii {
					value = string(p.read)
				}
				p.faultAt(e.row(row)+", "+e.properties[i].name, value, wantFinite, nil)
			}
			c[axis[i]-1] = x
		}
		m.verts = append(m.verts, vec.Vec3{X: c[0], Y: c[1], Z: c[2]})
	}
}

func (m *meshBuilder) plyFaces(p *plyReader, e *plyElement, nVerts int) {
	at := e.property("vertex_indices")
	if at < 0 {
		at = e.property("vertex_index")
	}
	if at < 0 || !e.properties[at].list || e.properties[at].value.float {
		p.faultAt("element face", "", "a property list of whole numbers named vertex_indices or vertex_index", nil)
		return
	}
	q := &e.properties[at]
	m.ends = make([]int, 0, e.count)
	for row := 0; row < e.count && p.err == nil; row++ {
		p.skip(e.properties[:at], e, row)
		sides := p.listLength(q, e, row)
		if sides < 3 {
			p.faultAt(e.row(row), strconv.Itoa(sides)+" vertices", "at least 3", nil)
		}
		for range sides {
			v := p.number(q.value, e, row)
			if v < 0 || v >= float64(nVerts) {
				p.faultAt(e.row(row), strconv.FormatFloat(v, 'f', -1, 64), "a vertex from 0 to "+strconv.Itoa(nVerts-1), nil)
				return
			}
			m.corners = append(m.corners, int(v))
		}
		m.endFace()
		p.fail(m.gathered(len(m.ends), len(m.verts)))
		p.skip(e.properties[at+1:], e, row)
	}
}

// atEnd requires that only blanks follow the last element. This detects wrong counts.
func (p *plyReader) atEnd() {
	left := bytes.TrimSpace(p.left)
	for p.ascii && len(left) == 0 && p.next() {
		left = bytes.TrimSpace(p.text)
	}
	if !p.ascii {
		left = bytes.TrimSpace(p.rest)
	}
	if len(left) > 0 {
		p.faultAt("after the last element", string(left[:min(len(left), valueShown)]), "the end of the file", nil)
	}
}
