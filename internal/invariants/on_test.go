//go:build invariants

package invariants

func init() { taggedOn = true }
