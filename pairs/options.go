package pairs

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/narrow"
)

// LocationChoice selects the point that is reported as the location of a contact.
type LocationChoice uint8

const (
	Reduced LocationChoice = iota // centroid of the common section
	None
	Full // centroid of the overlap
	Dual // the same, by the published method: see section.Dual
)

var locationNames = []string{"reduced", "none", "full", "dual"}

// LocationNames returns the names of the locations, the default first.
func LocationNames() []string { return slices.Clone(locationNames) }

// String returns the name of the location on the command line.
func (l LocationChoice) String() string {
	if l > Dual {
		return fmt.Sprintf("location %d", uint8(l))
	}
	return locationNames[l]
}

// Errors of ParseLocation and ParseMethod. Run has ErrOption for all options that it refuses.
var (
	ErrOption = errors.New("unknown")
	ErrAbsent = errors.New("not available in this release")
)

// ParseLocation returns the location with a name. The error for an unknown name wraps ErrOption.
func ParseLocation(name string) (LocationChoice, error) {
	if l := slices.Index(locationNames, name); l >= 0 {
		return LocationChoice(l), nil
	}
	return 0, fmt.Errorf("pairs: location %q is %w, expected one of %s", name, ErrOption, strings.Join(locationNames, ", "))
}

// ParseMethod returns the method with a name. The error for an unknown name wraps ErrOption.
func ParseMethod(name string) (narrow.Method, error) {
	m, err := narrow.ParseMethod(name)
	if err == nil {
		return m, nil
	}
	return 0, fmt.Errorf("pairs: method %q is %w, expected one of %s", name, ErrOption, strings.Join(narrow.MethodNames(), ", "))
}

// Options configures Run.
type Options struct {
	Method   narrow.Method  // method of the narrow phase
	Location LocationChoice // how contacts are located
	// FacetCentre adds the middle of each facet to the points that GJK and EPA read, as PFC does. The
	// method must be narrow.GJKEPA.
	FacetCentre bool
	// DTol, m: the contact type counts features within this distance of the contact plane. A
	// negative value selects narrow.Dtol.
	DTol float64
	// AutoDTol replaces DTol by a value that follows the motion of each track.
	AutoDTol bool
	// Contacts, if not nil, receives the table of the basic contacts. Friction decides the mode of a
	// closed contact: "stick" while the tangential way since it closed is at most Friction times its
	// depth, else "slide". If Friction is NaN, the mode is "closed".
	Contacts io.Writer
	Friction float64 // coefficient of friction for the modes of contacts, ≥ 0, or NaN
	// Distributions asks for Stats.Gaps and Stats.Depths.
	Distributions bool
	Workers       int  // 0: one for each processor
	Pin           bool // tie each worker to a logical processor
	// Progress is called from time to time with the bytes read and the rows answered. It may be
	// nil.
	Progress func(bytes, rows int64)
}

// maxWorkers bounds the memory of the workers.
const maxWorkers = 1024

// check returns an error for the first option that means nothing.
func (o *Options) check() error {
	switch {
	case !o.Method.Available():
		return mark.Errorf(ErrOption, "pairs: %v is no method, expected one of %s", o.Method, strings.Join(narrow.MethodNames(), ", "))
	case o.Location > Dual:
		return mark.Errorf(ErrOption, "pairs: the location is %v, expected one of %s", o.Location, strings.Join(locationNames, ", "))
	case o.FacetCentre && o.Method != narrow.GJKEPA:
		return mark.Errorf(ErrOption, "pairs: the facet centre with the method %v, expected %v: no other method reads it", o.Method, narrow.GJKEPA)
	case o.DTol-o.DTol != 0:
		return mark.Errorf(ErrOption, "pairs: DTol is %g m, expected a finite length, or a negative one for that of narrow.Dtol", o.DTol)
	case o.Friction < 0 || math.IsInf(o.Friction, 0):
		return mark.Errorf(ErrOption, "pairs: Friction is %g, expected a number ≥ 0, or NaN", o.Friction)
	case o.Workers < 0 || o.Workers > maxWorkers:
		return mark.Errorf(ErrOption, "pairs: %d workers, expected 0 to %d", o.Workers, maxWorkers)
	}
	return nil
}
