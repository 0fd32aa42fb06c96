# Embree 3, rays and closest points on meshes: target rille::embree and RILLE_EMBREE_FOUND.
set(RILLE_WITH_EMBREE AUTO CACHE STRING "Build with Embree: AUTO (if found), ON (required) or OFF")
set_property(CACHE RILLE_WITH_EMBREE PROPERTY STRINGS AUTO ON OFF)

set(RILLE_EMBREE_FOUND FALSE)
if(RILLE_WITH_EMBREE)
  find_path(RILLE_EMBREE_INCLUDE embree3/rtcore.h)
  find_library(RILLE_EMBREE_LIBRARY embree3)
  if(RILLE_EMBREE_INCLUDE AND RILLE_EMBREE_LIBRARY)
    set(RILLE_EMBREE_FOUND TRUE)
    add_library(rille::embree UNKNOWN IMPORTED)
    set_target_properties(rille::embree PROPERTIES IMPORTED_LOCATION ${RILLE_EMBREE_LIBRARY}
                          INTERFACE_INCLUDE_DIRECTORIES ${RILLE_EMBREE_INCLUDE})
  elseif(RILLE_WITH_EMBREE STREQUAL "AUTO")
    message(STATUS "Building without Embree: embree3/rtcore.h and libembree3 not found; run tools/need.sh core")
  else()
    message(FATAL_ERROR "RILLE_WITH_EMBREE=${RILLE_WITH_EMBREE}: embree3/rtcore.h and libembree3 not found; run tools/need.sh core")
  endif()
endif()
