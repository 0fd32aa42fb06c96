# Tests that are not one C file: headers alone, peers, install, fuzz.

# `rille bench`: bad peers cannot stop a run, and the engines that are built agree with us on every case.
if(TARGET rille_command)
  add_test(NAME cli/test_bench_peers COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/cli/test_bench_peers.sh
           $<TARGET_FILE:rille_command>)
  add_test(NAME cli/bench_peers_agree COMMAND rille_command bench dynamics --repeats 1 --seconds 0.0001)
  set_tests_properties(cli/test_bench_peers cli/bench_peers_agree PROPERTIES TIMEOUT 300)
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
foreach(bad 1 2 3 4 5 6)
  rille_test_plugin(bad_${bad} ${CMAKE_CURRENT_SOURCE_DIR}/device/bad_plugin.c BAD=${bad})
endforeach()
add_dependencies(io_test_scene brake) # a scene may name a user device
