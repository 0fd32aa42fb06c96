# Tests that are not one C file: headers alone, peers, install, fuzz.

# `rille bench`: bad peers cannot stop a run, and the engines that are built agree with us on every case.
if(TARGET rille_command)
  add_test(NAME cli/test_bench_peers COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/cli/test_bench_peers.sh
           $<TARGET_FILE:rille_command>)
  add_test(NAME cli/bench_peers_agree COMMAND rille_command bench dynamics --repeats 1 --seconds 0.0001)
  set_tests_properties(cli/test_bench_peers cli/bench_peers_agree PROPERTIES TIMEOUT 300)
endif()

# Records: the MCAP project's own reader (npm) reads what we write.
add_executable(mcap_write_sample mcap/write_sample.c)
target_link_libraries(mcap_write_sample PRIVATE librille rille_warnings)
add_test(NAME mcap/reference_reader COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/mcap/run.sh
         $<TARGET_FILE:mcap_write_sample> ${CMAKE_CURRENT_BINARY_DIR}/mcap)
set_tests_properties(mcap/reference_reader PROPERTIES TIMEOUT 300 SKIP_RETURN_CODE 77)
