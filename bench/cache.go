package bench

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/internal/access"
	"github.com/scree-dem/scree/internal/cachesim"
	"github.com/scree-dem/scree/internal/cpu"
	"github.com/scree-dem/scree/internal/curve"
	"github.com/scree-dem/scree/internal/mark"
)

func init() {
	register[CacheOptions, CacheRow](About{
		Command: "cache", Name: "cache",
		Short: "Simulate the cache misses of a step",
		Long: `Simulate the cache misses of a step on a settled pile. The study walks over the memory
that the stages of a step read and write, at their real addresses, through caches of the
given sizes that replace the line used longest ago. The first row has the first value of
each option; each other row differs from it in one. Misses are those of a step after
another one, over the touching pairs. Instructions, spilled registers, prefetching and
searches for pairs are left out; the buffers of each worker have addresses of their own.
More tables show the first row by stage and by column. Without --settled, 1000 and 8000
cubes are settled first, and the first row has eight copies of the larger pile.`,
		Example: "  scree bench cache --settled bench/testdata/hulls200.txt.gz --copies 1,10 --cores 1,8\n" +
			"  scree bench cache --settled bench/testdata/hulls200.txt.gz --trace /tmp/accesses.csv.gz",
		Names: map[string][]string{"order": {curve.Hilbert, curve.None, curve.Random, curve.Morton}, "law": {ThicknessLaw, PointsLaw, LinearLaw}},
	})
}

// CacheOptions are the options of the study of cache misses.
type CacheOptions struct {
	Settled   []string `flag:"settled" file:"txt,gz" help:"pile <FILE> in the plain text format, gzip or not; may be repeated (default: cubes)"`
	Copies    []int    `flag:"copies" bounds:"1 to 10000000" help:"put <N> copies of each pile beside each other, separated by commas"` // default: see piles
	Orders    []string `flag:"order" help:"orders <NAMES> of the bodies, separated by commas"`
	Tiles     []int    `flag:"tile" default:"[0,128,256,512]" bounds:"0 to 1024" help:"largest numbers <N> of pairs in a tile, separated by commas; 0 fits tiles to L2 and the cores"`
	Cores     []int    `flag:"cores" default:"[1,2,8,64]" bounds:"1 to 1024" help:"numbers <N> of simulated cores, separated by commas"`
	Laws      []string `flag:"law" default:"thickness,points" help:"contact laws <NAMES>, separated by commas"`
	L1        string   `flag:"l1" help:"L1 of a core as <SIZE:WAYS>, such as 32K:8 (default: that of this machine)"`
	L2        string   `flag:"l2" help:"L2 of a core as <SIZE:WAYS>; 0 for none (default: that of this machine)"`
	L3        string   `flag:"l3" help:"L3 as <SIZE:WAYS>, such as 16M:16; 0 for none (default: that of this machine)"`
	Group     int      `flag:"l3-cores" default:"8" bounds:"1 to 1024" help:"number <N> of cores that share an L3"`
	Dt        float64  `flag:"dt" default:"1e-4" bounds:"> 0" unit:"s" help:"time step, <s>"`
	Trace     string   `flag:"trace" writes:"yes" help:"write the accesses of the first row to <FILE> as CSV, compressed if it ends in .gz"`
	Bandwidth float64  `flag:"bandwidth" bounds:"> 0" unit:"GB/s" help:"bandwidth of the memory, <GB/s> (default: measured)"`

	caches   cachesim.Hierarchy
	measured map[int]float64 // bandwidth, B/s, by cores
	first    []cachePart     // of the first row
	columns  []cachePart
	traceErr error
}

