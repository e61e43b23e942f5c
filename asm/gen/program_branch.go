package main

import (
	"fmt"
	"slices"
	"strings"
)

// branch is where the Go loop of a program branches: picks that follow each other, go by the same
// mask and do not read each other.
type branch struct {
	mask   int
	picks  []int
	inside []int // what only their first choice needs, if that is dear, rising
}

// branches returns the branches of a program by their first pick, and which nodes are written in
// one.
func (p *program) branches(live []bool) (first map[int]*branch, inside []bool) {
	first, inside = map[int]*branch{}, make([]bool, len(p.nodes))
	users := p.users(live)
	for i := 0; i < len(p.nodes); i++ {
		if !live[i] || p.nodes[i].op != opPick {
			continue
		}
		b := p.together(i, live)
		b.inside = p.onlyFor(b, users)
		first[i] = b
		for _, k := range append(b.inside, b.picks...) {
			inside[k] = true
		}
		i = b.picks[len(b.picks)-1]
	}
	return first, inside
}

// users returns the live nodes that read each, one once for each argument.
func (p *program) users(live []bool) [][]int {
	users := make([][]int, len(p.nodes))
	for i, n := range p.nodes {
		if live[i] {
			for _, a := range n.args() {
				users[a] = append(users[a], i)
			}
		}
	}
	return users
}

// together returns the branch that begins with pick i.
func (p *program) together(i int, live []bool) *branch {
	b := &branch{mask: p.nodes[i].a}
	for ; i < len(p.nodes); i++ {
		n := p.nodes[i]
		if !live[i] || n.op == opConstant {
			continue
		}
		if n.op != opPick || n.a != b.mask || slices.Contains(b.picks, n.b) || slices.Contains(b.picks, n.c) {
			break
		}
		b.picks = append(b.picks, i)
	}
	return b
}

// onlyFor returns the arithmetic that nothing but the first choices of a branch depends on.
// Without a quotient or a root it is not worth while.
func (p *program) onlyFor(b *branch, users [][]int) []int {
	var only []int
	dear := false
	for k := b.picks[0] - 1; k >= 0; k-- {
		n := p.nodes[k]
		if n.op < opAdd || n.op > opAbs || len(users[k]) == 0 {
			continue
		}
		elsewhere := slices.ContainsFunc(users[k], func(u int) bool {
			choice := slices.Contains(b.picks, u) && p.nodes[u].b == k && p.nodes[u].c != k
			return !choice && !slices.Contains(only, u)
		})
		if !elsewhere {
			only = append(only, k)
			dear = dear || n.op == opDiv || n.op == opSqrt
		}
	}
	if !dear {
		return nil
	}
	slices.Reverse(only)
	return only
}

// goBranch is a branch in Go.
func (p *program) goBranch(b *branch, f *goForm) string {
	var no, yes strings.Builder
	for _, i := range b.inside {
		yes.WriteString(p.goLine(i, p.nodes[i], f))
	}
	for _, i := range b.picks {
		fmt.Fprintf(&no, "v%d := float64(%s)\n", i, p.goOperand(p.nodes[i].c))
		fmt.Fprintf(&yes, "v%d = %s\n", i, p.goOperand(p.nodes[i].b))
	}
	return fmt.Sprintf("%sif %s {\n%s}\n", &no, p.goOperand(b.mask), &yes)
}
