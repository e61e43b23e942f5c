package bench

import (
	"errors"
	"fmt"
	"math"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// ErrCheck marks a world whose contacts differ from those of the exhaustive test of all pairs.
var ErrCheck = errors.New("contacts differ from those of all pairs tried one by one")

// gapTolerance, relative to the larger radius of a pair, is the gap within which either state,
// touching or apart, is accepted, and the largest accepted difference of depths. It is above the
// rounding of the narrow phase, 1e-12 of the size, and far below any gap that matters for a force
// of the pile.
const gapTolerance = 1e-10

// Check compares a world's contacts, after Measure or a step, with the exhaustive method for every
// pair of pieces whose boxes overlap. It returns an error unless each touching pair is a candidate
// pair and an active contact, each active contact touches, and the depths agree.
//
// The facets of one wall act together (docs/decisions/0018-coplanar-facets). A piece that touches any facet of a
// wall must have a contact with the wall, and the converse. Cost: O(pieces²) for the boxes, 1 to
// 100 µs for each pair.
func Check(w *engine.World) error {
	boxes := extents(w)
	bodies, pieces := w.Bodies(), w.Pieces()
	active := map[[2]soa.Piece]float64{} // gaps of active contacts that the loop below has not met yet
	pairs, c := w.Pairs(), w.Contacts()
	candidate := make(map[[2]soa.Piece]bool, pairs.Len())
	for i := range pairs.Len() {
		key := [2]soa.Piece{min(pairs.A[i], pairs.B[i]), max(pairs.A[i], pairs.B[i])}
		candidate[key] = true
		if row := pairs.Row[i]; row != soa.NoRow && c.Active[row] {
			active[key] = w.Gap(int(row))
		}
	}
	type onWall struct {
		piece soa.Piece
		wall  soa.Body
	}
	touches, acts := map[onWall]bool{}, map[onWall]bool{}
	for i := range pairs.Len() {
		if b, row := pairs.B[i], pairs.Row[i]; row != soa.NoRow && c.Active[row] && pieces.Kind[b].IsFlat() {
			acts[onWall{pairs.A[i], pieces.Body[b]}] = true
		}
	}
	search := narrow.NewSearch()
	var a narrow.Answer
	for i := range boxes {
		for j := i + 1; j < len(boxes); j++ {
			bi, bj := pieces.Body[i], pieces.Body[j]
			if !boxes[i].Overlaps(boxes[j]) || bi == bj || bodies.InvMass[bi]+bodies.InvMass[bj] == 0 {
				continue
			}
			p, q := soa.Piece(i), soa.Piece(j)
			vp, vq := w.Shapes().View(pieces.Shape[p]), w.Shapes().View(pieces.Shape[q])
			if vp.Kind.IsFlat() {
				p, q, vp, vq = q, p, vq, vp
			}
			search.Exhaustive(vp, pieces.Pose(bodies, p), vq, pieces.Pose(bodies, q), 0, &a)
			tol := gapTolerance * max(vp.Radius, vq.Radius)
			key := [2]soa.Piece{min(p, q), max(p, q)}
			gap, ok := active[key]
			delete(active, key)
			if vq.Kind.IsFlat() {
				at := onWall{p, pieces.Body[q]}
				touches[at] = touches[at] || a.Gap < tol
				if a.Gap < -tol && !(candidate[key] && acts[at]) {
					return fmt.Errorf("bench: pieces %d and %d overlap by %.6g m and have no contact with the wall: %w", p, q, -a.Gap, ErrCheck)
				}
				continue
			}
			switch {
			case a.Gap < -tol && !candidate[key]:
				return fmt.Errorf("bench: pieces %d and %d overlap by %.6g m and are no candidate pair: %w", p, q, -a.Gap, ErrCheck)
			case a.Gap < -tol && !ok:
				return fmt.Errorf("bench: pieces %d and %d overlap by %.6g m and are no contact: %w", p, q, -a.Gap, ErrCheck)
			case a.Gap > tol && ok && gap <= 0:
				return fmt.Errorf("bench: pieces %d and %d are %.6g m apart and are a contact of gap %.6g m: %w", p, q, a.Gap, gap, ErrCheck)
			case ok && a.Gap < -tol && math.Abs(a.Gap-gap) > tol:
				return fmt.Errorf("bench: pieces %d and %d have gap %.17g m, expected %.17g m: %w", p, q, gap, a.Gap, ErrCheck)
			}
		}
	}
	for i := range pairs.Len() {
		if at := (onWall{pairs.A[i], pieces.Body[pairs.B[i]]}); c.Active[i] && c.Gap[i] <= 0 && acts[at] && !touches[at] {
			return fmt.Errorf("bench: piece %d has a contact of gap %.6g m with wall %d, and overlaps none of its facets: %w", at.piece, c.Gap[i], at.wall, ErrCheck)
		}
		key := [2]soa.Piece{min(pairs.A[i], pairs.B[i]), max(pairs.A[i], pairs.B[i])}
		if gap, left := active[key]; left && gap <= 0 {
			return fmt.Errorf("bench: pieces %d and %d are a contact of gap %.6g m, and their boxes are apart: %w", key[0], key[1], gap, ErrCheck)
		}
	}
	return nil
}

// extents returns the box of every piece, enlarged for rounding.
func extents(w *engine.World) []vec.Box {
	pieces, bodies := w.Pieces(), w.Bodies()
	boxes := make([]vec.Box, pieces.Len())
	for p := range boxes {
		pose := pieces.Pose(bodies, soa.Piece(p))
		view := w.Shapes().View(pieces.Shape[p])
		box := vec.EmptyBox()
		for k := range view.NVerts {
			box = box.With(pose.Point(view.Vert(soa.Vertex(k))))
		}
		if view.Kind.IsRound() {
			box = vec.Box{Min: pose.Pos, Max: pose.Pos}.Enlarged(view.Radius)
		}
		boxes[p] = box.Enlarged(float64((view.Radius + pose.Pos.MaxAbs()) * 1e-14))
	}
	return boxes
}
