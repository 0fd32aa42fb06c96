# Tests that are not one C file: headers alone, peers, install, fuzz.

# --- the command: its tests run it, so it must be built before them ---
foreach(name command robot bad_input run terrain view place plan contact fit campaign optics)
  if(TARGET rille_command AND TARGET cli_test_${name})
    add_dependencies(cli_test_${name} rille_command)
  endif()
endforeach()

# --- the tools that `rille bench` and `rille validate` start, and the validation cases that tests run ---
get_property(rille_test_targets DIRECTORY PROPERTY BUILDSYSTEM_TARGETS)
foreach(target ${rille_test_targets})
  if(target MATCHES "^(sim|study)_test_")
    target_link_libraries(${target} PRIVATE rille_cases)
  endif()
endforeach()
target_include_directories(cli_test_bench_rows PRIVATE ${CMAKE_SOURCE_DIR})
if(TARGET rille_bench)
  add_dependencies(cli_test_command rille_bench rille_validate)
endif()

# --- public headers: each compiled alone, twice in a row, as strict C17 and as C++17 ---
enable_language(CXX)
file(GLOB_RECURSE public_headers CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR}/include/rille ${CMAKE_SOURCE_DIR}/include/rille/*.h)
foreach(header ${public_headers})
  string(REPLACE ".h" "" header ${header})
  string(REPLACE "/" "_" name ${header})
  foreach(suffix c cpp)
    set(file ${CMAKE_CURRENT_BINARY_DIR}/headers/${name}.${suffix})
    file(CONFIGURE OUTPUT ${file} CONTENT "#include <rille/${header}.h>\n#include <rille/${header}.h>\nextern int ${name}_stands_alone;\nint ${name}_stands_alone = 1;\n")
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
                 -DWORK=${CMAKE_BINARY_DIR}/test_install -DCC=${CMAKE_C_COMPILER} -DCXX=${CMAKE_CXX_COMPILER} -DSANITIZE=${RILLE_SANITIZE}
                 -DCVODE_RESULT=${cvode_result} -P ${CMAKE_CURRENT_SOURCE_DIR}/install/install.cmake)
set_tests_properties(install/outside_program PROPERTIES TIMEOUT 300)

# `rille bench`: bad peers cannot stop a run, and the engines that are built agree with us on every case.
if(TARGET rille_bench)
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
rille_test_plugin(waves ${CMAKE_SOURCE_DIR}/examples/plugin/waves.c)
add_dependencies(io_test_terrain_plugin waves)
rille_test_plugin(hertz ${CMAKE_SOURCE_DIR}/examples/plugin/hertz.c)
rille_test_plugin(crumble ${CMAKE_SOURCE_DIR}/examples/plugin/crumble.c)
rille_test_plugin(laws_plugin ${CMAKE_CURRENT_SOURCE_DIR}/io/laws_plugin.c)
add_dependencies(io_test_plugin_laws waves hertz crumble laws_plugin)
foreach(bad 1 2 3 4 5 6 7 8 9 10)
  rille_test_plugin(laws_bad_${bad} ${CMAKE_CURRENT_SOURCE_DIR}/io/laws_plugin.c BAD=${bad})
  add_dependencies(io_test_plugin_laws laws_bad_${bad})
endforeach()
rille_test_plugin(haze ${CMAKE_SOURCE_DIR}/examples/filter/haze.c)
add_dependencies(optics_test_filter haze)
# Records: the MCAP project's own reader (npm) reads what we write.
add_executable(mcap_write_sample mcap/write_sample.c)
target_link_libraries(mcap_write_sample PRIVATE librille rille_warnings)
add_test(NAME mcap/reference_reader COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/mcap/run.sh
         $<TARGET_FILE:mcap_write_sample> ${CMAKE_CURRENT_BINARY_DIR}/mcap)
set_tests_properties(mcap/reference_reader PROPERTIES TIMEOUT 300 SKIP_RETURN_CODE 77)

# Tables of campaigns: hyparquet (npm) reads our Parquet.
if(TARGET rille_command)
  add_test(NAME parquet/reference_reader COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/parquet/run.sh
           $<TARGET_FILE:rille_command> ${CMAKE_SOURCE_DIR}/campaigns/pendulum.yaml ${CMAKE_CURRENT_BINARY_DIR}/parquet)
  set_tests_properties(parquet/reference_reader PROPERTIES TIMEOUT 300 SKIP_RETURN_CODE 77)
endif()

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
if(TARGET rille_command AND NOT RILLE_SANITIZE AND WEBSOCKETS_FOUND)
  add_test(NAME viewer/browser COMMAND sh ${CMAKE_SOURCE_DIR}/viewer/test/run.sh ${CMAKE_SOURCE_DIR}/viewer
           ${CMAKE_CURRENT_BINARY_DIR}/viewer $<TARGET_FILE:rille_command>)
  set_tests_properties(viewer/browser PROPERTIES TIMEOUT 1500 SKIP_RETURN_CODE 77 PROCESSORS 2)
endif()

target_link_libraries(study_test_campaign_store PRIVATE PkgConfig::SQLITE) # a second program that holds its file

# Campaigns that are killed at random must end with the table of an undisturbed one. 100 kills: tests/study/kills.sh RILLE 100 [postgres].
if(TARGET rille_command)
  foreach(kind sqlite postgres)
    add_test(NAME study/campaign_kills_${kind} COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/study/kills.sh
             $<TARGET_FILE:rille_command> 5 ${kind})
    set_tests_properties(study/campaign_kills_${kind} PROPERTIES TIMEOUT 300 SKIP_RETURN_CODE 77 RUN_SERIAL TRUE)
  endforeach()
  add_test(NAME study/campaign_cuts COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/study/cuts.sh $<TARGET_FILE:rille_command> 8)
  set_tests_properties(study/campaign_cuts PROPERTIES TIMEOUT 300 SKIP_RETURN_CODE 77 RUN_SERIAL TRUE)
  add_test(NAME study/campaign_troubles COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/study/troubles.sh
           $<TARGET_FILE:rille_command>)
  set_tests_properties(study/campaign_troubles PROPERTIES TIMEOUT 300)
  if(CMAKE_BUILD_TYPE STREQUAL "Release") # a hundred runs of minutes
    add_test(NAME study/campaign_claims COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/study/claims.sh $<TARGET_FILE:rille_command>)
    set_tests_properties(study/campaign_claims PROPERTIES TIMEOUT 300)
  endif()
  add_test(NAME study/campaign_slurm COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/study/slurm.sh $<TARGET_FILE:rille_command>)
  set_tests_properties(study/campaign_slurm PROPERTIES TIMEOUT 300 SKIP_RETURN_CODE 77 RUN_SERIAL TRUE)
endif()

# --- the variable server with the clients of examples/serve, each a process of its own ---
if(TARGET rille_command)
  add_executable(serve_client ${CMAKE_SOURCE_DIR}/examples/serve/client.c)
  target_link_libraries(serve_client PRIVATE rille_warnings)
  add_test(NAME cli/test_serve COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/cli/test_serve.sh $<TARGET_FILE:rille_command>
           ${CMAKE_SOURCE_DIR} $<TARGET_FILE:serve_client>)
  set_tests_properties(cli/test_serve PROPERTIES TIMEOUT 300)
endif()

# --- bags that drive a scene ---
find_package(Python3 COMPONENTS Interpreter QUIET)
if(Python3_Interpreter_FOUND AND TARGET rille_command)
  add_test(NAME cli/test_replay COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/cli/test_replay.py
           $<TARGET_FILE:rille_command> ${CMAKE_BINARY_DIR}/test_replay)
  set_tests_properties(cli/test_replay PROPERTIES TIMEOUT 300)
endif()

# --- FMUs both ways, by an importer in Python; the controller is another maker's ---
find_package(Python3 COMPONENTS Interpreter QUIET)
add_library(fmu_pilot MODULE ${CMAKE_SOURCE_DIR}/examples/fmu/pilot.c)
target_link_libraries(fmu_pilot PRIVATE rille_warnings m)
set_target_properties(fmu_pilot PROPERTIES PREFIX "" OUTPUT_NAME pilot LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/fmu)
add_library(fmu_mixer MODULE ${CMAKE_CURRENT_SOURCE_DIR}/fmu/mixer.c)
target_link_libraries(fmu_mixer PRIVATE rille_warnings)
set_target_properties(fmu_mixer PROPERTIES PREFIX "" OUTPUT_NAME mixer LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/fmu)
if(Python3_Interpreter_FOUND AND TARGET rille_command AND NOT RILLE_SANITIZE)
  add_test(NAME fmu/both_ways COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/fmu/test_fmu.py
           $<TARGET_FILE:rille_command> ${CMAKE_SOURCE_DIR} $<TARGET_FILE:fmu_pilot> $<TARGET_FILE:fmu_mixer>
           ${CMAKE_BINARY_DIR}/test_fmu)
  set_tests_properties(fmu/both_ways PROPERTIES TIMEOUT 300)
endif()

# --- documentation: the tables of scene keys are those of the program ---
find_package(Python3 COMPONENTS Interpreter QUIET)
if(Python3_Interpreter_FOUND AND TARGET rille_command)
  add_test(NAME docs/scene_keys_are_current
           COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/tools/keys.py $<TARGET_FILE:rille_command> --check)
endif()
if(Python3_Interpreter_FOUND)
  add_test(NAME docs/links_lead_somewhere COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/tools/docs.py --check)
  add_test(NAME docs/html_is_made COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/tools/docs.py ${CMAKE_CURRENT_BINARY_DIR}/html)
endif()
# Pages whose commands are run as they are written, and the projects of `rille new`.
if(TARGET rille_command AND NOT RILLE_SANITIZE)
  add_test(NAME docs/tutorial_rover COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/docs/run_page.sh $<TARGET_FILE:rille_command>
           ${CMAKE_SOURCE_DIR}/docs/tutorial-rover.md ${CMAKE_CURRENT_BINARY_DIR}/tutorial_rover)
  set_tests_properties(docs/tutorial_rover PROPERTIES TIMEOUT 300)
  if(Python3_Interpreter_FOUND)
    add_test(NAME docs/tutorial_autonomy COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/docs/run_page.sh $<TARGET_FILE:rille_command>
             ${CMAKE_SOURCE_DIR}/docs/tutorial-autonomy.md ${CMAKE_CURRENT_BINARY_DIR}/tutorial_autonomy)
    set_tests_properties(docs/tutorial_autonomy PROPERTIES TIMEOUT 300)
  endif()
  if(NOT RILLE_GDAL_FOUND) # it writes a map
    set_tests_properties(docs/tutorial_rover PROPERTIES DISABLED TRUE)
  endif()
endif()
if(TARGET rille_command)
  add_test(NAME cli/new_projects_run COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/cli/test_new.sh $<TARGET_FILE:rille_command>
           ${CMAKE_SOURCE_DIR}/include ${CMAKE_CURRENT_BINARY_DIR}/new_projects)
  set_tests_properties(cli/new_projects_run PROPERTIES TIMEOUT 300)
  add_test(NAME cli/mistakes COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/cli/test_mistakes.sh $<TARGET_FILE:rille_command>
           ${CMAKE_CURRENT_BINARY_DIR}/mistakes)
  set_tests_properties(cli/mistakes PROPERTIES TIMEOUT 300)
  add_test(NAME cli/strangers_rovers_get_slip_curves COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/cli/test_strangers.sh
           $<TARGET_FILE:rille_command> ${CMAKE_CURRENT_BINARY_DIR}/strangers)
  set_tests_properties(cli/strangers_rovers_get_slip_curves PROPERTIES TIMEOUT 300)
  add_test(NAME cli/manual COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/cli/test_manual.sh $<TARGET_FILE:rille_command>
           ${CMAKE_CURRENT_BINARY_DIR}/manual)
  set_tests_properties(cli/manual PROPERTIES TIMEOUT 120)
  add_test(NAME cli/files_are_whole_or_not_there COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/cli/test_whole_files.sh
           $<TARGET_FILE:rille_command> ${CMAKE_SOURCE_DIR} ${CMAKE_CURRENT_BINARY_DIR}/whole_files)
  set_tests_properties(cli/files_are_whole_or_not_there PROPERTIES TIMEOUT 300)
endif()
# --- the thread sanitizer: everything that has threads. `make check` runs the label `threads` in the preset tsan. ---
set(thread_tests link_test_ros link_test_ros1 link_test_ros_types link_test_serve link_test_view link_test_shown link_test_plan link_test_way # server, replay
    terrain_test_tiles terrain_test_grid # pages, baking
    optics_test_trace optics_test_sensors # the renderer's workers
    study_test_tilt_table) # campaigns' workers
get_property(rille_test_targets DIRECTORY PROPERTY BUILDSYSTEM_TARGETS)
add_custom_target(thread_tests)
foreach(target ${rille_test_targets})
  if(target IN_LIST thread_tests)
    string(REGEX REPLACE "_(test_.*)$" "/\\1" test ${target})
    set_property(TEST ${test} APPEND PROPERTY LABELS threads)
    set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT TSAN_OPTIONS=suppressions=${CMAKE_SOURCE_DIR}/tools/tsan.supp:halt_on_error=1)
    add_dependencies(thread_tests ${target})
  endif()
endforeach()

# --- optional parts: programs whose claims nearly all need one. Single claims in others say NEEDS(part). ---
function(rille_tests_need found)
  if(NOT found)
    set_tests_properties(${ARGN} PROPERTIES DISABLED TRUE)
  endif()
endfunction()
rille_tests_need(${RILLE_EMBREE_FOUND} terrain/test_grid terrain/test_mesh_terrain sim/test_books)
rille_tests_need("${WEBSOCKETS_FOUND}" cli/test_view link/test_way link/test_shown)

# Short versions of the worked campaigns: they load, all runs finish, every result is collected.
if(TARGET rille_command)
  foreach(pair "pendulum 8" "rover_slip 5" "eels_friction 2" "traverse_risk 2" "wheel_size 4")
    string(REPLACE " " ";" pair ${pair})
    list(GET pair 0 name)
    list(GET pair 1 runs)
    add_test(NAME campaigns/${name}
             COMMAND sh -c "rm -f ${CMAKE_BINARY_DIR}/${name}.db* && '$<TARGET_FILE:rille_command>' campaign run '${CMAKE_SOURCE_DIR}/campaigns/${name}.yaml' --runs ${runs} -q --store ${CMAKE_BINARY_DIR}/${name}.db")
    set_tests_properties(campaigns/${name} PROPERTIES TIMEOUT 300)
  endforeach()
endif()

# ROS 2 as others see it: peers of Cyclone DDS with types from its own compiler, and of Fast DDS. The example's node closes a loop.
find_program(RILLE_IDLC idlc)
if(TARGET rille_command AND DDS_FOUND AND RILLE_IDLC)
  set(idl ${CMAKE_CURRENT_BINARY_DIR}/ros_types)
  file(MAKE_DIRECTORY ${idl})
  add_custom_command(OUTPUT ${idl}/ros2.c ${idl}/ros2.h COMMAND ${RILLE_IDLC} -t -l c -o ${idl} ${CMAKE_SOURCE_DIR}/examples/ros/ros2.idl
                     DEPENDS ${CMAKE_SOURCE_DIR}/examples/ros/ros2.idl)
  add_library(ros_types STATIC ${idl}/ros2.c)
  target_include_directories(ros_types SYSTEM PUBLIC ${idl})
  target_link_libraries(ros_types PUBLIC PkgConfig::DDS)
  add_executable(ros_rock_node ${CMAKE_SOURCE_DIR}/examples/ros/rock_node.c)
  add_executable(ros_test_cyclone ros/test_cyclone.c)
  foreach(target ros_rock_node ros_test_cyclone)
    target_link_libraries(${target} PRIVATE ros_types rille_warnings m)
    target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
    target_compile_definitions(${target} PRIVATE RILLE_PROGRAM="$<TARGET_FILE:rille_command>")
  endforeach()
  add_dependencies(ros_test_cyclone rille_command)
  add_test(NAME ros/test_cyclone COMMAND ros_test_cyclone)
  add_test(NAME ros/rock COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/ros/rock.sh $<TARGET_FILE:rille_command>
           $<TARGET_FILE:ros_rock_node> ${CMAKE_CURRENT_BINARY_DIR}/ros_rock 17)
  set_tests_properties(ros/test_cyclone PROPERTIES TIMEOUT 300)
  set_tests_properties(ros/rock PROPERTIES TIMEOUT 900)
  rille_tests_need(${RILLE_EMBREE_FOUND} ros/test_cyclone ros/rock)
endif()
find_library(RILLE_FASTRTPS fastrtps)
find_library(RILLE_FASTCDR fastcdr)
find_path(RILLE_FASTDDS_INCLUDE fastdds/dds/domain/DomainParticipant.hpp)
if(TARGET rille_command AND DDS_FOUND AND RILLE_FASTRTPS AND RILLE_FASTCDR AND RILLE_FASTDDS_INCLUDE)
  add_executable(ros_fast_peer ros/fast_peer.cpp)
  target_link_libraries(ros_fast_peer PRIVATE ${RILLE_FASTRTPS} ${RILLE_FASTCDR} Threads::Threads)
  target_compile_definitions(ros_fast_peer PRIVATE RILLE_PROGRAM="$<TARGET_FILE:rille_command>")
  set_target_properties(ros_fast_peer PROPERTIES CXX_STANDARD 17)
  add_dependencies(ros_fast_peer rille_command)
  add_test(NAME ros/fast_peer COMMAND ros_fast_peer)
  # Fast DDS deletes a base class without a virtual destructor; that is not ours to mend.
  set_tests_properties(ros/fast_peer PROPERTIES TIMEOUT 120 ENVIRONMENT ASAN_OPTIONS=new_delete_type_mismatch=0)
  rille_tests_need(${RILLE_EMBREE_FOUND} ros/fast_peer)
endif()
# ROS 1 with Debian's own tools.
if(TARGET rille_command)
  add_test(NAME ros/test_ros1 COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/ros/test_ros1.sh $<TARGET_FILE:rille_command>
           ${CMAKE_CURRENT_BINARY_DIR}/ros1 11397)
  set_tests_properties(ros/test_ros1 PROPERTIES TIMEOUT 300 SKIP_RETURN_CODE 77)
  rille_tests_need(${RILLE_EMBREE_FOUND} ros/test_ros1)
  add_test(NAME ros/rviz COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/ros/rviz.sh $<TARGET_FILE:rille_command> ${CMAKE_SOURCE_DIR}
           ${CMAKE_CURRENT_BINARY_DIR}/rviz 11395)
  set_tests_properties(ros/rviz PROPERTIES TIMEOUT 300 SKIP_RETURN_CODE 77)
  rille_tests_need(${RILLE_EMBREE_FOUND} ros/rviz)
endif()
