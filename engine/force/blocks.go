package force

import "github.com/scree-dem/scree/soa"

// blockRows is how many contacts are worked out and stored together: so many that what is known of them, and what comes of them,
// stays in the first-level cache.
const blockRows = 64

// block is some contacts of a batch whose law is worked out in lanes: what a kernel reads, by column. A cache line lies between two columns: at a
// power of two of rows, one row of all would compete for the same few places of the cache.
type block struct {
	a, b, row, law     [blockRows]uint32
	normal, armA, armB [3][blockRows + soa.Lanes]float64
	gap                [blockRows + soa.Lanes]float64
	width              [6][blockRows + soa.Lanes]float64
	stored, shear      [blockRows]float64 // J, of the last Apply
}

// blocks are the contacts of a batch whose law is of one type. The last block in use may have room.
type blocks struct {
	n   int
	all []block
}

// reserve makes room for n contacts.
func (r *blocks) reserve(n int) {
	if need := (n + blockRows - 1) / blockRows; need > len(r.all) {
		r.all = append(r.all, make([]block, need-len(r.all))...)
	}
}

// add appends a contact, but for its gap and width, and returns where it is: block and row of that.
func (r *blocks) add(t *Touch) (c *block, i int) {
	if r.n == len(r.all)*blockRows {
		r.reserve(max(2*r.n, 1))
	}
	c, i = &r.all[r.n/blockRows], r.n%blockRows
	r.n++
	c.a[i], c.b[i], c.row[i], c.law[i] = uint32(t.A), uint32(t.B), t.Row, t.Law
	c.normal[0][i], c.normal[1][i], c.normal[2][i] = t.Normal.X, t.Normal.Y, t.Normal.Z
	c.armA[0][i], c.armA[1][i], c.armA[2][i] = t.ArmA.X, t.ArmA.Y, t.ArmA.Z
	c.armB[0][i], c.armB[1][i], c.armB[2][i] = t.ArmB.X, t.ArmB.Y, t.ArmB.Z
	return c, i
}

// each yields the blocks in use and how many contacts each has.
func (r *blocks) each(yield func(c *block, n int) bool) {
	for first := 0; first < r.n; first += blockRows {
		if !yield(&r.all[first/blockRows], min(r.n-first, blockRows)) {
			return
		}
	}
}
