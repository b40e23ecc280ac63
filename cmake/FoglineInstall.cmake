# SPDX-License-Identifier: Apache-2.0
# What `make install` puts in place, and the Debian package.
include(CMakePackageConfigHelpers)

# One library of all rooms but the program's.
get_property(rooms GLOBAL PROPERTY FOGLINE_ROOMS)
list(REMOVE_ITEM rooms cli)
list(TRANSFORM rooms REPLACE "(.+)" "$<TARGET_OBJECTS:fogline_\\1>" OUTPUT_VARIABLE objects)
add_library(fogline_library STATIC ${objects})
set_target_properties(fogline_library PROPERTIES OUTPUT_NAME fogline EXPORT_NAME fogline)
target_compile_features(fogline_library INTERFACE cxx_std_20)
target_include_directories(fogline_library INTERFACE "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
# Every library that a room names, so that none is forgotten here; foglineConfig.cmake.in finds them. Who uses the library links them, and compiles
# against none of them: the public headers know the standard library only.
get_property(libs GLOBAL PROPERTY FOGLINE_LIBS)
list(REMOVE_DUPLICATES libs)
target_link_libraries(fogline_library PRIVATE ${libs})

install(TARGETS fogline_library fogline_eigen EXPORT fogline ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev)
install(EXPORT fogline NAMESPACE fogline:: FILE foglineTargets.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/fogline COMPONENT dev)
configure_package_config_file(cmake/foglineConfig.cmake.in "${PROJECT_BINARY_DIR}/foglineConfig.cmake"
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/fogline)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/foglineConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/foglineConfig.cmake" "${PROJECT_BINARY_DIR}/foglineConfigVersion.cmake"
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/fogline COMPONENT dev)
install(DIRECTORY include/fogline DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev FILES_MATCHING PATTERN "*.hpp")

# Man pages and completion come out of the program itself.
set(generated "${PROJECT_BINARY_DIR}/generated")
add_custom_command(
  OUTPUT "${generated}/man/fogline.1" "${generated}/fogline.bash" "${generated}/fogline.fish" "${generated}/_fogline"
  COMMAND fogline_program manual --folder "${generated}/man" --quiet
  COMMAND fogline_program completion bash > "${generated}/fogline.bash"
  COMMAND fogline_program completion fish > "${generated}/fogline.fish"
  COMMAND fogline_program completion zsh > "${generated}/_fogline"
  DEPENDS fogline_program
  COMMENT "Writing man pages and completion")
add_custom_target(fogline_generated ALL DEPENDS "${generated}/man/fogline.1" "${generated}/fogline.bash")
install(TARGETS fogline_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT runtime)
install(DIRECTORY "${generated}/man/" DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT runtime)
install(FILES "${generated}/fogline.bash" DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
        RENAME fogline COMPONENT runtime)
install(FILES "${generated}/fogline.fish" DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT runtime)
install(FILES "${generated}/_fogline" DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT runtime)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT runtime)
install(FILES README.md LICENSE SECURITY.md LIMITATIONS.md CONTRIBUTING.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT runtime)

# The Debian package holds the program; the library is for those who build from source.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "Fogline maintainers <maintainers@fogline.invalid>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL runtime)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME fogline)
set(CPACK_DEBIAN_RUNTIME_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "positions on road networks under differential privacy")
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION
    "Releases private positions with a proved guarantee, a statement that says\nwhat is promised, and a ledger that records what was spent.")
include(CPack)
