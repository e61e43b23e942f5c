package engine

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"unsafe"

	"github.com/scree-dem/scree/engine/contact"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/internal/cpu"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/soa"
)

const (
	// bodyMemory is the memory of a body, in bytes: its columns, the spare capacity of growing
	// columns, and its place in a scene. Measured with /usr/bin/time -v: a million separate boxes
	// on a grid take 1350 bytes each, a tenth of them for the checkpoint at the end.
	bodyMemory = 5 * soa.BodyBytes
	// heapPairs is the number of candidate pairs per body of a heap: twelve neighbours, and two
	// bodies share a pair.
	heapPairs = 6
	// facetMemory is the memory of a facet that no body is near, in bytes. TestTerrainMemory compares it
	// with what a world holds.
	facetMemory = 600
)

// Memory returns roughly how many bytes some bodies take: first while no two are near each other,
// then as a heap with its candidate pairs. Shapes are not counted.
func Memory(bodies uint64) (apart, heap uint64) {
	return bodies * bodyMemory, bodies * (bodyMemory + heapPairs*contact.PairMemory)
}

// ErrPairs marks the fault of a world that has more candidate pairs than Config.MaxPairs.
var ErrPairs = mark.Errorf(ErrFault, "too many candidate pairs")

// pairsFault returns the fault of a world with more candidate pairs than allowed. The broad phase
// counts pairs before it allocates memory for them, and stops counting at the bound.
func (w faults) pairsFault() error {
	take, fit := "", "the world may have"
	if w.cfg.MaxPairs == 0 {
		take = fmt.Sprintf(", which take %.3g GB at %d bytes each", 1e-9*contact.PairMemory*float64(w.space.MaxPairs()), contact.PairMemory)
		fit = fmt.Sprintf("fit into the %.3g GB of memory that there are, with a fifth to spare", 1e-9*float64(cpu.Memory()))
	}
	return mark.Errorf(ErrPairs, "engine: step %d: %d pieces have more than %d candidate pairs%s, expected as many as %s; the skin (%.3g m), the "+
		"interaction distance (%.3g m) or a velocity is too large, or bodies lie in each other",
		w.step, w.space.Pieces.Len(), w.space.MaxPairs(), take, fit, w.space.Broad().Stats().Skin, w.law.Reach())
}

// FacetMemory estimates the memory, bytes, of the facets of a mesh, while no body is near them.
func FacetMemory(facets *geometry.WallFacets) (bytes uint64) {
	return uint64(facets.Len()) * facetMemory
}

// TableBytes is the memory of a table of a world.
type TableBytes struct {
	Table string // field of World or of contact.Space
	Bytes uint64 // of the columns, spare rows and spare capacity included
}

// Held returns the memory of each table of the world, the largest first. It walks through all columns, which takes
// a time of the order of a step.
func (w *World) Held() (tables []TableBytes) {
	var held soa.Held
	held.Skip(unsafe.Pointer(w))
	var add func(of reflect.Value, before string)
	add = func(of reflect.Value, before string) {
		for i := range of.NumField() {
			if name, field := of.Type().Field(i).Name, of.Field(i); name == "space" {
				held.Skip(unsafe.Pointer(w.space))
				add(field.Elem(), "space.")
			} else if bytes := held.Of(field); bytes > 0 {
				tables = append(tables, TableBytes{before + name, bytes})
			}
		}
	}
	add(reflect.ValueOf(w).Elem(), "")
	slices.SortStableFunc(tables, func(a, b TableBytes) int { return cmp.Compare(b.Bytes, a.Bytes) })
	return tables
}
