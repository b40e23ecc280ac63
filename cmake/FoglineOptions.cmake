# SPDX-License-Identifier: Apache-2.0
# Switches of the build, and the flags every target is compiled with.

option(FOGLINE_TESTS "build the tests" ON)
set(FOGLINE_TESTS_LIKE "" CACHE STRING "of the tests, only those beside sources whose path matches this regular expression")
option(FOGLINE_JOIN "compile several sources as one, in half the time; for builds that are made once" OFF)
option(FOGLINE_PRECOMPILE "read the largest headers once for each room (pays with clang)" OFF)
option(FOGLINE_BENCH "build the benchmarks" OFF)
option(FOGLINE_FUZZ "build the fuzzers (needs clang)" OFF)
set(FOGLINE_SANITIZE "" CACHE STRING "sanitizers, as compilers call them: address,undefined or thread")
option(FOGLINE_INSTALL "install rules and packaging" ON)
set(FOGLINE_WEB AUTO CACHE STRING "the page of fogline report, which needs node and npm: ON, OFF, or AUTO (if both are there)")
set_property(CACHE FOGLINE_WEB PROPERTY STRINGS AUTO ON OFF)
set(FOGLINE_POSTGRES AUTO CACHE STRING "anchors of ledgers in PostgreSQL, which need libpq: ON, OFF, or AUTO (if it is there)")
set_property(CACHE FOGLINE_POSTGRES PROPERTY STRINGS AUTO ON OFF)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CCACHE}")
endif()

add_library(fogline_flags INTERFACE)
target_compile_options(fogline_flags INTERFACE
  -Wall -Wextra -Wpedantic -Werror -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor
  -Wold-style-cast -Woverloaded-virtual -Wcast-qual -Wformat=2 -Wimplicit-fallthrough
  # The same sums on every machine: no fused multiply-add where the processor happens to have one.
  -ffp-contract=off)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 sees overlapping copies inside std::string::insert and operator+ at -O2 where there are none (GCC bug
  # 105651, mended in 13); the warning would hit correct code only.
  target_compile_options(fogline_flags INTERFACE -Wno-restrict)
endif()
if(FOGLINE_JOIN AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # Clang minds parameters that are called like a helper of another source; names within one source are GCC's to check.
  target_compile_options(fogline_flags INTERFACE -Wno-shadow)
endif()
if(FOGLINE_SANITIZE)
  # A sanitizer report ends the program, so a test cannot pass over it.
  target_compile_options(fogline_flags INTERFACE
    -fsanitize=${FOGLINE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(fogline_flags INTERFACE -fsanitize=${FOGLINE_SANITIZE})
  if(FOGLINE_SANITIZE STREQUAL "thread")
    target_compile_definitions(fogline_flags INTERFACE FOGLINE_SEES_THREADS)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    target_compile_options(fogline_flags INTERFACE
      "-fsanitize-ignorelist=${PROJECT_SOURCE_DIR}/cmake/sanitizer_ignore.txt")
  endif()
endif()
