package main

import (
	"fmt"
	"slices"
	"strings"
)

// branch is a branch of the Go loop of a program: consecutive picks with the same mask, none of
// which reads another.
type branch struct {
	mask   int
	picks  []int
	inside []int // nodes that only the first choices of these picks need, rising; empty if they are cheap
}

// branches returns the branches of a program by their first pick, and which nodes are written
// inside of a branch.
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

// users returns, for each node, the live nodes that read it. A reader is listed once for each
// argument.
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

// onlyFor returns the arithmetic on which only the first choices of a branch depend. It returns nil
// if this has no quotient and no root, because a branch then saves nothing.
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

// goBranch returns the Go text of a branch.
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
