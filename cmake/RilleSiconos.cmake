# Siconos Numerics, a second solver of contact problems for `rille contact solve --solver siconos` and `rille bench contact`. Only its headers are used at
# build time; the library is loaded when it is asked for. Nothing else needs it.
find_path(RILLE_SICONOS_INCLUDE numerics/FrictionContactProblem.h PATH_SUFFIXES siconos)
find_library(RILLE_SICONOS_FILE siconos_numerics)
mark_as_advanced(RILLE_SICONOS_INCLUDE RILLE_SICONOS_FILE)
set(RILLE_SICONOS_FOUND FALSE)
if(RILLE_SICONOS_INCLUDE AND RILLE_SICONOS_FILE)
  set(RILLE_SICONOS_FOUND TRUE)
  file(REAL_PATH ${RILLE_SICONOS_FILE} real)
  get_filename_component(RILLE_SICONOS_NAME ${real} NAME)
  string(REGEX REPLACE "(\\.so\\.[0-9]+).*" "\\1" RILLE_SICONOS_NAME ${RILLE_SICONOS_NAME})
endif()
