package force

import (
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// needsOnly is a law that reads what its needs say and acts not at all.
type needsOnly struct{ needs Needs }

// OfNeeds returns parameters of a law that computes no forces: a program that reads contacts alone passes them
// to NewTable. Batch.Each then yields what the law asks for. History, Growth and Potential must be zero; the
// error of Law wraps ErrLaw.
func OfNeeds(n Needs) Parameters { return needsOnly{n} }

// Law implements Parameters.
func (l needsOnly) Law() (Law, error) {
	if n := &l.needs; n.History != 0 || n.Growth != 0 || n.Potential {
		return nil, mark.Errorf(ErrLaw, "needs without a law have history %d, growth %g and potential %t, expected none", n.History, n.Growth, n.Potential)
	}
	return l, nil
}

// Needs implements Law.
func (l needsOnly) Needs() Needs { return l.needs }

// Apply implements Law.
func (needsOnly) Apply(*Contact, []float64, *Result) {}

// Held implements Law.
func (needsOnly) Held([]float64) float64 { return 0 }

// Springs implements Law.
func (needsOnly) Springs(float64, float64) Springs { return Springs{} }

// Each yields the contacts of the batch and their points, in no order. Of contacts that AddWritten has added,
// Gap is 0. Both arguments are valid until the next call.
func (b *Batch) Each(yield func(t *LawContact, points []Point) bool) {
	r := &b.thickness
	for i := range r.n {
		var v [thicknessInputs]float64
		for k := range v {
			v[k] = r.columns[k][i]
		}
		t := &b.present
		*t = LawContact{A: soa.Body(r.a[i]), B: soa.Body(r.b[i]), Row: r.row[i], Law: r.law[i], Normal: vectorAt(&v, normalOf), ArmA: vectorAt(&v, armOfA), ArmB: vectorAt(&v, overlapColumns)}
		t.Overlap = Overlap{
			Volume: v[0], Spread: vec.Sym3{XX: v[4], YY: v[5], ZZ: v[6], XY: v[7], XZ: v[8], YZ: v[9]}, Variance: v[varianceOf],
			VarianceGradient: vectorAt(&v, 11), VarianceTurn: vectorAt(&v, 14), VolumeGradient: vectorAt(&v, 17), VolumeTurn: vectorAt(&v, 20), EdgeFactor: v[overlapColumns+3],
		}
		if !yield(t, nil) {
			return
		}
	}
	for k := range b.single.contacts {
		if !yield(&b.single.contacts[k], b.single.of(k)) {
			return
		}
	}
}

// vectorAt returns the vector whose first number is v[k].
func vectorAt(v *[thicknessInputs]float64, k int) vec.Vec3 {
	return vec.Vec3{X: v[k], Y: v[k+1], Z: v[k+2]}
}
