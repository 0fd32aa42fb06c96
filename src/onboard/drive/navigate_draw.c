// SPDX-License-Identifier: Apache-2.0
/// \file
/// The local map and the stripes of a device `navigation`, for those who draw them on the ground.
///
/// Figures 2 and 3 of [jain2003]. Nothing here changes the device. Test: tests/link/test_shown.c.
#include <math.h>

#include "onboard/drive/navigate.h"

/// The map's options as the memory holds them: they lead its copy of the parameters.
enum { KEPT_CELL = NAV_CELL - NAV_CELL, KEPT_CELLS = NAV_CELLS - NAV_CELL };

static void draw_map(const RiNavMemory *m, RiNavDrawing *out)
{
    RiNavMap map = {.options = {.cell = m->options[KEPT_CELL], .cells = (int)m->options[KEPT_CELLS]}};
    const int n = map.options.cells;
    bool known = false;
    if (!m->made || n < 1 || n > RI_NAV_MOST_CELLS)
        return;
    ri_nav_map_point(&map, (void *)(uintptr_t)m->map); // only read
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            const RiVec3 at = ri_nav_map_cell_centre(&map, i, j);
            const int goodness = ri_nav_map_goodness(&map, at.x, at.y);
            out->goodness[j * n + i] = (int16_t)goodness;
            known = known || goodness >= 0;
        }
    out->cells = known ? n : 0;
    out->cell = map.options.cell;
    out->x0 = map.head->ix * map.options.cell;
    out->y0 = map.head->iy * map.options.cell;
}

bool ri_nav_draw(const void *memory, size_t size, RiNavDrawing *out)
{
    const RiNavMemory *m = memory;
    *out = (RiNavDrawing){0};
    if (!memory || size != sizeof *m)
        return false;
    draw_map(m, out);
    const int count = m->stripe_count;
    out->stripe_count = count < 0 || count > RI_NAV_STRIPES ? 0 : count;
    for (int k = 0; k < out->stripe_count; k++)
        for (int c = 0; c < 3; c++)
            out->stripes[k][c] = c == 2 && m->stripes[3 * k + c] < -999.0f ? NAN : m->stripes[3 * k + c];
    return true;
}
