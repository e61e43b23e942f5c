package main

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// machine interprets the instruction lists that avo prints, with registers assigned. It knows the
// instructions that these kernels use, and refuses others. Memory is regions far apart. An access
// that is not entirely in one region stops the program, and so does a write to a read-only region.
type machine struct {
	general [16]uint64
	vector  [32][64]byte
	masks   [8]uint64
	left    int64 // the last comparison or calculation, as a signed number
	right   int64
	regions []*region
	symbols map[string]uint64
	args    uint64 // address of the arguments
	stack   uint64
	steps   int
}

type region struct {
	name     string
	at       uint64
	bytes    []byte
	readOnly bool
}

// crash is the panic value for an illegal access or an unknown instruction.
type crash struct{ why string }

func fail(format string, a ...any) { panic(crash{fmt.Sprintf(format, a...)}) }

// alloc makes a region. Addresses are odd multiples of 8, because kernels must not rely on more
// alignment.
func (m *machine) alloc(name string, bytes []byte, readOnly bool) uint64 {
	at := uint64(len(m.regions)+1)<<36 + 8
	m.regions = append(m.regions, &region{name, at, bytes, readOnly})
	return at
}

func (m *machine) memory(at uint64, size int, write bool) []byte {
	if i := at>>36 - 1; i < uint64(len(m.regions)) { // see alloc
		r := m.regions[i]
		if at >= r.at && at-r.at <= uint64(len(r.bytes)) && uint64(size) <= uint64(len(r.bytes))-(at-r.at) {
			if write && r.readOnly {
				fail("write to %s", r.name)
			}
			return r.bytes[at-r.at:][:size]
		}
	}
	fail("%d bytes at %#x are in no region", size, at)
	return nil
}

// address returns the address of a memory operand, without a vector of indices.
func (m *machine) address(o operand.Mem) uint64 {
	at := uint64(int64(o.Disp))
	switch o.Base {
	case nil:
	case reg.FramePointer:
		at += m.args
	case reg.StackPointer:
		at += m.stack
	case reg.StaticBase:
		symbol, ok := m.symbols[o.Symbol.Name]
		if !ok {
			fail("no symbol %s", o.Symbol.Name)
		}
		at += symbol
	default:
		at += *m.gp(o.Base)
	}
	if o.Index != nil && o.Index.Kind() == reg.KindGP {
		at += *m.gp(o.Index) * uint64(o.Scale)
	}
	return at
}

func (m *machine) gp(o operand.Op) *uint64 {
	r, ok := o.(reg.Register)
	if !ok || r.Kind() != reg.KindGP || r.ID().IsVirtual() {
		fail("%s is not a general register", o.Asm())
	}
	return &m.general[r.ID().Index()]
}

func (m *machine) vec(o operand.Op) []byte {
	r, ok := o.(reg.Register)
	if !ok || r.Kind() != reg.KindVector || r.ID().IsVirtual() {
		fail("%s is not a vector register", o.Asm())
	}
	return m.vector[r.ID().Index()][:r.Size()]
}

func isKind(o operand.Op, k reg.Kind) bool {
	r, ok := o.(reg.Register)
	return ok && r.Kind() == k
}

func (m *machine) mask(o operand.Op) *uint64 {
	if !isKind(o, reg.KindOpmask) {
		fail("%s is not a mask", o.Asm())
	}
	return &m.masks[o.(reg.Register).ID().Index()]
}

// source returns the bytes of a vector register, or as many bytes of memory.
func (m *machine) source(o operand.Op, size int) []byte {
	if mem, ok := o.(operand.Mem); ok {
		return m.memory(m.address(mem), size, false)
	}
	if b, ok := o.(literal); ok {
		return b[:size]
	}
	return m.vec(o)[:size]
}

// number returns an operand of 4 or 8 bytes. A 4-byte one is zero-extended.
func (m *machine) number(o operand.Op, size int) uint64 {
	var v uint64
	switch o := o.(type) {
	case operand.Mem:
		b := m.memory(m.address(o), size, false)
		if size == 4 {
			return uint64(binary.LittleEndian.Uint32(b))
		}
		return binary.LittleEndian.Uint64(b)
	case operand.U8:
		v = uint64(o)
	case operand.U32:
		v = uint64(o)
	case operand.I8:
		v = uint64(int64(o))
	case reg.Register:
		switch o.Kind() {
		case reg.KindVector:
			v = get(m.vec(o), 0)
		case reg.KindOpmask:
			v = *m.mask(o)
		default:
			v = *m.gp(o)
		}
	default:
		fail("operand %s", o.Asm())
	}
	if size == 4 {
		v = uint64(uint32(v))
	}
	return v
}

