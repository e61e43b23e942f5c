package bench

import (
	"errors"
	"fmt"
	"time"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/internal/cpu"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/vec"
)

func init() {
	register[PaperOptions, PaperRow](About{
		Command: "narrow", With: "paper", Name: "paper", Unit: "tests", Backends: true,
		Long: `--paper runs the published tests of the fast direct search: R is the time of the direct
search divided by the time of the method.`,
		Names: map[string][]string{"method": narrow.MethodNames(), "scene": paperScenes},
	})
}

// PaperOptions are the options of the tests of the fast direct search.
type PaperOptions struct {
	Paper   bool     `flag:"paper" help:"run the tests of the fast direct search: contact types, walls, falling tetrahedra"`
	Methods []string `flag:"method" default:"auto,fds,fds-paper,fcp" help:"<NAMES>, separated by commas, of methods"` // in addition to the direct search
	Seed    uint64   `flag:"seed" default:"1" help:"<S>eed of shapes and poses"`
	Repeat  int      `flag:"repeat" default:"5" bounds:"≥ 1" help:"measure each row <R> times and show the median"`
	Seconds float64  `flag:"time" default:"0.05" bounds:"> 0 and ≤ 3600" unit:"s" help:"measuring time for each row, <s>"`
	Scenes  []string `flag:"scene" help:"<NAMES>, separated by commas, of scenes"`

	compared int // steps of a scene on which methods are compared; 0: all. Tests compare on few.
}

// PaperRow is one bar of the figures: a method compared with the direct search, on one contact type
// or scene.
type PaperRow struct {
	Test     string  `json:"test" show:"%s"` // hexahedra, tetrahedra, cut, wall15, …
	Type     string  `json:"type" show:"%s"` // contact type; "mean" is the mean of R over the types; "all" in scenes
	Method   string  `json:"method" show:"%s"`
	Phase    string  `json:"phase" show:"%s"` // initial: nothing is known; updated: data stored from the last step are known
	Backend  string  `json:"backend" show:"%s"`
	R        float64 `json:"R" show:"%.2f"` // time of the direct search over the time of this row, on the same backend
	NsPair   float64 `json:"ns_pair" show:"%.1f"`
	Spread   float64 `json:"spread" show:"%.3f"` // (slowest − fastest) / median
	Pairs    int     `json:"pairs" show:"%d"`    // in a pass
	Touching int     `json:"touching" show:"%d"` // touching pairs among them
	Wrong    int     `json:"wrong" show:"%d"`    // results that differ from the direct search's, in the sign of the gap or the type
	// Checks a pair, and the sum of the first three by the published formula. Empty: not counted.
	VertexFace Measured `json:"v_f" show:"%.1f"`
	FaceVertex Measured `json:"f_v" show:"%.1f"`
	EdgeEdge   Measured `json:"e_e" show:"%.1f"`
	Entrance   Measured `json:"entrance" show:"%.1f"`
	Distance   Measured `json:"distance" show:"%.1f"`
	Formula    Measured `json:"formula" show:"%.0f"`
	Published  string   `json:"published_R" show:"%s"`
	Checksum   string   `json:"checksum" show:"%s"` // of status and type
}

// paperStudy is the tables and figures beside the rows: the pairs to which fds-paper gives another type, the scenes, the
// rise of their highest blocks, and the edges of their last frames.
type paperStudy struct {
	*PaperOptions
	classes []PaperClass
	scenes  []PaperScene
	rise    []PaperRise
	frames  []Figure
}

// contender is a method as the tests run it. It must find all that the direct search finds,
// including type and contacts.
type contender struct {
	name     string
	method   narrow.Method
	list     bool // compute the contacts after the answer
	detector bool // an engine.Detector computes all pairs together
	alone    bool // each pair is computed without a memory
}

// String returns the method and the name.
func (c contender) String() string { return c.method.String() + " " + c.name }

// contenders returns the direct search first, then the others. A method that lists no contacts
// appears twice: with the additional computation of the contacts, and without. Auto appears once
// more by a Detector, which computes all pairs together.
func contenders(names []string) []contender {
	all := []contender{{name: "ds", method: narrow.DS}}
	for _, name := range names {
		m, _ := narrow.ParseMethod(name) // the names of options are known
		if m == narrow.DS {
			continue
		}
		if !m.Lists() {
			all = append(all, contender{name: m.String() + "+contacts", method: m, list: true})
		}
		all = append(all, contender{name: m.String(), method: m})
		if m == narrow.Auto {
			all = append(all, contender{name: m.String() + "/detector", method: m, detector: true})
		}
	}
	return all
}

