package broad

import (
	"math"

	"github.com/scree-dem/scree/vec"
)

const (
	// maxExtent, m: a piece whose cell extent is longer is not entered, as if it were not finite. It keeps
	// every product of the grids below overflow, and every quotient above underflow.
	maxExtent = 1e150
	// BinsPerOctave is how finely sizes are told apart when levels are chosen: three bits after the
	// binary point of the size.
	BinsPerOctave = 8
	// SizeBins is how many size bins there are.
	SizeBins = 2048 * BinsPerOctave
)

// SizeBin returns the size bin of a finite size ≥ 0, m: its exponent and first three bits.
func SizeBin(size float64) int { return int(math.Float64bits(size) >> 49 & (SizeBins - 1)) }

// SizeOf returns the longest side of a box, m, and whether it can be entered in a grid: a side that is
// NaN, infinite or above maxExtent, as any with a corner that is not finite has, cannot; nor can the empty
// extent of a plane.
func SizeOf(box *vec.Box) (size float64, ok bool) {
	x, y, z := box.Max.X-box.Min.X, box.Max.Y-box.Min.Y, box.Max.Z-box.Min.Z
	size = x
	if y > size {
		size = y
	}
	if z > size {
		size = z
	}
	return size, size >= 0 && x+y+z <= maxExtent
}

// Bounds is what the grid of a set of boxes needs to know of them, m.
type Bounds struct {
	N      int
	Lo, Hi vec.Vec3 // least and largest lower corner
	Top    vec.Vec3 // largest upper corner
	Size   vec.Vec3 // longest side along each axis
}

// NoBounds is that of no boxes.
var NoBounds = Bounds{
	Lo:  vec.Vec3{X: math.Inf(1), Y: math.Inf(1), Z: math.Inf(1)},
	Hi:  vec.Vec3{X: math.Inf(-1), Y: math.Inf(-1), Z: math.Inf(-1)},
	Top: vec.Vec3{X: math.Inf(-1), Y: math.Inf(-1), Z: math.Inf(-1)},
}

// Add adds a box.
func (b *Bounds) Add(box *vec.Box) {
	b.N++
	widen(&b.Lo.X, &b.Hi.X, &b.Top.X, &b.Size.X, box.Min.X, box.Max.X)
	widen(&b.Lo.Y, &b.Hi.Y, &b.Top.Y, &b.Size.Y, box.Min.Y, box.Max.Y)
	widen(&b.Lo.Z, &b.Hi.Z, &b.Top.Z, &b.Size.Z, box.Min.Z, box.Max.Z)
}

// widen is Bounds.Add along one axis. Plain comparisons: the values are finite, and nearly all of
// them change nothing, which the processor predicts.
func widen(lo, hi, top, size *float64, from, to float64) {
	if from < *lo {
		*lo = from
	}
	if from > *hi {
		*hi = from
	}
	if to > *top {
		*top = to
	}
	if to-from > *size {
		*size = to - from
	}
}

// Merge adds the boxes of other bounds.
func (b *Bounds) Merge(o *Bounds) {
	b.N += o.N
	b.Lo, b.Hi, b.Top, b.Size = b.Lo.Min(o.Lo), b.Hi.Max(o.Hi), b.Top.Max(o.Top), b.Size.Max(o.Size)
}

// Scale returns the longest side of any of the boxes, m.
func (b *Bounds) Scale() float64 { return max(b.Size.X, b.Size.Y, b.Size.Z) }

// Around returns the box around all boxes, m.
func (b *Bounds) Around() vec.Box { return vec.Box{Min: b.Lo, Max: b.Top} }

// Overlap is Box.Overlaps without the copies.
func Overlap(a, b *vec.Box) bool {
	return a.Min.X <= b.Max.X && b.Min.X <= a.Max.X &&
		a.Min.Y <= b.Max.Y && b.Min.Y <= a.Max.Y &&
		a.Min.Z <= b.Max.Z && b.Min.Z <= a.Max.Z
}
