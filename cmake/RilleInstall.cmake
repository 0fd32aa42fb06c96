# cmake --install: library, headers, command, robots, pkg-config file and CMake package.
include(CMakePackageConfigHelpers)
install(TARGETS librille EXPORT rille-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET rille_command)
  install(TARGETS rille_command DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(DIRECTORY include/rille DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(DIRECTORY robots DESTINATION ${CMAKE_INSTALL_DATADIR}/rille)
install(EXPORT rille-targets NAMESPACE rille:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/rille)
set(RILLE_NEEDS_ASSIMP ${ASSIMP_FOUND})
configure_package_config_file(cmake/rille-config.cmake.in ${CMAKE_BINARY_DIR}/rille-config.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/rille)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/rille-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/rille-config.cmake ${CMAKE_BINARY_DIR}/rille-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/rille)
set(RILLE_PC_PRIVATE "expat yaml-0.1 libzstd libpng")
if(ASSIMP_FOUND)
  string(APPEND RILLE_PC_PRIVATE " assimp")
endif()
# Relative to itself, so that it also holds for `cmake --install --prefix` and for a tree that was moved.
file(RELATIVE_PATH RILLE_PC_PREFIX ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(cmake/rille.pc.in ${CMAKE_BINARY_DIR}/rille.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/rille.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