// CacheRow is what a step misses on one pile, under one law, on some cores.
type CacheRow struct {
	Pile     string   `json:"pile" show:"%s"`
	Bodies   int      `json:"bodies" show:"%d"` // moving bodies in all copies
	Order    string   `json:"order" show:"%s"`
	Tile     int      `json:"tile" show:"%d"` // option: largest number of pairs in a tile; 0: fitted
	Cores    int      `json:"cores" show:"%d"`
	Law      string   `json:"law" show:"%s"`
	Touching int      `json:"touching" show:"%d"`
	Accesses float64  `json:"accesses" show:"%.1f"` // of lines, over the touching pairs, as are the misses
	L1       float64  `json:"l1_misses" show:"%.2f"`
	L2       Measured `json:"l2_misses" show:"%.2f"` // missing without an L2
	L3       Measured `json:"l3_misses" show:"%.2f"` // missing without an L3
	Bytes    int64    `json:"bytes_step" show:"%d"`  // that pass between the last caches and the memory
	// NsTouching is the time of a step over the touching pairs, on as many workers as cores; not measured with more workers
	// than processors.
	NsTouching Measured `json:"ns_touching" show:"%.0f"`
	Bandwidth  Measured `json:"bandwidth" show:"%.3f"` // bytes over the time of a step, as a share of the bandwidth of the memory
}

// cachePart is the part of a stage or a column in the misses of the first row.
type cachePart struct {
	Name     string   `json:"name" show:"%s"`
	Accesses float64  `json:"accesses" show:"%.2f"` // of lines, over the touching pairs, as are the misses
	L1       float64  `json:"l1_misses" show:"%.3f"`
	L2       Measured `json:"l2_misses" show:"%.3f"` // missing without an L2
	L3       Measured `json:"l3_misses" show:"%.3f"` // missing without an L3
}

// cacheCase is what a row measures.
type cacheCase struct {
	pile        *pile
	copies      int
	order       string
	tile, cores int
	law         string
}

// plan makes the first row, and one for each other value of an option.
func (o *CacheOptions) plan(e *Env) (*plan[CacheRow], error) {
	var err error
	o.measured = map[int]float64{}
	if o.caches, err = o.cachesOf(cpu.Describe().Caches); err != nil {
		return nil, err
	}
	piles, err := e.piles(o.Settled)
	if err != nil {
		return nil, err
	}
	copies := o.Copies
	if copies == nil {
		if copies = []int{1}; o.Settled == nil {
			copies = []int{8, 1}
		}
	}
	for i := range piles {
		if err := piles[i].fits(e, slices.Max(copies), 1); err != nil {
			return nil, err
		}
	}
	if bytes := o.caches.Memory(slices.Max(o.Cores)); cpu.Memory() > 0 && bytes > cpu.Memory() {
		return nil, mark.Errorf(ErrOption, "--cores is %d: the caches of so many cores take %.3g GB to simulate, expected no more than fit into the %.3g GB of memory that there are",
			slices.Max(o.Cores), 1e-9*float64(bytes), 1e-9*float64(cpu.Memory()))
	}
	base := cacheCase{&piles[0], copies[0], o.Orders[0], o.Tiles[0], o.Cores[0], o.Laws[0]}
	cases := []cacheCase{base}
	add := func(n int, set func(c *cacheCase, i int)) {
		for i := 1; i < n; i++ {
			c := base
			set(&c, i)
			cases = append(cases, c)
		}
	}
	add(len(o.Orders), func(c *cacheCase, i int) { c.order = o.Orders[i] })
	add(len(o.Tiles), func(c *cacheCase, i int) { c.tile = o.Tiles[i] })
	add(len(o.Cores), func(c *cacheCase, i int) { c.cores = o.Cores[i] })
	add(len(copies), func(c *cacheCase, i int) { c.copies = copies[i] })
	add(len(piles), func(c *cacheCase, i int) {
		if c.pile = &piles[i]; c.pile.cubes > 0 {
			c.copies = 1
		}
	})
	add(len(o.Laws), func(c *cacheCase, i int) { c.law = o.Laws[i] })
	p := &plan[CacheRow]{finish: o.finish, unlocked: true}
	for i, c := range cases {
		note := fmt.Sprintf("%s × %d, %s, tile %d, %d cores, %s", c.pile.name, c.copies, c.order, c.tile, c.cores, c.law)
		p.parts = append(p.parts, one(note, func() CacheRow { return o.row(e, c, i == 0) }))
	}
	return p, nil
}

