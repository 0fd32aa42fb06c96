// SPDX-License-Identifier: Apache-2.0
/// \file
/// The files of the web page, compiled into the program (generated from viewer/dist by
/// tools/embed.c).
#ifndef RI_LINK_PAGE_H
#define RI_LINK_PAGE_H

#include <stddef.h>

typedef struct RiPageFile {
    const char *path; ///< "/app.js"
    const char *type; ///< media type
    const unsigned char *data;
    size_t size; ///< of the gzip stream
} RiPageFile;

extern const RiPageFile ri_page_files[];
extern const int ri_page_file_count;

#endif
