package force

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/internal/backends"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// touches is a set of contacts with all inputs of a batch, to be compared with the law applied to
// each contact alone.
type touches struct {
	bodies    soa.Bodies
	contacts  ContactRows
	table     *Table
	rows      []LawContact
	materials [][2]soa.Material
	dt, share float64
}

// answer is the result of one contact.
type answer struct {
	Contact
	slip    vec.Vec3
	history []float64
	Result
	normal   vec.Vec3 // normal stored after the step
	onA, onB vec.Vec3
}

// alone evaluates one contact by the law itself: velocities at the location, Apply, torques.
func (s *touches) alone(k int) (a answer) {
	t := &s.rows[k]
	b, row := &s.bodies, int(t.Row)
	spinA, spinB := b.Spin.At(int(t.A)), b.Spin.At(int(t.B))
	va := b.Vel.At(int(t.A)).Add(spinA.Cross(t.ArmA))
	vb := b.Vel.At(int(t.B)).Add(spinB.Cross(t.ArmB))
	a.Contact = Contact{
		Gap: t.Gap, Forgiven: float64(s.contacts.Relief[row] * s.share), Normal: t.Normal, PreviousNormal: s.contacts.Normal.At(row), Velocity: va.Sub(vb),
		MeanSpin: spinA.Add(spinB).Scale(0.5), Twist: 0.5 * spinA.Add(spinB).Dot(t.Normal), Spin: spinA.Sub(spinB), SectionMoments: t.SectionMoments,
		Mass: 1 / (b.InvMass[t.A] + b.InvMass[t.B]), Dt: s.dt,
	}
	law := s.table.laws[t.Law]
	if law.Needs().Overlap {
		a.Overlap = t.Overlap
		a.A = Inertia{InvMass: b.InvMass[t.A], Inverse: b.InvInertia.At(int(t.A)), Rot: b.Rot.At(int(t.A)), Arm: t.ArmA}
		a.B = Inertia{InvMass: b.InvMass[t.B], Inverse: b.InvInertia.At(int(t.B)), Rot: b.Rot.At(int(t.B)), Arm: t.ArmB}
	}
	a.history = historyOf(&s.contacts, row)
	law.Apply(&a.Contact, a.history[:law.Needs().History], &a.Result)
	a.slip = slipOf(a.history)
	if a.normal = a.Result.Normal; a.normal == (vec.Vec3{}) {
		a.normal = t.Normal
	}
	a.onA = t.ArmA.Cross(a.Force).Add(a.Moment)
	a.onB = t.ArmB.Cross(a.Force).Add(a.Moment).Neg()
	return a
}

// historyOf returns the history in row i of the contacts.
func historyOf(c *ContactRows, i int) []float64 {
	h := make([]float64, len(c.History))
	for n, column := range c.History {
		h[n] = column[i]
	}
	return h
}

func setSlip(c *ContactRows, i int, slip vec.Vec3) {
	c.History[0][i], c.History[1][i], c.History[2][i] = slip.X, slip.Y, slip.Z
}

// answers evaluates each contact by the law itself.
func (s *touches) answers() []answer {
	a := make([]answer, len(s.rows))
	for k := range a {
		a[k] = s.alone(k)
	}
	return a
}

func (s *touches) law(k int) *Linear {
	return s.table.At(s.materials[k][0], s.materials[k][1]).(*Linear)
}

func sameNumber(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b
}

func sameVector(a, b vec.Vec3) bool {
	return sameNumber(a.X, b.X) && sameNumber(a.Y, b.Y) && sameNumber(a.Z, b.Z)
}

// fill adds the contacts to a batch.
func (s *touches) fill(b *Batch) {
	b.Clear(s.table)
	for k := range s.rows {
		b.Add(&s.rows[k])
	}
}

