// Package distribution describes long columns of numbers to people: number, minimum, quartiles,
// maximum and mean.
//
// It owns the rule for quartiles, the rule for numbers that are not finite, and the digits that are
// printed. It refuses nothing. The last bits of its numbers depend on the processor (see Column), so
// no state, hash, or file that is promised equal may contain them. Units are those of the column.
// Read column.go first.
package distribution
