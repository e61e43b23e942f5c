package surface

import "math"

// mostChoices is how many sums over bins a choice of sides may take. Grates of parallel blades take the square of
// their number.
const mostChoices = 1 << 13

// sideChoice chooses the sides of parts of a wall that store least together (Land and Doig 1960). What is stored grows with
// each part that is added, so what some parts store is a lower bound of what they store with the others. A
// part of which both sides store more, beside those that are chosen, than the best choice so far ends a branch.
type sideChoice struct {
	parts, bins int
	// By part and side, then for those of which the side is sure: what they add to bins; and by depth of the
	// search the sums of those chosen. A bin stores what root makes of its sum.
	rows, sums [][]float64
	side, best []int // by part; side is free where none is chosen
	stored     float64
	left       int // choices
}

// free is the side of a part that none is chosen of.
const free = -1

// begin makes room for some parts that are in some bins; all rows are 0.
func (c *sideChoice) begin(parts, bins int) {
	c.parts, c.bins = parts, bins
	c.rows, c.sums = sized(c.rows, 2*parts+1, bins), sized(c.sums, parts+1, bins)
	c.side, c.best = c.side[:0], c.best[:0]
	for range parts {
		c.side, c.best = append(c.side, free), append(c.best, 0)
	}
}

// sized returns n rows of zeros.
func sized(rows [][]float64, n, width int) [][]float64 {
	for len(rows) < n {
		rows = append(rows, nil)
	}
	for k := range n {
		rows[k] = append(rows[k][:0], make([]float64, width)...)
	}
	return rows
}

// of returns what a side of a part adds to bins.
func (c *sideChoice) of(part, side int) []float64 { return c.rows[2*part+side] }

// sure returns what parts add whose side is sure.
func (c *sideChoice) sure() []float64 { return c.rows[2*c.parts] }

// choose finds the best sides.
func (c *sideChoice) choose() {
	c.stored, c.left = math.Inf(1), mostChoices
	copy(c.sums[0], c.sure())
	c.search(0)
}

// search goes on from where the sides of some parts are chosen.
func (c *sideChoice) search(chosen int) {
	at := c.sums[chosen]
	// The part of which even the better side stores most is next.
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

// storedWith returns what bins store with more in them, but for a factor.
func storedWith(bins, more []float64) (stored float64) {
	for k, x := range bins {
		if more != nil {
			x += more[k]
		}
		stored += root(x)
	}
	return stored
}

// root returns the (q+1)/2-th root, the eighth.
func root(x float64) float64 { return math.Sqrt(math.Sqrt(math.Sqrt(x))) }
