package chart

import "math"

// Axis describes an axis of a chart.
type Axis struct {
	Title    string
	Log      bool
	Names    []string // X only: labels of the positions 0, 1, 2 … instead of numbers
	Min, Max float64  // smallest range to show, if Min < Max
	Down     bool     // Y only, linear: values increase from top to bottom
}

// Margins beside the data.
const (
	roomRatio = 0.05 // share of the range, at the ends of a linear axis
	logRoom   = 1.5  // factor at the ends of a logarithmic axis
)

// ranges returns the ranges of the axes, which contain everything that is drawn.
func (c *Chart) ranges() (x, y span) {
	x, y = newSpan(&c.X), newSpan(&c.Y)
	for i := range c.Lines {
		for _, p := range c.Lines[i].Points {
			if x.takes(p.X) && y.takes(p.Y) {
				x.add(p.X)
				y.add(p.Y)
			}
		}
	}
	for i := range c.Discs {
		for _, o := range c.Discs[i].All {
			if x.takes(o.X) && y.takes(o.Y) {
				x.add(o.X - o.R)
				x.add(o.X + o.R)
				y.add(o.Y - o.R)
				y.add(o.Y + o.R)
			}
		}
	}
	for i := range c.Bars {
		for _, v := range c.Bars[i].Values {
			if y.takes(v) {
				y.add(v)
			}
		}
		if !y.log {
			y.add(0) // the base of the bars
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
	lo, hi float64 // lo > hi: empty
	log    bool
	down   bool
}

func newSpan(a *Axis) span {
	if a.Min < a.Max {
		return span{a.Min, a.Max, a.Log, a.Down}
	}
	return span{math.Inf(1), math.Inf(-1), a.Log, a.Down}
}

// takes reports whether the axis can show the value v at all.
func (s *span) takes(v float64) bool {
	return !math.IsNaN(v) && !math.IsInf(v, 0) && (!s.log || v > 0)
}

// shows reports whether the value v lies in the range of the axis.
func (s *span) shows(v float64) bool { return s.takes(v) && v >= s.lo && v <= s.hi }

func (s *span) add(v float64) { s.lo, s.hi = min(s.lo, v), max(s.hi, v) }

// settle makes an empty or single-valued range non-empty, and adds margins if room is set.
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

// atLeast extends the range symmetrically to at least the given length.
func (s *span) atLeast(length float64) {
	if lack := length - (s.hi - s.lo); lack > 0 {
		s.lo, s.hi = s.lo-float64(0.5*lack), s.hi+float64(0.5*lack)
	}
}

// fraction returns the relative position of v: 0 at the left or lower end, 1 at the other end.
func (s *span) fraction(v float64) float64 {
	if s.down {
		return (s.hi - v) / (s.hi - s.lo)
	}
	if s.log {
		return math.Log(v/s.lo) / math.Log(s.hi/s.lo)
	}
	return (v - s.lo) / (s.hi - s.lo)
}

// fewTicks is the least number of ticks on an axis. There are up to about twice as many.
const fewTicks = 4

// tickSlack is the tolerance for rounding at the ends, in ticks.
const tickSlack = 1e-9

// ticks returns round values in the range. On a logarithmic axis with at least two powers of ten
// these are powers of ten. Otherwise they are multiples of 1, 2 or 5 times a power of ten.
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
		values = append(values, math.Round(k*step*decimals)/decimals+0) // + 0 turns −0 into 0
	}
	return values
}
