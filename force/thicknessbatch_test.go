package force

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/scree-dem/scree/internal/backends"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// softLaws returns four materials whose pairs have every kind of damping, with and without
// friction. byArea gives some pairs an area exponent, so that the batch uses the kernel for area
// exponents.
func softLaws(t testing.TB, byArea bool) *Table {
	t.Helper()
	table, err := NewTable(4, Thickness{Stiffness: 1e4, Tangential: 8e3, Friction: 0.5, Restitution: 0.3})
	for _, p := range []struct {
		a, b soa.Material
		l    Thickness
	}{
		{0, 1, Thickness{Stiffness: 1e4, Tangential: 8e3, Friction: 0.5, Restitution: 1}},
		{0, 2, Thickness{Stiffness: 1e4, Restitution: 0.5}},
		{1, 1, Thickness{Stiffness: 1e4, Tangential: 8e3, Friction: 0.4, Restitution: 0.1, AreaExponent: 0.5}},
		{1, 2, Thickness{Stiffness: 1e4, Tangential: 9e3, Friction: 0.3, Restitution: 0.5, AreaExponent: 1}},
		{2, 2, Thickness{Stiffness: 1e4, Tangential: 9e3, Restitution: 0.5, AreaExponent: 1}},
		{3, 3, Thickness{Stiffness: 2e4, Tangential: 8e3, Friction: 2, Restitution: 0.05}},
	} {
		if !byArea {
			p.l.AreaExponent = 0
		}
		if err == nil {
			err = table.Set(p.a, p.b, p.l)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// randomPatch returns the overlap of a slightly skewed slab along a unit vector, of random length
// and width.
func randomPatch(r *rand.Rand, along vec.Vec3, size float64) Overlap {
	u := along.Perpendicular()
	w := along.Cross(u)
	a, b, s := size*(0.05+r.Float64()), size*(0.05+r.Float64()), 1e-3*size*(0.1+r.Float64())
	dyad := func(v vec.Vec3, k float64) vec.Sym3 {
		return vec.Sym3{XX: v.X * v.X, YY: v.Y * v.Y, ZZ: v.Z * v.Z, XY: v.X * v.Y, XZ: v.X * v.Z, YZ: v.Y * v.Z}.Scale(k)
	}
	tilted := along.AddScaled(1e-3, randomVector(r))
	return Overlap{
		Volume: a * b * s, Variance: s * s / 12,
		Spread:           dyad(u, a*a/12).Add(dyad(w, b*b/12)).Add(dyad(along, s*s/12)),
		VarianceGradient: tilted.Scale(s / 6), VarianceTurn: randomVector(r).Scale(0.1 * size * s / 6),
		VolumeGradient: tilted.Scale(a * b), VolumeTurn: randomVector(r).Scale(0.1 * size * a * b),
		EdgeFactor: []float64{1, 1, 1.4745}[r.IntN(3)],
	}
}

// randomPatches returns n contacts with overlaps, each between two bodies of its own, under a table
// of softLaws.
func randomPatches(table *Table, r *rand.Rand, n int) *touches {
	s := &touches{table: table, dt: 2e-4 * (0.5 + r.Float64())}
	s.rows = make([]LawContact, n)
	if r.IntN(2) == 0 {
		s.share = r.Float64()
	}
	s.bodies.Resize(2 * n)
	s.contacts = *newRows(table.History())
	s.contacts.resize(n + 5)
	size := []float64{1, 1, 0.125, 30}[r.IntN(4)]
	order := r.Perm(n + 5)
	for k := range n {
		t := LawContact{A: soa.Body(2*n - 1 - k), B: soa.Body(k), Row: uint32(order[k]), Law: uint32(r.IntN(len(table.laws)))}
		t.Normal = randomVector(r).Unit()
		t.ArmA, t.ArmB = randomVector(r).Scale(size), randomVector(r).Scale(size)
		along := t.Normal.Neg()
		o := randomPatch(r, along, size)
		thick := math.Sqrt(12 * o.Variance)
		// Speeds at which dashpots matter, for masses of about 1 kg.
		speed := thick * 100 * math.Pow(10, 1.5-4*r.Float64())
		if r.IntN(20) == 0 {
			speed *= 1e3 // the bodies meet in this step
		}
		for _, i := range []int{int(t.A), int(t.B)} {
			s.bodies.Vel.Set(i, randomVector(r).Scale(speed))
			s.bodies.Spin.Set(i, randomVector(r).Scale(speed/size))
			s.bodies.Rot.Set(i, vec.FromRotationVector(randomVector(r).Scale(3)))
			s.bodies.InvMass[i] = 0.5 + r.Float64()
			inertia := 6 / (size * size)
			s.bodies.InvInertia.Set(i, vec.Sym3{XX: inertia, YY: 2 * inertia, ZZ: inertia, XY: 0.1 * inertia, YZ: -0.2 * inertia})
		}
		law, row := table.laws[t.Law].(*thicknessLaw), int(t.Row)
		grown := law.growth(o.Volume, thick)
		about := o.Spread.XX + o.Spread.YY + o.Spread.ZZ
		limit := law.Friction * law.Stiffness * grown * thick
		normal := t.Normal.AddScaled(1e-2*r.Float64(), randomVector(r)).Unit()
		if r.IntN(4) == 0 {
			normal = randomVector(r).Unit()
		}
		// The middle plane of the last step, from the axis of the slab: it turns with the mean spin,
		// and further by a share of the difference of the spins.
		spinA, spinB := s.bodies.Spin.At(int(t.A)), s.bodies.Spin.At(int(t.B))
		spin := spinA.Add(spinB).Scale(0.5).AddScaled(1.2*r.Float64()-0.6, spinA.Sub(spinB))
		middle := vectors(&s.contacts, middleX)
		middle.Set(row, along.AddScaled(-s.dt, spin.Cross(along)))
		slip := randomVector(r)
		most := 0.0
		if law.Tangential > 0 {
			most = limit / (law.Tangential * grown)
		}
		s.contacts.Normal.Set(row, normal)
		setSlip(&s.contacts, row, slip.AddScaled(-slip.Dot(normal), normal).Scale(1.5*most*r.Float64()))
		s.contacts.History[twistAngle][row] = 2 * (2*r.Float64() - 1) * most / math.Sqrt(about)
		s.contacts.History[twistWidth][row] = grown * about * (0.5 + r.Float64())
		if law.AreaExponent > 0 {
			s.contacts.History[slipGrowth][row] = grown * (0.5 + r.Float64())
		}
		switch r.IntN(12) {
		case 0:
			s.contacts.Normal.Set(row, vec.Vec3{})
			for _, column := range s.contacts.History {
				column[row] = 0
			}
		case 1:
			o = Overlap{}
		case 2:
			s.contacts.Relief[row] = 3 * thick * r.Float64()
		case 3:
			s.bodies.InvMass[t.B] = 0
			s.bodies.InvInertia.Set(int(t.B), vec.Sym3{})
			s.bodies.Vel.Set(int(t.B), vec.Vec3{})
			s.bodies.Spin.Set(int(t.B), vec.Vec3{})
		case 4:
			o.VarianceGradient, o.VarianceTurn, o.VolumeGradient, o.VolumeTurn = vec.Vec3{}, vec.Vec3{}, vec.Vec3{}, vec.Vec3{}
		case 5:
			o.Spread = vec.Sym3{} // as for a ball
		case 6, 7:
			// At rest at the friction limit.
			for _, i := range []int{int(t.A), int(t.B)} {
				s.bodies.Vel.Set(i, vec.Vec3{})
				s.bodies.Spin.Set(i, vec.Vec3{})
			}
		}
		t.Overlap = o
		s.rows[k] = t
	}
	return s
}

// thicknessBranches counts the branches of the law that contact k takes; a is its result.
func (s *touches) thicknessBranches(k int, a *answer, count map[string]int) {
	t := &s.rows[k]
	l, m := s.table.laws[t.Law].(*thicknessLaw), &a.Contact
	o, before := &m.Overlap, historyOf(&s.contacts, int(t.Row))
	choose := func(yes bool, a, b string) {
		if yes {
			count[a]++
		} else {
			count[b]++
		}
	}
	thick := math.Sqrt(12 * o.Variance)
	switch {
	case t.Overlap == (Overlap{}):
		count["no overlap"]++
		return
	case thick <= m.Forgiven:
		count["forgiven"]++
		return
	case o.VarianceGradient == (vec.Vec3{}):
		choose(a.Stored > 0, "nothing pushes", "nothing pushes or is stored")
		return
	}
	switch l.AreaExponent {
	case 0:
		count["no exponent"]++
	case 1:
		count["exponent 1"]++
	default:
		count["exponent ½"]++
	}
	choose(m.A.InvMass == 0 || m.B.InvMass == 0, "a wall", "no wall")
	choose(l.zeta > 0, "damped", "not damped")
	choose(o.Spread == (vec.Sym3{}), "a point", "a patch")
	n := a.normal
	normalForce := -(a.Force.Sub(a.Damping).Sub(a.Friction)).Dot(n)
	if l.zeta > 0 {
		dashpot := -a.Damping.Dot(n) / normalForce
		choose(math.Abs(dashpot) < 1-1e-6, "dashpot is whole", "dashpot is cut")
		if math.Abs(dashpot) >= 1-1e-6 {
			choose(dashpot > 0, "dashpot is cut towards", "dashpot is cut away")
		}
	}
	if l.zeta > 0 && l.AreaExponent == 0 && o.Spread != (vec.Sym3{}) {
		arm, least := o.VarianceTurn.Scale(1/o.VarianceGradient.Norm()), normalForce+min(-a.Damping.Dot(n), 0)
		tilt := func(damping float64) float64 {
			return dampTilt(m, o, n, arm, damping, least, slices.Clone(before)).Norm()
		}
		const little = 1e-30
		whole := tiltDamping * little * o.Spread.MulVec(n.Cross(m.Spin)).Cross(n).Norm()
		switch gate := tilt(little) / whole; {
		case least > 0 && tilt(math.MaxFloat64) == 0:
			count["bears on an edge"]++
		case gate > 0 && gate < 1-1e-9:
			count["tilts a little"]++
		default:
			choose(gate > 0, "tilts", "does not tilt")
		}
	}
	choose(m.sinceMet(&m.Overlap, m.Forgiven) < m.Dt, "meets in this step", "met before")
	if l.Friction == 0 {
		count["no friction"]++
		return
	}
	grown := l.growth(o.Volume, thick)
	about := o.Spread.XX + o.Spread.YY + o.Spread.ZZ - n.Dot(o.Spread.MulVec(n))
	switch {
	case m.PreviousNormal == (vec.Vec3{}):
		count["new"]++
	case m.PreviousNormal.Dot(n) <= 0:
		count["another contact"]++
	default:
		count["goes on"]++
		choose(grown*about > before[twistWidth], "wider", "narrower")
		if l.AreaExponent > 0 {
			choose(grown > l.growthOf(before), "stiffer", "softer")
		}
	}
	choose(a.Sliding, "slides", "sticks")
	drag := a.Damping.AddScaled(-a.Damping.Dot(n), n)
	if !a.Sliding && l.zeta > 0 && m.Velocity != (vec.Vec3{}) {
		limit := l.Friction * (normalForce - a.Damping.Dot(n))
		total := a.Friction.Add(drag).Norm()
		choose(total < limit*(1-1e-9), "drag is whole", "drag is cut")
	}
	if about > 0 {
		most := l.Friction * (normalForce - a.Damping.Dot(n)) * math.Sqrt(about)
		twist := a.FrictionMoment.Dot(n)
		choose(math.Abs(twist) > most*(1-1e-9), "turns", "does not turn")
		if both := a.FrictionMoment.Add(a.DampingMoment).Dot(n); math.Abs(twist) <= most*(1-1e-9) && m.Spin != (vec.Vec3{}) {
			choose(math.Abs(both) > most*(1-1e-9), "brake is cut", "brake is whole")
		}
	}
}

// TestThicknessBatchIsTheLaw compares over 50 000 contacts with the law itself, and checks that
// they take every branch of the law.
func TestThicknessBatchIsTheLaw(t *testing.T) {
	const batches, most = 300, 400
	r := rand.New(rand.NewPCG(17, 17))
	tables := [2]*Table{softLaws(t, false), softLaws(t, true)}
	all, answers := make([]*touches, batches), make([][]answer, batches)
	count, total := map[string]int{}, 0
	for i := range all {
		all[i] = randomPatches(tables[i%2], r, r.IntN(most))
		answers[i] = all[i].answers()
		for k := range answers[i] {
			all[i].thicknessBranches(k, &answers[i][k], count)
		}
		total += len(answers[i])
	}
	backends.Run(t, func(t *testing.T) {
		var b Batch
		for i, s := range all {
			s.check(t, &b, answers[i])
		}
	})
	if total < 50_000 {
		t.Errorf("%d contacts", total)
	}
	for _, way := range []string{
		"no overlap", "forgiven", "nothing pushes", "no exponent", "exponent ½", "exponent 1", "a wall", "no wall", "damped",
		"not damped", "a point", "a patch", "dashpot is whole", "dashpot is cut", "dashpot is cut towards", "dashpot is cut away",
		"bears on an edge", "tilts a little", "tilts", "does not tilt", "meets in this step", "met before", "no friction", "new", "another contact", "goes on", "wider", "narrower", "stiffer",
		"softer", "slides", "sticks", "drag is whole", "drag is cut", "turns", "does not turn", "brake is cut", "brake is whole",
	} {
		if count[way] < 50 {
			t.Errorf("%d of %d contacts: %s", count[way], total, way)
		}
		delete(count, way)
	}
	for way := range count {
		t.Errorf("%q is not in the list", way)
	}
}

// FuzzThicknessBatch gives bodies, contacts, overlaps and laws arbitrary numbers, even those that
// Parameters.Law would reject.
func FuzzThicknessBatch(f *testing.F) {
	f.Add(uint64(1), []byte{})
	f.Add(uint64(2), binary.LittleEndian.AppendUint64(nil, math.Float64bits(math.Inf(1))))
	f.Add(uint64(3), make([]byte, 400))
	f.Fuzz(func(t *testing.T, seed uint64, data []byte) {
		s := randomPatches(softLaws(t, seed%2 == 0), rand.New(rand.NewPCG(seed, 1)), 1+int(seed%20))
		r := rand.New(rand.NewPCG(seed, 2))
		for len(data) >= 8 {
			s.spoilPatch(r, math.Float64frombits(binary.LittleEndian.Uint64(data)))
			data = data[8:]
		}
		s.lawsChanged()
		answers := s.answers()
		backends.Run(t, func(t *testing.T) { s.check(t, &Batch{}, answers) })
	})
}

// TestThicknessBatchOddNumbers tries zeros, infinities, NaNs and numbers that overflow or underflow
// at every input.
func TestThicknessBatchOddNumbers(t *testing.T) {
	odd := []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), 5e-324, 1e-300, 1e300, -1, 1e160, -1e-160}
	r := rand.New(rand.NewPCG(19, 19))
	all, answers := make([]*touches, 400), make([][]answer, 400)
	for i := range all {
		s := randomPatches(softLaws(t, i%2 == 0), r, 40)
		for range 30 {
			s.spoilPatch(r, odd[r.IntN(len(odd))])
		}
		s.lawsChanged()
		all[i], answers[i] = s, s.answers()
	}
	backends.Run(t, func(t *testing.T) {
		var b Batch
		for i, s := range all {
			s.check(t, &b, answers[i])
		}
	})
}

// lawsChanged updates the columns of a table of softLaws after a change of its laws.
func (s *touches) lawsChanged() {
	for i := range s.table.laws {
		s.table.thickness.set(i, s.table.laws[i].(*thicknessLaw))
	}
}

// spoilPatch replaces a random input by v. Relief stays finite and not negative.
func (s *touches) spoilPatch(r *rand.Rand, v float64) {
	t := &s.rows[r.IntN(len(s.rows))]
	l := s.table.laws[r.IntN(len(s.table.laws))].(*thicknessLaw)
	o := &t.Overlap
	c, b, remembered := &s.contacts, &s.bodies, s.table.needs[t.Law].History
	places := []*float64{
		&t.Normal.X, &t.ArmA.Y, &t.ArmB.Z, &c.History[r.IntN(remembered)][t.Row], &c.History[r.IntN(remembered)][t.Row],
		&c.Normal.X[t.Row], &c.Normal.Y[t.Row], &b.Vel.Z[t.A], &b.Spin.X[t.B], &b.InvMass[t.A], &b.InvMass[t.B],
		&b.InvInertia.XY[t.A], &b.Rot.W[t.B], &l.Stiffness, &l.Tangential, &l.Friction, &l.zeta,
		&o.Volume, &o.Spread.XX, &o.Spread.YZ, &o.Variance, &o.VarianceGradient.X, &o.VarianceGradient.Y, &o.VarianceGradient.Z,
		&o.VarianceTurn.Y, &o.VolumeGradient.Z, &o.VolumeTurn.X,
	}
	if v >= 0 && v <= math.MaxFloat64 {
		places = append(places, &c.Relief[t.Row])
	}
	*places[r.IntN(len(places))] = v
}
