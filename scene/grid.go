package scene

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// maxRuns is the largest number of runs of a sweep.
const maxRuns = 10_000

// fromTo matches the whole numbers from one to another.
var fromTo = regexp.MustCompile(`^([+-]?\d+):([+-]?\d+)$`)

// Grid returns all combinations of values, each as settings KEY=VALUE for Load. The last key varies fastest. Each of sets
// is KEY=VALUES: commas outside brackets and quotes part values, and a:b stands for the whole numbers from a to b.
// Errors wrap ErrInput.
func Grid(sets []string) ([][]string, error) {
	runs, keys := [][]string{nil}, map[string]bool{}
	for _, set := range sets {
		fail := func(what string) ([][]string, error) { return nil, (&setting{text: set}).fault("", what) }
		key, rest, ok := CutSet(set)
		if !ok || keys[key] {
			return fail("expected one KEY=VALUE,VALUE for each key, as law.friction=0.1,0.3")
		}
		keys[key] = true
		var values []string
		for more := true; more; {
			end := valueEnd([]byte(rest), 0)
			value := strings.TrimSpace(rest[:end])
			after := strings.TrimSpace(rest[end:])
			if rest, more = strings.CutPrefix(after, ","); after != "" && !more || value == "" {
				return fail(found(value+after, "values with commas between them"))
			}
			numbers := fromTo.FindStringSubmatch(value)
			if numbers == nil {
				values = append(values, value)
				continue
			}
			a, errA := strconv.ParseInt(numbers[1], 10, 64)
			b, errB := strconv.ParseInt(numbers[2], 10, 64)
			if errA != nil || errB != nil || a > b || uint64(b)-uint64(a) >= maxRuns {
				return fail(found(value, fmt.Sprintf("a:b with at most %d whole numbers from a up to b", maxRuns)))
			}
			for n := range b - a + 1 {
				values = append(values, strconv.FormatInt(a+n, 10))
			}
		}
		if len(runs)*len(values) > maxRuns {
			return fail(fmt.Sprintf("makes %d runs, expected at most %d", len(runs)*len(values), maxRuns))
		}
		var longer [][]string
		for _, run := range runs {
			for _, value := range values {
				longer = append(longer, append(run[:len(run):len(run)], key+"="+value))
			}
		}
		runs = longer
	}
	return runs, nil
}
