package chart

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image/color"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
)

// TestTicks: ticks are round numbers within the range, in a uniform notation.
func TestTicks(t *testing.T) {
	for _, c := range []struct {
		lo, hi float64
		log    bool
		want   string
	}{
		{40, 2e6, true, "100 1000 10000 100000 1000000"},
		{2, 7, true, "2 3 4 5 6 7"}, // fewer than two powers of ten
		{1e-5, 45, true, "1e-05 0.0001 0.001 0.01 0.1 1 10"},
		{0, 10, false, "0 2 4 6 8 10"},
		{-0.6, 1.1, false, "-0.6 -0.4 -0.2 0 0.2 0.4 0.6 0.8 1"},
		{-3e-5, 3e-5, false, "-3e-05 -2e-05 -1e-05 0 1e-05 2e-05 3e-05"},
		{1000, 1000.5, false, "1000 1000.1 1000.2 1000.3 1000.4 1000.5"},
	} {
		s := span{lo: c.lo, hi: c.hi, log: c.log}
		var got []string
		for _, v := range s.ticks() {
			got = append(got, number(v))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%g to %g: %s, expected %s", c.lo, c.hi, strings.Join(got, " "), c.want)
		}
	}
}

// parts returns the positions of path commands, circles and texts of a picture, which must be
// well-formed.
func parts(t *testing.T, c *Chart) (paths, texts []string) {
	t.Helper()
	var b bytes.Buffer
	if err := c.WriteSVG(&b); err != nil {
		t.Fatal(err)
	}
	if s := b.String(); strings.Contains(s, "NaN") || strings.Contains(s, "Inf") {
		t.Fatalf("a place that is no number:\n%s", s)
	}
	inText := false
	for d := xml.NewDecoder(&b); ; {
		token, err := d.Token()
		if err == io.EOF {
			return paths, texts
		}
		if err != nil {
			t.Fatal(err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			inText = token.Name.Local == "text"
			for _, a := range token.Attr {
				if a.Name.Local == "d" {
					paths = append(paths, a.Value)
				}
			}
		case xml.CharData:
			if inText {
				texts = append(texts, string(token))
			}
		case xml.EndElement:
			inText = false
		}
	}
}

// TestLine checks the corners of a line, which lie on the frame at the limits of the data. Points
// without a position are omitted.
func TestLine(t *testing.T) {
	c := &Chart{Title: "a < b & c"}
	c.X.Log, c.Y.Min, c.Y.Max = true, -1, 1
	c.Lines = append(c.Lines, Line{Name: "one", Colour: color.RGBA{0, 114, 178, 255}, Points: []XY{
		{1, -1}, {math.NaN(), 0}, {0, 0}, {-1, 0}, {10, 0}, {100, math.Inf(1)}, {100, 1},
	}})
	paths, texts := parts(t, c)
	i := slices.IndexFunc(paths, func(d string) bool { return strings.Count(d, "M") == 3 })
	if i < 0 {
		t.Fatalf("no line of three parts in %q", paths)
	}
	var x, y [3]float64
	if _, err := fmt.Sscanf(strings.ReplaceAll(paths[i], "M", " "), "%g %g %g %g %g %g", &x[0], &y[0], &x[1], &y[1], &x[2], &y[2]); err != nil {
		t.Fatalf("%s: %v", paths[i], err)
	}
	if x[0] != leftRoom || math.Abs(x[1]-(x[0]+x[2])/2) > 0.02 || !(x[2] > 400) {
		t.Errorf("x %v, expected the decades equally far apart", x)
	}
	if math.Abs(y[1]-(y[0]+y[2])/2) > 0.02 || !(y[0] > y[1] && y[1] > y[2]) {
		t.Errorf("y %v, expected to rise evenly", y)
	}
	if !slices.Contains(texts, "a < b & c") || !slices.Contains(texts, "one") {
		t.Errorf("texts %q", texts)
	}
}

// TestBars checks two bars in each of two groups; their heights are their values.
func TestBars(t *testing.T) {
	c := &Chart{}
	c.X.Names = []string{"left", "right"}
	c.Bars = []Bars{{"a", color.RGBA{}, []float64{1, 2}}, {"b", color.RGBA{}, []float64{4, math.NaN()}}}
	paths, texts := parts(t, c)
	var high []float64
	for _, d := range paths {
		var x0, y0, y1, x1 float64
		if n, _ := fmt.Sscanf(d, "M%g %gV%gH%g", &x0, &y0, &y1, &x1); n == 4 && x1 > x0 && y0 > y1 {
			high = append(high, y0-y1)
		}
	}
	if len(high) != 3 || math.Abs(high[1]-2*high[0]) > 0.05 || math.Abs(high[2]-4*high[0]) > 0.05 {
		t.Errorf("bars %v high, expected three of 1 : 2 : 4", high)
	}
	if !slices.Contains(texts, "left") || !slices.Contains(texts, "b") {
		t.Errorf("texts %q", texts)
	}
}

// TestEmpty draws axes for no data, for one point, and for one value.
func TestEmpty(t *testing.T) {
	for _, log := range []bool{false, true} {
		for _, points := range [][]XY{nil, {{3, 3}}, {{1, 3}, {2, 3}}} {
			c := &Chart{Grid: true}
			c.X.Log, c.Y.Log = log, log
			c.Lines = []Line{{Marks: true, Points: points}}
			if paths, _ := parts(t, c); len(paths) < 3 {
				t.Errorf("%d paths of %v", len(paths), points)
			}
		}
	}
}
