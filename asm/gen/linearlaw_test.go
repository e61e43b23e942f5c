package main

import (
	"math"
	"reflect"
	"testing"

	"github.com/scree-dem/scree/asm"
)

// passed is the form a kernel is called with: what it does not write is memory it cannot write.
func passed(l *asm.LinearLaw) structure {
	var s structure
	v := reflect.ValueOf(l).Elem()
	for i := range v.NumField() {
		c := v.Field(i).Interface()
		if column(i) >= slipOf {
			c = output{c}
		}
		s.columns = append(s.columns, c)
	}
	return s
}

// touching returns n contacts of a few bodies and laws: plausible ones, some of which have a number of any kind
// somewhere, or such numbers throughout.
func (r *numbers) touching(n int) *asm.LinearLaw {
	bodies, laws := 2+r.IntN(6), 1+r.IntN(4)
	l := &asm.LinearLaw{}
	wild := r.IntN(4) == 0
	v := reflect.ValueOf(l).Elem()
	for i := range v.NumField() {
		rows := n
		switch at := column(i); {
		case at >= bodyVelOf && at <= bodyInvMassOf:
			rows = bodies
		case at >= knOf && at <= leastPushOf:
			rows = laws
		}
		switch c := v.Field(i).Addr().Interface().(type) {
		case *[]float64:
			if *c = r.floats(rows); !wild {
				for j := range *c {
					(*c)[j] = 2*r.Float64() - 1
				}
			}
		case *[]uint32:
			limit := map[column]int{rowsOfA: bodies, rowsOfB: bodies, historyRows: n, lawRows: laws}[column(i)]
			*c = make([]uint32, rows)
			for j := range *c {
				(*c)[j] = uint32(r.IntN(limit))
			}
		}
	}
	if wild {
		return l
	}
	for i := range bodies {
		l.InvMass[i] = math.Abs(l.InvMass[i])
	}
	for j := range laws {
		l.Kn[j], l.Kt[j], l.Mu[j] = 100*r.Float64(), float64(r.IntN(3))*40, r.Float64()
		l.Ratio[j] = float64(r.IntN(3)-1) * r.Float64()
		l.Dn[j], l.Dt[j] = float64(r.IntN(2))*r.Float64(), float64(r.IntN(2))*r.Float64()
		l.ReferenceGap[j], l.LeastPush[j] = 0, []float64{0, math.Inf(-1)}[r.IntN(2)]
	}
	for k := range n {
		unit := func(x, y, z *float64) {
			size := math.Sqrt(*x**x + *y**y + *z**z)
			*x, *y, *z = *x/size, *y/size, *z/size
		}
		unit(&l.NormalX[k], &l.NormalY[k], &l.NormalZ[k])
		unit(&l.OldNormalX[k], &l.OldNormalY[k], &l.OldNormalZ[k])
		if r.IntN(2) == 0 {
			l.OldNormalX[k], l.OldNormalY[k], l.OldNormalZ[k] = l.NormalX[k], l.NormalY[k], l.NormalZ[k]
		}
		if r.IntN(8) == 0 {
			l.OldNormalX[k], l.OldNormalY[k], l.OldNormalZ[k] = 0, 0, 0
		}
		if r.IntN(4) == 0 {
			l.WidthXX[k], l.WidthYY[k], l.WidthZZ[k], l.WidthXY[k], l.WidthXZ[k], l.WidthYZ[k] = 0, 0, 0, 0, 0, 0
		}
		l.Relief[k] = float64(r.IntN(2)) * math.Abs(l.Relief[k]) * 1e-3
		l.Gap[k] *= []float64{1, 1e-2, 1e-4}[r.IntN(3)]
		small := math.Pow(10, -4*r.Float64())
		l.OldSlipX[k], l.OldSlipY[k], l.OldSlipZ[k] = l.OldSlipX[k]*small, l.OldSlipY[k]*small, l.OldSlipZ[k]*small
		if r.IntN(20) == 0 {
			odd := r.floats(1)[0]
			*[]*float64{&l.Gap[k], &l.NormalX[k], &l.OldSlipY[k], &l.WidthXZ[k], &l.ArmAY[k]}[r.IntN(5)] = odd
		}
	}
	return l
}

// checkPush wants of a kernel what the Go loop does to whole registers of contacts, up to a register with an
// index out of range.
func checkPush(t *testing.T, k *kernel, r *numbers, n int) {
	l := r.touching(n)
	dt, share := math.Ldexp(r.Float64(), -r.IntN(12)), r.Float64()*float64(r.IntN(2))
	lo := r.IntN(n + 1)
	hi := lo + r.IntN(n-lo+1)
	next := lo + (hi-lo)/k.lanes*k.lanes
	bad := -1
	if n > 0 && r.IntN(6) == 0 {
		bad = r.IntN(n)
		index := []*uint32{&l.A[bad], &l.B[bad], &l.Row[bad], &l.Law[bad]}[r.IntN(4)]
		*index = []uint32{uint32(n) + 20, 1 << 31, math.MaxUint32}[r.IntN(3)]
		if bad >= lo && bad < next {
			next = lo + (bad-lo)/k.lanes*k.lanes
		}
	}
	want := *l
	v := reflect.ValueOf(&want).Elem()
	for i := range v.NumField() {
		if c, ok := v.Field(i).Addr().Interface().(*[]float64); ok {
			*c = append([]float64{}, *c...)
		}
	}
	asm.Push(&want, dt, share, lo, next)
	if stopped := k.call(t, 1, passed(l), array{dt, share}, lo, hi); stopped[0] != uint64(next) {
		t.Errorf("%d to %d, bad index at %d: stopped at %d, want %d", lo, hi, bad, stopped[0], next)
	}
	got := reflect.ValueOf(l).Elem()
	for i := range v.NumField() {
		c, ok := got.Field(i).Interface().([]float64)
		if !ok {
			continue
		}
		for j, w := range v.Field(i).Interface().([]float64) {
			if !same(c[j], w) {
				t.Errorf("%d to %d: %s of contact %d: got %v, want %v", lo, hi, v.Type().Field(i).Name, j, c[j], w)
			}
		}
	}
}
