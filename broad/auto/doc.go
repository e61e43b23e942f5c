// Package auto is the default neighbour search. It uses the multilevel grid, and stores candidates
// of enlarged boxes if rows move little from search to search.
//
// The package owns the choice of the margin by which boxes are enlarged. It makes no choice by
// sizes, because the grid adapts its levels to them. The choice depends on the boxes alone. As with
// any method, the pairs do not depend on it. The code is in auto.go.
package auto
