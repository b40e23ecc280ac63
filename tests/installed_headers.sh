#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Compiles every header of an installed Fogline, a room at a time, with what its CMake package asks for and nothing else:
#   tests/installed_headers.sh PREFIX
# That each stands alone is tools/check_headers' to show; here the package must name every library and setting they need.
set -euo pipefail
prefix=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$prefix/include"
for room in fogline/*/; do
  find "$room" -name '*.hpp' | LC_ALL=C sort | sed 's|//*|/|g; s|.*|#include <&>|' > "$folder/$(basename "$room").cpp"
done
# Eigen's layout is the library's own.
cat > "$folder/eigen_layout.cpp" <<'END'
#include <Eigen/Core>
static_assert(EIGEN_MAX_ALIGN_BYTES == 64);
#ifndef EIGEN_NO_CPUID
#error "the sizes of a processor's caches choose the order of sums"
#endif
END
cat > "$folder/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(installed_headers LANGUAGES CXX)
find_package(fogline REQUIRED)
find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CCACHE}")
endif()
file(GLOB sources *.cpp)
add_library(headers OBJECT ${sources})
target_link_libraries(headers PRIVATE fogline::fogline)
END
export CCACHE_NOHASHDIR=1
cmake -S "$folder" -B "$folder/build" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" > "$folder/log" || { cat "$folder/log"; exit 1; }
cmake --build "$folder/build" -- -k 0 ${JOBS:+-j"$JOBS"} > "$folder/log" || { grep -E "FAILED|error" "$folder/log"; exit 1; }
echo "all $(grep -h "#include <fogline/" "$folder"/*.cpp | wc -l) installed headers compile"