// cachesOf returns the caches of the options, by default those of a machine.
func (o *CacheOptions) cachesOf(machine cpu.Caches) (c cachesim.Hierarchy, err error) {
	c.Group = o.Group
	for k, text := range [...]string{o.L1, o.L2, o.L3} {
		to := [...]*cachesim.Cache{&c.L1, &c.L2, &c.L3}[k]
		*to = cachesim.Cache{Size: [...]int{machine.L1D, machine.L2, machine.L3}[k], Ways: cmp.Or(machine.Ways[k], 8)}
		if text == "" {
			continue
		}
		if *to, err = parseCache(text); err != nil {
			return c, mark.Errorf(ErrOption, "--l%d is %q, expected a size and a number of ways, such as 32K:8 or 16M:16", k+1, text)
		}
	}
	if err := c.Check(); err != nil {
		return c, mark.Errorf(errors.Join(ErrOption, err), "--l1, --l2, --l3: %s", strings.TrimSuffix(err.Error(), ": "+cachesim.ErrCaches.Error()))
	}
	return c, nil
}

// parseCache reads a size and a number of ways.
func parseCache(text string) (c cachesim.Cache, err error) {
	size, ways, found := strings.Cut(text, ":")
	if !found && size == "0" {
		return cachesim.Cache{Ways: 1}, nil
	}
	unit := 1
	if n := len(size); n > 0 && strings.Contains("KM", size[n-1:]) {
		unit, size = map[byte]int{'K': 1 << 10, 'M': 1 << 20}[size[n-1]], size[:n-1]
	}
	c.Size, err = strconv.Atoi(size)
	var wrong error
	c.Ways, wrong = strconv.Atoi(ways)
	if err = cmp.Or(err, wrong); err == nil && (c.Size < 0 || c.Size > math.MaxInt32/unit || c.Ways < 1) {
		err = strconv.ErrRange
	}
	c.Size *= unit
	return c, err
}

// cacheWarmUp is the number of steps before the one that is simulated, and cacheSteps that of the steps timed after it.
const (
	cacheWarmUp = 20
	cacheSteps  = 20
)

// row simulates one case.
func (o *CacheOptions) row(e *Env, c cacheCase, first bool) CacheRow {
	s, from := c.pile.settled(e)
	step := StepOptions{Dt: o.Dt, Workers: c.cores, Stiffness: from.stiffness, cap: from.cap, Skin: mostSkin * from.radius, tile: c.tile}
	w, err := step.world(ordered(copies(s, c.copies), c.order), c.law, step.Skin)
	e.check(err)
	defer w.Close()
	e.steps(w, cacheWarmUp, o.Dt)
	row := CacheRow{
		Pile: c.pile.name, Bodies: c.copies * len(s.Bodies), Order: c.order, Tile: c.tile, Cores: c.cores, Law: c.law,
		NsTouching: notMeasured(), Bandwidth: notMeasured(),
	}
	for range w.ActiveContacts() {
		row.Touching++
	}
	if row.Touching == 0 {
		e.check(mark.Errorf(ErrScene, "%s: no two bodies touch after %d steps, expected a pile with contacts", c.pile.name, cacheWarmUp))
	}
	stages := w.Stages()
	m := simulate(stages, c.cores, o.caches)
	part := o.partOf(row.Touching)
	all := part("", m.sum(func(int, int) bool { return true }))
	row.Accesses, row.L1, row.L2, row.L3, row.Bytes = all.Accesses, all.L1, all.L2, all.L3, m.bytes
	if first {
		var traced error
		if o.Trace != "" {
			traced = o.trace(stages, c.cores)
		}
		e.keep(func() {
			o.traceErr = traced
			o.note(m, stages, part)
		})
	}
	if c.cores <= processors() {
		began := time.Now()
		e.steps(w, cacheSteps, o.Dt)
		took := time.Since(began).Seconds() / cacheSteps
		row.NsTouching = Measured(took * 1e9 / float64(row.Touching))
		row.Bandwidth = Measured(float64(m.bytes) / took / o.bandwidth(c.cores))
	}
	return row
}

// bandwidth returns the bandwidth of the memory, B/s, that some cores have together.
func (o *CacheOptions) bandwidth(cores int) float64 {
	if o.Bandwidth > 0 {
		return o.Bandwidth * 1e9
	}
	if o.measured[cores] == 0 {
		o.measured[cores] = 1e9 * bandwidth(cores)
	}
	return o.measured[cores]
}

