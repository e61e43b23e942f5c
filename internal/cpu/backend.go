package cpu

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/klauspost/cpuid/v2"
)

// Names of the backends. Generic is plain Go and runs everywhere.
const (
	Generic = "generic"
	AVX2    = "avx2"   // amd64: AVX2 and FMA3
	AVX512  = "avx512" // amd64: AVX-512 F, DQ, BW and VL, and the extensions of AVX2
	NEON    = "neon"   // arm64: Advanced SIMD
)

// Env is the environment variable that selects the backend at the start of a process.
const Env = "SCREE_BACKEND"

// ErrBackend reports a backend that is unknown, or not available in this build or on this
// processor.
var ErrBackend = errors.New("backend not available")

// preference lists the backends, best first.
var preference = []string{AVX512, AVX2, NEON, Generic}

// registry holds the compiled backends, the backends that the processor supports, and the
// selection. It is a type so that tests can make their own registries.
type registry struct {
	detected []string         // in order of preference
	flags    map[string]*bool // by registered backend; Generic has no flag and is always available
	named    string           // selected by the environment; "" if none
	selected string
	envErr   error
}

func newRegistry(detected []string, named string) *registry {
	r := &registry{detected: detected, named: named, flags: map[string]*bool{}}
	r.start()
	return r
}

var process = newRegistry(detect(cpuid.CPU.Supports), os.Getenv(Env))

// detect returns the backends whose instructions the processor supports, best first. The operating
// system must also save the wide registers; cpuid reports a feature only if it does.
func detect(supports func(...cpuid.FeatureID) bool) []string {
	var d []string
	wide := supports(cpuid.AVX2, cpuid.FMA3)
	if wide && supports(cpuid.AVX512F, cpuid.AVX512DQ, cpuid.AVX512BW, cpuid.AVX512VL) {
		d = append(d, AVX512)
	}
	if wide {
		d = append(d, AVX2)
	}
	if supports(cpuid.ASIMD) {
		d = append(d, NEON)
	}
	return append(d, Generic)
}

// Detected returns the backends that the processor supports, best first, whether or not they are
// compiled in. The last one is Generic.
func Detected() []string { return slices.Clone(process.detected) }

// Available returns the backends that are compiled in and that the processor supports, best first.
// The last one is Generic.
func Available() []string { return process.available() }

// Selected returns the selected backend.
func Selected() string { return process.selected }

// Select selects the named backend. On an error, which lists the available backends, the selection
// is unchanged. Select must not be called while kernels run.
func Select(name string) error { return process.choose(name) }

// EnvError returns the reason why the backend in SCREE_BACKEND was not selected at the start, or
// nil. Programs that compute must not continue after this error. Otherwise a typing error in a
// script could produce wrong measurements.
func EnvError() error { return process.envErr }

// Register registers a compiled backend. Register and Select set *use to whether the backend is
// selected; the dispatch code branches on *use. Package asm calls Register during initialisation.
// Register panics if the name is unknown, is Generic, or is already registered.
func Register(name string, use *bool) { process.register(name, use) }

func (r *registry) register(name string, use *bool) {
	if name == Generic || !slices.Contains(preference, name) || r.flags[name] != nil || use == nil {
		panic(fmt.Sprintf("cpu: cannot register backend %q", name))
	}
	r.flags[name] = use
	r.start()
}

// start makes the initial selection from the backends registered so far.
func (r *registry) start() {
	r.use(r.available()[0])
	r.envErr = nil
	if r.named == "" {
		return
	}
	if err := r.choose(r.named); err != nil {
		r.envErr = fmt.Errorf("%s: %w", Env, err)
	}
}

func (r *registry) available() []string {
	var a []string
	for _, name := range r.detected {
		if name == Generic || r.flags[name] != nil {
			a = append(a, name)
		}
	}
	return a
}

func (r *registry) choose(name string) error {
	have := r.available()
	if !slices.Contains(have, name) {
		why := "is not a backend"
		switch {
		case slices.Contains(r.detected, name):
			why = "is not compiled into this build"
		case slices.Contains(preference, name):
			why = "does not run on this processor"
		}
		return fmt.Errorf("cpu: %q %s, available: %s: %w", name, why, strings.Join(have, ", "), ErrBackend)
	}
	r.use(name)
	return nil
}

func (r *registry) use(name string) {
	for n, flag := range r.flags {
		*flag = n == name
	}
	r.selected = name
}
