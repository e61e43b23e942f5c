package main

import (
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scree-dem/scree/internal/cpu"
)

// information is the output of scree info.
type information struct {
	Version   string     `json:"version"`
	Go        string     `json:"go"`
	System    string     `json:"system"`
	Processor string     `json:"processor"`
	Vendor    string     `json:"vendor"`
	Cores     int        `json:"cores"`
	Threads   int        `json:"threads"`
	Caches    cpu.Caches `json:"caches"`
	Features  []string   `json:"features"`
	Backends  backends   `json:"backends"`
	Workers   int        `json:"workers"`
}

type backends struct {
	Detected  []string `json:"detected"`  // supported by the processor
	Available []string `json:"available"` // also compiled into this build
	Selected  string   `json:"selected"`
}

func (a *app) infoCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "info",
		Short:   "Show version, processor, caches, backends and workers",
		Example: "  scree info",
		Args:    exactly(0, "none"),
		RunE:    func(*cobra.Command, []string) error { return a.info() },
	}
}

func (a *app) info() error {
	if a.backend != "" {
		if err := cpu.Select(a.backend); err != nil {
			return usage("--backend: %w", err)
		}
	} else if err := cpu.EnvError(); err != nil {
		// Warn instead of failing, because users call this command to see the available backends.
		a.message("warning: %v", err)
	}
	p := cpu.Describe()
	i := information{
		Version: version(), Go: runtime.Version(), System: runtime.GOOS + "/" + runtime.GOARCH,
		Processor: p.Name, Vendor: p.Vendor, Cores: p.Cores, Threads: p.Threads,
		Caches: p.Caches, Features: p.Features,
		Backends: backends{Detected: cpu.Detected(), Available: cpu.Available(), Selected: cpu.Selected()},
		Workers:  a.workers,
	}
	if i.Workers == 0 {
		i.Workers = runtime.GOMAXPROCS(0)
	}
	if a.json {
		return a.printJSON(&i)
	}
	return i.write(a.stdout)
}

func (i *information) write(w io.Writer) error {
	b, line := lines(12)
	line("scree", "%s, built with %s for %s", i.Version, i.Go, i.System)
	line("processor", "%s: %d cores, %d threads", i.Processor, i.Cores, i.Threads)
	line("caches", "L1d %s, L2 %s, L3 %s, line %d bytes", size(i.Caches.L1D), size(i.Caches.L2), size(i.Caches.L3), i.Caches.Line)
	line("features", "%s", strings.Join(i.Features, " "))
	var names []string
	for _, name := range i.Backends.Detected {
		if !slices.Contains(i.Backends.Available, name) {
			name += " (not in this build)"
		}
		names = append(names, name)
	}
	line("backends", "%s", strings.Join(names, ", "))
	line("selected", "%s", i.Backends.Selected)
	line("workers", "%d", i.Workers)
	_, err := b.WriteTo(w)
	return err
}

// size formats the size of a cache.
func size(bytes int) string {
	switch {
	case bytes <= 0:
		return "unknown"
	case bytes >= 1<<20 && bytes%(1<<20) == 0:
		return fmt.Sprintf("%d MiB", bytes>>20)
	}
	return fmt.Sprintf("%d KiB", bytes>>10)
}
