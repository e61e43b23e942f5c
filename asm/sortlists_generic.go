package asm

// sortListsGeneric is the Go loop of SortLists. The rank of a name is how many names are smaller:
// this needs few branches.
func sortListsGeneric(names, base []uint32, lists []NameList, first, last, n int, outA, outB []uint32) (done, next int) {
	for i := first; i < last; i++ {
		l := &lists[i]
		if l.Count > longList || len(outB)-n < longList {
			return i, n
		}
		list := names[base[l.Chunk]+l.First:][:l.Count]
		a, b := outA[n:][:len(list)], outB[n:][:len(list)]
		for k, p := range list {
			rank := 0
			for _, q := range list[:k] {
				rank += int((uint64(p)-uint64(q))>>63 ^ 1)
			}
			for _, q := range list[k+1:] {
				rank += int((uint64(q) - uint64(p)) >> 63)
			}
			a[k], b[rank] = uint32(i), p
		}
		n += len(list)
	}
	return last, n
}
