// SPDX-License-Identifier: Apache-2.0
/// \file
/// Plots made of characters: a panel for each unit, as in the pictures. A braille cell holds two by
/// four dots, so a panel of 80 columns has the resolution of 160 by 60 dots.
#include "view/plot_terminal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { LABEL = 11, LEAST_COLUMNS = 40, MOST_COLUMNS = 400 };

typedef struct Grid {
    const TerminalStyle *style;
    int columns, rows;   ///< cells
    int across, down;    ///< dots in a cell
    unsigned char *dots; ///< braille: bits; else: a letter
    signed char *owner;  ///< curve that drew last, -1: none
    RiAxis time, value;
} Grid;

static bool is_utf8(void)
{
    static const char *const variables[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *value = getenv(variables[i]);
        if (value && value[0])
            return strstr(value, "UTF-8") || strstr(value, "utf8") || strstr(value, "UTF8") || strstr(value, "utf-8");
    }
    return false;
}

TerminalStyle plot_terminal_style(void)
{
    TerminalStyle s = {.columns = 80, .rows = 15, .braille = is_utf8()};
    struct winsize size;
    const char *columns = getenv("COLUMNS");
    if (columns && atoi(columns) > 0)
        s.columns = atoi(columns);
    else if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        s.columns = size.ws_col;
    s.columns = s.columns < LEAST_COLUMNS ? LEAST_COLUMNS : s.columns > MOST_COLUMNS ? MOST_COLUMNS : s.columns;
    s.color = isatty(STDOUT_FILENO) && !getenv("NO_COLOR");
    return s;
}

// --- dots ----------------------------------------------------------------------------------------

static char letter(int curve)
{
    return "*+xo#@%&"[curve % 8];
}

static void set_dot(Grid *g, int x, int y, int curve)
{
    static const unsigned char bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    if (x < 0 || y < 0 || x >= g->columns * g->across || y >= g->rows * g->down)
        return;
    const int cell = y / g->down * g->columns + x / g->across;
    if (g->style->braille)
        g->dots[cell] |= bits[y % 4][x % 2];
    else
        g->dots[cell] = (unsigned char)letter(curve);
    g->owner[cell] = (signed char)(curve % 8);
}

static int dot_x(const Grid *g, double t)
{
    return (int)((t - g->time.low) / (g->time.high - g->time.low) * (g->columns * g->across - 1) + 0.5);
}

static int dot_y(const Grid *g, double v)
{
    return (int)((g->value.high - v) / (g->value.high - g->value.low) * (g->rows * g->down - 1) + 0.5);
}

static void draw_segment(Grid *g, RiPlotPoint a, RiPlotPoint b, int curve)
{
    const int x1 = dot_x(g, a.x), y1 = dot_y(g, a.y), x2 = dot_x(g, b.x), y2 = dot_y(g, b.y);
    const int steps = abs(x2 - x1) > abs(y2 - y1) ? abs(x2 - x1) : abs(y2 - y1);
    for (int i = 0; i <= steps; i++) {
        const double s = steps > 0 ? (double)i / steps : 0.0;
        set_dot(g, x1 + (int)lround(s * (x2 - x1)), y1 + (int)lround(s * (y2 - y1)), curve);
    }
}

static bool draw_curve(Grid *g, const RiCurve *c, int n)
{
    const int buckets = g->columns * g->across;
    RiPlotPoint *p = malloc((ri_curve_room(c, buckets) + 1) * sizeof *p);
    if (!p)
        return false;
    const int count = ri_curve_points(c, g->time.low, g->time.high, buckets, p);
    const char *shown;
    const double scale = ri_plot_scale(c->unit, &shown);
    for (int i = 0; i < count; i++)
        p[i].y *= scale;
    for (int i = 0; i < count; i++)
        if (!isnan(p[i].x))
            draw_segment(g, p[i], i + 1 < count && !isnan(p[i + 1].x) ? p[i + 1] : p[i], n);
    free(p);
    return true;
}

// --- printing ------------------------------------------------------------------------------------

static void print_color(FILE *out, const TerminalStyle *style, int curve)
{
    const uint32_t c = ri_plot_color(curve);
    if (style->color)
        fprintf(out, "\033[38;2;%u;%u;%um", (c >> 16) & 255, (c >> 8) & 255, c & 255);
}

static void print_plain(FILE *out, const TerminalStyle *style)
{
    if (style->color)
        fputs("\033[0m", out);
}

static void print_cell(FILE *out, const Grid *g, int cell)
{
    const unsigned dots = g->dots[cell];
    if (dots && g->owner[cell] >= 0)
        print_color(out, g->style, g->owner[cell]);
    if (g->style->braille && dots)
        fprintf(out, "%c%c%c", 0xe2, 0xa0 | (int)(dots >> 6), 0x80 | (int)(dots & 63)); // U+2800 + dots as UTF-8
    else
        fputc(dots ? (int)dots : ' ', out);
    if (dots)
        print_plain(out, g->style);
}

