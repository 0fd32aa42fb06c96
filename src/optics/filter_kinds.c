// SPDX-License-Identifier: Apache-2.0
/// \file
/// The built-in filters and their table: one row each, with its options.
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/functions.h"
#include "optics/filter_jpeg.h"
#include "optics/filter_lens.h"
#include <rille/filter.h>

#define COUNT(a) (int)(sizeof(a) / sizeof *(a))
#define ANY      1e30

static size_t values_of(const RiImage *im)
{
    return (size_t)im->width * (size_t)im->height * (size_t)im->channels;
}

static const char *need_scale(const RiFilterCall *c)
{
    return c->image->full_scale > 0.0 ? NULL : "needs an exposed image: put 'exposure' before it";
}

// --- exposure ------------------------------------------------------------------------------------

enum { EX_MODE, EX_GAIN, EX_TARGET, EX_PERCENTILE, EX_SPEED, EX_WELL };
static const RiFilterOption exposure_options[] = {
    {"mode", "", "fixed gain, or one that follows the picture", 1, 0, 1, "fixed|auto"},
    {"gain", "", "electrons per W/(m^2 sr), fixed mode", 100, 1e-12, ANY, NULL},
    {"target", "", "part of the full well that the percentile is brought to", 0.7, 0.01, 1, NULL},
    {"percentile", "", "of the picture's values, auto mode", 95, 1, 100, NULL},
    {"speed", "", "part of the way to the target per frame, auto mode", 1, 0.01, 1, NULL},
    {"full_well", "electrons", "charge of a white pixel", 20000, 1, 1e9, NULL},
};

