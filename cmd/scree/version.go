package main

import (
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Show the version, as --version does",
		Example: "  scree version",
		Args:    exactly(0, "none"),
		RunE:    func(*cobra.Command, []string) error { return a.showVersion() },
	}
}

// showVersion prints the version. The version option of cobra would need a template, and package
// text/template keeps the linker from removing unused methods: 2 MB.
func (a *app) showVersion() error {
	if a.json {
		return a.printJSON(map[string]string{"version": version()})
	}
	_, err := fmt.Fprintf(a.stdout, "scree %s\n", version())
	return err
}

// release is the version of the program, in one place.
const release = "0.1.0-dev"

// version returns the release, with the revision the program was built from if the build recorded
// it.
func version() string {
	build, ok := debug.ReadBuildInfo()
	if !ok {
		return release
	}
	revision, modified := "", false
	for _, s := range build.Settings {
		switch s.Key {
		case "vcs.revision":
			revision = s.Value
		case "vcs.modified":
			modified = s.Value == "true"
		}
	}
	if revision == "" {
		return release
	}
	v := release + "+" + revision[:min(len(revision), 12)]
	if modified {
		v += ".modified"
	}
	return v
}
