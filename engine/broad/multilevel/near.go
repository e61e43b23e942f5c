package multilevel

import (
	"github.com/scree-dem/scree/engine/broad"
	"github.com/scree-dem/scree/vec"
)

var _ broad.Looker = (*Method)(nil)

// Near implements broad.Looker. Cost: the cells that the box reaches into, on every level.
func (m *Method) Near(box *vec.Box, runs [][]uint32) ([][]uint32, bool) {
	for k := range m.levels {
		l := &m.levels[k]
		if !near(box, l) {
			continue
		}
		if l.hashed {
			from, to := l.cellBelow(&box.Min, 1), l.cellBelow(&box.Max, 0)
			if broad.FarLook(from.x, to.x, from.y, to.y, from.z, to.z) {
				return runs, false
			}
			for z := from.z; z <= to.z; z++ {
				for y := from.y; y <= to.y; y++ {
					for x := from.x; x <= to.x; x++ {
						at := l.base + l.place(x, y, z)
						runs = append(runs, m.row[m.start[at]:m.start[at+1]])
					}
				}
			}
			continue
		}
		lower, upper := l.Corners(box)
		cell, half := l.bits&63, (l.bits-fineX)&63
		x0, x1 := max(int(lower&lane)-l.back[0], 0)>>half, int(upper&lane)>>half
		y0, y1 := max(int(lower>>laneY&lane)-l.back[1], 0)>>cell, int(upper>>laneY&lane)>>cell
		z0, z1 := max(int(lower>>laneZ)-l.back[2], 0)>>cell, int(upper>>laneZ&lane)>>cell
		for z := z0; z <= z1; z++ {
			for y := y0; y <= y1; y++ {
				line := int(l.base) + (z*l.ny+y)*l.nx
				if from, to := m.start[line+x0], m.start[line+x1+1]; from < to {
					runs = append(runs, m.row[from:to])
				}
			}
		}
	}
	return runs, true
}
