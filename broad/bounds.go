package broad

import (
	"math"

	"github.com/scree-dem/scree/vec"
)

const (
	// maxExtent, m: a piece with a longer cell extent is not entered, as if its extent were not
	// finite. The bound keeps all products of grid computations below overflow, and all quotients
	// above underflow.
	// Larger: overflow in the grid.
	maxExtent = 1e150
	// BinsPerOctave is the resolution of sizes when levels are chosen: three bits after the binary
	// point of the size.
	BinsPerOctave = 8
	// SizeBins is the number of size bins.
	SizeBins = 2048 * BinsPerOctave
)

// SizeBin returns the size bin of a finite size ≥ 0, m: its exponent and first three mantissa bits.
func SizeBin(size float64) int { return int(math.Float64bits(size) >> 49 & (SizeBins - 1)) }

// SizeOf returns the longest side of a box, m, and whether the box can be entered in a grid. A box
// cannot be entered if a side is NaN, infinite or above maxExtent, for example because a corner is
// not finite. The empty extent of a plane cannot be entered either.
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

// Bounds summarises the boxes of a grid, m.
type Bounds struct {
	N      int
	Lo, Hi vec.Vec3 // least and largest lower corner
	Top    vec.Vec3 // largest upper corner
	Size   vec.Vec3 // longest side along each axis
}

// NoBounds is the Bounds of no boxes.
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

// widen is Bounds.Add along one axis. It uses plain comparisons because the values are finite and
// most of them change nothing, so the branches are well predicted.
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

// Merge adds the boxes of o.
func (b *Bounds) Merge(o *Bounds) {
	b.N += o.N
	b.Lo, b.Hi, b.Top, b.Size = b.Lo.Min(o.Lo), b.Hi.Max(o.Hi), b.Top.Max(o.Top), b.Size.Max(o.Size)
}

// Scale returns the longest side of all boxes, m.
func (b *Bounds) Scale() float64 { return max(b.Size.X, b.Size.Y, b.Size.Z) }

// Around returns the smallest box around all boxes, m.
func (b *Bounds) Around() vec.Box { return vec.Box{Min: b.Lo, Max: b.Top} }

// Overlap is Box.Overlaps without copying the boxes.
func Overlap(a, b *vec.Box) bool {
	return a.Min.X <= b.Max.X && b.Min.X <= a.Max.X &&
		a.Min.Y <= b.Max.Y && b.Min.Y <= a.Max.Y &&
		a.Min.Z <= b.Max.Z && b.Min.Z <= a.Max.Z
}
