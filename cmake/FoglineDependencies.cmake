# SPDX-License-Identifier: Apache-2.0
# The libraries we stand on; docs/dependencies.md gives the reason for each.

find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(TBB REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(PROJ REQUIRED)
find_package(EXPAT REQUIRED)
find_package(ZLIB REQUIRED)
find_package(BZip2 REQUIRED)
find_package(Boost 1.74 REQUIRED)
find_package(Qhull REQUIRED)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(PkgConfig REQUIRED)
pkg_check_modules(SODIUM REQUIRED IMPORTED_TARGET libsodium)
pkg_check_modules(CLP REQUIRED IMPORTED_TARGET clp)
find_path(OSMIUM_INCLUDE_DIR osmium/version.hpp REQUIRED)
find_path(NANOFLANN_INCLUDE_DIR nanoflann.hpp REQUIRED)
find_path(CLI11_INCLUDE_DIR CLI/CLI.hpp REQUIRED)
# Reports alone need these; everything else builds and works without (cmake/FoglineWeb.cmake).
set(FOGLINE_HAS_PAGE OFF)
if(FOGLINE_WEB)
  find_program(FOGLINE_NODE node)
  find_program(FOGLINE_NPM npm)
  if(FOGLINE_NODE AND FOGLINE_NPM)
    set(FOGLINE_HAS_PAGE ON)
  elseif(FOGLINE_WEB STREQUAL "AUTO")
    message(WARNING "node or npm is missing, so fogline report will not work; tools/setup build installs both")
  else()
    message(FATAL_ERROR "fogline report needs node and npm to be built: run tools/setup build, or configure with "
                        "-DFOGLINE_WEB=OFF to do without reports")
  endif()
endif()
if(FOGLINE_TESTS)
  find_package(GTest REQUIRED)
  find_path(RAPIDCHECK_INCLUDE_DIR rapidcheck.h REQUIRED)
  find_library(RAPIDCHECK_LIBRARY rapidcheck REQUIRED)
endif()
if(FOGLINE_BENCH)
  find_package(benchmark REQUIRED)
endif()

# Eigen with the settings that are part of its layout and of its sums. Whoever includes Eigen, here or in a program that uses
# the installed package, gets it through this target, so that both sides of a call see the same types.
#   EIGEN_MAX_ALIGN_BYTES  rows of eight numbers (kernel/widest.hpp) begin where the widest registers read them fastest
#   EIGEN_NO_CPUID         the sizes of a processor's caches do not choose the order of sums
add_library(fogline_eigen INTERFACE)
set_target_properties(fogline_eigen PROPERTIES EXPORT_NAME eigen)
target_compile_definitions(fogline_eigen INTERFACE EIGEN_MAX_ALIGN_BYTES=64 EIGEN_NO_CPUID)
target_link_libraries(fogline_eigen INTERFACE Eigen3::Eigen)
