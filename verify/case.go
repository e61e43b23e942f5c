package verify

import (
	"bytes"
	"cmp"
	"embed"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"

	"github.com/scree-dem/scree/internal/disk"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/scene"
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
	Tests  string `json:"tests,omitempty"` // command that shows the case in a clone of the repository, if Go tests do; else ""

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

// absent says what the cases of the literature need that are not in this release.
var absent = map[string]string{
	"V23": "polygons in two dimensions", "V24": "bonds", "V41": "polygons in two dimensions", "V42": "reference data",
	"V48": "bonds", "V49": "bonds", "V51": "DDA",
}

// Find returns the cases of a class and the shorter ones, or those of them that the names select. A name is
// that of a case, or begins those of several and ends with *, or is a word of three letters or more in their
// titles.
func Find(all []*Case, names []string, class Class) (list []*Case, err error) {
	longer := func(c *Case) bool { return c.Class > class }
	if len(names) == 0 {
		return slices.DeleteFunc(slices.Clone(all), longer), nil
	}
	for _, name := range names {
		found := slices.DeleteFunc(slices.Clone(all), func(c *Case) bool { return !c.is(name) })
		if i := slices.IndexFunc(all, func(c *Case) bool { return strings.EqualFold(name, c.Name) }); i >= 0 {
			found = []*Case{all[i]}
		}
		need, near := absent[strings.ToUpper(name)], slices.MinFunc(all, func(a, b *Case) int { return away(name, a.Name) - away(name, b.Name) })
		switch {
		case need != "":
			return nil, mark.Errorf(scene.ErrInput, "%s needs %s, which this release does not have", name, need)
		case len(found) == 0:
			return nil, mark.Errorf(scene.ErrInput, "%q is no case, expected perhaps %q", name, near.Name)
		case !slices.ContainsFunc(found, func(c *Case) bool { return !longer(c) }):
			return nil, mark.Errorf(scene.ErrInput, "%s is a %s case, not %s", name, found[0].Class, class)
		}
		list = append(list, slices.DeleteFunc(found, longer)...)
	}
	slices.SortStableFunc(list, func(a, b *Case) int { return slices.Index(all, a) - slices.Index(all, b) })
	return slices.Compact(list), nil
}

func away(a, b string) int {
	return levenshtein.ComputeDistance(strings.ToLower(a), strings.ToLower(b))
}

// is reports whether NAME* or a word selects the case.
func (c *Case) is(name string) bool {
	if start, ok := strings.CutSuffix(strings.ToUpper(name), "*"); ok {
		return strings.HasPrefix(strings.ToUpper(c.Name), start)
	}
	words := strings.FieldsFunc(c.What, func(r rune) bool { return strings.ContainsRune(" ,:;()°", r) })
	return utf8.RuneCountInString(name) >= 3 && slices.ContainsFunc(words, func(w string) bool { return strings.EqualFold(name, w) })
}

// InClone stands before the command of the Go tests of a case.
const InClone = "in a clone of the repository: "

// named matches the names of meshes in a scene or a table.
var named = regexp.MustCompile(`[a-z0-9-]+\.obj`)

// Commands returns a command for each run of the case, which reads its input files in a folder. sets are
// set in every scene after the values of the case.
func (c *Case) Commands(dir string, sets ...string) (list []string) {
	for k, in := range c.inputs {
		list = append(list, in.command(dir, fmt.Sprintf("run-%d", k+1), sets))
	}
	return list
}

// Export writes the input files of a case to a folder. A file of another content is not replaced.
func (c *Case) Export(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for _, in := range c.inputs {
		if strings.Contains(in.file, ":") {
			continue // a builtin shape
		}
		for _, name := range slices.Concat(named.FindAllString(content(in.file), -1), in.meshes(), []string{in.file}) {
			path, text := filepath.Join(dir, name), []byte(content(name))
			if was, err := os.ReadFile(path); err == nil && !bytes.Equal(was, text) {
				return mark.Errorf(scene.ErrInput, "%s differs from the input of %s, expected no such file, or another folder", path, c.Name)
			}
			if err := os.WriteFile(path, text, 0o666); err != nil {
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
func (in *input) command(dir, run string, sets []string) string {
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
	for _, s := range slices.Concat(in.sets, sets) {
		text += " --set " + disk.ForShell(s)
	}
	return text
}
