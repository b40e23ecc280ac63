# SPDX-License-Identifier: Apache-2.0
# fogline_room(NAME rooms-below... LIBS libraries...)
#
# One room of the house: every x.cpp of src/NAME becomes the library fogline_NAME, every x_test.cpp the program
# NAME_tests. A room links only the rooms it names, so an upward call does not link (and an upward include fails
# tools/check_includes).
include(GoogleTest)

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
  set_property(GLOBAL APPEND PROPERTY FOGLINE_ROOMS ${name})

  if(FOGLINE_TESTS AND tests)
    add_executable(${name}_tests ${tests})
    target_include_directories(${name}_tests SYSTEM PRIVATE "${RAPIDCHECK_INCLUDE_DIR}")
    target_link_libraries(${name}_tests PRIVATE fogline_${name} fogline_flags GTest::gmock GTest::gtest_main
                          "${RAPIDCHECK_LIBRARY}")
    # Where the real data lies, when it is there; the tests say "skipped" otherwise.
    gtest_discover_tests(${name}_tests TEST_PREFIX "${name}." DISCOVERY_TIMEOUT 60
                         PROPERTIES ENVIRONMENT "FOGLINE_SOURCE=${PROJECT_SOURCE_DIR}" TIMEOUT 300)
  endif()
endfunction()
