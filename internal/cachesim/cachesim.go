// Package cachesim simulates the data caches of a processor with several cores: set-associative caches that replace the
// line used longest ago, for addresses that a program would read and write.
//
// It has no prefetching, no translation of addresses, and no instructions. A cache takes every line that it misses, and
// drops it whatever other caches do. A write ends the copies in the caches of other cores.
package cachesim

import (
	"errors"
	"fmt"
)

// Line is the size of a cache line in bytes.
const Line = 64

// MaxCores is the largest number of cores.
const MaxCores = 1024

// ErrCaches marks caches that cannot be simulated.
var ErrCaches = errors.New("caches not usable")

// Cache is the size of a cache in bytes, and how many lines may hold the data of one address. Size 0 means that there is
// no such cache.
type Cache struct{ Size, Ways int }

// sets returns the number of sets.
func (c Cache) sets() int { return c.Size / (Line * c.Ways) }

// Hierarchy holds the caches of a processor: L1 and L2 belong to a core, L3 to a group of cores.
type Hierarchy struct {
	L1, L2, L3 Cache
	Group      int // number of cores that share an L3
}

// Check returns an error that wraps ErrCaches if the caches cannot be simulated.
func (c *Hierarchy) Check() error {
	for i, of := range c.levels() {
		if of.Ways < 1 || of.Size < 0 || of.Size%(Line*of.Ways) != 0 {
			return fmt.Errorf("an L%d of %d bytes with %d ways, expected a multiple of %d bytes times the ways: %w", i+1, of.Size, of.Ways, Line, ErrCaches)
		}
	}
	switch {
	case c.L1.Size == 0:
		return fmt.Errorf("no L1, expected one: %w", ErrCaches)
	case c.L2.Size > 0 && c.L1.Size > c.L2.Size:
		return fmt.Errorf("an L1 of %d bytes, an L2 of %d, expected an L1 no larger than the L2: %w", c.L1.Size, c.L2.Size, ErrCaches)
	case c.Group < 1 || c.Group > MaxCores:
		return fmt.Errorf("%d cores share an L3, expected 1 to %d: %w", c.Group, MaxCores, ErrCaches)
	}
	return nil
}

func (c *Hierarchy) levels() [3]Cache { return [3]Cache{c.L1, c.L2, c.L3} }

// Memory returns roughly how many bytes a simulation of the caches of so many cores takes.
func (c *Hierarchy) Memory(cores int) uint64 {
	groups := (cores + c.Group - 1) / c.Group
	return uint64(c.L1.Size+c.L2.Size)/Line*16*uint64(cores) + uint64(c.L3.Size)/Line*16*uint64(groups)
}

// Sim simulates caches. It counts nothing itself: see Access.
type Sim struct {
	levels [3][]simulated // by level and core, of L3 by group; empty if there is no such level
	group  int
	pages  map[uint64]*page
	recent [recentPages]struct { // of pages, by the number of the page
		number uint64
		page   *page
	}
	clock uint64
	// Written is the number of lines that were dropped from the last caches after they had been written to.
	Written int64
}

// simulated is one cache: the lines of each set, the one used last first.
type simulated struct {
	ways  int
	sets  uint64
	lines []uint64 // number of the line plus 1, or 0
	since []uint64 // when the line was read into the cache
}

const (
	pageLines   = 64
	recentPages = 1024
)

// page has the state of a run of lines.
type page [pageLines]struct {
	written uint64 // when
	writer  int16  // the core that has written last
	dirty   bool   // written to since the last cache took it
}

// New returns empty caches for a number of cores. The caches must pass Check.
func New(c Hierarchy, cores int) *Sim {
	s := &Sim{group: c.Group, pages: map[uint64]*page{}}
	for level, of := range c.levels() {
		n := cores
		if level == 2 {
			n = (cores + c.Group - 1) / c.Group
		}
		for range n {
			if of.Size > 0 {
				lines := of.sets() * of.Ways
				s.levels[level] = append(s.levels[level], simulated{of.Ways, uint64(of.sets()), make([]uint64, lines), make([]uint64, lines)})
			}
		}
	}
	return s
}

// Access reads or writes a line, which is the number of its first byte divided by Line. It returns how many levels of
// caches do not have the line: 0 if L1 has it, and the number of levels if it comes from memory.
func (s *Sim) Access(core int, line uint64, write bool) (missed int) {
	s.clock++
	state := &s.page(line / pageLines)[line%pageLines]
	levels := 0
	for level := range s.levels {
		if len(s.levels[level]) == 0 {
			continue
		}
		levels++
		at, owner := core, state.writer == int16(core)
		if level == 2 {
			at, owner = core/s.group, int(state.writer)/s.group == core/s.group
		}
		hit, dropped := s.levels[level][at].take(line+1, s.clock, state.written, owner)
		if hit {
			break
		}
		missed++
		if dropped > 0 && s.isLast(level) {
			if d := &s.page((dropped - 1) / pageLines)[(dropped-1)%pageLines]; d.dirty {
				d.dirty = false
				s.Written++
			}
		}
	}
	if write {
		state.written, state.writer, state.dirty = s.clock, int16(core), true
	}
	return missed
}

// isLast reports whether there is no cache behind a level.
func (s *Sim) isLast(level int) bool {
	return level == 2 || len(s.levels[level+1]) == 0 && (level == 1 || len(s.levels[2]) == 0)
}

// take makes a line the one used last of its set. It reports whether the cache had it, unless a core that does not own
// the cache has written to it since. If not, take returns the line that was dropped, or 0.
func (c *simulated) take(line uint64, now, written uint64, owner bool) (hit bool, dropped uint64) {
	set := (line - 1) & (c.sets - 1)
	if c.sets&(c.sets-1) != 0 { // a division takes longer
		set = (line - 1) % c.sets
	}
	first := int(set) * c.ways
	lines, since := c.lines[first:first+c.ways], c.since[first:first+c.ways]
	at := 0
	for at < len(lines)-1 && lines[at] != line {
		at++
	}
	if hit = lines[at] == line; !hit {
		dropped = lines[at]
	}
	began := since[at]
	if hit && !owner && written > began {
		hit = false
	}
	if !hit {
		began = now
	}
	if at > 0 {
		copy(lines[1:at+1], lines[:at])
		copy(since[1:at+1], since[:at])
	}
	lines[0], since[0] = line, began
	return hit, dropped
}

// page returns the state of the lines of a page.
func (s *Sim) page(number uint64) *page {
	r := &s.recent[number%recentPages]
	if r.page == nil || r.number != number {
		p := s.pages[number]
		if p == nil {
			p = new(page)
			s.pages[number] = p
		}
		r.number, r.page = number, p
	}
	return r.page
}
