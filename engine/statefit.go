package engine

import (
	"slices"

	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/soa"
)

// fit gives the world the bodies and walls of the state: it removes those that went after the first forces, and makes
// those anew that came. It changes nothing if the world has other ones than the run had before.
func (w *stateCheck) fit() error {
	w.firsts = w.nextNumbers()
	if err := wantStep.check(w.by["step"]); err != nil {
		return err
	}
	late, err := w.readLate()
	if err != nil {
		return err
	}
	ids, next, err := w.readIDs()
	if err != nil {
		return err
	}
	if late.First != w.firsts {
		return mark.Errorf(ErrState, "engine: before its first forces the run of the state had had %d bodies of %d pieces and %d shapes, and the world has had %d of %d and %d shapes; "+
			"before Restore, add and remove the same shapes, bodies and walls in the same order as the run did before its first forces",
			late.First.Body, late.First.Piece, late.First.Shape, w.firsts.Body, w.firsts.Piece, w.firsts.Shape)
	}
	n := 0
	for ; n < len(ids) && ids[n] < w.firsts.Body; n++ {
		if _, ok := w.bodies.Row(ids[n]); !ok {
			return mark.Errorf(ErrState, "engine: the state has body %d, expected one of the bodies of the world", w.numberOf(ids[n]))
		}
	}
	if came := ids[n:]; len(came) != len(late.Bodies) {
		return mark.Errorf(ErrState, "engine: the state describes %d bodies and walls that came, and has the ids of %d, expected the same number", len(late.Bodies), len(came))
	}
	w.fitted = next != w.firsts || n < w.bodies.Len() || len(late.Shapes) > 0
	for i := w.bodies.Len() - 1; i >= 0; i-- {
		if _, ok := slices.BinarySearch(ids, w.bodies.ID[i]); !ok {
			if err := w.RemoveBody(w.bodies.ID[i]); err != nil {
				return err
			}
		}
	}
	w.space.CloseUp()
	if err := late.remake(bodyAdder{w.World}, ids[n:]); err != nil {
		return mark.Errorf(ErrState, "engine: what came in the run of the state cannot be made: %w", err)
	}
	if next.Body < w.bodies.NextID() || next.Piece < w.space.Pieces.NextNumber() {
		return mark.Errorf(ErrState, "engine: the next body of the state is %d and the next piece %d, expected %d and %d at least",
			next.Body, next.Piece, w.bodies.NextID(), w.space.Pieces.NextNumber())
	}
	w.bodies.SkipTo(next.Body)
	w.space.Pieces.SkipTo(next.Piece)
	return nil
}

// readIDs returns the ids of the bodies of the state, which rise, and the next numbers.
func (w *stateCheck) readIDs() (ids []soa.ID, next nextNumbers, err error) {
	n, c := int(w.by["step"].U32[3]), w.by["body.id"]
	if next = w.firsts; c == nil {
		if n != w.bodies.Len() || soa.ID(n) != w.firsts.Body || w.by[lateColumn] != nil {
			err = mark.Errorf(ErrState, "engine: the state is of a run of %d bodies in which none came or went, and the world has had %d bodies of which %d are left; "+
				"before Restore, add and remove the same bodies and walls in the same order as the run did", n, w.firsts.Body, w.bodies.Len())
		}
		return w.bodies.ID, next, err
	}
	want := wantColumn{"body.id", 'u', 2 * (n + 2), 2, "body"}
	if err := want.check(c); err != nil {
		return nil, next, err
	}
	numbers := make([]uint64, n+2)
	for k := range numbers {
		numbers[k] = uint64(c.U32[2*k]) | uint64(c.U32[2*k+1])<<32
	}
	next.Body, next.Piece = soa.ID(numbers[n]), soa.Number(numbers[n+1])
	for k, number := range numbers[:n] {
		if ids = append(ids, soa.ID(number)); numbers[k+1] <= number {
			return nil, next, mark.Errorf(ErrState, "engine: row %d of the state has the number %d before %d, expected numbers that rise", k, number, numbers[k+1])
		}
	}
	return ids, next, nil
}
