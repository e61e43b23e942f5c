// Package multipole is the winding number of a surface about points as a double layer potential, by
// the fast multipole method of Muth et al. (2006, section 2.1), within a bound of its own.
//
// It owns solid harmonics, panel coefficients, translations, the evaluation tree, and the bound of
// what conversions cut. It takes clusters of triangles and exact sums from package clusters. It
// takes open surfaces, too, whose values then lie between 0 and 1.
//
// Expansions are in sides of their cell, about its center: so one set of translations serves all
// levels, and the size of a surface changes no bit beyond the exponent. R_n^-m is
// (-1)^m conj(R_n^m), without which equation (23) does not hold.
//
// Read method.go first, then spread.go; bound.go has the derivation.
package multipole
