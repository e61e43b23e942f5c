package force

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/soa"
)

// MaxMaterials is how many materials a table may have: an index of one has 16 bits.
const MaxMaterials = math.MaxUint16

// denseMaterials is how many materials have a square of rows, 256 KiB at most. With more the named pairs are in a map.
const denseMaterials = 256

// Table holds the law of every pair of materials: a base, and the pairs that have a law of their own. Its memory grows with
// these and with the materials, not with the pairs that there might be.
type Table struct {
	n         int
	laws      []Law            // of rows: the base, then the named pairs in the order they were set
	needs     []Needs          // of laws
	ways      []way            // of laws: how a Batch works them out
	linear    linearColumns    // of the laws that are Linear
	thickness thicknessColumns // of those that are Thickness
	pairs     []Pair           // of rows from 1 on

	square []uint32        // of up to denseMaterials: the row of each ordered pair
	rows   map[Pair]uint32 // of more: the rows of the named pairs
	named  []bool          // of more: whether a material is in any of them
}

// Pair is two materials of which A is not above B.
type Pair struct{ A, B soa.Material } // materials, in any order

// NewTable returns the laws for n materials, all equal to base.
func NewTable(n int, base Parameters) (*Table, error) {
	if n < 1 || n > MaxMaterials {
		return nil, mark.Errorf(ErrLaw, "force: %d materials, expected 1 to %d", n, MaxMaterials)
	}
	law, err := lawOf(base)
	if err != nil {
		return nil, fmt.Errorf("force: %w", err)
	}
	t := &Table{n: n}
	if n <= denseMaterials {
		t.square = make([]uint32, n*n)
	} else {
		t.rows, t.named = make(map[Pair]uint32), make([]bool, n)
	}
	t.add(law)
	return t, nil
}

// lawOf returns the law of parameters, and an error where the engine cannot serve it.
func lawOf(p Parameters) (Law, error) {
	if p == nil {
		return nil, mark.Errorf(ErrLaw, "no parameters")
	}
	l, err := p.Law()
	if err != nil {
		return nil, err
	}
	n := l.Needs()
	for _, c := range []struct {
		name string
		v    float64
		ok   bool
		want string
	}{
		{"reach", n.Reach, n.Reach >= 0 && !math.IsInf(n.Reach, 0), "≥ 0 m and finite"},
		{"unloaded gap", n.Unloaded, n.Unloaded <= n.Reach, "at most the reach"},
		{"growth", n.Growth, n.Growth >= 0 && !math.IsInf(n.Growth, 0), "≥ 0 and finite"},
		{"history", float64(n.History), n.History >= 0 && n.History <= MaxHistory, fmt.Sprintf("0 to %d values", MaxHistory)},
	} {
		if !c.ok {
			return nil, mark.Errorf(ErrLaw, "%s of %T is %g, expected %s", c.name, l, c.v, c.want)
		}
	}
	if n.Points && (n.Section || n.Overlap) {
		return nil, mark.Errorf(ErrLaw, "%T asks for points and for the section or the overlap, expected one of these", l)
	}
	return l, nil
}

// add appends a row.
func (t *Table) add(l Law) uint32 {
	row := len(t.laws)
	t.laws, t.needs, t.ways = append(t.laws, nil), append(t.needs, Needs{}), append(t.ways, alone)
	t.linear.resize(len(t.laws))
	t.thickness.resize(len(t.laws))
	t.put(row, l)
	return uint32(row)
}

// put makes l the law of a row.
func (t *Table) put(row int, l Law) {
	if old, ok := t.laws[row].(*thickness); ok && old.AreaExponent > 0 {
		t.thickness.byArea--
	}
	t.laws[row], t.needs[row], t.ways[row] = l, l.Needs(), alone
	switch l := l.(type) {
	case *Linear:
		t.linear.set(row, l)
		t.ways[row] = linearLanes
	case *thickness:
		t.thickness.set(row, l)
		if l.AreaExponent > 0 {
			t.thickness.byArea++
		}
		if l.inLanes() {
			t.ways[row] = thicknessLanes
		}
	}
}

