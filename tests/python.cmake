# The Python module: its tests, in the build tree and as a wheel in a fresh environment.
if(NOT RILLE_PYTHON_FOUND)
  return()
endif()
set(python_environment PYTHONPATH=${CMAKE_BINARY_DIR}/python RILLE_COMMAND=$<TARGET_FILE:rille_command> PYTHONDONTWRITEBYTECODE=1)
if(RILLE_SANITIZE MATCHES "address") # the interpreter is not built with the sanitizers; it frees little at its end
  execute_process(COMMAND ${CMAKE_C_COMPILER} -print-file-name=libasan.so OUTPUT_VARIABLE asan OUTPUT_STRIP_TRAILING_WHITESPACE)
  execute_process(COMMAND ${CMAKE_C_COMPILER} -print-file-name=libubsan.so OUTPUT_VARIABLE ubsan OUTPUT_STRIP_TRAILING_WHITESPACE)
  list(APPEND python_environment LD_PRELOAD=${asan}:${ubsan} ASAN_OPTIONS=detect_leaks=0)
endif()
file(GLOB python_tests CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/python/tests/test_*.py)
if(RILLE_SANITIZE MATCHES "thread")
  set(python_tests) # the interpreter itself is not built for it
endif()
foreach(source ${python_tests})
  get_filename_component(name ${source} NAME_WE)
  add_test(NAME python/${name} COMMAND ${Python3_EXECUTABLE} ${source} -q)
  set_tests_properties(python/${name} PROPERTIES TIMEOUT 300 ENVIRONMENT "${python_environment}")
endforeach()
if(NOT RILLE_SANITIZE)
  add_test(NAME python/wheel COMMAND sh ${CMAKE_SOURCE_DIR}/python/tests/wheel.sh ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}
           ${CMAKE_BINARY_DIR} ${CMAKE_BINARY_DIR}/test_wheel $<TARGET_FILE:rille_command>)
  set_tests_properties(python/wheel PROPERTIES TIMEOUT 300 SKIP_RETURN_CODE 77)
endif()
