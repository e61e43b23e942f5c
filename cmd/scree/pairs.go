package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/internal/cpu"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/pairs"
	"github.com/scree-dem/scree/sched"
)

type pairsFlags struct {
	shapes   []string
	table    string
	method   string
	location string
	dtol     float64
	auto     bool // --dtol auto
	contacts string
	friction float64
	centre   bool
	dim      int
	out      string
}

func (a *app) pairsCommand() *cobra.Command {
	var f pairsFlags
	c := &cobra.Command{
		Use:   "pairs --shapes PATH --pairs P.csv",
		Short: "Compute the contact of each listed pair of bodies",
		Long: `Compute the contact of each pair of bodies in a table: apart or touching, the gap,
normal, witness points, contact type and location. With auto, gjk-epa and ds the gap is
exact. The other methods may return a lower bound if the pair is apart, and cp, fcp and
slm more than the exact depth if the bodies overlap. The results go to standard output or to
the file of -o. --json prints statistics to standard output; the table is then written
only if -o names a file.`,
		Example: "  scree pairs --shapes examples/pairs --pairs examples/pairs/pairs.csv",
		Args:    exactly(0, "none but options"),
		RunE:    func(c *cobra.Command, _ []string) error { return a.pairs(c, &f) },
	}
	flags := c.Flags()
	flags.StringArrayVar(&f.shapes, "shapes", nil, "mesh file or folder of meshes, `PATH`; may be repeated; not needed for builtins")
	flags.StringVar(&f.table, "pairs", "", "table of pairs, `P.csv`; - reads standard input")
	flags.StringVar(&f.method, "method", "auto", "`M`: "+strings.Join(narrow.MethodNames(), ", "))
	flags.StringVar(&f.location, "location", "reduced", "contact location, `L`: reduced (centroid of the common section), full (centroid of the overlap), dual (the same by the published method), none")
	decimal(flags, &f.dtol, "dtol", -1, "the contact type names the features within `D` m of the contact plane; auto: on tracks twice the longest way of a vertex since the row before (default: 1e-6 of the larger bounding radius)")
	flags.Lookup("dtol").Value = &orAuto{flags.Lookup("dtol").Value, &f.auto}
	flags.StringVar(&f.contacts, "contacts", "", "also write the basic contacts of each pair, with their contact planes, to `FILE`")
	decimal(flags, &f.friction, "friction", 0, "with --contacts: a closed contact sticks while its way along the plane is at most `mu` times its depth, else it slides (default: mode closed)")
	flags.BoolVar(&f.centre, "facet-centre", false, "with --method gjk-epa: add the middle of each facet to the points that GJK and EPA read, as PFC does")
	decimal(flags, &f.dim, "dim", 3, "number `N` of dimensions")
	flags.StringVarP(&f.out, "output", "o", "", "`FILE` for the results; - is standard output")
	flags.Lookup("dtol").DefValue = "0" // pflag shows no default of 0; the text above states the default.
	_ = c.MarkFlagFilename("pairs", "csv")
	_ = c.MarkFlagFilename("output", "csv")
	_ = c.MarkFlagFilename("contacts", "csv")
	_ = c.RegisterFlagCompletionFunc("method", cobra.FixedCompletions(narrow.MethodNames(), cobra.ShellCompDirectiveNoFileComp))
	_ = c.RegisterFlagCompletionFunc("location", cobra.FixedCompletions(pairs.LocationNames(), cobra.ShellCompDirectiveNoFileComp))
	return c
}

// orAuto is a flag with a number, or the word auto.
type orAuto struct {
	pflag.Value
	auto *bool
}

// Set reads the number, or notes the word.
func (v *orAuto) Set(text string) error {
	if *v.auto = text == "auto"; *v.auto {
		return nil
	}
	return v.Value.Set(text)
}

// pairsReport is the output of --json.
type pairsReport struct {
	Version  string `json:"version"`
	Table    string `json:"table"`
	Method   string `json:"method"`
	Location string `json:"location"`
	Backend  string `json:"backend"`
	Shapes   int    `json:"shapes"` // number of shapes from files
	Output   string `json:"output,omitempty"`
	*pairs.Stats
	Interrupted bool `json:"interrupted,omitempty"`
}