// put writes a whole vector register, and zeroes its upper part.
func (m *machine) put(o operand.Op, value []byte) {
	size := len(m.vec(o))
	full := m.vector[o.(reg.Register).ID().Index()][:]
	n := copy(full[:size], value)
	clear(full[n:])
}

// store writes a number to a register or to memory. A 4-byte write zeroes the upper half of a
// general register.
func (m *machine) store(o operand.Op, v uint64, size int) {
	b := binary.LittleEndian.AppendUint64(nil, v)[:size]
	if mem, ok := o.(operand.Mem); ok {
		copy(m.memory(m.address(mem), size, true), b)
		return
	}
	switch {
	case isKind(o, reg.KindVector):
		m.put(o, b)
	case isKind(o, reg.KindOpmask):
		*m.mask(o) = v & (1<<(8*size) - 1)
	case size == 4:
		*m.gp(o) = uint64(uint32(v))
	default:
		*m.gp(o) = v
	}
}

func get(b []byte, lane int) uint64     { return binary.LittleEndian.Uint64(b[8*lane:]) }
func set(b []byte, lane int, v uint64)  { binary.LittleEndian.PutUint64(b[8*lane:], v) }
func float(b []byte, lane int) float64  { return math.Float64frombits(get(b, lane)) }
func word32(b []byte, lane int) uint32  { return binary.LittleEndian.Uint32(b[4*lane:]) }
func setWord(b []byte, i int, v uint32) { binary.LittleEndian.PutUint32(b[4*i:], v) }

// run executes a function from its first instruction to RET.
func (m *machine) run(f *ir.Function) (err error) {
	var at *ir.Instruction
	defer func() {
		if r := recover(); r != nil {
			c, ok := r.(crash)
			if !ok {
				panic(r)
			}
			err = fmt.Errorf("%s: %s %v: %s", f.Name, at.OpcodeWithSuffixes(), at.Operands, c.why)
		}
	}()
	labels := map[ir.Label]int{}
	var program []*ir.Instruction
	for _, n := range f.Nodes {
		switch n := n.(type) {
		case ir.Label:
			labels[n] = len(program)
		case *ir.Instruction:
			program = append(program, n)
		}
	}
	for pc := 0; ; pc++ {
		at = program[pc]
		if m.steps++; m.steps > 1<<20 {
			fail("does not end")
		}
		if at.Opcode == "RET" {
			return nil
		}
		if at.IsBranch {
			if m.taken(at.Opcode) {
				pc = labels[*at.TargetLabel()] - 1
			}
			continue
		}
		m.execute(at.OpcodeWithSuffixes(), at.Operands)
	}
}

func (m *machine) taken(jump string) bool {
	switch jump {
	case "JMP":
		return true
	case "JEQ":
		return m.left == m.right
	case "JNE":
		return m.left != m.right
	case "JLT":
		return m.left < m.right
	case "JLE":
		return m.left <= m.right
	case "JGT":
		return m.left > m.right
	case "JGE":
		return m.left >= m.right
	}
	fail("unknown")
	return false
}

// load puts a file's constants into memory.
func load(file *ir.File) *machine {
	m := &machine{symbols: map[string]uint64{}}
	for _, s := range file.Sections {
		g, ok := s.(*ir.Global)
		if !ok {
			continue
		}
		b := make([]byte, g.Size)
		for _, d := range g.Data {
			v, ok := d.Value.(operand.U64)
			if !ok {
				panic("a constant that is not 64 bits")
			}
			binary.LittleEndian.PutUint64(b[d.Offset:], uint64(v))
		}
		m.symbols[g.Symbol.Name] = m.alloc(g.Symbol.Name, b, true)
	}
	return m
}

// records is a slice of structures of so many words each.
type records struct {
	words []uint64
	each  int
}

