package main

import "math"

// program is straight-line arithmetic over columns: one item a lane, the same for every lane. A kernel's
// source builds it by calling its methods in order; program_emit.go makes machine code of it. It is in static
// single assignment: each method returns a value that never changes.
//
// A value is computed once however often it is asked for, and not at all if nothing that is stored or
// tested depends on it. All arithmetic rounds each operation once, as Go does for float64(x*y) + z; the
// simplifications made here keep every bit but those of a NaN.
//
// The kernel has the signature func(c **float64, u *float64, lo, hi int) (next int): c points to a
// structure of slices, the columns, and u to the uniforms. It works off full registers of items from lo on, and
// returns the first item it has not done: fewer than a register are left, or a test failed in one of
// the next register's lanes, none of which has been written.
type program struct {
	name     string
	nodes    []node
	memo     map[node]int
	inside   map[idx]bool
	place    func(c column) (slice, offset int) // where a column is, in numbers; nil: each in a slice of its own
	nested   []bool                             // of the Go loop: values that stand within the expression of their one user
	noStores bool                               // stores have begun: no test may follow, or it would leave lanes half done
	layout   *layout                            // of the columns, where machine code may read rows: see program_rows.go

	// window is among how many operations machine code chooses the next: see ordered. Small ones keep values in
	// registers, large ones keep the processor from waiting.
	window int

	// alone says that there is machine code for one item, too.
	alone bool
}

// num, idx and mask are values of a program: in each lane a float64, a uint32, a truth.
type (
	num  int
	idx  int
	mask int
)

// column is the place of a slice in the structure of columns; of a program with place what that makes of it.
type column int

// in returns the slice that has a column, and how many bytes from its start on.
func (p *program) in(c int) (slice, bytes int) {
	if p.place == nil {
		return c, 0
	}
	slice, offset := p.place(column(c))
	return slice, float64Bytes * offset
}

// operation says what a node computes from its arguments.
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
	opLesser  // a where it is less than b, else b
	opGreater // a where it is greater than b, else b
	opSqrt
	opFlip    // sign changed
	opAbs     // sign cleared
	opCompare // a, predicate of, b
	opAnd     // masks from here on
	opOr
	opNot
	opPick // b where mask a holds, else c

	// Effects, which have no value.
	opStore  // column of = a
	opWithin // leave unless a, b, c and d are less than the length of column of
	opTest   // leave unless mask a holds in every lane
	opPart   // what follows is the next part: see program_parts.go
)

// node is one operation. Arguments are the numbers of earlier nodes, -1 for none.
type node struct {
	op         operation
	a, b, c, d int
	of         int
	bits       uint64
}

func newProgram(name string) *program {
	return &program{name: name, memo: map[node]int{}, inside: map[idx]bool{}}
}

func (p *program) value(n node) int {
	if at, known := p.memo[n]; known {
		return at
	}
	p.nodes = append(p.nodes, n)
	p.memo[n] = len(p.nodes) - 1
	return len(p.nodes) - 1
}

func (p *program) effect(n node) { p.nodes = append(p.nodes, n) }

func of(op operation, args ...int) node {
	n := node{op: op, a: -1, b: -1, c: -1, d: -1}
	for i, to := range []*int{&n.a, &n.b, &n.c, &n.d}[:len(args)] {
		*to = args[i]
	}
	return n
}

// symmetric is of for an operation whose two arguments may change places.
func symmetric(op operation, a, b int) node { return of(op, min(a, b), max(a, b)) }

func (p *program) constant(v float64) num {
	n := of(opConstant)
	n.bits = math.Float64bits(v)
	return num(p.value(n))
}

// uniform is a float64 that is the same in every lane: number j of those handed over.
func (p *program) uniform(j int) num { return num(p.columnar(opUniform, j)) }

func (p *program) load(c column) num { return num(p.columnar(opLoad, int(c))) }

func (p *program) loadIndex(c column) idx { return idx(p.columnar(opLoadIndex, int(c))) }

func (p *program) columnar(op operation, from int, args ...int) int {
	n := of(op, args...)
	n.of = from
	return p.value(n)
}

// gather looks up c[i]. The index must have been tested by within.
func (p *program) gather(c column, i idx) num {
	if !p.inside[i] {
		panic("gen: " + p.name + ": a gather before its index is tested")
	}
	return num(p.columnar(opGather, int(c), int(i)))
}

// within leaves before items of which an index, of up to four, is not less than the length of column c.
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

// require leaves before items of which one does not hold m.
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

// neg returns -v. Products and quotients hand their signs on: (-x)·y is -(x·y) to the bit.
func (p *program) neg(v num) num {
	if x, flipped := p.bare(v); flipped {
		return x
	}
	return num(p.value(of(opFlip, int(v))))
}

// add returns a + b, as a difference where one is negated: x + (-y) is x - y by definition.
func (p *program) add(a, b num) num {
	if y, flipped := p.bare(b); flipped {
		return num(p.value(of(opSub, int(a), int(y))))
	}
	if x, flipped := p.bare(a); flipped {
		return num(p.value(of(opSub, int(b), int(x))))
	}
	return num(p.value(symmetric(opAdd, int(a), int(b))))
}

// sub returns a - b. -x - y stays as it is: -(x + y) has another zero where x is -y.
func (p *program) sub(a, b num) num {
	if y, flipped := p.bare(b); flipped {
		return p.add(a, y)
	}
	return num(p.value(of(opSub, int(a), int(b))))
}

// mul returns a·b, which is b where a is 1.
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

// lesser returns a where it is less than b, and b elsewhere: of two zeros and where one is NaN, too. greater is
// the same for greater. AVX2 and AVX-512 have an instruction for each, NEON has not: it compares and selects.
func (p *program) lesser(a, b num) num  { return num(p.value(of(opLesser, int(a), int(b)))) }
func (p *program) greater(a, b num) num { return num(p.value(of(opGreater, int(a), int(b)))) }

func (p *program) sqrt(v num) num { return num(p.value(of(opSqrt, int(v)))) }

func (p *program) abs(v num) num {
	x, _ := p.bare(v)
	return num(p.value(of(opAbs, int(x))))
}

// compare returns a, predicate, b with one of the predicates of lanes.go.
func (p *program) compare(predicate uint8, a, b num) mask {
	return mask(p.columnar(opCompare, int(predicate), int(a), int(b)))
}

func (p *program) and(a, b mask) mask { return mask(p.value(symmetric(opAnd, int(a), int(b)))) }
func (p *program) or(a, b mask) mask  { return mask(p.value(symmetric(opOr, int(a), int(b)))) }
func (p *program) not(a mask) mask    { return mask(p.value(of(opNot, int(a)))) }

// pick returns a where m holds and b elsewhere.
func (p *program) pick(m mask, a, b num) num {
	if a == b {
		return a
	}
	return num(p.value(of(opPick, int(m), int(a), int(b))))
}

func (n node) isEffect() bool { return n.op >= opStore }
func (n node) isMask() bool   { return n.op >= opCompare && n.op <= opNot }

// args returns the nodes a node reads.
func (n node) args() []int {
	var args []int
	for _, a := range []int{n.a, n.b, n.c, n.d} {
		if a >= 0 {
			args = append(args, a)
		}
	}
	return args
}

// live returns which nodes an effect depends on.
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
