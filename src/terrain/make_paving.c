// SPDX-License-Identifier: Apache-2.0
/// \file
/// A mosaic of paving stones, like that on JPL's tilt table: rectangular stones in rows, every second
/// row shifted by half a stone, each with a height and a tilt of its own, with joints between them; and
/// sand that fills the joints and covers what is low.
///
///     z = max(stone(x, y), sand level)        within a stone,      sand level or joint depth in joints
///
/// Heights and tilts are normal, cut off at two standard deviations. The sand's surface is level: it is
/// raked. Test: tests/terrain/test_detail.c.
#include "terrain/make.h"

enum { STONE_X = MAKE_GRID_PARAMS, STONE_Y, JOINT, DEEP, STEP, TILT, SAND };

static const RiMakeParam params[] = {
    MAKE_GRID(6.0, 6.0, 0.02),
    {"stone_x", "m", 0.4, 0.02, 10.0, NULL, "length of a stone; estimate, the paper gives none"},
    {"stone_y", "m", 0.4, 0.02, 10.0, NULL, "width of a stone; estimate"},
    {"joint", "m", 0.02, 0.0, 1.0, NULL, "width of the joints"},
    {"deep", "m", 0.02, 0.0, 1.0, NULL, "depth of the joints below the mean of the stones, where no sand fills them"},
    {"step", "m", 0.004, 0.0, 0.5, NULL, "standard deviation of the stones' heights; estimate"},
    {"tilt", "deg", 0.7 * MAKE_DEG, 0.0, 20.0 * MAKE_DEG, NULL, "standard deviation of their tilts about either axis"},
    {"sand", "m", 0.0, -1.0, 1.0, NULL, "level of the sand above the mean of the stones"}};

/// One stone: height and slopes about its middle.
typedef struct Stone {
    double z, along, across;
} Stone;

static double cut_off(double x)
{
    return fmin(fmax(x, -2.0), 2.0);
}

static Stone draw(const Make *m, RiRng *rng)
{
    double a, b, c, spare;
    const double slope = make_tan(m->v[TILT]);
    make_normal_pair(rng, &a, &b);
    make_normal_pair(rng, &c, &spare);
    return (Stone){m->v[STEP] * cut_off(a), slope * cut_off(b), slope * cut_off(c)};
}

/// Height at a point: its row, its stone in the row, its place in the stone.
static double height_at(const Make *m, const Stone *stones, int columns, int rows, double x, double y)
{
    const double lx = m->v[STONE_X], ly = m->v[STONE_Y], joint = 0.5 * m->v[JOINT];
    const double v = y / ly + 0.5 * rows;
    const int row = (int)fmin(fmax(floor(v), 0.0), rows - 1.0);
    const double u = x / lx + 0.5 * columns + (row % 2 ? 0.5 : 0.0);
    const int column = (int)fmin(fmax(floor(u), 0.0), columns - 1.0);
    const double dx = (u - column - 0.5) * lx, dy = (v - row - 0.5) * ly;
    const bool inside = fabs(dx) <= 0.5 * lx - joint && fabs(dy) <= 0.5 * ly - joint;
    const Stone *s = &stones[(size_t)row * (size_t)columns + (size_t)column];
    return fmax(m->v[SAND], inside ? s->z + s->along * dx + s->across * dy : -m->v[DEEP]);
}

static RiStatus run(Make *m)
{
    MakeField f;
    const double lx = m->v[STONE_X], ly = m->v[STONE_Y];
    if (!(m->v[JOINT] < fmin(lx, ly)))
        return make_refuse(m, "joint is %g m, as wide as a stone", m->v[JOINT]);
    RI_TRY(make_field(m, &f));
    const double across = ceil(m->v[MAKE_SIZE_X] / lx) + 3.0, along = ceil(m->v[MAKE_SIZE_Y] / ly) + 2.0;
    if (across * along > RI_MAKE_MOST_FEATURES)
        return ri_error(m->ctx, RI_ERR_LIMIT, "%s: %.3g stones, at most %d", m->kind->name, across * along,
                        RI_MAKE_MOST_FEATURES);
    const int columns = (int)across, rows = (int)along;
    RiRng rng = make_stream(m, "stones");
    Stone *stones = ri_arena_alloc(m->scratch, (size_t)columns * (size_t)rows, sizeof *stones);
    if (!stones)
        return ri_error_memory(m->ctx);
    for (int k = 0; k < columns * rows; k++)
        stones[k] = draw(m, &rng);
    for (int j = 0; j < f.ny; j++)
        for (int i = 0; i < f.nx; i++)
            f.z[(size_t)j * (size_t)f.nx + (size_t)i] =
                height_at(m, stones, columns, rows, f.x0 + i * f.cell, f.y0 + j * f.cell);
    return make_field_finish(m, &f);
}

const MakeKind make_paving = {.info = {.name = "paving",
                                       .about = "mosaic of paving stones of uneven height, joints, sand in them",
                                       .sources = "Huntsberger et al. 2008 (the kind of ground; sizes are estimates)",
                                       .gives = RI_MAKE_HEIGHTS,
                                       .params = params,
                                       .param_count = MAKE_COUNT(params)},
                              .run = run};
