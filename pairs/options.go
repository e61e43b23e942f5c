package pairs

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/scree-dem/scree/engine/narrow"
	"github.com/scree-dem/scree/internal/mark"
)

// Location selects the point that is reported as the location of a contact.
type Location uint8

const (
	Reduced Location = iota // centroid of the common section
	None
	Full // centroid of the common volume; not available in this release
)

var locationNames = []string{"reduced", "none", "full"}

// String returns the name of the location on the command line.
func (l Location) String() string {
	if l > Full {
		return fmt.Sprintf("location %d", uint8(l))
	}
	return locationNames[l]
}

// Errors of ParseLocation and ParseMethod. Run has ErrOption for all options that it refuses.
var (
	ErrOption = errors.New("unknown")
	ErrAbsent = errors.New("not available in this release")
)

// ParseLocation returns the location with a name. The error wraps ErrAbsent for a location of other
// releases, and ErrOption for an unknown name.
func ParseLocation(name string) (Location, error) {
	l := slices.Index(locationNames, name)
	switch {
	case l < 0:
		return 0, fmt.Errorf("pairs: location %q is %w, expected one of reduced, none", name, ErrOption)
	case Location(l) == Full:
		return 0, fmt.Errorf("pairs: location %q is %w, expected reduced or none", name, ErrAbsent)
	}
	return Location(l), nil
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
	Method   narrow.Method // method of the narrow phase
	Location Location      // how contacts are located
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
	case o.Location > None:
		return mark.Errorf(ErrOption, "pairs: the location is %v, expected reduced or none", o.Location)
	case o.DTol-o.DTol != 0:
		return mark.Errorf(ErrOption, "pairs: DTol is %g m, expected a finite length, or a negative one for that of narrow.Dtol", o.DTol)
	case o.Friction < 0 || math.IsInf(o.Friction, 0):
		return mark.Errorf(ErrOption, "pairs: Friction is %g, expected a number ≥ 0, or NaN", o.Friction)
	case o.Workers < 0 || o.Workers > maxWorkers:
		return mark.Errorf(ErrOption, "pairs: %d workers, expected 0 to %d", o.Workers, maxWorkers)
	}
	return nil
}
