package scene_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/scree-dem/scree/scene"
)

// Example drops a ball on a floor and writes the results to a folder.
func Example() {
	dir, err := os.MkdirTemp("", "scree")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a temporary folder
	file := filepath.Join(dir, "ball.toml")
	err = os.WriteFile(file, []byte(`
[time]
dt = 5e-4
end = 0.5
[materials.steel]
density = 7800
[shapes.ball]
builtin = "ball:0.05"
material = "steel"
[[bodies]]
shape = "ball"
position = [0, 0, 0.55]
[[walls]]
name = "floor"
plane = {point = [0, 0, 0], normal = [0, 0, 1]}
material = "steel"
[law]
stiffness = 1e6
restitution = 0.5
[output]
every = 0
[[counts]]
name = "below"
below = [[0, 0, 0], [0, 0, 1]]
`), 0o644)
	if err != nil {
		log.Fatal(err)
	}
	s, err := scene.Load(file)
	if err != nil {
		log.Fatal(err)
	}
	sum, err := scene.Run(context.Background(), s, scene.Options{Dir: filepath.Join(dir, "ball.out"), Workers: 1})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d steps to %.3f s: %d of %d bodies fell through the floor\n", sum.Steps, sum.Time, sum.Counts["below"], sum.Bodies)
	fmt.Printf("%.0f %% of its energy is left\n",
		100*(sum.Energies.Kinetic+sum.Energies.Potential)/sum.Energies.InitialPotential)
	// Output:
	// 1000 steps to 0.500 s: 0 of 1 bodies fell through the floor
	// 31 % of its energy is left
}
