// Package methods owns the methods of the field that are called by their names: the direct
// searches (ds.go, fds.go), separating axes (sat.go), and the common planes (cp.go, fcp.go,
// slm.go). Each answers a pair and fills its ContactList, in which it keeps what it needs for the
// next step. It refuses pairs with a ball or a plane: the door sends them to the closed forms.
//
// Frame and unit: those of pair.Frame. Read methods.go first, then ds.go.
package methods