// fillRows is fill, but adds contacts of laws in lanes by Rows and AddWritten if that reproduces
// their arms, up to five contacts per call of Rows.
func (s *touches) fillRows(b *Batch) {
	b.Clear(s.table)
	for k := 0; k < len(s.rows); {
		run := s.rows[k:]
		n := 0
		for n < min(len(run), 5) && b.InLanes(run[n].Law) && run[n].Overlap.EdgeFactor == 1 && run[n].finiteArms() {
			n++
		}
		if n == 0 {
			b.Add(&s.rows[k])
			k++
			continue
		}
		columns, first := b.Rows(n + 3)
		for i := range n + 3 {
			written := LawContact{}
			if i < n {
				written = run[i]
			}
			numbers := written.numbers()
			for j := range columns {
				columns[j][first+i] = numbers[j]
			}
		}
		for i := range n {
			t := &run[i]
			b.AddWritten(&WrittenContact{A: t.A, B: t.B, Row: t.Row, Law: t.Law, Between: t.ArmA, FromB: t.ArmB})
		}
		k += n
	}
}

// finiteArms reports whether sums and differences reproduce the arms to the bit.
func (t *LawContact) finiteArms() bool {
	same := func(a vec.Vec3) bool { return a.Sub(a) == vec.Vec3{} && sameVector(a.Add(vec.Vec3{}), a) }
	return same(t.ArmA) && same(t.ArmB)
}

// step returns the Step for the batch of these contacts.
func (s *touches) step(to *ContactRows, accounted bool) *Step {
	return &Step{Bodies: &s.bodies, From: s.contacts, To: *to, Dt: s.dt, Forgiven: s.share, Accounted: accounted}
}

// check compares a batch, on the present backend, with each contact alone.
func (s *touches) check(t *testing.T, b *Batch, answers []answer) {
	t.Helper()
	s.fill(b)
	s.checkFilled(t, b, answers)
	s.fillRows(b)
	s.checkFilled(t, b, answers)
}

func (s *touches) checkFilled(t *testing.T, b *Batch, answers []answer) {
	t.Helper()
	n := len(s.rows)
	for _, accounted := range []bool{false, true} {
		after := copied(&s.contacts)
		b.Apply(s.step(after, accounted))
		energies := energiesOf(b)
		if len(energies) != n {
			t.Fatalf("%d contacts have energies, expected %d", len(energies), n)
		}
		for k := range s.rows {
			r, row := &answers[k], int(s.rows[k].Row)
			for _, c := range []struct {
				what      string
				got, want vec.Vec3
				accounted bool
			}{
				{"slip", slipOf(historyOf(after, row)), r.slip, false},
				{"normal", after.Normal.At(row), r.normal, false},
				{"force", after.Force.At(row), r.Force, false},
				{"torque on A", after.TorqueA.At(row), r.onA, false},
				{"torque on B", after.TorqueB.At(row), r.onB, false},
				{"damping", after.Damping.At(row), r.Damping, true},
				{"moment", after.Moment.At(row), r.DampingMoment, true},
			} {
				if c.accounted && !accounted {
					c.want = vec.Vec3{}
				}
				if !sameVector(c.got, c.want) {
					t.Fatalf("contact %d of %d, accounted %v: %s %v, alone %v", k, n, accounted, c.what, c.got, c.want)
				}
			}
			for i, v := range historyOf(after, row) {
				if !sameNumber(v, r.history[i]) {
					t.Fatalf("contact %d of %d: value %d of the history %v, alone %v", k, n, i, v, r.history[i])
				}
			}
			if !accounted {
				continue
			}
			if !sameVector(after.Friction.At(row), r.Friction) || !sameVector(after.FrictionMoment.At(row), r.FrictionMoment) {
				t.Fatalf("contact %d of %d: friction %v, moment %v; alone %v, %v",
					k, n, after.Friction.At(row), after.FrictionMoment.At(row), r.Friction, r.FrictionMoment)
			}
			e, ok := energies[uint32(row)]
			if !ok || !sameNumber(e.Stored, r.Stored) || !sameNumber(e.Shear, r.Held) || !sameNumber(after.Shear[row], r.HeldRise) {
				t.Fatalf("contact %d of %d, row %d: energies %v, %v, rise %v; alone %v, %v, %v", k, n, row, ok, e, after.Shear[row], r.Stored, r.Held, r.HeldRise)
			}
		}
	}
}

