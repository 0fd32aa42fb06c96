// SPDX-License-Identifier: Apache-2.0
/// \file
/// A trough along a line, as a mesh (true walls, roughness along the normal) and as heights.
///
/// The mesh is a net of stations times points of the section, spaced evenly along the section's length, so that steep walls have as many
/// points as the floor. It does not cross itself if the line's radius of curvature exceeds the reach; callers see to that.
#include "terrain/make.h"

/// Height of a section at offset d.
static double section_at(const MakeSection *s, double d)
{
    if (d <= s->d[0] || d >= s->d[s->count - 1])
        return 0.0;
    int k = 1;
    while (s->d[k] < d)
        k++;
    const double width = s->d[k] - s->d[k - 1];
    return width > 0.0 ? s->z[k - 1] + (s->z[k] - s->z[k - 1]) * (d - s->d[k - 1]) / width : s->z[k];
}

/// The section with level ground up to the reach on both sides.
static MakeSection widen(const MakeSection *s, double reach)
{
    MakeSection w = {.count = s->count + 2};
    w.d[0] = -reach;
    w.d[w.count - 1] = reach;
    for (int k = 0; k < s->count; k++) {
        w.d[k + 1] = s->d[k];
        w.z[k + 1] = s->z[k];
    }
    return w;
}

static double section_length(const MakeSection *s)
{
    double length = 0.0;
    for (int k = 1; k < s->count; k++) {
        const double a = s->d[k] - s->d[k - 1], b = s->z[k] - s->z[k - 1];
        length += sqrt(a * a + b * b);
    }
    return length;
}

/// `count` points at equal distances along the section.
static void resample(const MakeSection *s, int count, double *d, double *z)
{
    const double step = section_length(s) / (count - 1);
    double passed = 0.0;
    int k = 1;
    for (int i = 0; i < count; i++) {
        for (;; k++) {
            const double a = s->d[k] - s->d[k - 1], b = s->z[k] - s->z[k - 1], piece = sqrt(a * a + b * b);
            if (passed + piece >= i * step || k == s->count - 1) {
                const double t = piece > 0.0 ? fmin((i * step - passed) / piece, 1.0) : 0.0;
                d[i] = s->d[k - 1] + t * a;
                z[i] = s->z[k - 1] + t * b;
                break;
            }
            passed += piece;
        }
    }
}

static RiStatus all_sections(Make *m, const MakeSweep *w, MakeSection **out)
{
    MakeSection *sections = ri_arena_alloc(m->scratch, (size_t)w->count, sizeof *sections);
    if (!sections)
        return ri_error_memory(m->ctx);
    for (int i = 0; i < w->count; i++)
        w->section(m, w->stations[i].s, &sections[i]);
    *out = sections;
    return RI_OK;
}

/// Unit normal of the net at (i, j), upwards, by central differences.
static RiVec3 net_normal(const RiVec3 *p, int rows, int columns, int i, int j)
{
    const int i0 = i > 0 ? i - 1 : i, i1 = i + 1 < rows ? i + 1 : i, j0 = j > 0 ? j - 1 : j,
              j1 = j + 1 < columns ? j + 1 : j;
    const RiVec3 along = ri_sub(p[i1 * columns + j], p[i0 * columns + j]);
    const RiVec3 across = ri_sub(p[i * columns + j1], p[i * columns + j0]);
    const RiVec3 n = ri_cross(along, across);
    return ri_scale(1.0 / ri_norm(n), n);
}

static void lay_net(const MakeSweep *w, const MakeSection *sections, int columns, double *d, double *z, RiVec3 *out)
{
    for (int i = 0; i < w->count; i++) {
        const MakeStation *at = &w->stations[i];
        const MakeSection wide = widen(&sections[i], w->reach);
        resample(&wide, columns, d, z);
        const double c = make_cos(at->heading), s = make_sin(at->heading);
        for (int j = 0; j < columns; j++) {
            const double x = at->x - s * d[j], y = at->y + c * d[j];
            out[i * columns + j] = ri_vec3(x, y, z[j] - w->slope * x);
        }
    }
}

