package main

import (
	"bytes"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCommitted fails if a generated file of package asm differs from what the generator writes. It
// also fails if an old file is left over, or if the name or the first line of a file does not mark
// it as generated.
func TestCommitted(t *testing.T) {
	want, err := generated()
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range want {
		got, err := os.ReadFile(filepath.Join(asmFolder, name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, text) {
			t.Errorf("asm/%s is not what is generated: run go generate", name)
		}
	}
	paths, err := filepath.Glob(filepath.Join(asmFolder, "*.*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		name := filepath.Base(path)
		if _, ours := want[name]; isGenerated(path) != ours {
			t.Errorf("asm/%s: marked as generated %v, is generated %v", name, isGenerated(path), ours)
		}
		named := strings.HasPrefix(name, "lanes_") || strings.Contains(name, "_lanes.") || strings.Contains(name, "_lanes_") ||
			strings.HasSuffix(name, "_amd64.s")
		if _, ours := want[name]; named != ours {
			t.Errorf("asm/%s: named as a generated file %v, is one %v", name, named, ours)
		}
	}
}

// TestNEONFusesNothing: the NEON files have no fused instruction. What they compute is tested by
// package asm on arm64.
func TestNEONFusesNothing(t *testing.T) {
	for _, g := range groups {
		text := neonText(g.all()...)
		for _, fused := range []string{"FMLA", "FMLS", "FMADD", "FMSUB"} {
			if strings.Contains(text, fused) {
				t.Errorf("%s fuses: %s", g.name, fused)
			}
		}
	}
}

// testForm is a structure for programs of tests.
func testForm(columns ...field) *goForm { return &goForm{columns: &layout{"Test", columns}} }

func named(names ...string) (f []field) {
	for _, n := range names {
		f = append(f, field{name: n})
	}
	return f
}

// TestGoLoop has a statement of each kind that needs care in Go: products that the compiler could
// fuse, constants without rounding or sign, and picks that must not read each other.
func TestGoLoop(t *testing.T) {
	p := newProgram("test")
	a, b := p.load(0), p.load(1)
	m := p.compare(uint8(less), a, b)
	p.require(p.compare(uint8(notLess), b, p.constant(0)))
	x := p.pick(m, p.mul(a, b), p.neg(p.constant(0)))
	y := p.pick(m, x, a)
	p.store(2, p.add(x, p.div(p.constant(1), p.constant(3))))
	p.store(3, y)
	got := testForm(named("A", "B", "X", "Y")...).goLoop(p)
	for _, want := range []string{
		"func testGeneric(c *Test, lo, hi int) int {", "return hi", ":= !(v1 < 0.0)", "return i\n", "float64(v0 * v1)",
		"math.Copysign(0, -1)", "0.3333333333333333", "c.X[i] =",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if n := strings.Count(got, "if v2 {"); n != 2 {
		t.Errorf("%d branches on one mask, want 2, as one pick reads the other:\n%s", n, got)
	}
}

// TestGoLoopLeavesOut: a quotient that only one choice needs, and the product in it, are inside of
// the branch. A sum that another statement reads is before the branch.
func TestGoLoopLeavesOut(t *testing.T) {
	p := newProgram("test")
	a, b := p.load(0), p.load(1)
	both, product := p.add(a, b), p.mul(a, b)
	chosen := p.pick(p.compare(uint8(less), a, b), p.div(p.add(both, product), b), both)
	p.store(2, p.add(chosen, both))
	got := testForm(named("A", "B", "X")...).goLoop(p)
	before, inside, found := strings.Cut(got, "if v4 {")
	if !found || !strings.Contains(before, "v2 := v0 + v1") || !strings.Contains(inside, "float64(v0 * v1)") || !strings.Contains(inside, " / v1") {
		t.Errorf("not what is expected before and in the branch:\n%s", got)
	}
}

// TestGoLoopRefuses: operations without a Go statement panic.
func TestGoLoopRefuses(t *testing.T) {
	for name, build := range map[string]func(p *program){
		"a uniform": func(p *program) { p.store(2, p.uniform(0)) },
		"a column read after it was written": func(p *program) {
			p.store(0, p.load(1))
			p.store(1, p.load(0))
		},
		"no number": func(p *program) { p.store(0, p.div(p.constant(0), p.constant(0))) },
	} {
		p := newProgram("refused")
		build(p)
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s goes into Go", name)
				}
			}()
			testForm(named("A", "B", "C")...).goLoop(p)
		}()
	}
}

// TestCheckOfLengths derives from a program which columns must have one length.
func TestCheckOfLengths(t *testing.T) {
	fields := append(named("Gap", "Row", "VelX", "VelY", "Unused"),
		field{name: "Table[0]", array: "Table", shifted: true}, field{name: "Table[1]", array: "Table", at: 1, shifted: true},
		field{name: "Pair[0]", array: "Pair"}, field{name: "Pair[1]", array: "Pair", at: 1})
	p := newProgram("test")
	row := p.loadIndex(1)
	p.within(2, row)
	p.within(6, row)
	p.within(8, row)
	sum := p.add(p.gather(3, row), p.gather(2, row))
	for c := column(5); c < 9; c++ {
		sum = p.add(sum, p.gather(c, row))
	}
	p.store(0, sum)
	f := testForm(fields...)
	got := strings.Join(strings.Fields(f.check(p)), " ")
	for _, want := range []string{
		"n := len(c.Gap) if lo < 0 || hi < lo || hi > n {", "if len(c.Row) != n {", "n = len(c.VelX) if len(c.VelY) != n {",
		"n = len(c.Table[0]) if len(c.Table[1]) != max(n-1, 0) {", "n = len(c.Pair[1]) if len(c.Pair[0]) != n {",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if strings.Contains(got, "Unused") {
		t.Errorf("a column that is not read is checked:\n%s", got)
	}
}

// TestLayout finds columns and elements of arrays by name, and panics for unknown names.
func TestLayout(t *testing.T) {
	l := layoutOf("FaceFaceColumns")
	if a, b := l.column("PosX"), l.column("Quads"); a != 0 || b != 7 || l.lastColumn("Quads") != 46 {
		t.Errorf("PosX is column %d, Quads %d to %d", a, b, l.lastColumn("Quads"))
	}
	for name, f := range map[string]func(){
		"a field": func() { l.column("Mass") }, "a structure": func() { layoutOf("FaceFacs") }, "no structure": func() { layoutOf("Support") },
		"a number":       func() { asmNumber("Support") },
		"a whole number": func() { asmWhole("wayUp") },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s that is not there is found", name)
				}
			}()
			f()
		}()
	}
	if v := asmWhole("LatticeLane"); v != 20 {
		t.Errorf("LatticeLane is %v", v)
	}
	if v := asmNumber("wayUp"); v != 1+0x1p-47 {
		t.Errorf("wayUp is %v", v)
	}
}

// TestGeneratorReadsSourceOnly: the generator imports no package of the engine. Package asm does
// not compile while the contract of a new kernel calls functions that are still to be generated.
func TestGeneratorReadsSourceOnly(t *testing.T) {
	paths, err := filepath.Glob("*.go")
	if err != nil || len(paths) == 0 {
		t.Fatalf("%d files: %v", len(paths), err)
	}
	for _, path := range paths {
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range f.Imports {
			if strings.Contains(i.Path.Value, "scree-dem/scree") && !strings.HasSuffix(path, "_test.go") {
				t.Errorf("%s imports %s", path, i.Path.Value)
			}
		}
	}
}
