package broad

import (
	"slices"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// fewOf is the share of rows up to which those that have changed are looked up one by one: a look costs as much as some twenty
// rows of a search, and each box that has changed is compared with every other such.
const (
	fewOf     = 64
	mostLoose = 1024
)

// Looker is what a Method can do that finds rows near a box in what it made for its last search.
type Looker interface {
	// Near appends runs of rows to runs, among them all whose boxes overlapped the given one at the last search, some more than
	// once. It returns false where a look would go over too much.
	Near(box *vec.Box, runs [][]uint32) (all [][]uint32, ok bool)
}

// looseRows are rows that have changed since the last search of all: what they were is in the cells.
type looseRows struct {
	mark  []looseState // by row
	rows  []soa.Piece  // that have changed
	now   []soa.Piece  // those of this update
	runs  [][]uint32   // room
	found []uint64     // pairs, A<<32 | B
}

type looseState uint8

const (
	inCells looseState = iota
	isLoose            // changed since the last search
	isNew              // changed by this update
)

// reset begins anew after a search of all rows.
func (l *looseRows) reset() {
	for _, p := range l.rows {
		l.mark[p] = inCells
	}
	l.rows = l.rows[:0]
}

// begin begins an update of n rows, as many as the last search had.
func (l *looseRows) begin(n int) {
	if len(l.mark) != n {
		l.mark = make([]looseState, n)
	}
	l.now, l.found = l.now[:0], l.found[:0]
}

// add notes a row that this update changes.
func (l *looseRows) add(p soa.Piece) {
	switch l.mark[p] {
	case isNew:
		return
	case inCells:
		l.rows = append(l.rows, p)
	}
	l.mark[p] = isNew
	l.now = append(l.now, p)
}

// many reports whether too many rows have changed to look each up.
func (l *looseRows) many() bool { return len(l.rows) > mostLoose || fewOf*len(l.rows) > len(l.mark) }

// eachLoose goes over the changed rows that row p of this update is to be compared with: each two of this update are compared once.
func (l *looseRows) eachLoose(p soa.Piece, meet func(p, q soa.Piece)) {
	for _, q := range l.rows {
		if l.mark[q] == isLoose || q < p {
			meet(p, q)
		}
	}
}

// pairs ends an update, and returns the pairs that were found, sorted, each once: cells may share their rows, and two images be in reach.
func (l *looseRows) pairs() []uint64 {
	for _, p := range l.now {
		l.mark[p] = isLoose
	}
	slices.Sort(l.found)
	l.found = slices.Compact(l.found)
	return l.found
}
