// SPDX-License-Identifier: Apache-2.0
/// \file
/// Plots inside of the library: one layout draws on a canvas that knows filled rectangles, lines
/// and text, and serves SVG and PNG.
#ifndef RI_IO_PLOT_H
#define RI_IO_PLOT_H

#include <rille/plot.h>

#include "io/record/mcap.h"

typedef enum RiAnchor { RI_ANCHOR_LEFT, RI_ANCHOR_MIDDLE, RI_ANCHOR_RIGHT } RiAnchor;

typedef struct RiCanvas {
    void *self;
    void (*fill)(void *self, double x, double y, double width, double height, uint32_t rgb);
    void (*line)(void *self, const RiPlotPoint *points, int count, uint32_t rgb, double width);
    /// The anchor is on the base line; `turned` text runs upwards.
    void (*text)(void *self, double x, double y, const char *text, RiAnchor anchor, uint32_t rgb, double size,
                 bool turned);
} RiCanvas;

struct RiPicture;
/// A canvas on a picture of bytes; a unit is two pixels.
RiCanvas ri_picture_canvas(struct RiPicture *picture);

#define RI_GLYPH_ADVANCE 0.62 ///< width of a character, of its size

/// RI_ERR_ARGUMENT if the sizes make no sense.
RI_MUST_CHECK RiStatus ri_plot_check(RiContext *ctx, const RiPlot *plot);
int ri_plot_height(const RiPlot *plot);
RI_MUST_CHECK RiStatus ri_plot_draw(RiContext *ctx, const RiPlot *plot, const RiCanvas *canvas);
/// Strokes of a character on a grid of 4 x 8 (capitals 0 to 6): pairs of digits x y, strokes parted
/// by spaces.
const char *ri_glyph(unsigned char c);

#endif
