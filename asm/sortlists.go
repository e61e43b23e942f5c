package asm

// NameList says where a list of names is: Count names, the first at First after the start of chunk
// Chunk.
type NameList struct{ Chunk, First, Count uint32 }

const (
	// longList is the length of the longest list that SortLists sorts.
	longList = 16
	// ListSlack is how many more elements lists, names and outputs of SortLists must have than it
	// uses.
	ListSlack = 16
)

// SortLists sorts the lists first ≤ i < last. It writes the names of each list in rising order to
// outB, one list after the other, from element n on. To outA it writes i once for each name. done
// is the first list that has more than 16 names, or for which the output is too short, or last.
// next is the end of the written names.
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
//	len(outA) == len(outB), 0 <= first <= last, last + ListSlack <= len(lists)
//	for every list, l.Chunk < len(base) and
//	base[l.Chunk] + l.First + l.Count + ListSlack <= len(names)
//
// Exact: integers. SortLists leaves up to 16 undefined elements in the outputs after next.
func SortLists(names, base []uint32, lists []NameList, first, last, n int, outA, outB []uint32) (done, next int) {
	if len(outA) != len(outB) {
		panic("asm: SortLists: columns of unequal length")
	}
	if first < 0 || first > last || last+ListSlack > len(lists) || n < 0 || n > len(outB) {
		panic("asm: SortLists: a range outside the columns")
	}
	return sortLists(names, base, lists, first, last, n, outA, outB)
}
