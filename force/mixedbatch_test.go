package force

import (
	"maps"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/scree-dem/scree/internal/backends"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// outsider is a law of another package, which stores more values than the laws of this package and
// reads the same inputs.
type outsider struct{}

func (outsider) Law() (Law, error)                { return outsider{}, nil }
func (outsider) Needs() Needs                     { return Needs{Overlap: true, History: 9} }
func (outsider) Held(history []float64) float64   { return history[8] }
func (outsider) Springs(_, _ float64) (s Springs) { return s }

func (outsider) Apply(c *Contact, history []float64, r *Result) {
	for i := range history {
		history[i] += float64(i) * c.Overlap.Variance
	}
	*r = Result{
		Force: c.Velocity.Scale(c.Gap), Moment: c.A.Arm.Cross(c.B.Arm), Damping: c.MeanSpin, Friction: c.Spin, DampingMoment: c.PreviousNormal,
		FrictionMoment: c.Normal.Scale(c.Twist), Stored: c.Overlap.Volume, Held: history[8], HeldRise: c.Forgiven,
	}
	if c.Gap < -5e-3 {
		r.Normal = vec.V(0, 0, 1)
	}
}

// mixedTouches returns n contacts of a table with all kinds of laws.
func mixedTouches(t testing.TB, r *rand.Rand, n int) *touches {
	t.Helper()
	table := softLaws(t, n%2 == 0)
	s := randomPatches(table, r, n)
	for _, p := range []struct {
		pair [2]soa.Material
		law  Parameters
	}{
		{[2]soa.Material{0, 3}, outsider{}},
		{[2]soa.Material{1, 3}, Linear{Kn: 1e4, Kt: 8e3, Mu: 0.5, ByRestitution: true, Restitution: 0.5}},
		{[2]soa.Material{2, 3}, Linear{Kn: 1e4, Kt: 8e3, Mu: 0.5, Dn: 3, Dt: 2}},
	} {
		if err := table.Set(p.pair[0], p.pair[1], p.law); err != nil {
			t.Fatal(err)
		}
	}
	for len(s.contacts.History) < table.History() {
		s.contacts.History = append(s.contacts.History, make([]float64, len(s.contacts.Relief)))
	}
	for k := range s.rows {
		t := &s.rows[k]
		t.Gap = -0.01 * r.Float64()
		t.Law = uint32(r.IntN(len(table.laws)))
		// A contact has only the history values of its law.
		for _, column := range s.contacts.History[table.needs[t.Law].History:] {
			column[t.Row] = 0
		}
	}
	return s
}

// TestBatchOfAllLaws checks batches that mix linear laws, thickness laws and laws of other
// packages.
func TestBatchOfAllLaws(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 23))
	var all []*touches
	var answers [][]answer
	ways := map[bool]int{}
	for n := range 60 {
		s := mixedTouches(t, r, n)
		all, answers = append(all, s), append(answers, s.answers())
		for k := range s.rows {
			ways[s.table.lanes[s.rows[k].Law]]++
		}
	}
	if ways[true] < 100 || ways[false] < 100 {
		t.Errorf("%d contacts in lanes, %d alone", ways[true], ways[false])
	}
	backends.Run(t, func(t *testing.T) {
		var b Batch
		for i, s := range all {
			s.check(t, &b, answers[i])
		}
	})
}

// TestTableChangesTheWay checks that the table evaluates a pair correctly after the pair gets a law
// of another kind.
func TestTableChangesTheWay(t *testing.T) {
	table := softLaws(t, true)
	for _, c := range []struct {
		law  Parameters
		want bool
	}{
		{Linear{Kn: 1}, false}, {Thickness{Stiffness: 1, Restitution: 1}, true}, {outsider{}, false}, {Linear{Kn: 2}, false},
	} {
		if err := table.Set(0, 1, c.law); err != nil {
			t.Fatal(err)
		}
		if got := table.lanes[table.Row(0, 1)]; got != c.want {
			t.Errorf("%T is worked out in lanes: %v, expected %v", c.law, got, c.want)
		}
	}
	// softLaws has three pairs with an area exponent.
	for i, pair := range [][2]soa.Material{{1, 1}, {1, 2}, {2, 2}} {
		if err := table.Set(pair[0], pair[1], Linear{Kn: 1}); err != nil || table.thickness.byArea != 2-i {
			t.Errorf("%d laws have an area exponent, expected %d (%v)", table.thickness.byArea, 2-i, err)
		}
	}
}

// TestBatchKeepsRows compares a batch that grows while contacts are added with one that has space
// for all from the start.
func TestBatchKeepsRows(t *testing.T) {
	s := mixedTouches(t, rand.New(rand.NewPCG(5, 5)), 70)
	var grown, whole Batch
	var after []*ContactRows
	whole.Reserve(s.table, 70)
	for _, b := range []*Batch{&grown, &whole} {
		s.fill(b)
		b.Reserve(s.table, 100+b.thickness.n) // must keep the existing rows
		to := copied(&s.contacts)
		b.Apply(s.step(to, true))
		after = append(after, to)
	}
	if !reflect.DeepEqual(after[0], after[1]) {
		t.Error("contacts differ between a batch that grew and one that did not")
	}
	if got, want := energiesOf(&grown), energiesOf(&whole); !maps.Equal(got, want) || len(got) != 70 {
		t.Errorf("energies %v, expected %v", got, want)
	}
	if !reflect.DeepEqual(grown.single.results, whole.single.results) {
		t.Error("results differ between a batch that grew and one that did not")
	}
}

func TestBatchRefusesRows(t *testing.T) {
	s := mixedTouches(t, rand.New(rand.NewPCG(6, 6)), 12)
	backends.Run(t, func(t *testing.T) {
		for law := range s.table.laws {
			for name, spoil := range map[string]func(u *LawContact){
				"a body too many":    func(u *LawContact) { u.A = 24 },
				"a contact too many": func(u *LawContact) { u.Row = 17 },
				"a law too many":     func(u *LawContact) { u.Law = uint32(len(s.table.laws)) },
			} {
				var b Batch
				s.fill(&b)
				refused := func() (p bool) {
					defer func() { p = recover() != nil }()
					u := s.rows[3]
					u.Law = uint32(law)
					spoil(&u)
					b.Add(&u)
					b.Apply(s.step(&s.contacts, true))
					return false
				}()
				if !refused {
					t.Errorf("law %d: %s is taken", law, name)
				}
			}
		}
	})
}

func TestBatchAllocatesNothing(t *testing.T) {
	s := mixedTouches(t, rand.New(rand.NewPCG(8, 8)), 100)
	var b Batch
	rows := s.rows
	if n := testing.AllocsPerRun(100, func() {
		for _, n := range []int{100, 0, 37} {
			s.rows = rows[:n]
			s.fill(&b)
			b.Apply(s.step(&s.contacts, n == 37))
			s.fillRows(&b)
			for range b.Energies {
			}
		}
	}); n != 0 {
		t.Errorf("%g allocations", n)
	}
}
