# Tests that are not one C file: headers alone, peers, install, fuzz.

# --- the command: its tests run it, so it must be built before them ---
foreach(name command robot bad_input)
  if(TARGET rille_command AND TARGET cli_test_${name})
    add_dependencies(cli_test_${name} rille_command)
  endif()
endforeach()

# `rille bench`: bad peers cannot stop a run, and the engines that are built agree with us on every case.
if(TARGET rille_command)
  add_test(NAME cli/test_bench_peers COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/cli/test_bench_peers.sh
           $<TARGET_FILE:rille_command>)
  add_test(NAME cli/bench_peers_agree COMMAND rille_command bench dynamics --repeats 1 --seconds 0.0001)
  set_tests_properties(cli/test_bench_peers cli/bench_peers_agree PROPERTIES TIMEOUT 300)
endif()
