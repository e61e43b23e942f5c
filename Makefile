# What a change has to pass; CONTRIBUTING.md says what each step finds. Needs Go, bash, and a C
# compiler for the race detector.

GO ?= go
STATICCHECK = $(GO) run honnef.co/go/tools/cmd/staticcheck@v0.8.2 # 2026.2.2
FUZZTIME ?= 30
# Pairs of make soak, what they are drawn from, and the block of 1000 to go on from.
SOAK ?= 100000000
SOAKSEED ?= 1
SOAKFROM ?= 0

# Every fuzz target, as package:name. make fuzz divides FUZZTIME seconds among them.
FUZZ = $(shell grep -rEo --include='*_test.go' '^func Fuzz[A-Za-z0-9_]+' . | sed -E 's|^(.*)/[^/]*:func (.*)$$|\1:\2|' | sort)

.PHONY: all check fmt vet staticcheck arch test purego invariants race fused fuzz soak soak-tests soak-physics soak-memory soak-broad soak-peers bench release

all: check

check: fmt vet staticcheck arch test purego invariants race fused fuzz

fmt:
	@bad=$$(gofmt -l .); if [ -n "$$bad" ]; then echo "gofmt -w these:"; echo "$$bad"; exit 1; fi

vet:
	$(GO) vet ./...
	GOARCH=arm64 $(GO) vet ./...

staticcheck:
	$(STATICCHECK) ./...

arch:
	$(GO) test -count=1 -run 'TestImportOrder|TestMathIsRounded|TestAssemblyIsAtHome|TestDocs' .

test:
	$(GO) test ./...

purego:
	$(GO) test -tags purego ./...

invariants:
	$(GO) test -short -tags invariants ./...

race:
	$(GO) test -short -race ./sched ./broad ./narrow/... ./overlap ./section ./force ./engine/...

fused:
	.ci/fused

# A target is fuzzed for its share of the time, and at least for a second.
fuzz:
	@set -e; n=$(words $(FUZZ)); share=$$(( $(FUZZTIME) / n )); [ $$share -ge 1 ] || share=1; \
	log=$$(mktemp); trap 'rm -f "$$log"' EXIT; \
	for t in $(FUZZ); do \
		echo "fuzz $$t $${share}s"; \
		$(GO) test -run '^$$' -fuzz "^$${t#*:}\$$" -fuzztime $${share}s "$${t%%:*}" >"$$log" 2>&1 || { cat "$$log"; exit 1; }; \
	done

# All methods of the narrow phase against the truth on as many pairs as one has time for; reports as it goes.
soak:
	$(GO) test -count=1 -timeout 0 -run '^TestAgreement$$' -v ./narrow -args -soak.pairs $(SOAK) -soak.seed $(SOAKSEED) -soak.from $(SOAKFROM)

# soak-tests runs every test at its full length: tests of random cases draw up to ten times as many.
soak-tests:
	SCREE_LONG=all SCREE_REQUIRE=all $(GO) test -count=1 -timeout 0 ./...

# Long runs with known answers under the law of thickness, and overlaps against exact arithmetic: about
# an hour on one core. STIFF=-soak.stiff adds stiff towers, which takes hours. OVERLAPS is how many.
OVERLAPS ?= 100000
soak-physics:
	$(GO) test -count=1 -timeout 0 -run '^TestSoak' -v . -args -soak.physics
	$(GO) test -count=1 -timeout 0 -run '^TestSoak' -v ./overlap -args -soak.overlaps $(OVERLAPS)
	$(GO) test -count=1 -timeout 0 -run '^TestFullAndDual' -v ./pairs -args -soak.overlaps $(OVERLAPS)
	$(GO) test -count=1 -timeout 0 -run '^TestSoak|^TestThicknessOnASlope' -v ./engine -args -soak.physics $(STIFF)
	$(GO) test -count=1 -timeout 0 -run '^TestDetectorComings' -v ./engine -args -soak.detector 1000000

# soak-memory sets up a million bodies, and lays their tiles anew, within 3 GiB.
soak-memory:
	$(GO) test -count=1 -timeout 0 -run '^TestMemoryOfCopies$$' -v ./bench -args -soak.copies

# soak-broad compares all neighbour searches with brute force on 10⁴ configurations and over 1000 frames of motion each.
soak-broad:
	$(GO) test -count=1 -timeout 0 -run '^TestConfigurations$$|^TestFrames$$' -v ./broad -args -soak

# soak-peers asks every library that studies are measured beside; of go test those that are quick to compile.
soak-peers:
	$(GO) test -count=1 -v ./bench/peers -args -soak

bench:
	$(GO) test -run '^$$' -bench . -benchtime 1x ./...

# Archives of the command for six platforms and their checksums, in release/VERSION: make release VERSION=v0.40.0
release:
	@$(GO) run ./internal/release '$(VERSION)'
