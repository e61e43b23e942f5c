package asm

import "github.com/scree-dem/scree/vec"

const (
	latticeY = LatticeLane + 1
	latticeZ = 2*LatticeLane + 2
)

func latticeCornersGeneric(boxes []vec.Box, f *LatticeFrame, corners []uint64) {
	for i := range boxes {
		corners[2*i], corners[2*i+1] = f.Corners(&boxes[i])
	}
}

func (f *LatticeFrame) corner(p *vec.Vec3) uint64 {
	return steps((p.X-f.From[0])*f.Step[0], f.Last[0]) |
		steps((p.Y-f.From[1])*f.Step[1], f.Last[1])<<latticeY |
		steps((p.Z-f.From[2])*f.Step[2], f.Last[2])<<latticeZ
}

// steps returns the lattice coordinate for t steps from the origin: t rounded down, between 0 and
// last.
func steps(t, last float64) uint64 {
	if !(t > 0) {
		return 0
	}
	if t >= last {
		t = last
	}
	return uint64(int64(t))
}
