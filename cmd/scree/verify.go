package main

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/scree-dem/scree/internal/cpu"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/scene"
	"github.com/scree-dem/scree/verify"
)

type verifyFlags struct {
	dir        string
	quick, all bool
	export     string
	sets       []string
}

func (a *app) verifyCommand() *cobra.Command {
	var f verifyFlags
	c := &cobra.Command{
		Use:   "verify [NAME…]",
		Short: "Compute cases with known answers, and compare",
		Long: `Compute cases with known answers, and print for each what was expected, what this
program computes, the tolerance and the verdict. Expected values come from formulas,
papers and experiments. A NAME selects a case, V17* all whose names begin so, and a word
of three letters or more all cases with it in their title. Without names, the default
cases run in half an hour on two processors; --quick takes two minutes, and --all two
hours. The exit status is 1 if a case fails.

-o DIR keeps the folders of all runs, and writes verify.html, one file with a plot
beside each case in motion, and verify.csv. --export writes the scenes and tables of
cases to folders, and prints the commands that compute them alone. Neither replaces a
file that differs from what a case has and is no report of scree verify.

--set, as in scree run, changes a key of all scenes that run: a wrong law fails its
cases. A case that has a scene that does not take all values runs without them, and is
named. Nothing runs if no case takes them.`,
		Example: "  scree verify V16 'V18*' -o /tmp/verify\n  scree verify --export V18 -o /tmp/cases",
		RunE:    func(_ *cobra.Command, args []string) error { return a.verify(args, &f) },
		ValidArgsFunction: func(*cobra.Command, []string, string) (names []string, _ cobra.ShellCompDirective) {
			for _, c := range verify.Cases() {
				names = append(names, c.Name+"\t"+c.What)
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
	}
	c.Flags().StringVarP(&f.dir, "output", "o", "", "`DIR` for the reports and the folders of the runs; with --export, for the inputs (default: the current folder)")
	c.Flags().BoolVar(&f.quick, "quick", false, "only the quick cases")
	c.Flags().BoolVar(&f.all, "all", false, "the long cases too")
	c.Flags().StringVar(&f.export, "export", "", "write the inputs of the case `NAME`, and run nothing")
	c.Flags().StringArrayVar(&f.sets, "set", nil, "use `KEY=VALUE` in place of the value of each scene; may be repeated")
	_ = c.MarkFlagDirname("output")
	return c
}

func (a *app) verify(names []string, f *verifyFlags) error {
	if f.export != "" {
		list, err := verify.Find(verify.Cases(), append(slices.Clone(names), f.export), verify.Long)
		if err != nil {
			return err
		}
		return a.exportCases(list, cmp.Or(f.dir, "."))
	}
	switch {
	case f.quick && f.all:
		return usage("--quick and --all are given, expected one of them")
	case f.dir == "-":
		return usage("-o is \"-\", expected a folder: a verification writes many files")
	case a.pin:
		return usage("--pin is given, expected none: each run would be tied to the same processor")
	}
	class := verify.Usual
	switch {
	case f.quick:
		class = verify.Quick
	case f.all || len(names) > 0:
		class = verify.Long
	}
	cases, err := verify.Find(verify.Cases(), names, class)
	if err != nil {
		return err
	}
	ctx, stop := interruptible()
	defer stop()
	bar, ended := a.progress("cases"), int64(0)
	bar.Start(int64(len(cases)))
	var shown error
	began, workers := time.Now(), cmp.Or(a.workers, runtime.GOMAXPROCS(0))
	list, err := verify.Run(ctx, cases, verify.Options{
		Dir: f.dir, Sets: f.sets, Workers: workers, Version: version(),
		Done: func(o *verify.Outcome) {
			bar.clear()
			if !a.json {
				shown = cmp.Or(shown, a.show(caseText(o)))
			}
			ended++
			bar.Step(ended, o.Name)
		},
	})
	bar.Done()
	if shown != nil || list == nil {
		return errors.Join(shown, err)
	}
	about := []string{fmt.Sprintf("%s, scree %s, %s/%s, %s, backend %s, %s: %s", began.Format("2006-01-02 15:04"), version(), runtime.GOOS, runtime.GOARCH,
		cpu.Describe().Name, cpu.Selected(), mark.Counted(workers, "worker", "workers"), cmp.Or(strings.Join(names, " "), "the "+class.String()+" cases"))}
	if len(f.sets) > 0 {
		kept := namesOf(list, func(o *verify.Outcome) bool { return len(o.Sets) == 0 && o.Tests == "" })
		about = append(about, "scenes are changed: --set "+strings.Join(f.sets, " --set ")+"; unchanged: "+cmp.Or(strings.Join(kept, ", "), "none"))
	}
	if ctx.Err() != nil {
		about = append(about, fmt.Sprintf("interrupted: %d of %d cases have ended", len(list), len(cases)))
	}
	if a.json {
		shown = a.printJSON(list)
	} else {
		shown = a.show(verify.Summary(list) + "\n" + strings.Join(about, "\n") + "\n")
	}
	if f.dir != "" && shown == nil && len(list) > 0 {
		if shown = verify.Write(f.dir, about, list); shown == nil && !a.quiet {
			a.message("the report is %s", filepath.Join(f.dir, verify.HTMLName))
		}
	}
	switch failed := namesOf(list, func(o *verify.Outcome) bool { return o.Verdict == verify.Fail }); {
	case ctx.Err() != nil:
		err = fmt.Errorf("scene: %w: %d of %d cases have ended", scene.ErrInterrupted, len(list), len(cases))
	case err == nil && len(failed) > 0:
		err = fmt.Errorf("%s of %d: %s", mark.Counted(len(failed), "case fails", "cases fail"), len(list), strings.Join(failed, ", "))
	}
	return errors.Join(shown, err)
}

// exportCases writes the inputs of cases, and prints the commands that make their runs.
func (a *app) exportCases(list []*verify.Case, dir string) error {
	var text strings.Builder
	if i := slices.IndexFunc(list, func(c *verify.Case) bool { return c.Tests != "" }); i >= 0 {
		return usage("%s has no inputs, it is shown %s%s", list[i].Name, verify.InClone, list[i].Tests)
	}
	for _, c := range list {
		to := filepath.Join(dir, c.Name)
		if err := c.Export(to); err != nil {
			return usage("-o: %w", err)
		}
		fmt.Fprintf(&text, "# %s: %s\n%s\n", c.Name, c.What, strings.Join(c.Commands(to), "\n"))
	}
	return a.show(text.String())
}

// caseText returns the rows of a case.
func caseText(o *verify.Outcome) string {
	var text strings.Builder
	fmt.Fprintf(&text, "%-10s %-8s  %s (%s)%s\n", o.Name, o.Verdict, o.What, o.Source, o.Took())
	for _, c := range o.Checks {
		fmt.Fprintf(&text, "%11s%-48s  %-28s  %-22s  %-16s  %s\n", "", c.What, "expected "+c.Expected, "got "+c.Got, c.Tolerance, c.Verdict)
	}
	switch {
	case o.Tests != "":
		fmt.Fprintf(&text, "%11s%s%s\n", "", verify.InClone, o.Tests)
	case o.Error != "":
		fmt.Fprintf(&text, "%11s%s\n", "", mark.OneLine(o.Error))
	}
	return text.String()
}

// namesOf returns the names of some cases.
func namesOf(list []*verify.Outcome, are func(o *verify.Outcome) bool) (names []string) {
	for _, o := range list {
		if are(o) {
			names = append(names, o.Name)
		}
	}
	return names
}