// paperTypes are the seven contact types of the paper. A type with two different features has both
// orders.
var paperTypes = []struct {
	name  string
	types []narrow.Type
}{
	{"v-v", []narrow.Type{narrow.TypeVertexVertex}},
	{"v-e", []narrow.Type{narrow.TypeVertexEdge, narrow.TypeEdgeVertex}},
	{"v-f", []narrow.Type{narrow.TypeVertexFace, narrow.TypeFaceVertex}},
	{"c-e-e", []narrow.Type{narrow.TypeEdgeEdge}},
	{"e-f", []narrow.Type{narrow.TypeEdgeFace, narrow.TypeFaceEdge}},
	{"f-f", []narrow.Type{narrow.TypeFaceFace}},
	{"p-e-e", []narrow.Type{narrow.TypeEdgeParallel}},
}

// paperTests returns the tests on single pairs, with their shapes. Frusta are hexahedra that are no boxes.
func paperTests() (tests []*paperTest, err error) {
	box, err := geometry.Box(1, 0.8, 0.6)
	if err != nil {
		return nil, err
	}
	below, above, err := box.Cut(vec.V(0.3, 0.2, 1).Unit(), 0.02)
	solid := func(p *geometry.Polyhedron, failed error) *geometry.Polyhedron {
		err = errors.Join(err, failed)
		return p
	}
	for _, t := range []struct {
		name, only string
		shapes     []*geometry.Polyhedron
	}{
		{"hexahedra", "", []*geometry.Polyhedron{solid(geometry.Box(1, 1, 1)), solid(geometry.Box(1, 0.7, 0.5))}},
		{"frusta", "", []*geometry.Polyhedron{solid(oneShape("hexahedron"))}},
		{"tetrahedra", "", []*geometry.Polyhedron{solid(geometry.Tetra(1)), solid(geometry.Tetra(0.7))}},
		{"cut", "f-f", []*geometry.Polyhedron{below, above}},
	} {
		test := &paperTest{shapeSet{name: t.name}, t.only}
		for _, p := range t.shapes {
			if err == nil {
				_, err = test.shapes.Add(p.Template())
			}
		}
		tests = append(tests, test)
	}
	return tests, err
}

// paperTest is the shapes of a test, in their own sizes, and its only contact type if it does not have all.
type paperTest struct {
	shapeSet
	only string
}

const (
	// paperPairs is the number of placements of a type in a pool.
	paperPairs = 256
	// paperPoses is the number of poses of each placement. They differ so little that the type
	// stays.
	paperPoses = 4
	// paperDepth is the depth of the contacts and paperJitter the size of the motion, both in units
	// of the contact tolerance.
	paperDepth  = 0.1
	paperJitter = 0.05
)

// pool draws placements of the given types, with paperPoses poses each.
func (p *paperTest) pool(e *Env, types []narrow.Type, seed uint64) *replay {
	r := geometry.NewRand(seed)
	play := &replay{shapes: &p.shapes, pairs: paperPairs}
	for range paperPoses {
		play.steps = append(play.steps, step{timed: true, pairs: make([]blockPair, paperPairs), row: make([]int, paperPairs)})
	}
	_, err := p.pairs(r, paperPairs, "touching", func(i int, q *blockPair) bool {
		n := placeTyped(r, types[i%len(types)], q)
		shift := r.Unit().Scale(3)
		dtol := narrow.Dtol(q.a, q.b)
		q.pa.Pos, q.pb.Pos = q.pa.Pos.Add(shift), q.pb.Pos.Add(shift).AddScaled(-paperDepth*dtol, n)
		for k := range play.steps {
			moved := *q
			moved.pb.Pos = q.pb.Pos.AddScaled(paperJitter*dtol, r.Unit())
			play.steps[k].pairs[i], play.steps[k].row[i] = moved, i
		}
		return true
	})
	e.check(err)
	return play
}

// plan runs the tests with which the fast direct search was published: contact types of two
// hexahedra, of two tetrahedra and of two blocks cut from one, and then the scenes. Everything is
// measured on the generic backend and on the best backend. At the end the backend is the one before.
func (o *PaperOptions) plan(e *Env) (*plan[PaperRow], error) {
	tests, err := paperTests()
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	s, was := &paperStudy{PaperOptions: o}, cpu.Selected()
	p := &plan[PaperRow]{finish: s.finish, end: func() { _ = cpu.Select(was) }}
	add := func(note string, measure func() []PaperRow) {
		p.parts = append(p.parts, part[PaperRow]{note: note, measure: measure})
	}
	for _, test := range tests {
		var all []PaperRow
		for k, kind := range paperTypes {
			if test.only != "" && test.only != kind.name {
				continue
			}
			add(test.name+" "+kind.name, func() []PaperRow {
				play := test.pool(e, kind.types, o.Seed+hashOf(test.name, kind.name))
				rows := s.compare(e, play, test.name, kind.name)
				if all = append(all, rows...); test.only == "" && k == len(paperTypes)-1 {
					rows = append(rows, means(all)...)
				}
				return rows
			})
		}
	}
	for _, name := range o.Scenes {
		add(name, func() []PaperRow { return s.scene(e, name) })
	}
	return p, nil
}

