# Equal bits on every machine: other C libraries, other kernels, flush modes. Said of the code that users run, so not of sanitized builds.
if(RILLE_SANITIZE)
  return()
endif()
add_executable(scene_hashes machines/scene_hashes.c)
target_link_libraries(scene_hashes PRIVATE librille rille_warnings m)
target_compile_definitions(scene_hashes PRIVATE RILLE_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
set(machines ${CMAKE_CURRENT_SOURCE_DIR}/machines)
add_test(NAME machines/physics_uses_no_libm COMMAND sh ${machines}/no_libm.sh ${CMAKE_SOURCE_DIR})
add_test(NAME machines/hashes_do_not_depend_on_the_machine
         COMMAND sh ${machines}/compare.sh $<TARGET_FILE:scene_hashes> ${CMAKE_CURRENT_BINARY_DIR}/machines)
set_tests_properties(machines/hashes_do_not_depend_on_the_machine PROPERTIES TIMEOUT 600)
# Every scene for 1000 ticks, and to the end those in which memories of soil decay longest.
add_test(NAME machines/no_scene_computes_with_subnormal_numbers COMMAND scene_hashes --trap --ticks 1000)
add_test(NAME machines/no_memory_of_soil_ends_in_subnormal_numbers
         COMMAND scene_hashes --trap --ticks 30000 wheel_testbed wheel_crust screw_testbed)
set_tests_properties(machines/no_scene_computes_with_subnormal_numbers machines/no_memory_of_soil_ends_in_subnormal_numbers
                     PROPERTIES TIMEOUT 600 SKIP_RETURN_CODE 77)
