package fileio

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/scree-dem/scree/vec"
)

// Settled is a scene in plain text that any engine can start from: shapes, fixed boxes and bodies.
// Lengths in m, z up.
type Settled struct {
	Shapes []SettledShape // in the order of the file
	Static []SettledBox   // bodies that do not move
	Bodies []SettledBody  // those that do

	Lines SettledLines // of the file that it was read from
}

// SettledLines are the lines of the rows of a scene, from 1, for messages. A scene that was not
// read has none.
type SettledLines struct{ Shapes, Static, Bodies []int32 } // in the order of the file

// SettledShape is a convex block about its centroid.
type SettledShape struct {
	IsBox bool       // an axis-aligned box of half sides Half
	Half  vec.Vec3   // half of the sides of the bounding box
	Verts []vec.Vec3 // body frame
}

// SettledBox is a fixed axis-aligned box.
type SettledBox struct{ Half, Center vec.Vec3 } // m: half the sides, and the middle

// SettledBody is one body at rest.
type SettledBody struct {
	Shape int      // index into Shapes
	Pose  vec.Pose // of the shape's centroid, body frame to world frame; unit quaternion
}

const (
	// quatNormTol is how far the norm of a quaternion in a file may be from 1: text of four digits is
	// within it, a forgotten component or a scaled one is not.
	quatNormTol = 1e-3
	// quatRounding is how far rounding alone moves the norm of a quaternion that was normalised: half
	// a unit for each component, and those of the sum and the root. No bits are gained below it.
	quatRounding = 4 * 0x1p-53
	// maxSettledRows bounds each section, and the vertices of all shapes together, to the bodies that a scene may have.
	maxSettledRows = 10_000_000
	// maxSettledVerts bounds the vertices of a shape to what soa's index of a vertex can hold.
	maxSettledVerts = 1 << 16
	// maxSettledNumber bounds numbers to those of a scene, whose fifth powers are finite.
	maxSettledNumber = 1e50
	// maxSettledLine bounds a line, in bytes: the longest has 8 numbers of 25 characters.
	maxSettledLine = 1 << 12
)

// UnitQuat returns q divided by its norm, or q itself where only rounding keeps the norm from 1, so
// that what was written comes back with the same bits. ok is false when the norm is off by more than
// 1e-3, zero and NaN included: such a quaternion is a mistake of whoever wrote it.
func UnitQuat(q vec.Quat) (unit vec.Quat, ok bool) {
	off := math.Abs(q.Norm() - 1)
	switch {
	case off <= quatRounding:
		return q, true
	case off <= quatNormTol:
		return q.Normalized(), true
	}
	return vec.Quat{}, false
}

// ReadSettled reads a settled scene, gzip or not:
//
//	shapes N    per shape a line `nv isbox hx hy hz` and nv lines `x y z`
//	static M    lines `hx hy hz cx cy cz`
//	bodies K    lines `shape x y z qw qx qy qz`
//
// The vertices of a shape with isbox 1 are the corners of the box of half sides hx, hy, hz about the origin. Empty lines and
// what follows a '#' do not count. Quaternions are normalised. Errors of content are InputErrors. Memory grows with the rows
// that are there, not with those announced. A section has at most 10 million rows, the text 4 GiB, and of gzip a byte
// becomes at most 100.
func ReadSettled(path string) (*Settled, error) {
	file, _, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	defer file.Close() // Nothing was written.
	return DecodeSettled(path, file)
}

// DecodeSettled is ReadSettled from a stream; the name serves for messages.
func DecodeSettled(name string, from io.Reader) (*Settled, error) {
	text, err := newBoundedText(name, from)
	if err != nil {
		return nil, err
	}
	s := &settledReader{lineReader: lineReader{file: name}, from: text, lines: bufio.NewScanner(text), scene: &Settled{}}
	s.lines.Buffer(make([]byte, 0, maxSettledLine), maxSettledLine)
	s.section("shapes", "shape", s.shape)
	s.section("static", "static", s.static)
	n := s.section("bodies", "body", s.body)
	if s.next() {
		s.fault("", s.text, fmt.Sprintf("the end of the file after %d bodies", n))
	}
	if s.err != nil {
		return nil, s.err
	}
	return s.scene, nil
}

