package engine

import (
	"github.com/scree-dem/scree/engine/broad"
	"github.com/scree-dem/scree/engine/broad/brute"
	"github.com/scree-dem/scree/engine/broad/multilevel"
)

// searches are the methods that find candidate pairs. The cell spaces are broad's own.
var searches = []struct {
	name string
	make func() broad.Method
}{
	{"cells", func() broad.Method { return nil }},
	{"multilevel", func() broad.Method { return multilevel.New() }},
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