static int by_size(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/// The percentile over at most 4096 values spread over the picture.
static double percentile(const RiFilterCall *c, double percent)
{
    const size_t n = values_of(c->image), step = n / 4096 + 1;
    size_t m = 0;
    for (size_t i = 0; i < n; i += step)
        c->scratch[m++] = c->image->data[i];
    qsort(c->scratch, m, sizeof(float), by_size);
    const size_t k = (size_t)(percent / 100.0 * (double)(m - 1) + 0.5);
    return (double)c->scratch[k];
}

/// state[0] is the gain of the last frame.
static const char *exposure(RiFilterCall *c)
{
    RiImage *im = c->image;
    if (im->full_scale != 0.0)
        return "the image is exposed already";
    double gain = c->options[EX_GAIN];
    if (c->options[EX_MODE] > 0.5) {
        const double bright = percentile(c, c->options[EX_PERCENTILE]);
        gain = c->state[0];
        if (bright > 0.0) {
            const double want = c->options[EX_TARGET] * c->options[EX_WELL] / bright;
            gain = c->state[0] > 0.0 ? c->state[0] * ri_pow(want / c->state[0], c->options[EX_SPEED]) : want;
        }
        c->state[0] = gain;
    }
    for (size_t i = 0; i < values_of(im); i++)
        im->data[i] = (float)((double)im->data[i] * gain);
    im->full_scale = c->options[EX_WELL];
    return NULL;
}

// --- lens ----------------------------------------------------------------------------------------

enum { VI_MAPPING, VI_STRENGTH, VI_APERTURE, VI_SOFTNESS };
static const RiFilterOption vignetting_options[] = {
    {"mapping", "", "of the lens; as_lens: perspective (cos^4) or equidistant, as the camera says", 0, 0, 5,
     "as_lens|perspective|equidistant|equisolid|orthographic|stereographic"},
    {"strength", "", "1: the ideal lens; 0: none; powers in between", 1, 0, 4, NULL},
    {"aperture", "rad", "angle at which the barrel begins to cut; 0: never", 0, 0, 3.2, NULL},
    {"softness", "rad", "from there to darkness", 0.1, 1e-3, 3.2, NULL},
};

static double barrel(const double *o, double theta)
{
    if (o[VI_APERTURE] <= 0.0 || theta <= o[VI_APERTURE])
        return 1.0;
    const double t = (theta - o[VI_APERTURE]) / o[VI_SOFTNESS];
    return t >= 1.0 ? 0.0 : 1.0 - t * t * (3.0 - 2.0 * t);
}

static const char *vignetting(RiFilterCall *c)
{
    RiImage *im = c->image;
    if (!(c->lens.focal > 0.0))
        return "needs a lens with a focal length";
    const int chosen = (int)c->options[VI_MAPPING];
    const RiLensMapping mapping =
        chosen ? (RiLensMapping)(chosen - 1) : (c->lens.perspective ? RI_LENS_PERSPECTIVE : RI_LENS_EQUIDISTANT);
    for (int y = 0; y < im->height; y++)
        for (int x = 0; x < im->width; x++) {
            const double theta = ri_lens_angle(mapping, ri_hypot(x - c->lens.x, y - c->lens.y) / c->lens.focal);
            const double f = isnan(theta) ? 0.0
                                          : ri_pow(ri_lens_falloff(mapping, theta), c->options[VI_STRENGTH]) *
                                                barrel(c->options, theta);
            float *p = im->data + ((size_t)y * (size_t)im->width + (size_t)x) * (size_t)im->channels;
            for (int k = 0; k < im->channels; k++)
                p[k] = (float)((double)p[k] * f);
        }
    return NULL;
}

enum { MB_X, MB_Y };
static const RiFilterOption motion_options[] = {
    {"x", "pixels", "path of the image during the exposure, to the right", 0, -256, 256, NULL},
    {"y", "pixels", "downwards", 0, -256, 256, NULL},
};

/// Mean along the path, centred, with one bilinear sample per pixel of its length at least. Beyond
/// the border the border's value.
static const char *motion_blur(RiFilterCall *c)
{
    RiImage *im = c->image;
    const double mx = c->options[MB_X], my = c->options[MB_Y];
    const int n = (int)ceil(2.0 * ri_hypot(mx, my)) + 1;
    if (n <= 1)
        return NULL;
    memcpy(c->scratch, im->data, values_of(im) * sizeof(float));
    for (int y = 0; y < im->height; y++)
        for (int x = 0; x < im->width; x++)
            for (int k = 0; k < im->channels; k++) {
                double sum = 0.0;
                for (int i = 0; i < n; i++) {
                    const double t = (double)i / (n - 1) - 0.5;
                    const double u = fmin(im->width - 1, fmax(0.0, x + mx * t)),
                                 v = fmin(im->height - 1, fmax(0.0, y + my * t));
                    const int u0 = (int)u, v0 = (int)v, u1 = u0 + (u0 + 1 < im->width), v1 = v0 + (v0 + 1 < im->height);
                    const double a = u - u0, b = v - v0;
                    const size_t w = (size_t)im->width, ch = (size_t)im->channels;
                    const float *s = c->scratch + k;
                    sum += (1 - b) * ((1 - a) * (double)s[((size_t)v0 * w + (size_t)u0) * ch] +
                                      a * (double)s[((size_t)v0 * w + (size_t)u1) * ch]) +
                           b * ((1 - a) * (double)s[((size_t)v1 * w + (size_t)u0) * ch] +
                                a * (double)s[((size_t)v1 * w + (size_t)u1) * ch]);
                }
                im->data[((size_t)y * (size_t)im->width + (size_t)x) * (size_t)im->channels + (size_t)k] =
                    (float)(sum / n);
            }
    return NULL;
}

enum { LD_SPOTS, LD_RADIUS, LD_DARK };
static const RiFilterOption dust_options[] = {
    {"spots", "", "grains on the lens", 20, 0, 10000, NULL},
    {"radius", "pixels", "typical radius of their shadow", 6, 0.5, 1000, NULL},
    {"opacity", "", "of a grain's middle", 0.15, 0, 1, NULL},
};

/// Out-of-focus shadows with soft edges; where they are belongs to the camera.
static const char *lens_dust(RiFilterCall *c)
{
    RiImage *im = c->image;
    c->fixed = 1;
    for (unsigned long long i = 0; i < (unsigned long long)c->options[LD_SPOTS]; i++) {
        const double cx = c->uniform(c, 4 * i) * im->width, cy = c->uniform(c, 4 * i + 1) * im->height;
        const double r = c->options[LD_RADIUS] * (0.5 + c->uniform(c, 4 * i + 2)),
                     dark = c->options[LD_DARK] * (0.5 + 0.5 * c->uniform(c, 4 * i + 3));
        for (int y = (int)fmax(0.0, cy - r); y < im->height && y <= cy + r; y++)
            for (int x = (int)fmax(0.0, cx - r); x < im->width && x <= cx + r; x++) {
                const double q = ((x - cx) * (x - cx) + (y - cy) * (y - cy)) / (r * r);
                const double f = q < 1.0 ? 1.0 - dark * (1.0 - q) * (1.0 - q) : 1.0;
                float *p = im->data + ((size_t)y * (size_t)im->width + (size_t)x) * (size_t)im->channels;
                for (int k = 0; k < im->channels; k++)
                    p[k] = (float)((double)p[k] * f);
            }
    }
    return NULL;
}

// --- colour --------------------------------------------------------------------------------------

enum { BA_PATTERN, BA_FULL };
static const RiFilterOption bayer_options[] = {
    {"pattern", "", "colours of the first two pixels of the first two rows", 0, 0, 3, "rggb|bggr|grbg|gbrg"},
    {"output", "", "one value per pixel, or three by interpolation of that", 0, 0, 1, "mosaic|colour"},
};

static int bayer_colour(int pattern, int x, int y)
{
    static const char *const names[] = {"rggb", "bggr", "grbg", "gbrg"};
    const char ch = names[pattern][(y & 1) * 2 + (x & 1)];
    return ch == 'r' ? 0 : ch == 'g' ? 1 : 2;
}

/// Mean of the mosaic's values of one colour around a pixel; the pixel's own, if it has that
/// colour.
static float bayer_mean(const float *mosaic, int width, int height, int pattern, int x, int y, int colour)
{
    if (bayer_colour(pattern, x, y) == colour)
        return mosaic[(size_t)y * (size_t)width + (size_t)x];
    float sum = 0.0f;
    int n = 0;
    for (int v = y > 0 ? y - 1 : 0; v <= y + 1 && v < height; v++)
        for (int u = x > 0 ? x - 1 : 0; u <= x + 1 && u < width; u++)
            if (bayer_colour(pattern, u, v) == colour)
                sum += mosaic[(size_t)v * (size_t)width + (size_t)u], n++;
    return n ? sum / (float)n : 0.0f;
}

static const char *bayer(RiFilterCall *c)
{
    RiImage *im = c->image;
    const int pattern = (int)c->options[BA_PATTERN];
    if (im->channels != 3)
        return "needs an image of three channels";
    for (int y = 0; y < im->height; y++)
        for (int x = 0; x < im->width; x++) {
            const size_t p = (size_t)y * (size_t)im->width + (size_t)x;
            c->scratch[p] = im->data[3 * p + (size_t)bayer_colour(pattern, x, y)];
        }
    if (c->options[BA_FULL] < 0.5) {
        im->channels = 1;
        memcpy(im->data, c->scratch, values_of(im) * sizeof(float));
        return NULL;
    }
    for (int y = 0; y < im->height; y++)
        for (int x = 0; x < im->width; x++)
            for (int k = 0; k < 3; k++)
                im->data[3 * ((size_t)y * (size_t)im->width + (size_t)x) + (size_t)k] =
                    bayer_mean(c->scratch, im->width, im->height, pattern, x, y, k);
    return NULL;
}

enum { CO_RED, CO_GREEN, CO_BLUE, CO_SATURATION, CO_MONO };
static const RiFilterOption colour_options[] = {
    {"red", "", "factor of the red channel", 1, 0, 100, NULL},
    {"green", "", "factor of the green channel", 1, 0, 100, NULL},
    {"blue", "", "factor of the blue channel", 1, 0, 100, NULL},
    {"saturation", "", "0: grey, 1: as it is", 1, 0, 4, NULL},
    {"output", "", "three channels, or their weighted mean", 0, 0, 1, "colour|mono"},
};

static const char *colour(RiFilterCall *c)
{
    RiImage *im = c->image;
    if (im->channels != 3)
        return "needs an image of three channels";
    const size_t n = (size_t)im->width * (size_t)im->height;
    const bool mono = c->options[CO_MONO] > 0.5;
    for (size_t p = 0; p < n; p++) {
        double v[3], grey = 0.0;
        const double share[3] = {0.2126, 0.7152, 0.0722};
        for (int k = 0; k < 3; k++)
            v[k] = (double)im->data[3 * p + (size_t)k] * c->options[CO_RED + k], grey += share[k] * v[k];
        for (size_t k = 0; k < 3; k++)
            c->scratch[3 * p + k] = (float)fmax(0.0, grey + c->options[CO_SATURATION] * (v[k] - grey));
        if (mono)
            im->data[p] = (float)grey; // p <= 3 p: what is read later is not overwritten
    }
    im->channels = mono ? 1 : 3;
    if (!mono)
        memcpy(im->data, c->scratch, values_of(im) * sizeof(float));
    return NULL;
}

enum { RE_GAMMA, RE_KNEE, RE_CURVE };
static const RiFilterOption response_options[] = {
    {"gamma", "", "white (v/white)^(1/gamma)", 2.2, 0.1, 10, NULL},
    {"knee", "", "part of white above which values are compressed towards white; 1: a hard end", 1, 0.1, 1, NULL},
    {"curve", "", "power law, or the curve of sRGB (gamma is then not used)", 0, 0, 1, "power|srgb"},
};

static double encode_srgb(double v)
{
    return v <= 0.0031308 ? 12.92 * v : 1.055 * ri_pow(v, 1.0 / 2.4) - 0.055;
}

static const char *response(RiFilterCall *c)
{
    const char *trouble = need_scale(c);
    if (trouble)
        return trouble;
    RiImage *im = c->image;
    const double knee = c->options[RE_KNEE], room = 1.0 - knee;
    for (size_t i = 0; i < values_of(im); i++) {
        double v = fmax(0.0, (double)im->data[i] / im->full_scale);
        if (v > knee)
            v = room > 0.0 ? 1.0 - room * ri_exp(-(v - knee) / room) : 1.0;
        v = c->options[RE_CURVE] > 0.5 ? encode_srgb(v) : ri_pow(v, 1.0 / c->options[RE_GAMMA]);
        im->data[i] = (float)(v * im->full_scale);
    }
    return NULL;
}

// --- noise ---------------------------------------------------------------------------------------

/// Poisson's distribution of the electrons: exact by products of numbers below 30, normal with the
/// same moments above.
static double poisson(const RiFilterCall *c, unsigned long long index, double mean)
{
    if (mean > 30.0)
        return fmax(0.0, floor(mean + sqrt(mean) * c->normal(c, 64 * index) + 0.5));
    const double end = ri_exp(-mean);
    double product = 1.0;
    int n = -1;
    do
        product *= c->uniform(c, 64 * index + (unsigned long long)++n);
    while (product > end && n < 63);
    return n;
}

static const char *shot_noise(RiFilterCall *c)
{
    const char *trouble = need_scale(c);
    for (size_t i = 0; !trouble && i < values_of(c->image); i++)
        if (c->image->data[i] > 0.0f)
            c->image->data[i] = (float)poisson(c, i, (double)c->image->data[i]);
    return trouble;
}

static const RiFilterOption read_options[] = {{"sigma", "electrons", "standard deviation", 10, 0, 1e6, NULL},
                                              {"offset", "electrons", "added to all pixels", 0, 0, 1e6, NULL}};

static const char *read_noise(RiFilterCall *c)
{
    const char *trouble = need_scale(c);
    for (size_t i = 0; !trouble && i < values_of(c->image); i++)
        c->image->data[i] += (float)(c->options[1] + c->options[0] * c->normal(c, i));
    return trouble;
}

static const RiFilterOption pattern_options[] = {
    {"gain", "", "standard deviation of the pixels' sensitivity", 0.01, 0, 1, NULL},
    {"dark", "electrons", "of the pixels' dark level", 5, 0, 1e6, NULL},
    {"columns", "electrons", "of the columns' level", 0, 0, 1e6, NULL},
};

static const char *fixed_pattern(RiFilterCall *c)
{
    const char *trouble = need_scale(c);
    const size_t row = (size_t)c->image->width * (size_t)c->image->channels;
    c->fixed = 1;
    for (size_t i = 0; !trouble && i < values_of(c->image); i++) {
        const double gain = 1.0 + c->options[0] * c->normal(c, 3 * i), dark = c->options[1] * c->normal(c, 3 * i + 1);
        const double column = c->options[2] > 0.0 ? c->options[2] * c->normal(c, 3 * (i % row) + 2) : 0.0;
        c->image->data[i] = (float)((double)c->image->data[i] * gain + dark + column);
    }
    return trouble;
}

static const RiFilterOption dead_options[] = {{"dead", "", "part of the pixels that stay black", 1e-5, 0, 1, NULL},
                                              {"hot", "", "part of the pixels that stay white", 1e-5, 0, 1, NULL}};

static const char *dead_pixels(RiFilterCall *c)
{
    const char *trouble = need_scale(c);
    const size_t n = (size_t)c->image->width * (size_t)c->image->height, ch = (size_t)c->image->channels;
    c->fixed = 1;
    for (size_t p = 0; !trouble && p < n; p++) {
        const double u = c->uniform(c, p);
        if (u >= c->options[0] + c->options[1])
            continue;
        for (size_t k = 0; k < ch; k++)
            c->image->data[p * ch + k] = u < c->options[0] ? 0.0f : (float)c->image->full_scale;
    }
    return trouble;
}

// --- numbers -------------------------------------------------------------------------------------

static const RiFilterOption quantise_options[] = {{"bits", "", "of a value", 0, 0, 2, "8|12|16"}};

static const char *quantise(RiFilterCall *c)
{
    static const double most[] = {255.0, 4095.0, 65535.0};
    const char *trouble = need_scale(c);
    const double top = most[(int)c->options[0]];
    for (size_t i = 0; !trouble && i < values_of(c->image); i++)
        c->image->data[i] =
            (float)fmin(top, fmax(0.0, floor((double)c->image->data[i] / c->image->full_scale * top + 0.5)));
    if (!trouble)
        c->image->full_scale = top;
    return trouble;
}

static const RiFilterOption jpeg_options[] = {{"quality", "", "of the compression", 90, 1, 100, NULL}};

static const char *jpeg(RiFilterCall *c)
{
    RiImage *im = c->image;
    RiContext *ctx = NULL;
    if (im->full_scale != 255.0)
        return "needs 8 bits: put 'quantise bits=8' before it";
    unsigned char *bytes = (unsigned char *)c->scratch, *packed = NULL;
    for (size_t i = 0; i < values_of(im); i++)
        bytes[i] = (unsigned char)im->data[i];
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return "out of memory";
    size_t size;
    RiStatus status =
        ri_jpeg_encode(ctx, bytes, im->width, im->height, im->channels, (int)c->options[0], &packed, &size);
    if (status == RI_OK)
        status = ri_jpeg_decode(ctx, packed, size, im->width, im->height, im->channels, bytes);
    free(packed);
    ri_context_destroy(ctx);
    for (size_t i = 0; i < values_of(im); i++)
        im->data[i] = (float)bytes[i];
    return status == RI_OK                ? NULL
           : status == RI_ERR_UNSUPPORTED ? "this build has no JPEG: install libjpeg62-turbo-dev and rebuild"
                                          : "the image cannot be compressed";
}

static const RiFilterClass classes[] = {
    {RI_FILTER_ABI, "exposure", "radiance to electrons, by a fixed or an automatic gain", exposure_options,
     COUNT(exposure_options), 1, exposure},
    {RI_FILTER_ABI, "vignetting", "fall of light to the edge: the lens (cos^4 for perspective alone) and its barrel",
     vignetting_options, COUNT(vignetting_options), 0, vignetting},
    {RI_FILTER_ABI, "motion_blur", "a straight path of the image during the exposure", motion_options,
     COUNT(motion_options), 0, motion_blur},
    {RI_FILTER_ABI, "lens_dust", "soft shadows of grains on the lens", dust_options, COUNT(dust_options), 0, lens_dust},
    {RI_FILTER_ABI, "bayer", "one colour per pixel", bayer_options, COUNT(bayer_options), 0, bayer},
    {RI_FILTER_ABI, "colour", "white balance, saturation, grey", colour_options, COUNT(colour_options), 0, colour},
    {RI_FILTER_ABI, "response", "gamma and shoulder of the response curve", response_options, COUNT(response_options),
     0, response},
    {RI_FILTER_ABI, "shot_noise", "Poisson noise of the electrons", NULL, 0, 0, shot_noise},
    {RI_FILTER_ABI, "read_noise", "normal noise of the electronics", read_options, COUNT(read_options), 0, read_noise},
    {RI_FILTER_ABI, "fixed_pattern", "sensitivity and dark level of each pixel, the same in every frame",
     pattern_options, COUNT(pattern_options), 0, fixed_pattern},
    {RI_FILTER_ABI, "dead_pixels", "pixels that stay black or white", dead_options, COUNT(dead_options), 0,
     dead_pixels},
    {RI_FILTER_ABI, "quantise", "whole numbers of 8, 12 or 16 bits", quantise_options, COUNT(quantise_options), 0,
     quantise},
    {RI_FILTER_ABI, "jpeg", "what JPEG leaves of an image", jpeg_options, COUNT(jpeg_options), 0, jpeg},
};

const RiFilterClass *ri_filter_class(int index)
{
    return index >= 0 && index < COUNT(classes) ? &classes[index] : NULL;
}

const RiFilterClass *ri_filter_find(const char *name)
{
    for (int i = 0; i < COUNT(classes); i++)
        if (strcmp(classes[i].name, name) == 0)
            return &classes[i];
    return NULL;
}
