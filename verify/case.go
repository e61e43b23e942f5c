package verify

import (
	"cmp"
	"embed"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"

	"github.com/scree-dem/scree/internal/disk"
)

// Class tells how long a case takes.
type Class int

// The classes, from short to long. Each one includes those before it.
const (
	Quick Class = iota
	Usual
	Long
)

// String returns the name of the class.
func (c Class) String() string { return [...]string{"quick", "default", "long"}[c] }

// MarshalText returns the name of the class.
func (c Class) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// Case is a problem with a known answer.
type Case struct {
	Name   string `json:"case"`   // such as V18b
	What   string `json:"what"`   // what is computed, in one line
	Source string `json:"source"` // of the expected values
	Class  Class  `json:"class"`
	Tests  string `json:"tests,omitempty"` // command of Go tests that show the case, of one that needs thousands of random inputs; else ""

	inputs []input
	judge  func(j *judge)
}

// input is what one run reads.
type input struct {
	file string   // a scene or a table in cases/, or the text of a builtin shape
	sets []string // of a scene, KEY=VALUE

	location, method string   // of a table of pairs
	mesh             string   // of a table of points: the name of a mesh in cases/
	shapes           []string // of a table of pairs: the names of meshes in cases/
}

//go:embed cases
var files embed.FS

// Cases returns all cases in the order of their numbers.
func Cases() []*Case {
	all := slices.Concat(geometryCases(), impactCases(), slidingCases(), motionCases(), heapCases())
	slices.SortStableFunc(all, func(a, b *Case) int { return number(a.Name) - number(b.Name) })
	return all
}

// number returns the number in the name of a case.
func number(name string) (n int) {
	_, _ = fmt.Sscanf(name, "V%d", &n)
	return n
}

// Find returns the cases that the names select: by the name of a case, by its number with all that
// follows, or by a word of what it shows.
func Find(all []*Case, names []string) (list []*Case, err error) {
	for _, name := range names {
		found := slices.DeleteFunc(slices.Clone(all), func(c *Case) bool { return !c.is(name) })
		if len(found) == 0 {
			near := slices.MinFunc(all, func(a, b *Case) int { return away(name, a.Name) - away(name, b.Name) })
			return nil, fmt.Errorf("%q is no case, expected perhaps %q", name, near.Name)
		}
		list = append(list, found...)
	}
	slices.SortStableFunc(list, func(a, b *Case) int { return slices.Index(all, a) - slices.Index(all, b) })
	return slices.Compact(list), nil
}

func away(a, b string) int {
	return levenshtein.ComputeDistance(strings.ToLower(a), strings.ToLower(b))
}

func (c *Case) is(name string) bool {
	base, _, _ := strings.Cut(c.Name, "-")
	words := strings.FieldsFunc(c.What, func(r rune) bool { return strings.ContainsRune(" ,:;()°", r) })
	return strings.EqualFold(name, c.Name) || strings.EqualFold(name, base) ||
		slices.ContainsFunc(words, func(w string) bool { return strings.EqualFold(name, w) })
}

// named matches the names of meshes in a scene or a table.
var named = regexp.MustCompile(`[a-z0-9-]+\.obj`)

// Commands returns a command for each run of the case, which reads its input files in a folder.
func (c *Case) Commands(dir string) (list []string) {
	if c.Tests != "" {
		return []string{c.Tests}
	}
	for k, in := range c.inputs {
		list = append(list, in.command(dir, fmt.Sprintf("run-%d", k+1)))
	}
	return list
}

// Export writes the input files of a case to a folder.
func (c *Case) Export(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for _, in := range c.inputs {
		if strings.Contains(in.file, ":") {
			continue // a builtin shape
		}
		for _, name := range slices.Concat(named.FindAllString(content(in.file), -1), in.meshes(), []string{in.file}) {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(content(name)), 0o666); err != nil {
				return err
			}
		}
	}
	return nil
}

// content returns an embedded file.
func content(name string) string {
	text, err := files.ReadFile("cases/" + name)
	if err != nil {
		panic("verify: " + err.Error()) // The files are embedded in the program.
	}
	return string(text)
}

// meshes returns the meshes that the command names.
func (in *input) meshes() []string {
	if in.mesh != "" {
		return []string{in.mesh}
	}
	return in.shapes
}

// command returns the command that makes the run from the files in a folder.
func (in *input) command(dir, run string) string {
	path := func(name string) string { return disk.ForShell(filepath.Join(dir, name)) }
	switch {
	case strings.Contains(in.file, ":"):
		return "scree shape info " + in.file
	case in.mesh != "":
		return "scree inside --mesh " + path(in.mesh) + " --points " + path(in.file) + " --method " + in.method
	case strings.HasSuffix(in.file, ".csv"):
		text := "scree pairs --pairs " + path(in.file) + " --location " + cmp.Or(in.location, "full") + " --method " + cmp.Or(in.method, "auto")
		for _, mesh := range in.shapes {
			text += " --shapes " + path(mesh)
		}
		return text
	}
	text := "scree run " + path(in.file) + " -o " + path(run)
	for _, s := range in.sets {
		text += " --set " + disk.ForShell(s)
	}
	return text
}
