# The Python module: python/src -> <build>/python/rille/_core.abi3.so, beside links to python/rille. RILLE_WITH_PYTHON is AUTO (if Python's headers are
# found), ON (required) or OFF. The system's Python is preferred: a shim of a version manager may lack headers or belong to another library.
set(RILLE_WITH_PYTHON AUTO CACHE STRING "Build the Python module: AUTO (if Python 3.11 and its headers are found), ON (required) or OFF")
set_property(CACHE RILLE_WITH_PYTHON PROPERTY STRINGS AUTO ON OFF)
set(RILLE_PYTHON_FOUND FALSE)
if(RILLE_WITH_PYTHON AND NOT RILLE_FUZZ)
  if(NOT Python3_EXECUTABLE AND EXISTS /usr/bin/python3)
    set(Python3_EXECUTABLE /usr/bin/python3)
  endif()
  set(Python3_FIND_STRATEGY LOCATION)
  find_package(Python3 3.11 QUIET COMPONENTS Interpreter Development.Module)
  if(Python3_Development.Module_FOUND)
    set(RILLE_PYTHON_FOUND TRUE)
  elseif(RILLE_WITH_PYTHON STREQUAL "AUTO")
    message(STATUS "Building without the Python module: install python3-dev")
  else()
    message(FATAL_ERROR "RILLE_WITH_PYTHON=${RILLE_WITH_PYTHON}: Python 3.11 or later with headers not found; install python3-dev")
  endif()
endif()
if(NOT RILLE_PYTHON_FOUND)
  return()
endif()

file(GLOB sources CONFIGURE_DEPENDS python/src/*.c)
add_library(rille_python MODULE ${sources})
target_compile_definitions(rille_python PRIVATE Py_LIMITED_API=0x030B0000)
target_include_directories(rille_python SYSTEM PRIVATE ${Python3_INCLUDE_DIRS})
target_link_libraries(rille_python PRIVATE librille rille_warnings)
# Casts between function types and to void pointers are how slots of types are given.
set_source_files_properties(${sources} PROPERTIES COMPILE_OPTIONS "-Wno-pedantic;-Wno-cast-function-type")
target_link_options(rille_python PRIVATE -Wl,--exclude-libs,ALL)
set_target_properties(rille_python PROPERTIES PREFIX "" OUTPUT_NAME _core SUFFIX .abi3.so C_VISIBILITY_PRESET hidden
                      LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/python/rille)

if(TARGET rille_bench) # starts the interpreter
  add_dependencies(tools rille_python)
  target_compile_definitions(rille_bench PRIVATE RILLE_PYTHON="${Python3_EXECUTABLE}")
endif()

# The package in the build tree: PYTHONPATH=<build>/python.
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/python/rille)
file(GLOB modules CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR}/python/rille python/rille/*.py python/rille/*.pyi python/rille/py.typed)
foreach(module ${modules})
  file(CREATE_LINK ${CMAKE_SOURCE_DIR}/python/rille/${module} ${CMAKE_BINARY_DIR}/python/rille/${module} SYMBOLIC)
endforeach()
