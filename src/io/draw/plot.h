// SPDX-License-Identifier: Apache-2.0
/// \file
/// Line plots of signals over time, as SVG text or PNG file.
///
///     curves --(one panel for each unit)--> layout --> canvas --> SVG or PNG
///
/// One layout serves both: it draws on a canvas that knows filled rectangles, lines and text.
#ifndef RI_IO_PLOT_H
#define RI_IO_PLOT_H

#include <stdbool.h>
#include <stdint.h>

#include <rille/context.h>

#include "io/record/mcap.h"

typedef struct RiCurve {
    const char *name, *unit;
    const double *x, *y; ///< x ascending; where y is not finite the line has a gap
    int count;
} RiCurve;

typedef struct RiPlot {
    const char *title; ///< "" for none
    const char *x_label;
    const RiCurve *curves;
    int curve_count;
    int width, panel_height; ///< [px] of the drawing area's outer box
    bool pairs; ///< curves of a panel come in pairs of one colour: measured values, drawn as marks, and a line
} RiPlot;

RiPlot ri_plot_default(void);

/// The plot as SVG text, for a file or inside of HTML; release it with ri_release.
RI_MUST_CHECK RiStatus ri_plot_svg(RiContext *ctx, const RiPlot *plot, char **out_text);
/// The plot as a PNG file, drawn at twice the size in pixels.
RI_MUST_CHECK RiStatus ri_plot_png(RiContext *ctx, const RiPlot *plot, const char *path);

// --- axes and curves (also for the terminal) -----------------------------------------------------

/// A range with ticks at whole multiples of `step`.
typedef struct RiAxis {
    double low, high, step;
    int digits; ///< after the point; -1: as %g
} RiAxis;

/// An axis that covers [low, high], widened if they are equal, with about `ticks` ticks.
RiAxis ri_axis_fit(double low, double high, int ticks);
/// Ticks inside of the axis: number and places.
int ri_axis_tick_count(const RiAxis *axis);
double ri_axis_tick(const RiAxis *axis, int index);
void ri_axis_label(const RiAxis *axis, double value, char out[32]);
/// Bounds of the finite values of a plot's curves that have `unit` (NULL: of x). False if there are
/// none.
bool ri_plot_bounds(const RiPlot *plot, const char *unit, double *out_low, double *out_high);
/// Whether a curve is the first of its unit: then a panel begins with it.
bool ri_plot_starts_panel(const RiPlot *plot, int curve);

typedef struct RiPlotPoint {
    double x, y; ///< NaN: gap
} RiPlotPoint;

/// A curve as points, those that fall into one of `buckets` equal parts of [low, high] reduced to
/// first, least, greatest, last. `out` has room for ri_curve_room() points.
int ri_curve_points(const RiCurve *curve, double low, double high, int buckets, RiPlotPoint *out);
size_t ri_curve_room(const RiCurve *curve, int buckets);

// --- canvas --------------------------------------------------------------------------------------

typedef enum RiAnchor { RI_ANCHOR_LEFT, RI_ANCHOR_MIDDLE, RI_ANCHOR_RIGHT } RiAnchor;

typedef struct RiCanvas {
    void *self;
    void (*fill)(void *self, double x, double y, double width, double height, uint32_t rgb);
    void (*line)(void *self, const RiPlotPoint *points, int count, uint32_t rgb, double width);
    /// The anchor stands on the base line; `turned` text runs upwards.
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
/// Colour of the n-th curve of a panel.
uint32_t ri_plot_color(int n);

#endif
