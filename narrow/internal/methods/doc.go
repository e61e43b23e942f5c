// Package methods owns the published methods that are called by their names: the direct
// searches (ds.go, fds.go, fdspaper.go), separating axes (sat.go), and the common planes (cp.go, fcp.go,
// slm.go). Each method answers a pair and fills its ContactList. The method stores in the list what
// it needs for the next step. The package refuses pairs with a ball or a plane: package narrow
// sends these to the closed forms.
//
// Notation, in all files: K = A ⊖ B = {a − b}, and h_K(n) is the maximum of n·k over K, so the gap
// along n is −h_K(n).
//
// Frame and length scale: those of pair.Frame. Read methods.go first, then ds.go.
package methods