// partOf returns a function that makes a row of misses.
func (o *CacheOptions) partOf(touching int) func(name string, m misses) cachePart {
	return func(name string, m misses) cachePart {
		n := float64(touching)
		row := cachePart{name, float64(m.accesses) / n, float64(m.missed[0]) / n, notMeasured(), notMeasured()}
		if o.caches.L2.Size > 0 {
			row.L2 = Measured(float64(m.missed[1]) / n)
		}
		if o.caches.L3.Size > 0 {
			row.L3 = Measured(float64(m.missed[2]) / n)
		}
		return row
	}
}

// note stores the misses of the first row by stage and by column.
func (o *CacheOptions) note(m *stepMisses, stages []access.Work, part func(string, misses) cachePart) {
	for i := range stages {
		o.first = append(o.first, part(stages[i].Name, m.sum(func(stage, _ int) bool { return stage == i })))
	}
	for _, c := range m.byColumn() {
		if c.accesses > 0 {
			o.columns = append(o.columns, part(c.name, c.misses))
		}
	}
}

// finish adds the tables and plots of the first row.
func (o *CacheOptions) finish(r *Report, rows []CacheRow) error {
	if len(rows) > 0 {
		r.add("stages", "stages", o.first)
		r.add("columns", "columns", o.columns)
		r.Figures = append(r.Figures,
			o.figure("cache-cores", "Misses by cores", "cores", rows, func(r *CacheRow) float64 { return float64(r.Cores) }),
			o.figure("cache-bodies", "Misses by bodies", "bodies", rows, func(r *CacheRow) float64 { return float64(r.Bodies) }),
			o.figure("cache-tiles", "Misses by size of tiles", "pairs in a tile", rows, func(r *CacheRow) float64 { return float64(r.Tile) }))
	}
	return o.traceErr
}

// figure plots the misses of L2 and L3 over what x returns, for the rows that differ from the first one in that alone.
func (o *CacheOptions) figure(name, title, axis string, rows []CacheRow, x func(r *CacheRow) float64) Figure {
	first := rows[0]
	chosen := rowsWith(rows, func(r *CacheRow) bool {
		others := b2i(r.Order != first.Order) + b2i(r.Law != first.Law) + b2i(r.Bodies != first.Bodies) + b2i(r.Cores != first.Cores) + b2i(r.Tile != first.Tile)
		return x(r) > 0 && others == b2i(x(r) != x(&first)) && (r.Pile == first.Pile || others > 0)
	})
	slices.SortFunc(chosen, func(a, b CacheRow) int { return cmp.Compare(x(&a), x(&b)) })
	c := newChart(title, axis, true, "misses a touching pair", false)
	for k, of := range []func(r *CacheRow) Measured{func(r *CacheRow) Measured { return r.L2 }, func(r *CacheRow) Measured { return r.L3 }} {
		if !of(&first).missing() {
			addLines(c, chosen, func(*CacheRow) look { return look{fmt.Sprintf("L%d", k+2), k, false} }, func(r *CacheRow) (float64, float64) { return x(r), float64(of(r)) })
		}
	}
	return Figure{name, c}
}

// trace writes the accesses of a step.
func (o *CacheOptions) trace(stages []access.Work, cores int) error {
	err := fileio.WriteFile(o.Trace, func(to io.Writer) error {
		end := func() error { return nil }
		if strings.HasSuffix(o.Trace, ".gz") {
			zip := gzip.NewWriter(to)
			to, end = zip, zip.Close
		}
		out := bufio.NewWriter(to)
		_, err := out.WriteString("core,stage,column,address,bytes,access\n")
		step, line := stepWalk{stages: stages, cores: cores}, []byte(nil)
		step.each(func(stage, core int, a access.Access) {
			if err != nil {
				return
			}
			line = append(strconv.AppendInt(line[:0], int64(core), 10), ',')
			line = append(append(line, stages[stage].Name...), ',')
			line = append(append(line, step.walk.Names[a.Column]...), ",0x"...)
			line = append(strconv.AppendUint(line, uint64(a.Address), 16), ',')
			line = append(strconv.AppendInt(line, int64(a.Bytes), 10), ",r\n"...)
			if a.Write {
				line[len(line)-2] = 'w'
			}
			_, err = out.Write(line)
		})
		return cmp.Or(err, out.Flush(), end())
	})
	if err != nil {
		return fmt.Errorf("--trace: %w", err)
	}
	return nil
}
