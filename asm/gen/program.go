package main

import "math"

// program is a lane program: arithmetic without loops or branches on columns, one item a lane, the
// same for every lane. The source of a kernel builds it by calling its methods in order.
// program_emit.go generates machine code from it, and program_go.go the Go loop. A program is in
// static single assignment form: each method returns a value that never changes.
//
// A program computes a value once, however often its source asks for the value. It drops a value on
// which no store and no test depends. Each operation rounds once, as float64(x*y) + z does in Go.
// The simplifications here keep every bit; only the bits of a NaN may differ.
//
// The machine code has the signature func(c **float64, u *float64, lo, hi int) (next int). c points
// to a structure of slices, the columns. u points to the uniforms, the numbers that all items
// share. The code works on full registers of items, as many items as a vector register has lanes,
// from lo on. It returns the first item that it has not done. Either fewer items than a register
// remain, or a test failed in one of the lanes of the next register. The code has then written no
// lane of that register.
type program struct {
	name     string
	nodes    []node
	memo     map[node]int                       // the number of each value, so that it is computed once
	inside   map[idx]bool                       // the indices that within has tested
	place    func(c column) (slice, offset int) // slice and offset (in numbers) of a column; nil: each column is a slice of its own
	nested   []bool                             // for the Go loop: the node stands within the expression of its only user
	noStores bool                               // stores have begun, so no test may follow: it would leave lanes half done
	layout   *layout                            // the columns, if machine code may read rows: see program_rows.go

	// window is the number of operations among which machine code chooses the next one: see
	// ordered. A small window keeps values in registers. A large one keeps the processor from
	// waiting.
	window int

	// alone adds machine code for a single item.
	alone bool
}

// num, idx and mask are values of a program: in each lane a float64, a uint32, a truth value.
type (
	num  int
	idx  int
	mask int
)

// column is the number of a slice in the structure of columns. In a program with place, place
// maps it to a slice and an offset.
type column int

// in returns the slice that has a column, and the offset of the column in it, in bytes.
func (p *program) in(c int) (slice, bytes int) {
	if p.place == nil {
		return c, 0
	}
	slice, offset := p.place(column(c))
	return slice, float64Bytes * offset
}

// operation is what a node computes from its arguments.
type operation uint8

const (
	opConstant  operation = iota // bits
	opUniform                    // u[of]
	opLoad                       // column of, float64
	opLoadIndex                  // column of, uint32
	opGather                     // column of, at index a
	opAdd
	opSub
	opMul
	opDiv
	opLesser  // a if a < b, else b
	opGreater // a if a > b, else b
	opSqrt
	opFlip    // sign changed
	opAbs     // sign cleared
	opCompare // a, predicate of, b
	opAnd     // the results of opCompare to opNot are masks
	opOr
	opNot
	opPick // b if mask a holds, else c

	// Effects, which have no value. To leave is to stop before the items of this register.
	opStore  // column of = a
	opWithin // leave unless a, b, c and d are less than the length of column of
	opTest   // leave unless mask a holds in every lane
	opPart   // begin the next part: see program_parts.go
)

// node is one operation. Its arguments are numbers of earlier nodes, or -1.
type node struct {
	op         operation
	a, b, c, d int
	of         int
	bits       uint64
}

func newProgram(name string) *program {
	return &program{name: name, memo: map[node]int{}, inside: map[idx]bool{}}
}

// value returns the number of a node, and adds the node if it is new.
func (p *program) value(n node) int {
	if at, known := p.memo[n]; known {
		return at
	}
	p.nodes = append(p.nodes, n)
	p.memo[n] = len(p.nodes) - 1
	return len(p.nodes) - 1
}

func (p *program) effect(n node) { p.nodes = append(p.nodes, n) }

// of returns the node of an operation and its arguments.
func of(op operation, args ...int) node {
	n := node{op: op, a: -1, b: -1, c: -1, d: -1}
	for i, to := range []*int{&n.a, &n.b, &n.c, &n.d}[:len(args)] {
		*to = args[i]
	}
	return n
}

// symmetric returns the node of an operation whose two arguments may change places.
func symmetric(op operation, a, b int) node { return of(op, min(a, b), max(a, b)) }

func (p *program) constant(v float64) num {
	n := of(opConstant)
	n.bits = math.Float64bits(v)
	return num(p.value(n))
}

// uniform returns uniform j, a float64 that is the same in every lane.
func (p *program) uniform(j int) num { return num(p.columnar(opUniform, j)) }

func (p *program) load(c column) num { return num(p.columnar(opLoad, int(c))) }

func (p *program) loadIndex(c column) idx { return idx(p.columnar(opLoadIndex, int(c))) }

func (p *program) columnar(op operation, from int, args ...int) int {
	n := of(op, args...)
	n.of = from
	return p.value(n)
}

// gather looks up c[i]. within must have tested the index i.
func (p *program) gather(c column, i idx) num {
	if !p.inside[i] {
		panic("gen: " + p.name + ": a gather before its index is tested")
	}
	return num(p.columnar(opGather, int(c), int(i)))
}

