# SPDX-License-Identifier: Apache-2.0
# The two commands most people need are `make demo` and `make test`. Each installs what is missing, builds, and runs.

PREFIX ?= /usr/local
DESTDIR ?=
BUILD_JOBS ?= $(shell nproc)
# ON, OFF or AUTO: the page of fogline report, which needs node and npm
FOGLINE_WEB ?= AUTO
export FOGLINE_WEB

.PHONY: help demo serve-demo test build dev release python sanitize threads bench fuzz format check install package clean

help:
	@echo "make demo      install what is missing, build, and run the main job end to end on data it makes itself"
	@echo "make serve-demo  the same for the service: start it on the sample city and ask it as an app would, with curl"
	@echo "make test      install what is missing, build what release builds and its tests, and run every test"
	@echo "make dev       build for editing: light optimisation, assertions on (then: ctest --preset dev)"
	@echo "make release   build build/release/fogline"
	@echo "make python    build the Python package's wheel and test it in a fresh virtual environment"
	@echo "make install   put program, library, headers and man pages under PREFIX (default /usr/local)"
	@echo "make package   make a Debian package in build/package"
	@echo "make sanitize  every test under address and undefined-behaviour sanitizers"
	@echo "make threads   the tests of what runs on several threads, under the thread sanitizer"
	@echo "make bench     measure the speed figures of docs/results"
	@echo "make fuzz      run every reader's fuzzer for a while"
	@echo "make format    format the sources"
	@echo "make check     everything that must hold before a change lands (.ci/run)"

demo: release
	@build/release/fogline demo -o demo

serve-demo: release
	@tools/serve_demo

test:
	@tools/setup test
	@cmake --preset test -DFOGLINE_WEB=$(FOGLINE_WEB)
	@cmake --build --preset test -j $(BUILD_JOBS)
	@ctest --preset test

release:
	@tools/setup build
	@cmake --preset release -DFOGLINE_WEB=$(FOGLINE_WEB)
	@cmake --build --preset release -j $(BUILD_JOBS)

dev:
	@tools/setup test
	@cmake --preset dev -DFOGLINE_WEB=$(FOGLINE_WEB)
	@cmake --build --preset dev -j $(BUILD_JOBS)

python: release
	@tools/setup python
	@tools/python_wheel

sanitize:
	@tools/setup check
	@cmake --preset sanitize
	@CMAKE_BUILD_PARALLEL_LEVEL=$(BUILD_JOBS) tools/sanitized_tests sanitize $(if $(SAMPLE),--sample $(SAMPLE))

threads:
	@tools/setup check
	@cmake --preset threads
	@CMAKE_BUILD_PARALLEL_LEVEL=$(BUILD_JOBS) tools/sanitized_tests threads $(if $(SAMPLE),--sample $(SAMPLE))

bench:
	@tools/setup check
	@cmake --preset bench
	@cmake --build --preset bench -j $(BUILD_JOBS)
	@tools/bench

fuzz:
	@tools/setup check
	@tools/fuzz

format:
	@tools/setup check
	@git ls-files '*.cpp' '*.hpp' | xargs clang-format-16 -i

check:
	@.ci/run

install: release
	@DESTDIR="$(DESTDIR)" cmake --install build/release --prefix "$(PREFIX)" --strip >/dev/null
	@echo "installed under $(DESTDIR)$(PREFIX)"

package: release
	@tools/setup package
	@cd build/release && cpack -G DEB -B ../package
	@ls build/package/*.deb

clean:
	rm -rf build demo serve-demo
