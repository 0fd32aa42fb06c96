// SPDX-License-Identifier: Apache-2.0
/// \file
/// The closest point of a height field.
///
/// A closest point q = (x, y, z(x, y)) to p is a root of the gradient of |p - q|^2 / 2:
///
///     g = (x - p_x, y - p_y) + (z - p_z) grad z
///     H = 1 + grad z grad z^T + (z - p_z) Hess z
///
/// Newton's method with H, or without its last term where H is not positive definite (Gauss-Newton,
/// always downhill), started below p on the tangent plane. It runs within one cell at a time, in a
/// box, and crosses a border when the slope beyond says so: a bilinear surface has creases there,
/// and its closest point often lies on one.
///
/// What is found is the closest point in its neighbourhood, at a distance d. It is the only one if
/// |d| K < 1/2 with K a bound of the second derivatives within d of p: z - p_z would have to leave
/// [-d, d] and come back within 2 d, and the slope cannot change that fast. Otherwise the squares
/// of cells are searched that reach into the ball of radius d, nearest first, cell by cell.
#include <math.h>

#include "terrain/heights.h"

enum { GLIDES = 8, STEPS = 40, HALVINGS = 12, STACK = 4 * RI_HEIGHTS_LEVELS, STRIP = 64 };

/// A point of the ground seen as part of cell (i, j), and the gradient of half the squared distance
/// to p there.
typedef struct Foot {
    int i, j;
    double x, y;
    RiPatch at; ///< derivatives by x and y
    double gx, gy, cost;
} Foot;

static double clamp(double x, double low, double high)
{
    return x > low ? (x < high ? x : high) : low;
}

static void weigh(RiVec3 p, Foot *f)
{
    const double ex = f->x - p.x, ey = f->y - p.y, ez = f->at.z - p.z;
    f->gx = ex + ez * f->at.zs;
    f->gy = ey + ez * f->at.zt;
    f->cost = ex * ex + ey * ey + ez * ez;
}

static void look(const RiHeights *h, RiVec3 p, Foot *f)
{
    ri_heights_cell(h, f->i, f->j, f->x, f->y, &f->at);
    weigh(p, f);
}

static Foot foot_at(const RiHeights *h, RiVec3 p, double x, double y)
{
    Foot f = {.i = ri_heights_index((x - h->x0) * h->per_dx, h->nx),
              .j = ri_heights_index((y - h->y0) * h->per_dy, h->ny),
              .x = x,
              .y = y};
    look(h, p, &f);
    return f;
}

/// Where cell i begins; the outermost cells never end.
static double border(double x0, double dx, int i, int n)
{
    return i < 0 ? -INFINITY : i >= n ? INFINITY : x0 + i * dx;
}

// --- downhill ------------------------------------------------------------------------------------

/// Steps along the tangent plane over any number of cells, as long as it gets nearer.
static Foot glide(const RiHeights *h, RiVec3 p, Foot f)
{
    for (int k = 0; k < GLIDES; k++) {
        const double ex = p.x - f.x, ey = p.y - f.y, ez = p.z - f.at.z;
        const double down = (ez - ex * f.at.zs - ey * f.at.zt) / (1.0 + f.at.zs * f.at.zs + f.at.zt * f.at.zt);
        const double sx = ex + down * f.at.zs, sy = ey + down * f.at.zt;
        if (fabs(sx) <= h->dx && fabs(sy) <= h->dy)
            break;
        const Foot next = foot_at(h, p, f.x + sx, f.y + sy);
        if (!(next.cost < f.cost))
            break;
        f = next;
    }
    return f;
}

/// Whether a coordinate that wants to leave its cell may not: it is to stay, or the neighbour's
/// slope sends it back.
static bool blocked(const RiHeights *h, RiVec3 p, Foot *f, bool along_x, bool stay)
{
    const double g = along_x ? f->gx : f->gy, at = along_x ? f->x : f->y;
    const int n = along_x ? h->nx : h->ny, i = along_x ? f->i : f->j;
    const double origin = along_x ? h->x0 : h->y0, step = along_x ? h->dx : h->dy;
    const bool back = g > 0.0 && at <= border(origin, step, i, n);
    const bool on = g < 0.0 && at >= border(origin, step, i + 1, n);
    if (!back && !on)
        return false;
    if (stay)
        return true;
    Foot beyond = *f;
    *(along_x ? &beyond.i : &beyond.j) += back ? -1 : 1;
    look(h, p, &beyond);
    if ((along_x ? beyond.gx : beyond.gy) * g <= 0.0)
        return true;
    *f = beyond;
    return false;
}

