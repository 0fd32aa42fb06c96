// SPDX-License-Identifier: Apache-2.0
/// \file
/// Whether loose soil of a row of cells would slide; compiled once per instruction set. Whole
/// numbers: equal on all of them.
#include "soil/node.h"

#define CONCAT_(a, b) a##b
#define CONCAT(a, b)  CONCAT_(a, b)

static inline int32_t lower_of(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

bool CONCAT(ri_berm_steep_, RI_ISA)(int count, int row, const int32_t *surface, const int32_t *loose, int32_t beside,
                                    int32_t diagonal)
{
    const int32_t *up = surface + row, *down = surface - row;
    int32_t any = 0;
    // drops that do not fit 32 bits are met early rather than missed: a visit decides
    const int32_t most = 1 << 28, b = lower_of(beside, most), d = lower_of(diagonal, most);
    for (int i = 0; i < count; i++) {
        const int32_t straight = lower_of(lower_of(surface[i - 1], surface[i + 1]), lower_of(up[i], down[i]));
        const int32_t across = lower_of(lower_of(up[i - 1], up[i + 1]), lower_of(down[i - 1], down[i + 1]));
        const int32_t steep = (surface[i] - b > straight) | (surface[i] - d > across);
        any |= steep & (loose[i] > 0) & (surface[i] != INT32_MAX);
    }
    return any != 0;
}
