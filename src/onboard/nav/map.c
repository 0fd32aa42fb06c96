// SPDX-License-Identifier: Apache-2.0
/// \file
/// The local map of GESTALT: range points become cells, rover-sized patches become goodness.
///
///     plane  z = a x + b y + c  through the points of a patch, least squares
///     tilt = atan(hypot(a, b)),  roughness = sqrt(residual / n),  step = max |z_i - z_j| of 8-neighbours
///     goodness = 255 (1 - max(step / step_max, tilt / tilt_max, roughness / roughness_max))
///
/// Sources: [goldberg2002], [jain2003] 2.9. Theory: docs/theory/navigation.md.
/// Test: tests/onboard/test_nav_map.c, with a slow reference implementation.
#include "onboard/nav/map.h"

#include <math.h>
#include <string.h>

#include "base/functions.h"
#include "base/memory.h"

static const int step_dx[RI_NAV_DIRECTIONS] = {1, 0, 1, -1}, step_dy[RI_NAV_DIRECTIONS] = {0, 1, 1, 1};

RiNavOptions ri_nav_options_default(void)
{
    return (RiNavOptions){
        .cell = 0.2,
        .cells = 50,
        .radius = 0.8,
        .step_max = 0.25,
        .tilt_max = 20.0 * M_PI / 180.0,
        .roughness_max = 0.08,
        .known_least = 0.5,
        .points_most = 400.0,
        .look_ahead = 1.5,
        .weight_hazard = 0.4,
        .weight_steer = 0.1,
        .weight_goal = 0.5,
    };
}

