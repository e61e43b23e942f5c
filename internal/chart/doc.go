// Package chart draws lines and bars as SVG: the figures of the studies and of docs/laws.md.
//
// It owns axes, ticks, legends and colours. It refuses other formats, and data that it cannot
// place: values that are not finite, and values ≤ 0 on a logarithmic axis, are left out. Lengths
// are in the units of the picture, of which 96 make an inch. Its numbers reach people only, never
// state. Read chart.go first.
package chart
