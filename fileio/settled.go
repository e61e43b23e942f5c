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
	file, err := openRegular(path)
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
	s := &settledReader{file: name, from: text, lines: bufio.NewScanner(text)}
	s.lines.Buffer(make([]byte, 0, maxSettledLine), maxSettledLine)
	scene := &Settled{}
	if err := s.scene(scene); err != nil {
		return nil, err
	}
	return scene, nil
}

// settledReader reads the lines of a settled scene.
type settledReader struct {
	file  string
	from  *boundedText
	lines *bufio.Scanner // of from
	line  int
	text  []byte // what is left of the current line
	verts int    // of all shapes so far
}

func (s *settledReader) fault(item string, value []byte, want string) error {
	return &InputError{File: s.file, Line: s.line, Item: item, Value: string(value), Want: want}
}

// next moves to the next line that holds something; more is false at the end of the file.
func (s *settledReader) next() (more bool, err error) {
	for s.lines.Scan() && s.from.passed == nil {
		s.line++
		s.text = s.lines.Bytes()
		if i := bytes.IndexByte(s.text, '#'); i >= 0 {
			s.text = s.text[:i]
		}
		if s.text = bytes.TrimSpace(s.text); len(s.text) > 0 {
			return true, nil
		}
	}
	var corrupt flate.CorruptInputError
	if bound := s.from.passed; bound != nil {
		bound.Line = s.line + 1
		return false, bound
	}
	switch err := s.lines.Err(); {
	case err == nil:
		return false, nil
	case errors.Is(err, bufio.ErrTooLong):
		return false, &InputError{File: s.file, Line: s.line + 1, Value: "a longer one",
			Want: fmt.Sprintf("a line of less than %d bytes", maxSettledLine)}
	case errors.Is(err, io.ErrUnexpectedEOF):
		return false, &InputError{File: s.file, Line: s.line + 1, Err: ErrTruncated, Want: "the rest of the gzip file"}
	case errors.Is(err, errAfterGzip):
		return false, &InputError{File: s.file, Line: s.line + 1, Err: err, Want: "the end of the file, or another gzip file"}
	case errors.Is(err, gzip.ErrChecksum), errors.Is(err, gzip.ErrHeader), errors.As(err, &corrupt):
		return false, &InputError{File: s.file, Line: s.line + 1, Err: err, Want: "a gzip file that is whole"}
	default:
		return false, fmt.Errorf("fileio: reading %s: %w", s.file, err)
	}
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
func (s *settledReader) row(item string) error {
	more, err := s.next()
	if err != nil {
		return err
	}
	if !more {
		return &InputError{File: s.file, Line: max(s.line, 1), Item: item, Err: ErrTruncated, Want: "a line with " + item}
	}
	return nil
}

// field cuts the next field off the current line.
func (s *settledReader) field() []byte {
	var field []byte
	field, s.text = cutField(s.text)
	return field
}

// whole reads a number from lo to hi.
func (s *settledReader) whole(item string, lo, hi int) (int, error) {
	field := s.field()
	n, err := strconv.Atoi(string(field))
	if err != nil || n < lo || n > hi {
		return 0, s.fault(item, field, fmt.Sprintf("a whole number from %d to %d", lo, hi))
	}
	return n, nil
}

// floats fills x from the current line.
func (s *settledReader) floats(item string, x ...*float64) error {
	for i := range x {
		field := s.field()
		value, ok := parseFinite(field)
		if !ok {
			return s.fault(item, field, fmt.Sprintf("%s, number %d of %d", wantFinite, i+1, len(x)))
		}
		if math.Abs(value) > maxSettledNumber {
			return s.fault(item, field, fmt.Sprintf("a number of at most %g in size, number %d of %d", maxSettledNumber, i+1, len(x)))
		}
		*x[i] = value
	}
	return nil
}

// point reads three coordinates.
func (s *settledReader) point(item string, p *vec.Vec3) error {
	return s.floats(item, &p.X, &p.Y, &p.Z)
}

// done demands that nothing is left on the line.
func (s *settledReader) done(item string) error {
	if field := s.field(); len(field) > 0 {
		return s.fault(item, field, "the end of the line")
	}
	return nil
}

// section reads a line of a keyword and a number of rows.
func (s *settledReader) section(keyword string) (n int, err error) {
	if err := s.row(keyword); err != nil {
		return 0, err
	}
	if field := s.field(); string(field) != keyword {
		return 0, s.fault("", field, strconv.Quote(keyword))
	}
	if n, err = s.whole(keyword, 0, maxSettledRows); err != nil {
		return 0, err
	}
	return n, s.done(keyword)
}

func (s *settledReader) scene(scene *Settled) error {
	n, err := s.section("shapes")
	if err != nil {
		return err
	}
	for i := range n {
		if err := s.shape(scene, "shape "+strconv.Itoa(i)); err != nil {
			return err
		}
	}
	if n, err = s.section("static"); err != nil {
		return err
	}
	for i := range n {
		if err := s.static(scene, "static "+strconv.Itoa(i)); err != nil {
			return err
		}
	}
	if n, err = s.section("bodies"); err != nil {
		return err
	}
	for i := range n {
		if err := s.body(scene, "body "+strconv.Itoa(i)); err != nil {
			return err
		}
	}
	more, err := s.next()
	if err != nil {
		return err
	}
	if more {
		return s.fault("", s.text, fmt.Sprintf("the end of the file after %d bodies", n))
	}
	return nil
}

func (s *settledReader) shape(scene *Settled, item string) error {
	if err := s.row(item); err != nil {
		return err
	}
	nVerts, err := s.whole(item+", number of vertices", 4, maxSettledVerts)
	if err != nil {
		return err
	}
	isBox, err := s.whole(item+", isbox", 0, 1)
	if err != nil {
		return err
	}
	if s.verts += nVerts; s.verts > maxSettledRows {
		return s.fault(item, []byte(strconv.Itoa(s.verts)+" vertices"), fmt.Sprintf("at most %d in all shapes", maxSettledRows))
	}
	shape := SettledShape{IsBox: isBox == 1}
	scene.Lines.Shapes = append(scene.Lines.Shapes, s.lineNumber())
	if err := s.half(item, &shape.Half); err != nil {
		return err
	}
	if err := s.done(item); err != nil {
		return err
	}
	if shape.IsBox && nVerts != 8 {
		return s.fault(item+", number of vertices", []byte(strconv.Itoa(nVerts)), "8, those of a box (isbox is 1)")
	}
	corners := 0 // of a box, a bit each
	for k := range nVerts {
		vertex := item + ", vertex " + strconv.Itoa(k)
		var p vec.Vec3
		if err := s.row(vertex); err != nil {
			return err
		}
		if err := s.point(vertex, &p); err != nil {
			return err
		}
		if err := s.done(vertex); err != nil {
			return err
		}
		if shape.IsBox {
			corner, ok := boxCorner(p, shape.Half)
			if !ok || corners&corner != 0 {
				return s.fault(vertex, fmt.Append(nil, p.X, p.Y, p.Z), fmt.Sprintf(
					"another corner (±%g, ±%g, ±%g) of a box about the origin (isbox is 1)", shape.Half.X, shape.Half.Y, shape.Half.Z))
			}
			corners |= corner
		}
		shape.Verts = append(shape.Verts, p)
	}
	scene.Shapes = append(scene.Shapes, shape)
	return nil
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

// half reads three half sides, which are lengths above zero.
func (s *settledReader) half(item string, h *vec.Vec3) error {
	before := s.text
	if err := s.point(item, h); err != nil {
		return err
	}
	if !(h.X > 0 && h.Y > 0 && h.Z > 0) {
		return s.fault(item+", half sides", before, "three lengths > 0")
	}
	return nil
}

func (s *settledReader) static(scene *Settled, item string) error {
	if err := s.row(item); err != nil {
		return err
	}
	var box SettledBox
	if err := s.half(item, &box.Half); err != nil {
		return err
	}
	if err := s.point(item, &box.Center); err != nil {
		return err
	}
	scene.Static = append(scene.Static, box)
	scene.Lines.Static = append(scene.Lines.Static, s.lineNumber())
	return s.done(item)
}

func (s *settledReader) body(scene *Settled, item string) error {
	if err := s.row(item); err != nil {
		return err
	}
	if len(scene.Shapes) == 0 {
		return s.fault(item, nil, "at least one shape before the first body")
	}
	shape, err := s.whole(item+", shape", 0, len(scene.Shapes)-1)
	if err != nil {
		return err
	}
	var pos vec.Vec3
	if err := s.point(item, &pos); err != nil {
		return err
	}
	var q vec.Quat
	before := s.text
	if err := s.floats(item+", quaternion", &q.W, &q.X, &q.Y, &q.Z); err != nil {
		return err
	}
	unit, ok := UnitQuat(q)
	if !ok {
		return s.fault(item+", quaternion", bytes.TrimSpace(before), "a quaternion of norm 1, within 1e-3")
	}
	scene.Lines.Bodies = append(scene.Lines.Bodies, s.lineNumber())
	scene.Bodies = append(scene.Bodies, SettledBody{Shape: shape, Pose: vec.Pose{Pos: pos, Rot: unit}})
	return s.done(item)
}
