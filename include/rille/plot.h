// SPDX-License-Identifier: Apache-2.0
/// \file
/// Line plots of signals over time, as SVG text or PNG file.
///
///     curves --(one panel for each unit)--> layout --> canvas --> SVG or PNG
///
/// Threads and ownership: a plot borrows its curves and texts; any number of threads.
#ifndef RILLE_PLOT_H
#define RILLE_PLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <rille/context.h>

#ifdef __cplusplus
extern "C" {
#endif

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

/// The defaults that its fields name.
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
/// Place of a tick, index from 0 to ri_axis_tick_count() - 1.
double ri_axis_tick(const RiAxis *axis, int index);
/// A value as the axis writes it, with as many digits as its ticks need.
void ri_axis_label(const RiAxis *axis, double value, char out[32]);
/// What values of a unit are multiplied by to be shown, and the unit shown: angles are in degrees.
double ri_plot_scale(const char *unit, const char **out_shown);
/// Bounds, as shown, of the finite values of a plot's curves that have `unit` (NULL: of x). False if
/// there are none.
bool ri_plot_bounds(const RiPlot *plot, const char *unit, double *out_low, double *out_high);
/// Whether a curve is the first of its unit: then a panel begins with it.
bool ri_plot_starts_panel(const RiPlot *plot, int curve);

typedef struct RiPlotPoint {
    double x, y; ///< NaN: gap
} RiPlotPoint;

/// A curve as points, those that fall into one of `buckets` equal parts of [low, high] reduced to
/// first, least, greatest, last. `out` has room for ri_curve_room() points.
int ri_curve_points(const RiCurve *curve, double low, double high, int buckets, RiPlotPoint *out);
/// Most points that ri_curve_points writes.
size_t ri_curve_room(const RiCurve *curve, int buckets);

/// Colour of the n-th curve of a panel.
uint32_t ri_plot_color(int n);

#ifdef __cplusplus
}
#endif
#endif
