package main

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/bits"
	"strings"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// execute runs one instruction. Operands are in Go's order, the reverse of the order in Intel's
// manuals; only comparisons have the same order. The cases follow the pseudocode of volume 2.
func (m *machine) execute(opcode string, o []operand.Op) {
	if plain, spread := strings.CutSuffix(opcode, ".BCST"); spread {
		opcode, o = plain, m.spread(o)
	}
	if m.executeGeneral(opcode, o) || m.executeWords(opcode, o) || m.executeLanes(opcode, o) || m.executeOne(opcode, o) {
		return
	}
	dst := o[len(o)-1]
	switch opcode {
	case "VMOVUPD", "VMOVAPD", "VMOVUPD.Z", "VMOVDQU", "VMOVDQU32", "VMOVUPS":
		m.move(opcode, o)
	case "VMASKMOVPD":
		keep, v := m.vec(o[1]), make([]byte, len(m.vec(dst)))
		for i := range len(v) / 8 {
			if get(keep, i)>>63 == 1 {
				copy(v[8*i:], m.memory(m.address(o[0].(operand.Mem))+uint64(8*i), 8, false))
			}
		}
		m.put(dst, v)
	case "VMOVSD", "VMOVQ":
		m.store(dst, m.number(o[0], 8), 8)
	case "VMOVHPD": // a load, beside the low half of a register
		v := append([]byte{}, m.vec(o[1])...)
		set(v, 1, m.number(o[0], 8))
		m.put(dst, v)
	case "VINSERTF128", "VINSERTF64X2":
		v := append([]byte{}, m.vec(o[2])...)
		copy(v[16*int(o[0].(operand.U8)&1):], m.source(o[1], 16))
		m.put(dst, v)
	case "VINSERTF64X4":
		v := append([]byte{}, m.vec(o[2])...)
		copy(v[32*int(o[0].(operand.U8)&1):], m.source(o[1], 32))
		m.put(dst, v)
	case "VMOVD":
		m.store(dst, m.number(o[0], 4), 4)
	case "VBROADCASTSD", "VPBROADCASTQ":
		v, b := m.number(o[0], 8), make([]byte, len(m.vec(dst)))
		for i := range len(b) / 8 {
			set(b, i, v)
		}
		m.put(dst, b)
	case "VPBROADCASTD":
		v, b := m.number(o[0], 4), make([]byte, len(m.vec(dst)))
		for i := range len(b) / 4 {
			setWord(b, i, uint32(v))
		}
		m.put(dst, b)
	case "VBLENDVPD":
		v := append([]byte{}, m.vec(o[2])...)
		for i := range len(v) / 8 {
			if get(m.vec(o[0]), i)>>63 == 1 {
				set(v, i, get(m.source(o[1], len(v)), i))
			}
		}
		m.put(dst, v)
	case "VBLENDMPD":
		v := append([]byte{}, m.vec(o[1])...)
		for i := range len(v) / 8 {
			if *m.mask(o[2])>>i&1 == 1 {
				set(v, i, get(m.source(o[0], len(v)), i))
			}
		}
		m.put(dst, v)
	case "VSQRTPD":
		v := make([]byte, len(m.vec(dst)))
		for i := range len(v) / 8 {
			set(v, i, math.Float64bits(math.Sqrt(float(m.source(o[0], len(v)), i))))
		}
		m.put(dst, v)
	case "PREFETCHT0": // touches no memory
	case "VPCMPUD":
		if o[0].(operand.U8) != 1 {
			fail("predicate %v", o[0])
		}
		var less uint64
		a := m.vec(o[2])
		for i := range len(a) / 4 {
			if word32(a, i) < word32(m.source(o[1], len(a)), i) {
				less |= 1 << i
			}
		}
		*m.mask(dst) = less
	case "VEXTRACTF128":
		m.put(dst, append([]byte{}, m.vec(o[1])[16*int(o[0].(operand.U8)&1):][:16]...))
	case "VEXTRACTF64X4", "VEXTRACTI64X4":
		m.put(dst, append([]byte{}, m.vec(o[1])[32*int(o[0].(operand.U8)&1):][:32]...))
	case "VCMPPD", "VPCMPGTQ":
		m.compare(opcode, o)
	case "VPMOVQD":
		v := make([]byte, 4*len(m.vec(o[0]))/8)
		for i := range len(v) / 4 {
			setWord(v, i, uint32(get(m.vec(o[0]), i)))
		}
		keep := ^uint64(0)
		if len(o) == 3 {
			keep = *m.mask(o[1])
		}
		at := m.address(dst.(operand.Mem))
		for i := range len(v) / 4 {
			if keep>>i&1 == 1 {
				copy(m.memory(at+uint64(4*i), 4, true), v[4*i:4*i+4])
			}
		}
	case "VPMOVZXDQ.Z":
		v, keep := make([]byte, len(m.vec(dst))), *m.mask(o[1])
		for i := range len(v) / 8 {
			if keep>>i&1 == 1 {
				set(v, i, uint64(word32(m.memory(m.address(o[0].(operand.Mem))+uint64(4*i), 4, false), 0)))
			}
		}
		m.put(dst, v)
	case "VPCOMPRESSD.Z":
		v, n := make([]byte, len(m.vec(dst))), 0
		for i := range len(v) / 4 {
			if *m.mask(o[1])>>i&1 == 1 {
				setWord(v, n, word32(m.vec(o[0]), i))
				n++
			}
		}
		m.put(dst, v)
	case "VGATHERDPD", "VGATHERQPD":
		m.gather(opcode, o)
	case "VMOVMSKPD", "VMOVMSKPS":
		var v uint64
		src := m.vec(o[0])
		size := map[string]int{"VMOVMSKPD": 8, "VMOVMSKPS": 4}[opcode]
		for i := range len(src) / size {
			v |= uint64(src[size*i+size-1]>>7) << i
		}
		m.store(dst, v, 4)
	default:
		fail("unknown")
	}
}

