package bench

import (
	"cmp"
	"slices"
	"strings"

	"github.com/scree-dem/scree/internal/access"
	"github.com/scree-dem/scree/internal/cachesim"
	"github.com/scree-dem/scree/sched"
)

// stepWalk passes over the memory accesses of one step on several cores.
type stepWalk struct {
	stages []access.Work
	cores  int
	walk   access.Walk
}

// each calls do for the accesses of a step. In each loop a core has the tiles or chunks with which a worker of the
// scheduler starts. The cores take turns, a tile or chunk each; nothing is stolen.
func (s *stepWalk) each(do func(stage, core int, a access.Access)) {
	for i := range s.stages {
		stage, cores := &s.stages[i], s.cores
		if stage.Serial {
			cores = 1
		}
		runs, grain := sched.FirstRuns(stage.N, stage.Costs, cores)
		for more := true; more; {
			more = false
			for core := range runs {
				run := &runs[core]
				if run[0] >= run[1] {
					continue
				}
				s.walk.Core = core
				s.walk.Do = func(a access.Access) { do(i, core, a) }
				next := min(run[0]+grain, run[1])
				stage.Walk(&s.walk, run[0], next)
				run[0], more = next, true
			}
		}
	}
}

// misses counts accesses of lines by the levels of caches that lack the line.
type misses struct {
	accesses int64
	missed   [3]int64 // of L1, L2 and L3
}

func (m *misses) add(o misses) {
	m.accesses += o.accesses
	for level := range m.missed {
		m.missed[level] += o.missed[level]
	}
}

// stepMisses is what a step misses.
type stepMisses struct {
	cells   [][]misses // by stage, by column
	columns []string   // names
	bytes   int64      // that pass between the last caches and the memory
}

// simulate returns what a step misses in caches that have seen another such step before.
func simulate(stages []access.Work, cores int, caches cachesim.Hierarchy) *stepMisses {
	sim, step := cachesim.New(caches, cores), stepWalk{stages: stages, cores: cores}
	m := &stepMisses{cells: make([][]misses, len(stages))}
	levels := [3]int{0, 1, 2}
	if caches.L2.Size == 0 {
		levels[1] = 2
	}
	for range 2 {
		for i := range m.cells {
			m.cells[i] = m.cells[i][:0]
		}
		written := sim.Written
		step.each(func(stage, core int, a access.Access) {
			for a.Column >= len(m.cells[stage]) {
				m.cells[stage] = append(m.cells[stage], misses{})
			}
			cell := &m.cells[stage][a.Column]
			first, end := uint64(a.Address)/cachesim.Line, (uint64(a.Address)+uint64(a.Bytes)+cachesim.Line-1)/cachesim.Line
			for line := first; line < end; line++ {
				cell.accesses++
				for _, level := range levels[:sim.Access(core, line, a.Write)] {
					cell.missed[level]++
				}
			}
		})
		m.bytes = cachesim.Line * (sim.Written - written)
	}
	m.columns = step.walk.Names
	all := m.sum(func(int, int) bool { return true })
	last := 2
	for last > 0 && [...]int{caches.L1.Size, caches.L2.Size, caches.L3.Size}[last] == 0 {
		last--
	}
	m.bytes += cachesim.Line * all.missed[last]
	return m
}

// sum returns the sum over the cells for which holds returns true.
func (m *stepMisses) sum(holds func(stage, column int) bool) (sum misses) {
	for i := range m.cells {
		for k := range m.cells[i] {
			if holds(i, k) {
				sum.add(m.cells[i][k])
			}
		}
	}
	return sum
}

// namedMisses is what a stage or a column misses.
type namedMisses struct {
	name string
	misses
}

// byColumn returns the sums over the columns, those of shapes together, the column first that misses L2 most.
func (m *stepMisses) byColumn() (all []namedMisses) {
	for k, name := range m.columns {
		if strings.HasPrefix(name, "Shapes") {
			name = "Shapes"
		}
		at := slices.IndexFunc(all, func(n namedMisses) bool { return n.name == name })
		if at < 0 {
			at = len(all)
			all = append(all, namedMisses{name: name})
		}
		all[at].add(m.sum(func(_, column int) bool { return column == k }))
	}
	slices.SortStableFunc(all, func(a, b namedMisses) int { return cmp.Compare(b.missed[1], a.missed[1]) })
	return all
}