// settledReader reads the lines of a settled scene, which come from a stream.
type settledReader struct {
	lineReader
	from  *boundedText
	lines *bufio.Scanner // of from
	verts int            // of all shapes so far
	scene *Settled
}

// next moves to the next line that holds something; it returns false at the end of the file.
func (s *settledReader) next() bool {
	for s.err == nil && s.lines.Scan() && s.from.passed == nil {
		s.line++
		s.text = s.lines.Bytes()
		if i := bytes.IndexByte(s.text, '#'); i >= 0 {
			s.text = s.text[:i]
		}
		s.text = bytes.TrimSpace(s.text)
		if s.left = s.text; len(s.text) > 0 {
			return true
		}
	}
	s.left = nil
	fault := &InputError{File: s.file, Line: s.line + 1}
	var corrupt flate.CorruptInputError
	switch err := s.lines.Err(); {
	case s.from.passed != nil:
		fault = s.from.passed
		fault.Line = s.line + 1
	case err == nil:
		return false
	case errors.Is(err, bufio.ErrTooLong):
		fault.Value, fault.Want = "a longer one", fmt.Sprintf("a line of less than %d bytes", maxSettledLine)
	case errors.Is(err, io.ErrUnexpectedEOF):
		fault.Err, fault.Want = ErrTruncated, "the rest of the gzip file"
	case errors.Is(err, errAfterGzip):
		fault.Err, fault.Want = err, "the end of the file, or another gzip file"
	case errors.Is(err, gzip.ErrChecksum), errors.Is(err, gzip.ErrHeader), errors.As(err, &corrupt):
		fault.Err, fault.Want = err, "a gzip file that is whole"
	default:
		s.fail(fmt.Errorf("fileio: reading %s: %w", s.file, err))
	}
	s.fail(fault)
	return false
}

// lineNumber returns the number of the current line, 0 for one that 32 bits do not hold: 4 GiB of
// text may have as many.
func (s *settledReader) lineNumber() int32 {
	if s.line > math.MaxInt32 {
		return 0
	}
	return int32(s.line)
}

// row moves to the line of an item that has to be there.
func (s *settledReader) row(item string) {
	if !s.next() {
		s.truncated(item, "a line with "+item)
	}
}

// whole reads a number from lo to hi.
func (s *settledReader) whole(item string, lo, hi int) int {
	field := s.field()
	n, err := strconv.Atoi(string(field))
	if err != nil || n < lo || n > hi {
		s.fault(item, field, fmt.Sprintf("a whole number from %d to %d", lo, hi))
		return 0
	}
	return n
}

// floats fills x from the current line.
func (s *settledReader) floats(item string, x ...*float64) {
	for i := range x {
		field := s.field()
		value, ok := parseFinite(field)
		switch {
		case !ok:
			s.fault(item, field, fmt.Sprintf("%s, number %d of %d", wantFinite, i+1, len(x)))
		case math.Abs(value) > maxSettledNumber:
			s.fault(item, field, fmt.Sprintf("a number of at most %g in size, number %d of %d", maxSettledNumber, i+1, len(x)))
		}
		*x[i] = value
	}
}

// point reads three coordinates.
func (s *settledReader) point(item string) (p vec.Vec3) {
	s.floats(item, &p.X, &p.Y, &p.Z)
	return p
}

// half reads three half sides, which are lengths above zero.
func (s *settledReader) half(item string) vec.Vec3 {
	before := s.left
	h := s.point(item)
	if !(h.X > 0 && h.Y > 0 && h.Z > 0) {
		s.fault(item+", half sides", before, "three lengths > 0")
	}
	return h
}

