package main

import (
	"math"
	"slices"
	"testing"

	"github.com/mmcloughlin/avo/ir"
)

// The columns of the programs of this test, in this order: columns that are read, columns of
// indices, columns that are looked up, and columns that are written. The first of the last group is
// also read.
const (
	testLoads   = 4
	testIndices = 4
	testTables  = 2
	testRow     = 11 // columns of a table of rows, which two of the indices look up
	testStores  = 4
	testUniform = 3

	firstIndex = testLoads
	firstTable = firstIndex + testIndices
	firstRow   = firstTable + testTables
	firstStore = firstRow + testRow
)

// testLayout has the columns of the programs of this test.
func testLayout() *layout {
	l := &layout{structure: "Random"}
	for range firstRow {
		l.fields = append(l.fields, field{})
	}
	for k := range testRow {
		l.fields = append(l.fields, field{array: "Rows", at: k, shifted: true})
	}
	for range testStores {
		l.fields = append(l.fields, field{})
	}
	return l
}

// tame returns special numbers, or numbers whose long sums and products still differ.
func (r *numbers) tame(n int) []float64 {
	c := r.floats(n)
	if r.IntN(4) > 0 {
		for i := range c {
			c[i] = 2*r.Float64() - 1
		}
	}
	return c
}

// randomProgram returns a program with every operation. For a large deep, more values are alive at
// once than there are registers.
func randomProgram(r *numbers, deep int) *program {
	p := newProgram("random")
	var nums []num
	var masks []mask
	for c := range testLoads {
		nums = append(nums, p.load(column(c)))
	}
	for j := range testUniform {
		nums = append(nums, p.uniform(j))
	}
	nums = append(nums, p.load(firstStore), p.constant(0.5), p.constant(0), p.constant(-3))
	one, two := p.loadIndex(firstIndex), p.loadIndex(firstIndex+1)
	starts := []idx{p.loadIndex(firstIndex + 2), p.loadIndex(firstIndex + 3)}
	asked := 1 + r.IntN(testRow) // numbers of a row that may be looked up
	p.within(column(firstRow+asked-1), starts[0])
	p.within(column(firstStore-1), starts[1])
	if r.IntN(2) == 0 {
		p.within(firstTable, one, two)
	} else {
		p.within(firstTable, one)
		p.within(firstTable+1, two)
	}
	pick := func() num { return nums[r.IntN(len(nums))] }
	masks = append(masks, p.compare(uint8(less), pick(), pick()))
	inParts := r.IntN(2) == 0
	if inParts {
		p.require(p.or(masks[0], p.compare(uint8(notLess), pick(), pick())))
	}
	next := func() {
		if inParts && r.IntN(1+deep/4) == 0 {
			masks = []mask{p.part(masks[0])}
		}
	}
	for range deep {
		next()
		var v num
		switch r.IntN(16) {
		case 14, 15:
			if k := r.IntN(2); k == 0 {
				v = p.gather(firstRow+column(r.IntN(asked)), starts[0])
			} else {
				v = p.gather(firstRow+column(r.IntN(testRow)), starts[1])
			}
		case 0, 1:
			v = p.add(pick(), pick())
		case 2, 3:
			v = p.sub(pick(), pick())
		case 4, 5:
			v = p.mul(pick(), pick())
		case 6:
			v = p.div(pick(), pick())
		case 7:
			v = p.sqrt(p.abs(pick()))
		case 8:
			v = p.neg(pick())
		case 9:
			v = p.gather(firstTable+column(r.IntN(testTables)), []idx{one, two}[r.IntN(2)])
		case 10:
			predicates := []uint8{uint8(equal), uint8(less), uint8(lessOrEqual), uint8(notLess), uint8(greater), uint8(greaterOrEqual), uint8(notEqual)}
			m := p.compare(predicates[r.IntN(len(predicates))], pick(), pick())
			if len(masks) > 2 {
				masks = masks[1:]
			}
			masks = append(masks, m)
			v = p.pick(m, pick(), pick())
		case 11:
			v = p.lesser(pick(), pick())
		case 12:
			v = p.greater(pick(), pick())
		default:
			a, b := masks[r.IntN(len(masks))], masks[r.IntN(len(masks))]
			m := []mask{p.and(a, b), p.or(a, b), p.not(a)}[r.IntN(3)]
			masks[r.IntN(len(masks))] = m
			v = p.pick(m, pick(), pick())
		}
		nums = append(nums, v)
	}
	if !inParts && r.IntN(2) == 0 {
		p.require(p.or(masks[0], p.compare(uint8(notLess), pick(), pick())))
	}
	for k := range testStores {
		c := (k + 1) % testStores // The first is also read.
		next()
		// Long sums keep many values alive.
		sum := pick()
		for range r.IntN(deep) {
			sum = p.add(sum, pick())
		}
		p.store(firstStore+column(c), sum)
	}
	return p
}

