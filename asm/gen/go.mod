module github.com/scree-dem/scree/asm/gen

go 1.26.0

require (
	github.com/mmcloughlin/avo v0.6.0
	github.com/scree-dem/scree v0.0.0
)

require (
	github.com/klauspost/cpuid/v2 v2.4.2 // indirect
	golang.org/x/mod v0.42.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/tools v0.52.0 // indirect; raises what avo asks for: that does not build with this Go
)

replace github.com/scree-dem/scree => ../..
