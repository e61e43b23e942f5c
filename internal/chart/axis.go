package chart

import "math"

// Axis is what one knows of an axis beforehand.
type Axis struct {
	Title    string
	Log      bool
	Names    []string // of the places 0, 1, 2 …, instead of numbers; of X only
	Min, Max float64  // what it shows at least, where Min < Max
	Down     bool     // linear, values grow from the top down; of Y only
}

// Widest ratio of room beside the data.
const (
	roomRatio = 0.05 // of the range, at either end of a linear axis with bars or names
	logRoom   = 1.5  // factor at either end of a logarithmic one
)

// ranges returns what the axes show: everything that is drawn.
func (c *Chart) ranges() (x, y span) {
	x, y = newSpan(&c.X), newSpan(&c.Y)
	for i := range c.lines {
		for _, p := range c.lines[i].Points {
			if x.takes(p.X) && y.takes(p.Y) {
				x.add(p.X)
				y.add(p.Y)
			}
		}
	}
	for i := range c.discs {
		for _, o := range c.discs[i].all {
			if x.takes(o.X) && y.takes(o.Y) {
				x.add(o.X - o.R)
				x.add(o.X + o.R)
				y.add(o.Y - o.R)
				y.add(o.Y + o.R)
			}
		}
	}
	for i := range c.bars {
		for _, v := range c.bars[i].values {
			if y.takes(v) {
				y.add(v)
			}
		}
		if !y.log {
			y.add(0) // Bars stand on it.
		}
	}
	if len(c.X.Names) > 0 {
		x = span{lo: -0.5, hi: float64(len(c.X.Names)) - 0.5}
	}
	x.settle(false)
	y.settle(true)
	return x, y
}

// span is the range of an axis.
type span struct {
	lo, hi float64 // lo > hi: nothing yet
	log    bool
	down   bool
}

func newSpan(a *Axis) span {
	if a.Min < a.Max {
		return span{a.Min, a.Max, a.Log, a.Down}
	}
	return span{math.Inf(1), math.Inf(-1), a.Log, a.Down}
}

// takes reports whether the axis has a place for a value.
func (s *span) takes(v float64) bool {
	return !math.IsNaN(v) && !math.IsInf(v, 0) && (!s.log || v > 0)
}

// shows reports whether a value is within the axis.
func (s *span) shows(v float64) bool { return s.takes(v) && v >= s.lo && v <= s.hi }

func (s *span) add(v float64) { s.lo, s.hi = min(s.lo, v), max(s.hi, v) }

// settle gives the axis an extent, and room at its ends if asked for.
func (s *span) settle(room bool) {
	switch {
	case s.lo > s.hi && s.log:
		s.lo, s.hi = 1, 10
	case s.lo > s.hi:
		s.lo, s.hi = 0, 1
	case s.lo == s.hi && s.log:
		s.lo, s.hi = s.lo/2, s.hi*2
	case s.lo == s.hi:
		size := max(math.Abs(s.lo), 1)
		half := float64(0.5 * size)
		s.lo, s.hi = s.lo-half, s.hi+half
	}
	if !room {
		return
	}
	if s.log {
		s.lo, s.hi = s.lo/logRoom, s.hi*logRoom
		return
	}
	wide := float64(roomRatio * (s.hi - s.lo))
	if s.lo != 0 {
		s.lo -= wide
	}
	s.hi += wide
}

// atLeast makes the axis longer at both ends, if it is shorter than a length.
func (s *span) atLeast(length float64) {
	if lack := length - (s.hi - s.lo); lack > 0 {
		s.lo, s.hi = s.lo-float64(0.5*lack), s.hi+float64(0.5*lack)
	}
}

// fraction returns 0 for the near end, left or below, and 1 for the far one.
func (s *span) fraction(v float64) float64 {
	if s.down {
		return (s.hi - v) / (s.hi - s.lo)
	}
	if s.log {
		return math.Log(v/s.lo) / math.Log(s.hi/s.lo)
	}
	return (v - s.lo) / (s.hi - s.lo)
}

// fewTicks is how many ticks an axis has at least, up to twice as many or so.
const fewTicks = 4

// tickSlack is the rounding of an end, in ticks.
const tickSlack = 1e-9

// ticks returns round values within the span: powers of ten on a logarithmic axis that has
// several, and otherwise 1, 2 or 5 times a power of ten apart.
func (s *span) ticks() (values []float64) {
	if s.log {
		first, last := math.Ceil(math.Log10(s.lo)), math.Floor(math.Log10(s.hi))
		stride := max(1, math.Ceil((last-first)/(2*fewTicks)))
		for e := first; e <= last; e += stride {
			values = append(values, math.Pow(10, e))
		}
		if len(values) >= 2 {
			return values
		}
		values = nil
	}
	unit := math.Pow(10, math.Floor(math.Log10((s.hi-s.lo)/fewTicks)))
	step := unit
	for _, m := range []float64{2, 5} {
		if (s.hi-s.lo)/(m*unit) >= fewTicks {
			step = m * unit
		}
	}
	decimals := math.Pow(10, max(0, -math.Floor(math.Log10(step))))
	for k := math.Ceil(s.lo/step - tickSlack); k <= s.hi/step+tickSlack; k++ {
		values = append(values, math.Round(k*step*decimals)/decimals+0) // + 0: no −0
	}
	return values
}
