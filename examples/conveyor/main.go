// Conveyor is a host program: it moves rocks that come, ride on a belt and go, and a Detector finds their contacts.
package main

import (
	"fmt"
	"log"
	"slices"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

const dt, speed, length = 0.005, 1.0, 4.0 // s, m/s, m
type rock struct{ pos, vel vec.Vec3 }     // m, m/s
func must[T any](x T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return x
}

func main() {
	d := must(engine.NewDetector(engine.DetectorConfig{}))
	defer d.Close()
	stone := must(d.AddShape(must(geometry.Rock(1, 16, 0.1)).Template()))
	slab := must(d.AddShape(must(geometry.Box(length, 1, 0.2)).Template()))
	belt := must(d.AddFixed(vec.Pose{Pos: vec.V(length/2, 0, -0.1)}, engine.Part{Shape: slab}))
	rocks := map[soa.ID]*rock{}
	for step := range 1200 {
		if step%60 == 0 {
			rocks[must(d.Add(engine.Part{Shape: stone}))] = &rock{pos: vec.V(0.3, float64(2-step/60%5)/10, 0.5)}
		}
		var p engine.Poses
		for _, id := range d.IDs() { // the order of the rows
			r := rocks[id]
			r.vel.Z -= 9.81 * dt
			r.pos = r.pos.AddScaled(dt, r.vel)
			p.X, p.Y, p.Z = append(p.X, r.pos.X), append(p.Y, r.pos.Y), append(p.Z, r.pos.Z)
		}
		none := make([]float64, len(p.X)) // zeros: no rotation
		p.QW, p.QX, p.QY, p.QZ = none, none, none, none
		c := must(d.Detect(p))
		for k, gap := range c.Gap {
			n, b := c.Normal.At(k), rocks[c.B[k]]
			if c.A[k] == belt {
				b.pos, b.vel = b.pos.AddScaled(-gap, n), vec.V(speed, 0, 0)
			} else if a := rocks[c.A[k]]; a != nil { // half of the way each
				a.pos, b.pos = a.pos.AddScaled(gap/2, n), b.pos.AddScaled(-gap/2, n)
			}
		}
		for _, id := range slices.Clone(d.IDs()) {
			if x := rocks[id].pos; x.Z < -1 {
				fmt.Printf("%.2f s: rock %d has left the belt, %d contacts\n", float64(step)*dt, id, c.Len())
				delete(rocks, must(id, d.Remove(id)))
			}
		}
	}
}
