package pairs

import (
	"cmp"
	"fmt"
	"math"

	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/vec"
)

// Indices of the input columns.
const (
	colShapeA = iota
	colShapeB
	colPoseA       // seven columns
	colPoseB  = 9  // seven columns
	colTrack  = 16 // optional, like the following ones
	colRoundA = 17
	colRoundB = 18
)

var (
	required = []string{
		"shape_a", "shape_b",
		"ax", "ay", "az", "aqw", "aqx", "aqy", "aqz",
		"bx", "by", "bz", "bqw", "bqx", "bqy", "bqz",
	}
	optional = []string{"track", "round_a", "round_b"}
)

// question is a row of the input.
type question struct {
	a, b           *shape
	pa, pb         vec.Pose // poses of the file frames, world
	roundA, roundB float64  // m
	track          int64
	tracked        bool
	line           int   // line in the file
	fault          error // why the row cannot be answered
}

// normTol is the largest accepted deviation of a quaternion norm from 1. A larger deviation cannot
// come from rounding, so the file is wrong.
const normTol = 1e-3

// reader parses rows. Each worker has its own.
type reader struct {
	row    fileio.BlockRow
	shapes *ShapeSet
	known  map[string]*shape // cache of the shapes that this worker has used
}

// read parses row i of a block into q.
func (r *reader) read(t *fileio.Blocks, b *fileio.Block, i int, q *question) {
	*q = question{}
	q.fault = r.row.Set(t, b, i)
	q.line = r.row.Line()
	if q.fault != nil {
		return
	}
	var faults [6]error
	q.a, faults[0] = r.shape(colShapeA)
	q.b, faults[1] = r.shape(colShapeB)
	q.pa, faults[2] = r.pose(colPoseA)
	q.pb, faults[3] = r.pose(colPoseB)
	q.roundA, faults[4] = r.rounding(colRoundA)
	q.roundB, faults[5] = r.rounding(colRoundB)
	if q.fault = cmp.Or(faults[:]...); q.fault != nil {
		return
	}
	if len(r.row.Bytes(colTrack)) > 0 {
		q.track, q.fault = r.row.Int(colTrack)
		q.tracked = q.fault == nil
	}
}

// shape returns the shape named in a column.
func (r *reader) shape(column int) (*shape, error) {
	name := r.row.Bytes(column)
	h, ok := r.known[string(name)]
	if !ok {
		if len(r.known) >= maxBuiltins {
			clear(r.known)
		}
		h = r.shapes.find(string(name))
		r.known[string(name)] = h
	}
	if h.fault != nil {
		return nil, h.fault
	}
	return h, nil
}

// pose parses a position and an orientation from seven columns.
func (r *reader) pose(column int) (vec.Pose, error) {
	var v [7]float64
	if err := r.row.Floats(column, v[:]); err != nil {
		return vec.Pose{}, err
	}
	rot := vec.Quat{W: v[3], X: v[4], Y: v[5], Z: v[6]}
	// If components are as large as 1e200, the norm is infinite and is rejected too.
	if n := rot.Norm(); !(math.Abs(n-1) <= normTol) {
		want := fmt.Sprintf("a quaternion of length 1 to within %g, found length %.6g", normTol, n)
		return vec.Pose{}, r.row.Fault(column+3, want)
	}
	return vec.Pose{Pos: vec.Vec3{X: v[0], Y: v[1], Z: v[2]}, Rot: rot.Normalized()}, nil
}

// maxRound, m, is the largest rounding radius. It equals the largest coordinate of shapes.
const maxRound = 1e50

// rounding parses a rounding radius. An empty value is 0.
func (r *reader) rounding(column int) (float64, error) {
	if len(r.row.Bytes(column)) == 0 {
		return 0, nil
	}
	x, err := r.row.Float(column)
	if err == nil && !(x >= 0 && x <= maxRound) {
		err = r.row.Fault(column, fmt.Sprintf("a rounding radius from 0 to %g m", maxRound))
	}
	return x, err
}
