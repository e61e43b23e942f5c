package broad

import (
	"math"

	"github.com/scree-dem/scree/vec"
)

// imageBits is the position of the image's number in a name, after the 32 bits of the row's name.
const imageBits = 32

// period returns the length of the domain along each periodic axis, and 0 along the other axes.
func (s *Input) period() [3]float64 {
	size := s.Domain.Max.Sub(s.Domain.Min)
	length := [3]float64{size.X, size.Y, size.Z}
	for axis, periodic := range s.Periodic {
		if !periodic {
			length[axis] = 0
		}
	}
	return length
}

// wrap moves a box by whole periods so that its centre lies in the domain.
func (s *Input) wrap(b *vec.Box) {
	length, from := s.period(), s.Domain.Min
	wrapAxis(&b.Min.X, &b.Max.X, from.X, length[0])
	wrapAxis(&b.Min.Y, &b.Max.Y, from.Y, length[1])
	wrapAxis(&b.Min.Z, &b.Max.Z, from.Z, length[2])
}

// farPeriods is the largest distance of a centre from the domain, in periods, at which a rounded
// quotient counts the periods. The quotient is then off by at most 2⁻³¹. So a moved centre lies
// outside the domain by at most that part of a period, and images one period back and forth still
// reach all neighbours.
const farPeriods = 1 << 20

// wrapAxis moves the interval [lo, hi], m, by whole periods so that its centre, as rounded to
// float64, lies in the domain up to rounding. Each interval then contains a point of the domain.
// For any two such intervals, images one period back and forth suffice.
//
// Up to farPeriods away, each end is rounded once. Farther away, a quotient would be off by whole
// periods or overflow, so remainders replace it. The remainders are exact. Five sums of an end are
// rounded, so it is off by at most 2⁻⁵¹·(|from| + 2·length + side). If from is 0 and the interval
// is a point, only the last sum is rounded.
func wrapAxis(lo, hi *float64, from, length float64) {
	if length == 0 {
		return
	}
	c := float64(0.5 * (*lo + *hi))
	if math.Abs(c-from) > float64(farPeriods*length) {
		near := from + (math.Mod(c, length) - math.Mod(from, length))
		*lo, *hi, c = near+(*lo-c), near+(*hi-c), near
	}
	if turns := math.Floor((c - from) / length); turns != 0 {
		*lo, *hi = math.FMA(-turns, length, *lo), math.FMA(-turns, length, *hi)
	}
}

// shifts returns the displacement of each image from its row, in the memory of by: one period back
// or forth along any combination of periodic axes.
func (s *Input) shifts(by []vec.Vec3) []vec.Vec3 {
	by = by[:0]
	length := s.period()
	for x := -1.0; x <= 1; x++ {
		for y := -1.0; y <= 1; y++ {
			for z := -1.0; z <= 1; z++ {
				if x != 0 && length[0] == 0 || y != 0 && length[1] == 0 || z != 0 && length[2] == 0 || x == 0 && y == 0 && z == 0 {
					continue
				}
				by = append(by, vec.V(float64(x*length[0]), float64(y*length[1]), float64(z*length[2])))
			}
		}
	}
	return by
}

// shifted returns the image of b displaced by by.
func shifted(b *vec.Box, by vec.Vec3) vec.Box { return vec.Box{Min: b.Min.Add(by), Max: b.Max.Add(by)} }

// setReach computes f.reach, the box outside which images are not needed. Along periodic axes it
// covers all rows, and any row in the domain that is no larger than the largest row. Along other
// axes it is unbounded.
func (f *Finder) setReach(s *Input) {
	all, size := f.boxes[0], vec.Vec3{}
	for k := range f.boxes {
		b := &f.boxes[k]
		all.Min, all.Max, size = all.Min.Min(b.Min), all.Max.Max(b.Max), size.Max(b.Max.Sub(b.Min))
	}
	all.Min, all.Max = all.Min.Min(s.Domain.Min.Sub(size.Scale(0.5))), all.Max.Max(s.Domain.Max.Add(size.Scale(0.5)))
	open := func(periodic bool, lo, hi *float64) {
		if !periodic {
			*lo, *hi = math.Inf(-1), math.Inf(1)
		}
	}
	open(s.Periodic[0], &all.Min.X, &all.Max.X)
	open(s.Periodic[1], &all.Min.Y, &all.Max.Y)
	open(s.Periodic[2], &all.Min.Z, &all.Max.Z)
	f.reach = all
}

// addImages appends those images that overlap f.reach, so that they may pair with a row.
func (f *Finder) addImages(s *Input) {
	n := s.Len()
	if n == 0 {
		return
	}
	if len(f.names) != n {
		f.names = Resize(f.names, n)
		for k := range f.names {
			f.names[k] = uint64(k)
		}
	}
	f.setReach(s)
	f.shifts = s.shifts(f.shifts)
	for image, by := range f.shifts {
		for k := range n {
			exact := shifted(&f.exact[k], by)
			box := s.around(&exact, f.rowOf(k))
			if !box.Overlaps(f.reach) {
				continue
			}
			f.boxes = append(f.boxes, box)
			f.exact = append(f.exact, exact)
			f.source = append(f.source, uint32(k))
			f.names = append(f.names, uint64(image+1)<<imageBits|f.names[k])
		}
	}
}

// findOutside lists the rows whose centre lies outside the domain.
func (f *Finder) findOutside(s *Input, out *Found) {
	out.Outside = out.Outside[:0]
	if s.Domain == (vec.Box{}) {
		return
	}
	for i := range s.Len() {
		if s.outside(i) {
			out.Outside = append(out.Outside, i)
		}
	}
}

// outside reports whether the centre of row i lies outside the domain.
func (s *Input) outside(i int) bool {
	if s.Domain == (vec.Box{}) {
		return false
	}
	var c vec.Vec3
	if s.Box != nil {
		c = s.Box[i].Min.Add(s.Box[i].Max).Scale(0.5)
	} else {
		c = s.Centre[i]
	}
	beyond := func(axis int, x, lo, hi float64) bool { return !s.Periodic[axis] && !(lo <= x && x <= hi) }
	lo, hi := s.Domain.Min, s.Domain.Max
	return beyond(0, c.X, lo.X, hi.X) || beyond(1, c.Y, lo.Y, hi.Y) || beyond(2, c.Z, lo.Z, hi.Z)
}
