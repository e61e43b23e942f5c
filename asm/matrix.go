package asm

// MatrixBlock holds twelve columns K of a matrix, and a vector Y to which multiples of the columns
// are added. All have one length, one row of the matrix a row.
type MatrixBlock struct {
	K [12][]float64
	Y []float64
}

// Twelve holds the twelve elements of a vector by which the columns of a MatrixBlock are
// multiplied.
type Twelve struct{ X [12]float64 }

// AddColumns adds the product of a block and a vector to Y, for the rows lo ≤ i < hi:
//
//	s[j] = (K[j][i]·X[j] + K[j+4][i]·X[j+4]) + K[j+8][i]·X[j+8], j < 4
//	Y[i] += (s[0] + s[1]) + (s[2] + s[3])
//
// Exact: each product is rounded.
func AddColumns(c *MatrixBlock, u *Twelve, lo, hi int) { addColumns(c, u, lo, hi) }