// interpret runs a program for item i, one operation after the other. It returns false if a test
// fails.
func (p *program) interpret(columns []any, uniforms []float64, i int) bool {
	v := make([]float64, len(p.nodes))
	index, truth := make([]uint32, len(p.nodes)), make([]bool, len(p.nodes))
	type write struct {
		to []float64
		v  float64
	}
	var writes []write
	for at, n := range p.nodes {
		switch n.op {
		case opConstant:
			v[at] = math.Float64frombits(n.bits)
		case opUniform:
			v[at] = uniforms[n.of]
		case opLoad:
			v[at] = columns[n.of].([]float64)[i]
		case opLoadIndex:
			index[at] = columns[n.of].([]uint32)[i]
		case opGather:
			v[at] = columns[n.of].([]float64)[index[n.a]]
		case opAdd:
			v[at] = v[n.a] + v[n.b]
		case opSub:
			v[at] = v[n.a] - v[n.b]
		case opMul:
			v[at] = v[n.a] * v[n.b]
		case opDiv:
			v[at] = v[n.a] / v[n.b]
		case opLesser:
			if v[at] = v[n.b]; v[n.a] < v[n.b] {
				v[at] = v[n.a]
			}
		case opGreater:
			if v[at] = v[n.b]; v[n.a] > v[n.b] {
				v[at] = v[n.a]
			}
		case opSqrt:
			v[at] = math.Sqrt(v[n.a])
		case opFlip:
			v[at] = -v[n.a]
		case opAbs:
			v[at] = math.Abs(v[n.a])
		case opCompare:
			a, b := v[n.a], v[n.b]
			truth[at] = map[uint8]bool{
				uint8(equal): a == b, uint8(less): a < b, uint8(lessOrEqual): a <= b, uint8(notLess): !(a < b),
				uint8(greater): a > b, uint8(greaterOrEqual): a >= b, uint8(notEqual): a != b,
			}[uint8(n.of)]
		case opAnd:
			truth[at] = truth[n.a] && truth[n.b]
		case opOr:
			truth[at] = truth[n.a] || truth[n.b]
		case opNot:
			truth[at] = !truth[n.a]
		case opPick:
			if v[at] = v[n.c]; truth[n.a] {
				v[at] = v[n.b]
			}
		case opStore:
			writes = append(writes, write{columns[n.of].([]float64), v[n.a]})
		case opWithin:
			for _, a := range n.args() {
				if int(index[a]) >= len(columns[n.of].([]float64)) {
					return false
				}
			}
		case opTest:
			if !truth[n.a] {
				return false
			}
		}
	}
	for _, w := range writes {
		w.to[i] = w.v
	}
	return true
}

// TestRandomPrograms compiles programs of every size, and compares their machine code with the
// interpreted lists. This includes spills, failing tests, and indices out of range.
func TestRandomPrograms(t *testing.T) {
	spilled, left, functions, rows, parts := 0, 0, 0, 0, 0
	for seed := range uint64(50) {
		r := newNumbers(seed)
		p := randomProgram(r, 2+3*int(seed))
		if seed%5 > 0 {
			p.layout = testLayout()
		}
		for _, row := range p.rowLoads() {
			if row != nil {
				rows++
			}
		}
		for _, n := range p.nodes {
			if n.op == opPart {
				parts++
			}
		}
		p.window = []int{0, 1, 8, 100}[seed/5%4]
		p.alone = true
		file, err := compile(func(avx2, avx512 *lanes) { compilePrograms(avx2, avx512, p.ordered()) })
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range file.Functions() {
			if f.LocalSize > 0 {
				spilled++
			}
			for range 4 {
				done, n := checkRandomProgram(t, p, file, f, r)
				if t.Failed() {
					t.Fatalf("seed %d, %s", seed, f.Name)
				}
				if done < n {
					left++
				}
			}
			functions++
		}
	}
	if spilled < 20 || left < 20 || rows < 100 || parts < 50 {
		t.Errorf("of %d functions %d spill, %d runs leave early, %d look-ups are of rows, %d parts: not enough to prove each",
			functions, spilled, left, rows, parts)
	}
}

// startLimits returns, for each index of a row, the limit of its values in a table of so many
// numbers. For other indices it returns 0.
func (p *program) startLimits(numbers int) (limits [testIndices]int) {
	for _, n := range p.nodes {
		if n.op == opWithin && n.of >= firstRow {
			limits[p.nodes[n.a].of-firstIndex] = numbers - (n.of - firstRow)
		}
	}
	return limits
}

