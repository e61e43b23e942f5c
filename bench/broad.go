package bench

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/scree-dem/scree/bench/peers"
	"github.com/scree-dem/scree/broad"
	"github.com/scree-dem/scree/broad/auto"
	"github.com/scree-dem/scree/broad/multilevel"
	"github.com/scree-dem/scree/internal/cpu"
	"github.com/scree-dem/scree/sched"
	"github.com/scree-dem/scree/vec"
)

func init() {
	register[BroadOptions, BroadRow](About{
		Command: "broad", Name: "broad",
		Short: "Time the neighbour searches",
		Long: `Time each neighbour search on randomly placed balls at volume fraction 0.64: from
nothing, and for a step in which each ball moves by 0.1 % of the largest diameter.
Times are in ns per body, the least of several new scenes, on one worker unless
--workers is given. With several workers, one worker is measured in turn with them on
each scene, and gain is the ratio of the two times. us_moved is the time in µs of a
search for the pairs of ten balls, if only these balls have moved. The checksum is that
of the pairs; it is the same for all methods. Cells without a measurement are empty,
in JSON null.`,
		Example: "  scree bench broad --bodies 1000 --ratio 1 --repeat 2\n" +
			"  scree bench broad --bodies 32000 --ratio 1 --method multilevel,cells --repeat 1 --workers 2\n" +
			"  scree bench broad --bodies 2000 --ratio 1 --method multilevel --repeat 1 --peers",
		Names: map[string][]string{"method": broadNames()},
	})
}

// BroadOptions are the options of the study of neighbour searches.
type BroadOptions struct {
	Bodies  []int     `flag:"bodies" default:"[1000,8000,64000,1000000]" bounds:"1 to 20000000" help:"numbers <N> of bodies, separated by commas"` // the largest number needs about 10 GB
	Ratios  []float64 `flag:"ratio" default:"[1,5,20]" bounds:"1 to 1000" help:"ratios <R> of the largest radius to the smallest, separated by commas"`
	Methods []string  `flag:"method" help:"<NAMES>, separated by commas, of methods"`
	Workers int       `flag:"workers" default:"1"`
	Seed    uint64    `flag:"seed" default:"1" help:"<S>eed of places and sizes"`
	Repeat  int       `flag:"repeat" default:"5" bounds:"≥ 1" help:"measure <R> new scenes"`           // the least time counts
	Peers   bool      `flag:"peers" help:"also measure Bullet, CGAL and LAMMPS if they are installed"` // on one worker; see package peers
}

// BroadRow is a row of the study: one method on one size of scene.
type BroadRow struct {
	Bodies  int      `json:"bodies" show:"%d"`
	Ratio   float64  `json:"ratio" show:"%g"`
	Method  string   `json:"method" show:"%s"`
	Workers int      `json:"workers" show:"%d"`
	Backend string   `json:"backend" show:"%s"`
	Scratch Measured `json:"ns_body" show:"%.1f"`   // a search with nothing known, least time
	Median  Measured `json:"ns_median" show:"%.1f"` // a search with nothing known, median time
	// Gain compares several workers with one: the least time of one worker over the least time of
	// the workers. Both run in turns on each fresh scene. GainMedian is the median of the ratios of
	// the scenes.
	Gain       float64  `json:"gain" show:"%.3g" empty:"hide"`
	GainMedian float64  `json:"gain_median" show:"%.3g" empty:"hide"`
	Update     Measured `json:"ns_update" show:"%.1f"` // mean over steps of motion, with the searches that become due; missing for a peer that has no update
	Moved      Measured `json:"us_moved" show:"%.1f"`  // µs, a search for the pairs of ten rows, the only ones that moved; missing for a method that reads all rows
	Pairs      Measured `json:"pairs_body" show:"%.3f"`
	Bytes      Measured `json:"bytes_body" show:"%.0f"` // allocated by the first search
	Checksum   string   `json:"checksum" show:"%s"`     // of the pairs of all scenes and steps; "-" for a peer
	// For a peer: the number of our pairs that it misses, the numbers of additional pairs that it
	// finds in a search with nothing known and after motion, and in the note a description. For a
	// method that was not measured, the note has the reason.
	Missing    int    `json:"missing" show:"%d" empty:"hide"`
	Extra      int    `json:"extra" show:"%d" empty:"hide"`
	ExtraMoved int    `json:"extra_moved" show:"%d" empty:"hide"`
	Note       string `json:"note" show:"%s" empty:"hide"` // "-" for our methods
}