// executeOne runs arithmetic on the low number of a register. The high half of the first source
// stays, and memory has one number.
func (m *machine) executeOne(opcode string, o []operand.Op) bool {
	switch opcode {
	case "VADDSD", "VSUBSD", "VMULSD", "VDIVSD", "VMINSD", "VMAXSD", "VCMPSD", "VSQRTSD":
	default:
		return false
	}
	n := len(o)
	low := literal(binary.LittleEndian.AppendUint64(nil, m.number(o[n-3], 8)))
	high := get(m.vec(o[n-2]), 1)
	all := append([]operand.Op{}, o...)
	all[n-3] = append(low, make([]byte, 8)...)
	if opcode == "VSQRTSD" {
		all = []operand.Op{all[0], all[2]}
	}
	m.execute(strings.TrimSuffix(opcode, "SD")+"PD", all)
	set(m.vec(o[n-1]), 1, high)
	return true
}

// spread replaces a memory operand that stands for every lane by copies of it.
func (m *machine) spread(o []operand.Op) []operand.Op {
	o = append([]operand.Op{}, o...)
	for i, p := range o {
		if mem, ok := p.(operand.Mem); ok {
			o[i] = literal(bytes.Repeat(m.memory(m.address(mem), 8, false), 8))
			return o
		}
	}
	fail("nothing to spread")
	return nil
}

// literal is an operand with these bytes.
type literal []byte

func (literal) Asm() string { return "literal" }

// move copies registers and memory, with masks of 64-bit lanes.
func (m *machine) move(opcode string, o []operand.Op) {
	_, zero := trimSuffix(opcode)
	dst := o[len(o)-1]
	size := 0
	for _, p := range o {
		if isKind(p, reg.KindVector) {
			size = int(p.(reg.Register).Size())
		}
	}
	if len(o) == 2 {
		v := append([]byte{}, m.source(o[0], size)...)
		if mem, ok := dst.(operand.Mem); ok {
			copy(m.memory(m.address(mem), size, true), v)
			return
		}
		m.put(dst, v)
		return
	}
	keep := *m.mask(o[1])
	mem, toMemory := dst.(operand.Mem)
	var v []byte
	if !toMemory {
		v = make([]byte, size)
		if !zero {
			copy(v, m.vec(dst))
		}
	}
	for i := range size / 8 {
		if keep>>i&1 == 0 {
			continue
		}
		var lane []byte
		if from, ok := o[0].(operand.Mem); ok {
			lane = m.memory(m.address(from)+uint64(8*i), 8, false)
		} else {
			lane = m.vec(o[0])[8*i:][:8]
		}
		if toMemory {
			copy(m.memory(m.address(mem)+uint64(8*i), 8, true), lane)
		} else {
			copy(v[8*i:], lane)
		}
	}
	if !toMemory {
		m.put(dst, v)
	}
}

