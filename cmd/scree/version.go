package main

import (
	"fmt"
	"regexp"
	"runtime/debug"
	"strings"

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

// release is the version of a program that was not built from a tag. make release sets it to that
// of the release.
var release = "v0.1.0-dev"

// version returns the version of the program.
func version() string {
	build, ok := debug.ReadBuildInfo()
	if !ok {
		return release
	}
	return versionOf(build)
}

// pseudo matches the end of a version that the go command makes up for a commit without a tag.
var pseudo = regexp.MustCompile(`\d{14}-[0-9a-f]{12}$`)

// versionOf returns the tag that a build is from, else the release, with the revision if the build recorded it.
func versionOf(build *debug.BuildInfo) string {
	v, revision, modified := release, "", false
	tag := strings.TrimSuffix(build.Main.Version, "+dirty")
	tagged := false
	switch {
	case pseudo.MatchString(tag):
		revision = tag[len(tag)-12:] // go install …@REVISION records no other.
	case strings.HasPrefix(tag, "v"):
		v, tagged = tag, true
	}
	for _, s := range build.Settings {
		switch s.Key {
		case "vcs.revision":
			revision = s.Value
		case "vcs.modified":
			modified = s.Value == "true"
		}
	}
	if revision == "" || tagged && !modified {
		return v
	}
	v += "+" + revision[:min(len(revision), 12)]
	if modified {
		v += ".modified"
	}
	return v
}
