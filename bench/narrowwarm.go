package bench

import (
	"fmt"
	"math"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// warmSet is a moving set of pairs that an engine.Detector computes. Pair i has the bodies 2i and 2i+1. The pairs are
// moved apart, each into a cell of a grid, so that they do not meet each other.
type warmSet struct {
	shapes *soa.Shapes
	reach  float64 // m
	shift  []vec.Vec3
	d      *engine.Detector
	before engine.AnswerCounts
	poses  engine.Poses
	found  *engine.DetectorContacts
	row    []int // by pair: one more than its row in found, or 0
	steps  int
	err    error
}

// newWarmSet returns a set of the pairs at rest, of which nothing is known.
func newWarmSet(s *soa.Shapes, pool []blockPair, reach float64) *warmSet {
	w := &warmSet{shapes: s, reach: reach, shift: make([]vec.Vec3, len(pool)), row: make([]int, len(pool))}
	far := 0.0
	for i := range pool {
		far = max(far, pool[i].pb.Pos.Sub(pool[i].pa.Pos).Norm()+pool[i].a.Radius+pool[i].b.Radius)
	}
	side := int(math.Ceil(math.Cbrt(float64(len(pool)))))
	pitch := math.Exp2(math.Ceil(math.Log2(2*far + 1))) // twice as far, and room for the motion
	for i := range pool {
		cell := vec.V(float64(i%side), float64(i/side%side), float64(i/side/side))
		w.shift[i] = cell.Scale(pitch).Sub(pool[i].pa.Pos)
	}
	for _, c := range w.columns() {
		*c = make([]float64, 2*len(pool))
	}
	w.reset(pool)
	return w
}

func (w *warmSet) columns() [7]*[]float64 {
	p := &w.poses
	return [...]*[]float64{&p.X, &p.Y, &p.Z, &p.QW, &p.QX, &p.QY, &p.QZ}
}

// reset starts anew with the poses of a pool, of which nothing is known.
func (w *warmSet) reset(pool []blockPair) {
	w.close()
	w.found, w.before = nil, engine.AnswerCounts{}
	clear(w.row)
	if w.err == nil {
		w.err = w.build(pool)
	}
	w.move(pool)
}

func (w *warmSet) build(pool []blockPair) (err error) {
	if w.d, err = engine.NewDetector(engine.DetectorConfig{Needs: force.Needs{Reach: w.reach}, Location: engine.Witness, Workers: 1}); err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	for h := range w.shapes.Len() {
		if _, err := w.d.AddShape(w.shapes.Template(soa.Shape(h))); err != nil {
			return fmt.Errorf("bench: %w", err)
		}
	}
	for i := range pool {
		for _, shape := range [2]soa.Shape{pool[i].shapeA, pool[i].shapeB} {
			// The file's frame need not be about the centroid, as the poses of a pool are.
			local := vec.Pose{Pos: w.shapes.Origin(shape).Neg(), Rot: vec.Identity}
			if _, err := w.d.Add(engine.Part{Shape: shape, Local: local}); err != nil {
				return fmt.Errorf("bench: %w", err)
			}
		}
	}
	return nil
}

func (w *warmSet) close() {
	if w.d != nil {
		w.d.Close()
		w.d = nil
	}
}

// move sets the poses of the next step.
func (w *warmSet) move(pool []blockPair) {
	columns := w.columns()
	for i := range pool {
		for k, to := range [2]vec.Pose{pool[i].pa, pool[i].pb} {
			at := to.Pos.Add(w.shift[i])
			for c, x := range [7]float64{at.X, at.Y, at.Z, to.Rot.W, to.Rot.X, to.Rot.Y, to.Rot.Z} {
				(*columns[c])[2*i+k] = x
			}
		}
	}
}

// step computes all pairs at their poses.
func (w *warmSet) step() {
	if w.err == nil {
		w.found, w.err = w.d.Detect(w.poses)
	}
	w.steps++
}

// index finds the rows of the pairs in the last step, for read.
func (w *warmSet) index() {
	clear(w.row)
	if w.err != nil {
		return
	}
	for k := range w.found.Len() {
		w.row[w.found.A[k]/2] = k + 1
	}
}

// levels adds to by how many of the pairs were answered by each certificate since the last call. A pair that is no
// candidate counts as one that its odometers prove apart.
func (w *warmSet) levels(by *[narrow.NAnsweredBy]int) {
	if w.d == nil {
		return
	}
	now := w.d.AnsweredBy()
	by[narrow.ByOdometer] += w.steps*len(w.row) - int(now.Pairs-w.before.Pairs)
	for level := range by {
		by[level] += int(now.By[level] - w.before.By[level])
	}
	w.steps, w.before = 0, now
}

// read returns the result of pair i in the last step, after index. For a pair that is apart, it sets only Status, and as
// a bound of the gap the reach.
func (w *warmSet) read(i int) narrow.Answer {
	k := w.row[i] - 1
	if k < 0 {
		return narrow.Answer{Status: narrow.Separated, Gap: w.reach}
	}
	out := narrow.Answer{Status: narrow.Separated, Exact: true, Gap: w.found.Gap[k], Normal: w.found.Normal.At(k)}
	switch {
	case out.Gap < 0:
		out.Status = narrow.Penetrating
	case out.Gap == 0:
		out.Status = narrow.Touching
	}
	return out
}
