package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/scree-dem/scree/bench"
	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/internal/disk"
)

// benchCommand makes a command for each command of the studies of package bench.
func (a *app) benchCommand() *cobra.Command {
	c := a.group("bench", "Run benchmarks on known scenes",
		"  scree bench step --settled bench/testdata/hulls200.txt.gz")
	commands := map[string][]*bench.Study{}
	for _, s := range bench.Studies() {
		commands[s.Command] = append(commands[s.Command], s)
	}
	for _, studies := range commands {
		c.AddCommand(a.studyCommand(studies))
	}
	c.AddCommand(a.benchSettleCommand())
	return c
}

// studyCommand makes the command of several studies, the default first.
func (a *app) studyCommand(studies []*bench.Study) *cobra.Command {
	var dir, profile string
	first := studies[0]
	c := &cobra.Command{
		Use: first.Command, Short: first.Short, Example: first.Example, Args: exactly(0, "none but options"),
		RunE: func(c *cobra.Command, _ []string) error { return a.bench(c, studies, dir, profile) },
	}
	for _, s := range studies {
		c.Long += s.Long + "\n\n"
		for _, p := range s.Options {
			if need := p.Tag.Get("need"); need != "" {
				c.Use += " --" + p.Name + " " + need
			}
			if c.Flags().Lookup(p.Name) == nil {
				addOption(c, p, helpOf(studies, p.Name))
			}
		}
	}
	c.Long = strings.TrimSpace(c.Long)
	c.Flags().StringVarP(&dir, "output", "o", "", "also write tables (CSV, JSON) and, if the study has any, plots (SVG) into `DIR`")
	c.Flags().StringVar(&profile, "cpuprofile", "", "write a processor profile to `FILE`")
	_ = c.MarkFlagDirname("output")
	return c
}

// addOption adds a flag for an option. An option without help has a global flag.
func addOption(c *cobra.Command, p *bench.Option, help string) {
	flags := c.Flags()
	if p.Tag.Get("help") == "" {
		return
	}
	switch to := p.Value.(type) {
	case *bool:
		flags.BoolVar(to, p.Name, *to, help)
	case *string:
		flags.StringVar(to, p.Name, *to, help)
	case *[]string:
		if _, files := p.Tag.Lookup("file"); files {
			flags.StringArrayVar(to, p.Name, *to, help)
			_ = c.MarkFlagFilename(p.Name, strings.Split(p.Tag.Get("file"), ",")...)
		} else {
			flags.StringSliceVar(to, p.Name, *to, help)
		}
	case *[]int:
		flags.IntSliceVar(to, p.Name, *to, help)
	case *[]float64:
		flags.Float64SliceVar(to, p.Name, *to, help)
	case *float64:
		decimal(flags, to, p.Name, *to, help)
	case *int:
		decimal(flags, to, p.Name, *to, help)
	case *int64:
		decimal(flags, to, p.Name, *to, help)
	case *uint64:
		decimal(flags, to, p.Name, *to, help)
	}
	flag := flags.Lookup(p.Name)
	flag.DefValue = "" // The help has the default.
	if kind := flag.Value.Type(); kind == "stringArray" || kind == "stringSlice" || kind == "intSlice" {
		flag.DefValue = "[]"
	}
	if p.Names != nil {
		_ = c.RegisterFlagCompletionFunc(p.Name, cobra.FixedCompletions(p.Names, cobra.ShellCompDirectiveNoFileComp))
	}
}

// helpOf returns the help on an option of several studies: what it means, its names, and its defaults, each with the
// study if it is not that of the study before.
func helpOf(studies []*bench.Study, name string) string {
	var texts, defaults []string
	var last [3]string
	for _, s := range studies {
		p, with := s.Option(name), ""
		if p == nil {
			continue
		}
		if s.With != "" && s.With != name {
			with = "with --" + s.With + ", "
		}
		now := [3]string{p.Tag.Get("help"), strings.Join(p.Names, ", "), p.Default()}
		var words []string
		for k, text := range now[:2] {
			if text != last[k] {
				words = append(words, text)
			}
		}
		switch {
		case now[2] == last[2] || s.With == name:
		case texts == nil:
			defaults = append(defaults, now[2])
		default:
			defaults = append(defaults, strings.Replace(with, ",", "", 1)+now[2])
		}
		if last = now; words != nil {
			texts = append(texts, with+strings.Join(words, ": "))
		}
	}
	help := strings.NewReplacer("<", "`", ">", "`").Replace(strings.Join(texts, "; "))
	if defaults != nil {
		help += " (default: " + strings.Join(defaults, "; ") + ")"
	}
	return help
}

