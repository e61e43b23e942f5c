package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// goForm is how Go code names the columns and uniforms of a program: c points to the structure of
// columns, u to that of uniforms.
type goForm struct {
	columns  *layout
	uniforms *layout // nil if there are none
}

// at returns row i of a column.
func (f *goForm) at(p *program, c int) string {
	slice, bytes := p.in(c)
	if p.place != nil {
		return fmt.Sprintf("%s[%d+i]", f.columns.fields[slice].in("c"), bytes/float64Bytes)
	}
	return f.column(c) + "[i]"
}

// column returns a column that is looked up.
func (f *goForm) column(c int) string { return f.columns.fields[c].in("c") }

// parameters returns the parameters of the Go functions of a program.
func (f *goForm) parameters() string {
	if f.uniforms == nil {
		return fmt.Sprintf("c *%s, lo, hi int", f.columns.structure)
	}
	return fmt.Sprintf("c *%s, u *%s, lo, hi int", f.columns.structure, f.uniforms.structure)
}

// arguments returns the arguments for these parameters.
func (f *goForm) arguments() string {
	if f.uniforms == nil {
		return "c, lo, hi"
	}
	return "c, u, lo, hi"
}

// goLoop returns the Go loop of a program, the function nameGeneric. It rounds every operation as
// the machine code does, and runs if there is no machine code. An index outside of its column
// panics before the item is written. If the program has a test, the function returns the first item
// that fails it, or hi.
func (f *goForm) goLoop(p *program) string {
	var b strings.Builder
	result, end := "", ""
	if p.stops() {
		result, end = "int", "return hi\n"
	}
	fmt.Fprintf(&b, "func %sGeneric(%s) %s {\nfor i := lo; i < hi; i++ {\n", p.name, f.parameters(), result)
	live := p.live()
	p.nest(live)
	branches, elsewhere := p.branches(live)
	for i, n := range p.nodes {
		if branch := branches[i]; branch != nil {
			b.WriteString(p.goBranch(branch, f))
		} else if live[i] && !elsewhere[i] {
			b.WriteString(p.goLine(i, n, f))
		}
	}
	fmt.Fprintf(&b, "}\n%s}\n", end)
	return b.String()
}

// stops reports whether a program has a test, so that it may leave items to the caller.
func (p *program) stops() bool {
	return slices.ContainsFunc(p.nodes, func(n node) bool { return n.op == opTest })
}

// goOperand returns a value as an operand: a variable, or the expression of the value if nothing
// else reads it.
func (p *program) goOperand(k int) string {
	n := p.nodes[k]
	if n.op == opConstant {
		return goConstant(math.Float64frombits(n.bits))
	}
	if !p.nested[k] {
		return fmt.Sprintf("v%d", k)
	}
	switch n.op {
	case opAdd, opSub, opDiv, opFlip:
		return "(" + p.goExpression(n) + ")"
	}
	return p.goExpression(n) // a call
}

// nest marks the arithmetic that has only one reader. Its expression stands within that of the
// reader. A variable for each value of a long program would double the linker's data on lines and
// variables.
func (p *program) nest(live []bool) {
	users := p.users(live)
	p.nested = make([]bool, len(p.nodes))
	for i, n := range p.nodes {
		_, folded := p.folded(n)
		p.nested[i] = !folded && n.op >= opAdd && n.op <= opAbs && len(users[i]) == 1
	}
}

// predicates are the predicates of compare in Go, by their numbers in lanes.go.
var predicates = map[int]string{
	int(equal): "==", int(notEqual): "!=", int(less): "<", int(lessOrEqual): "<=", int(greater): ">", int(greaterOrEqual): ">=",
}

