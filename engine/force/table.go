package force

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/scree-dem/scree/soa"
)

// MaxMaterials is how many materials a table may have: an index of one has 16 bits.
const MaxMaterials = math.MaxUint16

// denseMaterials is how many materials have a square of rows, 256 KiB at most. With more the named pairs are in a map.
const denseMaterials = 256

// Table holds the law of every pair of materials: a base, and the pairs that have a law of their own. Its memory grows with
// these and with the materials, not with the pairs that there might be.
type Table struct {
	n       int
	laws    []Linear   // of rows: the base, then the named pairs in the order they were set
	columns lawColumns // of laws
	pairs   []Pair     // of rows from 1 on

	square []uint32        // of up to denseMaterials: the row of each ordered pair
	rows   map[Pair]uint32 // of more: the rows of the named pairs
	named  []bool          // of more: whether a material is in any of them
}

// Pair is two materials of which A is not above B.
type Pair struct{ A, B soa.Material }

// NewTable returns the laws for n materials, all equal to base.
func NewTable(n int, base Linear) (*Table, error) {
	if n < 1 || n > MaxMaterials {
		return nil, fmt.Errorf("force: %d materials, expected 1 to %d: %w", n, MaxMaterials, ErrLaw)
	}
	if err := base.prepare(); err != nil {
		return nil, fmt.Errorf("force: %w", err)
	}
	t := &Table{n: n}
	if n <= denseMaterials {
		t.square = make([]uint32, n*n)
	} else {
		t.rows, t.named = make(map[Pair]uint32), make([]bool, n)
	}
	t.add(base)
	return t, nil
}

// add appends a row.
func (t *Table) add(l Linear) uint32 {
	row := len(t.laws)
	t.laws = append(t.laws, l)
	t.columns.resize(len(t.laws))
	t.columns.set(row, &l)
	return uint32(row)
}

// Set gives a pair of materials its own law. What At returned before is no longer valid.
func (t *Table) Set(a, b soa.Material, l Linear) error {
	if int(a) >= t.n || int(b) >= t.n {
		return fmt.Errorf("force: materials %d and %d, expected below %d: %w", a, b, t.n, ErrLaw)
	}
	if err := l.prepare(); err != nil {
		return fmt.Errorf("force: materials %d and %d: %w", a, b, err)
	}
	if row := t.Row(a, b); row > 0 {
		t.laws[row] = l
		t.columns.set(int(row), &l)
		return nil
	}
	row := t.add(l)
	p := Pair{min(a, b), max(a, b)}
	t.pairs = append(t.pairs, p)
	if t.square != nil {
		t.square[int(a)*t.n+int(b)], t.square[int(b)*t.n+int(a)] = row, row
		return nil
	}
	t.rows[p] = row
	t.named[a], t.named[b] = true, true
	return nil
}

// Row returns the place of the law of a pair of materials among all, for a Batch.
func (t *Table) Row(a, b soa.Material) uint32 {
	if t.square != nil {
		return t.square[int(a)*t.n+int(b)]
	}
	return t.rowOf(a, b)
}

// rowOf is Row of many materials.
func (t *Table) rowOf(a, b soa.Material) uint32 {
	if !t.named[a] || !t.named[b] {
		return 0
	}
	return t.rows[Pair{min(a, b), max(a, b)}] // 0, the base, of pairs that have no law of their own.
}

// Materials returns the number of materials.
func (t *Table) Materials() int { return t.n }

// Base returns the law of all pairs that have none of their own, for reading.
func (t *Table) Base() *Linear { return &t.laws[0] }

// Pairs returns the pairs that have a law of their own, sorted.
func (t *Table) Pairs() []Pair {
	pairs := slices.Clone(t.pairs)
	slices.SortFunc(pairs, func(p, q Pair) int { return cmp.Or(cmp.Compare(p.A, q.A), cmp.Compare(p.B, q.B)) })
	return pairs
}

// At returns the law of a pair of materials, for reading.
func (t *Table) At(a, b soa.Material) *Linear { return &t.laws[t.Row(a, b)] }

// Reach returns the largest gap, m, up to which any pair matters.
func (t *Table) Reach() float64 {
	r := 0.0
	for i := range t.laws {
		if i > 0 || len(t.pairs) < t.n*(t.n+1)/2 { // Where all pairs are named, nothing has the base.
			r = max(r, t.laws[i].Reach())
		}
	}
	return r
}
