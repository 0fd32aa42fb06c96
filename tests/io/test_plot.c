// SPDX-License-Identifier: Apache-2.0
/// \file
/// Plots: round ticks, nothing lost by reduction, well-formed SVG, a PNG that a reader accepts.
#include "check.h"

#include <locale.h>
#include <png.h>

#include "base/memory.h"
#include "faults.h"
#include "io/draw/plot.h"
#include "io/draw/plot_text.h"

static const char png_path[] = RILLE_BINARY_DIR "/test_plot.png";

static RiContext *context(void)
{
    RiContext *ctx = NULL;
    if (ri_context_create(NULL, &ctx) != RI_OK)
        abort();
    return ctx;
}

TEST(ticks_are_round_inside_and_enough)
{
    static const double ranges[][2] = {{0.0, 1.0},        {-3.2, 17.0},  {0.0, 0.0},          {5.0, 5.0},
                                       {1e6, 1e6 + 1e-3}, {-1e-9, 2e-9}, {1e300, -1e300 * 0}, {0.1, 0.7},
                                       {-1e308, 1e308},   {0.0, 5e-324}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        const double low = fmin(ranges[i][0], ranges[i][1]), high = fmax(ranges[i][0], ranges[i][1]);
        const RiAxis a = ri_axis_fit(low, high, 5);
        const int n = ri_axis_tick_count(&a);
        CHECK(isfinite(a.low) && isfinite(a.high) && a.low < a.high && n >= 2 && n <= 7);
        for (int k = 0; k < n; k++) {
            const double t = ri_axis_tick(&a, k);
            CHECK(t >= a.low - 1e-6 * a.step && t <= a.high + 1e-6 * a.step);
        }
        const double lead = a.step / pow(10.0, floor(log10(a.step) + 1e-9));
        CHECK(fabs(lead - 1.0) < 1e-9 || fabs(lead - 2.0) < 1e-9 || fabs(lead - 5.0) < 1e-9);
    }
}

TEST(labels_have_the_digits_that_the_step_needs)
{
    char label[32];
    const RiAxis a = ri_axis_fit(0.0, 1.0, 5), b = ri_axis_fit(-100.0, 100.0, 5);
    ri_axis_label(&a, 0.2, label);
    CHECK(strcmp(label, "0.2") == 0);
    ri_axis_label(&b, -50.0, label);
    CHECK(strcmp(label, "-50") == 0);
    CHECK(!signbit(ri_axis_tick(&b, 2)) && ri_axis_tick(&b, 2) == 0.0);
}

TEST(reduction_keeps_extremes_ends_and_gaps)
{
    enum { N = 200000, BUCKETS = 500 };
    static double x[N], y[N];
    for (int i = 0; i < N; i++) {
        x[i] = i;
        y[i] = sin(0.37 * i);
    }
    y[77777] = 40.0;
    y[123456] = -50.0;
    y[150001] = NAN;
    const RiCurve c = {"c", "", x, y, N};
    RiPlotPoint *p = malloc(ri_curve_room(&c, BUCKETS) * sizeof *p);
    const int n = ri_curve_points(&c, 0.0, N - 1, BUCKETS, p);
    CHECK(n > BUCKETS && (size_t)n <= ri_curve_room(&c, BUCKETS) && n <= 4100);
    double least = 0.0, most = 0.0;
    int gaps = 0;
    for (int i = 0; i < n; i++) {
        gaps += isnan(p[i].x);
        least = fmin(least, p[i].y);
        most = fmax(most, p[i].y);
        CHECK(i == 0 || isnan(p[i].x) || isnan(p[i - 1].x) || p[i].x > p[i - 1].x);
    }
    CHECK_CLOSE(most, 40.0, 0.0);
    CHECK_CLOSE(least, -50.0, 0.0);
    CHECK_INT(gaps, 1);
    CHECK_CLOSE(p[0].x, 0.0, 0.0);
    CHECK_CLOSE(p[n - 1].x, N - 1, 0.0);
    free(p);
}

/// Three curves of two units; names that need escapes; a gap and a lone point.
static RiPlot sample_plot(RiCurve curves[3])
{
    static const double t[] = {0.0, 1.0, 2.0, 3.0, 4.0}, a[] = {0.0, 1.0, NAN, 3.0, NAN},
                        b[] = {5.0, 4.0, 3.0, 2.0, 1.0}, c[] = {7.0, 7.0, 7.0, 7.0, 7.0};
    curves[0] = (RiCurve){"a<b>&\"c\"", "rad", t, a, 5};
    curves[1] = (RiCurve){"wheel.torque", "N*m", t, c, 5};
    curves[2] = (RiCurve){"elbow", "rad", t, b, 5};
    RiPlot plot = ri_plot_default();
    plot.title = "sample";
    plot.curves = curves;
    plot.curve_count = 3;
    return plot;
}

