package asm

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/internal/backends"
)

// applyLinearBytes is the bytes that ApplyLinear accesses for one contact: its row, two bodies, a
// history, the results.
const applyLinearBytes = 8*(1+3+3+3+6) + 4*4 + 2*8*7 + 8*7 + 8*21

// heap returns n touching contacts between bodies of a heap, in their order, of three materials. A
// tenth slide, a tenth are new, a tenth begin in this step, and one in twenty ends.
func heap(n int) *LinearLaw {
	r := rand.New(rand.NewPCG(7, uint64(n)))
	bodies := max(n/4, 8)
	l := newLinearLaw(n, bodies, n, 6)
	for _, c := range []*[]float64{
		&l.VelX, &l.VelY, &l.VelZ, &l.SpinX, &l.SpinY, &l.SpinZ,
		&l.NormalX, &l.NormalY, &l.NormalZ, &l.ArmAX, &l.ArmAY, &l.ArmAZ, &l.ArmBX, &l.ArmBY, &l.ArmBZ,
	} {
		copy(*c, uniform(r, len(*c)))
	}
	for i := range bodies {
		l.InvMass[i] = 0.5 + r.Float64()
		l.VelX[i], l.VelY[i], l.VelZ[i] = l.VelX[i]*1e-2, l.VelY[i]*1e-2, l.VelZ[i]*1e-2
		l.SpinX[i], l.SpinY[i], l.SpinZ[i] = l.SpinX[i]*1e-2, l.SpinY[i]*1e-2, l.SpinZ[i]*1e-2
	}
	for j := range l.Kn {
		l.Kn[j], l.Kt[j], l.Mu[j], l.Ratio[j], l.Dn[j] = 1e5, 8e4, 0.5, 0.3, 0
		l.Dt[j] = float64(j % 2)
	}
	for k := range n {
		l.A[k] = uint32(k * bodies / n)
		l.B[k] = uint32(min(int(l.A[k])+1+r.IntN(30), bodies-1))
		l.Row[k], l.Law[k] = uint32(k), uint32(r.IntN(6))
		l.Gap[k] = -1e-3 * (0.1 + r.Float64())
		l.WidthXX[k], l.WidthYY[k] = 0.1, 0.1
		l.OldSlipX[k], l.OldSlipY[k] = 1e-4*r.Float64(), 1e-4*r.Float64()
		switch r.IntN(20) {
		case 0, 1:
			l.OldSlipX[k] = 1
		case 2, 3:
			l.Gap[k] = -1e-8
		case 4:
			l.Gap[k] = 1
		case 5, 6:
			l.OldSlipX[k], l.OldSlipY[k] = 0, 0
			continue
		}
		l.OldNormalX[k], l.OldNormalY[k], l.OldNormalZ[k] = l.NormalX[k], l.NormalY[k], l.NormalZ[k]
	}
	return l
}

// BenchmarkApplyLinear runs batches as large as those of an engine's tiles.
func BenchmarkApplyLinear(b *testing.B) {
	for backend := range backends.Each(b) {
		for _, n := range []int{64, 512} {
			b.Run(fmt.Sprintf("backend=%s/contacts=%d", backend, n), func(b *testing.B) {
				l := heap(n)
				columns := [][]float64{l.SlipX, l.ForceY, l.TorqueAZ, l.TorqueBX, l.DampingZ, l.MomentX, l.ShearRise}
				total := func() float64 {
					s := 0.0
					for _, c := range columns {
						for _, v := range c {
							s += v
						}
					}
					return s
				}
				applyLinearGeneric(l, &lawUniforms{1e-4, 0}, 0, n)
				want := total()
				for _, c := range columns {
					clear(c)
				}
				for b.Loop() {
					ApplyLinear(l, 1e-4, 0, 0, n)
				}
				report(b, n, applyLinearBytes, total(), want)
			})
		}
	}
}
