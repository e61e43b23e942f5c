package main

import (
	"math"
	"slices"
)

// Machine code need not follow the order of a program. A processor sees about two hundred
// operations ahead. If all of these wait for each other, the processor stands still. So ordered
// lists the operations in another order. Operations at the start of long chains come early, and
// operations whose arguments are not ready come late. The order never changes a bit. Values that
// are computed early occupy registers, which are few. So the choice is among few operations, and
// prefers those that free registers.

const (
	// orderPress is the worth of a free register, in cycles. orderLate is the weight of a cycle
	// that an operation would wait.
	orderPress = 50
	orderLate  = 20
	// orderMasks is how many masks may wait for their readers. AVX-512 has seven registers for
	// masks.
	orderMasks = 3
)

// ordering is the state of ordered.
type ordering struct {
	*program
	chain    []int // by node, the cycles of the longest chain of readers from it on
	readers  []int // by node, how many arguments of unlisted nodes it still is
	finished []int // by node, the cycle in which its value is ready; math.MaxInt before it is listed
	masks    int   // listed masks that still have readers
	cycle    int
	started  [2]int // in this cycle, by unit: products and quotients; sums and comparisons
	order    []int
}

// ordered returns the program for machine code. It drops what no effect depends on, and lists the
// operations after the last test in another order. Each is chosen among the next p.window
// operations of the program's order. If p.window is 0, the order stays.
func (p *program) ordered() *program {
	o := &ordering{program: p, chain: make([]int, len(p.nodes)), readers: make([]int, len(p.nodes)), finished: make([]int, len(p.nodes))}
	live, last := p.live(), 0
	for i := len(p.nodes) - 1; i >= 0; i-- {
		n := p.nodes[i]
		if o.finished[i] = math.MaxInt; !live[i] {
			continue
		}
		if last == 0 && (n.op == opWithin || n.op == opTest) {
			last = i + 1
		}
		o.chain[i] += n.cycles()
		for _, a := range n.args() {
			o.chain[a] = max(o.chain[a], o.chain[i])
			o.readers[a]++
		}
	}
	var rest []int
	for i, n := range p.nodes {
		switch {
		case !live[i]:
		case p.window == 0 || i < last || n.op == opConstant:
			o.list(i)
		default:
			rest = append(rest, i)
		}
	}
	o.cycle = 0
	for len(rest) > 0 {
		part := slices.IndexFunc(rest, func(i int) bool { return p.nodes[i].op == opPart })
		if part < 0 {
			part = len(rest)
		}
		k := 0
		if part > 0 {
			k = o.next(rest[:min(p.window, part)])
		}
		o.list(rest[k])
		rest = append(rest[:k], rest[k+1:]...)
	}
	return p.permuted(o.order)
}

// next returns which operation to list next, as an index into among. The arguments of the first are
// always listed.
func (o *ordering) next(among []int) int {
	best, most := 0, math.MinInt
	for k, i := range among {
		n := o.nodes[i]
		ready := o.ready(n)
		if ready == math.MaxInt || k > 0 && n.isMask() && o.masks >= orderMasks {
			continue
		}
		worth := o.chain[i] - orderPress*o.registers(i) - orderLate*max(ready-o.cycle, 0)
		if u := n.unit(); u >= 0 && o.started[u] >= 2 {
			worth -= orderLate
		}
		if worth > most {
			best, most = k, worth
		}
	}
	return best
}

// ready returns the cycle in which all arguments are ready, or math.MaxInt if one is not listed.
func (o *ordering) ready(n node) int {
	ready := 0
	for _, a := range n.args() {
		ready = max(ready, o.finished[a])
	}
	return ready
}

// registers returns by how many operation i changes the number of values that wait in registers.
func (o *ordering) registers(i int) (grow int) {
	waits := func(i int) bool {
		n := o.nodes[i]
		return n.op >= opGather && !n.isMask() && !n.isEffect()
	}
	if waits(i) {
		grow++
	}
	args := o.nodes[i].args()
	for k, a := range args {
		same, before := 0, false
		for j, b := range args {
			if a == b {
				same++
				before = before || j < k
			}
		}
		if !before && waits(a) && o.readers[a] == same {
			grow--
		}
	}
	return grow
}

// list lists an operation and advances the clock. Two operations of each unit may start in a cycle.
func (o *ordering) list(i int) {
	n := o.nodes[i]
	if ready := o.ready(n); ready > o.cycle {
		o.cycle, o.started = ready, [2]int{}
	}
	if u := n.unit(); u >= 0 {
		if o.started[u] == 2 {
			o.cycle, o.started = o.cycle+1, [2]int{}
		}
		o.started[u]++
	}
	o.finished[i] = o.cycle + n.cycles()
	o.order = append(o.order, i)
	if n.isMask() {
		o.masks++
	}
	for _, a := range n.args() {
		if o.readers[a]--; o.readers[a] == 0 && o.nodes[a].isMask() {
			o.masks--
		}
	}
}

// cycles returns the approximate latency of an operation on Zen 5.
func (n node) cycles() int {
	switch n.op {
	case opMul:
		return 3
	case opDiv:
		return 13
	case opSqrt:
		return 20
	case opGather:
		return 12
	}
	return 2
}

// unit returns which of two execution units runs an operation, or -1.
func (n node) unit() int {
	switch n.op {
	case opMul, opDiv, opSqrt:
		return 0
	case opAdd, opSub, opLesser, opGreater, opCompare:
		return 1
	}
	return none
}

// permuted returns the program with only the operations of order, in that order. Arguments come
// first in it.
func (p *program) permuted(order []int) *program {
	q, to := *p, make([]int, len(p.nodes))
	q.nodes = make([]node, 0, len(order))
	for _, i := range order {
		n := p.nodes[i]
		for _, a := range []*int{&n.a, &n.b, &n.c, &n.d} {
			if *a != none {
				*a = to[*a]
			}
		}
		to[i] = len(q.nodes)
		q.nodes = append(q.nodes, n)
	}
	return &q
}
