package scene

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"unicode"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/internal/cpu"
	"github.com/scree-dem/scree/internal/disk"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/vec"
)

// Scene is a parsed and checked scene file with its meshes.
type Scene struct {
	Name  string  // file name without folder and extension
	Path  string  // path of the file
	Seed  uint64  // seed of the generators that give none
	Dt    float64 // s
	Auto  bool    // dt = "auto": Dt is the advised step
	Steps int64   // steps of the whole run

	gravity      vec.Vec3                    // at the start
	fall         *engine.TimeTable[vec.Vec3] // gravity that varies, or nil
	localDamping float64
	materials    []string // names, sorted
	density      []float64
	shapes       []shape // sorted by name
	groups       []bodyEntry
	moving       int64  // number of bodies of all groups at the start
	order        string // of curve.Names
	walls        []wall
	law          *force.Table
	location     engine.Location
	interaction  float64 // m
	end          float64 // s, of the run, if there are stages; 0: theirs
	method       narrow.Method
	relief       engine.Relief
	skin         float64
	horizon      float64
	search       string  // one of engine.Searches, or "" for the default
	lists        float64 // m, radius of Verlet lists; 0: chosen automatically
	serve        int     // searches that a Verlet list serves; 0: decided by motion
	planar       bool    // dim = 2
	integrator   engine.Integrator
	output       output
	laws         laws     // before the first stage; law is its table
	base         []effect // what acts from the start on
	stages       []stage
	domain       engine.Domain
	cell         cellCourse // what deforms the domain from the start on
	wrap         bool       // frames show images in the box
	counts       []count
	removes      []remove
	measures     []measure
	made         atomic.Pointer[[]placed] // bodies that countFills made and no build has taken
	warnings     []string
	memory       shapeMemory
	tilePairs    int        // as in engine.Config
	large        sync.Mutex // held while reading a mesh that may need a large part of the memory

	dir  string // folder that file names are relative to
	at   *outline
	text []byte // of sceneName: Head and the scene as set; nil without a scene file
}

// output describes what is written, and when.
type output struct {
	every, history int64 // steps; -1: depends on the length of the run
	states         int64
	contacts       int64    // steps; 0: no table
	bodies         []string // names of bodies with columns of history.csv
	checkpoint     int64    // steps; 0: none but of an interrupted run; -1: one at the end
	fields         map[string]bool
}

// maxSceneBytes is the largest size of a scene file. Generators can make millions of bodies.
const maxSceneBytes = 1 << 28

// Load reads and checks the scene file at path, and reads the meshes that the file names. Each of sets is KEY=VALUE, as
// of scree run --set: a value in place of that of the file. Errors in the contents wrap ErrInput.
func Load(path string, sets ...string) (s *Scene, err error) {
	err = open(path, func(file io.Reader) error {
		s, err = Decode(file, path, filepath.Dir(path), sets...)
		return err
	})
	return s, err
}

// open opens a scene file for a function.
func open(path string, use func(io.Reader) error) error {
	file, err := os.Open(path)
	if err != nil {
		return &fault{file: path, what: "cannot be read: " + err.Error(), cause: err}
	}
	defer file.Close() //nolint:errcheck // The file is only read.
	return use(file)
}

// Decode is Load for a scene from another source. name appears in messages; without folder and
// extension it is the name of the scene. File names in the scene are relative to dir.
// Errors in the contents wrap ErrInput.
func Decode(from io.Reader, name, dir string, sets ...string) (*Scene, error) {
	return decode(from, name, dir, cpu.Memory(), sets...)
}

// decode is Decode for a machine with the given bytes of memory; 0 means unknown.
func decode(from io.Reader, name, dir string, machine uint64, sets ...string) (*Scene, error) {
	s, d, err := read(from, name, dir, sets)
	if err != nil {
		return nil, err
	}
	s.memory.machine = machine
	c := &checks{Scene: s, staged: len(d.Stage) > 0}
	for _, check := range []func(*document){
		c.checkKeys, c.checkHead, c.checkDomain, c.checkTime, c.checkMaterials, c.checkLaw, c.loadShapes, c.checkBodies, c.loadWalls,
		c.checkKinds, c.checkContact, c.checkBroad, c.checkIntegrator, c.checkAuto, c.checkOutput, c.checkStages, c.checkLocation, c.checkMotions, c.checkCounts, c.checkRemoves, c.checkMeasures, c.checkLimits,
	} {
		if check(d); c.first != nil {
			return nil, c.first
		}
	}
	return s, nil
}

