//go:build invariants

package invariants

// Enabled says whether the build carries expensive checks: it does.
const Enabled = true