// goLine returns the statement of one node.
func (p *program) goLine(i int, n node, f *goForm) string {
	if v, folded := p.folded(n); folded {
		return fmt.Sprintf("v%d := %s\n", i, goConstant(v))
	}
	switch n.op {
	case opConstant, opPart:
		return ""
	case opUniform:
		return fmt.Sprintf("v%d := %s\n", i, f.uniforms.fields[n.of].in("u"))
	case opLoad, opLoadIndex:
		if slices.ContainsFunc(p.nodes[:i], func(m node) bool { return m.op == opStore && m.of == n.of }) {
			panic(fmt.Sprintf("gen: %s: column %d is read after it was written", p.name, n.of))
		}
		return fmt.Sprintf("v%d := %s\n", i, f.at(p, n.of))
	case opGather:
		return fmt.Sprintf("v%d := %s[v%d]\n", i, f.column(n.of), n.a)
	case opWithin:
		var b strings.Builder
		for _, a := range n.args() {
			fmt.Fprintf(&b, "_ = %s[v%d]\n", f.column(n.of), a)
		}
		return b.String()
	case opTest:
		return fmt.Sprintf("if !%s {\nreturn i\n}\n", p.goOperand(n.a))
	case opStore:
		return fmt.Sprintf("%s = %s\n", f.at(p, n.of), p.goOperand(n.a))
	}
	if p.nested[i] {
		return ""
	}
	return fmt.Sprintf("v%d := %s\n", i, p.goExpression(n))
}

// goExpression returns the expression of an operation.
func (p *program) goExpression(n node) string {
	var arg []string
	for _, k := range n.args() {
		arg = append(arg, p.goOperand(k))
	}
	infix := func(op string) string { return fmt.Sprintf("%s %s %s", arg[0], op, arg[1]) }
	switch n.op {
	case opAdd:
		return infix("+")
	case opSub:
		return infix("-")
	case opMul:
		return "float64(" + infix("*") + ")"
	case opDiv:
		return infix("/")
	case opLesser:
		return fmt.Sprintf("lesser(%s, %s)", arg[0], arg[1])
	case opGreater:
		return fmt.Sprintf("greater(%s, %s)", arg[0], arg[1])
	case opSqrt:
		return fmt.Sprintf("math.Sqrt(%s)", arg[0])
	case opFlip:
		return "-" + arg[0]
	case opAbs:
		return fmt.Sprintf("math.Abs(%s)", arg[0])
	case opCompare:
		if n.of == int(notLess) {
			return fmt.Sprintf("!(%s)", infix("<"))
		}
		return infix(predicates[n.of])
	case opAnd:
		return infix("&&")
	case opOr:
		return infix("||")
	case opNot:
		return "!" + arg[0]
	}
	panic(fmt.Sprintf("gen: operation %d has no Go expression", n.op))
}

// goConstant returns a number as an operand. Infinities and the negative zero are function calls,
// because Go has no constants for them.
func goConstant(v float64) string {
	switch {
	case math.IsInf(v, 0):
		return fmt.Sprintf("math.Inf(%d)", int(math.Copysign(1, v)))
	case v == 0 && math.Signbit(v):
		return "math.Copysign(0, -1)"
	case v != v:
		panic("gen: a constant that is no number")
	}
	s := strconv.FormatFloat(v, 'g', -1, 64)
	if !strings.ContainsAny(s, ".e") {
		s += ".0" // else Go would take it for an integer
	}
	return s
}

// folded returns the value of an operation on constants. Go itself would compute such a constant
// expression without rounding, and without a negative zero.
func (p *program) folded(n node) (v float64, ok bool) {
	var a []float64
	for _, k := range n.args() {
		if p.nodes[k].op != opConstant {
			return 0, false
		}
		a = append(a, math.Float64frombits(p.nodes[k].bits))
	}
	switch n.op {
	case opAdd:
		return a[0] + a[1], true
	case opSub:
		return a[0] - a[1], true
	case opMul:
		return a[0] * a[1], true
	case opDiv:
		return a[0] / a[1], true
	case opFlip:
		return -a[0], true
	}
	return 0, false
}