static int count(const char *text, const char *part)
{
    int n = 0;
    for (; (text = strstr(text, part)); text++)
        n++;
    return n;
}

TEST(angles_are_bounded_in_degrees_and_nothing_else_is_scaled)
{
    const double x[2] = {0.0, 1.0}, y[2] = {-M_PI / 6.0, M_PI / 2.0};
    const RiCurve curves[2] = {{"a", "rad", x, y, 2}, {"b", "rad/s", x, y, 2}};
    RiPlot plot = ri_plot_default();
    double low, high;
    plot.curves = curves;
    plot.curve_count = 2;
    CHECK(ri_plot_bounds(&plot, "rad", &low, &high));
    CHECK_CLOSE(low, -30.0, 1e-12);
    CHECK_CLOSE(high, 90.0, 1e-12);
    CHECK(ri_plot_bounds(&plot, "rad/s", &low, &high));
    CHECK_CLOSE(high, M_PI / 2.0, 0.0);
    CHECK(ri_plot_bounds(&plot, NULL, &low, &high));
    CHECK_CLOSE(high, 1.0, 0.0);
}

/// Longer text is wider, and it stands on its base line; without cairo there is nothing to test.
TEST(text_has_the_extent_of_its_font)
{
    RiTextMask one, two;
    if (!ri_text_mask("H", 40.0, &one))
        return;
    REQUIRE(ri_text_mask("HH", 40.0, &two));
    CHECK_CLOSE(two.advance, 2.0 * one.advance, 1.0);
    long above = 0, below = 0;
    for (int j = 0; j < one.height; j++)
        for (int i = 0; i < one.width; i++)
            *(j < one.base ? &above : &below) += one.cover[j * one.stride + i];
    CHECK(above > 255 * 100);
    CHECK(below < above / 20);
    ri_text_mask_free(&one);
    ri_text_mask_free(&two);
    CHECK(!ri_text_mask("", 40.0, &one));
}

TEST(svg_escapes_names_breaks_at_gaps_and_has_a_panel_for_each_unit)
{
    RiContext *ctx = context();
    RiCurve curves[3];
    const RiPlot plot = sample_plot(curves);
    char *text = NULL;
    REQUIRE_OK(ctx, ri_plot_svg(ctx, &plot, &text));
    CHECK(strncmp(text, "<svg ", 5) == 0 && strstr(text, "</svg>\n"));
    CHECK_INT(count(text, "a&lt;b&gt;&amp;&quot;c&quot;"), 1);
    CHECK_INT(count(text, ">[deg]<"), 1); // angles are shown in degrees
    CHECK_INT(count(text, ">[rad]<"), 0);
    CHECK_INT(count(text, ">[N*m]<"), 1);
    CHECK_INT(count(text, "time [s]"), 1);
    CHECK_INT(count(text, "h0"), 1); // the lone point
    CHECK_INT(count(text, "nan"), 0);
    CHECK_INT(count(text, "<text"), count(text, "</text>"));
    ri_release(ctx, text);
    RiPlot narrow = plot;
    narrow.width = 10;
    CHECK_ERROR(ctx, ri_plot_svg(ctx, &narrow, &text), RI_ERR_ARGUMENT, "10 x 240 pixels");
    CHECK_ERROR(ctx, ri_plot_png(ctx, &narrow, png_path), RI_ERR_ARGUMENT, "10 x 240 pixels");
    CHECK(text == NULL);
    ri_context_destroy(ctx);
}

TEST(pairs_are_marks_and_a_line_of_one_colour)
{
    RiContext *ctx = context();
    static const double x[] = {0.0, 1.0, 2.0}, y[] = {1.0, 3.0, NAN}, z[] = {1.0, 2.0, 3.0};
    const RiCurve curves[4] = {
        {"tests", "N", x, y, 3}, {"law", "N", x, z, 3}, {"more", "N", x, z, 3}, {"its law", "N", x, y, 3}};
    RiPlot plot = ri_plot_default();
    char *text = NULL, first[16], second[16], third[16];
    plot.curves = curves;
    plot.curve_count = 4;
    snprintf(first, sizeof first, "#%06x", ri_plot_color(0));
    snprintf(second, sizeof second, "#%06x", ri_plot_color(1));
    snprintf(third, sizeof third, "#%06x", ri_plot_color(2));
    REQUIRE_OK(ctx, ri_plot_svg(ctx, &plot, &text));
    CHECK_INT(count(text, third), 2); // a line and its dash in the legend
    ri_release(ctx, text);
    plot.pairs = true;
    REQUIRE_OK(ctx, ri_plot_svg(ctx, &plot, &text));
    CHECK_INT(count(text, first), 5);  // two marks and that of the legend, a line and its dash
    CHECK_INT(count(text, second), 6); // three marks
    CHECK_INT(count(text, third), 0);
    ri_release(ctx, text);
    ri_context_destroy(ctx);
}

