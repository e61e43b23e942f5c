package engine

import (
	"github.com/scree-dem/scree/engine/broad"
	"github.com/scree-dem/scree/engine/broad/brute"
	"github.com/scree-dem/scree/engine/broad/lc"
	"github.com/scree-dem/scree/engine/broad/lll"
	"github.com/scree-dem/scree/engine/broad/multilevel"
	"github.com/scree-dem/scree/engine/broad/vl"
)

// Names of three searches.
const (
	searchAuto  = "auto"
	searchCells = "cells"
	searchGrid  = "multilevel"
)

// searches lists the methods that find candidate pairs, the default first. The cell spaces belong
// to broad itself; auto chooses between them and the grid.
var searches = []struct {
	name string
	make func(*Config) broad.Method
}{
	{searchAuto, func(*Config) broad.Method { return multilevel.New() }},
	{searchCells, func(*Config) broad.Method { return nil }},
	{searchGrid, func(*Config) broad.Method { return multilevel.New() }},
	{"lc", func(*Config) broad.Method { return lc.New(lc.Options{}) }},
	{"vl", func(c *Config) broad.Method {
		return vl.New(vl.Options{Radius: c.SearchRadius, Every: c.SearchEvery, Build: multilevel.New()})
	}},
	{"lll", func(*Config) broad.Method { return lll.New(multilevel.New()) }},
	{"brute", func(*Config) broad.Method { return brute.New() }},
}

// Searches returns the valid names for Config.Search.
func Searches() (names []string) {
	for _, s := range searches {
		names = append(names, s.name)
	}
	return names
}

// search returns the method that finds candidate pairs; nil means the cell spaces.
func (c *Config) search() broad.Method {
	for _, s := range searches {
		if s.name == c.Search {
			return s.make(c)
		}
	}
	return nil
}

// Search returns the name of the method that found the candidate pairs in the last rebuild, or ""
// before any rebuild. For "auto" it returns the method that auto chose.
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
