//go:build race

package sched

// raceEnabled makes the long tests shorter: each atomic operation takes some 50 times as long.
const raceEnabled = true
