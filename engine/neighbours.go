package engine

import (
	"github.com/scree-dem/scree/engine/broad"
	"github.com/scree-dem/scree/engine/broad/brute"
	"github.com/scree-dem/scree/engine/broad/lc"
	"github.com/scree-dem/scree/engine/broad/lll"
	"github.com/scree-dem/scree/engine/broad/multilevel"
	"github.com/scree-dem/scree/engine/broad/vl"
)

// Names of two of the searches.
const (
	searchAuto  = "auto"
	searchCells = "cells"
	searchGrid  = "multilevel"
)

// searches are the methods that find candidate pairs, the default first. The cell spaces are broad's own; auto chooses between
// them and the grid.
var searches = []struct {
	name string
	make func() broad.Method
}{
	{searchAuto, func() broad.Method { return multilevel.New() }},
	{searchCells, func() broad.Method { return nil }},
	{searchGrid, func() broad.Method { return multilevel.New() }},
	{"lc", func() broad.Method { return lc.New(lc.Options{}) }},
	{"vl", func() broad.Method { return vl.New(vl.Options{Build: multilevel.New()}) }},
	{"lll", func() broad.Method { return lll.New(multilevel.New()) }},
	{"brute", func() broad.Method { return brute.New() }},
}

// Searches returns the names that Config.Search may have.
func Searches() (names []string) {
	for _, s := range searches {
		names = append(names, s.name)
	}
	return names
}

// newSearch returns the method of a name, nil for the cell spaces.
func newSearch(name string) broad.Method {
	for _, s := range searches {
		if s.name == name {
			return s.make()
		}
	}
	return nil
}

// Search returns which of Searches found the candidate pairs of the last rebuild, "" if there was none: of "auto" the one
// that it chose.
func (w *World) Search() string {
	stats := w.broad.Stats()
	switch {
	case stats.Rebuilds == 0:
		return ""
	case !stats.Other:
		return searchCells
	case w.cfg.Search == searchAuto:
		return searchGrid
	}
	return w.cfg.Search
}
