// Command gen generates files of package asm. A lane program is a list of operations; groups.go
// lists all lane programs. From each program gen generates the Go loop, the checks of lengths, the
// choice of the backend, and the assembly for AVX2, AVX-512 and NEON. From the hand-shaped loops,
// written with avo, it generates the assembly for AVX2 and AVX-512.
//
//	cd asm/gen && go generate ./...
//
// asm/gen is a module of its own, so no user of the engine depends on avo.
//
// One function writes a kernel for AVX2 and for AVX-512; lanes.go has the differences between both.
// The tests run all machine code for amd64 in an interpreter, and compare it with the engine's Go
// loops. So a machine without AVX-512 tests the AVX-512 code too.
//
// Read program.go first: it has the operations of lane programs. Files of the compiler begin with
// program_. Each other file has the kernels of one topic; lanes.go and search.go have what the
// hand-shaped loops share.
package main

//go:generate go run . -dir ..

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/printer"
)

// source is an assembly file for amd64. compile returns its functions, with registers assigned:
// text prints them, and the tests run them.
type source struct {
	name    string
	compile func() (*ir.File, error) // compiles on the first call only
}

func newSource(name string, fill func(avx2, avx512 *lanes)) source {
	return source{name, sync.OnceValues(func() (*ir.File, error) { return compile(fill) })}
}

// sources holds the files of the hand-shaped loops, then those of the lane programs.
var sources = append([]source{
	newSource("sweep_amd64.s", sweep),
	newSource("support_amd64.s", support),
	newSource("interval_amd64.s", interval),
	newSource("plane_amd64.s", plane),
	newSource("posedbox_amd64.s", posedBoxes),
	newSource("lattice_amd64.s", latticeSpans),
	newSource("latticerows_amd64.s", latticeRows),
	newSource("sortlists_amd64.s", sortLists),
	newSource("latticepairs_amd64.s", latticePairs),
	newSource("latticecorners_amd64.s", latticeCorners),
}, laneSources()...)

func laneSources() []source {
	var s []source
	for _, g := range groups {
		s = append(s, newSource(g.name+"_lanes_amd64.s", g.amd64))
	}
	return s
}

// compileAll compiles all sources, in parallel.
func compileAll() {
	var wait sync.WaitGroup
	for _, s := range sources {
		wait.Go(func() { _, _ = s.compile() }) // The next caller of compile gets the error.
	}
	wait.Wait()
}

// generated returns every generated file of package asm, by its name.
func generated() (map[string][]byte, error) {
	files := map[string][]byte{}
	compileAll()
	for _, s := range sources {
		written, err := s.text()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.name, err)
		}
		files[s.name] = written
	}
	for _, g := range groups {
		name := g.name + "_lanes.go"
		written, err := g.goText()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		files[name] = written
		files[g.name+"_lanes_arm64.s"] = []byte(neonText(g.all()...))
	}
	for _, k := range backends {
		name := "lanes_" + k.name + ".go"
		written, err := k.text()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		files[name] = written
	}
	return files, nil
}

func main() {
	dir := flag.String("dir", asmFolder, "folder to write to")
	flag.Parse()
	files, err := generated()
	for name, text := range files {
		if err == nil {
			err = os.WriteFile(filepath.Join(*dir, name), text, 0o644)
		}
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "gen: %v\n", err)
		os.Exit(1)
	}
}

// compile returns the functions of a file, with registers assigned.
func compile(fill func(avx2, avx512 *lanes)) (*ir.File, error) {
	c := build.NewContext()
	c.ConstraintExpr("!purego,!race")
	fill(&lanes{Context: c}, &lanes{Context: c, wide: true})
	file, err := c.Result()
	if err != nil {
		return nil, err
	}
	if err := pass.Compile.Execute(file); err != nil {
		return nil, err
	}
	for _, f := range file.Functions() {
		if len(f.Instructions()) == 0 {
			return nil, errors.New("a function without instructions")
		}
	}
	return file, nil
}

func (s *source) text() ([]byte, error) {
	file, err := s.compile()
	if err != nil {
		return nil, err
	}
	text, err := printer.NewGoAsm(printer.Config{Name: "asm/gen", Pkg: "asm"}).Print(file)
	return startOfText.ReplaceAllFunc(text, func(line []byte) []byte {
		line = append(bytes.Clone(line), "\n\tPCALIGN $64"...)
		if bytes.Contains(line, []byte(fromTheMiddle)) {
			line = append(line, strings.Repeat("\n\tBYTE $0x90", 32)...)
		}
		return line
	}), err
}

// startOfText matches the first line of a function. Functions start at a cache line. Otherwise the linker would lay them
// elsewhere in every build, and the largest loops, which do not fit into a processor's store of decoded instructions,
// would take up to a seventh longer or less by chance.
var startOfText = regexp.MustCompile(`(?m)^TEXT .*$`)

// fromTheMiddle is a function that is faster from the middle of a cache line: a step of 1000 hulls by 3 %.
const fromTheMiddle = "·shareCorners8AVX2("
