# The programs: `rille`, and the tools rille-bench and rille-validate that `rille bench` and `rille validate` start.
#
# The command sees public headers alone: its include path has no folder of src.
#
#   apps/common -> rille_cli      messages, folders and names that all programs share
#   apps/rille  -> rille          the command that everybody installs
#   bench       -> rille-bench    one file per bench in bench/cases, one row each in bench/benches.def
#   validate    -> rille-validate one file per case in validate/cases, one row each in validate/cases.def
if(RILLE_FUZZ)
  return()
endif()

file(GLOB sources CONFIGURE_DEPENDS apps/common/*.c)
add_library(rille_cli STATIC ${sources})
target_link_libraries(rille_cli PUBLIC librille PRIVATE rille_warnings)
target_include_directories(rille_cli PUBLIC apps/common)
if(RILLE_SICONOS_FOUND) # opened at run time, where it is asked for
  target_include_directories(rille_cli SYSTEM PRIVATE ${RILLE_SICONOS_INCLUDE} ${RILLE_SICONOS_INCLUDE}/numerics)
  target_compile_definitions(rille_cli PRIVATE RILLE_HAVE_SICONOS=1 RILLE_SICONOS_LIBRARY="${RILLE_SICONOS_NAME}")
endif()

file(GLOB_RECURSE sources CONFIGURE_DEPENDS apps/rille/*.c)
add_executable(rille_command ${sources})
set_target_properties(rille_command PROPERTIES OUTPUT_NAME rille)
target_link_libraries(rille_command PRIVATE rille_cli librille rille_warnings)
target_include_directories(rille_command PRIVATE apps/rille)
target_compile_definitions(rille_command PRIVATE RILLE_TOOLS_INSTALL="${CMAKE_INSTALL_FULL_LIBEXECDIR}/rille")
if(NLOPT_FOUND)
  target_link_libraries(rille_command PRIVATE PkgConfig::NLOPT)
  target_compile_definitions(rille_command PRIVATE RILLE_HAVE_NLOPT=1)
endif()
if(EDIT_FOUND)
  target_link_libraries(rille_command PRIVATE PkgConfig::EDIT)
  target_compile_definitions(rille_command PRIVATE RILLE_HAVE_EDIT=1)
endif()

# rille-fmu.so: the library inside every FMU. Its own libraries are found beside it, by a path that also holds for theirs.
file(GLOB sources CONFIGURE_DEPENDS apps/fmu/*.c)
add_library(rille_fmu MODULE ${sources})
target_link_libraries(rille_fmu PRIVATE librille rille_warnings)
# Its only header of src declares the binary interfaces of the standards (io/fmu/fmi.h), which the library reads FMUs with.
file(REMOVE_RECURSE ${CMAKE_BINARY_DIR}/rooms/rille_fmu)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/rooms/rille_fmu/io)
file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR}/src/io/fmu ${CMAKE_BINARY_DIR}/rooms/rille_fmu/io/fmu SYMBOLIC)
target_include_directories(rille_fmu PRIVATE apps/fmu ${CMAKE_BINARY_DIR}/rooms/rille_fmu)
set_target_properties(rille_fmu PROPERTIES PREFIX "" OUTPUT_NAME rille-fmu C_VISIBILITY_PRESET hidden BUILD_RPATH "$ORIGIN"
                      INSTALL_RPATH "$ORIGIN" BUILD_WITH_INSTALL_RPATH TRUE)
target_link_options(rille_fmu PRIVATE -Wl,--exclude-libs,ALL -Wl,--disable-new-dtags -Wl,--gc-sections -Wl,--as-needed -Wl,-Bsymbolic)
add_dependencies(rille_command rille_fmu)

# Validation cases are a library of the build tree, because some tests run them too.
if(RILLE_TOOLS OR RILLE_TESTS)
  file(GLOB sources CONFIGURE_DEPENDS validate/*.c validate/cases/*.c)
  list(REMOVE_ITEM sources ${CMAKE_CURRENT_SOURCE_DIR}/validate/main.c)
  add_library(rille_cases STATIC ${sources})
  target_link_libraries(rille_cases PUBLIC librille PRIVATE rille_warnings)
  target_include_directories(rille_cases PUBLIC ${CMAKE_CURRENT_SOURCE_DIR} PRIVATE src)
endif()

if(RILLE_TOOLS)
  add_executable(rille_validate validate/main.c)
  target_link_libraries(rille_validate PRIVATE rille_cases rille_cli librille rille_warnings)

  file(GLOB sources CONFIGURE_DEPENDS bench/*.c bench/cases/*.c)
  add_executable(rille_bench ${sources})
  target_link_libraries(rille_bench PRIVATE rille_cli librille rille_warnings)
  target_include_directories(rille_bench PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} src)
  target_compile_definitions(rille_bench PRIVATE RILLE_SOURCE_DIR="${CMAKE_CURRENT_SOURCE_DIR}")
  if(RILLE_EMBREE_FOUND) # the bare loops of `rille bench terrain`
    target_link_libraries(rille_bench PRIVATE rille::embree)
    target_compile_definitions(rille_bench PRIVATE RILLE_HAVE_EMBREE=1)
  endif()
  set_target_properties(rille_bench PROPERTIES OUTPUT_NAME rille-bench)
  set_target_properties(rille_validate PROPERTIES OUTPUT_NAME rille-validate)
  add_custom_target(tools DEPENDS rille_bench rille_validate)
endif()
