// Package brute searches by comparing each box with each other: the obvious truth about small
// sets.
//
// It owns nothing. It is slow on purpose, and refuses to be clever. Frame and units are those of
// package broad; brute.go is all there is to read.
package brute
