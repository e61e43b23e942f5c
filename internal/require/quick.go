package require

import "testing"

// Quick says whether a test does only its short share: with -short, and under the race detector. That looks at memory and
// not at numbers, and takes ten times as long.
func Quick() bool { return testing.Short() || race }