RiStatus ri_nav_options_check(RiContext *ctx, const RiNavOptions *o)
{
    const struct {
        const char *name;
        double value, low, high;
    } rows[] = {
        {"cell", o->cell, 1e-3, 100.0},
        {"cells", o->cells, 8, 512},
        {"radius", o->radius, o->cell, 0.25 * o->cells * o->cell},
        {"step_max", o->step_max, 1e-6, 1e3},
        {"tilt_max", o->tilt_max, 1e-6, 1.5707},
        {"roughness_max", o->roughness_max, 1e-6, 1e3},
        {"known_least", o->known_least, 0.0, 1.0},
        {"points_most", o->points_most, 1.0, 1e9},
        {"look_ahead", o->look_ahead, 0.0, o->cells * o->cell},
        {"weight_hazard", o->weight_hazard, 0.0, 1.0},
        {"weight_steer", o->weight_steer, 0.0, 1.0},
        {"weight_goal", o->weight_goal, 0.0, 1.0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!(rows[i].value >= rows[i].low && rows[i].value <= rows[i].high))
            return ri_error(ctx, RI_ERR_ARGUMENT, "navigation map: %s is %g, it must be %g to %g", rows[i].name,
                            rows[i].value, rows[i].low, rows[i].high);
    return RI_OK;
}

/// The cells of a patch: those whose centre is within the radius of the patch's centre cell.
static bool in_disc(const RiNavOptions *o, int dx, int dy)
{
    const double r = o->radius / o->cell;
    return (double)dx * dx + (double)dy * dy <= r * r * (1.0 + 1e-12);
}

static void fill_disc(RiNavMap *m)
{
    m->disc_count = 0;
    for (int dy = -m->reach; dy <= m->reach; dy++)
        for (int dx = -m->reach; dx <= m->reach; dx++) {
            if (!in_disc(&m->options, dx, dy))
                continue;
            struct RiNavOffset *d = &m->disc[m->disc_count++];
            d->dx = dx;
            d->dy = dy;
            for (int k = 0; k < RI_NAV_DIRECTIONS; k++)
                d->pair[k] = in_disc(&m->options, dx + step_dx[k], dy + step_dy[k]);
        }
}

void ri_nav_map_place(RiNavMap *m, const RiNavOptions *options, void *memory, void *scratch)
{
    const size_t n = (size_t)options->cells * (size_t)options->cells;
    *m = (RiNavMap){.options = *options, .steps = scratch};
    ri_nav_map_point(m, memory);
    m->slope_spread = 1.5 * options->cell * ri_tan(options->tilt_max); // over the diagonal of a cell
    m->reach = (int)floor(options->radius / options->cell * (1.0 + 1e-12));
    m->disc = (struct RiNavOffset *)(m->steps + n * RI_NAV_DIRECTIONS);
    fill_disc(m);
}

RiStatus ri_nav_map_create(RiContext *ctx, const RiNavOptions *options, RiNavMap **out_map)
{
    *out_map = NULL;
    RI_TRY(ri_nav_options_check(ctx, options));
    RiNavMap *m = ri_alloc(ctx, 1, sizeof *m);
    void *memory = ri_alloc_zero(ctx, RI_NAV_MAP_STATE(options->cells), 1);
    void *scratch = ri_alloc(ctx, RI_NAV_MAP_SCRATCH(options->cells), 1);
    if (!m || !memory || !scratch) {
        ri_release(ctx, m);
        ri_release(ctx, memory);
        ri_release(ctx, scratch);
        return ri_error_memory(ctx);
    }
    ri_nav_map_place(m, options, memory, scratch);
    m->ctx = ctx;
    ri_nav_map_reset(m, (RiVec3){0});
    *out_map = m;
    return RI_OK;
}

void ri_nav_map_destroy(RiNavMap *map)
{
    if (!map)
        return;
    ri_release(map->ctx, map->memory);
    ri_release(map->ctx, map->steps); // and the disc behind it
    ri_release(map->ctx, map);
}

const RiNavOptions *ri_nav_map_options(const RiNavMap *map)
{
    return &map->options;
}

void *ri_nav_map_memory(RiNavMap *map, size_t *out_size)
{
    *out_size = map->memory_size;
    return map->memory;
}

/// A cell of the world with nothing known.
static void clear_cell(RiNavMap *m, int ix, int iy)
{
    const int slot = ri_nav_slot(m, ix, iy);
    m->cells[slot] = (RiNavCell){.ix = ix, .iy = iy, .low = INFINITY, .high = -INFINITY};
    m->marks[slot] = (RiNavMark){.hazards = RI_NAV_BORDER};
    m->dirty[slot] = 0;
}

/// Puts the lower left corner of the map at a cell of the world.
static void set_corner(RiNavMap *m, int ix, int iy)
{
    const int n = m->options.cells;
    m->head->ix = ix;
    m->head->iy = iy;
    m->head->column = (ix % n + n) % n;
    m->head->row = (iy % n + n) % n;
}

void ri_nav_map_reset(RiNavMap *map, RiVec3 centre)
{
    const int n = map->options.cells;
    const bool ok = ri_nav_is_place(map, centre.x, centre.y) && isfinite(centre.z);
    map->head->reference = ok ? centre.z : 0.0;
    set_corner(map, (ok ? ri_nav_index(map, centre.x) : 0) - n / 2, (ok ? ri_nav_index(map, centre.y) : 0) - n / 2);
    for (int iy = 0; iy < n; iy++)
        for (int ix = 0; ix < n; ix++)
            clear_cell(map, map->head->ix + ix, map->head->iy + iy);
}

/// Patches that contain a cell are to be evaluated again.
static void touch(RiNavMap *m, int ix, int iy)
{
    for (int dy = -m->reach - 1; dy <= m->reach + 1; dy++)
        for (int dx = -m->reach - 1; dx <= m->reach + 1; dx++)
            if (ri_nav_inside(m, ix + dx, iy + dy))
                m->dirty[ri_nav_slot(m, ix + dx, iy + dy)] |= 1;
}

void ri_nav_map_scroll(RiNavMap *map, double x, double y)
{
    if (!ri_nav_is_place(map, x, y))
        return;
    const int n = map->options.cells;
    set_corner(map, ri_nav_index(map, x) - n / 2, ri_nav_index(map, y) - n / 2);
    for (int iy = 0; iy < n; iy++)
        for (int ix = 0; ix < n; ix++) {
            const int wx = map->head->ix + ix, wy = map->head->iy + iy;
            const RiNavCell *c = &map->cells[ri_nav_slot(map, wx, wy)];
            if (c->ix != wx || c->iy != wy) {
                clear_cell(map, wx, wy);
                touch(map, wx, wy);
            }
        }
}

/// Old points lose weight so that the sum stays below the limit.
static void fade(RiNavCell *c, double most)
{
    if (c->n < most)
        return;
    const double k = (most - 1.0) / c->n;
    double *const sums[] = {&c->n, &c->x, &c->y, &c->z, &c->xx, &c->xy, &c->yy, &c->xz, &c->yz, &c->zz};
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
        *sums[i] *= k;
}

static void add_point(RiNavMap *m, RiNavCell *c, RiVec3 p)
{
    const double x = p.x - ri_nav_centre(m, c->ix), y = p.y - ri_nav_centre(m, c->iy), z = p.z - m->head->reference;
    fade(c, m->options.points_most);
    c->n += 1.0;
    c->x += x;
    c->y += y;
    c->z += z;
    c->xx += x * x;
    c->xy += x * y;
    c->yy += y * y;
    c->xz += x * z;
    c->yz += y * z;
    c->zz += z * z;
    c->low = fmin(c->low, z);
    c->high = fmax(c->high, z);
}

int ri_nav_map_add(RiNavMap *map, const RiVec3 *points, int count)
{
    int taken = 0;
    for (int i = 0; i < count; i++) {
        const RiVec3 p = points[i];
        if (!ri_nav_is_place(map, p.x, p.y) || !(fabs(p.z) < 1e8))
            continue;
        const int ix = ri_nav_index(map, p.x), iy = ri_nav_index(map, p.y);
        if (!ri_nav_inside(map, ix, iy))
            continue;
        const int slot = ri_nav_slot(map, ix, iy);
        add_point(map, &map->cells[slot], p);
        map->dirty[slot] |= 2; // a new point: its neighbourhood is marked by the update
        taken++;
    }
    return taken;
}

void ri_nav_map_assume(RiNavMap *map, RiVec3 centre, double radius)
{
    ri_nav_map_assume_plane(map, centre, 0.0, 0.0, radius);
}

void ri_nav_map_assume_plane(RiNavMap *map, RiVec3 centre, double slope_x, double slope_y, double radius)
{
    if (!ri_nav_is_place(map, centre.x, centre.y) || !(radius < 1e4))
        return;
    const int reach = (int)ceil(radius / map->options.cell);
    const int cx = ri_nav_index(map, centre.x), cy = ri_nav_index(map, centre.y);
    for (int iy = cy - reach; iy <= cy + reach; iy++)
        for (int ix = cx - reach; ix <= cx + reach; ix++) {
            const double x = ri_nav_centre(map, ix), y = ri_nav_centre(map, iy);
            const double dx = x - centre.x, dy = y - centre.y;
            if (dx * dx + dy * dy > radius * radius || !ri_nav_inside(map, ix, iy) ||
                map->cells[ri_nav_slot(map, ix, iy)].n > 0.0)
                continue;
            ri_nav_map_add(map, &(RiVec3){x, y, centre.z + slope_x * dx + slope_y * dy}, 1);
        }
}

// ---- patches -----------------------------------------------------------------------------------

/// Sums over the cells of a patch, moved to the patch's centre.
typedef struct Moments {
    double n, x, y, z, xx, xy, yy, xz, yz, zz;
    int known;
} Moments;

static Moments gather(const RiNavMap *m, int cx, int cy)
{
    Moments s = {0};
    const double side = m->options.cell;
    for (int i = 0; i < m->disc_count; i++) {
        const struct RiNavOffset *d = &m->disc[i];
        if (!ri_nav_inside(m, cx + d->dx, cy + d->dy))
            continue;
        const RiNavCell *c = &m->cells[ri_nav_slot(m, cx + d->dx, cy + d->dy)];
        if (!(c->n > 0.0))
            continue;
        const double dx = d->dx * side, dy = d->dy * side;
        s.known++;
        s.n += c->n;
        s.x += c->x + c->n * dx;
        s.y += c->y + c->n * dy;
        s.z += c->z;
        s.xx += c->xx + 2.0 * dx * c->x + c->n * dx * dx;
        s.xy += c->xy + dx * c->y + dy * c->x + c->n * dx * dy;
        s.yy += c->yy + 2.0 * dy * c->y + c->n * dy * dy;
        s.xz += c->xz + dx * c->z;
        s.yz += c->yz + dy * c->z;
        s.zz += c->zz;
    }
    return s;
}

/// The least-squares plane; false where the points do not determine one.
static bool fit_plane(const Moments *s, RiNavPatch *p)
{
    if (!(s->n > 0.0))
        return false;
    const double mx = s->x / s->n, my = s->y / s->n, mz = s->z / s->n;
    const double xx = s->xx - mx * s->x, xy = s->xy - mx * s->y, yy = s->yy - my * s->y;
    const double xz = s->xz - mx * s->z, yz = s->yz - my * s->z, zz = s->zz - mz * s->z;
    const double det = xx * yy - xy * xy;
    if (!(det > 1e-9 * (xx + yy) * (xx + yy)))
        return false;
    const double a = (xz * yy - yz * xy) / det, b = (yz * xx - xz * xy) / det;
    p->slope_x = a;
    p->slope_y = b;
    p->height = mz - a * mx - b * my;
    p->tilt = ri_atan(sqrt(a * a + b * b));
    p->roughness = sqrt(fmax(zz - a * xz - b * yz, 0.0) / s->n);
    return true;
}

static double mean_height(const RiNavCell *c)
{
    return c->z / c->n;
}

/// Difference of mean heights between a cell and its neighbour in a direction; NAN: not both known.
static double step_to(const RiNavMap *m, int ix, int iy, int k)
{
    if (!ri_nav_inside(m, ix, iy) || !ri_nav_inside(m, ix + step_dx[k], iy + step_dy[k]))
        return NAN;
    const RiNavCell *a = &m->cells[ri_nav_slot(m, ix, iy)];
    const RiNavCell *b = &m->cells[ri_nav_slot(m, ix + step_dx[k], iy + step_dy[k])];
    return a->n > 0.0 && b->n > 0.0 ? mean_height(b) - mean_height(a) : NAN;
}

/// Height of the points of one cell beyond what a slope at the limit of tilt explains.
static double spread(const RiNavMap *m, int slot)
{
    return m->cells[slot].high - m->cells[slot].low - m->slope_spread;
}

/// The largest step in a patch. Points of one cell that lie further apart than its slope explains
/// are a step as well.
static double largest_step(const RiNavMap *m, int cx, int cy, bool fresh)
{
    double most = 0.0;
    for (int i = 0; i < m->disc_count; i++) {
        const struct RiNavOffset *d = &m->disc[i];
        const int ix = cx + d->dx, iy = cy + d->dy;
        if (!ri_nav_inside(m, ix, iy))
            continue;
        const int slot = ri_nav_slot(m, ix, iy);
        for (int k = 0; k < RI_NAV_DIRECTIONS; k++) {
            if (!d->pair[k])
                continue;
            const double h = fabs(fresh ? step_to(m, ix, iy, k) : m->steps[slot * RI_NAV_DIRECTIONS + k]);
            if (h > most) // false for NaN
                most = h;
        }
        if (m->cells[slot].n > 1.0)
            most = fmax(most, spread(m, slot));
    }
    return most;
}

static double highest_above(const RiNavMap *m, int cx, int cy, const RiNavPatch *p)
{
    double most = 0.0;
    for (int i = 0; i < m->disc_count; i++) {
        const int dx = m->disc[i].dx, dy = m->disc[i].dy;
        if (!ri_nav_inside(m, cx + dx, cy + dy))
            continue;
        const RiNavCell *c = &m->cells[ri_nav_slot(m, cx + dx, cy + dy)];
        if (!(c->n > 0.0))
            continue;
        const double plane = p->height + m->options.cell * (p->slope_x * dx + p->slope_y * dy);
        most = fmax(most, mean_height(c) - plane);
    }
    return most;
}

/// Goodness from the measures: the worst one counts.
static void judge(const RiNavMap *m, RiNavPatch *p, bool has_plane)
{
    const RiNavOptions *o = &m->options;
    p->hazards = 0;
    if (p->step >= o->step_max)
        p->hazards |= RI_NAV_STEP;
    if (has_plane && p->tilt > o->tilt_max)
        p->hazards |= RI_NAV_TILT;
    if (has_plane && p->roughness > o->roughness_max)
        p->hazards |= RI_NAV_ROUGHNESS;
    if (!has_plane || p->known < o->known_least * p->cells)
        p->hazards |= RI_NAV_BORDER;
    double worst = p->step / o->step_max;
    if (has_plane)
        worst = fmax(worst, fmax(p->tilt / o->tilt_max, p->roughness / o->roughness_max));
    const bool hazard = (p->hazards & (RI_NAV_STEP | RI_NAV_TILT | RI_NAV_ROUGHNESS)) != 0;
    p->goodness = hazard ? 0 : (int)fmax(1.0, floor(255.0 * (1.0 - fmin(worst, 1.0))));
    p->certainty = 255 * p->known / p->cells;
}

static RiNavPatch evaluate(const RiNavMap *m, int cx, int cy, bool fresh)
{
    RiNavPatch p = {.cells = m->disc_count};
    const Moments s = gather(m, cx, cy);
    const bool has_plane = fit_plane(&s, &p);
    p.known = s.known;
    p.step = largest_step(m, cx, cy, fresh);
    judge(m, &p, has_plane);
    return p;
}

RiNavPatch ri_nav_map_patch(const RiNavMap *map, double x, double y)
{
    RiNavPatch p = {.cells = map->disc_count, .hazards = RI_NAV_BORDER};
    if (!ri_nav_is_place(map, x, y))
        return p;
    const int cx = ri_nav_index(map, x), cy = ri_nav_index(map, y);
    p = evaluate(map, cx, cy, true);
    p.above = highest_above(map, cx, cy, &p);
    p.height += map->head->reference;
    return p;
}

/// Steps around the cells that have new points, and the higher sides of those that are hazards.
static void update_steps(RiNavMap *m)
{
    const int n = m->options.cells;
    for (int iy = m->head->iy; iy < m->head->iy + n; iy++)
        for (int ix = m->head->ix; ix < m->head->ix + n; ix++) {
            const int slot = ri_nav_slot(m, ix, iy);
            for (int k = 0; k < RI_NAV_DIRECTIONS; k++)
                m->steps[slot * RI_NAV_DIRECTIONS + k] = step_to(m, ix, iy, k);
            m->marks[slot].near = 0;
            m->marks[slot].obstacle = m->cells[slot].n > 1.0 && spread(m, slot) >= m->options.step_max;
        }
    for (int iy = m->head->iy; iy < m->head->iy + n; iy++)
        for (int ix = m->head->ix; ix < m->head->ix + n; ix++) {
            const int slot = ri_nav_slot(m, ix, iy);
            for (int k = 0; k < RI_NAV_DIRECTIONS; k++) {
                const double h = m->steps[slot * RI_NAV_DIRECTIONS + k];
                if (h >= m->options.step_max)
                    m->marks[ri_nav_slot(m, ix + step_dx[k], iy + step_dy[k])].obstacle = 1;
                else if (-h >= m->options.step_max)
                    m->marks[slot].obstacle = 1;
            }
        }
}

/// Marks the cells around obstacles, so that arcs need not look further elsewhere.
static void mark_near(RiNavMap *m)
{
    const int n = m->options.cells, reach = m->reach + 1;
    for (int iy = m->head->iy; iy < m->head->iy + n; iy++)
        for (int ix = m->head->ix; ix < m->head->ix + n; ix++) {
            if (!m->marks[ri_nav_slot(m, ix, iy)].obstacle)
                continue;
            for (int dy = -reach; dy <= reach; dy++)
                for (int dx = -reach; dx <= reach; dx++)
                    if (ri_nav_inside(m, ix + dx, iy + dy))
                        m->marks[ri_nav_slot(m, ix + dx, iy + dy)].near = 1;
        }
}

void ri_nav_map_update(RiNavMap *map)
{
    const int n = map->options.cells;
    bool any = false;
    for (int iy = map->head->iy; iy < map->head->iy + n; iy++)
        for (int ix = map->head->ix; ix < map->head->ix + n; ix++)
            if (map->dirty[ri_nav_slot(map, ix, iy)] & 2) {
                map->dirty[ri_nav_slot(map, ix, iy)] = 1;
                touch(map, ix, iy); // leaves the marks of new points alone
                any = true;
            } else {
                any |= map->dirty[ri_nav_slot(map, ix, iy)] != 0;
            }
    if (!any)
        return;
    update_steps(map);
    mark_near(map);
    for (int iy = map->head->iy; iy < map->head->iy + n; iy++)
        for (int ix = map->head->ix; ix < map->head->ix + n; ix++) {
            const int slot = ri_nav_slot(map, ix, iy);
            if (!map->dirty[slot])
                continue;
            const RiNavPatch p = evaluate(map, ix, iy, false);
            map->marks[slot].goodness = (uint8_t)p.goodness;
            map->marks[slot].certainty = (uint8_t)p.certainty;
            map->marks[slot].hazards = (uint8_t)p.hazards;
            map->dirty[slot] = 0;
        }
}

int ri_nav_map_goodness(const RiNavMap *map, double x, double y)
{
    if (!ri_nav_is_place(map, x, y))
        return -1;
    const int ix = ri_nav_index(map, x), iy = ri_nav_index(map, y);
    if (!ri_nav_inside(map, ix, iy))
        return -1;
    const RiNavMark *mark = &map->marks[ri_nav_slot(map, ix, iy)];
    if (mark->hazards & (RI_NAV_STEP | RI_NAV_TILT | RI_NAV_ROUGHNESS))
        return 0;
    return mark->hazards & RI_NAV_BORDER ? -1 : mark->goodness;
}

RiVec3 ri_nav_map_cell_centre(const RiNavMap *map, int ix, int iy)
{
    return (RiVec3){ri_nav_centre(map, map->head->ix + ix), ri_nav_centre(map, map->head->iy + iy),
                    map->head->reference};
}
