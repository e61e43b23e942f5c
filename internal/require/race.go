//go:build race

package require

const race = true
