// SPDX-License-Identifier: Apache-2.0
/// \file
/// The way of a base: thinned, kept in pieces. See way.h.
#include "link/way.h"

#include <math.h>
#include <string.h>

#include "link/show.h"
#include "link/view_work.h"

static const double first_spacing = 0.01; ///< [m]

void ri_way_init(RiWay *w)
{
    w->count = w->clean = w->pieces = 0;
    w->spacing = first_spacing;
}

void ri_way_clear(RiWay *w)
{
    w->count = w->clean = 0;
    w->spacing = first_spacing;
}

static void thin(RiWay *w)
{
    for (int i = 0; 2 * i < w->count; i++)
        memcpy(w->at[i], w->at[2 * i], sizeof w->at[i]);
    w->count = (w->count + 1) / 2;
    w->clean = 0;
    w->spacing *= 2.0;
}

void ri_way_add(RiWay *w, double time, RiVec3 p)
{
    if (!isfinite(time + p.x + p.y + p.z))
        return;
    if (w->count > 0) {
        const float *last = w->at[w->count - 1];
        const RiVec3 from = ri_vec3((double)last[1], (double)last[2], (double)last[3]);
        if (!(ri_norm(ri_sub(p, from)) >= w->spacing))
            return;
    }
    if (w->count == RI_WAY_MOST)
        thin(w);
    float *at = w->at[w->count++];
    at[0] = (float)time;
    at[1] = (float)p.x;
    at[2] = (float)p.y;
    at[3] = (float)p.z;
}

static void put_u32(RiText *t, uint32_t x)
{
    const unsigned char bytes[4] = {(unsigned char)x, (unsigned char)(x >> 8), (unsigned char)(x >> 16),
                                    (unsigned char)(x >> 24)};
    ri_text_put(t, bytes, sizeof bytes);
}

/// The protocol's message of one piece, empty beyond the end.
static void write_piece(RiText *t, const RiWay *w, int run, int piece)
{
    const int first = piece * RI_WAY_PIECE, rest = w->count - first,
              count = rest < 0              ? 0
                      : rest < RI_WAY_PIECE ? rest
                                            : RI_WAY_PIECE;
    put_u32(t, 6u | (unsigned)run << 8);
    put_u32(t, (uint32_t)piece);
    put_u32(t, (uint32_t)count);
    for (int i = 0; i < 4 * count; i++) {
        uint32_t bits;
        memcpy(&bits, &w->at[first + i / 4][i % 4], sizeof bits);
        put_u32(t, bits);
    }
}

RiStatus ri_way_keep(RiWay *w, RiView *view, int run)
{
    const int needed = (w->count + RI_WAY_PIECE - 1) / RI_WAY_PIECE;
    if (w->clean == w->count && w->pieces <= needed)
        return RI_OK;
    const int last = needed > w->pieces ? needed : w->pieces;
    for (int piece = w->clean / RI_WAY_PIECE; piece < last; piece++) {
        RiText t;
        ri_text_init(&t, &view->memory);
        write_piece(&t, w, run, piece);
        const RiStatus status =
            t.failed ? ri_error(view->ctx, RI_ERR_MEMORY, "out of memory")
                     : ri_view_keep(view, ri_show_key(SHOW_WAY, run) | (uint64_t)piece << 8, false, t.at, t.size);
        ri_text_free(&t);
        RI_TRY(status);
    }
    w->clean = w->count;
    w->pieces = needed;
    return RI_OK;
}
