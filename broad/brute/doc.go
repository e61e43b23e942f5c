// Package brute is a neighbour search that compares each box with every other. It serves as the
// reference for small sets, so it is simple rather than fast.
//
// Frame and units are those of package broad. The code is in brute.go.
package brute
