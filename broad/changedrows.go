package broad

import (
	"slices"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// changedShare: at most one row in changedShare may have changed for the changed rows to be looked up one by one.
// A lookup costs as much as about twenty rows of a search. Each changed box is also compared with
// every other changed box, so maxChanged bounds their number.
const (
	changedShare = 64
	maxChanged   = 1024
)

// NearFinder is a Method that can also find rows near a box in the cells of its last search.
type NearFinder interface {
	// Near appends runs of rows to runs and returns the result. The runs contain all rows whose
	// boxes overlapped box at the last search, and possibly other rows and repetitions. Near
	// returns false if it would have to visit too many cells.
	Near(box *vec.Box, runs [][]uint32) (all [][]uint32, ok bool)
}

// changedRows holds the rows that have changed since the last full search. The cells still contain
// their old boxes.
type changedRows struct {
	mark  []rowState  // by row
	rows  []soa.Piece // changed since the last full search
	now   []soa.Piece // changed by this update
	runs  [][]uint32  // memory for NearFinder.Near
	found []uint64    // pairs, A<<32 | B
}

type rowState uint8

const (
	inCells    rowState = iota
	hasChanged          // changed since the last full search
	isNew               // changed by this update
	isGone              // removed since the last full search
)

// reset marks all rows as unchanged, after a full search.
func (l *changedRows) reset() {
	for _, p := range l.rows {
		l.mark[p] = inCells
	}
	l.rows = l.rows[:0]
}

// begin starts an update. n is the number of rows: those of the last full search, and those that have come since.
func (l *changedRows) begin(n int) {
	l.mark = soa.Resize(l.mark, n)
	l.now, l.found = l.now[:0], l.found[:0]
}

// add marks row p as changed by this update.
func (l *changedRows) add(p soa.Piece) {
	switch l.mark[p] {
	case isNew:
		return
	case inCells:
		l.rows = append(l.rows, p)
	}
	l.mark[p] = isNew
	l.now = append(l.now, p)
}

// remove marks row p as removed.
func (l *changedRows) remove(p soa.Piece) {
	if l.mark[p] == inCells {
		l.rows = append(l.rows, p)
	}
	l.mark[p] = isGone
}

// many reports whether too many rows have changed to look them up one by one.
func (l *changedRows) many() bool {
	return len(l.rows) > maxChanged || changedShare*len(l.rows) > len(l.mark)
}

// eachLoose calls meet for the changed rows that row p of this update must be compared with. Two
// rows of the same update are compared once.
func (l *changedRows) eachLoose(p soa.Piece, meet func(p, q soa.Piece)) {
	for _, q := range l.rows {
		if l.mark[q] == hasChanged || l.mark[q] == isNew && q < p {
			meet(p, q)
		}
	}
}

// pairs ends an update and returns the pairs found, sorted and without repetition. Repetitions
// occur because cells may share their place in a table, and two images of a row may be in reach.
func (l *changedRows) pairs() []uint64 {
	for _, p := range l.now {
		l.mark[p] = hasChanged
	}
	slices.Sort(l.found)
	l.found = slices.Compact(l.found)
	return l.found
}