/// Newton's step in the coordinates that are free.
static void newton(const Foot *f, double ez, bool hold_x, bool hold_y, double *sx, double *sy)
{
    const RiPatch *a = &f->at;
    double xx = 1.0 + a->zs * a->zs, xy = a->zs * a->zt, yy = 1.0 + a->zt * a->zt;
    const double nxx = xx + ez * a->zss, nxy = xy + ez * a->zst, nyy = yy + ez * a->ztt;
    const bool definite = hold_x   ? nyy > 0.1 * yy
                          : hold_y ? nxx > 0.1 * xx
                                   : nxx > 0.0 && nxx * nyy - nxy * nxy > 0.01 * (xx * yy - xy * xy);
    if (definite) {
        xx = nxx;
        xy = nxy;
        yy = nyy;
    }
    const double det = xx * yy - xy * xy;
    *sx = hold_x ? 0.0 : hold_y ? -f->gx / xx : (xy * f->gy - yy * f->gx) / det;
    *sy = hold_y ? 0.0 : hold_x ? -f->gy / yy : (xy * f->gx - xx * f->gy) / det;
}

/// One step within the cell's box, shortened until it gets nearer. False when it is as near as it
/// gets.
static bool step_in_cell(const RiHeights *h, RiVec3 p, Foot *f, double sx, double sy)
{
    const double west = border(h->x0, h->dx, f->i, h->nx), east = border(h->x0, h->dx, f->i + 1, h->nx);
    const double south = border(h->y0, h->dy, f->j, h->ny), north = border(h->y0, h->dy, f->j + 1, h->ny);
    // Newton's error after a step is of the order of its square: a small one is the last, whatever
    // rounding makes of the cost.
    const bool last = fabs(sx) <= 1e-6 * h->dx && fabs(sy) <= 1e-6 * h->dy;
    for (int k = 0; k < HALVINGS; k++, sx *= 0.5, sy *= 0.5) {
        Foot next = *f;
        next.x = clamp(f->x + sx, west, east);
        next.y = clamp(f->y + sy, south, north);
        look(h, p, &next);
        if (last || next.cost < f->cost) {
            *f = next;
            return !last;
        }
    }
    return false;
}

/// Down to the closest point nearby, or to that of the cell.
static Foot descend(const RiHeights *h, RiVec3 p, Foot f, bool stay)
{
    for (int k = 0; k < STEPS; k++) {
        const bool hold_x = blocked(h, p, &f, true, stay), hold_y = blocked(h, p, &f, false, stay);
        if (hold_x && hold_y)
            break;
        double sx, sy;
        newton(&f, f.at.z - p.z, hold_x, hold_y, &sx, &sy);
        if (!step_in_cell(h, p, &f, sx, sy))
            break;
    }
    return f;
}

// --- search --------------------------------------------------------------------------------------

/// Rows and columns of cells within reach of p, those beyond the border included.
typedef struct Reach {
    int i0, i1, j0, j1; ///< first and last
} Reach;

static Reach reach_of(const RiHeights *h, RiVec3 p, double d)
{
    return (Reach){
        ri_heights_index((p.x - d - h->x0) * h->per_dx, h->nx), ri_heights_index((p.x + d - h->x0) * h->per_dx, h->nx),
        ri_heights_index((p.y - d - h->y0) * h->per_dy, h->ny), ri_heights_index((p.y + d - h->y0) * h->per_dy, h->ny)};
}

/// Whether no other part of the ground can be as near as d.
static bool is_alone(const RiHeights *h, const Reach *r, double d)
{
    if (!h->bicubic)
        return r->i0 == r->i1 && r->j0 == r->j1;
    if (r->i0 < 0 || r->j0 < 0 || r->i1 > h->nx - 2 || r->j1 > h->ny - 2)
        return false;
    const int a0 = r->i0 / RI_HEIGHTS_BLOCK, a1 = r->i1 / RI_HEIGHTS_BLOCK;
    const int b0 = r->j0 / RI_HEIGHTS_BLOCK, b1 = r->j1 / RI_HEIGHTS_BLOCK;
    if (a1 - a0 > 1 || b1 - b0 > 1)
        return false;
    for (int b = b0; b <= b1; b++)
        for (int a = a0; a <= a1; a++)
            if (!(d * ri_heights_square_curvature(h, a, b) < 0.5))
                return false;
    return true;
}

