package asm

// MatrixBlock is twelve columns of a matrix, and a vector that their multiples are added to: all
// of one length, a row a row.
type MatrixBlock struct {
	K [12][]float64
	Y []float64
}

// Twelve is the elements of a vector that twelve columns of a matrix are multiplied by.
type Twelve struct{ X [12]float64 }

// AddColumns adds the product of a block and a vector, for the rows lo ≤ i < hi:
//
//	s[j] = (K[j][i]·X[j] + K[j+4][i]·X[j+4]) + K[j+8][i]·X[j+8], j < 4
//	Y[i] += (s[0] + s[1]) + (s[2] + s[3])
//
// Exact, each product rounded.
func AddColumns(c *MatrixBlock, u *Twelve, lo, hi int) { addColumns(c, u, lo, hi) }
