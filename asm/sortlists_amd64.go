//go:build !purego && !race

package asm

func sortLists(names, base []uint32, lists []NameList, first, last, n int, outA, outB []uint32) (done, next int) {
	if useAVX2 || useAVX512 {
		return sortListsAVX2(names, base, lists, first, last, n, outA, outB)
	}
	return sortListsGeneric(names, base, lists, first, last, n, outA, outB)
}

// sortListsAVX2 does the same as SortLists, with eight names in a register.
//
//go:noescape
func sortListsAVX2(names, base []uint32, lists []NameList, first, last, n int, outA, outB []uint32) (done, next int)
