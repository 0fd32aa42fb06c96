// SPDX-License-Identifier: Apache-2.0
/// \file
/// A filter of a user: stray light in the lens lifts the dark parts of an image. Build it as a
/// shared object with the public headers:
///
///     cc -shared -fPIC -Iinclude -o haze.so examples/filter/haze.c
#include <stddef.h>

#include <rille/filter.h>

static const RiFilterOption options[] = {
    {"amount", "", "part of the mean light that is spread evenly", 0.05, 0, 1, NULL}};

static const char *apply(RiFilterCall *call)
{
    RiImage *im = call->image;
    const size_t n = (size_t)im->width * (size_t)im->height * (size_t)im->channels;
    double mean = 0.0;
    for (size_t i = 0; i < n; i++)
        mean += (double)im->data[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        im->data[i] = (float)((1.0 - call->options[0]) * (double)im->data[i] + call->options[0] * mean);
    return NULL;
}

static const RiFilterClass haze = {RI_FILTER_ABI, "haze", "stray light in the lens", options, 1, 0, apply};

const RiFilterClass *rille_filter(int index);
const RiFilterClass *rille_filter(int index)
{
    return index == 0 ? &haze : NULL;
}
