package main

import (
	"math"
	"slices"
)

// Machine code need not follow a program's order. A processor looks some two hundred operations ahead: where all of
// these wait for one another it stands still. ordered lists operations anew, so that those that much waits for come early,
// and those whose arguments are not there yet make way for others. Bits do not depend on it. Values that come early wait in registers, which
// run out: so the choice is among few, and one that frees registers is preferred.

const (
	// orderPress is how many cycles a register is worth, orderLate how many times a cycle counts in which an operation would wait.
	orderPress = 50
	orderLate  = 20
	// orderMasks is how many masks may be waiting for their readers: AVX-512 has seven registers for them.
	orderMasks = 3
)

// ordering is the work of ordered.
type ordering struct {
	*program
	chain    []int // by node, the cycles that it and what waits for it take
	readers  []int // by node, how many arguments it is still to be
	finished []int // by node, the cycle in which its value is there; math.MaxInt before it is listed
	masks    int   // that are listed and still to be read
	cycle    int
	started  [2]int // in that cycle: products and quotients, and sums and comparisons
	order    []int
}

// ordered returns the program as machine code has it: without what nothing depends on, and with what follows its last test in
// another order. p.window says among how many operations, the first in the program's order, the next is chosen; 0 leaves the order.
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

// next returns the place of the operation that is listed next. The first can be.
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

// ready returns the cycle in which all arguments are there, math.MaxInt where one is not listed.
func (o *ordering) ready(n node) int {
	ready := 0
	for _, a := range n.args() {
		ready = max(ready, o.finished[a])
	}
	return ready
}

// registers returns by how many the values that wait in registers grow with operation i.
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

// list lists an operation and keeps the time: two products and two sums may start in a cycle.
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

// cycles is how long an operation takes, about: as on Zen 5.
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

// unit is which of two units works on an operation, or -1.
func (n node) unit() int {
	switch n.op {
	case opMul, opDiv, opSqrt:
		return 0
	case opAdd, opSub, opLesser, opGreater, opCompare:
		return 1
	}
	return none
}

// permuted returns the program with some of its operations, in an order in which arguments come first.
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
