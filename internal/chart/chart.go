package chart

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"fmt"
	"image/color"
	"io"
	"math"
	"strconv"
)

// Chart is a plot of lines, bars and discs, with a legend beside it.
type Chart struct {
	Title string
	X, Y  Axis
	Grid  bool // lines at the ticks of Y, and of X unless X has names
	Equal bool // the axes, both linear, have the same scale
	Lines []Line
	Bars  []Bars  // each adds one bar to every group; X.Names are the names of the groups
	Discs []Discs // without an entry in the legend
}

// Line is a polyline through points.
type Line struct {
	Name   string // in the legend, unless empty
	Colour color.RGBA
	Width  float64 // stroke width; 0: 1.4
	Dashed bool
	Marks  bool // a dot at each point
	Points []XY
}

// XY is a point of a line, in the units of the axes.
type XY struct{ X, Y float64 }

// Bars holds one bar in each group.
type Bars struct {
	Name   string
	Colour color.RGBA
	Values []float64
}

// Disc is a circle, in the units of the axes; the radius is in units of X.
type Disc struct{ X, Y, R float64 }

// Discs are circles with the same colours.
type Discs struct {
	Fill, Border color.RGBA
	All          []Disc
}

// The layout of the picture. A character is textHigh high and about textHigh·textWide wide.
const (
	pictureWide = 760.0
	pictureHigh = 450.0
	textHigh    = 13.0
	textWide    = 0.58
	leftRoom    = 76.0
	topRoom     = 34.0
	bottomRoom  = 58.0
	swatch      = 22.0 // width of a sample in the legend
	lineWidth   = 1.4
	markRadius  = 2.6
)

// WriteSVG writes the chart as SVG. Equal charts produce equal bytes.
func (c *Chart) WriteSVG(w io.Writer) error {
	d := &drawing{chart: c, right: pictureWide - c.legendWide() - 14, bottom: pictureHigh - bottomRoom}
	d.x, d.y = c.ranges()
	if c.Equal {
		high, wide := d.bottom-topRoom, d.right-leftRoom
		d.x.atLeast((d.y.hi - d.y.lo) * wide / high)
		d.y.atLeast((d.x.hi - d.x.lo) * high / wide)
	}
	fmt.Fprintf(&d.out, `<svg xmlns="http://www.w3.org/2000/svg" width="%g" height="%g" viewBox="0 0 %g %g" font-family="sans-serif" font-size="%g">`+"\n",
		pictureWide, pictureHigh, pictureWide, pictureHigh, textHigh)
	fmt.Fprintf(&d.out, `<path d="M0 0H%gV%gH0Z" fill="#ffffff"/>`+"\n", pictureWide, pictureHigh)
	d.axes()
	d.groups()
	d.circles()
	for i := range c.Lines {
		d.line(&c.Lines[i])
	}
	d.legend()
	d.out.WriteString("</svg>\n")
	if _, err := w.Write(d.out.Bytes()); err != nil {
		return fmt.Errorf("chart: %w", err)
	}
	return nil
}

// legendWide returns the width of the legend, which fits its longest name.
func (c *Chart) legendWide() float64 {
	longest := 0
	for i := range c.Lines {
		longest = max(longest, len([]rune(c.Lines[i].Name)))
	}
	for i := range c.Bars {
		longest = max(longest, len([]rune(c.Bars[i].Name)))
	}
	return swatch + 12 + float64(float64(longest)*textHigh*textWide)
}

// drawing is the state of drawing a chart. The plot area extends from leftRoom to right and from
// topRoom to bottom.
type drawing struct {
	chart         *Chart
	right, bottom float64
	x, y          span
	out           bytes.Buffer
}

// at returns the position of a point in the picture.
func (d *drawing) at(p XY) (x, y float64) {
	return leftRoom + float64(d.x.fraction(p.X)*(d.right-leftRoom)), d.bottom - float64(d.y.fraction(p.Y)*(d.bottom-topRoom))
}

func (d *drawing) text(x, y float64, anchor, more, text string) {
	fmt.Fprintf(&d.out, `<text x="%s" y="%s" text-anchor="%s"%s>`, short(x), short(y), anchor, more)
	_ = xml.EscapeText(&d.out, []byte(text)) // Writing to a buffer never fails.
	d.out.WriteString("</text>\n")
}

