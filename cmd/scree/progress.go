package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/term"

	"github.com/scree-dem/scree/internal/mark"
)

// progress shows the progress of long work: as a bar on a terminal, otherwise as a line from time
// to time. It implements scene.Reporter. With --quiet it shows warnings only.
type progress struct {
	a     *app
	what  string // unit of the work, such as "steps"
	all   int64
	wide  int       // width of the terminal that shows the bar, columns; 0 without a bar
	shown int       // characters of the bar on the terminal
	began time.Time // set by Start
	told  time.Time // time of the last line or bar
	share int64     // tenths done at the last line
	paced bool      // whether the pace is measured, from what was done then
	done  int64     // what that was: of a restart, the steps before the checkpoint among them
}

// Without a terminal, a line appears every lineEvery. A line also appears with every tenth of the
// work, but not sooner than tenthEvery after the line before. barEvery is the least time between
// two bars.
const (
	lineEvery  = 5 * time.Second
	tenthEvery = time.Second
	barEvery   = 100 * time.Millisecond
)

func (a *app) progress(what string) *progress { return &progress{a: a, what: what} }

// Start begins work of all units.
func (p *progress) Start(all int64) {
	p.all, p.began = all, time.Now()
	p.told = p.began
	if !p.a.quiet && animates(p.a.stderr) {
		p.wide = widthOf(p.a.stderr)
	}
}

// Step reports that done units are complete. The note is shown beside the number.
func (p *progress) Step(done int64, note string) {
	if p != nil && !p.paced {
		p.paced, p.done, p.began = true, done, time.Now()
	}
	note = mark.OneLine(note)
	switch {
	case p == nil || p.a.quiet:
	case p.wide > 0:
		p.draw(done, note)
	default:
		p.line(done, note)
	}
}

// stepOf is Step for work whose total arrives with each report. The first call also starts the
// work.
func (p *progress) stepOf(done, all int64, note string) {
	if p.began.IsZero() {
		p.Start(all)
	}
	p.Step(done, note)
}

// barCells is the number of characters in the bar itself.
const barCells = 30

// draw overwrites the last bar. The line is cut at the width of the terminal, so it never wraps.
func (p *progress) draw(done int64, note string) {
	now := time.Now()
	if now.Sub(p.told) < barEvery {
		return
	}
	p.told = now
	share := 0.0
	if p.all > 0 {
		share = min(max(float64(done)/float64(p.all), 0), 1)
	}
	full := int(share * barCells)
	text := fmt.Sprintf("%3.0f %% [%s%s] %d of %d %s%s, %s", 100*share, strings.Repeat("#", full), strings.Repeat(".", barCells-full),
		done, p.all, p.what, p.left(now, done), note)
	if cut := []rune(text); len(cut) >= p.wide {
		text = string(cut[:p.wide-1])
	}
	p.clear()
	p.shown = utf8.RuneCountInString(text)
	fmt.Fprint(p.a.stderr, text)
}

// left returns a text with the remaining time at the mean pace so far.
func (p *progress) left(now time.Time, done int64) string {
	if done <= p.done || done >= p.all {
		return ""
	}
	rest := time.Duration(float64(now.Sub(p.began)) * float64(p.all-done) / float64(done-p.done))
	return ", about " + rest.Round(time.Second).String() + " left"
}

func (p *progress) line(done int64, note string) {
	now := time.Now()
	tenths := int64(0)
	if p.all > 0 {
		tenths = 10 * done / p.all
	}
	if now.Sub(p.told) < lineEvery && !(tenths > p.share && now.Sub(p.told) > tenthEvery) {
		return
	}
	p.told, p.share = now, tenths
	fmt.Fprintf(p.a.stderr, "%s %d of %d, %s%s\n", p.what, done, p.all, note, p.left(now, done))
}

// Warn shows a warning, even with --quiet.
func (p *progress) Warn(text string) {
	p.clear()
	p.a.message("warning: %s", text)
}

// Done removes the bar, if there is one.
func (p *progress) Done() {
	if p != nil {
		p.clear()
		p.wide = 0
	}
}

// clear removes the bar from the terminal.
func (p *progress) clear() {
	if p.shown > 0 {
		fmt.Fprintf(p.a.stderr, "\r%s\r", strings.Repeat(" ", p.shown))
		p.shown = 0
	}
}

// animates reports whether w is a terminal that can move its cursor. A terminal with TERM=dumb
// cannot.
func animates(w io.Writer) bool { return isTerminal(w) && os.Getenv("TERM") != "dumb" }

func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// widthOf returns the width of the terminal w in characters, or 120 if w is no terminal.
func widthOf(w io.Writer) int {
	if file, ok := w.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		if width, _, err := term.GetSize(int(file.Fd())); err == nil && width > 0 {
			return width
		}
	}
	return 120
}
