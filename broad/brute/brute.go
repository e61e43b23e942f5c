package brute

import (
	"github.com/scree-dem/scree/broad"
	"github.com/scree-dem/scree/soa"
)

// Method compares all pairs of rows. Cost: n(n-1)/2 comparisons of six numbers.
type Method struct{}

// New returns the method.
func New() Method { return Method{} }

// Search implements broad.Method.
func (Method) Search(r *broad.Rows, p *broad.PairList) error {
	p.A, p.B = p.A[:0], p.B[:0]
	for i := range r.Box {
		for j := i + 1; j < len(r.Box); j++ {
			if !r.Box[i].Overlaps(r.Box[j]) {
				continue
			}
			if int64(len(p.A)) == r.Most {
				p.A, p.B = p.A[:0], p.B[:0]
				return broad.ErrTooManyPairs
			}
			p.A, p.B = append(p.A, soa.Piece(i)), append(p.B, soa.Piece(j))
		}
	}
	return nil
}