const (
	// volumeFraction is the balls' volume over that of their cube. Positions are independent of
	// each other.
	volumeFraction = 0.64
	// stepMotion is how far a ball moves in a step, and updateMargin is the margin; both in largest
	// diameters.
	stepMotion   = 1e-3
	updateMargin = 0.03
	// updateSteps is the number of steps timed together, more than one search serves.
	updateSteps = 60
	// fewMoved rows move, and no others, in movedSteps searches.
	fewMoved, movedSteps = 10, 200
)

// autoName is the method that chooses its own skin.
const autoName = "auto"

// broadMethod is a method of auto.Named, and the largest number of bodies for which it is measured.
// With more bodies it would take minutes.
type broadMethod struct {
	name string
	most int
}

var broadMethods = []broadMethod{
	{"multilevel", math.MaxInt}, {autoName, math.MaxInt}, {"cells", math.MaxInt}, {"lc", math.MaxInt},
	{"vl", 1 << 16}, {"vl-paper", 2048}, {"lll", 1 << 16}, {"brute", 2048},
}

// broadNames returns the names of the methods.
func broadNames() []string {
	return distinct(broadMethods, func(m *broadMethod) string { return m.name })
}

// plan measures neighbour searches on balls at random places, with boxes that just contain the
// balls. On one worker, times are processor time of the thread.
func (o *BroadOptions) plan(e *Env) (*plan[BroadRow], error) {
	others, names, err := openPeers(o.Peers, peers.Boxes())
	if err != nil {
		return nil, err
	}
	p := &plan[BroadRow]{unlocked: o.Workers != 1, end: others.Close, same: func(r *BroadRow) (of, by, checksum string) {
		if r.Checksum != "-" {
			of = fmt.Sprintf("pairs of %d bodies with sizes 1 to %g", r.Bodies, r.Ratio)
		}
		return of, r.Method, r.Checksum
	}}
	for _, n := range o.Bodies {
		for _, ratio := range o.Ratios {
			for _, name := range o.Methods {
				p.parts = append(p.parts, one(searching, func() BroadRow {
					return o.row(e, n, ratio, &broadMethods[slices.Index(broadNames(), name)])
				}))
			}
			scenes := sync.OnceValue(func() *peers.Scenes { return o.peerScenes(n, ratio) })
			for _, name := range names {
				p.parts = append(p.parts, one(searching, func() BroadRow {
					return o.peer(e, others, name, n, ratio, scenes)
				}))
			}
		}
	}
	return p, nil
}

// searching is the progress note of every row.
const searching = "neighbour searches"

// missingRow returns the row of a method that was not measured. note is the reason.
func missingRow(n int, ratio float64, method, note string) BroadRow {
	none := notMeasured()
	return BroadRow{
		Bodies: n, Ratio: ratio, Method: method, Workers: 1, Backend: runtime.GOARCH,
		Scratch: none, Median: none, Update: none, Moved: none, Pairs: none, Bytes: none, Checksum: "-", Note: note,
	}
}

// tooMany returns the note of a method that is not measured with more than most bodies.
func tooMany(most int) string {
	return fmt.Sprintf("not measured: takes minutes with more than %d bodies", most)
}

// searcher times searches.
type searcher struct {
	*broad.Finder
	found broad.Found
	clock func() time.Duration
	env   *Env
}

// search finds the pairs of a set, of the moved rows alone unless moved is nil. It returns the time, ns.
func (s *searcher) search(set *broad.Input, moved []int) float64 {
	at, err := s.clock(), error(nil)
	if moved == nil {
		err = s.Find(set, &s.found)
	} else {
		err = s.FindMoved(set, moved, &s.found)
	}
	s.env.check(err)
	return float64((s.clock() - at).Nanoseconds())
}

