package bench

import (
	"cmp"
	"slices"

	"github.com/scree-dem/scree/narrow"
)

// PaperClass is the pairs of a test to which the published search gives one type and the direct search
// another. A type with two different features stands for both orders.
type PaperClass struct {
	Test  string  `json:"test" show:"%s"`
	Phase string  `json:"phase" show:"%s"`
	DS    string  `json:"ds" show:"%s"` // "all" is the sum of all classes, with the small ones
	Paper string  `json:"fds_paper" show:"%s"`
	Pairs int     `json:"pairs" show:"%d"`
	Share float64 `json:"share" show:"%.4f"` // of all pairs of the test
	// The causes; each pair has one. Kept: n_v stayed, and so did the list; the initial detection at these
	// poses names the type of the direct search. Border: with a third or three times dtol, the direct
	// search names another type than with dtol. Other: neither.
	Kept   int `json:"kept" show:"%d"`
	Border int `json:"border" show:"%d"`
	Other  int `json:"other" show:"%d"`
}

// leastClass is the share of the pairs of a test from which a class is shown.
const leastClass = 0.005

// classes counts the pairs of a pass by the two types and the cause. said are the types of the published
// search in this pass, initially those of its initial detection, and truth those of the direct search.
func (r *replay) classes(test, phase string, said, initially, truth []verdict) []PaperClass {
	all := []PaperClass{{Test: test, Phase: phase, DS: "all", Paper: "all"}}
	search, at := narrow.NewSearch(), 0
	for k := range r.steps {
		if !r.steps[k].timed {
			continue
		}
		for i := range r.steps[k].pairs {
			was, is, first := truth[at].kind, said[at].kind, initially[at].kind
			if at++; was == is {
				continue
			}
			ds, paper := typeName(was), typeName(is)
			c := slices.IndexFunc(all, func(c PaperClass) bool { return c.DS == ds && c.Paper == paper })
			if c < 0 {
				c, all = len(all), append(all, PaperClass{Test: test, Phase: phase, DS: ds, Paper: paper})
			}
			kept := first == was
			border := !kept && onBorder(search, &r.steps[k].pairs[i], was)
			for _, row := range []*PaperClass{&all[0], &all[c]} {
				row.Pairs, row.Kept, row.Border, row.Other = row.Pairs+1, row.Kept+b2i(kept), row.Border+b2i(border), row.Other+b2i(!kept && !border)
			}
		}
	}
	for i := range all {
		all[i].Share = per(float64(all[i].Pairs), float64(r.size()))
	}
	slices.SortStableFunc(all[1:], func(a, b PaperClass) int { return cmp.Compare(b.Pairs, a.Pairs) })
	return rowsWith(all, func(c *PaperClass) bool { return c.Pairs > 0 && (c.DS == "all" || c.Share >= leastClass) })
}

// onBorder reports whether the direct search names another type than kind with a third or three times
// the tolerance.
func onBorder(search *narrow.Search, q *blockPair, kind narrow.Type) bool {
	var mem narrow.Memory
	var out narrow.Answer
	for _, share := range []float64{1.0 / 3, 3} {
		search.By(narrow.DS, q.a, q.pa, q.b, q.pb, 0, share*narrow.Dtol(q.a, q.b), &mem, &out)
		if mem.List.Type != kind {
			return true
		}
	}
	return false
}

// typeName returns the name of a type in the study.
func typeName(kind narrow.Type) string {
	for _, t := range paperTypes {
		if slices.Contains(t.types, kind) {
			return t.name
		}
	}
	return "none"
}
