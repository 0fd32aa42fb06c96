# cmake --install: library, headers, command, robots, scenes, pkg-config file and CMake package.
include(CMakePackageConfigHelpers)
install(TARGETS librille EXPORT rille-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev)
if(RILLE_SHARED)
  install(TARGETS librille_shared LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library NAMELINK_COMPONENT dev)
endif()
if(TARGET rille_command)
  install(TARGETS rille_command DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
endif()
if(TARGET rille_fmu) # put into FMUs by `rille fmu`
  install(TARGETS rille_fmu DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/rille COMPONENT program)
endif()
if(TARGET rille_bench) # started by `rille bench` and `rille validate`
  install(TARGETS rille_bench rille_validate DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/rille COMPONENT tools)
endif()
install(DIRECTORY include/rille DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
install(DIRECTORY cameras campaigns plans projects robots scenes soils terrains DESTINATION ${CMAKE_INSTALL_DATADIR}/rille COMPONENT program)
install(EXPORT rille-targets NAMESPACE rille:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/rille COMPONENT dev)
set(RILLE_NEEDS_ASSIMP ${ASSIMP_FOUND})
# CVODE goes along as librille-cvode.a, with its licence; a shared one is left where the system has it.
set(RILLE_NEEDS_CVODE ${RILLE_CVODE_FOUND})
set(RILLE_CVODE_LOCATION "${RILLE_CVODE_LIBRARY}")
set(RILLE_PC_LIBS_PRIVATE "")
if(RILLE_CVODE_FOUND AND RILLE_CVODE_LIBRARY MATCHES "\\.a$")
  install(FILES ${RILLE_CVODE_LIBRARY} DESTINATION ${CMAKE_INSTALL_LIBDIR} RENAME librille-cvode.a COMPONENT dev)
  install(FILES ${CMAKE_SOURCE_DIR}/build-deps/sundials/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR}
          RENAME LICENSE.sundials COMPONENT program OPTIONAL)
  set(RILLE_CVODE_LOCATION "\${CMAKE_CURRENT_LIST_DIR}/../../librille-cvode.a")
  set(RILLE_PC_LIBS_PRIVATE "-lrille-cvode -lm")
elseif(RILLE_CVODE_FOUND)
  set(RILLE_PC_LIBS_PRIVATE "${RILLE_CVODE_LIBRARY} -lm")
endif()
set(RILLE_NEEDS_EMBREE ${RILLE_EMBREE_FOUND})
if(RILLE_EMBREE_FOUND)
  string(APPEND RILLE_PC_LIBS_PRIVATE " -lembree3")
endif()
string(APPEND RILLE_PC_LIBS_PRIVATE " -pthread")
configure_package_config_file(cmake/rille-config.cmake.in ${CMAKE_BINARY_DIR}/rille-config.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/rille
                              PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/rille-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/rille-config.cmake ${CMAKE_BINARY_DIR}/rille-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/rille COMPONENT dev)
string(PREPEND RILLE_PC_LIBS_PRIVATE "-lexpat ")
foreach(part YAML ZSTD LZ4 PNG ZLIB ERFA QHULL SQLITE JPEG ASSIMP WEBSOCKETS DDS)
  if(${part}_FOUND)
    set(part_flags ${${part}_LIBRARY_DIRS})
    list(REMOVE_ITEM part_flags /usr/lib ${CMAKE_C_IMPLICIT_LINK_DIRECTORIES})
    list(TRANSFORM part_flags PREPEND -L)
    foreach(library ${${part}_LIBRARIES})
      if(IS_ABSOLUTE ${library}) # as find_package has it
        get_filename_component(library ${library} NAME_WE)
        string(REGEX REPLACE "^lib" "" library ${library})
      endif()
      list(APPEND part_flags -l${library})
    endforeach()
    list(JOIN part_flags " " part_flags)
    string(APPEND RILLE_PC_LIBS_PRIVATE " ${part_flags}")
  endif()
endforeach()
if(PQ_FOUND)
  string(APPEND RILLE_PC_LIBS_PRIVATE " -lpq") # its own file asks for what only a static libpq needs
endif()
# A shared library brings what it needs along; with the archive alone, programs link all of it. The
# libraries are flags, not Requires.private: pkg-config would want their development packages even
# from a program that links the shared one.
if(NOT RILLE_SHARED)
  set(RILLE_PC_LIBS " ${RILLE_PC_LIBS_PRIVATE}")
endif()
# Relative to itself, so that it also holds for `cmake --install --prefix` and for a tree that was moved.
file(RELATIVE_PATH RILLE_PC_PREFIX ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(cmake/rille.pc.in ${CMAKE_BINARY_DIR}/rille.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/rille.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT dev)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
# Man pages and completion, made by the command from its option tables.
if(TARGET rille_command AND NOT CMAKE_CROSSCOMPILING)
  add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/manual/rille.bash
    COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/manual
    COMMAND rille_command manual man ${CMAKE_BINARY_DIR}/manual/man1
    COMMAND rille_command manual bash > ${CMAKE_BINARY_DIR}/manual/rille.bash
    DEPENDS rille_command VERBATIM)
  add_custom_target(rille_manual ALL DEPENDS ${CMAKE_BINARY_DIR}/manual/rille.bash)
  install(DIRECTORY ${CMAKE_BINARY_DIR}/manual/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT program OPTIONAL)
  install(FILES ${CMAKE_BINARY_DIR}/manual/rille.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
          RENAME rille COMPONENT program OPTIONAL)
endif()
