package main

import (
	"flag"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/mmcloughlin/avo/ir"
	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/internal/cpu"
)

var seeds = flag.Int("seeds", 12, "random inputs for each length")

func TestMain(m *testing.M) {
	flag.Parse()
	// The Go loops give the expected results.
	if err := cpu.Select(cpu.Generic); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// kernel is a compiled function and the number of its lanes.
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

// kernelOf returns a function with the number of lanes that its name implies, and its name without
// that suffix.
func kernelOf(file *ir.File, f *ir.Function) (k *kernel, name string) {
	for suffix, lanes := range map[string]int{"AVX2": 4, "AVX512": 8, aloneSuffix: 1} {
		if name, found := strings.CutSuffix(f.Name, suffix); found {
			return &kernel{file: file, f: f, lanes: lanes}, name
		}
	}
	panic(f.Name + " has no width")
}

// checks has a test of each hand-shaped kernel, for an input of n points, pairs, boxes or planes,
// and tests of some lane programs with plausible numbers.
var checks = map[string]func(t *testing.T, k *kernel, r *numbers, n int){
	"support": checkSupport, "supportPairs": checkPairs,
	"interval": checkInterval, "planeDistance": checkPlane,
	"posedBoxes": checkPosedBoxes, "odometerSweep": checkSweep,
	"latticeSpans": checkLattice, "latticeRows": checkLatticeRows,
	"sortLists": checkSortLists, "latticeCorners": checkLatticeCorners, "latticePairs": checkLatticePairs,
	"applyThickness": checkApplyThickness, "applyThicknessByArea": checkApplyThickness,
	"shareCorners4": checkShares("corner", 4, asm.ShareCorners4), "shareCorners8": checkShares("corner", 8, asm.ShareCorners8),
	"shareCrossings": checkShares("crossing", 0, asm.ShareCrossings), "sharePrisms4": checkShares("prism", 4, asm.SharePrisms4),
	"sharePrisms6": checkShares("prism", 6, asm.SharePrisms6), "sharePrisms8": checkShares("prism", 8, asm.SharePrisms8),
	"sharePrismsCoplanar4": checkShares("coplanar", 4, asm.SharePrismsCoplanar4), "sharePrismsHeld4": checkShares("held", 4, asm.SharePrismsHeld4), "sharePrismsHeld6": checkShares("held", 6, asm.SharePrismsHeld6),
	"sharePrismsHeld8": checkShares("held", 8, asm.SharePrismsHeld8),
	"solidArea":        checkSolid, "solidUpright": checkSolid, "solidReach": checkSolid, "solidAxes": checkSolid,
	"solidMoments": checkSolid, "solidSlopes": checkSolid, "solidGradient": checkSolid, "solidShared": checkSolid,
}

// TestKernels runs every function of every source, so that each is tested.
func TestKernels(t *testing.T) {
	ran := map[string]bool{}
	lanePrograms, forms := programs()
	compileAll()
	for _, s := range sources {
		file, err := s.compile()
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range file.Functions() {
			k, name := kernelOf(file, f)
			ran[name] = true
			p, check := lanePrograms[name], checks[name]
			if p == nil && check == nil {
				t.Errorf("%s has no check", f.Name)
				continue
			}
			t.Run(f.Name, func(t *testing.T) {
				t.Parallel()
				did, tables := tally{}, []table(nil)
				if check == nil {
					tables = forms[name].tables(p)
				}
				for n := range 36 {
					for seed := range *seeds {
						r := newNumbers(uint64(1000*n + seed))
						if check != nil {
							check(t, k, r, n)
						} else {
							now := checkProgram(t, k, p, forms[name], tables, r, n)
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

// mayLeave reports whether a program has a test that can stop it early.
func (p *program) mayLeave() bool {
	return slices.ContainsFunc(p.nodes, func(n node) bool { return n.op == opTest || n.op == opWithin })
}

// TestInstructionSets: each function uses only instructions that internal/cpu requires of the
// processor, and that round every product.
func TestInstructionSets(t *testing.T) {
	avx2 := []string{"AVX", "AVX2", "SSE2", "POPCNT", "CMOV", "MMX+"} // MMX+: PREFETCHT0
	avx512 := append([]string{"AVX512F", "AVX512DQ", "AVX512BW", "AVX512VL"}, avx2...)
	for _, s := range sources {
		file, err := s.compile()
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

// TestMachineRefuses: the interpreter detects what guard pages and hardware would detect.
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

// sameAnswers compares the first done results. Later ones must be unchanged.
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

// whole returns how many of n items a kernel does that leaves the rest, less than a register, to
// its caller.
func (k *kernel) whole(n int) int { return n - n%k.lanes }

// sets returns ranges of n points. In one case of four, range bad exceeds the points.
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
	b := &asm.BoxColumns{
		MinX: want[0][:bad], MinY: want[1][:bad], MinZ: want[2][:bad],
		MaxX: want[3][:bad], MaxY: want[4][:bad], MaxZ: want[5][:bad],
	}
	asm.PosedBoxes(c[0], c[1], c[2], first[:bad], count[:bad], &asm.BoxPoses{
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
