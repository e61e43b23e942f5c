package soa

// Column is one named column of numbers, as the states of worlds and the files of checkpoints hold
// it. At most one slice is not nil.
type Column struct {
	Name string    // unique among the columns of a state
	F64  []float64 // values, or
	U32  []uint32  // values, or
	U16  []uint16  // values, or
	U8   []uint8   // values
}