/// Squared distance of p to the box of cells [i0, i1) x [j0, j1) between two heights.
static double box_cost(const RiHeights *h, RiVec3 p, const int cells[4], double low, double high)
{
    const double west = border(h->x0, h->dx, cells[0], h->nx), east = border(h->x0, h->dx, cells[1], h->nx);
    const double south = border(h->y0, h->dy, cells[2], h->ny), north = border(h->y0, h->dy, cells[3], h->ny);
    const double x = p.x - clamp(p.x, west, east), y = p.y - clamp(p.y, south, north), z = p.z - clamp(p.z, low, high);
    return x * x + y * y + z * z;
}

/// Looks for a closer point in one cell.
static void try_cell(const RiHeights *h, RiVec3 p, int i, int j, Foot *best)
{
    const int ci = i < 0 ? 0 : i > h->nx - 2 ? h->nx - 2 : i, cj = j < 0 ? 0 : j > h->ny - 2 ? h->ny - 2 : j;
    double range[2];
    ri_heights_cell_range(h, ci, cj, range);
    if (box_cost(h, p, (const int[4]){i, i + 1, j, j + 1}, range[0], range[1]) >= best->cost)
        return;
    // A bicubic cell may hold several closest points: one start in each of its quarters.
    const double west = border(h->x0, h->dx, i, h->nx), east = border(h->x0, h->dx, i + 1, h->nx);
    const double south = border(h->y0, h->dy, j, h->ny), north = border(h->y0, h->dy, j + 1, h->ny);
    const double x = i == ci ? 0.5 * (west + east) : i < 0 ? east : west;
    const double y = j == cj ? 0.5 * (south + north) : j < 0 ? north : south;
    for (int k = 0; k < (h->bicubic ? 4 : 1); k++) {
        Foot f = {.i = i, .j = j};
        f.x = clamp(p.x, h->bicubic && k & 1 ? x : west, h->bicubic && !(k & 1) ? x : east);
        f.y = clamp(p.y, h->bicubic && k & 2 ? y : south, h->bicubic && !(k & 2) ? y : north);
        look(h, p, &f);
        f = descend(h, p, f, true);
        if (f.cost < best->cost)
            *best = f;
    }
}

/// The cells beyond the border that are within reach; of a side longer than STRIP cells only the
/// nearest ones.
static void search_outside(const RiHeights *h, RiVec3 p, const Reach *r, Foot *best)
{
    const int ci = ri_heights_index((p.x - h->x0) * h->per_dx, h->nx),
              cj = ri_heights_index((p.y - h->y0) * h->per_dy, h->ny);
    const int i0 = r->i0 > ci - STRIP ? r->i0 : ci - STRIP, i1 = r->i1 < ci + STRIP ? r->i1 : ci + STRIP;
    const int j0 = r->j0 > cj - STRIP ? r->j0 : cj - STRIP, j1 = r->j1 < cj + STRIP ? r->j1 : cj + STRIP;
    for (int j = j0; j <= j1; j++) {
        if (r->i0 < 0)
            try_cell(h, p, -1, j, best);
        if (r->i1 > h->nx - 2)
            try_cell(h, p, h->nx - 1, j, best);
    }
    for (int i = i0; i <= i1; i++) {
        if (r->j0 < 0)
            try_cell(h, p, i, -1, best);
        if (r->j1 > h->ny - 2)
            try_cell(h, p, i, h->ny - 1, best);
    }
}

typedef struct Square {
    int level, a, b;
    double cost;
} Square;

static Square square_of(const RiHeights *h, RiVec3 p, int level, int a, int b)
{
    const int size = RI_HEIGHTS_BLOCK << level;
    const int i1 = (a + 1) * size < h->nx - 1 ? (a + 1) * size : h->nx - 1;
    const int j1 = (b + 1) * size < h->ny - 1 ? (b + 1) * size : h->ny - 1;
    float range[2];
    ri_heights_square(h, level, a, b, range);
    return (Square){level, a, b,
                    box_cost(h, p, (const int[4]){a * size, i1, b * size, j1}, (double)range[0], (double)range[1])};
}