func checkRandomProgram(t *testing.T, p *program, file *ir.File, f *ir.Function, r *numbers) (done, items int) {
	t.Helper()
	n, rows := 8*(1+r.IntN(2*partGroups+2))+r.IntN(8), 1+r.IntN(20)
	table := r.tame(testRow + r.IntN(20))
	limits := p.startLimits(len(table))
	var columns, want []any
	for c := range firstStore + testStores {
		var column any
		switch {
		case c < firstIndex || c >= firstStore:
			column = r.tame(n)
		case c < firstTable:
			ids := make([]uint32, n)
			for i := range ids {
				ids[i] = uint32(r.IntN(rows))
			}
			if r.IntN(4) == 0 {
				ids[r.IntN(n)] = []uint32{uint32(rows), 1 << 31, math.MaxUint32}[r.IntN(3)]
			}
			if limit := limits[c-firstIndex]; limit > 0 {
				for i := range ids {
					ids[i] = uint32(r.IntN(limit))
				}
				if r.IntN(8) == 0 {
					ids[r.IntN(n)] = []uint32{uint32(limit), 1 << 31, math.MaxUint32}[r.IntN(3)]
				}
			}
			column = ids
		case c >= firstRow:
			column = table[c-firstRow:]
		default:
			column = r.tame(rows)
		}
		columns = append(columns, column)
		switch column := column.(type) {
		case []float64:
			want = append(want, append([]float64{}, column...))
		case []uint32:
			want = append(want, column)
		}
	}
	uniforms := r.tame(testUniform)
	k, _ := kernelOf(file, f)
	lo := r.IntN(n + 1)
	hi := lo + r.IntN(n-lo+1)
	next := lo
	for ; next+k.lanes <= hi; next += k.lanes {
		good, before := true, make([][]float64, testStores)
		for c := range before {
			before[c] = append([]float64{}, want[firstStore+c].([]float64)...)
		}
		for lane := range k.lanes {
			good = p.interpret(want, uniforms, next+lane) && good
		}
		if !good {
			for c := range before {
				copy(want[firstStore+c].([]float64), before[c])
			}
			break
		}
	}
	passed := structure{}
	for c, column := range columns {
		if c >= firstStore {
			passed.columns = append(passed.columns, output{column})
		} else {
			passed.columns = append(passed.columns, column)
		}
	}
	got := k.call(t, 1, passed, array(uniforms), lo, hi)
	if got[0] != uint64(next) {
		t.Errorf("%d to %d: stopped at %d, want %d", lo, hi, got[0], next)
	}
	for c := firstStore; c < len(columns); c++ {
		for i, v := range columns[c].([]float64) {
			if !same(v, want[c].([]float64)[i]) {
				t.Errorf("%d to %d: column %d, item %d: got %v, want %v", lo, hi, c, i, v, want[c].([]float64)[i])
			}
		}
	}
	return next, hi - (hi-lo)%k.lanes
}

// TestOrdered: if the window reaches a long chain, the chain comes before a sum that only a store
// reads. All live operations remain, with arguments first. Operations up to the last test keep
// their places.
func TestOrdered(t *testing.T) {
	build := func(window int) (*program, *program) {
		p := newProgram("test")
		p.window = window
		a, b := p.load(0), p.load(1)
		p.require(p.compare(uint8(less), a, b))
		dead := p.mul(a, a)
		sum := p.add(a, b)
		root := p.sqrt(p.div(a, b))
		p.store(2, sum)
		p.store(3, root)
		if p.nodes[dead].op != opMul {
			t.Fatal("not the product")
		}
		return p, p.ordered()
	}
	place := func(p *program, op operation) int {
		return slices.IndexFunc(p.nodes, func(n node) bool { return n.op == op })
	}
	for _, window := range []int{0, 1, 8} {
		p, o := build(window)
		if len(o.nodes) != len(p.nodes)-1 || place(o, opMul) >= 0 {
			t.Errorf("window %d: %d operations of %d, of which one is not live", window, len(o.nodes), len(p.nodes))
		}
		if place(o, opTest) != place(p, opTest) {
			t.Errorf("window %d: the test has moved", window)
		}
		for i, n := range o.nodes {
			for _, a := range n.args() {
				if a >= i {
					t.Errorf("window %d: operation %d comes before its argument", window, i)
				}
			}
		}
		if first := place(o, opDiv) < place(o, opAdd); first != (window == 8) {
			t.Errorf("window %d: the quotient comes first: %v", window, first)
		}
	}
}

// TestRowLoads: one load reads neighbours in a row. Loads do not exceed what the index was tested
// against, and read each number once.
func TestRowLoads(t *testing.T) {
	p := newProgram("test")
	p.layout = testLayout()
	i, j := p.loadIndex(firstIndex), p.loadIndex(firstIndex+1)
	p.within(firstRow+5, i)
	p.within(firstRow+2, j)
	p.within(firstTable, i)
	sum := p.gather(firstTable, i)
	for _, at := range []column{0, 1, 4, 5} {
		sum = p.add(sum, p.gather(firstRow+at, i))
	}
	for at := range column(3) {
		sum = p.add(sum, p.gather(firstRow+at, j))
	}
	p.store(firstStore, sum)
	var got []rowLoad
	for _, row := range p.rowLoads() {
		if row != nil && !slices.Contains(got, *row) {
			got = append(got, *row)
		}
	}
	for k := range got {
		for m, i := range got[k].members {
			if i != none {
				got[k].members[m] = p.nodes[i].of - firstRow
			}
		}
	}
	want := []rowLoad{{firstRow, int(i), [4]int{0, 1, none, none}}, {firstRow + 2, int(i), [4]int{none, none, 4, 5}}}
	if !slices.Equal(got, want) {
		t.Errorf("rows %v, want %v", got, want)
	}
}
