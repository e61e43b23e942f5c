package main

import (
	"math"
	"reflect"
	"testing"

	"github.com/scree-dem/scree/asm"
)

// fields returns the columns of numbers of a structure of asm, and all its columns in the form a kernel is called with.
func fields(s any) (columns []*[]float64, passed structure) {
	v := reflect.ValueOf(s).Elem()
	for i := range v.NumField() {
		switch c := v.Field(i).Addr().Interface().(type) {
		case *[]float64:
			columns = append(columns, c)
			passed.columns = append(passed.columns, output{*c})
		case *[]uint32:
			passed.columns = append(passed.columns, *c)
		}
	}
	return columns, passed
}

// motions returns n bodies that Drift and Kick move, but for one in a few that they must not; and the same again.
func (r *numbers) motions(n int) (m, again *asm.Motion) {
	m, again = &asm.Motion{}, &asm.Motion{}
	columns, _ := fields(m)
	wild := r.IntN(3) == 0 // in all columns anything
	for _, c := range columns {
		if *c = r.floats(n); wild {
			continue
		}
		for i := range *c {
			(*c)[i] = 2*r.Float64() - 1
		}
	}
	for i := range n {
		if !wild {
			l := math.Sqrt(m.RotW[i]*m.RotW[i] + m.RotX[i]*m.RotX[i] + m.RotY[i]*m.RotY[i] + m.RotZ[i]*m.RotZ[i])
			m.RotW[i], m.RotX[i], m.RotY[i], m.RotZ[i] = m.RotW[i]/l, m.RotX[i]/l, m.RotY[i]/l, m.RotZ[i]/l
		}
		if r.IntN(20) == 0 {
			*[]*float64{&m.InvMass[i], &m.VelY[i], &m.AngMomZ[i], &m.PosX[i]}[r.IntN(4)] =
				[]float64{0, math.Copysign(0, -1), math.NaN(), math.Inf(1), 100, 1e200}[r.IntN(6)]
		}
	}
	copies, _ := fields(again)
	for j, c := range columns {
		*copies[j] = append([]float64{}, *c...)
	}
	return m, again
}

func checkDrift(t *testing.T, k *kernel, r *numbers, n int) {
	dt, turn2 := math.Ldexp(r.Float64(), -r.IntN(12)), math.Pow(10, -5*r.Float64())
	g := []float64{r.Float64(), r.Float64(), -9.81}
	h2, half := dt*dt, 0.5*dt
	h3, h4 := h2*dt, h2*h2
	uniforms := array{dt, half, half * g[0], half * g[1], half * g[2], h2 / 2, h3 / 6, h4 / 24, h3 / 12, turn2}
	checkMotion(t, k, r, n, uniforms, func(m *asm.Motion, lo, hi int) int {
		return asm.Drift(m, g[0], g[1], g[2], dt, turn2, lo, hi)
	})
}

func checkKick(t *testing.T, k *kernel, r *numbers, n int) {
	half, g := r.Float64(), []float64{r.Float64(), r.Float64(), -9.81}
	checkMotion(t, k, r, n, array{half, half * g[0], half * g[1], half * g[2]}, func(m *asm.Motion, lo, hi int) int {
		return asm.Kick(m, g[0], g[1], g[2], half, lo, hi)
	})
}

// checkMotion wants of a kernel what the Go loop does to whole registers of bodies none of which stops it.
func checkMotion(t *testing.T, k *kernel, r *numbers, n int, u array, move func(m *asm.Motion, lo, hi int) int) {
	m, want := r.motions(n)
	lo := r.IntN(n + 1)
	hi := lo + r.IntN(n-lo+1)
	next := lo
	for next+k.lanes <= hi {
		before, trial := *want, asm.Motion{}
		from, _ := fields(&before)
		to, _ := fields(&trial)
		for j := range from {
			*to[j] = append([]float64{}, *from[j]...)
		}
		if move(&trial, next, next+k.lanes) < next+k.lanes {
			break
		}
		*want = trial
		next += k.lanes
	}
	got, passed := fields(m)
	if stopped := k.call(t, 1, passed, u, lo, hi); stopped[0] != uint64(next) {
		t.Errorf("%d to %d: stopped at %d, want %d", lo, hi, stopped[0], next)
	}
	wanted, _ := fields(want)
	for j, c := range got {
		for i, v := range *c {
			if !same(v, (*wanted[j])[i]) {
				t.Errorf("%d to %d: column %d of body %d: got %v, want %v", lo, hi, j, i, v, (*wanted[j])[i])
			}
		}
	}
}
