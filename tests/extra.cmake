# Tests that are not one C file: headers alone, peers, install, fuzz.

# --- the command: its tests run it, so it must be built before them ---
foreach(name command robot bad_input run terrain view place contact fit)
  if(TARGET rille_command AND TARGET cli_test_${name})
    add_dependencies(cli_test_${name} rille_command)
  endif()
endforeach()

# --- public headers: each compiled alone, twice in a row, as strict C17 and as C++17 ---
enable_language(CXX)
file(GLOB public_headers CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/include/rille/*.h)
foreach(header ${public_headers})
  get_filename_component(name ${header} NAME_WE)
  foreach(suffix c cpp)
    set(file ${CMAKE_CURRENT_BINARY_DIR}/headers/${name}.${suffix})
    file(CONFIGURE OUTPUT ${file} CONTENT "#include <rille/${name}.h>\n#include <rille/${name}.h>\nextern int ${name}_stands_alone;\nint ${name}_stands_alone = 1;\n")
    list(APPEND header_sources_${suffix} ${file})
  endforeach()
endforeach()
add_library(headers_alone_c OBJECT ${header_sources_c})
target_compile_options(headers_alone_c PRIVATE -U_GNU_SOURCE) # a user's program need not ask for extensions
add_library(headers_alone_cxx OBJECT ${header_sources_cpp})
add_executable(headers_link_cxx headers/links.cpp)
foreach(target headers_alone_c headers_alone_cxx headers_link_cxx)
  target_link_libraries(${target} PRIVATE librille rille_warnings)
  set_target_properties(${target} PROPERTIES CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF)
endforeach()
add_test(NAME headers/link_from_cxx COMMAND headers_link_cxx)

# --- examples: a ladder of programs that check themselves ---
file(GLOB examples CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/examples/[0-9]*.c)
foreach(source ${examples})
  get_filename_component(name ${source} NAME_WE)
  add_executable(example_${name} ${source})
  target_link_libraries(example_${name} PRIVATE librille rille_warnings)
  add_test(NAME examples/${name} COMMAND example_${name} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
endforeach()

# --- install: what a user's program sees ---
set(cvode_result 77) # of tests/install/cvode.c in a build without CVODE
if(RILLE_CVODE_FOUND)
  set(cvode_result 0)
endif()
add_test(NAME install/outside_program
         COMMAND ${CMAKE_COMMAND} -DSOURCE=${CMAKE_SOURCE_DIR} -DBUILD=${CMAKE_BINARY_DIR}
                 -DWORK=${CMAKE_BINARY_DIR}/test_install -DCC=${CMAKE_C_COMPILER} -DSANITIZE=${RILLE_SANITIZE}
                 -DCVODE_RESULT=${cvode_result} -P ${CMAKE_CURRENT_SOURCE_DIR}/install/install.cmake)
set_tests_properties(install/outside_program PROPERTIES TIMEOUT 300)

# `rille bench`: bad peers cannot stop a run, and the engines that are built agree with us on every case.
if(TARGET rille_command)
  add_test(NAME cli/test_bench_peers COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/cli/test_bench_peers.sh
           $<TARGET_FILE:rille_command>)
  add_test(NAME cli/bench_peers_agree COMMAND rille_command bench dynamics --repeats 1 --seconds 0.0001)
  set_tests_properties(cli/test_bench_peers cli/bench_peers_agree PROPERTIES TIMEOUT 300)
endif()

# Random robots and dense references shared by the tests of the multibody core.
add_library(test_support STATIC support/robots.c)
target_link_libraries(test_support PRIVATE librille rille_warnings)
target_include_directories(test_support PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/src)
get_property(rille_test_targets DIRECTORY PROPERTY BUILDSYSTEM_TARGETS)
foreach(target ${rille_test_targets})
  if(target MATCHES "^(dynamics|model|math|sim)_test_")
    target_link_libraries(${target} PRIVATE test_support librille)
  endif()
endforeach()

# The same robots in other engines. Where a library is missing, the test is there and says that it was skipped.
function(rille_peer_test name language found)
  if(found)
    set(source peers/test_${name}.c)
    if(language STREQUAL "CXX")
      set(source peers/test_${name}.cpp)
    endif()
    add_executable(peers_test_${name} ${source})
    target_include_directories(peers_test_${name} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/src)
    target_link_libraries(peers_test_${name} PRIVATE test_support librille ${ARGN} m)
    add_test(NAME peers/test_${name} COMMAND peers_test_${name})
  else()
    add_test(NAME peers/test_${name} COMMAND sh -c "echo '${name} is not installed'; exit 77")
  endif()
  set_tests_properties(peers/test_${name} PROPERTIES TIMEOUT 300 SKIP_RETURN_CODE 77)
endfunction()

find_path(MUJOCO_INCLUDE mujoco/mujoco.h)
find_library(MUJOCO_LIBRARY mujoco)
if(MUJOCO_INCLUDE AND MUJOCO_LIBRARY)
  rille_peer_test(mujoco C TRUE ${MUJOCO_LIBRARY} rille_warnings)
  target_include_directories(peers_test_mujoco SYSTEM PRIVATE ${MUJOCO_INCLUDE})
else()
  rille_peer_test(mujoco C FALSE)
endif()

include(CheckLanguage)
check_language(CXX)
pkg_check_modules(SIMBODY QUIET simbody)
if(CMAKE_CXX_COMPILER AND SIMBODY_FOUND)
  enable_language(CXX)
  rille_peer_test(simbody CXX TRUE ${SIMBODY_LINK_LIBRARIES})
  target_include_directories(peers_test_simbody SYSTEM PRIVATE ${SIMBODY_INCLUDE_DIRS})
  # Simbody's headers lay out classes by NDEBUG and Debian's library is built without it; -Warray-bounds is a false alarm
  # inside those headers.
  target_compile_options(peers_test_simbody PRIVATE -O1 -UNDEBUG -Wno-array-bounds)
  set_target_properties(peers_test_simbody PROPERTIES CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON)
else()
  rille_peer_test(simbody CXX FALSE)
endif()
# User devices: the example, and shared objects that must be refused (tests/device/bad_plugin.c).
set(RILLE_PLUGINS ${CMAKE_BINARY_DIR}/plugins)
function(rille_test_plugin name source)
  add_library(${name} MODULE ${source})
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/include)
  target_compile_definitions(${name} PRIVATE ${ARGN})
  target_link_libraries(${name} PRIVATE rille_warnings m)
  set_target_properties(${name} PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${RILLE_PLUGINS})
  add_dependencies(device_test_plugin ${name})
endfunction()
rille_test_plugin(brake ${CMAKE_SOURCE_DIR}/examples/device/brake.c)
foreach(bad 1 2 3 4 5 6 7)
  rille_test_plugin(bad_${bad} ${CMAKE_CURRENT_SOURCE_DIR}/device/bad_plugin.c BAD=${bad})
endforeach()
# Records: the MCAP project's own reader (npm) reads what we write.
add_executable(mcap_write_sample mcap/write_sample.c)
target_link_libraries(mcap_write_sample PRIVATE librille rille_warnings)
add_test(NAME mcap/reference_reader COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/mcap/run.sh
         $<TARGET_FILE:mcap_write_sample> ${CMAKE_CURRENT_BINARY_DIR}/mcap)
set_tests_properties(mcap/reference_reader PROPERTIES TIMEOUT 300 SKIP_RETURN_CODE 77)

# Rooms are closed: a room that includes what it may not use does not compile, and one that it may use does.
file(WRITE ${CMAKE_BINARY_DIR}/rooms_test/forbidden.c "#include \"model/tree.h\"\n")
file(WRITE ${CMAKE_BINARY_DIR}/rooms_test/forbidden_public.c "#include <rille/robot.h>\n")
file(WRITE ${CMAKE_BINARY_DIR}/rooms_test/allowed.c "#include \"base/memory.h\"\n#include <rille/math.h>\n")
add_test(NAME rooms/allowed_include_compiles
         COMMAND ${CMAKE_C_COMPILER} -fsyntax-only -I${CMAKE_BINARY_DIR}/rooms/math ${CMAKE_BINARY_DIR}/rooms_test/allowed.c)
add_test(NAME rooms/forbidden_include_does_not_compile
         COMMAND ${CMAKE_C_COMPILER} -fsyntax-only -I${CMAKE_BINARY_DIR}/rooms/math ${CMAKE_BINARY_DIR}/rooms_test/forbidden.c)
add_test(NAME rooms/forbidden_public_include_does_not_compile
         COMMAND ${CMAKE_C_COMPILER} -fsyntax-only -I${CMAKE_BINARY_DIR}/rooms/dynamics
                 ${CMAKE_BINARY_DIR}/rooms_test/forbidden_public.c)
set_tests_properties(rooms/forbidden_include_does_not_compile rooms/forbidden_public_include_does_not_compile PROPERTIES WILL_FAIL TRUE)
add_dependencies(io_test_scene brake) # a scene may name a user device
# The viewer's server: Foxglove's own client (npm) speaks to it.
if(TARGET rille_command)
  add_test(NAME foxglove/reference_client COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/foxglove/run.sh
           $<TARGET_FILE:rille_command> ${CMAKE_CURRENT_BINARY_DIR}/foxglove)
  set_tests_properties(foxglove/reference_client PROPERTIES TIMEOUT 300 SKIP_RETURN_CODE 77)
endif()
# The viewer's page in a real browser; npm packages are installed into the build tree. Skipped where node or chromium is missing. Once is
# enough: the server it speaks to has its own tests under the sanitizers.
if(TARGET rille_command AND NOT RILLE_SANITIZE)
  add_test(NAME viewer/browser COMMAND sh ${CMAKE_SOURCE_DIR}/viewer/test/run.sh ${CMAKE_SOURCE_DIR}/viewer
           ${CMAKE_CURRENT_BINARY_DIR}/viewer $<TARGET_FILE:rille_command>)
  set_tests_properties(viewer/browser PROPERTIES TIMEOUT 1500 SKIP_RETURN_CODE 77 PROCESSORS 2)
endif()
