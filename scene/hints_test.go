package scene

import (
	"strings"
	"testing"
)

// TestHints: the words of other programs are answered by what stands for them.
func TestHints(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"friction = 0.4", "mu = 0.4", `law.mu: unknown key "mu", expected friction in [law]`},
		{"stiffness = 2e5", "k_n = 2e5", `law.k_n: unknown key "k_n", expected stiffness in [law]`},
		{"stiffness = 2e5", "youngsModulus = 2e5", "expected modulus with area_exponent = 0.5"},
		{"restitution = 0.5", "e = 0.5", "expected restitution in [law]"},
		{"density = 2600", "E = 1e9", "expected modulus"},
		{"density = 2600", "density = 2600\nfriction = 0.4", "materials.rock.friction: unknown key \"friction\", expected friction in [law], or in [[law.pair]]"},
		{"stiffness = 2e5", "normal = \"hertz\"", `found "hertz", expected thickness or linear: under "thickness", modulus and area_exponent = 0.5`},
		{"stiffness = 2e5", "model = \"linear\"", `expected normal = "thickness" or "linear"`},
		{"ball:0.1", "sphere:0.1", `found "sphere:0.1", expected ball:R`},
		{"seed = 3", "gravity = [0, 0, -9.81]", "gravity: found [0 0 -9.81], expected a table [gravity] with vector = [x, y, z]"},
		{"seed = 3", "[[clumps]]", `expected [shapes.NAME] with pieces, files, or file and parts`},
		{"seed = 3", "[[particles]]", "expected [[bodies]]"},
		{"dt = 5e-4", "time_step = 5e-4", "expected dt in [time]"},
		{"velocity = [0, 0, -1]", "omega = [0, 0, 1]", "expected spin = [x, y, z] in rad/s"},
		{"normal = [0, 0, 1]}", "normal = [0, 0, 1]}\nvelocity = [0, 0, 1]", "expected motion = { velocity"},
		{"density = 2600", "density = 2600 kg", "a number has no unit"},
	} {
		if _, err := Load(write(t, replaced(t, c.old, c.new), nil)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, expected %s", c.new, err, c.want)
		}
	}
}

// TestHintsHideNoKey: no hint is for a key that the format has, and hints are written as they are looked up.
func TestHintsHideNoKey(t *testing.T) {
	known := map[string]bool{}
	for _, table := range KeyTables() {
		for _, row := range table.Rows {
			known[strings.TrimPrefix(withoutNumbers(strings.Trim(table.Name, "[]"))+"."+row.Key, ".")] = true
		}
	}
	for key := range hints {
		plain := strings.TrimPrefix(key, ".")
		if strings.Contains(key, ".") && known[plain] || key != "E" && key != strings.ReplaceAll(strings.ToLower(key), "_", "") {
			t.Errorf("the hint for %q is never given", key)
		}
	}
}
