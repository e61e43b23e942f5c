// Package chart draws lines and bars as SVG: the figures of the studies and of docs/laws-derivations.md.
//
// It owns axes, ticks, legends and colours, and writes no other format. It omits values that it
// cannot place: values that are not finite, and values ≤ 0 on a logarithmic axis. Lengths are in
// picture units of 1/96 inch. Its numbers are for people and never affect state. Read chart.go
// first.
package chart
