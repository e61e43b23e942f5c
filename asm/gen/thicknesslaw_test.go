package main

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/scree-dem/scree/asm"
)

// overlapping returns n contacts of a few bodies and laws. Most are plausible. Some have special
// numbers, in places or throughout.
func (r *numbers) overlapping(n int) *asm.ThicknessLaw {
	rows := map[column]int{}
	from := column(0)
	for _, block := range []struct {
		last string
		rows int
	}{
		{"EdgeFactor", n}, {"RotZ", 2 + r.IntN(6)}, {"Relief", n}, {"AreaExponent", 1 + r.IntN(4)}, {"Shear", n},
	} {
		for last := thicknessOf(block.last); from <= last; from++ {
			rows[from] = block.rows
		}
	}
	l := &asm.ThicknessLaw{}
	wild := r.IntN(4) == 0
	v := reflect.ValueOf(l).Elem()
	for i := range v.NumField() {
		switch c := v.Field(i).Addr().Interface().(type) {
		case *[]float64:
			if *c = r.floats(rows[column(i)]); !wild {
				for j := range *c {
					(*c)[j] = 2*r.Float64() - 1
				}
			}
		case *[]uint32:
			of := map[string]string{"A": "InvMass", "B": "InvMass", "Row": "Relief", "Law": "Zeta"}[v.Type().Field(i).Name]
			*c = make([]uint32, rows[column(i)])
			for j := range *c {
				(*c)[j] = uint32(r.IntN(rows[thicknessOf(of)]))
			}
		}
	}
	for j := range l.AreaExponent {
		l.AreaExponent[j] = float64(r.IntN(3)) / 2
	}
	if wild {
		return l
	}
	for _, c := range [][]float64{l.InvMass, l.Stiffness, l.Tangential, l.Zeta, l.Volume, l.Variance, l.OldWidth, l.OldGrowth, l.Relief, l.SpreadXX, l.SpreadYY, l.SpreadZZ} {
		for j := range c {
			c[j] = math.Abs(c[j])
		}
	}
	for k := range n {
		small := math.Pow(10, -4*r.Float64())
		l.OldSlipX[k], l.OldSlipY[k], l.OldSlipZ[k] = l.OldSlipX[k]*small, l.OldSlipY[k]*small, l.OldSlipZ[k]*small
		l.OldAngle[k] *= small
		l.Relief[k] *= float64(r.IntN(2)) * small
		if r.IntN(8) == 0 {
			l.OldNormalX[k], l.OldNormalY[k], l.OldNormalZ[k] = 0, 0, 0
		}
		if r.IntN(20) == 0 {
			odd := r.floats(1)[0]
			*[]*float64{&l.ArmAX[k], &l.NormalX[k], &l.OldSlipY[k], &l.OldAngle[k], &l.OldNormalY[k]}[r.IntN(5)] = odd
		}
	}
	return l
}

// checkApplyThickness requires the results of the Go loop, for whole registers of contacts up to a
// register with an index out of range.
func checkApplyThickness(t *testing.T, k *kernel, r *numbers, n int) {
	l := r.overlapping(n)
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
	var s structure
	v, got := reflect.ValueOf(&want).Elem(), reflect.ValueOf(l).Elem()
	for i := range v.NumField() {
		c := got.Field(i).Interface()
		if column(i) >= thicknessOf("NewNormal") {
			to := v.Field(i).Addr().Interface().(*[]float64)
			*to = append([]float64{}, *to...)
			c = output{c}
		}
		s.columns = append(s.columns, c)
	}
	if strings.HasPrefix(k.f.Name, "applyThicknessByArea") {
		asm.ApplyThicknessByArea(&want, dt, share, lo, next)
	} else {
		asm.ApplyThickness(&want, dt, share, lo, next)
	}
	if stopped := k.call(t, 1, s, array{dt, share}, lo, hi); stopped[0] != uint64(next) {
		t.Errorf("%d to %d, bad index at %d: stopped at %d, want %d", lo, hi, bad, stopped[0], next)
	}
	for i := int(thicknessOf("NewNormal")); i < v.NumField(); i++ {
		for j, w := range v.Field(i).Interface().([]float64) {
			if c := got.Field(i).Interface().([]float64); !same(c[j], w) {
				t.Errorf("%d to %d: %s of contact %d: got %v, want %v", lo, hi, v.Type().Field(i).Name, j, c[j], w)
			}
		}
	}
}
