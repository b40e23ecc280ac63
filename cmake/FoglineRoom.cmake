# SPDX-License-Identifier: Apache-2.0
# fogline_room(NAME rooms-below... LIBS libraries...)
#
# One room of the house: every x.cpp of src/NAME becomes the library fogline_NAME, every x_test.cpp the program
# NAME_tests. A room links only the rooms it names, so an upward call does not link (and an upward include fails
# tools/check_includes).
include(GoogleTest)

# For what is compiled and hardly runs. With sanitizers -O0 compiles in a third of the time of -Og and is checked as closely.
set(FOGLINE_LIGHTLY -O1)
if(FOGLINE_SANITIZE)
  set(FOGLINE_LIGHTLY -O0)
endif()

# fogline_join(TARGET)
#
# Compiles up to ten of the target's sources as one: headers are read and templates made once for ten, which halves the
# time, and sanitizers double it. For builds that are made once and run; where people edit, each is compiled alone.
# Helpers of one room keep different names for it; those of a test stand in a namespace called as the test.
function(fogline_join target)
  if(NOT FOGLINE_JOIN)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 10)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # The joined source includes the others, so GCC takes them for headers, in which a private class must not use helpers of one source.
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
  endif()
endfunction()

# FOGLINE_SOURCE says where the real data lies, when it is there; the tests say "skipped" otherwise. A sanitized program
# takes longer to start than most of its tests to run, so it runs them in a few parts instead of one by one. It tries
# properties on fewer examples: what they say is tested in the plain build.
function(fogline_add_tests name)
  set(environment "FOGLINE_SOURCE=${PROJECT_SOURCE_DIR}")
  if(NOT FOGLINE_SANITIZE)
    gtest_discover_tests(${name}_tests TEST_PREFIX "${name}." DISCOVERY_TIMEOUT 60
                         PROPERTIES ENVIRONMENT "${environment}" TIMEOUT 300)
    return()
  endif()
  set(parts 4)
  list(APPEND environment RC_PARAMS=max_success=30)
  if(FOGLINE_SANITIZE STREQUAL "thread")
    set(parts 1)
    list(APPEND environment "TSAN_OPTIONS=halt_on_error=1:suppressions=${PROJECT_SOURCE_DIR}/cmake/thread_suppressions.txt")
  endif()
  # What does the same many thousand times, for minutes, stands apart: tools/sanitized_tests tries some of it. Threads can
  # do without.
  set(statistics "")
  if(name STREQUAL "audit")
    set(statistics SelfTest. Published. Falsifier. TracesAudit.)
  elseif(name STREQUAL "traces")
    set(statistics Synthesise.Makes)
  endif()
  list(TRANSFORM statistics APPEND "*" OUTPUT_VARIABLE filters)
  list(JOIN filters ":" apart)
  if(FOGLINE_SANITIZE STREQUAL "thread")
    set(statistics "")
  endif()
  foreach(beginning ${statistics})
    string(REGEX REPLACE "\\.$" "" test "${name}.${beginning}")
    add_test(NAME "${test}" COMMAND ${name}_tests --gtest_brief=1 "--gtest_filter=${beginning}*")
    set_tests_properties("${test}" PROPERTIES TIMEOUT 900 COST 50 LABELS statistics ENVIRONMENT "${environment}")
  endforeach()
  foreach(part RANGE 1 ${parts})
    math(EXPR index "${part} - 1")
    add_test(NAME "${name}.part_${part}" COMMAND ${name}_tests --gtest_brief=1 "--gtest_filter=-${apart}")
    set_tests_properties("${name}.part_${part}" PROPERTIES TIMEOUT 900
      ENVIRONMENT "${environment};GTEST_TOTAL_SHARDS=${parts};GTEST_SHARD_INDEX=${index}")
  endforeach()
endfunction()

# fogline_guide_fuzzers(NAME sources...)
#
# Lets fuzzers see which branches of the readers they reach. Rooms of files are seen as a whole, others where they read: what a fuzzer cannot
# reach would only run slower for it.
function(fogline_guide_fuzzers name)
  if(name MATCHES "^(base|io|privacy|roads|mobility)$")
    target_compile_options(fogline_${name} PRIVATE -fsanitize=fuzzer-no-link)
    return()
  endif()
  set(readers ${ARGN})
  list(FILTER readers INCLUDE REGEX "/([a-z_]*_(file|text|state|json|csv|parameters)|[a-z_]*terms|recompute[a-z_]*|groups|order|policy|public_stream)\\.cpp$")
  if(readers)
    set_source_files_properties(${readers} PROPERTIES COMPILE_OPTIONS -fsanitize=fuzzer-no-link SKIP_PRECOMPILE_HEADERS ON)
  endif()
endfunction()

function(fogline_room name)
  cmake_parse_arguments(ARG "" "" "LIBS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp")
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "(_test|/main)\\.cpp$")
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  if(FOGLINE_TESTS_LIKE)
    list(FILTER tests INCLUDE REGEX "${FOGLINE_TESTS_LIKE}")
  endif()

  if(NOT sources)
    return()
  endif()
  add_library(fogline_${name} STATIC ${sources})
  target_include_directories(fogline_${name} PUBLIC "${CMAKE_CURRENT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/include")
  foreach(below ${ARG_UNPARSED_ARGUMENTS})
    if(TARGET fogline_${below})
      target_link_libraries(fogline_${name} PUBLIC fogline_${below})
    endif()
  endforeach()
  target_link_libraries(fogline_${name} PUBLIC ${ARG_LIBS} PRIVATE fogline_flags)
  fogline_join(fogline_${name})
  if(name MATCHES "^(cli|report)$")
    # They put words together and wait for the other rooms; optimising them fully takes a fifth of the whole build.
    target_compile_options(fogline_${name} PRIVATE ${FOGLINE_LIGHTLY})
  endif()
  if(FOGLINE_FUZZ)
    fogline_guide_fuzzers(${name} ${sources})
  endif()
  set_property(GLOBAL APPEND PROPERTY FOGLINE_ROOMS ${name})
  set_property(GLOBAL APPEND PROPERTY FOGLINE_LIBS ${ARG_LIBS})
  list(LENGTH sources source_count)
  if(FOGLINE_PRECOMPILE AND source_count GREATER 6)
    target_precompile_headers(fogline_${name} PRIVATE
      <algorithm> <array> <cmath> <cstdint> <functional> <map> <memory> <optional> <set> <span> <string> <string_view>
      <utility> <vector> <fmt/format.h> <nlohmann/json.hpp>)
  endif()

  if(FOGLINE_TESTS AND tests)
    add_executable(${name}_tests ${tests})
    fogline_join(${name}_tests)
    target_include_directories(${name}_tests SYSTEM PRIVATE "${RAPIDCHECK_INCLUDE_DIR}")
    target_link_libraries(${name}_tests PRIVATE fogline_libm fogline_${name} fogline_flags fogline_test_main GTest::gmock
                          "${RAPIDCHECK_LIBRARY}")
    # Tests run once; the rooms themselves stay as optimised as the build says, for the time their tests take.
    target_compile_options(${name}_tests PRIVATE ${FOGLINE_LIGHTLY})
    fogline_add_tests(${name})
    if(NOT TARGET unit_tests)
      add_custom_target(unit_tests)
    endif()
    add_dependencies(unit_tests ${name}_tests)
  endif()
endfunction()
