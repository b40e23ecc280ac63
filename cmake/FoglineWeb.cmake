# SPDX-License-Identifier: Apache-2.0
# The page of `fogline report`: TypeScript under web/, bundled by npm's lock file into one file that the program carries.
#
# Sources are copied into the build folder and built there, so that nothing is written beside them.
if(NOT FOGLINE_HAS_PAGE)
  return()
endif()

set(web_source "${PROJECT_SOURCE_DIR}/web")
set(web_build "${PROJECT_BINARY_DIR}/web")
set(web_packages "${web_source}/package.json" "${web_source}/package-lock.json" "${web_source}/.npmrc")
file(GLOB web_makers CONFIGURE_DEPENDS "${web_source}/*.mjs" "${web_source}/tsconfig.json")
file(GLOB_RECURSE web_files CONFIGURE_DEPENDS "${web_source}/src/*")
add_custom_command(
  OUTPUT "${web_build}/packages.stamp"
  COMMAND "${CMAKE_COMMAND}" -E copy ${web_packages} "${web_build}/"
  COMMAND "${FOGLINE_NPM}" ci --omit=dev --no-audit --no-fund --loglevel=error
  COMMAND "${CMAKE_COMMAND}" -E touch "${web_build}/packages.stamp"
  DEPENDS ${web_packages} WORKING_DIRECTORY "${web_build}" COMMENT "Fetching the report page's libraries" VERBATIM)
add_custom_command(
  OUTPUT "${web_build}/report.html"
  COMMAND "${CMAKE_COMMAND}" -E rm -rf "${web_build}/src"
  COMMAND "${CMAKE_COMMAND}" -E copy_directory "${web_source}/src" "${web_build}/src"
  COMMAND "${CMAKE_COMMAND}" -E copy ${web_makers} "${web_build}/"
  COMMAND "${FOGLINE_NODE}" build.mjs report.html
  DEPENDS "${web_build}/packages.stamp" ${web_files} ${web_makers}
  WORKING_DIRECTORY "${web_build}" COMMENT "Building the report page" VERBATIM)
file(MAKE_DIRECTORY "${web_build}")

set_source_files_properties(report/page_template.cpp PROPERTIES
  COMPILE_DEFINITIONS "FOGLINE_REPORT_PAGE=\"${web_build}/report.html\""
  OBJECT_DEPENDS "${web_build}/report.html"
  SKIP_PRECOMPILE_HEADERS ON)
