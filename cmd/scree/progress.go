package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/term"
)

// progress shows how far long work is: a bar on a terminal, a line now and then otherwise. It is a
// scene.Reporter. Warnings are shown in any case.
type progress struct {
	a     *app
	what  string // "steps"
	all   int64
	wide  int // columns of the terminal that takes the bar; 0 where there is none
	shown int // characters of the bar on the terminal
	began time.Time
	told  time.Time // of the last line or bar
	share int64     // tenths done at the last line
	paced bool      // whether the pace is measured, from what was done then
	done  int64     // what that was: of a restart, the steps before the checkpoint among them
}

// Where there is no terminal a line comes every lineEvery, and with every tenth of the work unless that
// is sooner than tenthEvery after the last.
const (
	lineEvery  = 5 * time.Second
	tenthEvery = time.Second
	barEvery   = 100 * time.Millisecond
)

func (a *app) progress(what string) *progress { return &progress{a: a, what: what} }

// Start begins work of a number of steps.
func (p *progress) Start(all int64) {
	p.all, p.began = all, time.Now()
	p.told = p.began
	if !p.a.quiet && animates(p.a.stderr) {
		p.wide = widthOf(p.a.stderr)
	}
}

// Step says how many steps are done.
func (p *progress) Step(done int64, note string) {
	if p != nil && !p.paced {
		p.paced, p.done, p.began = true, done, time.Now()
	}
	switch {
	case p == nil || p.a.quiet:
	case p.wide > 0:
		p.draw(done, note)
	default:
		p.line(done, note)
	}
}

// stepOf is Step of work that says each time how many steps it has: the first call begins it.
func (p *progress) stepOf(done, all int64, note string) {
	if p.began.IsZero() {
		p.Start(all)
	}
	p.Step(done, note)
}

// barCells is how many characters the bar itself has.
const barCells = 30

// draw writes the bar over the one before. The line is cut at the terminal's width, so that it
// never wraps.
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

// left says how long the rest takes at the pace so far.
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

// Warn shows a warning.
func (p *progress) Warn(text string) {
	p.clear()
	p.a.message("warning: %s", text)
}

// Done ends the bar, if there is one.
func (p *progress) Done() {
	if p != nil {
		p.clear()
		p.wide = 0
	}
}

// clear takes the bar off the terminal.
func (p *progress) clear() {
	if p.shown > 0 {
		fmt.Fprintf(p.a.stderr, "\r%s\r", strings.Repeat(" ", p.shown))
		p.shown = 0
	}
}

// animates reports whether a stream is a terminal that moves its cursor. A terminal that says it is
// dumb does not.
func animates(w io.Writer) bool { return isTerminal(w) && os.Getenv("TERM") != "dumb" }

func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// widthOf returns the number of characters of a line of the terminal, or 120 elsewhere.
func widthOf(w io.Writer) int {
	if file, ok := w.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		if width, _, err := term.GetSize(int(file.Fd())); err == nil && width > 0 {
			return width
		}
	}
	return 120
}
