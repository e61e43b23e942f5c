package multipole

import (
	"fmt"
	"os"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/scree-dem/scree/geometry/inside/internal/tri"
	"github.com/scree-dem/scree/geometry/surfaces"
	"github.com/scree-dem/scree/vec"
)

func user() float64 {
	var r syscall.Rusage
	syscall.Getrusage(0, &r)
	return float64(r.Utime.Sec) + 1e-6*float64(r.Utime.Usec)
}

func TestSpeed(t *testing.T) {
	name := os.Getenv("SURF")
	if name == "" {
		t.Skip()
	}
	at := func(k string, d int) int {
		if v, err := strconv.Atoi(os.Getenv(k)); err == nil {
			return v
		}
		return d
	}
	s := surfaceOf(must(surfaces.Parse(name)))
	n := at("N", 80)
	box := s.Box()
	var points []vec.Vec3
	d := box.Size()
	for i := range n {
		for j := range n {
			for k := range n {
				points = append(points, box.Min.Add(vec.V(d.X*(float64(k)+.5)/float64(n), d.Y*(float64(j)+.5)/float64(n), d.Z*(float64(i)+.5)/float64(n))))
			}
		}
	}
	places, values := make([]tri.Place, len(points)), make([]float64, len(points))
	u0, t0 := user(), time.Now()
	m := New(s, Options{Degree: at("P", 0), Depth: at("L", 0), Points: len(points), Leaf: at("LEAF", 0), Apart: float64(at("D", 0)) / 10}, nil)
	u1, t1 := user(), time.Now()
	m.Range(points, places, values)
	u2, t2 := user(), time.Now()
	in := 0
	worst := 0.0
	for i, v := range values {
		if places[i] == tri.Inside {
			in++
			v -= 1
		}
		worst = max(worst, max(v, -v))
	}
	per := func(s float64) float64 { return s / float64(len(points)) * 1e9 }
	fmt.Printf("%s %d tris: depth %d p %d cells %d summed %d bound %.3g worst %.3g in %d; setup %.0f ms (user %.0f), eval %.0f ns (user %.0f), total user %.0f ns\n", name, len(s.Tris), m.Depth, m.Degree, m.Cells, m.Summed, m.Bound, worst, in,
		1e3*t1.Sub(t0).Seconds(), 1e3*(u1-u0), per(t2.Sub(t1).Seconds()), per(u2-u1), per(u2-u0))
}