// compare writes a mask register, or all ones or zeros to the lanes of a vector register.
func (m *machine) compare(opcode string, o []operand.Op) {
	dst := o[len(o)-1]
	var predicate operand.U8
	if opcode == "VCMPPD" {
		predicate, o = o[0].(operand.U8), o[1:]
	}
	b := m.vec(o[1])
	a := m.source(o[0], len(b))
	var bitsSet uint64
	lanes, part := make([]byte, len(b)), ^uint64(0)
	if len(o) == 4 {
		part = *m.mask(o[2])
	}
	for i := range len(b) / 8 {
		holds := false
		if opcode == "VPCMPGTQ" {
			holds = int64(get(b, i)) > int64(get(a, i))
		} else {
			x, y := float(b, i), float(a, i)
			switch predicate {
			case 0:
				holds = x == y
			case 4:
				holds = x != y
			case 17:
				holds = x < y
			case 18:
				holds = x <= y
			case 21:
				holds = !(x < y)
			case 29:
				holds = x >= y
			case 30:
				holds = x > y
			default:
				fail("predicate %d", predicate)
			}
		}
		if holds {
			bitsSet |= 1 << i
			set(lanes, i, math.MaxUint64)
		}
	}
	if isKind(dst, reg.KindOpmask) {
		*m.mask(dst) = bitsSet & part
		return
	}
	m.put(dst, lanes)
}

// gather loads the lanes in its mask, and clears the mask. With AVX2 the mask is a vector, named
// first. With AVX-512 it is a mask register, named second.
func (m *machine) gather(opcode string, o []operand.Op) {
	dst := m.vec(o[2])
	source, wide := o[0].(operand.Mem)
	var keep uint64
	if wide {
		keep = *m.mask(o[1])
		*m.mask(o[1]) = 0
	} else {
		source = o[1].(operand.Mem)
		for i := range len(dst) / 8 {
			keep |= get(m.vec(o[0]), i) >> 63 << i
		}
		m.put(o[0], nil)
	}
	v, index := append([]byte{}, dst...), m.vec(source.Index)
	for i := range len(v) / 8 {
		if keep>>i&1 == 0 {
			continue
		}
		var offset int64
		if opcode == "VGATHERDPD" {
			offset = int64(int32(word32(index, i)))
		} else {
			offset = int64(get(index, i))
		}
		copy(v[8*i:], m.memory(m.address(source)+uint64(offset*int64(source.Scale)), 8, false))
	}
	m.put(o[2], v)
}

// executeGeneral runs instructions on general and mask registers.
func (m *machine) executeGeneral(opcode string, o []operand.Op) bool {
	dst := operand.Op(nil)
	if len(o) > 0 {
		dst = o[len(o)-1]
	}
	calculate := func(f func(a, b uint64) uint64) {
		v := f(m.number(dst, 8), m.number(o[0], 8))
		m.store(dst, v, 8)
		m.left, m.right = int64(v), 0
	}
	switch opcode {
	case "VZEROUPPER":
		for i := range 16 {
			clear(m.vector[i][16:])
		}
	case "MOVQ":
		m.store(dst, m.number(o[0], 8), 8)
	case "MOVL":
		m.store(dst, m.number(o[0], 4), 4)
	case "ADDL":
		m.store(dst, m.number(o[0], 4)+m.number(dst, 4), 4)
	case "LEAL":
		m.store(dst, m.address(o[0].(operand.Mem)), 4)
	case "LEAQ":
		m.store(dst, m.address(o[0].(operand.Mem)), 8)
	case "ADDQ":
		calculate(func(a, b uint64) uint64 { return a + b })
	case "SUBQ":
		calculate(func(a, b uint64) uint64 { return a - b })
	case "XORQ":
		calculate(func(a, b uint64) uint64 { return a ^ b })
	case "SHLQ":
		calculate(func(a, b uint64) uint64 { return a << (b & 63) })
	case "INCQ":
		calculate(func(a, _ uint64) uint64 { return a + 1 })
	case "DECQ":
		calculate(func(a, _ uint64) uint64 { return a - 1 })
	case "CMPQ":
		m.left, m.right = int64(m.number(o[0], 8)), int64(m.number(o[1], 8))
	case "CMPL":
		m.left, m.right = int64(int32(m.number(o[0], 4))), int64(int32(m.number(o[1], 4)))
	case "TESTQ":
		m.left, m.right = int64(m.number(o[0], 8)&m.number(o[1], 8)), 0
	case "CMOVQLT":
		if m.left < m.right {
			m.store(dst, m.number(o[0], 8), 8)
		}
	case "POPCNTL":
		v := uint64(bits.OnesCount32(uint32(m.number(o[0], 4))))
		m.store(dst, v, 4)
		m.left, m.right = int64(v), 0
	case "KMOVB":
		if isKind(dst, reg.KindOpmask) {
			m.store(dst, m.number(o[0], 4)&0xFF, 1)
		} else {
			m.store(dst, m.number(o[0], 4)&0xFF, 4)
		}
	case "KANDB":
		*m.mask(dst) = *m.mask(o[0]) & *m.mask(o[1]) & 0xFF
	case "KORB":
		*m.mask(dst) = (*m.mask(o[0]) | *m.mask(o[1])) & 0xFF
	case "KNOTB":
		*m.mask(dst) = ^*m.mask(o[0]) & 0xFF
	case "ANDQ":
		calculate(func(a, b uint64) uint64 { return a & b })
	case "SUBL":
		m.store(dst, m.number(dst, 4)-m.number(o[0], 4), 4)
	case "KXORB":
		*m.mask(dst) = (*m.mask(o[0]) ^ *m.mask(o[1])) & 0xFF
	case "KXNORB":
		*m.mask(dst) = ^(*m.mask(o[0]) ^ *m.mask(o[1])) & 0xFF
	case "KORTESTB":
		m.left, m.right = int64((*m.mask(o[0])|*m.mask(o[1]))&0xFF), 0
	default:
		return false
	}
	return true
}

