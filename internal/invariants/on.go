//go:build invariants

package invariants

// Enabled reports whether the build carries expensive checks: it does.
const Enabled = true
