# The web page of the viewer, compiled into the library: viewer/dist, or a page that says how to get it. No Node is needed here:
# viewer/dist is built by npm (`make page`) and kept with the sources.
find_package(ZLIB REQUIRED)
add_executable(embed ${CMAKE_SOURCE_DIR}/tools/embed.c)
target_link_libraries(embed PRIVATE ZLIB::ZLIB rille_warnings)
file(GLOB page_files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/viewer/dist/*)
set(page_source ${CMAKE_BINARY_DIR}/page/page.c)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/page)
add_custom_command(OUTPUT ${page_source}
                   COMMAND embed ${page_source} ${CMAKE_SOURCE_DIR}/src/link/page_missing.html ${page_files}
                   DEPENDS embed ${CMAKE_SOURCE_DIR}/src/link/page_missing.html ${page_files}
                   COMMENT "Embedding the viewer's page")
target_sources(room_link PRIVATE ${page_source})
