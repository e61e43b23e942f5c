package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progress shows how far long work is: a bar on a terminal, a line now and then otherwise. It is a
// scene.Reporter. Warnings are shown in any case.
type progress struct {
	a     *app
	what  string // "steps"
	all   int64
	bar   *progressbar.ProgressBar // nil where there is none
	began time.Time
	told  time.Time // of the last line
	share int64     // tenths done at the last line
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
	if p.a.quiet || !isTerminal(p.a.stderr) {
		return
	}
	p.bar = progressbar.NewOptions64(all,
		progressbar.OptionSetWriter(p.a.stderr), progressbar.OptionSetDescription(p.what),
		progressbar.OptionShowCount(), progressbar.OptionThrottle(barEvery),
		progressbar.OptionSetPredictTime(true), progressbar.OptionClearOnFinish(),
		progressbar.OptionSetWidth(30))
}

// Step says how many steps are done.
func (p *progress) Step(done int64, note string) {
	switch {
	case p.a.quiet:
	case p.bar != nil:
		p.bar.Describe(note)
		_ = p.bar.Set64(done) // A bar that cannot be drawn is no reason to stop.
	default:
		p.line(done, note)
	}
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
	left := ""
	if done > 0 && done < p.all {
		rest := time.Duration(float64(now.Sub(p.began)) * float64(p.all-done) / float64(done))
		left = ", about " + rest.Round(time.Second).String() + " left"
	}
	fmt.Fprintf(p.a.stderr, "%s %d of %d, %s%s\n", p.what, done, p.all, note, left)
}

// Warn shows a warning.
func (p *progress) Warn(text string) {
	p.clear()
	p.a.message("warning: %s", text)
}

// Done ends the bar.
func (p *progress) Done() {
	p.clear()
	p.bar = nil
}

func (p *progress) clear() {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}

func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// widthOf returns the number of characters of a line of the terminal, or 120 elsewhere.
func widthOf(w io.Writer) int {
	if file, ok := w.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		if width, _, err := term.GetSize(int(file.Fd())); err == nil && width >= 40 {
			return width
		}
	}
	return 120
}
