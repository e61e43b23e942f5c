package asm

// hilbertKeysGeneric walks down the bits. The branches of the source, on bits nobody can predict, are masks here: m
// is all ones where the bit is set.
func hilbertKeysGeneric(x, y, z []uint32, bits int, keys []uint64) {
	all := uint32(1)<<bits - 1
	for i := range keys {
		a, b, c := x[i]&all, y[i]&all, z[i]&all
		for q := bits - 1; q > 0; q-- {
			low := uint32(1)<<q - 1
			m := -(a >> q & 1)
			a ^= low & m
			m = -(b >> q & 1)
			t := (a ^ b) & low &^ m
			a ^= t | low&m
			b ^= t
			m = -(c >> q & 1)
			t = (a ^ c) & low &^ m
			a ^= t | low&m
			c ^= t
		}
		// The Gray code. A bit of t is the parity of the bits above it in c.
		b ^= a
		c ^= b
		t := c ^ c>>1
		t ^= t >> 2
		t ^= t >> 4
		t ^= t >> 8
		t ^= t >> 16
		t >>= 1
		keys[i] = everyThird(a^t)<<2 | everyThird(b^t)<<1 | everyThird(c^t)
	}
}

// everyThird moves bit j of a number of 21 bits to bit 3j.
func everyThird(v uint32) uint64 {
	w := uint64(v)
	w = (w | w<<32) & 0x001f00000000ffff
	w = (w | w<<16) & 0x001f0000ff0000ff
	w = (w | w<<8) & 0x100f00f00f00f00f
	w = (w | w<<4) & 0x10c30c30c30c30c3
	return (w | w<<2) & 0x1249249249249249
}
