// Package vl searches with Verlet lists (Verlet 1967; Muth et al. 2007, section 2.1).
//
// It owns a list of the rows of higher number within a radius about each row's centre. As long as
// no row has moved too far, the pairs are in the list, and a search compares the boxes of the list
// alone. A list that would be too late is made anew, or, where the caller wants one every so many
// searches as the paper does, is a fault.
//
// Frame and units are those of package broad; vl.go is all there is to read.
package vl
