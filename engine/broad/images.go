package broad

import (
	"math"

	"github.com/scree-dem/scree/vec"
)

// imageBits is where the number of an image stands in a name: after the 32 bits of the name of its
// row.
const imageBits = 32

// period returns the length of the domain along an axis if it is periodic, else 0.
func (s *Set) period() [3]float64 {
	size := s.Domain.Max.Sub(s.Domain.Min)
	length := [3]float64{size.X, size.Y, size.Z}
	for axis, periodic := range s.Periodic {
		if !periodic {
			length[axis] = 0
		}
	}
	return length
}

// wrap moves a box by whole periods, so that its centre lies in the domain.
func (s *Set) wrap(b *vec.Box) {
	length, from := s.period(), s.Domain.Min
	wrapAxis(&b.Min.X, &b.Max.X, from.X, length[0])
	wrapAxis(&b.Min.Y, &b.Max.Y, from.Y, length[1])
	wrapAxis(&b.Min.Z, &b.Max.Z, from.Z, length[2])
}

// farPeriods is how many periods from the domain a centre may lie for a rounded quotient to count them. The quotient is off by 2⁻³¹ at most, so a
// moved centre is outside the domain by that part of a period at most. Images one period back and on still reach all neighbours then.
const farPeriods = 1 << 20

// wrapAxis moves a side, m, by whole periods, so that its centre, as rounded to float64, is in the domain, up to rounding. Images one period back and on
// suffice for any two sides that each contain a point of the domain, as these do.
//
// Up to farPeriods away each end is rounded once. Farther away remainders take the place of a quotient, which would be off by whole periods or
// overflow. The remainders are exact. Five sums of an end are rounded, so it is off by 2⁻⁵¹·(|from| + 2·length + side) at most. Where from is 0 and
// the side is a point, the last sum alone is rounded.
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

// shifts writes how far each image lies from its row: by a period back or on along any periodic axes.
func (s *Set) shifts(by []vec.Vec3) []vec.Vec3 {
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

// shifted returns an image.
func shifted(b *vec.Box, by vec.Vec3) vec.Box { return vec.Box{Min: b.Min.Add(by), Max: b.Max.Add(by)} }

// setReach chooses what images have to do with: along periodic axes the box around all rows, and any row that is no larger and whose centre
// is in the domain; along other axes everything.
func (f *Finder) setReach(s *Set) {
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

// addImages appends the images of rows that may be a pair with some row in reach.
func (f *Finder) addImages(s *Set) {
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
			box := s.around(&exact, f.of(k))
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
func (f *Finder) findOutside(s *Set, out *Found) {
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
func (s *Set) outside(i int) bool {
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
