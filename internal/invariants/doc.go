// Package invariants reports whether expensive checks are compiled in.
//
// It owns one constant, Enabled, set by the build tag invariants. It refuses the checks themselves:
// each stands in the package whose invariant it is, behind if invariants.Enabled, where the compiler
// removes it from an ordinary build together with everything it reads.
package invariants