// bench runs the study that the options select. After an interruption it shows the complete rows.
func (a *app) bench(c *cobra.Command, studies []*bench.Study, dir, profile string) error {
	s, err := a.selected(c, studies)
	if err := cmp.Or(err, a.checkStudyOutputs(s, dir, profile)); err != nil {
		return err
	}
	p := a.progress(cmp.Or(s.Unit, "rows"))
	if err := s.Plan(&bench.Env{Version: version(), Progress: p.stepOf, Warn: p.Warn, Mesh: a.surfaceOf, Settled: a.readSettled}); err != nil {
		return err
	}
	if dir != "" {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return usage("-o is %s, expected a folder: %w", dir, err)
		}
	}
	ctx, stop := interruptible()
	defer stop()
	if profile != "" {
		end, err := startProfile(profile)
		if err != nil {
			return err
		}
		defer end()
	}
	report, err := s.Run(ctx)
	p.Done()
	switch stopped := errors.Is(err, context.Canceled); {
	case !report.Complete && (!stopped || report.Rows() == 0):
		return err
	case stopped:
		err = fmt.Errorf("interrupted, the rows shown are those that were complete: %w", err)
	}
	var problem error
	if dir != "" {
		problem = writeStudy(dir, s.Name, report) // The rows are shown all the same: they may have taken hours.
	}
	return errors.Join(a.showStudy(report), problem, err)
}

// selected returns the study that the options select, with its options checked.
func (a *app) selected(c *cobra.Command, studies []*bench.Study) (s *bench.Study, err error) {
	flags := c.Flags()
	s = studies[0]
	for _, other := range studies[1:] {
		if p := other.Option(other.With); flags.Changed(p.Name) && !reflect.ValueOf(p.Value).Elem().IsZero() && s == studies[0] {
			s = other
		}
	}
	flags.Visit(func(f *pflag.Flag) {
		i := slices.IndexFunc(studies, func(s *bench.Study) bool { return s.Option(f.Name) != nil })
		p := s.Option(f.Name)
		switch {
		case err != nil:
		case slices.Contains([]string{"workers", "pin", "backend"}, f.Name):
			err = a.setGlobal(f.Name, s, p)
		case i < 0, p == nil && f.Value.String() == "false": // an option of all studies, or as if it were not given
		case p == nil && s.With != "":
			err = studies[i].Option(f.Name).Fault("none with --" + s.With)
		case p == nil:
			err = studies[i].Option(f.Name).Fault("to be used with --" + studies[i].With + " only")
		default: // The flag has set the option of the first study that has it.
			reflect.ValueOf(p.Value).Elem().Set(reflect.ValueOf(studies[i].Option(f.Name).Value).Elem())
			err = p.Check()
		}
	})
	for _, p := range s.Options {
		if need := p.Tag.Get("need"); need != "" && !flags.Changed(p.Name) && err == nil {
			err = usage("%s needs --%s %s, as in: %s", c.CommandPath(), p.Name, need, firstExample(c))
		}
	}
	return s, err
}

// setGlobal sets the option p of a study to a global option, or rejects the global option if p is nil. For --workers 0
// it sets the number of processors: a study times one worker by the clock of its thread, and several by wall time.
func (a *app) setGlobal(name string, s *bench.Study, p *bench.Option) error {
	switch {
	case name == "workers" && p != nil:
		*p.Value.(*int) = cmp.Or(a.workers, runtime.GOMAXPROCS(0))
	case name == "pin" && p != nil:
		*p.Value.(*bool) = a.pin
	case name == "workers" && a.workers > 1:
		return usage("--workers is %d, expected 1: this study runs on one worker", a.workers)
	case name == "pin" && a.pin:
		return usage("--pin is true, expected none: this study ties no workers")
	case name == "backend" && s.Backends:
		return usage("--backend is %q, expected none with --%s, which measures the generic and the best", a.backend, s.With)
	}
	return nil
}