// row measures a method on balls of one number and one ratio.
func (o *BroadOptions) row(e *Env, n int, ratio float64, m *broadMethod) BroadRow {
	row := missingRow(n, ratio, m.name, tooMany(m.most))
	row.Workers, row.Backend = o.Workers, cpu.Selected()
	if n > m.most {
		return row
	}
	row.Update, row.Note = Measured(math.Inf(1)), "-"
	var gain peers.Times
	set, many := &broad.Input{}, float64(n)
	if o.Workers > 1 {
		set.Pool = sched.New(o.Workers)
		defer set.Pool.Close()
	}
	sum, pairs := uint64(fnvOffset), 0
	method, clock := auto.Named(m.name), clockFor(o.Workers)
	f, alone := &searcher{Finder: broad.NewFinder(method), clock: clock, env: e}, &searcher{Finder: broad.NewFinder(auto.Named(m.name)), clock: clock, env: e}
	k := uint64(0)
	workers := func() float64 {
		cloud(set, n, ratio, o.Seed+k)
		set.Margin = 0
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		took := f.search(set, nil) / many
		runtime.ReadMemStats(&after)
		if sum = foldPairs(sum, &f.found); k == 0 {
			row.Bytes = Measured(after.TotalAlloc-before.TotalAlloc) / Measured(n)
		} else {
			pairs += len(f.found.A)
		}
		k++
		return took
	}
	both := []func() float64{workers, nil}
	if set.Pool != nil {
		both[1] = func() float64 {
			one := *set
			one.Pool = nil
			return alone.search(&one, nil) / many
		}
	}
	// The first search allocates memory and does not count, nor does that of one worker.
	times := alternate(o.Repeat+1, both)
	scratch, single := times[0][1:], times[1][min(1, len(times[1])):]
	for k := range single {
		gain = append(gain, single[k]/scratch[k])
	}
	row.Gain, row.GainMedian = per(single.Least(), scratch.Least()), gain.Median()
	row.Scratch, row.Median = Measured(scratch.Least()), Measured(scratch.Median())
	row.Pairs = Measured(pairs) / Measured(n*o.Repeat)
	speed := cloud(set, n, ratio, o.Seed)
	if m.name != autoName {
		set.Margin = updateMargin
	}
	for range o.Repeat + 1 {
		total := 0.0
		for range updateSteps {
			for i, v := range speed {
				set.Box[i] = movedBy(set.Box[i], v)
			}
			total += f.search(set, nil) / many
			sum = foldPairs(sum, &f.found)
		}
		row.Update = min(row.Update, Measured(total/updateSteps))
	}
	row.Checksum = fmt.Sprintf("%016x", sum)
	if _, looks := method.(broad.NearFinder); looks {
		row.Moved = f.moveFew(set, speed)
	}
	return row
}

// movedBy returns a box translated by the given vector, m.
func movedBy(b vec.Box, by vec.Vec3) vec.Box { return vec.Box{Min: b.Min.Add(by), Max: b.Max.Add(by)} }

// moveFew returns the mean time of a search for the pairs of a few rows, the only ones that move, µs.
func (s *searcher) moveFew(set *broad.Input, speed []vec.Vec3) Measured {
	moved, total := []int{}, 0.0
	for k := range min(fewMoved, len(set.Box)) {
		moved = append(moved, k*len(set.Box)/fewMoved)
	}
	set.Margin = 0
	s.search(set, nil)
	for range movedSteps {
		for _, i := range moved {
			set.Box[i] = movedBy(set.Box[i], speed[i])
		}
		total += s.search(set, moved)
	}
	return Measured(total / 1e3 / movedSteps)
}

// foldPairs adds the pairs to a checksum.
func foldPairs(sum uint64, found *broad.Found) uint64 {
	for k, a := range found.A {
		sum = checksum(checksum(sum, uint64(a)), uint64(found.B[k]))
	}
	return sum
}

