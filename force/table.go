package force

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"slices"

	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/soa"
)

// MaxMaterials is the largest number of materials of a table. A material index has 16 bits.
const MaxMaterials = math.MaxUint16

// denseMaterials is the largest number of materials for which the table stores a row for every
// pair, at most 256 KiB. With more materials it stores named pairs in a map.
const denseMaterials = 256

// Table holds the law of every pair of materials: a base law, and laws of named pairs that differ
// from it. Its memory grows with the named pairs and the materials, not with the number of possible
// pairs.
type Table struct {
	n         int
	laws      []Law            // by row: the base law, then those of named pairs in the order of Set
	needs     []Needs          // by row
	lanes     []bool           // by row: a Batch evaluates the law in lanes
	thickness thicknessColumns // parameters of the Thickness laws, by row
	pairs     []Pair           // named pair of each row from 1 on

	square []uint32        // up to denseMaterials: the row of each ordered pair
	rows   map[Pair]uint32 // with more materials: the rows of named pairs
	named  []bool          // with more materials: whether a material is in any named pair
}

// Pair is two materials with A ≤ B.
type Pair struct{ A, B soa.Material } // materials, in any order

// NewTable returns a table for n materials in which all pairs have the law base. An error wraps
// ErrLaw.
func NewTable(n int, base Parameters) (*Table, error) {
	if n < 1 || n > MaxMaterials {
		return nil, mark.Errorf(ErrLaw, "force: %d materials, expected 1 to %d", n, MaxMaterials)
	}
	law, err := lawOf(base)
	if err != nil {
		return nil, fmt.Errorf("force: %w", err)
	}
	return newTable(n, law), nil
}

func newTable(n int, base Law) *Table {
	t := &Table{n: n}
	if n <= denseMaterials {
		t.square = make([]uint32, n*n)
	} else {
		t.rows, t.named = make(map[Pair]uint32), make([]bool, n)
	}
	t.add(base)
	return t
}

// Clone returns a copy. Set of either does not change the other.
func (t *Table) Clone() *Table {
	c := newTable(t.n, t.laws[0])
	for k, named := range t.pairs {
		c.name(named, t.laws[k+1])
	}
	return c
}

// lawOf returns the law of parameters, or an error if the engine does not support its Needs.
func lawOf(p Parameters) (Law, error) {
	if p == nil {
		return nil, mark.Errorf(ErrLaw, "no parameters")
	}
	l, err := p.Law()
	if err != nil {
		return nil, err
	}
	if l == nil {
		return nil, mark.Errorf(ErrLaw, "%T returned no law", p)
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
	asked := 0
	for _, ask := range []bool{n.Section, n.Overlap, n.Points} {
		if ask {
			asked++
		}
	}
	if asked > 1 {
		return nil, mark.Errorf(ErrLaw, "%T asks for %d of section, overlap and points, expected one of these", l, asked)
	}
	return l, nil
}

// add appends a row with law l.
func (t *Table) add(l Law) uint32 {
	row := len(t.laws)
	t.laws, t.needs, t.lanes = append(t.laws, nil), append(t.needs, Needs{}), append(t.lanes, false)
	t.thickness.resize(len(t.laws))
	t.put(row, l)
	return uint32(row)
}

// put sets the law of a row.
func (t *Table) put(row int, l Law) {
	if old, ok := t.laws[row].(*thicknessLaw); ok && old.AreaExponent > 0 {
		t.thickness.byArea--
	}
	t.laws[row], t.needs[row], t.lanes[row] = l, l.Needs(), false
	if l, ok := l.(needsOnly); ok {
		t.lanes[row] = l.needs.Overlap
	}
	if l, ok := l.(*thicknessLaw); ok {
		t.thickness.set(row, l)
		if l.AreaExponent > 0 {
			t.thickness.byArea++
		}
		t.lanes[row] = l.inLanes()
	}
}

// Set gives a pair of materials its own law. An error wraps ErrLaw. Laws that At returned earlier
// are no longer valid.
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
	t.name(Pair{min(a, b), max(a, b)}, l)
	return nil
}

// name adds a row for the law of a pair that has no row yet.
func (t *Table) name(p Pair, l Law) {
	row := t.add(l)
	t.pairs = append(t.pairs, p)
	if t.square != nil {
		t.square[int(p.A)*t.n+int(p.B)], t.square[int(p.B)*t.n+int(p.A)] = row, row
		return
	}
	t.rows[p] = row
	t.named[p.A], t.named[p.B] = true, true
}