/// The label of the tick that falls into a row of cells, or "".
static void row_label(const Grid *g, int row, char out[32])
{
    out[0] = '\0';
    for (int i = 0; i < ri_axis_tick_count(&g->value); i++)
        if (dot_y(g, ri_axis_tick(&g->value, i)) / g->down == row)
            ri_axis_label(&g->value, ri_axis_tick(&g->value, i), out);
}

static void print_rows(FILE *out, const Grid *g)
{
    const char *const wall = g->style->braille ? "\u2502" : "|", *const tick = g->style->braille ? "\u2524" : "+";
    for (int row = 0; row < g->rows; row++) {
        char label[32];
        row_label(g, row, label);
        fprintf(out, "%*s %s", LABEL - 1, label, label[0] ? tick : wall);
        for (int i = 0; i < g->columns; i++)
            print_cell(out, g, row * g->columns + i);
        fputc('\n', out);
    }
}

/// Labels of the time axis, each centred below its tick, as many as fit.
static void print_time_axis(FILE *out, const Grid *g, const char *x_label)
{
    char line[MOST_COLUMNS + 64];
    memset(line, ' ', sizeof line);
    int end = 0;
    for (int i = 0; i < ri_axis_tick_count(&g->time); i++) {
        char label[32];
        ri_axis_label(&g->time, ri_axis_tick(&g->time, i), label);
        const int n = (int)strlen(label), at = dot_x(g, ri_axis_tick(&g->time, i)) / g->across - n / 2;
        const int start = at < 0 ? 0 : at;
        if (start < end || start + n > g->columns + 8)
            continue;
        memcpy(line + start, label, (size_t)n);
        end = start + n + 2;
    }
    fprintf(out, "%*s %s", LABEL - 1, "", g->style->braille ? "\u2514" : "+");
    for (int i = 0; i < g->columns; i++)
        fputs(g->style->braille ? "\u2500" : "-", out);
    fprintf(out, "\n%*s%.*s %s\n", LABEL + 1, "", end > 2 ? end - 2 : 0, line, x_label);
}

static void print_legend(FILE *out, const RiPlot *plot, const TerminalStyle *style, const char *unit)
{
    int n = 0;
    const char *shown;
    ri_plot_scale(unit, &shown);
    for (int i = 0; i < plot->curve_count; i++) {
        if (strcmp(plot->curves[i].unit, unit) != 0)
            continue;
        fprintf(out, "%*s", LABEL + 1, "");
        print_color(out, style, n);
        if (style->braille)
            fputs("\u2501\u2501", out);
        else
            fputc(letter(n), out);
        print_plain(out, style);
        fprintf(out, " %s [%s]\n", plot->curves[i].name, shown[0] ? shown : "-");
        n++;
    }
}

static void fit_axes(Grid *g, const RiPlot *plot, const char *unit)
{
    double low, high;
    if (!ri_plot_bounds(plot, NULL, &low, &high))
        low = 0.0, high = 1.0;
    g->time = ri_axis_fit(low, high, g->columns / 12 > 1 ? g->columns / 12 : 1);
    if (!ri_plot_bounds(plot, unit, &low, &high))
        low = 0.0, high = 1.0;
    g->value = ri_axis_fit(low, high, 5);
}

static bool print_panel(FILE *out, const RiPlot *plot, const TerminalStyle *style, const char *unit)
{
    Grid g = {.style = style, .columns = style->columns - LABEL - 2, .rows = style->rows};
    g.across = style->braille ? 2 : 1;
    g.down = style->braille ? 4 : 1;
    const size_t cells = (size_t)g.columns * (size_t)g.rows;
    g.dots = calloc(cells, 1);
    g.owner = malloc(cells);
    bool done = g.dots && g.owner;
    if (done) {
        memset(g.owner, -1, cells);
        fit_axes(&g, plot, unit);
    }
    for (int i = 0, n = 0; i < plot->curve_count && done; i++)
        if (strcmp(plot->curves[i].unit, unit) == 0)
            done = draw_curve(&g, &plot->curves[i], n++);
    if (done) {
        print_legend(out, plot, style, unit);
        print_rows(out, &g);
        print_time_axis(out, &g, plot->x_label);
    }
    free(g.dots);
    free(g.owner);
    return done;
}

bool plot_terminal(FILE *out, const RiPlot *plot, const TerminalStyle *style)
{
    if (plot->title[0])
        fprintf(out, "%s\n", plot->title);
    for (int i = 0; i < plot->curve_count; i++)
        if (ri_plot_starts_panel(plot, i) && !print_panel(out, plot, style, plot->curves[i].unit))
            return false;
    return true;
}