func (a *app) pairs(c *cobra.Command, f *pairsFlags) error {
	o, err := a.pairsOptions(c, f)
	if err != nil {
		return err
	}
	// Catch signals before the shapes are read, so that an interrupted read also ends cleanly.
	ctx, stop := interruptible()
	defer stop()
	t, err := a.openTable("--pairs", f.table, f.out)
	if err != nil {
		return err
	}
	defer t.Close() //nolint:errcheck // The table is only read.
	shapes, err := loadShapes(ctx, f.shapes)
	if err != nil {
		return err
	}
	var inputs []input
	for _, path := range shapes.Paths() {
		inputs = append(inputs, input{what: "a mesh that --shapes reads", name: path})
	}
	if f.out != "" {
		if err := checkOutput("-o", f.out, inputs...); err != nil {
			return err
		}
	}
	if f.contacts != "" {
		inputs = append(inputs, a.inputOf("the table that --pairs reads", f.table), input{what: "the file of -o", name: f.out})
		if err := checkOutput("--contacts", f.contacts, inputs...); err != nil {
			return err
		}
	}
	o.Progress = func(bytes, rows int64) { t.advance(bytes, rows, "pairs") }
	var stats *pairs.Stats
	run := func(to io.Writer) (err error) {
		if stats, err = pairs.Run(ctx, t, t.name, shapes, to, o); stats == nil && err != nil {
			return &notWritten{err}
		}
		return err
	}
	runErr := t.answer(func(to io.Writer) (err error) {
		if f.contacts == "" {
			return run(to)
		}
		var left error // rows without an answer, or an interruption: the complete rows stay
		err = fileio.WriteFile(f.contacts, func(list io.Writer) error {
			o.Contacts = list
			err := run(to)
			if stats != nil && (errors.Is(err, pairs.ErrRows) || errors.Is(err, context.Canceled)) {
				left, err = err, nil
			}
			return err
		})
		return cmp.Or(err, left)
	})
	interrupted := errors.Is(runErr, context.Canceled)
	if stats == nil || runErr != nil && !interrupted && !errors.Is(runErr, pairs.ErrRows) {
		return runErr
	}
	for _, text := range shapes.Warnings() {
		a.message("warning: %s", text)
	}
	report := pairsReport{
		Version: version(), Table: t.name, Method: o.Method.String(), Location: o.Location.String(),
		Backend: cpu.Selected(), Shapes: shapes.Len(), Output: wrote(f.out, runErr), Stats: stats,
		Interrupted: interrupted,
	}
	if err := a.reportPairs(&report); runErr == nil {
		return err
	}
	return runErr
}

// pairsOptions checks the flags and returns the options of package pairs.
func (a *app) pairsOptions(c *cobra.Command, f *pairsFlags) (o pairs.Options, err error) {
	changed := c.Flags().Changed
	o = pairs.Options{DTol: f.dtol, AutoDTol: f.auto, Friction: f.friction, FacetCentre: f.centre, Distributions: a.json, Workers: a.workers, Pin: a.pin}
	if !changed("friction") {
		o.Friction = math.NaN()
	}
	switch {
	case f.table == "":
		return o, usage("scree pairs needs --pairs P.csv, as in: %s", firstExample(c))
	case f.dim == 2:
		return o, usage("--dim 2 is not available in this release (%s), expected 3", release)
	case f.dim != 3:
		return o, usage("--dim is %d, expected 3", f.dim)
	case changed("friction") && f.contacts == "":
		return o, usage("--friction is given without --contacts FILE, expected both")
	case changed("friction") && !(f.friction >= 0 && f.friction <= math.MaxFloat64):
		return o, usage("--friction is %g, expected a number ≥ 0", f.friction)
	case f.contacts == "-":
		return o, usage("--contacts is -, expected a file: standard output has the table of pairs")
	case changed("dtol") && !f.auto && f.dtol < 0:
		return o, usage("--dtol is %g, expected a length ≥ 0 m", f.dtol)
	case slices.Contains(f.shapes, ""):
		return o, usage("--shapes is empty, expected a mesh file or a folder of meshes")
	}
	if o.Method, err = pairs.ParseMethod(f.method); err != nil {
		return o, usage("--%s", strings.TrimPrefix(err.Error(), "pairs: "))
	}
	if o.FacetCentre && o.Method != narrow.GJKEPA {
		return o, usage("--facet-centre is given with --method %v, expected gjk-epa: no other method reads it", o.Method)
	}
	if o.Location, err = pairs.ParseLocation(f.location); err != nil {
		return o, usage("--%s", strings.TrimPrefix(err.Error(), "pairs: "))
	}
	return o, nil
}

// loadShapes reads the shapes of the files and folders in paths.
func loadShapes(ctx context.Context, paths []string) (*pairs.ShapeSet, error) {
	shapes, err := sched.Await(ctx, "interrupted while the shapes were read", func() (*pairs.ShapeSet, error) { return pairs.LoadShapes(paths) })
	switch {
	case errors.Is(err, context.Canceled):
		return nil, fmt.Errorf("pairs: %w", err)
	case err != nil:
		return nil, &inputError{fmt.Errorf("--shapes: %w", err)}
	}
	return shapes, nil
}

// reportPairs reports the totals: as JSON on standard output with --json, otherwise as a message if
// the table went to a file.
func (a *app) reportPairs(r *pairsReport) error {
	if a.json {
		return a.printJSON(r)
	}
	if r.Output == "" || r.Output == "-" || a.quiet {
		return nil
	}
	missing := ""
	if l := r.Location; l == pairs.Full.String() || l == pairs.Dual.String() {
		missing = fmt.Sprintf(" (%d without an overlap)", r.NoOverlap)
	}
	a.message("%s: %d pairs, %d apart, %d touching%s, %d without an answer; %.3g s, %.0f ns per pair to answer on %d workers",
		r.Output, r.Pairs, r.Status["apart"], r.Status["touching"], missing, r.Status["error"], r.Seconds, r.NsPerPair, r.Workers)
	return nil
}
