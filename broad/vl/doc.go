// Package vl is a neighbour search with Verlet lists (Verlet 1967; Muth et al. 2007, section 2.1).
//
// For each row, the package stores a list of the rows with higher numbers whose centres lie within
// a radius of the row's centre. As long as no row has moved too far, the lists contain all pairs,
// and a search compares the boxes of the lists only. If rows have moved too far, Search makes the
// lists anew. The exception is Options.Every, which makes the lists at fixed intervals as the paper
// does. In that case such motion is an error.
//
// Frame and units are those of package broad. The code is in vl.go.
package vl