// read reads a scene, without the meshes and the checks of one key beside others.
func read(from io.Reader, name, dir string, sets []string) (*Scene, *document, error) {
	content, err := io.ReadAll(io.LimitReader(disk.Steady(from), maxSceneBytes+1))
	if err != nil {
		return nil, nil, &fault{file: name, what: "cannot be read: " + err.Error(), cause: err}
	}
	if len(content) > maxSceneBytes {
		return nil, nil, &fault{file: name, what: fmt.Sprintf("has more than %d bytes, expected a scene of at most as many", maxSceneBytes)}
	}
	s, d := &Scene{Path: name, Name: disk.Stem(name), dir: dir}, &document{}
	if s.at, content, err = parseSet(name, content, d, sets); err != nil {
		return nil, nil, err
	}
	s.text, err = s.at.asRun(content, dir)
	return s, d, err
}

// checks fills a scene. It keeps the first error. Values read after the first error are invalid,
// and later errors are ignored.
type checks struct {
	*Scene
	first  error
	staged bool // there are stages, which say how long the run is
}

func (s *checks) fail(err error) {
	if s.first == nil {
		s.first = err
	}
}

// failAt reports an error at a key, unless it names its own.
func (s *checks) failAt(key string, err error) {
	if !errors.Is(err, ErrInput) {
		err = s.at.because(key, err)
	}
	s.fail(err)
}

func (s *checks) fault(key, what string) { s.fail(s.at.fault(key, what)) }

// demand reports the value of a key as an error unless ok is true.
func (s *checks) demand(key string, value any, ok bool, want string) {
	if !ok {
		s.fault(key, found(value, want))
	}
}

// warn adds a warning about a key.
func (s *checks) warn(key, what string) {
	s.warnings = append(s.warnings, s.at.fault(key, what).Error())
}

func (s *checks) checkHead(d *document) {
	s.Seed, s.planar, s.order = uint64(d.Seed), d.Dim == 2, d.Order.Bodies
	s.gravity = vec.V(0, 0, -9.81)
	if s.planar {
		s.gravity = vec.V(0, -9.81, 0)
	}
	if s.fall = d.Gravity.Vector.varying(); d.Gravity.Vector.table != nil {
		s.gravity = d.Gravity.Vector.start()
	}
	for _, v := range d.Gravity.Vector.values() {
		s.inPlane("gravity.vector", v)
	}
	s.localDamping = d.Time.LocalDamping
}

func (s *checks) checkTime(d *document) {
	t := &d.Time
	s.Dt, _ = oneNumber(t.Dt)
	if s.Auto = t.Dt == "auto"; !s.Auto {
		s.setSteps(t)
	}
}

// setSteps sets the number of steps, once the time step is known.
func (s *checks) setSteps(t *timeTable) {
	if s.Steps = t.Steps; t.End == 0 {
		return
	}
	// The factor allows for ends such as 0.3 with steps of 0.1, whose quotient rounds to slightly
	// above 3.
	steps := math.Ceil(t.End / s.Dt * (1 - 1e-12))
	if steps > maxSteps {
		s.fault("time.end", found(t.End, fmt.Sprintf("at most %d steps of %g s", int64(maxSteps), s.Dt)))
	}
	s.Steps = int64(steps)
}

// maxSteps is the largest number up to which float64 represents all whole numbers.
const maxSteps = 1 << 53

func (s *checks) checkMaterials(d *document) {
	s.materials = inOrder(d.Materials)
	if n := len(s.materials); n > force.MaxMaterials {
		s.fault("materials", fmt.Sprintf("has %d tables, expected at most %d", n, force.MaxMaterials))
	}
	for _, name := range s.materials {
		s.density = append(s.density, d.Materials[name].Density) // Walls need no density. loadShape requires one for shapes.
	}
}

// material returns the index of the material name.
func (s *checks) material(key, name string) int {
	i, ok := slices.BinarySearch(s.materials, name)
	if !ok {
		s.fault(key, found(name, "one of the materials "+among(s.materials)))
		return 0
	}
	return i
}

// box returns a box whose first corner is the least one.
func (s *checks) box(key string, v *[2]vec.Vec3) vec.Box {
	lo, hi := v[0], v[1]
	s.demand(key, [][]float64{asList(lo), asList(hi)}, lo.X <= hi.X && lo.Y <= hi.Y && lo.Z <= hi.Z, "the least corner before the largest")
	return vec.Box{Min: lo, Max: hi}
}

// maxName is the largest length of a name, bytes. Names appear in every row of some tables and in
// messages.
const maxName = 255

// badName returns the message for a name that would break the lines of tables and messages, or "": for names with
// control characters, or with the line and paragraph separators of Unicode. Commas and quotes are allowed, because the
// tables quote them.
func badName(name string) string {
	if len(name) > maxName {
		return fmt.Sprintf("found a name of %d bytes, expected at most %d", len(name), maxName)
	}
	for _, c := range name {
		if unicode.IsControl(c) || unicode.In(c, unicode.Zl, unicode.Zp) {
			return found(name, fmt.Sprintf("a name without control characters such as %q", c))
		}
	}
	return ""
}

// inOrder returns the sorted keys of a map.
func inOrder[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
