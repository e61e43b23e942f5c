package bench

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/internal/cpu"
	"github.com/scree-dem/scree/internal/mark"
)

// pile is a pile that a study runs.
type pile struct {
	name  string // of the file without its extensions
	path  string
	cubes int // to settle if there is no file
	scene *fileio.Settled
	start *start
}

// nearlyAtRest is the mean speed, m/s, at which cubes that a study settles count as settled. It takes half of the time to
// the default of SettleOptions. Pairs and contacts are nearly the same.
const nearlyAtRest = 0.05

// piles reads piles from files. Without files it returns one of 8000 cubes and one of 1000, which are settled once they
// are asked for.
func (e *Env) piles(paths []string) (all []pile, err error) {
	if len(paths) == 0 {
		return []pile{{name: "cubes8000", cubes: 8000}, {name: "cubes1000", cubes: 1000}}, nil
	}
	for _, path := range paths {
		p := pile{name: pileName(path), path: path}
		if p.scene, err = e.Settled(path); err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

// pileName returns the name of a pile in tables.
func pileName(path string) string {
	return strings.TrimSuffix(strings.TrimSuffix(filepath.Base(path), ".gz"), ".txt")
}

// settled returns the scene of a pile, and the law under which it carries its weight.
func (p *pile) settled(e *Env) (*fileio.Settled, *start) {
	if p.scene == nil {
		e.tell(fmt.Sprintf("%d cubes come to rest", p.cubes))
		o := SettleOptions{Bodies: p.cubes, Speed: nearlyAtRest}
		OptionsOf(&o, nil) // sets the defaults
		p.scene = o.settle(e).Scene
	}
	if p.start == nil {
		from, err := carrying(p.scene)
		if errors.Is(err, ErrScene) && p.path != "" {
			err = fmt.Errorf("%s: %w", p.path, mark.Inner(err))
		}
		e.check(err)
		p.start = &from
	}
	return p.scene, p.start
}

// copiesFit returns an error if the copies of a pile have too many bodies, or cannot fit into the machine's memory, bytes. If they
// may not fit as a heap, it warns. If machine is 0, the size of the memory is unknown.
func copiesFit(e *Env, path string, copies, bodies int, machine uint64) error {
	all := uint64(copies) * uint64(bodies)
	apart, heap := engine.Memory(all)
	switch {
	case all > mostBodies:
		return mark.Errorf(ErrOption, "--copies is %d: copies of %s have %d bodies, expected at most %d", copies, path, all, mostBodies)
	case machine > 0 && apart > machine:
		return mark.Errorf(ErrOption, "--copies is %d: copies of %s have %d bodies, which take at least %.3g GB, expected no more than fit into the "+
			"%.3g GB of memory that there are", copies, path, all, 1e-9*float64(apart), 1e-9*float64(machine))
	case machine > 0 && heap > machine:
		e.Warn(fmt.Sprintf("copies of %s have %d bodies, which may take %.3g GB as a heap; there are %.3g GB of memory", path, all, 1e-9*float64(heap), 1e-9*float64(machine)))
	}
	return nil
}

// fits is copiesFit for a pile, of whose copies there are some times as many.
func (p *pile) fits(e *Env, copies, times int) error {
	bodies := p.cubes
	if p.scene != nil {
		bodies = len(p.scene.Bodies)
	}
	return copiesFit(e, cmp.Or(p.path, p.name), copies, times*bodies, cpu.Memory())
}
