// Package invariants reports whether expensive checks are compiled in.
//
// It owns one constant, Enabled, which the build tag invariants sets. The checks themselves are in
// the packages of their invariants, inside "if invariants.Enabled". The compiler removes them, and
// everything that they alone read, from ordinary builds.
package invariants
