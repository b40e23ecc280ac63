# SPDX-License-Identifier: Apache-2.0
# fogline_room(NAME rooms-below... LIBS libraries...)
#
# One room of the house: every x.cpp of src/NAME becomes the library fogline_NAME, every x_test.cpp the program
# NAME_tests. A room links only the rooms it names, so an upward call does not link (and an upward include fails
# tools/check_includes).
include(GoogleTest)

# fogline_join_tests(NAME variable)
#
# Replaces the tests listed in the variable by a few sources that hold up to ten of them each. Most of the time a test
# takes to compile goes into templates that its neighbours use too (GoogleTest, RapidCheck, containers), and sanitizers
# double it. For builds that are made once and run; where people edit tests, each is compiled alone.
#
# Each test keeps its helpers to itself: its nameless namespace gets the file's name, so two tests may still call a
# helper the same. Messages and sanitizer reports name the true file and line.
function(fogline_join_tests name variable)
  set(left ${${variable}})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${left})
  list(LENGTH left count)
  math(EXPR files "(${count} + 9) / 10")
  math(EXPR each "(${count} + ${files} - 1) / ${files}")
  set(result "")
  while(left)
    list(SUBLIST left 0 ${each} some)
    list(REMOVE_ITEM left ${some})
    set(joined "")
    foreach(test ${some})
      get_filename_component(test_name "${test}" NAME_WE)
      file(READ "${test}" text)
      string(REPLACE "\nnamespace {\n" "\nnamespace ${test_name} {\n" text "${text}")
      string(APPEND joined "#line 1 \"${test}\"\n${text}")
    endforeach()
    list(LENGTH result number)
    set(file "${PROJECT_BINARY_DIR}/generated/joined/${name}_${number}_tests.cpp")
    set(before "")
    if(EXISTS "${file}")
      file(READ "${file}" before)
    endif()
    # Written only when it changes, so that configuring again compiles nothing again.
    if(NOT before STREQUAL joined)
      file(WRITE "${file}" "${joined}")
    endif()
    list(APPEND result "${file}")
  endwhile()
  set(${variable} ${result} PARENT_SCOPE)
endfunction()

# FOGLINE_SOURCE says where the real data lies, when it is there; the tests say "skipped" otherwise. A sanitized program takes longer to start than
# most of its tests to run, so it runs them in a few parts instead of one by one. It tries properties on fewer examples: what they say is tested in the plain build.
function(fogline_add_tests name)
  if(NOT FOGLINE_SANITIZE)
    gtest_discover_tests(${name}_tests TEST_PREFIX "${name}." DISCOVERY_TIMEOUT 60
                         PROPERTIES ENVIRONMENT "FOGLINE_SOURCE=${PROJECT_SOURCE_DIR}" TIMEOUT 300)
    return()
  endif()
  set(parts 4)
  foreach(part RANGE 1 ${parts})
    math(EXPR index "${part} - 1")
    add_test(NAME "${name}.part_${part}" COMMAND ${name}_tests --gtest_brief=1)
    set_tests_properties("${name}.part_${part}" PROPERTIES TIMEOUT 900
      ENVIRONMENT "FOGLINE_SOURCE=${PROJECT_SOURCE_DIR};GTEST_TOTAL_SHARDS=${parts};GTEST_SHARD_INDEX=${index};RC_PARAMS=max_success=30")
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
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp")
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "(_test|/main)\\.cpp$")
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")

  if(NOT sources)
    return()
  endif()
  add_library(fogline_${name} STATIC ${sources})
  target_include_directories(fogline_${name} PUBLIC "${CMAKE_CURRENT_SOURCE_DIR}")
  foreach(below ${ARG_UNPARSED_ARGUMENTS})
    if(TARGET fogline_${below})
      target_link_libraries(fogline_${name} PUBLIC fogline_${below})
    endif()
  endforeach()
  target_link_libraries(fogline_${name} PUBLIC ${ARG_LIBS} PRIVATE fogline_flags)
  if(FOGLINE_JOIN)
    # Headers are read and templates made once for ten sources. Helpers of one room keep different names for it.
    set_target_properties(fogline_${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 10)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      # The joined source includes the others, so GCC takes them for headers, in which a private class must not use helpers of one source.
      target_compile_options(fogline_${name} PRIVATE -Wno-subobject-linkage)
    endif()
  endif()
  if(name MATCHES "^(cli|report)$")
    # They put words together and wait for the other rooms; optimising them fully takes a fifth of the whole build.
    target_compile_options(fogline_${name} PRIVATE $<IF:$<BOOL:${FOGLINE_SANITIZE}>,-O0,-O1>)
  endif()
  if(FOGLINE_FUZZ)
    fogline_guide_fuzzers(${name} ${sources})
  endif()
  set_property(GLOBAL APPEND PROPERTY FOGLINE_ROOMS ${name})
  list(LENGTH sources source_count)
  if(FOGLINE_PRECOMPILE AND source_count GREATER 6)
    target_precompile_headers(fogline_${name} PRIVATE
      <algorithm> <array> <cmath> <cstdint> <functional> <map> <memory> <optional> <set> <span> <string> <string_view>
      <utility> <vector> <fmt/format.h> <nlohmann/json.hpp>)
  endif()

  if(FOGLINE_TESTS AND tests)
    if(FOGLINE_JOIN)
      fogline_join_tests(${name} tests)
    endif()
    add_executable(${name}_tests ${tests})
    target_include_directories(${name}_tests SYSTEM PRIVATE "${RAPIDCHECK_INCLUDE_DIR}")
    target_link_libraries(${name}_tests PRIVATE fogline_${name} fogline_flags GTest::gmock GTest::gtest_main
                          "${RAPIDCHECK_LIBRARY}")
    # Tests run once; the rooms themselves stay as optimised as the build says, for the time their tests take. With
    # sanitizers -O0 compiles in a third of the time of -Og and is checked as closely.
    target_compile_options(${name}_tests PRIVATE $<IF:$<BOOL:${FOGLINE_SANITIZE}>,-O0,-O1>)
    fogline_add_tests(${name})
  endif()
endfunction()
