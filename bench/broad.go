package bench

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"time"

	"github.com/scree-dem/scree/bench/peers"
	"github.com/scree-dem/scree/broad"
	"github.com/scree-dem/scree/broad/auto"
	"github.com/scree-dem/scree/internal/cpu"
	"github.com/scree-dem/scree/sched"
	"github.com/scree-dem/scree/vec"
)

// BroadOptions are the options of the study of neighbour searches.
type BroadOptions struct {
	Bodies  []int     // numbers of balls
	Ratios  []float64 // largest radius over smallest
	Methods []string  // from BroadMethods
	Workers int
	Seed    uint64
	Repeat  int // number of fresh scenes; the least time counts
	// Peers also measures other libraries, on one worker; see package peers.
	Peers    bool
	Progress Progress
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
	Gain       float64 `json:"gain" show:"%.3g" empty:"hide"`
	GainMedian float64 `json:"gain_median" show:"%.3g" empty:"hide"`

	Update   Measured `json:"ns_update" show:"%.1f"` // mean over steps of motion, with the searches that become due; missing for a peer that has no update
	Moved    Measured `json:"us_moved" show:"%.1f"`  // µs, a search for the pairs of ten rows, the only ones that moved; missing for a method that reads all rows
	Pairs    Measured `json:"pairs_body" show:"%.3f"`
	Bytes    Measured `json:"bytes_body" show:"%.0f"` // allocated by the first search
	Checksum string   `json:"checksum" show:"%s"`     // of the pairs of all scenes and steps; "-" for a peer

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

// BroadMethods returns the names of the methods.
func BroadMethods() []string {
	return distinct(broadMethods, func(m *broadMethod) string { return m.name })
}

// Broad measures neighbour searches on balls at random places, with boxes that just contain the
// balls. On one worker, times are processor time of the thread. If Broad returns an error, it also
// returns the rows so far.
func Broad(ctx context.Context, o BroadOptions) ([]BroadRow, error) {
	if o.Workers == 1 {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
	}
	others, names, err := openPeers(o.Peers, peers.Boxes())
	if err != nil {
		return nil, err
	}
	defer others.Close()
	var rows []BroadRow
	progress := &tracker{all: int64(len(o.Bodies) * len(o.Ratios) * (len(o.Methods) + len(names))), report: o.Progress}
	for _, n := range o.Bodies {
		for _, ratio := range o.Ratios {
			first := BroadRow{}
			for _, name := range o.Methods {
				k, err := indexIn("method", name, BroadMethods())
				if err != nil {
					return nil, err
				}
				progress.announce(searching)
				if most := broadMethods[k].most; n > most {
					row := missingRow(n, ratio, name, tooMany(most))
					row.Workers, row.Backend = o.Workers, cpu.Selected()
					rows = append(rows, row)
					continue
				}
				row, err := broadRow(ctx, &o, n, ratio, &broadMethods[k])
				if err != nil {
					return rows, err
				}
				if first.Checksum == "" {
					first = row
				}
				if row.Checksum != first.Checksum {
					return nil, fmt.Errorf("bench: of %d bodies with sizes 1 to %g method %s finds pairs with checksum %s, expected %s as %s does",
						n, ratio, name, row.Checksum, first.Checksum, first.Method)
				}
				rows = append(rows, row)
			}
			if others != nil {
				beside, err := broadPeers(ctx, &o, others, n, ratio, progress)
				rows = append(rows, beside...)
				if err != nil {
					return rows, err
				}
			}
		}
	}
	return rows, nil
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

// search finds the pairs of a set, and returns the time per row of the set, ns.
func search(f *broad.Finder, set *broad.Input, found *broad.Found, clock func() time.Duration) (float64, error) {
	at := clock()
	err := f.Find(set, found)
	return float64((clock() - at).Nanoseconds()) / float64(len(set.Box)), err
}

func broadRow(ctx context.Context, o *BroadOptions, n int, ratio float64, m *broadMethod) (BroadRow, error) {
	row := BroadRow{
		Bodies: n, Ratio: ratio, Method: m.name, Workers: o.Workers, Backend: cpu.Selected(),
		Update: Measured(math.Inf(1)), Moved: notMeasured(), Note: "-",
	}
	var scratch, single, gain peers.Times
	clock := clockFor(o.Workers)
	set, found := &broad.Input{}, &broad.Found{}
	if o.Workers > 1 {
		set.Pool = sched.New(o.Workers)
		defer set.Pool.Close()
	}
	sum, pairs := uint64(fnvOffset), 0
	method := auto.Named(m.name)
	f, alone, foundAlone := broad.NewFinder(method), broad.NewFinder(auto.Named(m.name)), &broad.Found{}
	for k := range o.Repeat + 1 {
		if err := ctx.Err(); err != nil {
			return row, err
		}
		cloud(set, n, ratio, o.Seed+uint64(k))
		set.Margin = 0
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		took, err := search(f, set, found, clock)
		if err != nil {
			return row, err
		}
		sum = foldPairs(sum, found)
		if k == 0 {
			// The first search allocates memory and does not count. The first search of one worker
			// does not count either.
			runtime.ReadMemStats(&after)
			row.Bytes = Measured(after.TotalAlloc-before.TotalAlloc) / Measured(n)
		} else {
			scratch = append(scratch, took)
			pairs += len(found.A)
		}
		if set.Pool == nil {
			continue
		}
		one := *set
		one.Pool = nil
		byOne, err := search(alone, &one, foundAlone, clock)
		if err != nil {
			return row, err
		}
		if k > 0 {
			single, gain = append(single, byOne), append(gain, byOne/took)
		}
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
			took, err := search(f, set, found, clock)
			if err != nil {
				return row, err
			}
			total += took
			sum = foldPairs(sum, found)
		}
		row.Update = min(row.Update, Measured(total/updateSteps))
	}
	row.Checksum = fmt.Sprintf("%016x", sum)
	if _, looks := method.(broad.NearFinder); looks {
		err := row.moveFew(f, set, speed, clock)
		return row, err
	}
	return row, nil
}

// movedBy returns a box translated by the given vector, m.
func movedBy(b vec.Box, by vec.Vec3) vec.Box { return vec.Box{Min: b.Min.Add(by), Max: b.Max.Add(by)} }

// moveFew measures the mean time of a search for the pairs of a few rows, the only ones that move.
func (r *BroadRow) moveFew(f *broad.Finder, set *broad.Input, speed []vec.Vec3, clock func() time.Duration) error {
	found, moved, total := &broad.Found{}, []int{}, time.Duration(0)
	for k := range min(fewMoved, len(set.Box)) {
		moved = append(moved, k*len(set.Box)/fewMoved)
	}
	set.Margin = 0
	if err := f.Find(set, found); err != nil {
		return err
	}
	for range movedSteps {
		for _, i := range moved {
			set.Box[i] = movedBy(set.Box[i], speed[i])
		}
		at := clock()
		if err := f.FindMoved(set, moved, found); err != nil {
			return err
		}
		total += clock() - at
	}
	r.Moved = Measured(total.Nanoseconds()) / 1e3 / movedSteps
	return nil
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
