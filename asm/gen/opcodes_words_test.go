package main

import (
	"math"

	"github.com/mmcloughlin/avo/operand"
)

// executeWords runs instructions on the bits of integer lanes.
func (m *machine) executeWords(opcode string, o []operand.Op) bool {
	dst := o[len(o)-1]
	var combine func(a, b uint32) uint32
	switch opcode {
	case "VPAND", "VPANDD":
		combine = func(a, b uint32) uint32 { return a & b }
	case "VPOR", "VPORD":
		combine = func(a, b uint32) uint32 { return a | b }
	case "VPXOR", "VPXORD":
		combine = func(a, b uint32) uint32 { return a ^ b }
	case "VPANDN": // not a and b; a is first in Intel's order, second here
		combine = func(a, b uint32) uint32 { return ^a & b }
	case "VPBLENDMD":
		v := append([]byte{}, m.vec(o[1])...)
		for i := range len(v) / 4 {
			if *m.mask(o[2])>>i&1 == 1 {
				setWord(v, i, word32(m.vec(o[0]), i))
			}
		}
		m.put(dst, v)
		return true
	case "VPTESTMD", "VPTESTNMD":
		a, b := m.vec(o[1]), m.vec(o[0])
		var some uint64
		for i := range len(a) / 4 {
			if (word32(a, i)&word32(b, i) != 0) == (opcode == "VPTESTMD") {
				some |= 1 << i
			}
		}
		*m.mask(dst) = some
		return true
	case "VPTERNLOGD":
		v := make([]byte, len(m.vec(dst)))
		for i := range v {
			switch o[0].(operand.U8) {
			case 0xFF:
				v[i] = math.MaxUint8
			case 0x80:
				v[i] = m.vec(dst)[i] & m.vec(o[2])[i] & m.vec(o[1])[i]
			default:
				fail("function %v", o[0])
			}
		}
		m.put(dst, v)
		return true
	case "VPSRLD", "VPSLLD", "VPSLLQ":
		a, by := m.vec(o[1]), uint8(o[0].(operand.U8))
		v := make([]byte, len(a))
		for i := range len(a) / 4 {
			if opcode == "VPSRLD" {
				setWord(v, i, word32(a, i)>>by)
			} else if opcode == "VPSLLD" {
				setWord(v, i, word32(a, i)<<by)
			} else if i%2 == 0 {
				set(v, i/2, get(a, i/2)<<by)
			}
		}
		m.put(dst, v)
		return true
	case "VPMOVZXDQ":
		a, v := m.vec(o[0]), make([]byte, len(m.vec(dst)))
		for i := range len(v) / 8 {
			set(v, i, uint64(word32(a, i)))
		}
		m.put(dst, v)
		return true
	default:
		return false
	}
	// With a mask, other lanes stay as they are.
	a, keep := m.vec(o[1]), uint64(math.MaxUint64)
	v := append([]byte{}, m.vec(dst)...)
	if len(o) == 4 {
		keep = *m.mask(o[2])
	}
	b := m.source(o[0], len(a))
	for i := range len(v) / 4 {
		if keep>>i&1 == 1 {
			setWord(v, i, combine(word32(a, i), word32(b, i)))
		}
	}
	m.put(dst, v)
	return true
}
