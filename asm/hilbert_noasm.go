//go:build purego || race || !amd64

package asm

func hilbertKeys(x, y, z []uint32, bits int, keys []uint64) { hilbertKeysGeneric(x, y, z, bits, keys) }