// within stops the kernel before items that have an index, of up to four, that is not less than the
// length of column c.
func (p *program) within(c column, indices ...idx) {
	var args []int
	for _, i := range indices {
		args = append(args, int(i))
		p.inside[i] = true
	}
	n := of(opWithin, args...)
	n.of = int(c)
	p.test(n)
}

// require stops the kernel before the first item for which m does not hold.
func (p *program) require(m mask) { p.test(of(opTest, int(m))) }

func (p *program) test(n node) {
	if p.noStores {
		panic("gen: " + p.name + ": a test after a store")
	}
	p.effect(n)
}

func (p *program) store(c column, v num) {
	p.noStores = true
	n := of(opStore, int(v))
	n.of = int(c)
	p.effect(n)
}

// bare returns a value without its change of sign, and whether it had one.
func (p *program) bare(v num) (num, bool) {
	if n := p.nodes[v]; n.op == opFlip {
		return num(n.a), true
	}
	return v, false
}

// neg returns -v. Products and quotients pass signs on: (-x)·y is -(x·y) to the bit.
func (p *program) neg(v num) num {
	if x, flipped := p.bare(v); flipped {
		return x
	}
	return num(p.value(of(opFlip, int(v))))
}

// add returns a + b. If one of them is a negation, it is a difference: x + (-y) is x - y by
// definition.
func (p *program) add(a, b num) num {
	if y, flipped := p.bare(b); flipped {
		return num(p.value(of(opSub, int(a), int(y))))
	}
	if x, flipped := p.bare(a); flipped {
		return num(p.value(of(opSub, int(b), int(x))))
	}
	return num(p.value(symmetric(opAdd, int(a), int(b))))
}

// sub returns a - b. It does not simplify -x - y: if x is -y, then -(x + y) has the other sign of
// zero.
func (p *program) sub(a, b num) num {
	if y, flipped := p.bare(b); flipped {
		return p.add(a, y)
	}
	return num(p.value(of(opSub, int(a), int(b))))
}

// mul returns a·b. If one is the constant 1, it returns the other.
func (p *program) mul(a, b num) num {
	for _, ab := range [2][2]num{{a, b}, {b, a}} {
		if n := p.nodes[ab[0]]; n.op == opConstant && n.bits == math.Float64bits(1) {
			return ab[1]
		}
	}
	x, flipX := p.bare(a)
	y, flipY := p.bare(b)
	v := num(p.value(symmetric(opMul, int(x), int(y))))
	if flipX != flipY {
		return p.neg(v)
	}
	return v
}

func (p *program) div(a, b num) num {
	x, flipX := p.bare(a)
	y, flipY := p.bare(b)
	v := num(p.value(of(opDiv, int(x), int(y))))
	if flipX != flipY {
		return p.neg(v)
	}
	return v
}

// lesser returns a if a < b, else b. So it returns b for two zeros, and if a or b is NaN. greater
// does the same for a > b. AVX2 and AVX-512 have one instruction for each. NEON needs a comparison
// and a selection.
func (p *program) lesser(a, b num) num  { return num(p.value(of(opLesser, int(a), int(b)))) }
func (p *program) greater(a, b num) num { return num(p.value(of(opGreater, int(a), int(b)))) }

func (p *program) sqrt(v num) num { return num(p.value(of(opSqrt, int(v)))) }

func (p *program) abs(v num) num {
	x, _ := p.bare(v)
	return num(p.value(of(opAbs, int(x))))
}

// compare returns the mask of a, predicate, b, with a predicate of lanes.go.
func (p *program) compare(predicate uint8, a, b num) mask {
	return mask(p.columnar(opCompare, int(predicate), int(a), int(b)))
}

func (p *program) and(a, b mask) mask { return mask(p.value(symmetric(opAnd, int(a), int(b)))) }
func (p *program) or(a, b mask) mask  { return mask(p.value(symmetric(opOr, int(a), int(b)))) }
func (p *program) not(a mask) mask    { return mask(p.value(of(opNot, int(a)))) }

// pick returns a if m holds, else b.
func (p *program) pick(m mask, a, b num) num {
	if a == b {
		return a
	}
	return num(p.value(of(opPick, int(m), int(a), int(b))))
}

func (n node) isEffect() bool { return n.op >= opStore }
func (n node) isMask() bool   { return n.op >= opCompare && n.op <= opNot }

// args returns the nodes that a node reads.
func (n node) args() []int {
	var args []int
	for _, a := range []int{n.a, n.b, n.c, n.d} {
		if a >= 0 {
			args = append(args, a)
		}
	}
	return args
}

// live returns, for each node, whether an effect depends on it.
func (p *program) live() []bool {
	live := make([]bool, len(p.nodes))
	for i := len(p.nodes) - 1; i >= 0; i-- {
		if n := p.nodes[i]; n.isEffect() || live[i] {
			live[i] = true
			for _, a := range n.args() {
				live[a] = true
			}
		}
	}
	return live
}
