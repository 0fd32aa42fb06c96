# Installs into a fresh folder, then builds examples/outside against it twice and runs it. Run by CTest:
#   cmake -DSOURCE=... -DBUILD=... -DWORK=... -DCC=... -DSANITIZE=... -DCVODE_RESULT=... -P install.cmake
set(prefix ${WORK}/prefix)
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
if(SANITIZE)
  set(flags -fsanitize=${SANITIZE}) # the library needs the sanitizers' run time
endif()

# run(WHAT command...): fails the test with the command's output; its standard output is in `output` afterwards.
macro(run what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE errors
                  OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${what} failed (${result})\n${output}\n${errors}")
  endif()
endmacro()

macro(expect what part)
  if(NOT output MATCHES "${part}")
    message(FATAL_ERROR "${what} said '${output}', expected '${part}'")
  endif()
endmacro()

run("install" ${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
set(arm ${prefix}/share/rille/robots/arm.urdf)

# With CMake.
run("configure" ${CMAKE_COMMAND} -S ${SOURCE}/examples/outside -B ${WORK}/outside -DCMAKE_PREFIX_PATH=${prefix}
    -DCMAKE_C_COMPILER=${CC} "-DCMAKE_C_FLAGS=${flags}")
run("build with find_package" ${CMAKE_COMMAND} --build ${WORK}/outside)
run("the program built with find_package" ${WORK}/outside/outside ${arm})
expect("the program built with find_package" "^arm: 6 degrees of freedom, 8.8 kg")

# With pkg-config.
file(GLOB_RECURSE pc ${prefix}/rille.pc)
get_filename_component(pc_folder ${pc} DIRECTORY)
set(ENV{PKG_CONFIG_PATH} ${pc_folder})
run("pkg-config" pkg-config --cflags --libs rille)
separate_arguments(pkg_flags UNIX_COMMAND "${output}")
run("build with pkg-config" ${CC} ${flags} ${SOURCE}/examples/outside/main.c -o ${WORK}/outside_pc ${pkg_flags})
run("the program built with pkg-config" ${WORK}/outside_pc ${arm})
expect("the program built with pkg-config" "^arm: 6 degrees of freedom, 8.8 kg")

# CVODE comes along with the archive: a program that needs it links, both ways. CVODE_RESULT is what it ends with.
file(WRITE ${WORK}/cvode/CMakeLists.txt "cmake_minimum_required(VERSION 3.25)
project(cvode LANGUAGES C)
find_package(rille 0.1 REQUIRED)
add_executable(cvode ${SOURCE}/tests/install/cvode.c)
target_include_directories(cvode PRIVATE ${SOURCE}/src)
target_link_libraries(cvode PRIVATE rille::rille m)
")
run("configure cvode" ${CMAKE_COMMAND} -S ${WORK}/cvode -B ${WORK}/cvode/build -DCMAKE_PREFIX_PATH=${prefix}
    -DCMAKE_C_COMPILER=${CC} "-DCMAKE_C_FLAGS=${flags}")
run("build cvode with find_package" ${CMAKE_COMMAND} --build ${WORK}/cvode/build)
run("build cvode with pkg-config" ${CC} ${flags} -I${SOURCE}/src ${SOURCE}/tests/install/cvode.c -o ${WORK}/cvode_pc
    ${pkg_flags})
foreach(program ${WORK}/cvode/build/cvode ${WORK}/cvode_pc)
  execute_process(COMMAND ${program} RESULT_VARIABLE result OUTPUT_VARIABLE output)
  if(NOT result EQUAL ${CVODE_RESULT})
    message(FATAL_ERROR "${program} ended with ${result}, expected ${CVODE_RESULT}: ${output}")
  endif()
endforeach()

# Plugins as strangers compile them: with the installed headers alone, used by the installed program.
foreach(plugin waves hertz crumble)
  run("build ${plugin}.c" ${CC} -std=c17 -Wall -Wextra -Wpedantic -Werror -shared -fPIC -I${prefix}/include
      ${SOURCE}/examples/plugin/${plugin}.c -o ${WORK}/${plugin}.so -lm)
endforeach()
file(WRITE ${WORK}/plugins.yaml "scene: plugins
robot: {template: {robot: ball, base: floating, links: [{name: ball, mass: 1 kg, solid: sphere, size: [0.1],
  collision: [{type: sphere, size: [0.1]}]}]}}
terrain: {template: {terrain: sea, kind: plugin, library: waves.so, name: waves, set: {height: 1 cm}, material: ice}}
contact: {pairs: [{robot: ball, law: plugin, library: hertz.so, type: hertz, set: {hertz: 1e6, damped: 2 s/m}}]}
initial: {base: {xyz: [0, 0, 0.12]}}
duration: 1 s
")
run("a scene with plugins" ${CMAKE_COMMAND} -E env RILLE_ROBOTS=${prefix}/share/rille/robots
    ${prefix}/bin/rille run ${WORK}/plugins.yaml --out ${WORK}/plugins)
expect("a scene with plugins" "state hash")

# C++, as a stranger would compile it: strict warnings, with and without exceptions. The programs find the installed robots and scenes.
if(CXX)
  foreach(program drive checks)
    run("build ${program}.cpp" ${CXX} -std=c++17 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror ${flags}
        ${SOURCE}/examples/cpp/${program}.cpp -o ${WORK}/${program} ${pkg_flags})
    run("${program}.cpp" ${CMAKE_COMMAND} -E env RILLE_ROBOTS=${prefix}/share/rille/robots RILLE_SCENES=${prefix}/share/rille/scenes
        RILLE_TERRAINS=${prefix}/share/rille/terrains RILLE_SOILS=${prefix}/share/rille/soils ${WORK}/${program})
  endforeach()
  expect("checks.cpp" "all checks passed")
  run("rille.hpp without exceptions" ${CXX} -std=c++20 -fno-exceptions -fno-rtti -Wall -Wextra -Werror -fsyntax-only ${pkg_flags}
      ${SOURCE}/examples/cpp/drive.cpp)
  file(WRITE ${WORK}/old.cpp "#include <rille/rille.h>\nint main() { return ri_version()[0] == 0; }\n")
  run("the C API in C++11" ${CXX} -std=c++11 -Wall -Wextra -Wpedantic -Werror -fsyntax-only ${pkg_flags} ${WORK}/old.cpp)
  execute_process(COMMAND ${CXX} -std=c++14 -fsyntax-only ${pkg_flags} ${SOURCE}/examples/cpp/drive.cpp RESULT_VARIABLE result
                  ERROR_VARIABLE errors)
  if(result EQUAL 0 OR NOT errors MATCHES "rille.hpp needs C\\+\\+17")
    message(FATAL_ERROR "rille.hpp in C++14 does not say what it needs: ${errors}")
  endif()
endif()

# The installed command finds the installed robots, wherever the prefix is.
if(EXISTS ${prefix}/bin/rille)
  run("the installed command" ${CMAKE_COMMAND} -E env --unset=RILLE_ROBOTS ${prefix}/bin/rille list robots)
  expect("the installed command" "share/rille/robots")
  run("rille robot check arm" ${CMAKE_COMMAND} -E env --unset=RILLE_ROBOTS ${prefix}/bin/rille robot check arm)
  expect("rille robot check arm" "can be simulated")
endif()

# The installed command starts the installed tools, and says how to get them where they are missing.
if(EXISTS ${prefix}/libexec/rille/rille-validate)
  run("rille validate gears" ${prefix}/bin/rille validate gears)
  expect("rille validate gears" "5 passed, 0 failed")
  run("rille bench" ${prefix}/bin/rille bench)
  expect("rille bench" "dynamics")
  file(REMOVE_RECURSE ${prefix}/libexec)
  execute_process(COMMAND ${prefix}/bin/rille bench dynamics RESULT_VARIABLE result ERROR_VARIABLE errors)
  if(NOT result EQUAL 3 OR NOT errors MATCHES "needs the program rille-bench.*--component tools")
    message(FATAL_ERROR "without rille-bench: ended with ${result}: ${errors}")
  endif()
endif()
