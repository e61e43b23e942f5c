package engine

import (
	"slices"

	"github.com/scree-dem/scree/broad"
	"github.com/scree-dem/scree/broad/auto"
	"github.com/scree-dem/scree/broad/multilevel"
	"github.com/scree-dem/scree/broad/vl"
)

// Names of three searches, and the name under which errors report Config.Searcher.
const (
	searchOwn   = "Config.Searcher"
	searchAuto  = "auto"
	searchCells = "cells"
	searchGrid  = "multilevel"
)

// searches are the methods that find candidate pairs, the default first.
var searches = []string{searchAuto, searchCells, searchGrid, "lc", "vl", "lll", "brute"}

// Searches returns the valid names for Config.Search.
func Searches() []string { return slices.Clone(searches) }

// search returns the method that finds candidate pairs; nil means the cell spaces. The cell spaces
// belong to broad itself; searchAuto chooses between them and the grid.
func (c *Config) search() broad.Method {
	switch c.Search {
	case searchOwn:
		return c.Searcher
	case searchCells:
		return nil
	case searchAuto:
		return multilevel.New()
	case "vl":
		return vl.New(vl.Options{Radius: c.SearchRadius, Every: c.SearchEvery, Build: multilevel.New()})
	}
	return auto.Named(c.Search)
}

// Search returns the name of the method that found the candidate pairs in the last rebuild, or ""
// before any rebuild. For "auto" it returns the method that auto chose.
func (w *World) Search() string {
	stats := w.space.Broad().Stats()
	switch {
	case stats.Rebuilds == 0:
		return ""
	case !stats.BySearch:
		return searchCells
	case w.cfg.Search == searchAuto:
		return searchGrid
	}
	return w.cfg.Search
}
