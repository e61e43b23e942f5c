package distribution

import (
	"math"
	"slices"
	"strconv"

	"github.com/viterin/vek"
)

const (
	// keptValues is the number of values that a column stores, 32 MB. A longer column has no quartiles.
	keptValues = 1 << 22
	// blockValues is the number of values that one sum adds.
	blockValues = 1 << 11
)

// Sample collects numbers. The zero value is an empty column.
//
// Minimum, maximum and quartiles are the same on every machine, up to the rounding of the interpolation.
// The mean is not, because vek adds in an order that depends on the processor: in sixteen partial
// sums with AVX2, one number after the other elsewhere. With sums of blocks of 2048 and the sum of
// these, the mean of n numbers is off by at most (2048 + n/2048)·2⁻⁵³ of the mean magnitude. So
// up to four million numbers of one sign, two machines differ by at most one unit of the twelfth
// digit. If the signs differ, as many digits less are the same as the mean is smaller than the mean
// magnitude. Whole numbers have exact sums below 2⁵³.
type Sample struct {
	values    []float64 // not yet added; all values, if added is 0
	sums      []float64 // of blocks of the values added
	added     int64     // number of values in sums
	least     float64   // of the values added
	most      float64   // of the values added
	notFinite int64
}

// Add appends a number. NaN and infinities are only counted. A nil column ignores the number.
func (c *Sample) Add(x float64) {
	switch {
	case c == nil:
		return
	case x-x != 0:
		c.notFinite++
		return
	case len(c.values) == keptValues:
		c.fold()
	}
	c.values = append(c.values, x+0) // x+0 turns -0 into 0: which of the two is the least would depend on the processor.
}

// fold moves the values to the sums.
func (c *Sample) fold() {
	if len(c.values) == 0 {
		return
	}
	least, most := vek.Min(c.values), vek.Max(c.values)
	if c.added > 0 {
		least, most = min(least, c.least), max(most, c.most)
	}
	c.least, c.most, c.added = least, most, c.added+int64(len(c.values))
	for block := range slices.Chunk(c.values, blockValues) {
		c.sums = append(c.sums, vek.Sum(block))
	}
	c.values = c.values[:0]
}

// Distribution describes the finite numbers of a column.
type Distribution struct {
	Number        int64   `json:"number"`               // of finite numbers
	NotFinite     int64   `json:"not_finite,omitempty"` // number of NaN and infinities; no other field counts them
	Min           Rounded `json:"min"`
	LowerQuartile Rounded `json:"lower_quartile"`
	Median        Rounded `json:"median"`
	UpperQuartile Rounded `json:"upper_quartile"`
	Max           Rounded `json:"max"`
	Mean          Rounded `json:"mean"`
}

// Describe returns the distribution of the numbers so far. A nil column has none.
//
// The quartiles of n sorted numbers are at the ranks ¼(n-1), ½(n-1) and ¾(n-1) from 0. Between two
// ranks they are interpolated. They are NaN for an empty column, and above keptValues numbers.
// Minimum, maximum and mean of an empty column are NaN. The mean is infinite or NaN if the sum
// exceeds the largest float64.
func (c *Sample) Describe() *Distribution {
	if c == nil {
		return nil
	}
	all, none := *c, Rounded(math.NaN())
	d := &Distribution{NotFinite: c.notFinite, Min: none, LowerQuartile: none, Median: none, UpperQuartile: none, Max: none, Mean: none}
	if all.added == 0 && len(all.values) > 0 {
		quartile := func(q float64) Rounded { return Rounded(vek.Quantile(all.values, q)) }
		d.LowerQuartile, d.Median, d.UpperQuartile = quartile(0.25), quartile(0.5), quartile(0.75)
	}
	all.fold()
	if d.Number = all.added; d.Number > 0 {
		d.Min, d.Max, d.Mean = Rounded(all.least), Rounded(all.most), Rounded(vek.Sum(all.sums)/float64(d.Number))
	}
	return d
}

// Rounded is a number that JSON shows with 12 significant digits, or as null if it is not finite.
type Rounded float64

// MarshalJSON writes the number.
func (f Rounded) MarshalJSON() ([]byte, error) {
	x := float64(f)
	if x-x != 0 {
		return []byte("null"), nil
	}
	return strconv.AppendFloat(nil, x, 'g', 12, 64), nil
}