/// Puts the four squares below one on the stack, the nearest last.
static int split_square(const RiHeights *h, RiVec3 p, const Square *s, double most, Square *stack, int depth)
{
    const int base = depth, size = RI_HEIGHTS_BLOCK << (s->level - 1);
    for (int k = 0; k < 4; k++) {
        const int a = 2 * s->a + (k & 1), b = 2 * s->b + (k >> 1);
        if (a * size >= h->nx - 1 || b * size >= h->ny - 1)
            continue;
        const Square child = square_of(h, p, s->level - 1, a, b);
        if (child.cost >= most)
            continue;
        int at = depth++;
        for (; at > base && stack[at - 1].cost < child.cost; at--)
            stack[at] = stack[at - 1];
        stack[at] = child;
    }
    return depth;
}

static void search_cells(const RiHeights *h, RiVec3 p, const Reach *r, const Square *s, Foot *best)
{
    const int i0 = s->a * RI_HEIGHTS_BLOCK, j0 = s->b * RI_HEIGHTS_BLOCK;
    const int i1 = i0 + RI_HEIGHTS_BLOCK - 1, j1 = j0 + RI_HEIGHTS_BLOCK - 1;
    for (int j = j0 > r->j0 ? j0 : r->j0; j <= j1 && j <= r->j1 && j < h->ny - 1; j++)
        for (int i = i0 > r->i0 ? i0 : r->i0; i <= i1 && i <= r->i1 && i < h->nx - 1; i++)
            try_cell(h, p, i, j, best);
}

/// Searches one square of the coarsest level.
static void search_square(const RiHeights *h, RiVec3 p, const Reach *r, int a, int b, Foot *best)
{
    Square stack[STACK];
    int depth = 1;
    stack[0] = square_of(h, p, h->levels - 1, a, b);
    while (depth > 0) {
        const Square s = stack[--depth];
        if (s.cost >= best->cost)
            continue;
        if (s.level == 0)
            search_cells(h, p, r, &s, best);
        else
            depth = split_square(h, p, &s, best->cost, stack, depth);
    }
}

/// The coarsest level of a field in memory is one square; of a paged one it is the page, of which
/// the nearest nine are searched.
static void search(const RiHeights *h, RiVec3 p, const Reach *r, Foot *best)
{
    if (r->i0 < 0 || r->j0 < 0 || r->i1 > h->nx - 2 || r->j1 > h->ny - 2)
        search_outside(h, p, r, best);
    const int size = RI_HEIGHTS_BLOCK << (h->levels - 1);
    const int ci = (int)clamp((p.x - h->x0) * h->per_dx, 0.0, h->nx - 2.0) / size;
    const int cj = (int)clamp((p.y - h->y0) * h->per_dy, 0.0, h->ny - 2.0) / size;
    for (int b = cj > 0 ? cj - 1 : 0; b <= cj + 1 && b * size < h->ny - 1; b++)
        for (int a = ci > 0 ? ci - 1 : 0; a <= ci + 1 && a * size < h->nx - 1; a++)
            if (a * size <= r->i1 && (a + 1) * size > r->i0 && b * size <= r->j1 && (b + 1) * size > r->j0)
                search_square(h, p, r, a, b, best);
}

RiVec3 ri_heights_closest(const RiHeights *h, RiVec3 p, const RiHeight *below, bool nearby, RiHeight *out)
{
    Foot f = {.i = ri_heights_index((p.x - h->x0) * h->per_dx, h->nx),
              .j = ri_heights_index((p.y - h->y0) * h->per_dy, h->ny),
              .x = p.x,
              .y = p.y,
              .at = {below->z, below->zx, below->zy, below->zxx, below->zxy, below->zyy}};
    weigh(p, &f);
    f = descend(h, p, glide(h, p, f), false);
    const double d = sqrt(f.cost);
    const Reach r = reach_of(h, p, d);
    if (!nearby && !is_alone(h, &r, d))
        search(h, p, &r, &f);
    *out = (RiHeight){.z = f.at.z, .zx = f.at.zs, .zy = f.at.zt};
    return ri_vec3(f.x, f.y, f.at.z);
}