TEST(a_plot_of_nothing_is_a_plot)
{
    RiContext *ctx = context();
    char *text = NULL;
    RiPlot plot = ri_plot_default();
    CHECK_OK(ctx, ri_plot_svg(ctx, &plot, &text));
    ri_release(ctx, text);
    const RiCurve empty = {"empty", "m", NULL, NULL, 0};
    plot.curves = &empty;
    plot.curve_count = 1;
    CHECK_OK(ctx, ri_plot_svg(ctx, &plot, &text));
    ri_release(ctx, text);
    CHECK_OK(ctx, ri_plot_png(ctx, &plot, png_path));
    ri_context_destroy(ctx);
}

TEST(png_has_the_curve_where_it_belongs)
{
    RiContext *ctx = context();
    RiCurve curves[3];
    const RiPlot plot = sample_plot(curves);
    REQUIRE_OK(ctx, ri_plot_png(ctx, &plot, png_path));
    png_image image = {.version = PNG_IMAGE_VERSION};
    REQUIRE(png_image_begin_read_from_file(&image, png_path));
    CHECK_INT(image.width, 2 * plot.width);
    CHECK_INT(image.height, 2 * ri_plot_height(&plot));
    image.format = PNG_FORMAT_RGB;
    uint8_t *pixels = malloc(PNG_IMAGE_SIZE(image));
    REQUIRE(pixels && png_image_finish_read(&image, NULL, pixels, 0, NULL));
    // the falling curve of the first panel: its colour is higher in the left half than in the right
    // half
    const uint32_t color = ri_plot_color(1);
    double sum[2] = {0.0, 0.0};
    int n[2] = {0, 0};
    for (int y = 100; y < (int)image.height / 2 - 40; y++)
        for (int x = 150; x < (int)image.width; x++) {
            const uint8_t *p = pixels + 3 * ((size_t)y * image.width + (size_t)x);
            if (((uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2]) != color)
                continue;
            sum[x > (int)image.width / 2] += y;
            n[x > (int)image.width / 2]++;
        }
    CHECK(n[0] > 500 && n[1] > 500 && sum[0] / n[0] + 50.0 < sum[1] / n[1]);
    CHECK_INT(pixels[0], 255);
    free(pixels);
    CHECK_ERROR(ctx, ri_plot_png(ctx, &plot, "/dev/full"), RI_ERR_IO, "/dev/full");
    ri_context_destroy(ctx);
}

TEST(the_nth_failed_allocation_leaks_nothing)
{
    RiCurve curves[3];
    const RiPlot plot = sample_plot(curves);
    RiStatus status = RI_ERR_MEMORY;
    for (long at = 0; status == RI_ERR_MEMORY && at < 200; at++) {
        Faults f = {.fail_at = at};
        const RiAllocator allocator = faults_allocator(&f);
        RiContext *ctx;
        char *text = NULL;
        status = ri_context_create(&allocator, &ctx);
        if (status != RI_OK)
            continue;
        status = ri_plot_svg(ctx, &plot, &text);
        ri_release(ctx, text);
        if (status == RI_OK)
            status = ri_plot_png(ctx, &plot, png_path);
        ri_context_destroy(ctx);
        CHECK_INT(f.live, 0);
    }
    CHECK_INT(status, RI_OK);
}

TEST_MAIN(CASE(ticks_are_round_inside_and_enough), CASE(labels_have_the_digits_that_the_step_needs),
          CASE(reduction_keeps_extremes_ends_and_gaps), CASE(angles_are_bounded_in_degrees_and_nothing_else_is_scaled),
          CASE(text_has_the_extent_of_its_font), CASE(svg_escapes_names_breaks_at_gaps_and_has_a_panel_for_each_unit),
          CASE(pairs_are_marks_and_a_line_of_one_colour), CASE(a_plot_of_nothing_is_a_plot),
          CASE(png_has_the_curve_where_it_belongs), CASE(the_nth_failed_allocation_leaks_nothing))
