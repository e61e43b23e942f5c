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
	AVX512  = "avx512" // amd64: AVX-512 F, DQ, BW and VL, and what AVX2 asks for
	NEON    = "neon"   // arm64: Advanced SIMD
)

// Env is the environment variable that names the backend a process starts with.
const Env = "SCREE_BACKEND"

// ErrBackend marks a backend that is unknown, or that this build or this processor does not have.
var ErrBackend = errors.New("backend not available")

// preference lists the backends from the one that is best when it is there.
var preference = []string{AVX512, AVX2, NEON, Generic}

// registry is which backends are compiled in, which the processor can run, and which is selected. It
// is a value so that tests can make others than the one of this process.
type registry struct {
	detected []string         // in the order of preference
	flags    map[string]*bool // of each registered backend; Generic has none and is always there
	named    string           // by the environment; "" is none
	selected string
	envErr   error
}

func newRegistry(detected []string, named string) *registry {
	r := &registry{detected: detected, named: named, flags: map[string]*bool{}}
	r.start()
	return r
}

var process = newRegistry(detect(cpuid.CPU.Supports), os.Getenv(Env))

// detect returns the backends whose instructions the processor has, best first. The operating system
// has to save the wide registers as well; cpuid reports a feature only if it does.
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

// Detected returns the backends the processor can run, best first, whether or not this build has
// them. The last one is Generic.
func Detected() []string { return slices.Clone(process.detected) }

// Available returns the backends that are compiled in and that the processor can run, best first. The
// last one is Generic.
func Available() []string { return process.available() }

// Selected returns the backend in use.
func Selected() string { return process.selected }

// Select makes the named backend the one in use. The error says what is available, and leaves the
// selection as it was. Select must not run while kernels do.
func Select(name string) error { return process.choose(name) }

// EnvError returns why the backend named by SCREE_BACKEND is not the one the process started with, or
// nil. A process that computes something refuses to start with it, so that a typing error in a script
// does not pass for a measurement.
func EnvError() error { return process.envErr }

// Register says that a backend is compiled in. use is the flag its dispatch branches on: it is set
// here and by Select. Package asm calls Register while it is initialised. A name that is unknown, is
// Generic, or is registered already is a bug and panics.
func Register(name string, use *bool) { process.register(name, use) }

func (r *registry) register(name string, use *bool) {
	if name == Generic || !slices.Contains(preference, name) || r.flags[name] != nil || use == nil {
		panic(fmt.Sprintf("cpu: cannot register backend %q", name))
	}
	r.flags[name] = use
	r.start()
}

// start makes the selection of a fresh process from what is registered so far.
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