// Row returns the row of the law of a pair of materials, for a Batch. Row 0 is the base law.
func (t *Table) Row(a, b soa.Material) uint32 {
	if t.square != nil {
		return t.square[int(a)*t.n+int(b)]
	}
	return t.rowOf(a, b)
}

// rowOf is Row for more than denseMaterials materials.
func (t *Table) rowOf(a, b soa.Material) uint32 {
	if !t.named[a] || !t.named[b] {
		return 0
	}
	return t.rows[Pair{min(a, b), max(a, b)}] // Pairs without a law of their own get row 0, the base.
}

// Materials returns the number of materials.
func (t *Table) Materials() int { return t.n }

// Base returns the law of all pairs without a law of their own.
func (t *Table) Base() Law { return t.laws[0] }

// Pairs returns the pairs with a law of their own, sorted.
func (t *Table) Pairs() []Pair {
	pairs := slices.Clone(t.pairs)
	slices.SortStableFunc(pairs, func(p, q Pair) int { return cmp.Or(cmp.Compare(p.A, q.A), cmp.Compare(p.B, q.B)) })
	return pairs
}

// At returns the law of a pair of materials.
func (t *Table) At(a, b soa.Material) Law { return t.laws[t.Row(a, b)] }

// Held returns the energy, J, in a contact's history, under the law of a row. history must have
// MaxMemory values.
func (t *Table) Held(row uint32, history []float64) float64 {
	needs := &t.needs[row]
	if !needs.Points {
		return t.laws[row].Held(history[:needs.History])
	}
	return heldByPoints(t.laws[row], needs, history)
}

// Alike reports whether the laws of two rows give the same meaning to the history of a contact.
func (t *Table) Alike(a, b uint32) bool {
	x, y := &t.needs[a], &t.needs[b]
	return reflect.TypeOf(t.laws[a]) == reflect.TypeOf(t.laws[b]) && x.Points == y.Points && x.memory() == y.memory()
}

// NeedsOf returns the needs of the law of a pair of materials. The caller must not change them.
func (t *Table) NeedsOf(a, b soa.Material) *Needs { return &t.needs[t.Row(a, b)] }

// AllNeeds returns the needs of the laws by row. The caller must not change them.
func (t *Table) AllNeeds() []Needs { return t.needs }

// NeedsAt returns the needs of the law of a row. The caller must not change them.
func (t *Table) NeedsAt(row uint32) *Needs { return &t.needs[row] }

// inUse yields the needs of all laws that some pair of materials has. It omits the base law if all
// pairs are named.
func (t *Table) inUse(yield func(*Needs) bool) {
	for i := range t.needs {
		if (i > 0 || len(t.pairs) < t.n*(t.n+1)/2) && !yield(&t.needs[i]) {
			return
		}
	}
}

// Reach returns the largest gap, m, at which a contact of any pair is active.
func (t *Table) Reach() float64 {
	r := 0.0
	for needs := range t.inUse {
		r = max(r, needs.Reach)
	}
	return r
}

// any reports whether a law that some pair of materials has meets a condition.
func (t *Table) any(of func(*Needs) bool) bool {
	for needs := range t.inUse {
		if of(needs) {
			return true
		}
	}
	return false
}

// Overlaps reports whether any law reads the overlap of two bodies.
func (t *Table) Overlaps() bool { return t.any(func(n *Needs) bool { return n.Overlap }) }

// UsesLocation reports whether any law acts at the location that engine.Config.Location selects, not
// at the centroid of an overlap.
func (t *Table) UsesLocation() bool { return t.any(func(n *Needs) bool { return !n.Overlap }) }

// RestrictsKinds reports whether some law may be undefined between some kinds of pieces.
func (t *Table) RestrictsKinds() bool {
	return t.any(func(n *Needs) bool { return n.Growth > 0 || n.Overlap && n.Unloaded != 0 }) || t.Overlaps() && t.Reach() > 0
}

// History returns the largest number of history values of a contact, including those of its points
// and their Features.
func (t *Table) History() int {
	n := 0
	for i := range t.needs {
		n = max(n, t.needs[i].memory())
	}
	return n
}
