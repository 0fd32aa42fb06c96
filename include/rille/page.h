// SPDX-License-Identifier: Apache-2.0
/// \file
/// The page of a run: one HTML file with a table, plots of logged values and events, that opens
/// without a network.
#ifndef RILLE_PAGE_H
#define RILLE_PAGE_H

#include <stdio.h>

#include <rille/context.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct RiPageRow {
    const char *name, *text;
} RiPageRow;

typedef struct RiPagePlot {
    const char *title;
    const char *const *globs; ///< of logged values
    int glob_count;
} RiPagePlot;

typedef struct RiPageEvent {
    double time; ///< [s]
    const char *text;
} RiPageEvent;

typedef struct RiPagePicture {
    double time; ///< [s]
    const unsigned char *png;
    size_t size;
} RiPagePicture;

typedef struct RiPage {
    const char *title, *doc;
    const char *story;       ///< what happened, in sentences; NULL
    const char *scene;       ///< as the command takes it; NULL
    const RiPageRow *checks; ///< name: pass, failed or open
    int check_count;
    const RiPageRow *rows; ///< technical; folded
    int row_count;
    const RiPagePlot *plots;
    int plot_count;
    const RiPagePicture *pictures; ///< put into the file itself
    int picture_count;
    const RiPageEvent *events;
    int event_count;
    const char *log; ///< path of the closed log; NULL: no plots
} RiPage;

/// Writes the page. A plot without logged values says so. RI_ERR_IO if the file cannot be written;
/// other failures are those of reading the log.
RI_MUST_CHECK RiStatus ri_page_save(RiContext *ctx, const RiPage *page, const char *path);

/// Bytes as base64, for pictures that are part of a page.
void ri_page_put_base64(FILE *out, const unsigned char *data, size_t size);

#ifdef __cplusplus
}
#endif
#endif