// axes draws the frame, ticks, grid and titles.
func (d *drawing) axes() {
	c := d.chart
	grid := func(path string) {
		if c.Grid {
			fmt.Fprintf(&d.out, `<path d="%s" stroke="#d9d9d9"/>`+"\n", path)
		}
	}
	for _, t := range d.y.ticks() {
		_, y := d.at(XY{d.x.lo, t})
		grid("M" + short(leftRoom) + " " + short(y) + "H" + short(d.right))
		d.text(leftRoom-6, y+textHigh/3, "end", "", number(t))
	}
	if len(c.X.Names) > 0 {
		for i, name := range c.X.Names {
			x, _ := d.at(XY{float64(i), d.y.lo})
			d.text(x, d.bottom+textHigh+5, "middle", "", name)
		}
	} else {
		for _, t := range d.x.ticks() {
			x, _ := d.at(XY{t, d.y.lo})
			grid("M" + short(x) + " " + short(topRoom) + "V" + short(d.bottom))
			d.text(x, d.bottom+textHigh+5, "middle", "", number(t))
		}
	}
	fmt.Fprintf(&d.out, `<path d="M%g %gV%sH%s" fill="none" stroke="#000000"/>`+"\n", leftRoom, topRoom, short(d.bottom), short(d.right))
	middle := (leftRoom + d.right) / 2
	d.text(middle, 20, "middle", ` font-weight="bold"`, c.Title)
	d.text(middle, pictureHigh-16, "middle", "", c.X.Title)
	high := (topRoom + d.bottom) / 2
	d.text(18, high, "middle", fmt.Sprintf(` transform="rotate(-90 18 %s)"`, short(high)), c.Y.Title)
}

// groups draws the bars, side by side in each group.
func (d *drawing) groups() {
	c := d.chart
	wide := 1 / float64(len(c.Bars)+1)
	for i := range c.Bars {
		left := float64(wide * (float64(i) - float64(0.5*float64(len(c.Bars)))))
		for k, v := range c.Bars[i].Values {
			if !d.y.shows(v) {
				continue
			}
			x0, y1 := d.at(XY{float64(k) + left, v})
			x1, y0 := d.at(XY{float64(k) + left + wide, max(d.y.lo, 0)})
			fmt.Fprintf(&d.out, `<path d="M%s %sV%sH%sV%sZ" fill="%s"/>`+"\n", short(x0), short(y0), short(y1), short(x1), short(y0), hex(c.Bars[i].Colour))
		}
	}
}

// circles draws the discs.
func (d *drawing) circles() {
	unit := (d.right - leftRoom) / (d.x.hi - d.x.lo)
	for _, group := range d.chart.Discs {
		for _, c := range group.All {
			if x, y := d.at(XY{c.X, c.Y}); d.x.shows(c.X) && d.y.shows(c.Y) {
				fmt.Fprintf(&d.out, `<circle cx="%s" cy="%s" r="%s" fill="%s" stroke="%s" stroke-width="0.5"/>`+"\n",
					short(x), short(y), short(float64(c.R*unit)), hex(group.Fill), hex(group.Border))
			}
		}
	}
}

// line draws a polyline. A point outside the axes interrupts the line.
func (d *drawing) line(l *Line) {
	var path, marks bytes.Buffer
	pen := "M"
	for _, p := range l.Points {
		if !d.x.shows(p.X) || !d.y.shows(p.Y) {
			pen = "M"
			continue
		}
		x, y := d.at(p)
		path.WriteString(pen + short(x) + " " + short(y))
		if pen = "L"; l.Marks {
			fmt.Fprintf(&marks, `<circle cx="%s" cy="%s" r="%g" fill="%s"/>`+"\n", short(x), short(y), markRadius, hex(l.Colour))
		}
	}
	fmt.Fprintf(&d.out, `<path d="%s" fill="none" %s/>`+"\n", path.Bytes(), stroke(l))
	d.out.Write(marks.Bytes())
}

func (d *drawing) legend() {
	x, y := d.right+14, topRoom+textHigh/2
	entry := func(sample, name string) {
		d.out.WriteString(sample)
		d.text(x+swatch+6, y+textHigh/3, "start", "", name)
		y += 1.5 * textHigh
	}
	for i := range d.chart.Bars {
		b := &d.chart.Bars[i]
		entry(fmt.Sprintf(`<path d="M%s %sh%gv10h-%gZ" fill="%s"/>`+"\n", short(x), short(y-5), swatch, swatch, hex(b.Colour)), b.Name)
	}
	for i := range d.chart.Lines {
		l := &d.chart.Lines[i]
		if l.Name == "" {
			continue
		}
		entry(fmt.Sprintf(`<path d="M%s %sh%g" %s/>`+"\n", short(x), short(y), swatch, stroke(l)), l.Name)
	}
}

func stroke(l *Line) string {
	width, dashes := cmp.Or(l.Width, lineWidth), ""
	if l.Dashed {
		dashes = ` stroke-dasharray="5 4"`
	}
	return fmt.Sprintf(`stroke="%s" stroke-width="%g"%s`, hex(l.Colour), width, dashes)
}

func hex(c color.RGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// short formats a position in the picture, to a hundredth.
func short(v float64) string {
	return strconv.FormatFloat(math.Round(v*100)/100, 'f', -1, 64)
}

// number formats the value of a tick.
func number(v float64) string {
	if a := math.Abs(v); a != 0 && (a < 1e-4 || a >= 1e8) {
		return strconv.FormatFloat(v, 'e', -1, 64)
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}
