package kernels

import (
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Places is the answers of a batch that finds where contacts act: Locations, Crossings or Corners. A row a pair.
type Places struct {
	Location soa.Vec3s // m, relative to A's position, world axes
	Widths   soa.Sym3s // m², second moments of the common section over its area
	known    []float64
}

func (p *Places) resize(n int) {
	p.known = soa.Resize(p.known, n)
	p.Location.Resize(n)
	p.Widths.Resize(n)
}

// Known says whether row i is answered.
func (p *Places) Known(i int) bool { return p.known[i] != 0 }

// At returns where the contact of row i acts, m, relative to A's position, world axes.
func (p *Places) At(i int) vec.Vec3 { return p.Location.At(i) }

// Width returns the second moments of row i's common section over its area, m², world axes.
func (p *Places) Width(i int) vec.Sym3 { return p.Widths.At(i) }