// energiesOf returns the energies of a batch by row.
func energiesOf(b *Batch) map[uint32]Energies {
	all := map[uint32]Energies{}
	for row, e := range b.Energies {
		all[row] = e
	}
	return all
}

// copied returns contacts with the same history and empty results.
func copied(c *ContactRows) *ContactRows {
	d := newRows(len(c.History))
	d.resize(len(c.Relief))
	for i, column := range c.History {
		copy(d.History[i], column)
	}
	for i := range len(c.Relief) {
		d.Normal.Set(i, c.Normal.At(i))
	}
	return d
}

// laws returns a table of three materials whose pairs have every kind of damping, friction and
// tension.
func laws(t testing.TB) *Table {
	t.Helper()
	table, err := NewTable(3, Linear{Kn: 100, Kt: 80, Mu: 0.5, ByRestitution: true, Restitution: 0.5})
	for _, p := range []struct {
		a, b soa.Material
		l    Linear
	}{
		{0, 1, Linear{Kn: 100, Kt: 50, Mu: 0.3, Dn: 2, Dt: 1}},
		{0, 2, Linear{Kn: 30, Dn: 1, Dt: 2, Tension: true}},
		{1, 1, Linear{Kn: 200, Kt: 100, Mu: 0.6, Dt: 0.5, ReferenceGap: 0.01, Interaction: 0.02}},
		{1, 2, Linear{Kn: 100, Kt: 20, Mu: 0.4, ByRestitution: true, Restitution: 1, Tension: true}},
		{2, 2, Linear{Kn: 50, Kt: 60, Mu: 2, ByRestitution: true, Restitution: 0.2, Dt: 5}},
	} {
		if err == nil {
			err = table.Set(p.a, p.b, p.l)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func randomVector(r *rand.Rand) vec.Vec3 {
	return vec.V(2*r.Float64()-1, 2*r.Float64()-1, 2*r.Float64()-1)
}

// randomTouches returns n contacts, each between two bodies of its own. The length scale of a
// contact is random; the stiffness is not.
func randomTouches(table *Table, r *rand.Rand, n int) *touches {
	s := &touches{table: table, dt: 1e-3 * (0.5 + r.Float64())}
	s.rows, s.materials = make([]LawContact, n), make([][2]soa.Material, n)
	if r.IntN(2) == 0 {
		s.share = r.Float64()
	}
	s.bodies.Resize(2 * n)
	s.contacts = *newRows(3)
	s.contacts.resize(n + 5)
	size := []float64{1, 1e6, 1e-6, 0x1p20}[r.IntN(4)]
	order := r.Perm(n + 5)
	for k := range n {
		pair := [2]soa.Material{soa.Material(r.IntN(3)), soa.Material(r.IntN(3))}
		t := LawContact{A: soa.Body(2*n - 1 - k), B: soa.Body(k), Row: uint32(order[k]), Law: s.table.Row(pair[0], pair[1])}
		s.materials[k] = pair
		t.Normal = randomVector(r).Unit()
		t.ArmA, t.ArmB = randomVector(r).Scale(size), randomVector(r).Scale(size)
		t.Gap = -0.01 * size * r.Float64()
		// A large body under a law whose spring begins at a fixed gap is hardly affected by that
		// gap.
		quiet := math.Pow(10, -5*r.Float64())
		for _, i := range []int{int(t.A), int(t.B)} {
			s.bodies.Vel.Set(i, randomVector(r).Scale(size*quiet))
			s.bodies.Spin.Set(i, randomVector(r).Scale(quiet))
			s.bodies.InvMass[i] = 0.1 + r.Float64()
		}
		if r.IntN(2) == 0 {
			w := randomVector(r).Scale(0.1 * size)
			t.SectionMoments = vec.Sym3{XX: w.X * w.X, YY: w.Y * w.Y, ZZ: w.Z * w.Z, XY: w.X * w.Y, XZ: w.X * w.Z, YZ: w.Y * w.Z}
			if r.IntN(50) == 0 {
				t.SectionMoments = t.SectionMoments.Scale(-1)
			}
		}
		row := int(t.Row)
		normal := t.Normal.AddScaled(quiet, randomVector(r)).Unit()
		if r.IntN(4) == 0 {
			normal = randomVector(r).Unit()
		}
		slip := randomVector(r)
		s.contacts.Normal.Set(row, normal)
		setSlip(&s.contacts, row, slip.AddScaled(-slip.Dot(normal), normal).Scale(0.01*size*math.Pow(10, -3*r.Float64())))
		switch r.IntN(13) {
		case 0:
			s.contacts.Normal.Set(row, vec.Vec3{})
			setSlip(&s.contacts, row, vec.Vec3{})
		case 1:
			setSlip(&s.contacts, row, vec.Vec3{})
		case 2:
			t.Gap = 0.02 * size * r.Float64()
		case 3:
			s.contacts.Relief[row] = 0.01 * size * r.Float64()
		case 4:
			s.bodies.InvMass[t.B] = 0
			s.bodies.Vel.Set(int(t.B), vec.Vec3{})
			s.bodies.Spin.Set(int(t.B), vec.Vec3{})
		case 5:
			t.Gap = -1e-7 * size * r.Float64()
		case 6, 7, 8:
			// A contact at rest at the friction limit, whose dashpot would add to the friction if
			// there were motion.
			pair = [2]soa.Material{0, 1}
			s.materials[k], t.Law = pair, s.table.Row(pair[0], pair[1])
			for _, i := range []int{int(t.A), int(t.B)} {
				s.bodies.Vel.Set(i, vec.Vec3{})
				s.bodies.Spin.Set(i, vec.Vec3{})
			}
			setSlip(&s.contacts, row, slip.AddScaled(-slip.Dot(normal), normal).Scale(size))
			s.rows[k] = t
			setSlip(&s.contacts, row, s.alone(k).slip)
			s.contacts.Normal.Set(row, t.Normal)
		}
		s.rows[k] = t
	}
	return s
}

// branches counts the branches of the law that contact k takes; r is its result.
func (s *touches) branches(k int, r *answer, count map[string]int) {
	row, l, m := int(s.rows[k].Row), s.law(k), &r.Contact
	before := slipOf(historyOf(&s.contacts, row))
	overlap, closing := l.ReferenceGap-(m.Gap+m.Forgiven), m.Velocity.Dot(m.Normal)
	if !(overlap > 0) {
		count["out of reach"]++
		return
	}
	d := l.normalDamping(m.Mass)
	normalForce := float64(l.Kn*overlap) + float64(d*closing)
	choose := func(yes bool, a, b string) {
		if yes {
			count[a]++
		} else {
			count[b]++
		}
	}
	choose(l.ByRestitution, "damping by restitution", "damping by coefficient")
	choose(overlap < float64(closing*m.Dt), "meets in this step", "met before")
	if normalForce < 0 {
		choose(l.Tension, "pulls", "pull is cut")
	}
	switch c := m.PreviousNormal.Dot(m.Normal); {
	case l.Kt == 0:
		count["no friction spring"]++
	case m.PreviousNormal == vec.Vec3{}:
		count["new"]++
	case c <= 0:
		count["another contact"]++
	default:
		choose(before.Norm2() > 0, "slip is turned", "nothing to turn")
	}
	choose(r.Sliding, "slides", "sticks")
	if l.Dt > 0 && !r.Sliding {
		tangential := m.Velocity.AddScaled(-closing, m.Normal)
		drag, limit := tangential.Scale(-l.Dt), float64(l.Mu*max(normalForce, 0))
		switch cutTo := cut(r.Friction, drag, limit); {
		case cutTo == drag && drag != vec.Vec3{}:
			count["drag is whole"]++
		case !(drag.Norm2() > 0):
			choose(r.Friction.Norm2() <= float64(limit*limit), "no drag", "no drag above the limit")
		case cutTo == vec.Vec3{}:
			count["drag is cut to nothing"]++
		default:
			count["drag is cut"]++
		}
	}
	switch w := m.SectionMoments; {
	case d == 0:
		count["no dashpot to spread"]++
	case w == (vec.Sym3{}):
		count["no width to spread over"]++
	default:
		whole := rock(m.Normal, m.Spin, w, d, math.Inf(1))
		choose(whole == r.Moment, "moment is whole", "moment is cut")
		choose(w.XX+w.YY+w.ZZ < 0, "width is negative", "width is positive")
	}
	choose(r.slip == vec.Vec3{}, "no slip in the end", "slip in the end")
}

// TestBatchIsTheLaw compares over 100 000 contacts with the law itself, and checks that they take
// every branch of the law.
func TestBatchIsTheLaw(t *testing.T) {
	const batches, most = 600, 400
	r := rand.New(rand.NewPCG(13, 13))
	table, all, answers := laws(t), make([]*touches, batches), make([][]answer, batches)
	count, total := map[string]int{}, 0
	for i := range all {
		all[i] = randomTouches(table, r, r.IntN(most))
		answers[i] = all[i].answers()
		for k := range answers[i] {
			all[i].branches(k, &answers[i][k], count)
		}
		total += len(answers[i])
	}
	backends.Run(t, func(t *testing.T) {
		var b Batch
		for i, s := range all {
			s.check(t, &b, answers[i])
		}
	})
	if total < 100_000 {
		t.Errorf("%d contacts", total)
	}
	for _, way := range []string{
		"out of reach", "damping by restitution", "damping by coefficient", "meets in this step", "met before", "pulls",
		"pull is cut", "no friction spring", "new", "another contact", "slip is turned", "nothing to turn", "slides",
		"sticks", "drag is whole", "no drag", "no drag above the limit", "drag is cut to nothing", "drag is cut",
		"no dashpot to spread", "no width to spread over", "moment is whole", "moment is cut", "width is negative",
		"width is positive", "no slip in the end", "slip in the end",
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

// FuzzBatch gives bodies, contacts and laws arbitrary numbers, even those that Parameters.Law would
// reject.
func FuzzBatch(f *testing.F) {
	f.Add(uint64(1), []byte{})
	f.Add(uint64(2), binary.LittleEndian.AppendUint64(nil, math.Float64bits(math.Inf(1))))
	f.Add(uint64(3), make([]byte, 400))
	f.Fuzz(func(t *testing.T, seed uint64, data []byte) {
		r := rand.New(rand.NewPCG(seed, 1))
		s := randomTouches(laws(t), r, r.IntN(20))
		for len(data) >= 8 {
			v := math.Float64frombits(binary.LittleEndian.Uint64(data))
			data = data[8:]
			s.spoil(r, v)
		}
		answers := s.answers()
		backends.Run(t, func(t *testing.T) { s.check(t, &Batch{}, answers) })
	})
}

// spoil replaces a random input by v. It leaves a damping ratio below 0 unchanged, because that
// marks a law without a ratio.
func (s *touches) spoil(r *rand.Rand, v float64) {
	if len(s.rows) == 0 {
		return
	}
	t := &s.rows[r.IntN(len(s.rows))]
	l := s.table.laws[r.IntN(len(s.table.laws))].(*Linear)
	c, b := &s.contacts, &s.bodies
	places := []*float64{
		&t.Gap, &t.Normal.X, &t.ArmA.Y, &t.ArmB.Z, &t.SectionMoments.XX, &t.SectionMoments.YZ, &c.History[0][t.Row], &c.Normal.Y[t.Row],
		&c.Relief[t.Row], &b.Vel.Z[t.A], &b.Spin.X[t.B], &b.InvMass[t.A], &l.Kn, &l.Kt, &l.Mu, &l.Dn, &l.Dt, &l.ReferenceGap,
	}
	*places[r.IntN(len(places))] = v
}

// newRows returns no rows, with so many values of history.
func newRows(history int) *ContactRows {
	return &ContactRows{Normal: &soa.Vec3s{}, Forces: &soa.Forces{History: make([][]float64, history)}}
}

// resize sets the number of rows to n.
func (c *ContactRows) resize(n int) {
	c.Normal.Resize(n)
	c.Forces.Resize(n)
}
