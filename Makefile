# The few commands people type; nothing else needs this file. `make` alone prints them.
#
#   make run      build, and serve the shipped games from this tree
#   make play     Where's The Dot in a window, beside `make run` or without a daemon
#   make check    build, tests without a daemon, lint: two minutes where only an edit is to be built
#   make test     everything a change must pass; the last line says what was skipped
#   make test-long   many kills, soaks, three hosts: before a release and after a change of the store
#   make test-fleet  three hosts on one PostgreSQL, in network namespaces, as root, also under random faults: some twelve minutes; part of test-long
#   make test-soak   ten games in five languages play on over fifty deaths of their daemon; part of test-long
#   make lint     formatting, prose and shell scripts
#   make bench    the figures of Tests/Benchmarks, beside nginx, Redis, SQLite, libpq and two rule evaluators: half an hour
#   make counts   allocations and instructions of an exchange on a release build, held against Tests/Benchmarks/Counts; part of bench and test-long
#   make docs     the guides and decisions as static pages in .build/docs
#   make install  build a release and install it: DESTDIR= PREFIX=/usr/local
#   make deb      a Debian package in .build/deb

PREFIX ?= /usr/local
DESTDIR ?=
SCRATCH ?= .build
SWIFT_BUILD = swift build --scratch-path $(SCRATCH)
# Nothing looks symbols up in the programs: without a table of all of them each is 2.7 MB smaller. Overlapping accesses are looked for in
# debug builds, which the tests run on: record 0018.
RELEASE = $(SWIFT_BUILD) -c release --static-swift-stdlib -Xlinker --no-export-dynamic -Xswiftc -enforce-exclusivity=unchecked

.PHONY: help run play check test test-long test-fleet test-soak lint bench counts docs install deb release
.DEFAULT_GOAL := help

help:
	@sed -n 's/^#   \(make\)/  \1/p' Makefile

run:
	@.ci/install-packages libsystemd-dev libsqlite3-dev zlib1g-dev libcurl4-openssl-dev libssl-dev pkg-config:pkg-config
	$(SWIFT_BUILD)
	@.ci/serve "$$($(SWIFT_BUILD) --show-bin-path)"

play:
	@SCRATCH=$(SCRATCH) .ci/play

check:
	@SCRATCH=$(SCRATCH) .ci/check

test:
	@SCRATCH=$(SCRATCH) .ci/test

test-long:
	@SCRATCH=$(SCRATCH) .ci/test-long

test-fleet:
	@.ci/install-packages libsystemd-dev libsqlite3-dev zlib1g-dev libcurl4-openssl-dev libssl-dev pkg-config:pkg-config
	@.ci/install-packages iproute2:ip python3 libpq5
	@.ci/install-packages --without-services postgresql
	$(SWIFT_BUILD) --product gameconfd
	python3 Tests/System/fleet.py --programs "$$($(SWIFT_BUILD) --show-bin-path)"

test-soak:
	@.ci/install-packages libsystemd-dev libsqlite3-dev zlib1g-dev libcurl4-openssl-dev libssl-dev pkg-config:pkg-config
	$(SWIFT_BUILD)
	@SCRATCH=$(SCRATCH) Tests/Clients/soak/run --kills 50 --timed

lint:
	@.ci/lint

bench:
	@.ci/install-packages libsystemd-dev libsqlite3-dev zlib1g-dev libcurl4-openssl-dev libssl-dev pkg-config:pkg-config
	@.ci/install-packages --without-services nginx-light:nginx redis-server:redis-server
	@.ci/install-packages --without-services postgresql || true
	@.ci/install-packages python3-venv libpq5 valgrind:valgrind
	@.ci/bench-peers Tests/Benchmarks/.build/peers
	@$(MAKE) release
	@.ci/bench "$$($(RELEASE) --show-bin-path)"

counts:
	@.ci/install-packages libsystemd-dev libsqlite3-dev zlib1g-dev libcurl4-openssl-dev libssl-dev pkg-config:pkg-config valgrind:valgrind
	$(RELEASE) --product gameconfd
	Tests/Benchmarks/Counts/run "$$($(RELEASE) --show-bin-path)/gameconfd" Defaults

# docc comes with the Swift toolchain.
docs:
	@mkdir -p .build
	.ci/docc .build/docs
	@echo "open .build/docs/documentation/gameconfd/index.html by any web server: python3 -m http.server -d .build/docs 8000"

release:
	@.ci/install-packages libsystemd-dev libsqlite3-dev zlib1g-dev libcurl4-openssl-dev libssl-dev pkg-config:pkg-config
	$(RELEASE) --product gameconfd
	$(RELEASE) --product gameconfctl
	$(RELEASE) --product gameconf-fetch
	systemd/one-program "$$($(RELEASE) --show-bin-path)"

install: release
	systemd/install "$$($(RELEASE) --show-bin-path)" "$(DESTDIR)" "$(PREFIX)"

deb: release
	systemd/debian/build "$$($(RELEASE) --show-bin-path)" .build/deb
