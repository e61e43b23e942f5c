package auto

import (
	"github.com/scree-dem/scree/broad"
	"github.com/scree-dem/scree/broad/brute"
	"github.com/scree-dem/scree/broad/cells"
	"github.com/scree-dem/scree/broad/lc"
	"github.com/scree-dem/scree/broad/lll"
	"github.com/scree-dem/scree/broad/multilevel"
	"github.com/scree-dem/scree/broad/vl"
)

// named holds all neighbour searches by name, with the options that suit most inputs. vl-paper is vl
// as published.
var named = map[string]func() broad.Method{
	"auto":       func() broad.Method { return New() },
	"brute":      func() broad.Method { return brute.New() },
	"cells":      func() broad.Method { return cells.New() },
	"lc":         func() broad.Method { return lc.New(lc.Options{}) },
	"lll":        func() broad.Method { return lll.New(multilevel.New()) },
	"multilevel": func() broad.Method { return multilevel.New() },
	"vl":         func() broad.Method { return vl.New(vl.Options{Build: multilevel.New()}) },
	"vl-paper":   func() broad.Method { return vl.New(vl.Options{}) }, // lists made from all pairs
}

// Named returns a new neighbour search. It panics if there is no search of that name.
func Named(name string) broad.Method { return named[name]() }
