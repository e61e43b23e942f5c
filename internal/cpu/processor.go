package cpu

import (
	"io/fs"
	"iter"
	"math"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"

	"github.com/klauspost/cpuid/v2"
)

// Processor describes the processor of the machine. A size of 0 is unknown.
type Processor struct {
	Name     string // name that the processor reports, or GOARCH
	Vendor   string
	Cores    int // physical cores, or Threads if unknown
	Threads  int // logical processors
	Caches   Caches
	Features []string // instruction set extensions, with cpuid's names and in its order
}

// Caches are sizes in bytes. L1D and L2 belong to a core. L3 is shared by the cores of one complex.
type Caches struct {
	Line int `json:"line"`
	L1D  int `json:"l1d"`
	L2   int `json:"l2"`
	L3   int `json:"l3"`
	// Ways are the numbers of lines that L1D, L2 and L3 can hold of one address; 0 is unknown.
	Ways [3]int `json:"ways"`
}

// Describe returns the description of this machine's processor. If the processor does not report
// its caches (arm64, emulators), Describe reads the system's description once.
func Describe() Processor { return described() }

var described = sync.OnceValue(func() Processor { return describe(&cpuid.CPU, os.DirFS(cacheDir)) })

// cacheDir is the folder in which Linux describes the caches of the first processor.
const cacheDir = "/sys/devices/system/cpu/cpu0/cache"

func describe(c *cpuid.CPUInfo, system fs.FS) Processor {
	p := Processor{
		Name: c.BrandName, Vendor: c.VendorString,
		Cores: c.PhysicalCores, Threads: c.LogicalCores,
		Caches: Caches{
			Line: max(c.CacheLine, 0),
			L1D:  max(c.Cache.L1D, 0), L2: max(c.Cache.L2, 0), L3: max(c.Cache.L3, 0),
		},
		Features: c.FeatureSet(),
	}
	if p.Name == "" {
		p.Name = runtime.GOARCH
	}
	if p.Threads <= 0 {
		p.Threads = runtime.NumCPU()
	}
	if p.Cores <= 0 {
		p.Cores = p.Threads
	}
	p.Caches.fill(system)
	return p
}

// fill sets the sizes that are 0 from a folder laid out like cacheDir. If a file is missing or
// invalid, as on other systems, the size stays 0.
func (c *Caches) fill(system fs.FS) {
	sizes := map[string]*int{"1": &c.L1D, "2": &c.L2, "3": &c.L3}
	ways := map[string]*int{"1": &c.Ways[0], "2": &c.Ways[1], "3": &c.Ways[2]}
	for dir, level := range dataCaches(system, "") {
		size := sizes[level]
		if size == nil {
			continue
		}
		*ways[level] = parseSize(readWord(system, dir+"/ways_of_associativity"))
		if *size == 0 {
			*size = parseSize(readWord(system, dir+"/size"))
		}
		if c.Line == 0 {
			c.Line = parseSize(readWord(system, dir+"/coherency_line_size"))
		}
	}
}

// dataCaches yields the folders and levels of the data and unified caches below in. It skips
// instruction caches.
func dataCaches(system fs.FS, in string) iter.Seq2[string, string] {
	return func(yield func(dir, level string) bool) {
		dirs, _ := fs.Glob(system, in+"index*") // Only a malformed pattern can fail.
		for _, dir := range dirs {
			kind := readWord(system, dir+"/type")
			if (kind == "Data" || kind == "Unified") && !yield(dir, readWord(system, dir+"/level")) {
				return
			}
		}
	}
}

func readWord(system fs.FS, name string) string {
	b, err := fs.ReadFile(system, name)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(b))
}

// parseSize parses a size such as 48K, 2M or 64. It returns 0 for anything else.
func parseSize(s string) int {
	unit := 1
	switch {
	case strings.HasSuffix(s, "K"):
		unit = 1 << 10
	case strings.HasSuffix(s, "M"):
		unit = 1 << 20
	case strings.HasSuffix(s, "G"):
		unit = 1 << 30
	}
	if unit > 1 {
		s = s[:len(s)-1]
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 || n > math.MaxInt/unit {
		return 0
	}
	return n * unit
}
