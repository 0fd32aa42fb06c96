// SPDX-License-Identifier: Apache-2.0
/// \file
/// Synthesis: the list of kinds, settings, and the life of a result.
#include "terrain/make.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/names.h"

static const MakeKind *const kinds[] = {&make_fractal, &make_craters, &make_rocks,    &make_ripples, &make_dunes,
                                        &make_channel, &make_moulin,  &make_crevasse, &make_course,  &make_paving};

/// A result and the memory it is in.
typedef struct Made {
    RiMade made;
    RiArena arena;
} Made;

int ri_make_kind_count(void)
{
    return MAKE_COUNT(kinds);
}

const RiMakeKind *ri_make_kind(int index)
{
    return index >= 0 && index < MAKE_COUNT(kinds) ? &kinds[index]->info : NULL;
}

const RiMakeKind *ri_make_kind_find(const char *name)
{
    for (int i = 0; i < MAKE_COUNT(kinds); i++)
        if (strcmp(kinds[i]->info.name, name) == 0)
            return &kinds[i]->info;
    return NULL;
}

int ri_make_param_find(const RiMakeKind *kind, const char *name)
{
    for (int i = 0; i < kind->param_count; i++)
        if (strcmp(kind->params[i].name, name) == 0)
            return i;
    return -1;
}

int ri_make_choice_find(const char *choices, const char *word)
{
    const size_t size = strlen(word);
    for (int i = 0; choices; i++) {
        const size_t length = strcspn(choices, "|");
        if (length == size && memcmp(choices, word, size) == 0)
            return i;
        choices = choices[length] ? choices + length + 1 : NULL;
    }
    return -1;
}

RiRng make_stream(const Make *m, const char *what)
{
    char name[96];
    snprintf(name, sizeof name, "terrain.make.%s.%s", m->kind->name, what);
    return ri_rng_stream(m->seed, name);
}

RiStatus make_refuse(const Make *m, const char *format, ...)
{
    char text[400];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return ri_error(m->ctx, RI_ERR_ARGUMENT, "%s: %s", m->kind->name, text);
}

/// The parameter name nearest to a misspelt one, or NULL.
static const char *nearest_param(const RiMakeKind *kind, const char *name)
{
    RiNameSearch search = ri_name_search(name);
    for (int i = 0; i < kind->param_count; i++)
        ri_name_search_look(&search, kind->params[i].name);
    return search.found;
}

