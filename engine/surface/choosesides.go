package surface

import (
	"math"
	"slices"
)

// mostChoices bounds the sums over bins that a choice of sides may take. Grates of parallel blades
// take the square of the number of blades.
// Smaller: blocks on many crossed blades may jump from side to side. Larger: time.
const mostChoices = 1 << 13

// sideChoice chooses the sides of parts of a wall that store the least energy together, by branch
// and bound (Land and Doig 1960). The stored energy grows with each part that is added. What some
// parts store is therefore a lower bound of what they store together with others. A branch ends if
// both sides of some part, added to those chosen, store more than the best choice so far.
type sideChoice struct {
	parts, bins int
	// rows is what each part adds to the bins, by part and side. The last row is the sum of the
	// parts whose side is known. sums is the sums of the parts chosen, by depth of the search. A
	// bin with the sum x stores root(x).
	rows, sums [][]float64
	side, best []int // by part; free if no side is chosen
	stored     float64
	left       int // choices left
}

// free is the side of a part for which none is chosen.
const free = -1

// begin prepares a choice for a number of parts and bins. All rows are 0.
func (c *sideChoice) begin(parts, bins int) {
	c.parts, c.bins = parts, bins
	c.rows, c.sums = sized(c.rows, 2*parts+1, bins), sized(c.sums, parts+1, bins)
	c.side, c.best = c.side[:0], c.best[:0]
	for range parts {
		c.side, c.best = append(c.side, free), append(c.best, 0)
	}
}

// sized returns n rows of zeros of the given width, in the memory of rows.
func sized(rows [][]float64, n, width int) [][]float64 {
	for len(rows) < n {
		rows = append(rows, nil)
	}
	for k := range n {
		rows[k] = slices.Grow(rows[k][:0], width)[:width]
		clear(rows[k])
	}
	return rows
}

// of returns the row of a side of a part.
func (c *sideChoice) of(part, side int) []float64 { return c.rows[2*part+side] }

// sure returns the row of the parts whose side is known.
func (c *sideChoice) sure() []float64 { return c.rows[2*c.parts] }

// choose sets c.best to the best sides.
func (c *sideChoice) choose() {
	c.stored, c.left = math.Inf(1), mostChoices
	copy(c.sums[0], c.sure())
	c.search(0)
}

// search continues with a number of sides chosen.
func (c *sideChoice) search(chosen int) {
	at := c.sums[chosen]
	// Branch on the part whose better side stores most.
	part, most, other := -1, math.Inf(-1), 0.0
	better := 0
	for k := range c.parts {
		if c.side[k] != free {
			continue
		}
		with := [2]float64{storedWith(at, c.of(k, 0)), storedWith(at, c.of(k, 1))}
		first := sideIf(!(with[1] < with[0]))
		if c.left -= 2; with[first] >= c.stored || c.left < 0 && !math.IsInf(c.stored, 1) {
			return
		}
		if with[first] > most {
			part, most, other, better = k, with[first], with[1-first], first
		}
	}
	if part < 0 {
		copy(c.best, c.side)
		c.stored = storedWith(at, nil)
		return
	}
	for _, side := range [2]int{better, 1 - better} {
		if side != better && other >= c.stored {
			break
		}
		for k, x := range c.of(part, side) {
			c.sums[chosen+1][k] = at[k] + x
		}
		c.side[part] = side
		c.search(chosen + 1)
	}
	c.side[part] = free
}

// storedWith returns what the bins store with more added to them, up to a constant factor.
func storedWith(bins, more []float64) (stored float64) {
	for k, x := range bins {
		if more != nil {
			x += more[k]
		}
		stored += root(x)
	}
	return stored
}

// root returns the (q+1)/2-th root of x, the eighth.
func root(x float64) float64 { return math.Sqrt(math.Sqrt(math.Sqrt(x))) }