// executeLanes runs instructions that treat all lanes alike, and instructions that move lanes.
func (m *machine) executeLanes(opcode string, o []operand.Op) bool {
	real := func(f func(a, b float64) float64) func(a, b uint64) uint64 {
		return func(a, b uint64) uint64 {
			return math.Float64bits(f(math.Float64frombits(a), math.Float64frombits(b)))
		}
	}
	var wide func(a, b uint64) uint64
	var narrow func(a, b uint32) uint32
	switch opcode {
	case "VADDPD":
		wide = real(func(a, b float64) float64 { return a + b })
	case "VSUBPD":
		wide = real(func(a, b float64) float64 { return a - b })
	case "VMULPD":
		wide = real(func(a, b float64) float64 { return a * b })
	case "VDIVPD":
		wide = real(func(a, b float64) float64 { return a / b })
	// Both return b, the second operand in Intel's order, if neither number is less: for NaN and
	// for two zeros.
	case "VMINPD":
		wide = func(a, b uint64) uint64 {
			if math.Float64frombits(a) < math.Float64frombits(b) {
				return a
			}
			return b
		}
	case "VMAXPD":
		wide = func(a, b uint64) uint64 {
			if math.Float64frombits(a) > math.Float64frombits(b) {
				return a
			}
			return b
		}
	case "VANDPD":
		wide = func(a, b uint64) uint64 { return a & b }
	case "VORPD":
		wide = func(a, b uint64) uint64 { return a | b }
	case "VXORPD":
		wide = func(a, b uint64) uint64 { return a ^ b }
	case "VPADDQ":
		wide = func(a, b uint64) uint64 { return a + b }
	case "VPSUBQ":
		wide = func(a, b uint64) uint64 { return a - b }
	case "VPADDD":
		narrow = func(a, b uint32) uint32 { return a + b }
	case "VPCMPGTD":
		if isKind(o[len(o)-1], reg.KindOpmask) {
			some, a := uint64(0), m.vec(o[1])
			for i := range len(a) / 4 {
				if int32(word32(a, i)) > int32(word32(m.vec(o[0]), i)) {
					some |= 1 << i
				}
			}
			*m.mask(o[len(o)-1]) = some & *m.mask(o[2])
			return true
		}
		narrow = func(a, b uint32) uint32 {
			if int32(a) > int32(b) {
				return math.MaxUint32
			}
			return 0
		}
	case "VPMINUD":
		narrow = func(a, b uint32) uint32 { return min(a, b) }
	case "VPMAXUD":
		narrow = func(a, b uint32) uint32 { return max(a, b) }
	case "VPCMPEQD":
		narrow = func(a, b uint32) uint32 {
			if a == b {
				return math.MaxUint32
			}
			return 0
		}
	default:
		return m.executeShuffle(opcode, o)
	}
	a := m.vec(o[1])
	b := m.source(o[0], len(a))
	v := make([]byte, len(a))
	for i := range len(v) / 8 {
		if wide != nil {
			set(v, i, wide(get(a, i), get(b, i)))
			continue
		}
		setWord(v, 2*i, narrow(word32(a, 2*i), word32(b, 2*i)))
		setWord(v, 2*i+1, narrow(word32(a, 2*i+1), word32(b, 2*i+1)))
	}
	m.put(o[2], v)
	return true
}

