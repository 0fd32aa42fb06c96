// SPDX-License-Identifier: Apache-2.0
/// \file
/// A trough along a line, as a mesh (true walls, roughness along the normal) and as heights.
///
/// The mesh is a net of stations times points of the section. Each piece of the section's polyline
/// has as many points at every station as it needs where it is longest, so that steep walls have as
/// many as the floor, and columns follow the pieces along the line. The net does not cross itself
/// if the line's radius of curvature exceeds the reach (callers see to that) and roughness stays
/// away from the opposite wall: its sideways part is held below the distance to the middle.
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

static double piece_length(const MakeSection *s, int k)
{
    const double a = s->d[k + 1] - s->d[k], b = s->z[k + 1] - s->z[k];
    return sqrt(a * a + b * b);
}

/// Points of each piece of the widened section, enough for its greatest length, and their sum with
/// the last point.
typedef struct Columns {
    int piece[MAKE_SECTION + 2];
    double total;
} Columns;

static Columns count_columns(const MakeSweep *w, const MakeSection *sections)
{
    double longest[MAKE_SECTION + 2] = {0};
    Columns c = {.total = 1.0};
    const int pieces = sections[0].count + 1;
    for (int i = 0; i < w->count; i++) {
        const MakeSection wide = widen(&sections[i], w->reach);
        for (int k = 0; k < pieces; k++)
            longest[k] = fmax(longest[k], piece_length(&wide, k));
    }
    for (int k = 0; k < pieces; k++) {
        const double wanted = fmax(ceil(longest[k] / w->cell), 1.0);
        c.piece[k] = (int)fmin(wanted, RI_MAKE_MOST_CELLS);
        c.total += wanted;
    }
    return c;
}

/// The section's points in columns.
static void resample(const MakeSection *s, const Columns *c, double *d, double *z)
{
    int n = 0;
    for (int k = 0; k + 1 < s->count; k++)
        for (int i = 0; i < c->piece[k]; i++, n++) {
            const double t = (double)i / c->piece[k];
            d[n] = s->d[k] + t * (s->d[k + 1] - s->d[k]);
            z[n] = s->z[k] + t * (s->z[k + 1] - s->z[k]);
        }
    d[n] = s->d[s->count - 1];
    z[n] = s->z[s->count - 1];
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

/// The column that lies `reach` from column j along the row, in steps of `step` (+1 or -1), or the
/// last one.
static int column_at(const RiVec3 *row, int columns, int j, int step, double reach)
{
    for (double way = 0.0; way < reach && j + step >= 0 && j + step < columns; j += step)
        way += ri_norm(ri_sub(row[j + step], row[j]));
    return j;
}

/// Unit normal of a section at column j within the station's upright plane, upwards: points stay in
/// their planes, which do not meet within the reach. It is taken from a chord as long as roughness
/// can displace: at an edge it turns gradually, and displaced neighbours keep their order.
static RiVec3 section_normal(const MakeStation *at, const RiVec3 *row, int columns, int j, double reach)
{
    const RiVec3 along = {make_cos(at->heading), make_sin(at->heading), 0.0};
    const RiVec3 across = ri_sub(row[column_at(row, columns, j, 1, reach)], row[column_at(row, columns, j, -1, reach)]);
    const RiVec3 n = ri_cross(along, across);
    return ri_scale(1.0 / ri_norm(n), n);
}

/// Points of the net before roughness, and their offsets from the line.
typedef struct Net {
    int columns, count;
    RiVec3 *points;
    double *offsets;
} Net;

static RiStatus lay_net(Make *m, const MakeSweep *w, const MakeSection *sections, const Columns *c, Net *net)
{
    net->columns = (int)c->total;
    net->count = net->columns * w->count;
    net->points = ri_arena_alloc(m->scratch, (size_t)net->count, sizeof *net->points);
    net->offsets = ri_arena_alloc(m->scratch, (size_t)net->count, sizeof *net->offsets);
    double *z = ri_arena_alloc(m->scratch, (size_t)net->columns, sizeof *z);
    if (!net->points || !net->offsets || !z)
        return ri_error_memory(m->ctx);
    for (int i = 0; i < w->count; i++) {
        const MakeStation *at = &w->stations[i];
        const MakeSection wide = widen(&sections[i], w->reach);
        double *d = net->offsets + (size_t)i * (size_t)net->columns;
        resample(&wide, c, d, z);
        const double cosine = make_cos(at->heading), sine = make_sin(at->heading);
        for (int j = 0; j < net->columns; j++) {
            const double x = at->x - sine * d[j], y = at->y + cosine * d[j];
            net->points[i * net->columns + j] = ri_vec3(x, y, z[j] - w->slope * x);
        }
    }
    return RI_OK;
}

/// A point of the net, displaced along the normal.
static RiVec3 roughened(const MakeSweep *w, const Net *net, int k)
{
    const RiVec3 p = net->points[k];
    if (!(w->roughness > 0.0))
        return p;
    const int i = k / net->columns, j = k % net->columns;
    const RiVec3 n = section_normal(&w->stations[i], net->points + (size_t)i * (size_t)net->columns, net->columns, j,
                                    fmax(8.0 * w->roughness, w->cell));
    const double far = fabs(net->offsets[k]), rough = w->roughness * make_noise_at(w->noise, p);
    const double sideways = fabs(rough) * sqrt(n.x * n.x + n.y * n.y);
    const double part = sideways / (0.4 * far + 1e-9), held = 1.0 / sqrt(1.0 + part * part);
    // Where columns are squeezed together, as at the ends of a crevasse, full roughness would turn
    // triangles over.
    const RiVec3 before = net->points[j > 0 ? k - 1 : k + 1], after = net->points[j + 1 < net->columns ? k + 1 : k - 1];
    const double space = fmin(ri_norm(ri_sub(before, p)), ri_norm(ri_sub(after, p)));
    const double fine = fmin(space / (0.3 * w->cell), 1.0);
    return ri_add(p, ri_scale(held * fine * rough, n));
}

RiStatus make_sweep_mesh(Make *m, const MakeSweep *w)
{
    MakeSection *sections = NULL;
    Net net = {0};
    RI_TRY(all_sections(m, w, &sections));
    const Columns c = count_columns(w, sections);
    RI_TRY(make_mesh(m, c.total * w->count, 2.0 * (c.total - 1.0) * (w->count - 1.0)));
    RI_TRY(lay_net(m, w, sections, &c, &net));
    const int columns = net.columns;
    for (int k = 0; k < net.count; k++)
        m->out->points[k] = roughened(w, &net, k);
    m->out->point_count = net.count;
    for (int i = 0; i + 1 < w->count; i++)
        for (int j = 0; j + 1 < columns; j++) {
            const int a = i * columns + j, b = a + columns;
            make_triangle(m, a, b, b + 1);
            make_triangle(m, a, b + 1, a + 1);
        }
    return RI_OK;
}

// --- heights -------------------------------------------------------------------------------------

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