// compare returns the rows of all contenders on a replay, with nothing known and with stored data, on the
// generic backend and on the best one. The first adds the classes of fds-paper.
func (p *paperStudy) compare(e *Env, r *replay, test, kind string) (rows []PaperRow) {
	used := []string{cpu.Generic}
	if best := cpu.Available()[0]; best != cpu.Generic {
		used = append(used, best)
	}
	repeat := p.Repeat
	if kind == "all" {
		repeat = 1 // A pass over all steps of a scene is long enough.
	}
	for b, backend := range used {
		e.check(cpu.Select(backend))
		var truth, initially []verdict
		var turns []func() float64
		var players []answerer
		first := len(rows)
		for _, c := range contenders(p.Methods) {
			for _, phase := range []string{"initial", "updated"} {
				if c.method == narrow.DS && phase == "updated" || c.detector && phase == "initial" {
					continue // the direct search stores nothing; a Detector with nothing known is a search for pairs
				}
				e.check(e.ctx.Err()) // Nobody may select backends after the end.
				by, initial := newPlayer(e, c, r), phase == "initial"
				var said []verdict
				var sum hash
				r.each(by, initial, func(k, i int, out *narrow.Answer, kind narrow.Type) {
					v := verdict{out.Status == narrow.Separated, kind, out.Gap, r.steps[k].pairs[i].size()}
					said = append(said, v)
					sum.word(uint64(kind)<<1 | uint64(b2i(v.apart)))
				})
				if truth == nil {
					truth = said
				}
				if initial {
					initially = said
				}
				if b == 0 && c.method == narrow.FDSPaper {
					classes := r.classes(test, phase, said, initially, truth)
					e.keep(func() { p.classes = append(p.classes, classes...) })
				}
				row := PaperRow{
					Test: test, Type: kind, Method: c.name, Phase: phase, Backend: backend, Pairs: r.size(),
					Formula: r.formula(), Published: published(test, kind, c.name), Checksum: fmt.Sprintf("%016x", uint64(sum)),
				}
				row.Wrong, row.Touching = differ(said, truth, c.list || c.method.Lists())
				row.count(by, r)
				turn := r.turns(by, initial)
				once := func() (spent time.Duration, n int) {
					for range r.steps {
						took, answers := turn()
						spent, n = spent+took, n+answers
					}
					return spent, max(n, 1)
				}
				turns = append(turns, func() float64 { return timePasses(budget(p.Seconds, repeat), once) })
				players, rows = append(players, by), append(rows, row)
			}
		}
		for k, t := range alternate(repeat, turns) {
			players[k].close()
			row := &rows[first+k]
			row.NsPair, row.Spread = t.Median(), t.Spread()
			row.R = per(rows[first].NsPair, row.NsPair)
		}
	}
	return rows
}

// verdict is the result of a contender for a pair.
type verdict struct {
	apart bool
	kind  narrow.Type
	gap   float64 // m
	size  float64 // m
}

// differ counts the verdicts that differ from those of the direct search. Whether a pair is apart
// does not count if its gap is within undecided. The type always counts, if typed.
func differ(got, want []verdict, typed bool) (wrong, touching int) {
	for i, w := range want {
		if !w.apart {
			touching++
		}
		near := w.gap > -undecided*w.size && w.gap < undecided*w.size
		if got[i].apart != w.apart && !near || typed && got[i].kind != w.kind {
			wrong++
		}
	}
	return wrong, touching
}

// means returns a row for each method, phase and backend, with the mean of R over the types.
func means(rows []PaperRow) (list []PaperRow) {
	for _, some := range groups(rows, func(r *PaperRow) [3]string { return [3]string{r.Method, r.Phase, r.Backend} }) {
		m, n := some[0], float64(len(some))
		m.Type, m.Checksum, m.Spread, m.Published = "mean", "-", 0, published(m.Test, "mean", m.Method)
		for _, r := range some[1:] {
			m.R, m.NsPair, m.Pairs, m.Touching, m.Wrong = m.R+r.R, m.NsPair+r.NsPair, m.Pairs+r.Pairs, m.Touching+r.Touching, m.Wrong+r.Wrong
			m.Formula += r.Formula
			for i, x := range r.counted() {
				*m.counted()[i] += *x
			}
		}
		m.R, m.NsPair, m.Formula = m.R/n, m.NsPair/n, m.Formula/Measured(n)
		for _, x := range m.counted() {
			*x /= Measured(n)
		}
		list = append(list, m)
	}
	return list
}
