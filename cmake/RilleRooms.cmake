# rille_room(NAME [USES room...] [SEES room...] [HEADERS public-header...])
#
# A room is src/NAME compiled with an include folder that holds links to the rooms it uses and nothing else:
# <build>/rooms/NAME/{NAME,USES...} for internal headers, .../rille/*.h for public ones. Of rooms that it SEES it has the public
# headers alone.
function(rille_room name)
  cmake_parse_arguments(ARG "" "" "USES;SEES;HEADERS" ${ARGN})
  set(stage ${CMAKE_BINARY_DIR}/rooms/${name})
  file(REMOVE_RECURSE ${stage})
  file(MAKE_DIRECTORY ${stage}/rille/study)
  set_property(GLOBAL PROPERTY RILLE_HEADERS_${name} ${ARG_HEADERS})
  foreach(room ${name} ${ARG_USES})
    file(CREATE_LINK ${CMAKE_SOURCE_DIR}/src/${room} ${stage}/${room} SYMBOLIC)
  endforeach()
  foreach(room ${name} ${ARG_USES} ${ARG_SEES})
    get_property(headers GLOBAL PROPERTY RILLE_HEADERS_${room})
    foreach(header ${headers})
      file(CREATE_LINK ${CMAKE_SOURCE_DIR}/include/rille/${header} ${stage}/rille/${header} SYMBOLIC)
    endforeach()
  endforeach()
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${name}/*.c)
  list(FILTER sources EXCLUDE REGEX "_kernel\\.c$") # compiled once per instruction set: RilleKernels.cmake
  if(NOT sources)
    return() # a room that nobody has moved into yet
  endif()
  add_library(room_${name} OBJECT ${sources})
  set_property(GLOBAL APPEND PROPERTY RILLE_ROOM_OBJECTS $<TARGET_OBJECTS:room_${name}>)
  target_include_directories(room_${name} PRIVATE ${stage})
  target_link_libraries(room_${name} PRIVATE rille_warnings)
endfunction()
