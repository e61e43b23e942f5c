package hull

// Twins returns for each edge of the loops its twin: the edge that runs in the opposite direction.
// Edges are numbered consecutively over all loops; edge k runs from corner k to the next corner of
// its loop. ok is false unless every edge is passed once in each direction.
func Twins[V int | int32](loops [][]V) (twin []int, ok bool) {
	type edge struct{ from, to V }
	at := make(map[edge]int)
	n := 0
	for _, loop := range loops {
		for i, v := range loop {
			at[edge{v, loop[(i+1)%len(loop)]}] = n
			n++
		}
	}
	if len(at) != n {
		return nil, false
	}
	twin = make([]int, 0, n)
	for _, loop := range loops {
		for i, v := range loop {
			k, ok := at[edge{loop[(i+1)%len(loop)], v}]
			if !ok {
				return nil, false
			}
			twin = append(twin, k)
		}
	}
	return twin, true
}
