package fileio

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strconv"

	"github.com/scree-dem/scree/vec"
)

// plyReader reads the rows of the elements, as text or as binary numbers.
type plyReader struct {
	lineReader // of the header and, of an ASCII file, the rest
	ascii      bool
	order      binary.ByteOrder
	elements   []plyElement
	named      map[string]bool // by name: whether there is such an element
	left       []byte          // ASCII: what is left of the current line
	read       []byte          // ASCII: the newest word
	total      int             // bytes of the file
}

// decodePLY reads x, y, z of the element vertex and the list vertex_indices (or vertex_index) of the
// element face; other elements and properties are passed over, whatever they are.
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
			return p.fault("", []byte("element tristrips"), "faces as lists of vertex_indices: strips are not read")
		}
	}
	if !hasVertex {
		return p.fault("header", nil, "an element vertex")
	}
	for i := range p.elements {
		e := &p.elements[i]
		if err := p.plausible(e); err != nil {
			return err
		}
		var err error
		switch e.name {
		case "vertex":
			if err = m.announced(e.count, 0); err == nil {
				err = m.plyVertices(p, e)
			}
		case "face":
			if err = m.announced(nVerts, 3*e.count); err == nil {
				err = m.plyFaces(p, e, nVerts)
			}
		default:
			err = p.skipElement(e)
		}
		if err != nil {
			return err
		}
	}
	return p.atEnd()
}

// plausible refuses a number of rows that the rest of the file cannot hold, before anything of that
// size is allocated.
func (p *plyReader) plausible(e *plyElement) error {
	row := 0
	for _, q := range e.properties {
		switch {
		case p.ascii:
			row += 2 // A digit and a blank.
		case q.list:
			row += q.length.bytes
		default:
			row += q.value.bytes
		}
	}
	// The last number of an ASCII file may lack its blank.
	if held := len(p.left) + len(p.rest) + 1; row > 0 && e.count > held/row {
		return p.faultAt("element "+e.name, strconv.Itoa(e.count)+" rows",
			fmt.Sprintf("no more than the %d that the file can hold", held/row), ErrTruncated)
	}
	return nil
}

// faultAt returns an error at the current line of an ASCII file or byte of a binary one.
func (p *plyReader) faultAt(item, value, want string, cause error) error {
	e := &InputError{File: p.file, Item: item, Value: value, Want: want, Err: cause}
	if p.ascii {
		e.Line = p.line
	} else {
		e.Byte = int64(p.total - len(p.rest))
	}
	return e
}

// row names a row of an element in messages.
func (e *plyElement) row(i int) string { return e.name + " " + strconv.Itoa(i) }

// lengthOf names the length of a list in messages.
func (e *plyElement) lengthOf(q *plyProperty, i int) string {
	return e.row(i) + ", length of " + q.name
}

// number reads the next number. Whole numbers of every type are exact in float64.
func (p *plyReader) number(t plyType, e *plyElement, row int) (float64, error) {
	if p.ascii {
		return p.numberASCII(t, e, row)
	}
	if len(p.rest) < t.bytes {
		return 0, p.faultAt(e.row(row), "", strconv.Itoa(e.count)+" rows", ErrTruncated)
	}
	b := p.rest[:t.bytes]
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
	p.rest = p.rest[t.bytes:]
	switch {
	case t.float && t.bytes == 4:
		return float64(math.Float32frombits(uint32(bits))), nil
	case t.float:
		return math.Float64frombits(bits), nil
	case t.signed:
		unused := 64 - 8*t.bytes
		return float64(int64(bits<<unused) >> unused), nil
	}
	return float64(bits), nil
}

func (p *plyReader) numberASCII(t plyType, e *plyElement, row int) (float64, error) {
	word, err := p.word(e, row)
	if err != nil {
		return 0, err
	}
	if t.float {
		x, err := parseFloat(word)
		if err != nil && !math.IsInf(x, 0) {
			return 0, p.fault(e.row(row), word, "a number")
		}
		return x, nil
	}
	n, err := strconv.ParseInt(string(word), 10, 64)
	bits := 8 * t.bytes
	lo, hi := int64(0), int64(1)<<bits-1
	if t.signed {
		lo, hi = -(int64(1) << (bits - 1)), int64(1)<<(bits-1)-1
	}
	if err != nil || n < lo || n > hi {
		return 0, p.fault(e.row(row), word, fmt.Sprintf("a whole number from %d to %d", lo, hi))
	}
	return float64(n), nil
}

// word returns the next word of an ASCII file. Where lines end does not matter.
func (p *plyReader) word(e *plyElement, row int) ([]byte, error) {
	for {
		var word []byte
		if word, p.left = cutField(p.left); len(word) > 0 {
			p.read = word
			return word, nil
		}
		if !p.next() {
			return nil, p.truncated(e.row(row), strconv.Itoa(e.count)+" rows")
		}
		p.left = p.text
	}
}