RiStatus make_sweep_mesh(Make *m, const MakeSweep *w)
{
    MakeSection *sections = NULL;
    RI_TRY(all_sections(m, w, &sections));
    double longest = 0.0;
    for (int i = 0; i < w->count; i++) {
        const MakeSection wide = widen(&sections[i], w->reach);
        longest = fmax(longest, section_length(&wide));
    }
    const double wanted = ceil(longest / w->cell) + 2.0;
    RI_TRY(make_mesh(m, wanted * w->count, 2.0 * (wanted - 1.0) * (w->count - 1.0)));
    const int columns = (int)wanted, count = columns * w->count;
    double *d = ri_arena_alloc(m->scratch, 2 * (size_t)columns, sizeof *d);
    RiVec3 *net = ri_arena_alloc(m->scratch, (size_t)count, sizeof *net);
    if (!d || !net)
        return ri_error_memory(m->ctx);
    lay_net(w, sections, columns, d, d + columns, net);
    for (int k = 0; k < count; k++) {
        const double rough = w->roughness > 0.0 ? w->roughness * make_noise_at(w->noise, net[k]) : 0.0;
        const RiVec3 n = net_normal(net, w->count, columns, k / columns, k % columns);
        m->out->points[k] = ri_add(net[k], ri_scale(rough, n));
    }
    m->out->point_count = count;
    for (int i = 0; i + 1 < w->count; i++)
        for (int j = 0; j + 1 < columns; j++) {
            const int a = i * columns + j, b = a + columns;
            make_triangle(m, a, b, b + 1);
            make_triangle(m, a, b + 1, a + 1);
        }
    return RI_OK;
}

// --- heights -------------------------------------------------------------------------------------------------------------

/// The nearest place of the line to a height: offset to the left and station, with its fraction.
typedef struct Nearest {
    double distance, offset, station;
} Nearest;

static void visit_segment(const MakeSweep *w, const MakeField *f, int k, Nearest *nearest)
{
    const MakeStation *a = &w->stations[k], *b = a + 1;
    const double ux = b->x - a->x, uy = b->y - a->y, length2 = ux * ux + uy * uy;
    const MakeWindow box = make_window(f, 0.5 * (a->x + b->x), 0.5 * (a->y + b->y), w->reach + 0.5 * sqrt(length2));
    for (int j = box.j0; j <= box.j1; j++)
        for (int i = box.i0; i <= box.i1; i++) {
            const double x = f->x0 + i * f->cell - a->x, y = f->y0 + j * f->cell - a->y;
            const double t = fmin(fmax((x * ux + y * uy) / length2, 0.0), 1.0);
            const double dx = x - t * ux, dy = y - t * uy, distance = sqrt(dx * dx + dy * dy);
            Nearest *n = &nearest[(size_t)j * (size_t)f->nx + (size_t)i];
            if (distance < n->distance)
                *n = (Nearest){distance, ux * dy - uy * dx >= 0.0 ? distance : -distance, k + t};
        }
}

RiStatus make_sweep_heights(Make *m, const MakeSweep *w, double size_x, double size_y)
{
    MakeField f;
    MakeSection *sections = NULL;
    RI_TRY(make_field_sized(m, size_x, size_y, w->cell, &f));
    RI_TRY(all_sections(m, w, &sections));
    const size_t count = (size_t)f.nx * (size_t)f.ny;
    Nearest *nearest = ri_arena_alloc(m->scratch, count, sizeof *nearest);
    if (!nearest)
        return ri_error_memory(m->ctx);
    for (size_t k = 0; k < count; k++)
        nearest[k].distance = INFINITY;
    for (int k = 0; k + 1 < w->count; k++)
        visit_segment(w, &f, k, nearest);
    for (size_t k = 0; k < count; k++) {
        const Nearest *n = &nearest[k];
        RiVec3 p = {f.x0 + (double)(k % (size_t)f.nx) * f.cell, f.y0 + (double)(k / (size_t)f.nx) * f.cell, 0.0};
        if (n->distance < w->reach) {
            const int at = (int)fmin(n->station, w->count - 2);
            const double t = n->station - at;
            p.z = (1.0 - t) * section_at(&sections[at], n->offset) + t * section_at(&sections[at + 1], n->offset);
        }
        p.z -= w->slope * p.x;
        f.z[k] = p.z + (w->roughness > 0.0 ? w->roughness * make_noise_at(w->noise, p) : 0.0);
    }
    return make_field_finish(m, &f);
}