// cloud writes the boxes of n balls at random places to the set. The largest possible diameter is 1
// m; radii are uniform between 1/ratio of the largest and the largest. cloud returns the motion of
// each ball in a step, m.
func cloud(s *broad.Input, n int, ratio float64, seed uint64) (motion []vec.Vec3) {
	r := rand.New(rand.NewPCG(seed, 64))
	volume := 0.0
	s.Box = slices.Grow(s.Box[:0], n)[:n]
	for i := range s.Box {
		radius := 0.5 * (1 - float64(r.Float64()*(1-1/ratio)))
		volume += float64(4.0 / 3 * math.Pi * radius * radius * radius)
		s.Box[i].Max = vec.V(radius, radius, radius)
	}
	side := math.Cbrt(volume / volumeFraction)
	motion = make([]vec.Vec3, n)
	for i := range s.Box {
		half := s.Box[i].Max
		at := vec.V(float64(side*r.Float64()), float64(side*r.Float64()), float64(side*r.Float64()))
		s.Box[i] = vec.Box{Min: at.Sub(half), Max: at.Add(half)}
		motion[i] = vec.V(r.NormFloat64(), r.NormFloat64(), r.NormFloat64()).Unit().Scale(stepMotion)
	}
	return motion
}

// openPeers returns a bench of other libraries and their names, or nil if none are wanted.
func openPeers(asked bool, all []string) (b *peers.Bench, names []string, err error) {
	if !asked {
		return nil, nil, nil
	}
	b, err = peers.New()
	return b, all, err
}

// peer measures another library on the scenes of row, and counts the pairs that differ
// from ours. If it is missing or has failed, the note of its row has the reason.
func (o *BroadOptions) peer(e *Env, b *peers.Bench, name string, n int, ratio float64, scenes func() *peers.Scenes) BroadRow {
	if most := peers.MostBoxes(name); n > most {
		return missingRow(n, ratio, name, tooMany(most))
	}
	s := scenes()
	r, err := b.Boxes(e.ctx, name, s)
	e.check(err)
	row := missingRow(n, ratio, name, r.Note())
	if r.Problem != "" {
		return row
	}
	row.Scratch, row.Median = Measured(r.Scratch.Least()*1e9)/Measured(n), Measured(r.Scratch.Median()*1e9)/Measured(n)
	if len(r.Update) > 0 {
		row.Update = Measured(r.Update.Least()*1e9) / Measured(n)
	}
	row.Pairs = Measured(len(r.First)) / Measured(n)
	e.check(row.compare(s, r))
	return row
}

// peerScenes returns the scenes of a row, and the motion of the first.
func (o *BroadOptions) peerScenes(n int, ratio float64) *peers.Scenes {
	s := &peers.Scenes{Rounds: o.Repeat + 1, Steps: updateSteps}
	set := &broad.Input{}
	for k := range o.Repeat + 1 {
		motion := cloud(set, n, ratio, o.Seed+uint64(k))
		if k == 0 {
			s.Motion = motion
		}
		s.Boxes = append(s.Boxes, slices.Clone(set.Box))
	}
	return s
}

// compare counts the pairs that a peer misses and the additional pairs that it finds, in the first
// scene and in the same scene after the last step.
func (row *BroadRow) compare(s *peers.Scenes, r *peers.BoxesResult) error {
	truth, err := truePairs(s.Boxes[0], r.Balls)
	if err != nil {
		return err
	}
	row.Missing, row.Extra = peers.Differences(truth, r.First)
	if r.Last == nil {
		return nil
	}
	moved := slices.Clone(s.Boxes[0])
	for range s.Rounds * s.Steps {
		for i, v := range s.Motion {
			moved[i] = movedBy(moved[i], v)
		}
	}
	if truth, err = truePairs(moved, r.Balls); err != nil {
		return err
	}
	missing, extra := peers.Differences(truth, r.Last)
	row.Missing += missing
	row.ExtraMoved = extra
	return nil
}

// truePairs returns the overlapping pairs of boxes, or of the balls in the boxes.
func truePairs(boxes []vec.Box, balls bool) ([]peers.PosedPair, error) {
	set, found := &broad.Input{Box: boxes}, &broad.Found{}
	if balls {
		set.Box = nil
		for i := range boxes {
			at, radius := peers.Ball(&boxes[i])
			set.Centre, set.Radius = append(set.Centre, at), append(set.Radius, radius)
		}
	}
	err := broad.NewFinder(multilevel.New()).Find(set, found)
	pairs := make([]peers.PosedPair, len(found.A))
	for k, a := range found.A {
		pairs[k] = peers.PosedPair(a)<<32 | peers.PosedPair(found.B[k])
	}
	return pairs, err
}