// done demands that nothing is left on the line.
func (s *settledReader) done(item string) {
	if field := s.field(); len(field) > 0 {
		s.fault(item, field, "the end of the line")
	}
}

// section reads a line of a keyword and a number of rows, and then the rows.
func (s *settledReader) section(keyword, each string, row func(item string)) (n int) {
	s.row(keyword)
	if field := s.field(); string(field) != keyword {
		s.fault("", field, strconv.Quote(keyword))
	}
	n = s.whole(keyword, 0, maxSettledRows)
	s.done(keyword)
	for i := 0; i < n && s.err == nil; i++ {
		item := each + " " + strconv.Itoa(i)
		s.row(item)
		row(item)
	}
	return n
}

func (s *settledReader) shape(item string) {
	nVerts := s.whole(item+", number of vertices", 4, maxSettledVerts)
	shape := SettledShape{IsBox: s.whole(item+", isbox", 0, 1) == 1}
	if s.verts += nVerts; s.verts > maxSettledRows {
		s.fault(item, []byte(strconv.Itoa(s.verts)+" vertices"), fmt.Sprintf("at most %d in all shapes", maxSettledRows))
	}
	s.scene.Lines.Shapes = append(s.scene.Lines.Shapes, s.lineNumber())
	shape.Half = s.half(item)
	s.done(item)
	if shape.IsBox && nVerts != 8 {
		s.fault(item+", number of vertices", []byte(strconv.Itoa(nVerts)), "8, those of a box (isbox is 1)")
	}
	corners := 0 // of a box, a bit each
	for k := 0; k < nVerts && s.err == nil; k++ {
		vertex := item + ", vertex " + strconv.Itoa(k)
		s.row(vertex)
		p := s.point(vertex)
		s.done(vertex)
		if shape.IsBox {
			corner, ok := boxCorner(p, shape.Half)
			if !ok || corners&corner != 0 {
				s.fault(vertex, fmt.Append(nil, p.X, p.Y, p.Z), fmt.Sprintf(
					"another corner (±%g, ±%g, ±%g) of a box about the origin (isbox is 1)", shape.Half.X, shape.Half.Y, shape.Half.Z))
			}
			corners |= corner
		}
		shape.Verts = append(shape.Verts, p)
	}
	s.scene.Shapes = append(s.scene.Shapes, shape)
}

// boxCorner returns which corner of the box of half sides h about the origin a point is, as one bit of eight. Seven digits are
// enough.
func boxCorner(p, h vec.Vec3) (bit int, ok bool) {
	at := 0
	for axis, x := range [3]float64{p.X, p.Y, p.Z} {
		if x > 0 {
			at |= 1 << axis
		}
	}
	return 1 << at, p.Abs().Sub(h).MaxAbs() <= weldRelative*h.MaxAbs()
}

func (s *settledReader) static(item string) {
	s.scene.Static = append(s.scene.Static, SettledBox{Half: s.half(item), Center: s.point(item)})
	s.scene.Lines.Static = append(s.scene.Lines.Static, s.lineNumber())
	s.done(item)
}

func (s *settledReader) body(item string) {
	if len(s.scene.Shapes) == 0 {
		s.fault(item, nil, "at least one shape before the first body")
		return
	}
	shape, pos := s.whole(item+", shape", 0, len(s.scene.Shapes)-1), s.point(item)
	var q vec.Quat
	before := s.left
	s.floats(item+", quaternion", &q.W, &q.X, &q.Y, &q.Z)
	unit, ok := UnitQuat(q)
	if !ok {
		s.fault(item+", quaternion", bytes.TrimSpace(before), "a quaternion of norm 1, within 1e-3")
	}
	s.scene.Lines.Bodies = append(s.scene.Lines.Bodies, s.lineNumber())
	s.scene.Bodies = append(s.scene.Bodies, SettledBody{Shape: shape, Pose: vec.Pose{Pos: pos, Rot: unit}})
	s.done(item)
}
