package verify

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"html"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/scene"
)

// Names of the reports in a folder.
const (
	HTMLName = "verify.html"
	CSVName  = "verify.csv"
)

// Summary counts the cases of each verdict, such as "40 pass, 1 fails".
func Summary(list []*Outcome) string {
	n := map[Verdict]int{}
	for _, o := range list {
		n[o.Verdict]++
	}
	parts := []string{fmt.Sprintf("%d pass, %d fail", n[Pass], n[Fail])}
	if n[Reported] > 0 {
		parts = append(parts, fmt.Sprintf("%d reported", n[Reported]))
	}
	if n[NotRun] > 0 {
		parts = append(parts, fmt.Sprintf("%d shown by Go tests", n[NotRun]))
	}
	return strings.Join(parts, ", ")
}

// Write writes both reports to a folder. about states how they were made; its lines after the first are warnings.
func Write(dir string, about []string, list []*Outcome) error {
	if err := fileio.WriteFile(filepath.Join(dir, CSVName), func(w io.Writer) error { return writeCSV(w, list) }); err != nil {
		return err
	}
	return fileio.WriteFile(filepath.Join(dir, HTMLName), func(w io.Writer) error { return writeHTML(w, about, list) })
}

// ours returns an error if a file in a folder has the name of a report but does not begin as one.
func ours(dir string) error {
	for name, start := range map[string]string{HTMLName: htmlTitle, CSVName: strings.Join(csvTitles, ",")} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err == nil && !bytes.HasPrefix(text, []byte(start)) {
			return mark.Errorf(scene.ErrInput, "%s is no report of scree verify, expected no such file, or another folder", filepath.Join(dir, name))
		}
	}
	return nil
}

// rows returns the comparisons of a case, and a row for its error or its Go tests.
func (o *Outcome) rows() []Comparison {
	switch {
	case o.Tests != "":
		return []Comparison{{What: InClone + o.Tests, Verdict: NotRun}}
	case o.Error != "":
		return append(o.Checks, Comparison{What: "the case runs", Got: o.Error, Verdict: Fail})
	}
	return o.Checks
}

func writeCSV(w io.Writer, list []*Outcome) error {
	rows := [][]string{csvTitles}
	if slices.ContainsFunc(list, func(o *Outcome) bool { return len(o.Sets) > 0 }) {
		rows[0] = append(slices.Clone(csvTitles), "sets")
	}
	for _, o := range list {
		for _, c := range o.rows() {
			row := []string{o.Name, o.What, o.Source, o.Class.String(), c.What, c.Expected, c.Got, c.Tolerance, string(c.Verdict), strings.Join(o.Sets, " ")}
			rows = append(rows, row[:len(rows[0])])
		}
	}
	return csv.NewWriter(w).WriteAll(rows)
}

// A report begins with these; the table has one more column if values are set.
var csvTitles = []string{"case", "what", "source", "class", "check", "expected", "got", "tolerance", "verdict"}

const htmlTitle = `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>scree verify</title>`

const htmlHead = htmlTitle + `<meta name="viewport" content="width=device-width, initial-scale=1"><style>
body{font:15px/1.45 sans-serif;max-width:100em;margin:2em auto;padding:0 1em;color:#222}
table{border-collapse:collapse;margin:.4em 0}td,th{padding:.15em .8em .15em 0;text-align:left;vertical-align:top;border-bottom:1px solid #e4e4e4}
.pass{color:#146b2e}.fail{color:#fff;background:#b3261e;padding:0 .3em}.reported{color:#7a5b00}.go{color:#555}
section{margin:2em 0;border-top:2px solid #ccc}h2{font-size:1.15em;margin:.6em 0 .1em}pre{white-space:pre-wrap;background:#f5f5f5;padding:.5em}svg{max-width:100%;height:auto}
.box{overflow-x:auto;min-width:0;flex:1 1 50%}.plots{min-width:0;flex:1 1 40%}.plots:empty{display:none}.row td+td,td:last-child{white-space:nowrap}@media(min-width:75em){.row{display:flex;gap:2em}}
</style></head><body>
`

// writeHTML writes one page that needs no other file: all cases in a table, then each with its
// comparisons, its plots, and the commands that make its runs alone.
func writeHTML(w io.Writer, about []string, list []*Outcome) error {
	var b bytes.Buffer
	text := html.EscapeString
	verdict := func(v Verdict) string {
		class, _, _ := strings.Cut(string(v), " ")
		return fmt.Sprintf(`<span class="%s">%s</span>`, class, v)
	}
	b.WriteString(htmlHead + "<h1>scree verify</h1>")
	for i, line := range about {
		fmt.Fprintf(&b, `<p><span class="%s">%s</span></p>`, []string{"how", "fail"}[min(i, 1)], text(line))
	}
	fmt.Fprintf(&b, "<p>%s</p>\n<div class=\"box\"><table><tr><th>case</th><th>what</th><th>source</th><th>verdict</th><th>time</th></tr>\n", text(Summary(list)))
	for _, o := range list {
		fmt.Fprintf(&b, `<tr><td><a href="#%s">%[1]s</a></td><td>%s</td><td>%s</td><td>%s</td><td>%s</td></tr>`+"\n",
			o.Name, text(o.What), text(o.Source), verdict(o.Verdict), strings.TrimPrefix(o.Took(), ", "))
	}
	b.WriteString("</table></div>\n")
	for _, o := range list {
		fmt.Fprintf(&b, `<section id="%s"><h2>%[1]s: %s</h2><p>%s. %s</p><div class="row"><div class="box"><table><tr><th>check</th><th>expected</th><th>got</th><th>tolerance</th><th></th></tr>`+"\n",
			o.Name, text(o.What), text(o.Source), verdict(o.Verdict))
		for _, c := range o.rows() {
			fmt.Fprintf(&b, "<tr><td>%s</td><td>%s</td><td>%s</td><td>%s</td><td>%s</td></tr>\n", text(c.What), text(c.Expected), text(c.Got), text(c.Tolerance), verdict(c.Verdict))
		}
		b.WriteString("</table></div>\n<div class=\"plots\">")
		for i := range o.Plots {
			if err := o.Plots[i].WriteSVG(&b); err != nil {
				return err
			}
		}
		b.WriteString("</div></div>")
		if o.Tests == "" {
			fmt.Fprintf(&b, "<details><summary>Alone</summary><pre>%s</pre></details>", text("scree verify --export "+o.Name+"\n"+strings.Join(o.Commands(o.Name, o.Sets...), "\n")))
		}
		b.WriteString("</section>\n")
	}
	b.WriteString("</body></html>\n")
	_, err := b.WriteTo(w)
	return err
}
