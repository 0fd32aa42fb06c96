# GDAL, for rasters in files. Its headers are used at build time; the library is loaded when the first raster is, in a child process:
# linking it would add 0.2 s and 115 shared objects to every start of every program.
set(RILLE_WITH_GDAL AUTO CACHE STRING "Build with GDAL: AUTO (if found), ON (required) or OFF")
set_property(CACHE RILLE_WITH_GDAL PROPERTY STRINGS AUTO ON OFF)

set(RILLE_GDAL_FOUND FALSE)
if(RILLE_WITH_GDAL)
  find_path(RILLE_GDAL_INCLUDE gdal.h PATH_SUFFIXES gdal)
  find_library(RILLE_GDAL_LIBRARY gdal)
  if(RILLE_GDAL_INCLUDE AND RILLE_GDAL_LIBRARY)
    set(RILLE_GDAL_FOUND TRUE)
    set(RILLE_GDAL_NAME ${RILLE_GDAL_LIBRARY})
    if(IS_SYMLINK ${RILLE_GDAL_LIBRARY}) # libgdal.so -> libgdal.so.32, the name that the run-time package has
      file(READ_SYMLINK ${RILLE_GDAL_LIBRARY} RILLE_GDAL_NAME)
    endif()
  elseif(RILLE_WITH_GDAL STREQUAL "AUTO")
    message(STATUS "Building without GDAL: gdal.h and libgdal not found; install libgdal-dev")
  else()
    message(FATAL_ERROR "RILLE_WITH_GDAL=${RILLE_WITH_GDAL}: gdal.h and libgdal not found; install libgdal-dev")
  endif()
endif()
