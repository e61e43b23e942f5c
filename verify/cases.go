package verify

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// rad returns an angle given in degrees.
func rad(degrees float64) float64 { return float64(degrees * math.Pi / 180) }

// set returns KEY=VALUE for the value of a number or a vector.
func set(key string, value ...float64) string {
	if len(value) == 1 {
		return fmt.Sprintf("%s=%.17g", key, value[0])
	}
	return key + "=" + strings.ReplaceAll(fmt.Sprintf("%.17g", value), " ", ", ")
}

// worst returns the value that is farthest from want.
func worst(values []float64, want float64) (most float64) {
	most = want
	for _, x := range values {
		if !(math.Abs(x-want) <= math.Abs(most-want)) {
			most = x
		}
	}
	return most
}

// from returns the first index of a time or of a later one. It ends the judgement if the run is shorter.
func from(times []float64, t float64) int {
	i := slices.IndexFunc(times, func(x float64) bool { return x >= t })
	if i < 0 {
		panic(readError{fmt.Errorf("the last row is at %g s, expected one at %g s or later", last(times), t)})
	}
	return i
}

// slopeOf returns the gravity on a plane z = 0 that stands for a slope of an angle, rad, which falls along x.
func slopeOf(angle float64) string {
	return set("gravity.vector", float64(g*math.Sin(angle)), 0, -float64(g*math.Cos(angle)))
}

const g = 9.81 // m/s²