// Set gives a pair of materials its own law. What At returned before is no longer valid.
func (t *Table) Set(a, b soa.Material, p Parameters) error {
	if int(a) >= t.n || int(b) >= t.n {
		return mark.Errorf(ErrLaw, "force: materials %d and %d, expected below %d", a, b, t.n)
	}
	l, err := lawOf(p)
	if err != nil {
		return fmt.Errorf("force: materials %d and %d: %w", a, b, err)
	}
	if row := t.Row(a, b); row > 0 {
		t.put(int(row), l)
		return nil
	}
	row := t.add(l)
	named := Pair{min(a, b), max(a, b)}
	t.pairs = append(t.pairs, named)
	if t.square != nil {
		t.square[int(a)*t.n+int(b)], t.square[int(b)*t.n+int(a)] = row, row
		return nil
	}
	t.rows[named] = row
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

// Base returns the law of all pairs that have none of their own.
func (t *Table) Base() Law { return t.laws[0] }

// Pairs returns the pairs that have a law of their own, sorted.
func (t *Table) Pairs() []Pair {
	pairs := slices.Clone(t.pairs)
	slices.SortStableFunc(pairs, func(p, q Pair) int { return cmp.Or(cmp.Compare(p.A, q.A), cmp.Compare(p.B, q.B)) })
	return pairs
}

// At returns the law of a pair of materials.
func (t *Table) At(a, b soa.Material) Law { return t.laws[t.Row(a, b)] }

// Held returns the energy, J, that a contact's history holds, of MaxMemory values, by the law of a row.
func (t *Table) Held(row uint32, history []float64) float64 {
	if needs := &t.needs[row]; !needs.Points {
		return t.laws[row].Held(history[:needs.History])
	}
	return heldByPoints(t.laws[row], &t.needs[row], history)
}

// NeedsOf returns what the law of a pair of materials needs, for reading.
func (t *Table) NeedsOf(a, b soa.Material) *Needs { return &t.needs[t.Row(a, b)] }

// NeedsAt is NeedsOf a row.
func (t *Table) NeedsAt(row uint32) *Needs { return &t.needs[row] }

// inUse yields the needs of the laws that a pair of materials has: where all pairs are named, nothing has the base.
func (t *Table) inUse(yield func(*Needs) bool) {
	for i := range t.needs {
		if (i > 0 || len(t.pairs) < t.n*(t.n+1)/2) && !yield(&t.needs[i]) {
			return
		}
	}
}

// Reach returns the largest gap, m, up to which any pair matters.
func (t *Table) Reach() float64 {
	r := 0.0
	for needs := range t.inUse {
		r = max(r, needs.Reach)
	}
	return r
}

// Overlaps reports whether any law reads the overlap of two bodies.
func (t *Table) Overlaps() bool {
	for needs := range t.inUse {
		if needs.Overlap {
			return true
		}
	}
	return false
}

// Located reports whether any law acts at the location that is chosen for gaps: not at the centroid of an overlap.
func (t *Table) Located() bool {
	for needs := range t.inUse {
		if !needs.Overlap {
			return true
		}
	}
	return false
}

// Grows reports whether any law gets stiffer with the patch of two bodies.
func (t *Table) Grows() bool {
	for needs := range t.inUse {
		if needs.Growth > 0 {
			return true
		}
	}
	return false
}

// Shifts reports whether the spring of any law that reads overlaps begins elsewhere than where bodies
// meet.
func (t *Table) Shifts() bool {
	for needs := range t.inUse {
		if needs.Overlap && needs.Unloaded != 0 {
			return true
		}
	}
	return false
}

// History returns how many values a contact remembers at most, those of its points and their names included.
func (t *Table) History() int {
	n := 0
	for i := range t.needs {
		n = max(n, t.needs[i].memory())
	}
	return n
}
