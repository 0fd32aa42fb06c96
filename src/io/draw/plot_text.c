// SPDX-License-Identifier: Apache-2.0
/// \file
/// Cairo's text, without linking with it: the library is opened when a picture has text, and the
/// strokes of plot_font.c serve where it is missing. Its functions have had these signatures since
/// version 1.0; none of its headers is needed.
#include "io/draw/plot_text.h"

#include <dlfcn.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

/// Known by name, as it is part of the system.
#define RILLE_CAIRO_LIBRARY "libcairo.so.2"

/// Under sanitizers the strokes are used: fontconfig keeps patterns behind encoded pointers until the
/// end, which a leak checker takes for lost.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define WITH_CAIRO 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define WITH_CAIRO 0
#endif
#endif
#ifndef WITH_CAIRO
#define WITH_CAIRO 1
#endif

typedef struct Extents {
    double x_bearing, y_bearing, width, height, x_advance, y_advance;
} Extents;

/// One row for each function that is used: result, name, arguments.
#define CAIRO_LIST(X)                                                                                                  \
    X(void *, image_surface_create, (int format, int width, int height))                                               \
    X(unsigned char *, image_surface_get_data, (void *surface))                                                        \
    X(int, image_surface_get_stride, (void *surface))                                                                  \
    X(int, surface_status, (void *surface))                                                                            \
    X(void, surface_flush, (void *surface))                                                                            \
    X(void, surface_destroy, (void *surface))                                                                          \
    X(void *, create, (void *surface))                                                                                 \
    X(int, status, (void *cr))                                                                                         \
    X(void, destroy, (void *cr))                                                                                       \
    X(void, select_font_face, (void *cr, const char *family, int slant, int weight))                                   \
    X(void, set_font_size, (void *cr, double size))                                                                    \
    X(void, text_extents, (void *cr, const char *text, Extents *out))                                                  \
    X(void, move_to, (void *cr, double x, double y))                                                                   \
    X(void, show_text, (void *cr, const char *text))

#define MEMBER(result, name, arguments) result(*name) arguments;
typedef struct Cairo {
    CAIRO_LIST(MEMBER)
} Cairo;

/// POSIX lets dlsym's object pointer be a function pointer; C does not, hence the copy.
static bool find(void *library, const char *name, void *out_function)
{
    void *const symbol = dlsym(library, name);
    memcpy(out_function, &symbol, sizeof symbol);
    return symbol != NULL;
}

/// The library stays open: its fonts are found once.
static bool open_cairo(Cairo *c)
{
    void *library = dlopen(RILLE_CAIRO_LIBRARY, RTLD_LAZY | RTLD_LOCAL);
    bool all = library != NULL;
#define FIND(result, name, arguments) all = all && find(library, "cairo_" #name, &c->name);
    CAIRO_LIST(FIND)
    return all;
}

static void *start(const Cairo *c, void *surface, double size)
{
    void *cr = c->create(surface);
    c->select_font_face(cr, "DejaVu Sans", 0, 0);
    c->set_font_size(cr, size);
    return cr;
}

/// Draws into a surface of the text's own size; NULL if cairo cannot.
static void *draw(const Cairo *c, const char *text, double size, const Extents *e, RiTextMask *out)
{
    enum { A8 = 2, EDGE = 2 };
    out->base = (int)ceil(fmax(-e->y_bearing, 0.0)) + EDGE;
    out->width = (int)ceil(fmax(e->x_advance, e->x_bearing + e->width)) + 2 * EDGE;
    out->height = out->base + (int)ceil(fmax(e->height + e->y_bearing, 0.0)) + EDGE;
    void *surface = c->image_surface_create(A8, out->width, out->height), *cr = start(c, surface, size);
    c->move_to(cr, 0.0, out->base);
    c->show_text(cr, text);
    const bool fine = c->status(cr) == 0 && c->surface_status(surface) == 0;
    c->destroy(cr);
    c->surface_flush(surface);
    out->cover = fine ? c->image_surface_get_data(surface) : NULL;
    out->stride = fine ? c->image_surface_get_stride(surface) : 0;
    if (out->cover)
        return surface;
    c->surface_destroy(surface);
    return NULL;
}

bool ri_text_mask(const char *text, double size, RiTextMask *out)
{
    enum { A8 = 2, LONGEST = 1000 };
    Cairo c;
    Extents e;
    *out = (RiTextMask){.cover = NULL};
    if (!WITH_CAIRO || !*text || strlen(text) > LONGEST || !open_cairo(&c))
        return false;
    void *surface = c.image_surface_create(A8, 1, 1), *cr = start(&c, surface, size);
    c.text_extents(cr, text, &e);
    const bool fine = c.status(cr) == 0 && e.x_advance > 0.0 && e.x_advance < 1e5 && e.height < 1e3;
    c.destroy(cr);
    c.surface_destroy(surface);
    out->advance = e.x_advance;
    out->surface = fine ? draw(&c, text, size, &e, out) : NULL;
    return out->surface != NULL;
}

void ri_text_mask_free(RiTextMask *mask)
{
    Cairo c;
    if (mask->surface && open_cairo(&c))
        c.surface_destroy(mask->surface);
    *mask = (RiTextMask){.cover = NULL};
}
