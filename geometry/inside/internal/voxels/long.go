package voxels

import (
	"cmp"
	"math"
	"slices"

	"github.com/scree-dem/scree/geometry/inside/internal/clusters"
	"github.com/scree-dem/scree/vec"
)

// If a surface is much finer in one place than elsewhere, a cell there has a long list. The entries
// of a long list are sorted along a curve through the cell. A tree of boxes over runs of entries
// finds the entries that a segment can meet.
//
//	entries  ........ ........ ........ ...
//	level 0  box      box      box      ...    one over longRun entries
//	level 1  box                        ...    one over longRun boxes, until a level has one

const (
	// longList is the largest number of entries of a list without boxes. With a smaller value,
	// there are more boxes. With a larger one, a point is compared with more planes.
	longList = 96
	longRun  = 8
)

// long is a long list. levels has the index in Cells.boxes of the first box of each level, the
// lowest level first.
type long struct {
	rank   uint32
	levels []uint32 // one more than levels: the last is the end of the boxes
}

// setLong sorts long lists and makes their boxes.
func (b *builder) setLong() {
	for r := range len(b.lists) - 1 {
		first, last := b.lists[r]>>references, b.lists[r+1]>>references
		if last-first <= longList {
			continue
		}
		list := b.entries[first:last]
		b.sortAlongCurve(list)
		l := long{rank: uint32(r), levels: []uint32{uint32(len(b.boxes))}}
		for run := range slices.Chunk(list, longRun) {
			box := vec.EmptyBox()
			for _, e := range run {
				p, q, r := b.surface.Corners(int(e >> references))
				box = box.With(p).With(q).With(r)
			}
			b.boxes = append(b.boxes, box)
		}
		for from := l.levels[0]; len(b.boxes)-int(from) > 1; {
			to := uint32(len(b.boxes))
			l.levels = append(l.levels, to)
			for at := from; at < to; at += longRun {
				box := vec.EmptyBox()
				for _, k := range b.boxes[at:min(at+longRun, to)] {
					box = box.Union(k)
				}
				b.boxes = append(b.boxes, box)
			}
			from = to
		}
		l.levels = append(l.levels, uint32(len(b.boxes)))
		b.long = append(b.long, l)
	}
}

// sortAlongCurve sorts entries by the middles of their triangles along a curve.
func (b *builder) sortAlongCurve(list []uint32) {
	middles, old := make([]vec.Vec3, len(list)), slices.Clone(list)
	for i, e := range list {
		p, q, r := b.surface.Corners(int(e >> references))
		middles[i] = p.Scale(1.0 / 3).Add(q.Scale(1.0 / 3)).Add(r.Scale(1.0 / 3))
	}
	var order clusters.Order
	rows, _ := order.Sort(middles)
	for i, r := range rows {
		list[i] = old[r.At]
	}
}

// walk is a segment that is tested against the boxes of a long list.
type walk struct {
	segment
	lo, hi vec.Vec3 // box of the segment
	half   vec.Vec3 // half of the segment, as a vector
	room   float64  // allowance for the rounding of misses
	tested int      // number of tested boxes and triangles
}

// missRoom, times the largest coordinate and half the length of the segment, exceeds the rounding
// error of the numbers that misses compares: twelve roundings of products of coordinates. With a
// smaller value, a triangle may be missed. With a larger one, more boxes are opened.
const missRoom = 0x1p-47

// misses reports whether the segment certainly does not meet a box. It tests the separating axes:
// the axes of the box, and their cross products with the segment.
func (w *walk) misses(b *vec.Box) bool {
	if b.Max.X < w.lo.X || b.Min.X > w.hi.X || b.Max.Y < w.lo.Y || b.Min.Y > w.hi.Y || b.Max.Z < w.lo.Z || b.Min.Z > w.hi.Z {
		return true
	}
	side := b.Max.Sub(b.Min).Scale(0.5)
	way := b.Min.Add(side).Sub(w.p.Add(w.half)).Cross(w.half).Abs()
	d := w.half.Abs()
	return way.X > float64(side.Y*d.Z)+float64(side.Z*d.Y)+w.room ||
		way.Y > float64(side.Z*d.X)+float64(side.X*d.Z)+w.room ||
		way.Z > float64(side.X*d.Y)+float64(side.Y*d.X)+w.room
}

// crossLong does what cross does, for the long list of the given rank. It uses the nearest
// reference point.
func (c *VoxelGrid) crossLong(p vec.Vec3, rank uint32) walk {
	at, _ := slices.BinarySearchFunc(c.long, rank, func(l long, rank uint32) int { return cmp.Compare(l.rank, rank) })
	l := &c.long[at]
	x, y, z := c.grid.cell(0, p.X), c.grid.cell(1, p.Y), c.grid.cell(2, p.Z)
	w := walk{}
	least := math.Inf(1)
	for r := range uint(references) {
		q := c.grid.referencePoint(x, y, z, r)
		if d := q.Sub(p).MaxAbs(); d < least {
			least, w.segment = d, segment{p: p, q: q, at: c.short(&p), r: r}
		}
	}
	w.number = int(c.lists[rank] >> w.r & 1)
	w.lo, w.hi, w.half = p.Min(w.q), p.Max(w.q), w.q.Sub(p).Scale(0.5)
	w.room = float64(float64(missRoom*max(c.box.Min.MaxAbs(), c.box.Max.MaxAbs()))*w.half.MaxAbs()) + 0x1p-1000
	top := len(l.levels) - 2
	c.descend(l, top, 0, int(l.levels[top+1]-l.levels[top]), &w)
	return w
}

// descend tests the boxes from <= k < to of a level, and the content of those that the segment may
// meet. If the point lies on the surface, the walk ends.
func (c *VoxelGrid) descend(l *long, level, from, to int, w *walk) {
	for k := from; k < to; k++ {
		box := &c.boxes[int(l.levels[level])+k]
		w.tested++
		if w.misses(box) {
			continue
		}
		if level > 0 {
			c.descend(l, level-1, k*longRun, min((k+1)*longRun, int(l.levels[level]-l.levels[level-1])), w)
		} else {
			first, last := c.lists[l.rank]>>references, c.lists[l.rank+1]>>references
			entries := c.entries[first:last][k*longRun:]
			entries = entries[:min(longRun, len(entries))]
			w.tested += len(entries)
			for _, e := range entries {
				if c.meet(&w.segment, e); w.on {
					return
				}
			}
		}
		if w.on {
			return
		}
	}
}
