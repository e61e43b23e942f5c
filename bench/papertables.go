package bench

import (
	"cmp"
	"slices"
	"strings"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/internal/chart"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/soa"
)

// finish adds the tables below the rows, and the figures.
func (p *paperStudy) finish(r *Report, rows []PaperRow) error {
	r.Tables[0].Note = checksNote
	r.add("other_types", "types", p.classes)
	r.add("scenes", "scenes", p.scenes)
	r.add("", "displacement", p.rise)
	r.Figures = p.figures(rows)
	return nil
}

// checksNote tells below the table what the columns of checks count.
const checksNote = `
Checks a pair, counted in the run (empty: the method has no such checks; formula: the published cost).
  ds         entrance: signs of two edges; distance: vertex and face, and two edges that are a valid entrance
  fds-paper  as published
  fds        v_f, f_v, e_e: faces and edges in front; entrance: the axis or feature pair of the last step, 0 without
             one; distance: searches for the nearest corners, 0 if the features decide
  fcp        v_f, f_v, e_e: candidates at the two nearest vertices; entrance: the vertices support a candidate;
             distance: gaps of planes over all vertices

`

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

// formula returns the published cost of the initial detection, in checks a pair: the vertices of each
// body times the faces of the other, and the product of the numbers of edges.
func (r *replay) formula() Measured {
	sum := 0
	for i := range r.steps {
		for k := range r.steps[i].pairs {
			a, b := r.steps[i].pairs[k].a, r.steps[i].pairs[k].b
			sum += a.NVerts*b.NFaces + a.NFaces*b.NVerts + len(a.Edge)*len(b.Edge)
		}
	}
	return Measured(per(float64(sum), float64(r.size())))
}

// counts reports whether a method counts its checks; see narrow.Checks.
func counts(m narrow.Method) bool {
	return m == narrow.DS || m == narrow.FDSPaper || m == narrow.FDS || m == narrow.FCP
}

// count sets the checks a pair, as counted. They are those of a pass whose results were told. Methods that do not
// check pairs of features one by one have no counts.
func (row *PaperRow) count(p answerer, r *replay) {
	q, ok := p.(*player)
	for i, m := range row.counted() {
		if *m = notMeasured(); ok && counts(q.method) {
			c := q.checks
			*m = Measured(per(float64([...]int{c.VertexFace, c.FaceVertex, c.EdgeEdge, c.Entrance, c.Distance}[i]), float64(r.size())))
		}
	}
}

// counted returns the columns of checks.
func (row *PaperRow) counted() [5]*Measured {
	return [5]*Measured{&row.VertexFace, &row.FaceVertex, &row.EdgeEdge, &row.Entrance, &row.Distance}
}

// publishedR is the published R, by test without its number of blocks, type and method. The paper gives means of single
// pairs, and one value for all scenes of a kind.
var publishedR = map[[3]string]string{
	{"hexahedra", "mean", "fds-paper"}: "3.7", {"tetrahedra", "mean", "fds-paper"}: "2.2",
	{"wall", "all", "fds-paper"}: "5", {"wall", "all", "fcp"}: "2.5", {"tetra", "all", "fds-paper"}: "5 to 6", {"tetra", "all", "fcp"}: "above 3",
}

// published returns the published R of a row, "-" if there is none.
func published(test, kind, method string) string {
	return cmp.Or(publishedR[[3]string{strings.TrimRight(test, "0123456789"), kind, method}], "-")
}

// shownMethods are the methods of the published figures, and ours. Other rows are only in the
// table.
var shownMethods = []string{"fds", "fds-paper", "fcp", "auto+contacts", "auto", "auto/detector"}

// figures returns bars of R for each backend: by contact type for each test on single pairs, and by
// size for the scenes. It also returns the path of the walls' top bricks.
func (p *paperStudy) figures(all []PaperRow) (figures []Figure) {
	rows := rowsWith(all, func(r *PaperRow) bool { return slices.Contains(shownMethods, r.Method) })
	type figure struct{ test, backend string }
	of := func(r *PaperRow) figure {
		if r.Type == "all" {
			return figure{"scenes", r.Backend}
		}
		return figure{r.Test, r.Backend}
	}
	for _, part := range groups(rows, of) {
		f, group := of(&part[0]), func(r *PaperRow) string { return r.Type }
		if f.test == "scenes" {
			group = func(r *PaperRow) string { return r.Test }
		}
		figures = append(figures, Figure{"paper-" + f.test + "-" + f.backend, barsOf(part, f.test+", "+f.backend, group)})
	}
	if figures = append(figures, p.frames...); len(p.rise) > 0 {
		c := newChart("centre of the highest block", "step", false, "vertical displacement, mm", false)
		addLines(c, p.rise, func(r *PaperRise) look { return look{name: r.Scene, hue: slices.Index(paperScenes, r.Scene)} },
			func(r *PaperRise) (x, y float64) { return float64(r.Step), millimetres * r.Rise })
		for i := range c.Lines {
			c.Lines[i].Marks = false // there are thousands
		}
		figures = append(figures, Figure{"paper-displacement", c})
	}
	return figures
}

// barsOf makes groups of bars of R, with one bar for each method and phase.
func barsOf(rows []PaperRow, title string, group func(r *PaperRow) string) *chart.Chart {
	methods := distinct(rows, func(r *PaperRow) string { return r.Method })
	p := &chart.Chart{Title: title, X: chart.Axis{Names: distinct(rows, group)}, Y: chart.Axis{Title: "R, time of direct search over time"}}
	for _, of := range groups(rows, func(r *PaperRow) [2]string { return [2]string{r.Method, r.Phase} }) {
		bars := chart.Bars{Name: of[0].Method + " " + of[0].Phase, Colour: hue(slices.Index(methods, of[0].Method)), Values: make([]float64, len(p.X.Names))}
		if of[0].Phase == "initial" {
			bars.Colour = pale(bars.Colour)
		}
		for i := range of {
			bars.Values[slices.Index(p.X.Names, group(&of[i]))] = of[i].R
		}
		p.Bars = append(p.Bars, bars)
	}
	return p
}

// lastFrame draws the edges of all blocks but the floor, seen along y.
func lastFrame(w *engine.World, name string) *chart.Chart {
	p := &chart.Chart{Title: name + ", last frame", Equal: true}
	p.X.Title, p.Y.Title = "x, m", "z, m"
	pieces, bodies := w.Pieces(), w.Bodies()
	for i := range pieces.Len() {
		if bodies.InvMass[pieces.Body[i]] == 0 {
			continue
		}
		v, pose := w.Shapes().View(pieces.Shape[i]), pieces.Pose(bodies, soa.Piece(i))
		for _, h := range v.Edge {
			a, b := pose.Point(v.Vert(v.Tail[h])), pose.Point(v.Vert(v.Head(h)))
			p.Lines = append(p.Lines, chart.Line{Colour: hue(6), Width: 0.7, Points: []chart.XY{{X: a.X, Y: a.Z}, {X: b.X, Y: b.Z}}})
		}
	}
	return p
}
