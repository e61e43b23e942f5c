package main

import (
	"context"
	"fmt"
	"io"

	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/scene"
)

// check builds the scene and prints what a run would do and need, without a run.
func (a *app) check(ctx context.Context, s *scene.Scene, o scene.Options, path string) error {
	r, err := scene.Check(ctx, s, o)
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(r)
	}
	for _, text := range r.Warnings {
		a.message("warning: %s", text)
	}
	return writeReport(a.stdout, r, path)
}

// writeReport writes the report as text.
func writeReport(to io.Writer, r *scene.Report, path string) error {
	b, line := lines(14)
	line("scene", "%s can run; warnings: %d", path, len(r.Warnings))
	poured := ""
	if r.Poured > 0 {
		poured = fmt.Sprintf(" at the start, poured %d at most", r.Poured)
	}
	line("bodies", "%d%s, walls %d, pieces %d", r.Bodies, poured, r.Walls, r.Pieces)
	for _, c := range r.Clumps {
		inertia := ""
		if c.Inertia != nil {
			inertia = fmt.Sprintf(", inertia %.4g kg·m²", c.Inertia)
		}
		line("clump", "%s: %s, %.6g kg, centre at %.6g m%s", c.Shape, mark.Counted(c.Pieces, "piece", "pieces"), c.Mass, c.Centre, inertia)
	}
	limits := ""
	if r.DtStable > 0 {
		limits = fmt.Sprintf("; at most %s s are stable, %s s advised", mark.Limit(r.DtStable), mark.Limit(r.DtAdvise))
	}
	line("steps", "%d of %.4g s%s", r.Steps, r.Dt, limits)
	line("start", "%d active contacts, the deepest overlap %.3g m", r.Active, r.Deepest)
	line("memory", "about %s, as a heap with its pairs %s", bytesText(r.Memory), bytesText(r.HeapMemory))
	line("disk", "at most about %s: %s, %s, %s", bytesText(r.DiskMost),
		mark.Counted(r.Frames, "frame", "frames"), mark.Counted(r.Rows, "row", "rows"), mark.Counted(r.Checkpoints, "checkpoint", "checkpoints"))
	_, err := b.WriteTo(to)
	return err
}

// bytesText formats n bytes with a decimal unit.
func bytesText(n uint64) string {
	for _, unit := range []struct {
		size float64
		name string
	}{{1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}} {
		if x := float64(n) / unit.size; x >= 1 {
			return fmt.Sprintf("%.3g %s", x, unit.name)
		}
	}
	return fmt.Sprintf("%d bytes", n)
}