// checkStudyOutputs rejects a profile, a table or another output that would overwrite a file that is read, and outputs
// that would overwrite a table.
func (a *app) checkStudyOutputs(s *bench.Study, dir, profile string) error {
	var inputs []input
	for _, p := range s.Options {
		if _, files := p.Tag.Lookup("file"); files {
			for _, path := range *p.Value.(*[]string) {
				inputs = append(inputs, a.inputOf("a file that --"+p.Name+" reads", path))
			}
		}
	}
	outputs := map[string]string{"--cpuprofile": profile}
	for _, p := range s.Options {
		if _, writes := p.Tag.Lookup("writes"); writes {
			outputs["--"+p.Name] = *p.Value.(*string)
		}
	}
	for _, option := range slices.Sorted(maps.Keys(outputs)) {
		if path := outputs[option]; path != "" {
			if err := checkOutput(option, path, inputs...); err != nil {
				return err
			}
		}
	}
	var err error
	for _, ext := range []string{".csv", ".json"} {
		path := filepath.Join(dir, s.Name+ext)
		_, missing := os.Stat(path)
		switch {
		case dir == "" || err != nil:
		case clashes(outputs, path) != "":
			option := clashes(outputs, path)
			err = usage("%s %s is a table that -o writes, expected another file", option, outputs[option])
		case missing == nil:
			err = checkOutput("-o", path, inputs...)
		}
	}
	return err
}

// clashes returns the option whose output is the file at path, if any.
func clashes(outputs map[string]string, path string) string {
	for _, option := range slices.Sorted(maps.Keys(outputs)) {
		if outputs[option] != "" && disk.SameFile(path, outputs[option]) {
			return option
		}
	}
	return ""
}

// showStudy writes the study to standard output, as tables or with --json as an object.
func (a *app) showStudy(r *bench.Report) error {
	if a.json {
		return a.printJSON(r.Object())
	}
	var text strings.Builder
	return cmp.Or(r.WriteText(&text, widthOf(a.stdout)), a.show(text.String()))
}

// writeStudy writes the tables and the plots of a study into the folder dir.
func writeStudy(dir, name string, r *bench.Report) error {
	all := map[string]func(w io.Writer) error{name + ".json": func(w io.Writer) error { return writeJSON(w, r.Object()) }}
	for i := range r.Tables {
		all[strings.TrimSuffix(name+"-"+r.Tables[i].File, "-")+".csv"] = r.Tables[i].WriteCSV
	}
	for i := range r.Figures {
		all[r.Figures[i].Name+".svg"] = r.Figures[i].WriteSVG
	}
	for _, file := range slices.Sorted(maps.Keys(all)) {
		if err := fileio.WriteFile(filepath.Join(dir, file), all[file]); err != nil {
			return err
		}
	}
	return nil
}

// readSettled reads a pile from the file path, or from standard input if path is "-".
func (a *app) readSettled(path string) (s *fileio.Settled, err error) {
	if path == "-" {
		s, err = fileio.DecodeSettled("standard input", a.stdin)
	} else {
		s, err = fileio.ReadSettled(path)
	}
	if err != nil {
		err = &inputError{err}
	}
	return s, err
}

// startProfile starts a processor profile and returns the function that ends it.
func startProfile(path string) (end func(), err error) {
	file, err := os.Create(path)
	if err == nil {
		err = pprof.StartCPUProfile(file)
	}
	if err != nil {
		return nil, fmt.Errorf("--cpuprofile: %w", err)
	}
	return func() {
		pprof.StopCPUProfile()
		_ = file.Close() // The tool that reads the profile reports a truncated file.
	}, nil
}