// skip passes over a property of the current row.
func (p *plyReader) skip(q *plyProperty, e *plyElement, row int) error {
	n := 1
	if q.list {
		length, err := p.listLength(q, e, row)
		if err != nil {
			return err
		}
		n = length
	}
	if !p.ascii {
		if len(p.rest) < n*q.value.bytes {
			return p.faultAt(e.row(row), "", strconv.Itoa(e.count)+" rows", ErrTruncated)
		}
		p.rest = p.rest[n*q.value.bytes:]
		return nil
	}
	for range n {
		if _, err := p.word(e, row); err != nil {
			return err
		}
	}
	return nil
}

// listLength reads the number of entries of a list, which the rest of the file has to be able to hold.
func (p *plyReader) listLength(q *plyProperty, e *plyElement, row int) (int, error) {
	n, err := p.number(q.length, e, row)
	if err != nil {
		return 0, err
	}
	bytesEach := q.value.bytes
	held := float64(len(p.rest) / bytesEach)
	if p.ascii {
		held = float64((len(p.left) + len(p.rest) + 1) / 2)
	}
	if n < 0 {
		return 0, p.faultAt(e.lengthOf(q, row), strconv.FormatFloat(n, 'f', -1, 64), "a whole number ≥ 0", nil)
	}
	if n > held {
		return 0, p.faultAt(e.lengthOf(q, row), strconv.FormatFloat(n, 'f', -1, 64),
			fmt.Sprintf("no more than the %.0f numbers that are left", held), ErrTruncated)
	}
	return int(n), nil
}

func (p *plyReader) skipElement(e *plyElement) error {
	if len(e.properties) == 0 {
		return nil // Rows of nothing, as many as are claimed.
	}
	for row := range e.count {
		if err := p.skipRow(e, row, 0, len(e.properties)); err != nil {
			return err
		}
	}
	return nil
}

// skipRow passes over the properties from first up to end of a row.
func (p *plyReader) skipRow(e *plyElement, row, first, end int) error {
	for i := first; i < end; i++ {
		if err := p.skip(&e.properties[i], e, row); err != nil {
			return err
		}
	}
	return nil
}

func (m *meshBuilder) plyVertices(p *plyReader, e *plyElement) error {
	axis := make([]int, len(e.properties)) // 1 + the axis that a property is, or 0
	for i, name := range [3]string{"x", "y", "z"} {
		at := e.property(name)
		if at < 0 || e.properties[at].list {
			return p.faultAt("element vertex", "", "a property "+name+" that is a number", nil)
		}
		axis[at] = i + 1
	}
	m.verts = make([]vec.Vec3, 0, e.count)
	for row := range e.count {
		var c [3]float64
		for i := range e.properties {
			if axis[i] == 0 {
				if err := p.skipRow(e, row, i, i+1); err != nil {
					return err
				}
				continue
			}
			x, err := p.number(e.properties[i].value, e, row)
			if err != nil {
				return err
			}
			if !isFinite(x) {
				value := strconv.FormatFloat(x, 'g', -1, 64)
				if p.ascii {
					value = string(p.read)
				}
				return p.faultAt(e.row(row)+", "+e.properties[i].name, value, wantFinite, nil)
			}
			c[axis[i]-1] = x
		}
		m.verts = append(m.verts, vec.Vec3{X: c[0], Y: c[1], Z: c[2]})
	}
	return nil
}

func (m *meshBuilder) plyFaces(p *plyReader, e *plyElement, nVerts int) error {
	at := e.property("vertex_indices")
	if at < 0 {
		at = e.property("vertex_index")
	}
	if at < 0 || !e.properties[at].list || e.properties[at].value.float {
		return p.faultAt("element face", "", "a property list of whole numbers named vertex_indices or vertex_index", nil)
	}
	q := &e.properties[at]
	m.ends = make([]int, 0, e.count)
	for row := range e.count {
		if err := p.skipRow(e, row, 0, at); err != nil {
			return err
		}
		sides, err := p.listLength(q, e, row)
		if err != nil {
			return err
		}
		if sides < 3 {
			return p.faultAt(e.row(row), strconv.Itoa(sides)+" vertices", "at least 3", nil)
		}
		for range sides {
			v, err := p.number(q.value, e, row)
			if err != nil {
				return err
			}
			if v < 0 || v >= float64(nVerts) {
				return p.faultAt(e.row(row), strconv.FormatFloat(v, 'f', -1, 64),
					"a vertex from 0 to "+strconv.Itoa(nVerts-1), nil)
			}
			m.corners = append(m.corners, int(v))
		}
		m.endFace()
		if err := m.gathered(len(m.ends)); err != nil {
			return err
		}
		if err := p.skipRow(e, row, at+1, len(e.properties)); err != nil {
			return err
		}
	}
	return nil
}

// atEnd demands that nothing but blanks follows the last element, so that a wrong count is noticed.
func (p *plyReader) atEnd() error {
	left := bytes.TrimSpace(p.left)
	for p.ascii && len(left) == 0 && p.next() {
		left = bytes.TrimSpace(p.text)
	}
	if !p.ascii {
		left = bytes.TrimSpace(p.rest)
	}
	if len(left) == 0 {
		return nil
	}
	return p.faultAt("after the last element", string(left[:min(len(left), valueShown)]), "the end of the file", nil)
}
