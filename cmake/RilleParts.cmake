# rille_part(NAME MODULE PACKAGE WHAT): an optional library found by pkg-config. RILLE_WITH_NAME is AUTO (if found), ON
# (required) or OFF; sets NAME_FOUND and the target PkgConfig::NAME. The other optional parts, which pkg-config does not
# know, have files of their own with the same three settings: RilleCvode, RilleGdal, RilleEmbree.
macro(rille_part name module package what)
  set(RILLE_WITH_${name} AUTO CACHE STRING "Build with ${module}, ${what}: AUTO (if found), ON (required) or OFF")
  set_property(CACHE RILLE_WITH_${name} PROPERTY STRINGS AUTO ON OFF)
  set(${name}_FOUND FALSE)
  if(RILLE_WITH_${name})
    pkg_check_modules(${name} QUIET IMPORTED_TARGET ${module})
    if(NOT ${name}_FOUND AND RILLE_WITH_${name} STREQUAL "AUTO")
      message(STATUS "Building without ${module} (${what}): install ${package}")
    elseif(NOT ${name}_FOUND)
      message(FATAL_ERROR "RILLE_WITH_${name}=${RILLE_WITH_${name}}: ${module} not found; install ${package}")
    endif()
  endif()
endmacro()
