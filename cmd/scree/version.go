package main

import "runtime/debug"

// release is the version of the program, in one place.
const release = "0.1.0-dev"

// version is the release with the revision the program was built from, where the build knows it.
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