// call runs a function. Each argument is a []float64, a []uint32, an int, a float64 or a structure
// of columns. Slices that are outputs are wrapped. It returns the words of the results.
func (m *machine) call(f *ir.Function, results int, args ...any) ([]uint64, error) {
	var frame []byte
	type written struct {
		bytes []byte
		back  any
	}
	var outputs []written
	slice := func(frame []byte, a any, readOnly bool) []byte {
		var b []byte
		n := 0
		switch a := a.(type) {
		case []float64:
			n, b = len(a), make([]byte, 0, 8*len(a))
			for _, v := range a {
				b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
			}
		case []uint32:
			n, b = len(a), make([]byte, 0, 4*len(a))
			for _, v := range a {
				b = binary.LittleEndian.AppendUint32(b, v)
			}
		case records:
			n, b = len(a.words)/a.each, make([]byte, 0, 8*len(a.words))
			for _, v := range a.words {
				b = binary.LittleEndian.AppendUint64(b, v)
			}
		case []uint64:
			n = len(a)
			for _, v := range a {
				b = binary.LittleEndian.AppendUint64(b, v)
			}
		default:
			panic(fmt.Sprintf("argument %T", a))
		}
		at := m.alloc(fmt.Sprintf("argument at %d", len(frame)), b, readOnly)
		if !readOnly {
			outputs = append(outputs, written{b, a})
		}
		frame = binary.LittleEndian.AppendUint64(frame, at)
		frame = binary.LittleEndian.AppendUint64(frame, uint64(n))
		return binary.LittleEndian.AppendUint64(frame, uint64(n))
	}
	for _, a := range args {
		switch a := a.(type) {
		case int:
			frame = binary.LittleEndian.AppendUint64(frame, uint64(a))
		case float64:
			frame = binary.LittleEndian.AppendUint64(frame, math.Float64bits(a))
		case pointer:
			frame = slice(frame, []float64(a), true)
			frame = frame[:len(frame)-16] // the address only
		case output:
			frame = slice(frame, a.column, false)
		case structure:
			var s []byte
			for _, c := range a.columns {
				if w, ok := c.(output); ok {
					s = slice(s, w.column, false)
				} else {
					s = slice(s, c, !a.written)
				}
			}
			frame = binary.LittleEndian.AppendUint64(frame, m.alloc("structure", s, true))
		case array:
			var s []byte
			for _, v := range a {
				s = binary.LittleEndian.AppendUint64(s, math.Float64bits(v))
			}
			frame = binary.LittleEndian.AppendUint64(frame, m.alloc("array", s, true))
		default:
			frame = slice(frame, a, true)
		}
	}
	n := len(frame)
	frame = append(frame, make([]byte, 8*results)...)
	m.args = m.alloc("arguments", frame, false)
	m.stack = m.alloc("stack", make([]byte, f.LocalSize), false)
	// Old values of the registers must not matter.
	for i := range m.vector {
		for j := range m.vector[i] {
			m.vector[i][j] = byte(0xA5 + i*7 + j)
		}
	}
	for i := range m.masks {
		m.masks[i] = 0x5A
	}
	for i := range m.general {
		m.general[i] = 0xDEAD00000000 + uint64(i)
	}
	if err := m.run(f); err != nil {
		return nil, err
	}
	for _, w := range outputs {
		switch back := w.back.(type) {
		case []float64:
			for i := range back {
				back[i] = float(w.bytes, i)
			}
		case []uint32:
			for i := range back {
				back[i] = word32(w.bytes, i)
			}
		case []uint64:
			for i := range back {
				back[i] = get(w.bytes, i)
			}
		}
	}
	var words []uint64
	for i := range results {
		words = append(words, binary.LittleEndian.Uint64(frame[n+8*i:]))
	}
	return words, nil
}

type (
	output    struct{ column any } // a slice the kernel writes
	array     []float64            // a pointer to an array
	pointer   []float64            // a pointer to the first of a column
	structure struct {             // a pointer to a structure of columns
		columns []any
		written bool
	}
)

func trimSuffix(opcode string) (string, bool) {
	return strings.TrimSuffix(opcode, ".Z"), strings.HasSuffix(opcode, ".Z")
}
