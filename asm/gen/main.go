// Command gen writes the amd64 assembly of package asm, in Go's syntax, from programs that are written
// with avo, and the arm64 assembly and some Go loops of those that are lists of operations. It is a module of its own so
// that no user of the engine depends on avo.
//
//	cd asm/gen && go generate ./...
//
// One generator writes the same kernel for AVX2 and AVX-512: lanes.go has what differs between them.
// The tests run every program in an interpreter and compare it with the engine's Go loops, so that a
// machine without AVX-512 proves it too.
package main

//go:generate go run . -dir ..

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/printer"
)

// sources are the files this program writes, and what fills each.
var sources = []struct {
	name string
	fill func(avx2, avx512 *lanes)
}{
	{"sweep_amd64.s", sweep},
	{"support_amd64.s", support},
	{"interval_amd64.s", interval},
	{"plane_amd64.s", plane},
	{"posedbox_amd64.s", posedBoxes},
	{"overlap_amd64.s", overlap},
	{"lattice_amd64.s", latticeSpans},
	{"hilbert_amd64.s", hilbert},
	{"motion_amd64.s", motion},
	{"linearlaw_amd64.s", linearLaw},
	{"thicknesslaw_amd64.s", thicknessLaw},
	{"facets_amd64.s", facets},
	{"lowest_amd64.s", lowest},
	{"location_amd64.s", location},
	{"faceface_amd64.s", faceFaces},
	{"cold_amd64.s", coldPairs},
	{"share_amd64.s", share},
	{"solid_amd64.s", solid},
}

// neonSources are those for arm64, made of the same programs.
var neonSources = []struct {
	name     string
	programs func() []*program
}{
	{"motion_arm64.s", motionPrograms},
	{"facets_arm64.s", facetPrograms},
	{"lowest_arm64.s", lowestPrograms},
	{"location_arm64.s", locationPrograms},
	{"faceface_arm64.s", faceFacePrograms},
	{"cold_arm64.s", coldPrograms},
	{"share_arm64.s", sharePrograms},
	{"solid_arm64.s", solidPrograms},
	{"thicknesslaw_arm64.s", thicknessPrograms},
}

// goSources are Go loops made of the same programs.
var goSources = []struct {
	name     string
	form     goForm
	programs func() []*program
}{
	{"share_generic.go", goForm{structure: "Shares", column: shareColumn}, sharePrograms},
	{"solid_generic.go", goForm{structure: "Solids", cell: solidCell}, solidPrograms},
	{"thicknesslaw_generic.go", goForm{structure: "ThicknessLaw", column: thicknessColumn, uniforms: "lawUniforms", uniform: thicknessUniform}, thicknessPrograms},
}

func main() {
	dir := flag.String("dir", ".", "folder to write to")
	flag.Parse()
	for _, s := range sources {
		text, err := text(s.fill)
		if err == nil {
			err = os.WriteFile(filepath.Join(*dir, s.name), text, 0o644)
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "gen: %s: %v\n", s.name, err)
			os.Exit(1)
		}
	}
	for _, s := range goSources {
		text, err := goText(&s.form, s.programs()...)
		if err == nil {
			err = os.WriteFile(filepath.Join(*dir, s.name), text, 0o644)
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "gen: %s: %v\n", s.name, err)
			os.Exit(1)
		}
	}
	for _, s := range neonSources {
		if err := os.WriteFile(filepath.Join(*dir, s.name), []byte(neonText(s.programs()...)), 0o644); err != nil {
			fmt.Fprintf(os.Stderr, "gen: %s: %v\n", s.name, err)
			os.Exit(1)
		}
	}
}

// compile returns a file's functions with registers assigned: what text prints and the tests run.
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

func text(fill func(avx2, avx512 *lanes)) ([]byte, error) {
	file, err := compile(fill)
	if err != nil {
		return nil, err
	}
	return printer.NewGoAsm(printer.Config{Name: "asm/gen", Pkg: "asm"}).Print(file)
}
