package main

import (
	"fmt"
	"strings"
)

// entry returns the function with the name of a program. It checks lengths, calls the machine code,
// and runs the Go loop on the rest. If the program has a test, the machine code may stop early. The
// function then runs the Go loop on one register of items. It returns if the Go loop stops too, and
// else calls the machine code again.
func (f *goForm) entry(p *program) string {
	var b strings.Builder
	n, args := p.name, f.arguments()
	if !p.stops() {
		fmt.Fprintf(&b, "func %s(%s) {\n", n, f.parameters())
		if p.place == nil {
			fmt.Fprintf(&b, "%sCheck(c, lo, hi)\n", n)
		}
		fmt.Fprintf(&b, "lo = %sLanes(%s)\n%sGeneric(%s)\n}\n", n, args, n, args)
		return b.String()
	}
	rest := strings.TrimSuffix(args, "hi") + "stop"
	fmt.Fprintf(&b, "func %s(%s) int {\n%sCheck(c, lo, hi)\n", n, f.parameters(), n)
	fmt.Fprintf(&b, "for lo < hi {\nlo = %sLanes(%s)\nstop := hi\n", n, args)
	fmt.Fprintf(&b, "if lanes := Lanes(); lanes > 1 {\nstop = min(lo+lanes, hi)\n}\n")
	fmt.Fprintf(&b, "if lo = %sGeneric(%s); lo < stop {\nbreak\n}\n}\nreturn lo\n}\n", n, rest)
	return b.String()
}

// backend is an architecture. write returns the choice of the machine code of a program, by the
// flags of package asm.
type backend struct {
	name       string // the file is lanes_name.go
	constraint string
	write      func(f *goForm, p *program) string
}

var backends = []backend{
	{"amd64", "!purego && !race", (*goForm).dispatchAMD64},
	{"arm64", "!purego && !race", (*goForm).dispatchARM64},
	{"noasm", "purego || race || (!amd64 && !arm64)", (*goForm).dispatchNone},
}

// text returns the file of an architecture that chooses the machine code, for all groups.
func (k *backend) text() ([]byte, error) {
	var b strings.Builder
	for _, g := range groups {
		for i, p := range g.programs() {
			b.WriteString("\n" + k.write(g.form(i), p))
		}
	}
	return goFile(k.constraint, b.String())
}

// dispatchAMD64 returns the choice for amd64. On a processor with AVX-512, AVX2 does the rest that
// is less than a register of AVX-512.
func (f *goForm) dispatchAMD64(p *program) string {
	var b strings.Builder
	fmt.Fprintf(&b, "func %sLanes(%s) int {\n", p.name, f.parameters())
	avx512, avx2, alone := f.kernelCall(p, "AVX512"), f.kernelCall(p, "AVX2"), ""
	if !p.alone {
		fmt.Fprintf(&b, "switch {\ncase useAVX512:\nlo = %s\nreturn %s\ncase useAVX2:\nreturn %s\n}\nreturn lo\n}\n", avx512, avx2, avx2)
	} else {
		one := f.kernelCall(p, aloneSuffix)
		fmt.Fprintf(&b, "if !useAVX512 && !useAVX2 {\nreturn lo\n}\nif hi-lo > 1 {\nif useAVX512 {\nlo = %s\n}\nlo = %s\n}\nreturn %s\n}\n", avx512, avx2, one)
		alone = "\n" + f.declaration(p, aloneSuffix)
	}
	return b.String() + "\n" + f.declaration(p, "AVX2") + "\n" + f.declaration(p, "AVX512") + alone
}

func (f *goForm) dispatchARM64(p *program) string {
	call := fmt.Sprintf("func %sLanes(%s) int {\nif useNEON {\nreturn %s\n}\nreturn lo\n}\n", p.name, f.parameters(), f.kernelCall(p, "NEON"))
	return call + "\n" + f.declaration(p, "NEON")
}

func (f *goForm) dispatchNone(p *program) string {
	return fmt.Sprintf("func %sLanes(%s) int { return lo }\n", p.name, f.parameters())
}

// kernelCall returns the call of a kernel in machine code, which returns the first item that it has
// not done.
func (f *goForm) kernelCall(p *program, suffix string) string {
	u := "nil"
	if f.uniforms != nil {
		u = "u"
	}
	return fmt.Sprintf("%s%s(c, %s, lo, hi)", p.name, suffix, u)
}

func (f *goForm) declaration(p *program, suffix string) string {
	u := "float64"
	if f.uniforms != nil {
		u = f.uniforms.structure
	}
	return fmt.Sprintf("//go:noescape\nfunc %s%s(c *%s, u *%s, lo, hi int) (next int)\n", p.name, suffix, f.columns.structure, u)
}
