// Package auto is the neighbour search for who does not want to choose: the multilevel grid, with
// a motion budget if rows move little from search to search.
//
// It owns the choice of the budget. It refuses a choice by sizes: the grid has no slower sizes,
// for it fits its levels to them. Pairs, as of any method, do not depend on the choice, and the
// choice depends on boxes alone. Read auto.go, the only other file.
package auto