func (m *machine) executeShuffle(opcode string, o []operand.Op) bool {
	dst := o[len(o)-1]
	v := make([]byte, 64)
	switch opcode {
	case "VPERMILPD": // of 128 bits
		src := m.vec(o[1])
		if len(src) != 16 {
			fail("%d bytes", len(src))
		}
		set(v, 0, get(src, int(o[0].(operand.U8)&1)))
		set(v, 1, get(src, int(o[0].(operand.U8)>>1&1)))
	case "VSHUFPS": // of 128 bits
		a, b, choice := m.vec(o[2]), m.vec(o[1]), uint8(o[0].(operand.U8))
		if len(a) != 16 {
			fail("%d bytes", len(a))
		}
		for i, from := range [][]byte{a, a, b, b} {
			setWord(v, i, word32(from, int(choice>>(2*i)&3)))
		}
	case "VUNPCKLPD", "VUNPCKHPD":
		a, b := m.vec(o[1]), m.vec(o[0])
		high := 0
		if opcode == "VUNPCKHPD" {
			high = 1
		}
		for i := 0; i < len(a)/8; i += 2 {
			set(v, i, get(a, i+high))
			set(v, i+1, get(b, i+high))
		}
	case "VSHUFF64X2":
		a, b, choice := m.vec(o[2]), m.vec(o[1]), uint8(o[0].(operand.U8))
		for i, from := range [][]byte{a, a, b, b} {
			copy(v[16*i:], from[16*(choice>>(2*i)&3):][:16])
		}
	case "VPERM2F128":
		a, b, choice := m.vec(o[2]), m.vec(o[1]), uint8(o[0].(operand.U8))
		halves := [][]byte{a[:16], a[16:], b[:16], b[16:]}
		copy(v, halves[choice&3])
		copy(v[16:], halves[choice>>4&3])
	case "VPSHUFD": // within 128 bits
		a, choice := m.vec(o[1]), uint8(o[0].(operand.U8))
		for i := range len(a) / 4 {
			setWord(v, i, word32(a, i&^3+int(choice>>(2*(i&3))&3)))
		}
	case "VPERMD":
		a, order := m.vec(o[0]), m.vec(o[1])
		for i := range len(a) / 4 {
			setWord(v, i, word32(a, int(word32(order, i))%(len(a)/4)))
		}
	case "VPERMPD": // of 512 bits, by an order in a register
		a, order := m.vec(o[0]), m.vec(o[1])
		for i := range len(a) / 8 {
			set(v, i, get(a, int(get(order, i)%uint64(len(a)/8))))
		}
	case "VPERMT2Q":
		a, order, b := append([]byte{}, m.vec(dst)...), m.vec(o[1]), m.vec(o[0])
		n := uint64(len(a) / 8)
		for i := range int(n) {
			from := get(order, i) % (2 * n)
			set(v, i, get([][]byte{a, b}[from/n], int(from%n)))
		}
	case "VPSLLVQ":
		a, by := m.vec(o[1]), m.vec(o[0])
		for i := range len(a) / 8 {
			set(v, i, get(a, i)<<get(by, i))
		}
	case "VCVTTPD2QQ":
		a := m.vec(o[0])
		for i := range len(a) / 8 {
			set(v, i, uint64(int64(float(a, i))))
		}
	case "VPERMQ": // of 256 bits
		a, choice := m.vec(o[1]), uint8(o[0].(operand.U8))
		if len(a) != 32 {
			fail("%d bytes", len(a))
		}
		for i := range 4 {
			set(v, i, get(a, int(choice>>(2*i)&3)))
		}
	case "VPBLENDD":
		a, b, choice := m.vec(o[2]), m.vec(o[1]), uint8(o[0].(operand.U8))
		for i := range len(a) / 4 {
			setWord(v, i, word32([][]byte{a, b}[choice>>i&1], i))
		}
	case "VPSHUFB": // of 128 bits
		a := m.vec(o[1])
		if len(a) != 16 {
			fail("%d bytes", len(a))
		}
		for i, c := range m.source(o[0], 16) {
			if c < 0x80 {
				v[i] = a[c&15]
			}
		}
	default:
		return false
	}
	m.put(dst, v[:len(m.vec(dst))])
	return true
}
