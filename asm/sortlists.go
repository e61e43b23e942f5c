package asm

// NameList is where a list of names lies: Count of them, First after where its chunk begins.
type NameList struct{ Chunk, First, Count uint32 }

const (
	// longList is the longest list that SortLists sorts.
	longList = 16
	// ListRoom is how much longer than what counts the lists, names and output of SortLists are.
	ListRoom = 16
)

// SortLists writes the names of the lists first ≤ i < last in rising order to outB, one list after
// the other, and i as many times to outA, from n on. It returns the first list that has more than
// 16 names, or for which there was no room, or last; and where the names of those before it end.
//
//	for i := first; i < last; i++ {
//		l := lists[i]
//		if l.Count > 16 || len(outB) - n < 16 {
//			return i, n
//		}
//		at := base[l.Chunk] + l.First
//		copy(outB[n:], names[at:at+l.Count])
//		slices.Sort(outB[n:n+l.Count])
//		for range l.Count {
//			outA[n], n = uint32(i), n+1
//		}
//	}
//	return last, n
//
//	len(outA) == len(outB), 0 <= first <= last, last + ListRoom <= len(lists)
//	for every list, l.Chunk < len(base) and
//	base[l.Chunk] + l.First + l.Count + ListRoom <= len(names)
//
// Exact: integers. What the output holds beyond n is not specified, up to 16 more.
func SortLists(names, base []uint32, lists []NameList, first, last, n int, outA, outB []uint32) (done, next int) {
	if len(outA) != len(outB) {
		panic("asm: SortLists: columns of unequal length")
	}
	if first < 0 || first > last || last+ListRoom > len(lists) || n < 0 || n > len(outB) {
		panic("asm: SortLists: a range outside the columns")
	}
	return sortLists(names, base, lists, first, last, n, outA, outB)
}
