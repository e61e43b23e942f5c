package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/scree-dem/scree/broad"
	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/vec"
)

// Columns of a table of bodies: balls or boxes, and the optional columns.
var (
	ballColumns  = []string{"x", "y", "z", "r"}
	boxColumns   = []string{"minx", "miny", "minz", "maxx", "maxy", "maxz"}
	bodyOptional = []string{"id", "frame"}
)

// Positions of the columns in the list that newFrameReader passes to fileio.NewBlocks.
const (
	columnBall  = 0
	columnBox   = 4
	columnID    = 10
	columnFrame = 11
)

// maxBodyPlace, m, limits coordinates and radii, and minBodyRadius, m, is the smallest radius: the
// neighbour searches accept no others.
const (
	maxBodyPlace  = 1e140
	minBodyRadius = 1e-140
)

// bodyFrame holds the bodies of one frame.
type bodyFrame struct {
	number int64
	set    broad.Input
	read   int64 // bytes of the file read so far, this frame included
}

// frameReader reads a table of bodies frame by frame. A table without a frame column is one frame.
type frameReader struct {
	table *fileio.Blocks
	boxes bool

	block fileio.Block
	row   fileio.BlockRow
	at    int // next row of the block
	begun bool
	last  int64 // number of the previous frame
	lines map[uint32]int
}

// newFrameReader reads the header of the table.
func newFrameReader(in io.Reader, name string) (*frameReader, error) {
	all := slices.Concat(ballColumns, boxColumns, bodyOptional)
	t, err := fileio.NewBlocks(in, name, nil, all)
	if empty := (*fileio.InputError)(nil); errors.As(err, &empty) && errors.Is(err, fileio.ErrTruncated) {
		empty.Want = "a header line with " + bodyHeads()
	}
	if err != nil {
		return nil, err
	}
	t.Eager = true // Return rows as soon as they are complete, so that a frame does not wait for a full block.
	r := &frameReader{table: t, lines: map[uint32]int{}}
	balls, lackBalls := columnsThere(t, columnBall, ballColumns)
	boxes, lackBoxes := columnsThere(t, columnBox, boxColumns)
	r.boxes = len(boxes) > 0
	lack := lackBalls
	if r.boxes {
		lack = lackBoxes
	}
	switch {
	case len(balls) > 0 && len(boxes) > 0:
		return nil, t.HeaderFault(strings.Join(append(balls, boxes...), ","), "columns of balls or of boxes: "+bodyHeads())
	case len(balls) == 0 && len(boxes) == 0:
		return nil, t.HeaderFault("", "the columns "+bodyHeads())
	case len(lack) > 0:
		return nil, t.HeaderFault(strings.Join(append(balls, boxes...), ","), "also the columns "+strings.Join(lack, ", "))
	}
	return r, nil
}

// bodyHeads returns the two alternative lists of columns, for messages.
func bodyHeads() string {
	return strings.Join(ballColumns, ",") + " or " + strings.Join(boxColumns, ",")
}

// columnsThere returns which of the columns names the table has, and which it lacks. names[0] has
// the position first.
func columnsThere(t *fileio.Blocks, first int, names []string) (there, lack []string) {
	for i, name := range names {
		if t.Has(first + i) {
			there = append(there, name)
		} else {
			lack = append(lack, name)
		}
	}
	return there, lack
}

// blockRows is the number of rows read at a time.
const blockRows = 4096

// next reads the bodies of the next frame. It returns false at the end of the table.
func (r *frameReader) next(f *bodyFrame) (bool, error) {
	s := &f.set
	s.Box, s.Centre, s.Radius, s.ID = s.Box[:0], s.Centre[:0], s.Radius[:0], s.ID[:0]
	clear(r.lines)
	for begun := false; ; begun = true {
		if r.at == r.block.Len() {
			if r.at = 0; !r.table.Next(&r.block, blockRows) {
				f.read = r.table.Read()
				return begun, r.table.Err()
			}
		}
		if err := r.row.Set(r.table, &r.block, r.at); err != nil {
			return false, err
		}
		number, err := r.frame()
		if err != nil {
			return false, err
		}
		if begun && number != f.number {
			f.read = r.table.Read()
			return true, nil // The row belongs to the next frame.
		}
		f.number, r.last, r.begun = number, number, true
		if err := r.body(s); err != nil {
			return false, err
		}
		r.at++
	}
}

// frame returns the frame number of the current row.
func (r *frameReader) frame() (int64, error) {
	if !r.table.Has(columnFrame) {
		return 0, nil
	}
	number, err := r.row.Int(columnFrame)
	if err == nil && r.begun && number < r.last {
		err = r.row.Fault(columnFrame, fmt.Sprintf("at least %d: frames come in rising order, each as rows that follow each other", r.last))
	}
	return number, err
}

// body appends the body of the current row to s.
func (r *frameReader) body(s *broad.Input) error {
	if r.table.Has(columnID) {
		id, err := r.row.Int(columnID)
		if err != nil || id < 0 || id > math.MaxUint32 {
			return r.row.Fault(columnID, fmt.Sprintf("a whole number from 0 to %d", uint32(math.MaxUint32)))
		}
		if line, known := r.lines[uint32(id)]; known {
			return r.row.Fault(columnID, fmt.Sprintf("each id once in a frame, it is also in line %d", line))
		}
		r.lines[uint32(id)] = r.row.Line()
		s.ID = append(s.ID, uint32(id))
	}
	if r.boxes {
		var v [6]float64
		if err := r.numbers(columnBox, v[:]); err != nil {
			return err
		}
		for axis := range 3 {
			if v[axis] > v[axis+3] {
				return r.row.Fault(columnBox+axis+3, fmt.Sprintf("at least %s, which is %g", boxColumns[axis], v[axis]))
			}
		}
		s.Box = append(s.Box, vec.Box{Min: vec.V(v[0], v[1], v[2]), Max: vec.V(v[3], v[4], v[5])})
		return nil
	}
	var v [4]float64
	if err := r.numbers(columnBall, v[:]); err != nil {
		return err
	}
	if !(v[3] >= minBodyRadius) {
		return r.row.Fault(columnBall+3, fmt.Sprintf("a radius of at least %g m", minBodyRadius))
	}
	s.Centre, s.Radius = append(s.Centre, vec.V(v[0], v[1], v[2])), append(s.Radius, v[3])
	return nil
}

// numbers reads len(v) columns from the position first on, and rejects values that the searches do
// not accept.
func (r *frameReader) numbers(first int, v []float64) error {
	if err := r.row.Floats(first, v); err != nil {
		return err
	}
	for i, x := range v {
		if !(math.Abs(x) <= maxBodyPlace) {
			return r.row.Fault(first+i, fmt.Sprintf("a number within %g m", maxBodyPlace))
		}
	}
	return nil
}
