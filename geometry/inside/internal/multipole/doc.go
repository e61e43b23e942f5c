// Package multipole computes the winding number of a surface about points as a double layer
// potential. It uses the fast multipole method of Muth et al. (2006, section 2.1), with an error
// bound of its own.
//
// The package has solid harmonics, panel coefficients, translations, the evaluation tree, and the
// bound of the terms that conversions omit. Package clusters provides clusters of triangles and
// exact sums. Open surfaces are accepted too; their values lie between 0 and 1.
//
// Expansions are about the center of a cell, in units of the cell's side. So one set of
// translations serves all levels, and the size of a surface changes only exponents. R_n^-m is
// (-1)^m conj(R_n^m); without this sign equation (23) does not hold.
//
// Read method.go first, then spread.go. bound.go has the derivation of the bound.
package multipole
