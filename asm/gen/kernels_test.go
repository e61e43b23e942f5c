package main

import (
	"flag"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/mmcloughlin/avo/ir"
	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/internal/cpu"
	"github.com/scree-dem/scree/vec"
)

var seeds = flag.Int("seeds", 12, "random inputs for each length")

func TestMain(m *testing.M) {
	flag.Parse()
	// The Go loops are the truth here.
	if err := cpu.Select(cpu.Generic); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// kernel is one compiled function and the width of its lanes.
type kernel struct {
	file  *ir.File
	f     *ir.Function
	lanes int
}

func (k *kernel) call(t *testing.T, results int, args ...any) []uint64 {
	t.Helper()
	words, err := load(k.file).call(k.f, results, args...)
	if err != nil {
		t.Fatal(err)
	}
	return words
}

// checks has a test for each kernel that is no lane program, of one input of n points, pairs, boxes or planes; and for some of
// those that are one with numbers that make sense.
var checks = map[string]func(t *testing.T, k *kernel, r *numbers, n int){
	"support": checkSupport, "supportPairs": checkPairs,
	"interval": checkInterval, "planeDistance": checkPlane,
	"posedBoxes": checkPosedBoxes, "boxOverlap": checkOverlap, "odometerSweep": checkSweep, "hilbertKeys": checkHilbert,
	"latticeSpans": checkLattice, "latticeRows": checkLatticeRows,
	"sortLists": checkSortLists, "latticeCorners": checkLatticeCorners, "latticePairs": checkLatticePairs,
	"pushThickness": checkPushThickness, "pushThicknessByArea": checkPushThickness,
	"shareCorners4": checkShares("corner", 4, asm.ShareCorners4), "shareCorners8": checkShares("corner", 8, asm.ShareCorners8),
	"shareCrossings": checkShares("crossing", 0, asm.ShareCrossings), "sharePrisms4": checkShares("prism", 4, asm.SharePrisms4),
	"sharePrisms6": checkShares("prism", 6, asm.SharePrisms6), "sharePrisms8": checkShares("prism", 8, asm.SharePrisms8),
	"sharePrismsFlush4": checkShares("flush", 4, asm.SharePrismsFlush4), "sharePrismsHeld4": checkShares("held", 4, asm.SharePrismsHeld4), "sharePrismsHeld6": checkShares("held", 6, asm.SharePrismsHeld6),
	"sharePrismsHeld8": checkShares("held", 8, asm.SharePrismsHeld8),
	"solidArea":        checkSolid, "solidUpright": checkSolid, "solidReach": checkSolid, "solidAxes": checkSolid,
	"solidMoments": checkSolid, "solidSlopes": checkSolid, "solidPush": checkSolid, "solidShared": checkSolid,
}

// TestKernels runs every function of every source, so that none goes unproven.
func TestKernels(t *testing.T) {
	ran := map[string]bool{}
	lanePrograms, forms := programs()
	for _, s := range sources {
		file, err := compile(s.fill)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range file.Functions() {
			k := &kernel{file: file, f: f, lanes: 4}
			name, narrow := strings.CutSuffix(f.Name, "AVX2")
			if !narrow {
				k.lanes = 8
				name = strings.TrimSuffix(f.Name, "AVX512")
			}
			ran[name] = true
			p, check, did := lanePrograms[name], checks[name], tally{}
			if p == nil && check == nil {
				t.Errorf("%s has no check", f.Name)
				continue
			}
			t.Run(f.Name, func(t *testing.T) {
				for n := range 36 {
					for seed := range *seeds {
						r := newNumbers(uint64(1000*n + seed))
						if check != nil {
							check(t, k, r, n)
						} else {
							now := checkProgram(t, k, p, forms[name], r, n)
							did.done, did.left = did.done+now.done, did.left+now.left
						}
						if t.Failed() {
							t.Fatalf("n = %d, seed %d", n, seed)
						}
					}
				}
				if check == nil && (did.done < 100 || did.left < 10 && p.mayLeave()) {
					t.Errorf("%d items done and %d inputs left early prove nothing", did.done, did.left)
				}
			})
		}
	}
	for name := range checks {
		if !ran[name] {
			t.Errorf("%s has a check and no function", name)
		}
	}
}

// mayLeave says whether a program has a test that stops it early.
func (p *program) mayLeave() bool {
	return slices.ContainsFunc(p.nodes, func(n node) bool { return n.op == opTest || n.op == opWithin })
}

// TestInstructionSets keeps each function to what internal/cpu asks of the processor, and to
// instructions that round every product.
func TestInstructionSets(t *testing.T) {
	avx2 := []string{"AVX", "AVX2", "SSE2", "POPCNT", "CMOV", "MMX+"} // MMX+: PREFETCHT0
	avx512 := append([]string{"AVX512F", "AVX512DQ", "AVX512BW", "AVX512VL"}, avx2...)
	for _, s := range sources {
		file, err := compile(s.fill)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range file.Functions() {
			have := avx2
			if strings.HasSuffix(f.Name, "AVX512") {
				have = avx512
			}
			for _, isa := range f.ISA {
				if !slices.Contains(have, isa) {
					t.Errorf("%s needs %s", f.Name, isa)
				}
			}
			for _, i := range f.Instructions() {
				if strings.HasPrefix(i.Opcode, "VFM") || strings.HasPrefix(i.Opcode, "VFNM") {
					t.Errorf("%s fuses: %s", f.Name, i.Opcode)
				}
			}
		}
	}
}

// TestMachineRefuses shows that the interpreter sees what guard pages and hardware would.
func TestMachineRefuses(t *testing.T) {
	file, err := compile(support)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range file.Functions() {
		if !strings.HasPrefix(f.Name, "supportAVX") {
			continue
		}
		m := load(file)
		long, short := make([]float64, 9), make([]float64, 8)
		if _, err := m.call(f, 2, pointer(long), pointer(short), pointer(long), 9, 1.0, 1.0, 1.0); err == nil {
			t.Errorf("%s: a column that is too short goes unnoticed", f.Name)
		}
		spoiled := *f
		spoiled.Nodes = slices.Clone(f.Nodes)
		for i, n := range spoiled.Nodes {
			if in, ok := n.(*ir.Instruction); ok && in.Opcode == "VMULPD" {
				c := *in
				c.Opcode = "VFMADD231PD"
				spoiled.Nodes[i] = &c
			}
		}
		if _, err := load(file).call(&spoiled, 2, pointer(long), pointer(long), pointer(long), 9, 1.0, 1.0, 1.0); err == nil {
			t.Errorf("%s: an unknown instruction goes unnoticed", f.Name)
		}
	}
}

// numbers makes floats that meet often: ties, zeros of both signs, denormals, huge values, NaN.
type numbers struct {
	*rand.Rand
	last float64
}

func newNumbers(seed uint64) *numbers {
	return &numbers{Rand: rand.New(rand.NewPCG(seed, 16))}
}

var palette = []float64{
	0, math.Copysign(0, -1), 5e-324, -5e-324, 2.2250738585072014e-308, 1e-310, -1e-310,
	math.MaxFloat64, -math.MaxFloat64, 1e308, -1e308, 1e154, -1e154, math.Inf(1), math.Inf(-1),
	math.NaN(), 1, -1, 1 + 0x1p-52, 1 - 0x1p-53, 1 + 0x1p-30, -1 - 0x1p-29, 1e-154, 1.0 / 3,
}

func (r *numbers) float() float64 {
	switch k := r.IntN(10); {
	case k < 4:
		r.last = float64(r.IntN(9)-4) / 2
	case k < 6:
		r.last = palette[r.IntN(len(palette))]
	case k < 7: // the value before, once more
	case k < 8:
		r.last = math.Float64frombits(r.Uint64())
	default:
		r.last = 2*r.Float64() - 1
	}
	return r.last
}

func (r *numbers) floats(n int) []float64 {
	c := make([]float64, n)
	for i := range c {
		c[i] = r.float()
	}
	return c
}

// columns returns n points of three or four coordinates: of any kind, small numbers that tie, all the
// same, or not a number.
func (r *numbers) columns(count, n int) [][]float64 {
	c := make([][]float64, count)
	kind := r.IntN(8)
	for j := range c {
		c[j] = r.floats(n)
		for i := range c[j] {
			switch kind {
			case 0:
				c[j][i] = float64(r.IntN(3) - 1)
			case 1:
				c[j][i] = c[j][0]
			case 2:
				c[j][i] = math.NaN()
			case 3:
				c[j][i] = 2*r.Float64() - 1
			}
		}
	}
	return c
}

func same(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b
}

func checkSupport(t *testing.T, k *kernel, r *numbers, n int) {
	c, d := r.columns(3, n), r.floats(3)
	got := k.call(t, 2, pointer(c[0]), pointer(c[1]), pointer(c[2]), n, d[0], d[1], d[2])
	index, value := asm.Support(c[0], c[1], c[2], d[0], d[1], d[2])
	if got[0] != uint64(index) || got[1] != math.Float64bits(value) {
		t.Errorf("got %d, %v; want %d, %v", got[0], math.Float64frombits(got[1]), index, value)
	}
}

func checkPlane(t *testing.T, k *kernel, r *numbers, n int) {
	c, p := r.columns(4, n), r.floats(3)
	got := k.call(t, 2, pointer(c[0]), pointer(c[1]), pointer(c[2]), pointer(c[3]), n, p[0], p[1], p[2])
	face, value := asm.PlaneDistance(c[0], c[1], c[2], c[3], p[0], p[1], p[2])
	if got[0] != uint64(face) || got[1] != math.Float64bits(value) {
		t.Errorf("got %d, %v; want %d, %v", got[0], math.Float64frombits(got[1]), face, value)
	}
}

func checkInterval(t *testing.T, k *kernel, r *numbers, n int) {
	c, d := r.columns(3, n), r.floats(3)
	got := k.call(t, 4, pointer(c[0]), pointer(c[1]), pointer(c[2]), n, d[0], d[1], d[2])
	lo, hi, kLo, kHi := asm.Interval(c[0], c[1], c[2], d[0], d[1], d[2])
	want := []uint64{math.Float64bits(lo), math.Float64bits(hi), uint64(kLo), uint64(kHi)}
	if !slices.Equal(got, want) {
		t.Errorf("got %x, want %x", got, want)
	}
}

// sameAnswers compares the first done answers; later ones must not have been written.
func sameAnswers(t *testing.T, done int, index, wantIndex []uint32, value, wantValue []float64) {
	t.Helper()
	for q := range index {
		if q >= done {
			if index[q] != unwritten || value[q] != unwritten {
				t.Errorf("query %d of %d answered was written", q, done)
			}
		} else if index[q] != wantIndex[q] || !same(value[q], wantValue[q]) {
			t.Errorf("query %d: got %d, %v; want %d, %v", q, index[q], value[q], wantIndex[q], wantValue[q])
		}
	}
}

const unwritten = 77777

func answers(n int) ([]uint32, []float64) {
	return slices.Repeat([]uint32{unwritten}, n), slices.Repeat([]float64{unwritten}, n)
}

// whole is how many of n a kernel answers that leaves the rest below a full register to its caller.
func (k *kernel) whole(n int) int { return n - n%k.lanes }

// sets returns ranges of n points, and in one case of four a range that leaves them, at bad.
func (r *numbers) sets(queries, n int) (first, count []uint32, bad int) {
	bad = queries
	for range queries {
		f := r.IntN(n + 1)
		first, count = append(first, uint32(f)), append(count, uint32(r.IntN(n-f+1)))
	}
	if queries > 0 && r.IntN(4) == 0 {
		bad = r.IntN(queries)
		switch r.IntN(3) {
		case 0:
			count[bad] = uint32(n) - first[bad] + 1
		case 1:
			first[bad], count[bad] = math.MaxUint32, math.MaxUint32
		default:
			first[bad], count[bad] = 1<<31, 1<<31
		}
	}
	return first, count, bad
}

func checkPairs(t *testing.T, k *kernel, r *numbers, n int) {
	queries := r.IntN(30)
	c, d := r.columns(3, n), r.columns(3, queries)
	first, count, bad := r.sets(queries, n)
	index, value := answers(queries)
	got := k.call(t, 1, c[0], c[1], c[2], first, count, d[0], d[1], d[2], output{index}, output{value})
	done := queries
	if bad < queries || k.lanes == 4 {
		done = k.whole(bad)
	}
	if got[0] != uint64(done) {
		t.Fatalf("answered %d of %d, want %d (bad %d)", got[0], queries, done, bad)
	}
	wantIndex, wantValue := answers(done)
	asm.SupportPairs(c[0], c[1], c[2], first[:done], count[:done], d[0][:done], d[1][:done], d[2][:done],
		wantIndex, wantValue)
	sameAnswers(t, done, index, wantIndex, value, wantValue)
}

func checkPosedBoxes(t *testing.T, k *kernel, r *numbers, n int) {
	sets := r.IntN(9)
	c, p := r.columns(3, n), r.columns(12, sets)
	first, count, bad := r.sets(sets, n)
	poses := structure{}
	for _, column := range p {
		poses.columns = append(poses.columns, column)
	}
	out, side, want := structure{written: true}, make([][]float64, 6), make([][]float64, 6)
	for j := range side {
		_, side[j] = answers(sets)
		_, want[j] = answers(sets)
		out.columns = append(out.columns, side[j])
	}
	got := k.call(t, 1, c[0], c[1], c[2], first, count, poses, out)
	if got[0] != uint64(bad) {
		t.Fatalf("%d of %d sets, want %d", got[0], sets, bad)
	}
	for j := range p {
		p[j] = p[j][:bad]
	}
	b := &asm.Boxes{
		MinX: want[0][:bad], MinY: want[1][:bad], MinZ: want[2][:bad],
		MaxX: want[3][:bad], MaxY: want[4][:bad], MaxZ: want[5][:bad],
	}
	asm.PosedBoxes(c[0], c[1], c[2], first[:bad], count[:bad], &asm.Poses{
		XX: p[0], XY: p[1], XZ: p[2], YX: p[3], YY: p[4], YZ: p[5],
		ZX: p[6], ZY: p[7], ZZ: p[8], PX: p[9], PY: p[10], PZ: p[11],
	}, b)
	for j := range side {
		for i := range sets {
			if !same(side[j][i], want[j][i]) {
				t.Errorf("side %d of box %d: got %v, want %v", j, i, side[j][i], want[j][i])
			}
		}
	}
}

func checkOverlap(t *testing.T, k *kernel, r *numbers, n int) {
	c, q := r.columns(6, n), asm.Box{}
	if r.IntN(2) == 0 {
		for j := range c {
			for i := range c[j] {
				c[j][i] = float64(r.IntN(3) + 2*(j/3) - 2)
			}
		}
	}
	copy(q[:], []float64{-1, 0, 0, 1, 1, 0})
	if r.IntN(3) == 0 {
		copy(q[:], r.floats(6))
	}
	boxes := structure{}
	for _, column := range c {
		boxes.columns = append(boxes.columns, column)
	}
	lo := r.IntN(n + 1)
	hi := lo + r.IntN(n-lo+1)
	out, _ := answers(hi - lo)
	got := k.call(t, 1, boxes, lo, hi, array(q[:]), output{out})
	want := make([]uint32, hi-lo)
	m := asm.BoxOverlap(&asm.Boxes{MinX: c[0], MinY: c[1], MinZ: c[2], MaxX: c[3], MaxY: c[4], MaxZ: c[5]},
		lo, lo+k.whole(hi-lo), &q, want)
	if got[0] != uint64(m) || !slices.Equal(out[:m], want[:m]) {
		t.Errorf("%d to %d: got %d %v, want %v", lo, hi, got[0], out, want[:m])
	}
}

func checkLattice(t *testing.T, k *kernel, r *numbers, n int) {
	corner := func() uint64 {
		return uint64(r.IntN(3)) | uint64(r.IntN(3))<<21 | uint64(r.IntN(3))<<42
	}
	lower, upper := make([]uint64, n+8), make([]uint64, n+8)
	for i := range lower {
		lower[i], upper[i] = corner(), corner()|asm.LatticeGuards
	}
	var spans []asm.LatticeSpan
	var words []uint64
	all := 0
	for range r.IntN(6) {
		q := asm.LatticeSpan{Lower: corner(), Upper: corner() | asm.LatticeGuards, Lo: uint32(r.IntN(n + 1)), Of: r.Uint32()}
		q.Hi = q.Lo + uint32(r.IntN(n-int(q.Lo)+1))
		all += int(q.Hi - q.Lo)
		spans = append(spans, q)
		words = append(words, q.Lower, q.Upper, uint64(q.Hi)<<32|uint64(q.Lo), uint64(q.Of))
	}
	// Room for all, or for some.
	room := all + 8 - r.IntN(2)*r.IntN(all+8)
	span, _ := answers(room)
	box, _ := answers(room)
	got := k.call(t, 2, lower, upper, records{words, 4}, output{span}, output{box})
	wantSpan, wantBox := make([]uint32, room), make([]uint32, room)
	done, m := asm.LatticeSpans(lower, upper, spans, wantSpan, wantBox)
	if got[0] != uint64(done) || got[1] != uint64(m) || !slices.Equal(span[:m], wantSpan[:m]) || !slices.Equal(box[:m], wantBox[:m]) {
		t.Errorf("%d spans: got %d %d %v %v, want %d %d %v %v", len(spans), got[0], got[1], span, box, done, m, wantSpan[:m], wantBox[:m])
	}
}

func checkLatticeRows(t *testing.T, k *kernel, r *numbers, n int) {
	corner := func() uint64 {
		return uint64(r.IntN(3)) | uint64(r.IntN(3))<<21 | uint64(r.IntN(3))<<42
	}
	const cells = 4
	g := &asm.LatticeGrid{
		Lower: make([]uint64, n+8), Upper: make([]uint64, n+8), Row: make([]uint32, n+8),
		From: make([]uint32, n), To: make([]uint32, n), Start: make([]uint32, 9*cells+1),
	}
	for i := range g.Lower {
		g.Lower[i], g.Upper[i], g.Row[i] = corner(), corner()|asm.LatticeGuards, uint32(r.IntN(16)<<6|i)
	}
	for i := range n {
		g.From[i] = uint32(r.IntN(cells + 1))
		g.To[i] = g.From[i] + uint32(r.IntN(cells+1-int(g.From[i])))
		g.Start[1+r.IntN(9*cells)]++
	}
	for i := 1; i < len(g.Start); i++ {
		g.Start[i] += g.Start[i-1]
	}
	var lines [9]uint32
	words := make(array, 5)
	for i := range lines {
		lines[i] = uint32(i * cells)
		words[i/2] = math.Float64frombits(math.Float64bits(words[i/2]) | uint64(lines[i])<<(32*(i&1)))
	}
	first := r.IntN(n + 1)
	last := first + r.IntN(n-first+1)
	room := n*n + asm.LatticeListRoom
	const names = 1 << 10
	out, _ := answers(room)
	lists, _ := answers(3 * names)
	doubt, _ := answers(last - first)
	got := k.call(t, 3, g.Lower, g.Upper, g.Row, g.From, g.To, g.Start, words, first, last, 0, 7, output{out}, output{lists}, output{doubt})
	wantOut, wantLists, wantDoubt := make([]uint32, room), make([]asm.NameList, names), make([]uint32, last-first)
	done, next, doubts := asm.LatticeRows(g, &lines, first, last, 0, 7, wantOut, wantLists, wantDoubt)
	if got[0] != uint64(done) || got[1] != uint64(next) || got[2] != uint64(doubts) || !slices.Equal(out[:next], wantOut[:next]) ||
		!slices.Equal(doubt[:doubts], wantDoubt[:doubts]) {
		t.Errorf("%d to %d: got %v, %v, doubt %v, want %d, %v, doubt %v", first, last, got, out[:next], doubt,
			done, wantOut[:next], wantDoubt[:doubts])
	}
	for i := first; i < last; i++ {
		name := g.Row[i]
		if l := lists[3*name:]; (asm.NameList{Chunk: l[0], First: l[1], Count: l[2]}) != wantLists[name] {
			t.Errorf("%d to %d: list of %d: got %v, want %v", first, last, name, l[:3], wantLists[name])
		}
	}
}

func checkLatticeCorners(t *testing.T, k *kernel, r *numbers, n int) {
	boxes := make([]vec.Box, n)
	words := make([]uint64, 0, 6*n)
	v := func() vec.Vec3 {
		c := r.floats(3)
		if r.IntN(4) == 0 {
			c[r.IntN(3)] = []float64{math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat64, -math.MaxFloat64}[r.IntN(5)]
		}
		for _, x := range c {
			words = append(words, math.Float64bits(x))
		}
		return vec.V(c[0], c[1], c[2])
	}
	for i := range boxes {
		boxes[i] = vec.Box{Min: v(), Max: v()}
	}
	var f asm.LatticeFrame
	for axis := range 3 {
		f.From[axis], f.Step[axis] = r.NormFloat64(), 100*r.Float64()
		f.Last[axis] = float64(r.IntN(1 << asm.LatticeLane))
	}
	frame := slices.Concat(f.From[:], f.Step[:], f.Last[:])
	want := make([]uint64, 2*n)
	asm.LatticeCorners(boxes, &f, want)
	got := make([]uint64, 2*n)
	done := int(k.call(t, 1, records{words, 6}, array(frame), output{got})[0])
	if done != n-n%4 || !slices.Equal(got[:2*done], want[:2*done]) {
		t.Errorf("%v on %v: got %d, %x, want %x", boxes, f, done, got, want)
	}
}

func checkLatticePairs(t *testing.T, k *kernel, r *numbers, n int) {
	const boxes = 9
	corners := make([]uint64, 2*boxes)
	for i := range corners {
		for axis := range 3 {
			corners[i] |= uint64(2*r.IntN(3)+3*(i&1)) << (21 * axis)
		}
		if r.IntN(9) == 0 {
			corners[i] = 3 | 3<<21 | 3<<42
		}
		corners[i] |= uint64(i&1) * asm.LatticeGuards
	}
	a, b := make([]uint32, n), make([]uint32, n)
	for i := range a {
		a[i], b[i] = uint32(r.IntN(boxes)), uint32(r.IntN(boxes))
	}
	first := r.IntN(n + 1)
	at := r.IntN(first + 1)
	outA, _ := answers(n)
	outB, _ := answers(n)
	got := k.call(t, 2, corners, a, b, first, at, output{outA}, output{outB})
	wantA, wantB := make([]uint32, n), make([]uint32, n)
	done, _ := asm.LatticePairs(corners, a, b, first, at, wantA, wantB)
	// Whole registers before the first pair in doubt.
	whole := first + (done-first)/k.lanes*k.lanes
	_, next := asm.LatticePairs(corners, a[:whole], b[:whole], first, at, wantA[:whole], wantB[:whole])
	if got[0] != uint64(whole) || got[1] != uint64(next) || !slices.Equal(outA[at:next], wantA[at:next]) || !slices.Equal(outB[at:next], wantB[at:next]) {
		t.Errorf("%x, %v, %v from %d: got %v, %v, %v, want %d, %d, %v, %v", corners, a, b, first, got, outA[at:], outB[at:],
			whole, next, wantA[at:next], wantB[at:next])
	}
}

func checkSortLists(t *testing.T, k *kernel, r *numbers, n int) {
	names, base := make([]uint32, 300), []uint32{0, 3, 200}
	for i := range names {
		names[i] = r.Uint32()>>r.IntN(2)<<10 | uint32(i)
	}
	lists := make([]asm.NameList, n+asm.ListRoom)
	words := make([]uint32, 0, 3*len(lists))
	for i := range lists {
		l := &lists[i]
		if i < n {
			*l = asm.NameList{Chunk: uint32(r.IntN(3)), First: uint32(r.IntN(80)), Count: uint32(r.IntN(17))}
			if r.IntN(40) == 0 {
				l.Count = 17
			}
		}
		words = append(words, l.Chunk, l.First, l.Count)
	}
	first := r.IntN(n + 1)
	last := first + r.IntN(n-first+1)
	at := r.IntN(3)
	room := at + 16 + r.IntN(9*n+1)
	outA, _ := answers(room)
	outB, _ := answers(room)
	got := k.call(t, 2, names, base, words, first, last, at, output{outA}, output{outB})
	wantA, wantB := make([]uint32, room), make([]uint32, room)
	done, next := asm.SortLists(names, base, lists, first, last, at, wantA, wantB)
	if got[0] != uint64(done) || got[1] != uint64(next) || !slices.Equal(outA[at:next], wantA[at:next]) || !slices.Equal(outB[at:next], wantB[at:next]) {
		t.Errorf("%v, %d to %d from %d of %d: got %v, %v, %v, want %d, %d, %v, %v", lists[first:last], first, last, at, room,
			got, outA[at:], outB[at:], done, next, wantA[at:next], wantB[at:next])
	}
}

func checkSweep(t *testing.T, k *kernel, r *numbers, n int) {
	bodies := 1 + r.IntN(30)
	odometer, expiry := r.floats(bodies), r.floats(n)
	a, b := make([]uint32, n), make([]uint32, n)
	for i := range a {
		a[i], b[i] = uint32(r.IntN(bodies)), uint32(r.IntN(bodies))
		if r.IntN(4) == 0 {
			expiry[i] = odometer[a[i]] + odometer[b[i]]
		}
	}
	lo := r.IntN(n + 1)
	hi := lo + r.IntN(n-lo+1)
	bad := hi
	if hi > lo && r.IntN(4) == 0 {
		bad = lo + r.IntN(hi-lo)
		ids := [][]uint32{a, b}[r.IntN(2)]
		ids[bad] = []uint32{uint32(bodies), 1 << 31, math.MaxUint32}[r.IntN(3)]
	}
	next := lo + k.whole(bad-lo)
	out, _ := answers(hi - lo)
	got := k.call(t, 2, a, b, expiry, odometer, lo, hi, output{out})
	want := make([]uint32, hi-lo)
	m := asm.OdometerSweep(a, b, expiry, odometer, lo, next, want)
	if got[0] != uint64(m) || got[1] != uint64(next) || !slices.Equal(out[:m], want[:m]) {
		t.Errorf("%d to %d, bad %d: got %d to %d %v, want %d %v", lo, hi, bad, got[0], got[1], out, next, want[:m])
	}
}
