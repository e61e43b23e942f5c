package bench

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/geometry"
)

// measure runs a study as the command line does. Zero values of options stand for their defaults.
func measure[R any](ctx context.Context, o planner[R], e Env) ([]R, *Report, error) {
	kind := reflect.TypeOf(o).Elem()
	i := slices.IndexFunc(Studies(), func(s *Study) bool { return s.kind == kind })
	for _, p := range OptionsOf(o, Studies()[i].Names) {
		if !p.field().IsZero() {
			if err := p.Check(); err != nil {
				return nil, nil, err
			}
		}
	}
	p, err := o.plan(&e)
	if err != nil {
		return nil, nil, err
	}
	report, rows, err := p.run(ctx, &e)
	return rows, report, err
}

// files are the files that studies of tests read.
func files(pile *fileio.Settled, mesh *geometry.Mesh) Env {
	return Env{
		Settled: func(string) (*fileio.Settled, error) { return pile, nil },
		Mesh:    func(string) (*geometry.Mesh, error) { return mesh, nil },
		Warn:    func(string) {},
	}
}

// TestStudies: the tags of all options are valid, every option says what it means, and defaults keep their bounds.
func TestStudies(t *testing.T) {
	for _, s := range Studies() {
		if s.Name == "" || s.Long == "" || (s.With == "") != (s.Short != "" && s.Example != "") {
			t.Errorf("%+v", s.About)
		}
		if s.With != "" && s.Option(s.With) == nil {
			t.Errorf("%s has no option --%s, which selects it", s.Name, s.With)
		}
		for name := range s.Names {
			if s.Option(name) == nil {
				t.Errorf("%s has no option --%s, which has names", s.Name, name)
			}
		}
		for _, p := range s.Options {
			if err := p.Check(); err != nil && !p.field().IsZero() {
				t.Errorf("%s: default: %v", s.Name, err)
			}
			if global := p.Name == "workers" || p.Name == "pin"; global == (p.Tag.Get("help") != "") {
				t.Errorf("%s: --%s has help %q", s.Name, p.Name, p.Tag.Get("help"))
			}
		}
	}
}

// TestOptions: an option out of bounds, with an unknown name, or with an item twice is an error that names the flag, the
// value and the bounds.
func TestOptions(t *testing.T) {
	type options struct {
		N    int       `flag:"n" default:"3" bounds:"1 to 5"`
		List []float64 `flag:"list" default:"[1,2]" bounds:"≥ 1"`
		T    float64   `flag:"t" bounds:"> 0" unit:"s"`
		U    float64   `flag:"u" bounds:"> 0 and ≤ 9" unit:"m"`
		Name string    `flag:"name"`
		All  []string  `flag:"all"`
		Path []string  `flag:"path" default:"a b,c" file:"txt"`
	}
	names := map[string][]string{"name": {"x", "y"}, "all": {"p", "q"}}
	var o options
	OptionsOf(&o, names)
	if o.N != 3 || !slices.Equal(o.List, []float64{1, 2}) || o.T != 0 || !slices.Equal(o.All, names["all"]) || !slices.Equal(o.Path, []string{"a", "b,c"}) {
		t.Errorf("defaults %+v", o)
	}
	for want, o := range map[string]options{
		"--n is 6, expected 1 to 5":                    {N: 6},
		"--list is 4,0.5, expected ≥ 1":                {List: []float64{4, 0.5}},
		"--list has 4 twice, expected each value once": {List: []float64{4, 4}},
		"--t is -1, expected > 0 s":                    {T: -1},
		"--u is 10, expected > 0 and ≤ 9 m":            {U: 10},
		`--name is "z", expected one of x, y`:          {Name: "z"},
		`--all is "p,r", expected one of p, q`:         {All: []string{"p", "r"}},
		"--all has p twice, expected each value once":  {All: []string{"p", "p"}},
		"": {N: 5, List: []float64{1}, T: 1e-9, U: 9, Name: "y", All: []string{"q"}, Path: []string{"a", "a"}},
	} {
		var errs []error
		for _, p := range OptionsOf(&o, names) {
			if !p.field().IsZero() {
				errs = append(errs, p.Check())
			}
		}
		err := errors.Join(errs...)
		if got := strings.TrimSpace(errorText(err)); got != want || err != nil && !errors.Is(err, ErrOption) {
			t.Errorf("%q, expected %q", got, want)
		}
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// numberOptions is a study that measures numbers.
type numberOptions struct {
	N int `flag:"n" default:"3" bounds:"≥ 1"`
}

type numberRow struct {
	K        int    `json:"k" show:"%d"`
	Checksum string `json:"checksum" show:"%s"`
}

func (o *numberOptions) plan(e *Env) (*plan[numberRow], error) {
	p := &plan[numberRow]{same: func(r *numberRow) (of, by, checksum string) { return "number", string(rune('a' + r.K)), r.Checksum }}
	for k := range o.N {
		p.parts = append(p.parts, one("number", func() numberRow {
			if k == 4 {
				e.check(errors.New("bench: four"))
			}
			return numberRow{k, "01"[k/3 : k/3+1]}
		}))
	}
	return p, nil
}

// TestFrame: progress counts the rows, an interruption keeps the complete ones, and different checksums are an error.
func TestFrame(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var told []int64
	e := Env{Progress: func(done, all int64, _ string) {
		if told = append(told, done, all); done == 2 {
			cancel()
		}
	}}
	p, _ := (&numberOptions{N: 3}).plan(&e)
	report, rows, err := p.run(ctx, &e)
	if !errors.Is(err, context.Canceled) || len(rows) != 2 || report.Complete || report.Rows() != 2 || !slices.Equal(told, []int64{0, 3, 1, 3, 2, 3}) {
		t.Errorf("%d rows, %v, told %v", len(rows), err, told)
	}
	report, _, err = p.run(t.Context(), &Env{})
	if err != nil || !report.Complete || report.Rows() != 3 {
		t.Errorf("%+v, %v", report, err)
	}
	p, _ = (&numberOptions{N: 4}).plan(nil)
	want := "bench: number: checksum 1 with d, expected 0 as with a"
	if _, _, err = p.run(t.Context(), &Env{}); errorText(err) != want {
		t.Errorf("two checksums: %v, expected %s", err, want)
	}
	var failing Env
	p, _ = (&numberOptions{N: 5}).plan(&failing)
	p.same = nil
	want = "bench: number: four"
	if _, rows, err := p.run(t.Context(), &failing); errorText(err) != want || len(rows) != 4 {
		t.Errorf("an error in the fifth row: %d rows, %v, expected %s", len(rows), err, want)
	}
}

// inPart calls f as a part of a study, and returns the error that ended it.
func inPart(t *testing.T, f func(e *Env)) error {
	e := &Env{ctx: t.Context()}
	return e.do(false, func() { f(e) })
}
