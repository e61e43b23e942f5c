package asm

// MatrixBlock is twelve columns of a matrix, and a vector that their multiples are added to: all of one
// length, a row a row.
type MatrixBlock struct {
	K [12][]float64
	Y []float64
}

// Twelve is the elements of a vector that twelve columns of a matrix are multiplied by.
type Twelve struct{ X [12]float64 }

// AddColumns adds the product of a block and a vector, for the rows lo ≤ i < hi:
//
//	Y[i] += ((K[0][i]·X[0] + K[1][i]·X[1]) + … ) + K[11][i]·X[11]
//
// The sum in brackets is worked out first. Exact, each product rounded.
func AddColumns(c *MatrixBlock, u *Twelve, lo, hi int) { addColumns(c, u, lo, hi) }