static RiStatus apply(RiContext *ctx, const RiMakeKind *kind, const RiMakeSetting *s, double *values)
{
    const int i = ri_make_param_find(kind, s->name);
    if (i < 0) {
        const char *near = nearest_param(kind, s->name);
        return ri_error(ctx, RI_ERR_NOT_FOUND, "%s: no parameter '%s'%s%s%s", kind->name, s->name,
                        near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    }
    const RiMakeParam *p = &kind->params[i];
    const double unit = strcmp(p->unit, "deg") == 0 ? MAKE_DEG : 1.0; // all others are shown in SI
    if (!(s->value >= p->low && s->value <= p->high))
        return ri_error(ctx, RI_ERR_ARGUMENT, "%s: %s is %g%s%s, it must lie between %g and %g%s%s", kind->name,
                        p->name, s->value / unit, *p->unit ? " " : "", p->unit, p->low / unit, p->high / unit,
                        *p->unit ? " " : "", p->unit);
    values[i] = s->value;
    return RI_OK;
}

static RiStatus run(RiContext *ctx, const MakeKind *kind, const double *values, unsigned long long seed, Made *made)
{
    RiArena scratch;
    ri_arena_init(&scratch, ctx);
    Make m = {.ctx = ctx,
              .kind = &kind->info,
              .v = values,
              .seed = seed,
              .out = &made->made,
              .keep = &made->arena,
              .scratch = &scratch};
    const RiStatus status = kind->run(&m);
    ri_arena_free(&scratch);
    return status;
}

RiStatus ri_make(RiContext *ctx, const RiMakeKind *kind, int count, const RiMakeSetting *settings,
                 unsigned long long seed, RiMade **out_made)
{
    enum { MOST_PARAMS = 32 };
    double values[MOST_PARAMS];
    *out_made = NULL;
    for (int i = 0; i < kind->param_count; i++)
        values[i] = kind->params[i].value;
    for (int i = 0; i < count; i++)
        RI_TRY(apply(ctx, kind, &settings[i], values));
    const MakeKind *found = NULL;
    for (int i = 0; i < MAKE_COUNT(kinds); i++)
        found = &kinds[i]->info == kind ? kinds[i] : found;
    RiArena arena;
    ri_arena_init(&arena, ctx);
    Made *made = ri_arena_alloc(&arena, 1, sizeof *made);
    if (!made || !found) {
        ri_arena_free(&arena);
        return found ? ri_error_memory(ctx) : ri_error(ctx, RI_ERR_ARGUMENT, "'%s' is not a listed kind", kind->name);
    }
    made->made.kind = kind;
    made->arena = arena;
    const RiStatus status = run(ctx, found, values, seed, made);
    if (status == RI_OK)
        *out_made = &made->made;
    else
        ri_made_destroy(&made->made);
    return status;
}

void ri_made_destroy(RiMade *made)
{
    if (!made)
        return;
    ri_raster_destroy(made->raster);
    RiArena arena = ((Made *)made)->arena; // holds the result itself
    ri_arena_free(&arena);
}

static uint64_t hash_part(uint64_t h, const RiGroundPart *p)
{
    const double numbers[] = {p->a, p->b, p->c, p->roughness, p->wavelength};
    const int kinds_of[] = {(int)p->shape, p->hole};
    h = ri_hash(ri_hash(h, numbers, sizeof numbers), kinds_of, sizeof kinds_of);
    h = ri_hash(ri_hash(h, &p->pose.R, sizeof p->pose.R), &p->pose.p, sizeof p->pose.p);
    return ri_hash_text(h, p->material);
}

unsigned long long ri_made_hash(const RiMade *made)
{
    uint64_t h = 0;
    if (made->raster) {
        const RiRaster *r = made->raster;
        const double numbers[] = {r->nx, r->ny, r->x0, r->y0, r->dx, r->dy};
        h = ri_hash(h, numbers, sizeof numbers);
        h = ri_hash(h, r->values, (size_t)r->nx * (size_t)r->ny * sizeof *r->values);
    }
    h = ri_hash(h, made->points, (size_t)made->point_count * sizeof *made->points);
    h = ri_hash(h, made->triangles, (size_t)made->triangle_count * sizeof *made->triangles);
    for (int i = 0; i < made->part_count; i++)
        h = hash_part(h, &made->parts[i]);
    for (int i = 0; i < made->feature_count; i++) {
        const RiMadeFeature *f = &made->features[i];
        const double numbers[] = {f->position.x, f->position.y, f->position.z, f->size, f->age};
        h = ri_hash_text(ri_hash(h, numbers, sizeof numbers), f->what);
    }
    return h;
}

RiStatus make_features(Make *m, int capacity)
{
    if (capacity > RI_MAKE_MOST_FEATURES)
        return ri_error(m->ctx, RI_ERR_LIMIT,
                        "%s: more than %d pieces to place; choose a smaller area or larger pieces", m->kind->name,
                        RI_MAKE_MOST_FEATURES);
    m->out->features = ri_arena_alloc(m->keep, (size_t)capacity + 1, sizeof *m->out->features);
    return m->out->features ? RI_OK : ri_error_memory(m->ctx);
}

void make_feature(Make *m, RiMadeFeature feature)
{
    m->out->features[m->out->feature_count++] = feature;
}

RiStatus make_mesh(Make *m, double points, double triangles)
{
    if (!(points <= RI_MAKE_MOST_CELLS))
        return ri_error(m->ctx, RI_ERR_LIMIT, "%s: a mesh of %.3g points, at most %d; choose a larger cell",
                        m->kind->name, points, RI_MAKE_MOST_CELLS);
    m->out->points = ri_arena_alloc(m->keep, (size_t)points, sizeof *m->out->points);
    m->out->triangles = ri_arena_alloc(m->keep, (size_t)triangles, sizeof *m->out->triangles);
    return m->out->points && m->out->triangles ? RI_OK : ri_error_memory(m->ctx);
}

void make_triangle(Make *m, int a, int b, int c)
{
    uint32_t *t = m->out->triangles[m->out->triangle_count++];
    t[0] = (uint32_t)a;
    t[1] = (uint32_t)b;
    t[2] = (uint32_t)c;
}
