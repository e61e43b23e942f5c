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

// Settled is a scene in plain text that any engine can read: shapes, fixed boxes and bodies.
// Lengths in m, z up.
type Settled struct {
	Shapes []SettledShape // in the order of the file
	Static []SettledBox   // fixed bodies
	Bodies []SettledBody  // moving bodies

	Lines SettledLines // line numbers, for messages
}

// SettledLines holds the line numbers of the rows of a scene, from 1. It is empty for scenes that
// were not read from a file.
type SettledLines struct{ Shapes, Static, Bodies []int32 } // in the order of the file

// SettledShape is a convex block in a frame whose origin is its centroid.
type SettledShape struct {
	IsBox bool       // an axis-aligned box with half sides Half
	Half  vec.Vec3   // half sides of the bounding box
	Verts []vec.Vec3 // body frame
}

// SettledBox is a fixed axis-aligned box.
type SettledBox struct{ Half, Center vec.Vec3 } // m: half sides, and centre

// SettledBody is one body at rest.
type SettledBody struct {
	Shape int      // index into Shapes
	Pose  vec.Pose // of the centroid, body frame to world frame; unit quaternion
}

const (
	// quatNormTol is the largest accepted deviation of a quaternion norm from 1 in a file. Text
	// with four digits is within it. A missing component or a scaled quaternion is not.
	// Smaller: short files are refused. Larger: mistakes pass.
	quatNormTol = 1e-3
	// quatRounding bounds the rounding error of the norm of a normalised quaternion: half a unit
	// for each component, and the errors of the sum and the root. Normalising again gains no bits
	// below it.
	// Larger: a written quaternion comes back with other bits.
	quatRounding = 4 * 0x1p-53
	// maxSettledRows limits each section, and the vertices of all shapes together. It is the
	// largest number of bodies in a scene.
	maxSettledRows = 10_000_000
	// maxSettledVerts limits the vertices of a shape to the range of vertex indices in package soa.
	maxSettledVerts = 1 << 16
	// maxSettledNumber limits numbers to the range of scenes, where fifth powers are finite.
	maxSettledNumber = 1e50
	// maxSettledLine limits a line, bytes. The longest line has 8 numbers of 25 characters.
	maxSettledLine = 1 << 12
)

// UnitQuat returns q divided by its norm. If the norm differs from 1 by rounding only, it returns q
// itself, so that a written quaternion reads back with the same bits. ok is false if the norm
// differs from 1 by more than 1e-3, or is zero or NaN; such a quaternion is a mistake in the input.
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
// The vertices of a shape with isbox 1 must be the corners of the box about the origin with half
// sides hx, hy, hz. Empty lines, and text after a '#', are ignored. Quaternions are normalised.
// Errors of content are InputErrors. The memory grows with the actual rows, not with the announced
// ones. Limits: 10 million rows in a section, 4 GiB of text, and 100 bytes of text from one byte of
// gzip.
func ReadSettled(path string) (*Settled, error) {
	file, _, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	defer file.Close() // The file is only read.
	return DecodeSettled(path, file)
}

// DecodeSettled is ReadSettled for a stream. name appears in error messages.
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

// settledReader reads the lines of a settled scene from a stream.
type settledReader struct {
	lineReader
	from  *boundedText
	lines *bufio.Scanner // lines of from
	verts int            // vertices of all shapes so far
	scene *Settled
}

// next moves to the next line that is not empty. It returns false at the end of the file.
func (s *settledReader) next() bool {
	for s.err == nil && s.lines.Scan() && s.lines.Err() == nil { // After an error, the last line may be cut.
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

// lineNumber returns the number of the current line, or 0 if it exceeds 32 bits, which is possible
// in 4 GiB of text.
func (s *settledReader) lineNumber() int32 {
	if s.line > math.MaxInt32 {
		return 0
	}
	return int32(s.line)
}

// row moves to the line of an item. The end of the file is an error.
func (s *settledReader) row(item string) {
	if !s.next() {
		s.truncated(item, "a line with "+item)
	}
}

// whole reads a whole number from lo to hi.
func (s *settledReader) whole(item string, lo, hi int) int {
	field := s.field()
	n, err := strconv.Atoi(string(field))
	if err != nil || n < lo || n > hi {
		s.fault(item, field, fmt.Sprintf("a whole number from %d to %d", lo, hi))
		return 0
	}
	return n
}

// floats reads len(x) numbers from the current line.
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

// half reads three half sides, which must be positive.
func (s *settledReader) half(item string) vec.Vec3 {
	before := s.left
	h := s.point(item)
	if !(h.X > 0 && h.Y > 0 && h.Z > 0) {
		s.fault(item+", half sides", before, "three lengths > 0")
	}
	return h
}

// done requires that the current line has no more fields.
func (s *settledReader) done(item string) {
	if field := s.field(); len(field) > 0 {
		s.fault(item, field, "the end of the line")
	}
}

// section reads a line with a keyword and a number of rows, and then the rows. each names a row in
// error messages.
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
	corners := 0 // corners of a box found so far, one bit each
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

// boxCorner returns which corner of the box about the origin with half sides h the point p is, as
// one of eight bits. Coordinates with seven digits are accurate enough.
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
