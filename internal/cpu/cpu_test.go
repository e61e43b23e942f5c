package cpu

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"

	"github.com/klauspost/cpuid/v2"
)

func Example() {
	fmt.Println(Available()[len(Available())-1])
	fmt.Println(Select("cray"))
	// Output:
	// generic
	// cpu: "cray" is not a backend, available: generic: backend not available
}

func TestDetect(t *testing.T) {
	all := []cpuid.FeatureID{cpuid.AVX512F, cpuid.AVX512DQ, cpuid.AVX512BW, cpuid.AVX512VL, cpuid.AVX2, cpuid.FMA3}
	tests := []struct {
		name string
		has  []cpuid.FeatureID
		want []string
	}{
		{"nothing", nil, []string{Generic}},
		{"AVX2 and FMA", []cpuid.FeatureID{cpuid.AVX2, cpuid.FMA3}, []string{AVX2, Generic}},
		{"AVX2 without FMA", []cpuid.FeatureID{cpuid.AVX2}, []string{Generic}},
		{"AVX-512", all, []string{AVX512, AVX2, Generic}},
		{"AVX-512 without VL", slices.DeleteFunc(slices.Clone(all), func(f cpuid.FeatureID) bool { return f == cpuid.AVX512VL }),
			[]string{AVX2, Generic}},
		{"NEON", []cpuid.FeatureID{cpuid.ASIMD}, []string{NEON, Generic}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := detect(func(ids ...cpuid.FeatureID) bool {
				for _, id := range ids {
					if !slices.Contains(test.has, id) {
						return false
					}
				}
				return true
			})
			if !slices.Equal(got, test.want) {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

func TestRegistry(t *testing.T) {
	r := newRegistry([]string{AVX512, AVX2, Generic}, "")
	if r.selected != Generic || !slices.Equal(r.available(), []string{Generic}) {
		t.Fatalf("before any is registered: %q of %v", r.selected, r.available())
	}
	var avx2, avx512, neon bool
	r.register(NEON, &neon)
	r.register(AVX2, &avx2)
	if r.selected != AVX2 || !avx2 || neon {
		t.Errorf("AVX2 registered: selected %q, flags %v %v", r.selected, avx2, neon)
	}
	r.register(AVX512, &avx512)
	if r.selected != AVX512 || avx2 || !avx512 {
		t.Errorf("AVX-512 registered: selected %q, flags %v %v", r.selected, avx2, avx512)
	}
	if want := []string{AVX512, AVX2, Generic}; !slices.Equal(r.available(), want) {
		t.Errorf("available %v, want %v", r.available(), want)
	}
	if err := r.choose(AVX2); err != nil || !avx2 || avx512 || r.selected != AVX2 {
		t.Errorf("AVX2 chosen: %v, flags %v %v", err, avx2, avx512)
	}
	if err := r.choose(Generic); err != nil || avx2 || avx512 || r.selected != Generic {
		t.Errorf("generic chosen: %v, flags %v %v", err, avx2, avx512)
	}
}

func TestChooseErrors(t *testing.T) {
	r := newRegistry([]string{AVX512, AVX2, Generic}, "")
	var avx2 bool
	r.register(AVX2, &avx2)
	tests := []struct{ name, want string }{
		{"sse", `"sse" is not a backend`},
		{"", `"" is not a backend`},
		{"AVX2", `"AVX2" is not a backend`},
		{NEON, `"neon" does not run on this processor`},
		{AVX512, `"avx512" is not compiled into this build`},
	}
	for _, test := range tests {
		err := r.choose(test.name)
		if !errors.Is(err, ErrBackend) || !strings.Contains(err.Error(), test.want) ||
			!strings.Contains(err.Error(), "available: avx2, generic") {
			t.Errorf("choose(%q): %v", test.name, err)
		}
		if r.selected != AVX2 || !avx2 {
			t.Errorf("choose(%q) changed the selection to %q", test.name, r.selected)
		}
	}
}

func TestEnvironment(t *testing.T) {
	var avx2, avx512 bool
	r := newRegistry([]string{AVX512, AVX2, Generic}, AVX2)
	if !errors.Is(r.envErr, ErrBackend) || r.selected != Generic {
		t.Errorf("not registered yet: %q, %v", r.selected, r.envErr)
	}
	r.register(AVX2, &avx2)
	if r.envErr != nil || r.selected != AVX2 {
		t.Errorf("registered: %q, %v", r.selected, r.envErr)
	}
	r.register(AVX512, &avx512)
	if r.envErr != nil || r.selected != AVX2 || avx512 {
		t.Errorf("a better one registered later: %q, %v", r.selected, r.envErr)
	}
	r = newRegistry([]string{Generic}, "sse")
	if !errors.Is(r.envErr, ErrBackend) || !strings.HasPrefix(r.envErr.Error(), "SCREE_BACKEND: ") {
		t.Errorf("unknown name: %v", r.envErr)
	}
}

// The variable is read only at the start of a process, so the test starts another process.
func TestEnvironmentOfProcess(t *testing.T) {
	if os.Getenv("CPU_TEST_CHILD") == "1" {
		fmt.Printf("selected=%s err=%v\n", Selected(), EnvError())
		return
	}
	for _, test := range []struct{ value, want string }{
		{"", "err=<nil>"},
		{Generic, "selected=generic err=<nil>"},
		{"sse", `err=SCREE_BACKEND: cpu: "sse" is not a backend`},
	} {
		c := exec.Command(os.Args[0], "-test.run=^TestEnvironmentOfProcess$", "-test.v")
		c.Env = append(os.Environ(), "CPU_TEST_CHILD=1", Env+"="+test.value)
		out, err := c.CombinedOutput()
		if errors.Is(err, syscall.ENOEXEC) {
			t.Skip("an emulator runs this test and the kernel cannot start its binary; TestEnvironment holds")
		}
		if err != nil || !strings.Contains(string(out), test.want) {
			t.Errorf("%s=%q: %v\n%s", Env, test.value, err, out)
		}
	}
}

func TestRegisterRefuses(t *testing.T) {
	r := newRegistry([]string{AVX2, Generic}, "")
	var use bool
	r.register(AVX2, &use)
	for name, f := range map[string]func(){
		"unknown": func() { r.register("sse", new(bool)) },
		"generic": func() { r.register(Generic, new(bool)) },
		"twice":   func() { r.register(AVX2, new(bool)) },
		"no flag": func() { r.register(NEON, nil) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}

func TestProcessSelection(t *testing.T) {
	before := Selected()
	if !slices.Contains(Available(), before) {
		t.Errorf("selected %q is not among the available %v", before, Available())
	}
	for _, name := range Available() {
		if !slices.Contains(Detected(), name) {
			t.Errorf("%q is available but not detected", name)
		}
		if err := Select(name); err != nil || Selected() != name {
			t.Errorf("Select(%q): %v, selected %q", name, err, Selected())
		}
	}
	if err := Select(before); err != nil {
		t.Fatal(err)
	}
	Detected()[0], Available()[0] = "spoiled", "spoiled"
	if slices.Contains(Detected(), "spoiled") || slices.Contains(Available(), "spoiled") {
		t.Error("a caller can change the lists")
	}
}

func TestFill(t *testing.T) {
	file := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s + "\n")} }
	system := fstest.MapFS{
		"index0/level": file("1"), "index0/type": file("Instruction"), "index0/size": file("32K"),
		"index1/level": file("1"), "index1/type": file("Data"), "index1/size": file("48K"),
		"index1/coherency_line_size": file("64"),
		"index2/level":               file("2"), "index2/type": file("Unified"), "index2/size": file("2M"),
		"index3/level": file("3"), "index3/type": file("Unified"), "index3/size": file("32768K"),
		"index4/level": file("4"), "index4/type": file("Unified"), "index4/size": file("1G"), "index3/ways_of_associativity": file("16"),
	}
	tests := []struct {
		name   string
		have   Caches
		system fstest.MapFS
		want   Caches
	}{
		{"all from the system", Caches{}, system, Caches{64, 48 << 10, 2 << 20, 32 << 20, [3]int{0, 0, 16}}},
		{"known sizes stay", Caches{Line: 128, L2: 5}, system, Caches{128, 48 << 10, 5, 32 << 20, [3]int{0, 0, 16}}},
		{"no system", Caches{L1D: 7}, fstest.MapFS{}, Caches{L1D: 7}},
		{"not understood", Caches{}, fstest.MapFS{
			"index0/level": file("1"), "index0/type": file("Data"), "index0/size": file("lots"),
		}, Caches{}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := test.have
			if c.fill(test.system); c != test.want {
				t.Errorf("got %+v, want %+v", c, test.want)
			}
		})
	}
}

func TestParseSize(t *testing.T) {
	for s, want := range map[string]int{
		"": 0, "K": 0, "64": 64, "32K": 32768, "1M": 1 << 20, "1G": 1 << 30, "-1K": 0, "3.5M": 0, "4k": 0,
		"9223372036854775807G": 0, "99999999999999999999": 0,
	} {
		if got := parseSize(s); got != want {
			t.Errorf("parseSize(%q) = %d, want %d", s, got, want)
		}
	}
}

func TestDescribe(t *testing.T) {
	p := describe(&cpuid.CPUInfo{}, fstest.MapFS{})
	if p.Name == "" || p.Threads < 1 || p.Cores != p.Threads || p.Caches != (Caches{}) {
		t.Errorf("of an unknown processor: %+v", p)
	}
	unknown := cpuid.CPUInfo{BrandName: "x", PhysicalCores: 2, LogicalCores: 4, CacheLine: -1}
	unknown.Cache.L1D, unknown.Cache.L2, unknown.Cache.L3 = -1, -1, -1
	p = describe(&unknown, fstest.MapFS{})
	if p.Name != "x" || p.Cores != 2 || p.Threads != 4 || p.Caches != (Caches{}) {
		t.Errorf("of a processor without cache sizes: %+v", p)
	}
	if p = Describe(); p.Name == "" || p.Cores < 1 || p.Threads < p.Cores {
		t.Errorf("of this processor: %+v", p)
	}
}
