# SUNDIALS CVODE, the reference integrator: target rille::cvode and RILLE_CVODE_FOUND. Looked for in build-deps (unpacked there
# by tools/need.sh), then in the system. The static library is preferred: programs built with librille need no SUNDIALS then.
set(RILLE_WITH_CVODE AUTO CACHE STRING "Build with SUNDIALS CVODE: AUTO (if found), ON (required) or OFF")
set_property(CACHE RILLE_WITH_CVODE PROPERTY STRINGS AUTO ON OFF)

set(RILLE_CVODE_FOUND FALSE)
if(RILLE_WITH_CVODE)
  if(RILLE_CVODE_LIBRARY AND NOT EXISTS ${RILLE_CVODE_LIBRARY}) # remembered from before build-deps was removed
    unset(RILLE_CVODE_INCLUDE CACHE)
    unset(RILLE_CVODE_LIBRARY CACHE)
  endif()
  set(dependency ${CMAKE_SOURCE_DIR}/build-deps/sundials)
  find_path(RILLE_CVODE_INCLUDE cvode/cvode.h HINTS ${dependency}/include)
  find_library(RILLE_CVODE_LIBRARY NAMES libsundials_cvode.a sundials_cvode HINTS ${dependency}/lib)
  set(why "cvode/cvode.h and libsundials_cvode not found; run tools/need.sh core")
  if(RILLE_CVODE_INCLUDE AND RILLE_CVODE_LIBRARY)
    file(STRINGS ${RILLE_CVODE_INCLUDE}/sundials/sundials_config.h lines
         REGEX "^#define SUNDIALS_(VERSION_MAJOR 6|DOUBLE_PRECISION)")
    list(LENGTH lines matches) # of the two lines that the interface used needs
    if(matches EQUAL 2)
      set(RILLE_CVODE_FOUND TRUE)
    else()
      set(why "SUNDIALS in ${RILLE_CVODE_INCLUDE} is not version 6 in double precision")
    endif()
  endif()
  if(NOT RILLE_CVODE_FOUND)
    if(RILLE_WITH_CVODE STREQUAL "AUTO")
      message(STATUS "Building without CVODE: ${why}")
    else()
      message(FATAL_ERROR "RILLE_WITH_CVODE=${RILLE_WITH_CVODE}: ${why}")
    endif()
  endif()
endif()
if(RILLE_CVODE_FOUND)
  add_library(rille::cvode UNKNOWN IMPORTED)
  set_target_properties(rille::cvode PROPERTIES IMPORTED_LOCATION ${RILLE_CVODE_LIBRARY}
                        INTERFACE_INCLUDE_DIRECTORIES ${RILLE_CVODE_INCLUDE} INTERFACE_LINK_LIBRARIES m)
endif()
