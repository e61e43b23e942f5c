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

func wrapAxis(lo, hi *float64, from, length float64) {
	if length == 0 {
		return
	}
	if by := float64(length * math.Floor((float64(0.5*(*lo+*hi))-from)/length)); by != 0 {
		*lo -= by
		*hi -= by
	}
}

// addImages appends the images of rows that may be a pair with some row: those whose boxes, moved
// by a period back or on along any periodic axes, share a point with the box around all rows.
func (f *Finder) addImages(s *Set) {
	n := s.Len()
	if n == 0 {
		return
	}
	all := f.boxes[0]
	for k := range f.boxes {
		all.Min, all.Max = all.Min.Min(f.boxes[k].Min), all.Max.Max(f.boxes[k].Max)
	}
	if len(f.names) != n {
		f.names = Resize(f.names, n)
		for k := range f.names {
			f.names[k] = uint64(k)
		}
	}
	length := s.period()
	image := uint64(0)
	for x := -1.0; x <= 1; x++ {
		for y := -1.0; y <= 1; y++ {
			for z := -1.0; z <= 1; z++ {
				if x != 0 && length[0] == 0 || y != 0 && length[1] == 0 || z != 0 && length[2] == 0 || x == 0 && y == 0 && z == 0 {
					continue
				}
				image++
				by := vec.V(float64(x*length[0]), float64(y*length[1]), float64(z*length[2]))
				for k := range n {
					exact := vec.Box{Min: f.exact[k].Min.Add(by), Max: f.exact[k].Max.Add(by)}
					box := s.around(&exact, f.of(k))
					if !box.Overlaps(all) {
						continue
					}
					f.boxes = append(f.boxes, box)
					f.exact = append(f.exact, exact)
					f.source = append(f.source, uint32(k))
					f.names = append(f.names, image<<imageBits|f.names[k])
				}
			}
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

// outside says whether the centre of row i lies outside the domain.
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
