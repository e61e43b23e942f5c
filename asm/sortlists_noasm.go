//go:build purego || race || !amd64

package asm

func sortLists(names, base []uint32, lists []NameList, first, last, n int, outA, outB []uint32) (done, next int) {
	return sortListsGeneric(names, base, lists, first, last, n, outA, outB)
}
