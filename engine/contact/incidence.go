package contact

import (
	"slices"

	"github.com/scree-dem/scree/internal/access"
	"github.com/scree-dem/scree/soa"
)

// incidence lists the pairs of each body in the order of the pairs. Forces on a body are summed in
// this order. An entry of place is the pair's row shifted left by one, plus 1 if the body is B.
// Each list has spare capacity for a few new pairs.
type incidence struct {
	first []uint32 // by body, one more than there are bodies: start of its list
	last  []uint32 // by body: end of its list; spare capacity follows up to the next first
	place []uint32
	full  bool // an insertion found no capacity: all lists must be rebuilt
}

// of returns the entries of a body.
func (c *incidence) of(body int) []uint32 { return c.place[c.first[body]:c.last[body]] }

// spareOf returns the spare capacity of a list of n entries.
func spareOf(n uint32) uint32 { return n/8 + 2 }

// connect rebuilds the lists of all bodies by counting, in two passes over the pairs.
func (sp *Space) connect() {
	c := &sp.incidence
	n := sp.Bodies.Len()
	c.first, c.last, c.full = grow(c.first, n+1), grow(c.last, n), false
	clear(c.last)
	for t := range sp.tiles.costs {
		lo, hi := sp.tiles.bounds(t)
		for i := range sp.described[lo:hi] {
			p := &sp.described[lo+i]
			c.last[p.BodyA]++
			c.last[p.BodyB]++
		}
	}
	at := uint32(0)
	for i, count := range c.last {
		c.first[i], c.last[i] = at, at
		at += count + spareOf(count)
	}
	c.first[n] = at
	c.place = grow(c.place, int(at))
	for t := range sp.tiles.costs {
		lo, hi := sp.tiles.bounds(t)
		for i := lo; i < hi; i++ {
			p := &sp.described[i]
			a, b := c.last[p.BodyA], c.last[p.BodyB]
			c.place[a], c.place[b] = uint32(i)<<1, uint32(i)<<1|1
			c.last[p.BodyA], c.last[p.BodyB] = a+1, b+1
		}
	}
}

// enter gives the bodies from the last one of the lists to n-1 empty lists.
func (c *incidence) enter(n int) {
	for len(c.last) < n {
		end := uint32(len(c.place))
		c.place = append(c.place, make([]uint32, comerPairs)...)
		c.last = append(c.last, end)
		c.first = append(c.first, end+comerPairs)
	}
}

// comerPairs is the number of pairs that a body that has come may have before all lists are rebuilt.
const comerPairs = 24

// keep drops the lists of all bodies but those kept, which rise.
func (c *incidence) keep(kept []uint32) {
	n := len(c.last)
	end := c.first[n]
	c.last, c.first = soa.Keep(c.last, kept), append(soa.Keep(c.first[:n], kept), end)
}

// add lists row i, described by p.
func (c *incidence) add(i int, p *tilePair) {
	c.insert(uint32(p.BodyA), uint32(i)<<1)
	c.insert(uint32(p.BodyB), uint32(i)<<1|1)
}

func (c *incidence) insert(body, place uint32) {
	end := c.last[body]
	if c.full = c.full || end == c.first[body+1]; c.full {
		return
	}
	at, _ := slices.BinarySearch(c.place[c.first[body]:end], place)
	list := c.place[c.first[body] : end+1]
	copy(list[at+1:], list[at:])
	list[at] = place
	c.last[body] = end + 1
}

// drop removes row i, described by p, from the lists.
func (c *incidence) drop(i int, p *tilePair) {
	c.remove(uint32(p.BodyA), uint32(i)<<1)
	c.remove(uint32(p.BodyB), uint32(i)<<1|1)
}

func (c *incidence) remove(body, place uint32) {
	list := c.place[c.first[body]:c.last[body]]
	if at, ok := slices.BinarySearch(list, place); ok {
		copy(list[at:], list[at+1:])
		c.last[body]--
	}
}

// move renames row i, described by p, to row to. The lists must hold no row between the two.
func (c *incidence) move(i, to int, p *tilePair) {
	c.replace(uint32(p.BodyA), uint32(i)<<1, uint32(to)<<1)
	c.replace(uint32(p.BodyB), uint32(i)<<1|1, uint32(to)<<1|1)
}

func (c *incidence) replace(body, place, by uint32) {
	list := c.place[c.first[body]:c.last[body]]
	if at, ok := slices.BinarySearch(list, place); ok {
		list[at] = by
	}
}

// WalkPairsOf declares the accesses of PairsOf, and returns a function that declares those of a loop over the pairs of a
// body.
func (sp *Space) WalkPairsOf(w *access.Walk) func(body int) {
	c := &sp.incidence
	first, last, place := access.Of(w, "pairs of bodies", c.first), access.Of(w, "pairs of bodies", c.last), access.Of(w, "pairs of bodies", c.place)
	return func(body int) {
		first.Read(body)
		last.Read(body)
		place.ReadRows(int(c.first[body]), int(c.last[body]))
	}
}
