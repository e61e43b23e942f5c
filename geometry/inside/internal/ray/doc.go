// Package ray counts how often a seeded random ray from a point crosses a surface, as Muth et al. (2006,
// section 2.2) do.
package ray
